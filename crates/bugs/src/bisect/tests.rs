use super::matrix::{Matrix, Row};
use super::search::{Class, everything, search};
use super::*;
use campaign::finding::{Cell, Tried, Versions};
use campaign::process::Cancel;
use proptest::prelude::*;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// `B` fails, `g` is right, `s` slow, `u` unknown, `r` cannot read, `o` another failure, `x` missing.
fn cells(text: &str) -> Vec<Cell> {
    let cell = |c| match c {
        'B' => Cell::Fails,
        'g' => Cell::Right,
        's' => Cell::Slow,
        'u' => Cell::Unknown,
        'r' => Cell::CannotRead,
        'o' => Cell::Other,
        _ => Cell::Missing,
    };
    text.chars().map(cell).collect()
}

/// The sequence as it is known after a search: versions are their places.
fn known(found: &[Option<Cell>]) -> Vec<Option<Tried>> {
    let tried = |(i, cell): (usize, &Option<Cell>)| {
        let version = i.to_string();
        cell.map(|cell| Tried { version, cell, detail: String::new() })
    };
    found.iter().enumerate().map(tried).collect()
}

fn searched(all: &[Cell], given: Option<usize>) -> Vec<Option<Tried>> {
    let mut run = |places: &[usize]| Ok(places.iter().map(|&i| all[i]).collect());
    known(&search(all.len(), given, &mut run).expect("no run fails"))
}

fn exhaustive(all: &[Cell]) -> Versions {
    let mut run = |places: &[usize]| Ok(places.iter().map(|&i| all[i]).collect());
    conclude(&known(&everything(all.len(), &mut run).expect("no run fails")))
}

/// First bad, last good, fixed in, newest fails.
fn short(v: &Versions) -> (Option<&str>, Option<&str>, Option<&str>, bool) {
    (v.first_bad.as_deref(), v.last_good.as_deref(), v.fixed_in.as_deref(), v.newest_fails)
}

#[test]
fn boundaries_of_small_sequences() {
    let cases = [
        ("gggggBBBBB", Some(9), (Some("5"), Some("4"), None, true)),
        ("BBBBBggggg", Some(0), (Some("0"), None, Some("5"), false)),
        ("ggggBBBggg", Some(5), (Some("4"), Some("3"), Some("7"), false)),
        ("BBBBBBBBBB", Some(3), (Some("0"), None, None, true)),
        ("gggggggggg", None, (None, None, None, false)),
        ("ggggggBggg", None, (Some("6"), Some("5"), Some("7"), false)),
        ("rrrrrBBBBB", Some(9), (Some("5"), None, None, true)),
        ("ggsssBBsgg", Some(6), (Some("5"), Some("1"), Some("8"), false)),
        ("gggssssssssssssBBssssssssssssgg", Some(15), (Some("15"), Some("2"), Some("29"), false)),
        ("BBssssssss", Some(1), (Some("0"), None, None, false)),
        ("xxgxxBxxBx", Some(8), (Some("5"), Some("2"), None, true)),
        ("xxxxxxxxxx", None, (None, None, None, false)),
        ("ggBssBBBgg", Some(6), (Some("2"), Some("1"), Some("8"), false)),
        ("B", Some(0), (Some("0"), None, None, true)),
        ("", None, (None, None, None, false)),
    ];
    for (text, given, expected) in cases {
        let versions = conclude(&searched(&cells(text), given));
        assert_eq!(short(&versions), expected, "{text}");
    }
}

#[test]
fn flips_beside_a_boundary_are_found_and_scanned() {
    // The first bad version of the last stretch is 6; 4 is a stretch of its own.
    let found = searched(&cells("ggggBgBBBgg"), Some(7));
    assert_eq!(short(&conclude(&found)), (Some("6"), Some("5"), Some("9"), false));
    assert_eq!(found[4].as_ref().map(|t| t.cell), Some(Cell::Fails), "the other stretch was seen");
    assert_eq!(found[3].as_ref().map(|t| t.cell), Some(Cell::Right), "and its neighbour");
    // A good version right after the first bad one that bisection finds.
    let found = searched(&cells("gggBgBBBBBBB"), Some(11));
    assert_eq!(short(&conclude(&found)).0, Some("5"));
}

#[test]
fn conclusions_in_words() {
    let text = |sequence: &str, given| verdict(&conclude(&searched(&cells(sequence), given)));
    assert_eq!(
        text("ggggBBBggg", Some(5)),
        "first bad 4, last good 3, fixed in 7; newest 9 is right (9 of 10 versions run)"
    );
    assert_eq!(
        text("rrBBBBBBBB", Some(9)),
        "first bad 2, no older version known to be right (0–1 cannot read it); newest 9 fails (6 of 10 versions run)"
    );
    assert_eq!(
        text("xBBsss", Some(1)),
        "first bad 1, the oldest that was run, last bad 2, none later known to be right; newest 5 is slow (5 of 6 versions run, 1 cannot be run here)"
    );
    assert_eq!(text("gggg", None), "no version that was run fails; newest 3 is right (4 of 4 versions run)");
    assert_eq!(text("xx", None), "no version can be run (0 of 2 versions run, 2 cannot be run here)");
}

fn any_cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        3 => Just(Cell::Fails), 3 => Just(Cell::Right), 1 => Just(Cell::Slow), 1 => Just(Cell::CannotRead),
        1 => Just(Cell::Other), 1 => Just(Cell::Missing), 1 => Just(Cell::Unknown),
    ]
}

/// Segments of equal cells, with missing versions in between.
fn stretch() -> impl Strategy<Value = (Vec<Cell>, usize)> {
    let lengths = (0..20usize, 0..20usize, 0..5usize, 1..20usize, 0..5usize, 0..20usize);
    (lengths, any::<u64>(), any::<prop::sample::Index>()).prop_map(|((a, b, c, d, e, f), holes, at)| {
        use Cell::{CannotRead, Fails, Right, Slow};
        let parts = [(CannotRead, a), (Right, b), (Slow, c), (Fails, d), (Slow, e), (Right, f)];
        let mut all: Vec<Cell> = parts.iter().flat_map(|&(cell, n)| vec![cell; n]).collect();
        let given = a + b + c + at.index(d);
        for i in (0..all.len().min(64)).filter(|&i| i != given && holes >> i & 1 == 1 && i % 3 == 0) {
            all[i] = Cell::Missing;
        }
        (all, given)
    })
}

proptest! {
    #[test]
    fn one_stretch_is_found_as_if_all_were_run((all, given) in stretch()) {
        let found = conclude(&searched(&all, Some(given)));
        let whole = exhaustive(&all);
        prop_assert_eq!(short(&found), short(&whole), "{:?}", all);
        prop_assert_eq!(found.newest, whole.newest);
    }

    #[test]
    fn nothing_false_is_claimed(all in prop::collection::vec(any_cell(), 1..40), at in any::<prop::sample::Index>(), named in any::<bool>()) {
        let found = searched(&all, named.then(|| at.index(all.len())));
        let versions = conclude(&found);
        let place = |v: &Option<String>| v.as_ref().map(|v| v.parse::<usize>().expect("a place"));
        for tried in found.iter().flatten() {
            prop_assert_eq!(tried.cell, all[tried.version.parse::<usize>().expect("a place")]);
        }
        if let Some(first) = place(&versions.first_bad) {
            prop_assert_eq!(all[first], Cell::Fails);
            if let Some(good) = place(&versions.last_good) {
                prop_assert!(good < first && all[good] == Cell::Right);
            }
            if let Some(fixed) = place(&versions.fixed_in) {
                prop_assert!(fixed > first && all[fixed] == Cell::Right);
            }
        }
        let newest = (0..all.len()).rev().find(|&i| all[i] != Cell::Missing);
        prop_assert_eq!(place(&versions.newest), newest);
        prop_assert_eq!(versions.newest_fails, newest.is_some_and(|i| all[i] == Cell::Fails));
        let bad_exists = all.contains(&Cell::Fails);
        prop_assert!(named || versions.first_bad.is_some() == bad_exists, "a bad version is found if there is one");
    }

    /// The next version beyond each boundary agrees with it, or the change there is a boundary itself.
    #[test]
    fn boundaries_are_tight(all in prop::collection::vec(any_cell(), 1..40)) {
        let found = searched(&all, None);
        let known: Vec<(usize, Class)> = found.iter().enumerate()
            .filter_map(|(i, t)| Some((i, Class::of(t.as_ref()?.cell)?))).collect();
        for pair in known.windows(2) {
            let bad = |class| class == Class::Bad;
            if bad(pair[0].1) != bad(pair[1].1) {
                let between = pair[0].0 + 1..pair[1].0;
                prop_assert!(between.clone().all(|i| found[i].is_some()), "{:?} in {:?}", between, all);
            }
        }
    }
}

#[test]
fn a_search_runs_few_versions() {
    let mut all = vec![Cell::Right; 20];
    all.extend(vec![Cell::Fails; 30]);
    all.extend(vec![Cell::Right; 10]);
    let run = searched(&all, Some(40)).iter().flatten().count();
    assert!(run <= 18, "{run} of 60");
}

#[test]
fn equal_columns_are_one() {
    let row = |name: &str, text: &str| Row {
        name: name.into(),
        failure: Failure::Wrong,
        cells: known(&cells(text).into_iter().map(|c| (c != Cell::Missing).then_some(c)).collect::<Vec<_>>()),
    };
    let versions = ["4.8.0", "4.8.5", "4.8.6", "4.8.10", "4.8.11", "5.4.0"].map(String::from).into();
    let matrix = Matrix {
        solver: "z3".into(),
        versions,
        rows: vec![row("known/from-code-ite.smt2", "rrrxBB"), row("known/replace-all.smt2", "rrrxgg")],
    };
    let expected = "\
z3                  4.8.0   4.8.11
                    –4.8.6  –5.4.0
from-code-ite.smt2  -       FAILS
replace-all.smt2    -       right
";
    let text = matrix.text();
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(
        matrix.markdown().lines().take(3).collect::<Vec<_>>(),
        ["| z3 | 4.8.0–4.8.6 | 4.8.11–5.4.0 |", "|---|---|---|", "| from-code-ite.smt2 | - | FAILS |"]
    );
    assert_eq!(matrix.json()["rows"][0]["cells"][0]["cell"], "cannot-read");
}

#[test]
fn wide_matrices_are_cut_into_tables() {
    let text: String = "gB".repeat(20);
    let found = cells(&text).into_iter().map(Some).collect::<Vec<_>>();
    let row = Row { name: "a".repeat(60), failure: Failure::Wrong, cells: known(&found) };
    let versions = (0..40).map(|i| format!("4.8.{i}")).collect();
    let text = Matrix { solver: "z3".into(), versions, rows: vec![row] }.text();
    let tables = text.lines().filter(|l| l.starts_with("z3")).count();
    assert!(tables > 1, "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
}

/// A family of solvers: version `1.N` gives the N-th answer. `slow` sleeps.
fn family(dir: &Path, answers: &[&str]) -> (String, Places) {
    let profile = dir.join("fake.toml");
    std::fs::write(
        &profile,
        "name = \"fake\"\nprogram = \"fake\"\nmodel = \"none\"\nargs = [\"mode=odd\"]\n",
    )
    .expect("a profile");
    for (i, answer) in answers.iter().enumerate() {
        let program = dir.join(format!("cache/fake-1.{i}/bin/fake"));
        std::fs::create_dir_all(program.parent().expect("a folder")).expect("a folder");
        std::fs::write(&program, format!("#!/bin/sh\ncat > /dev/null\n{answer}\n")).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let places = Places { cache: Some(dir.join("cache")), ..Places::default() };
    (profile.display().to_string(), places)
}

const SAT: &str = "(set-info :status sat)\n(set-info :stringent-model \"((x \"\"a\"\"))\")\n\
                   (declare-const x String)\n(assert (= x \"a\"))\n(check-sat)\n";

fn offline() -> Options {
    Options { offline: true, jobs: 2, time: Duration::from_secs(3), ..Options::default() }
}

#[test]
fn a_family_of_solvers_is_bisected() {
    let dir = tempfile::tempdir().expect("a folder");
    let wrong = "case \"$1\" in mode=odd) echo unsat;; *) echo sat;; esac";
    let refuse = "echo '(error \"line 1 column 1: unknown constant str.x\")'";
    let (spec, places) =
        family(dir.path(), &[refuse, "echo sat", "echo sat", wrong, wrong, "echo unknown", "echo sat"]);
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let bench = Bench::open_in(&format!("{spec}@1.4"), &places, &offline(), &host).expect("a bench");
    let given = bench.named().expect("it is there");
    let question = bench.question("a", SAT, None, given, 0).expect("a question");
    assert_eq!((question.failure, question.seeds.len()), (Failure::Wrong, 1));
    let found = bench.bisect(&question, given).expect("a result");
    assert_eq!(short(&found.versions), (Some("1.3"), Some("1.2"), Some("1.6"), false));
    assert_eq!(found.options, Some(("1.4".into(), vec!["mode=odd".into()])));
    assert_eq!(found.versions.available, 7);
}

#[test]
fn a_failure_that_depends_on_the_seed_is_run_with_several() {
    let dir = tempfile::tempdir().expect("a folder");
    let flaky = "case \"$2\" in seed=1) echo unsat;; *) echo sat;; esac";
    let (spec, places) = family(dir.path(), &["echo sat", flaky]);
    let profile =
        "name = \"fake\"\nprogram = \"fake\"\nmodel = \"none\"\nargs = [\"mode=odd\", \"seed={seed}\"]\n";
    std::fs::write(dir.path().join("fake.toml"), profile).expect("a profile");
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let bench = Bench::open_in(&spec, &places, &offline(), &host).expect("a bench");
    let question = bench.question("a", SAT, None, Some(1), 0).expect("a question");
    assert_eq!(question.seeds.len(), 5);
    let found = bench.bisect(&question, Some(1)).expect("a result");
    assert_eq!(short(&found.versions), (Some("1.1"), Some("1.0"), None, true));
    assert!(found.versions.tried[1].detail.ends_with("with 1 of 5 seeds"), "{:?}", found.versions.tried);
    // Seeds after the first few: that of the finding is tried first.
    let late = flaky.replace("seed=1)", "seed=7)");
    let program = dir.path().join("cache/fake-1.1/bin/fake");
    let text = std::fs::read_to_string(&program).expect("a program").replace(flaky, &late);
    std::fs::write(&program, text).expect("a program");
    let unseen = bench.question("a", SAT, None, Some(1), 0).expect("a question");
    assert_eq!((unseen.failure, unseen.seeds), (Failure::Any, vec![0]));
    let pinned = bench.question("a", SAT, None, Some(1), 7).expect("a question");
    assert_eq!((pinned.failure, pinned.seeds), (Failure::Wrong, vec![7, 0, 1, 2, 3]));
}

#[test]
fn a_failure_without_names_only_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let unnamed = "if grep -q named; then sleep 20; fi; echo unsat";
    let (spec, places) = family(dir.path(), &["echo sat", unnamed]);
    for version in ["1.0", "1.1"] {
        let program = dir.path().join(format!("cache/fake-{version}/bin/fake"));
        let text = std::fs::read_to_string(&program).expect("a program").replace("cat > /dev/null\n", "");
        std::fs::write(&program, text).expect("a program");
    }
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let bench = Bench::open_in(&spec, &places, &offline(), &host).expect("a bench");
    let script = SAT.replace("(= x \"a\")", "(! (= x \"a\") :named p)");
    let question = bench.question("a", &script, None, Some(1), 0).expect("a question");
    assert!(!question.wants.named && question.failure == Failure::Wrong, "{question:?}");
    assert_eq!(short(&bench.bisect(&question, Some(1)).expect("a result").versions).0, Some("1.1"));
}

/// The script states `unsat` without a certificate of its core, as a reduced one does.
#[test]
fn a_core_with_a_model_is_found_without_a_certificate() {
    let dir = tempfile::tempdir().expect("a folder");
    let (spec, places) = family(
        dir.path(),
        &["echo unsat; echo '(p q)'", "echo unsat; echo '(p)'", "echo unsat; echo '(p q)'"],
    );
    let profile = "name = \"fake\"\nprogram = \"fake\"\nmodel = \"none\"\ncores = true\n";
    std::fs::write(dir.path().join("fake.toml"), profile).expect("a profile");
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let bench = Bench::open_in(&format!("{spec}@1.1"), &places, &offline(), &host).expect("a bench");
    let script = "(set-info :status unsat)\n(declare-const x String)\n(assert (! (= x \"a\") :named p))\n\
                  (assert (! (= x \"b\") :named q))\n(check-sat)\n";
    let question = bench.question("a", script, Some(Failure::Core), Some(1), 0).expect("a question");
    let found = bench.bisect(&question, Some(1)).expect("a result").versions;
    assert_eq!(short(&found), (Some("1.1"), Some("1.0"), Some("1.2"), false));
}

#[test]
fn a_crash_or_an_error_with_another_message_is_another_failure() {
    let dir = tempfile::tempdir().expect("a folder");
    let crash = |text: &str| format!("echo '{text}' >&2; kill -ABRT $$");
    let (old, given, later) =
        (crash("Unreachable code"), crash("Failed to verify: line 12"), crash("Failed to verify: line 13"));
    let error = |text: &str| format!("echo '(error \"{text}\")'");
    let (refuse, bad) = (error("unknown constant str.x"), error("not handled: 7"));
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let cases = [
        ([old.as_str(), &given, &later, "kill -SEGV $$"], Failure::Crash, "oBBo"),
        (["kill -ABRT $$", "kill -SEGV $$", "kill -SEGV $$", "echo sat"], Failure::Crash, "oBBg"),
        ([refuse.as_str(), &bad, &bad, "echo sat"], Failure::Error, "rBBg"),
    ];
    for (programs, failure, expected) in cases {
        let (spec, places) = family(dir.path(), &programs);
        let options = Options { all: true, ..offline() };
        let bench = Bench::open_in(&format!("{spec}@1.1"), &places, &options, &host).expect("a bench");
        let question = bench.question("a", SAT, Some(failure), Some(1), 0).expect("a question");
        let found = bench.bisect(&question, Some(1)).expect("a result");
        let found: Vec<Cell> = found.cells.into_iter().flatten().map(|t| t.cell).collect();
        assert_eq!(found, cells(expected), "{programs:?}");
    }
}

#[test]
fn versions_can_be_selected() {
    let dir = tempfile::tempdir().expect("a folder");
    let (spec, places) = family(dir.path(), &["echo sat"; 12]);
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let version = |text| Version::parse(text).expect("a version");
    let open = |options: &Options| Bench::open_in(&spec, &places, options, &host);
    let some = Options { from: Some(version("1.2")), to: Some(version("1.10")), ..offline() };
    let names: Vec<String> =
        open(&some).expect("a bench").versions().iter().map(ToString::to_string).collect();
    assert_eq!(
        (names.len(), names[0].as_str(), names[8].as_str()),
        (9, "1.2", "1.10"),
        "by number, not by letter"
    );
    let odd = open(&Options { only: vec![version("2.0")], ..offline() }).err().expect("no such version");
    assert_eq!(odd.to_string(), "fake 2.0 is not installed and not known to the package registries");
    let named = Bench::open_in(&format!("{spec}@7"), &places, &offline(), &host).expect("a bench");
    assert!(
        named.named().expect_err("no such version").to_string().contains("fake 7 is not among"),
        "message"
    );
}

#[test]
fn a_bisection_over_fewer_versions_is_not_current() {
    let dir = tempfile::tempdir().expect("a folder");
    let (spec, places) = family(dir.path(), &["echo sat"; 3]);
    let cancel = Cancel::new().expect("a cancel");
    let host = Host { progress: &(), cancel: &cancel };
    let current = |offline: bool, available: usize| {
        let options = Options { offline, ..Options::default() };
        let bench = Bench::open_in(&spec, &places, &options, &host).expect("a bench");
        bench.is_current(&Versions { available, ..Versions::default() })
    };
    assert!(current(false, 3) && !current(false, 2));
    assert!(current(true, 2), "the list is incomplete");
}

#[test]
fn findings_of_one_solver_share_its_versions() {
    assert_eq!(line_of("z3@4.8.6 smt.string_solver=z3str3"), "z3 smt.string_solver=z3str3");
    assert_eq!(line_of("z3@5.4.0"), "z3");
    assert_eq!(line_of("mine=./a@b --x"), "mine=./a@b --x");
}
