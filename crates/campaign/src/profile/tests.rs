//! Loading, versions, finding solvers: with files and programs of the tests' own.

use super::*;
use std::path::Path;

fn none(_: &str) -> Option<Definition> {
    None
}

fn read(text: &str) -> Result<Definition, Error> {
    Definition::read("my.toml", text, &none)
}

fn version(text: &str) -> Version {
    Version::parse(text).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn shipped_profiles_are_sound() {
    let all = shipped();
    assert_eq!(all.len(), SHIPPED.len());
    for (definition, (name, _)) in all.iter().zip(SHIPPED) {
        assert_eq!(definition.name(), *name);
        assert!(!definition.about().is_empty(), "{name}");
        for v in [None, Some("0.1"), Some("1.6"), Some("4.8.6"), Some("99")] {
            let profile = definition.profile(v.map(version).as_ref());
            let file = profile.args.iter().any(|a| a.contains("{file}"));
            assert_eq!(profile.input == Input::File, file, "{name}: {{file}} and `input` should go together");
            for operator in &profile.unsupported {
                assert!(is_operator(operator), "{name}: no operator {operator}");
            }
        }
        for source in definition.sources() {
            assert!(source.driver.is_some() == source.program.is_empty(), "{name}");
        }
    }
}

fn is_operator(name: &str) -> bool {
    smt::op::TABLE.iter().chain(smt::op::SEQUENCES).any(|row| row.name == name)
}

#[test]
fn profiles_depend_on_the_version() {
    let z3 = find("z3", &Places::default()).expect("shipped");
    assert_eq!(z3.profile(Some(&version("4.8.8"))).dialect, Dialect::Smt25);
    assert_eq!(z3.profile(Some(&version("4.8.9"))).dialect, Dialect::Smt26);
    assert_eq!(z3.profile(Some(&version("4.8.10"))).dialect, Dialect::Smt26);
    assert_eq!(z3.profile(None).dialect, Dialect::Smt26);
    let z3str3 = find("z3str3", &Places::default()).expect("shipped");
    let old = z3str3.profile(Some(&version("4.8.6")));
    assert_eq!((old.name.as_str(), old.dialect), ("z3str3", Dialect::Smt25));
    assert_eq!(old.args, ["-in", "smt.string_solver=z3str3"]);
    assert_eq!(z3str3.family(), "z3");
    assert!(z3str3.covers(&version("4.15.1")) && !z3str3.covers(&version("4.15.3")));
}

#[test]
fn without_a_version_the_newest_is_used() {
    let text = "name = \"a\"\nargs = [\"x\"]\n[[versions]]\nbelow = \"2\"\nargs = [\"old\"]\n\
                [[versions]]\nfrom = \"3\"\nadd-args = [\"new\"]\n";
    let a = read(text).expect("sound");
    let args = |v: Option<&str>| a.profile(v.map(version).as_ref()).args;
    assert_eq!(args(Some("1.9")), ["old"]);
    assert_eq!(args(Some("2")), ["x"]);
    assert_eq!(args(Some("3.0")), ["x", "new"]);
    assert_eq!(args(None), ["x", "new"]);
}

#[test]
fn errors_are_shown_with_their_position() {
    let cases = [
        ("name = \"a\"\ncolour = 3\n", "my.toml:2:1: unknown key `colour`", "2 | colour = 3\n  | ^^^^^^"),
        ("name = \"a\"\nargs = 3\n", "my.toml:2:8: invalid type: integer `3`", "2 | args = 3\n  |        ^"),
        (
            "name = \"a\"\n[[versions]]\nbelow = \"x\"\n",
            "my.toml:3:9: `x` is not a version",
            "  |         ^^^",
        ),
        ("name = \"a\"\ndialect = \"3\"\n", "my.toml:2:11: unknown dialect `3`", "= help: one of 2.0"),
        ("name = \"a/b\"\n", "my.toml:1:8: `a/b` cannot be the name", "  |        ^^^^^"),
        ("name = \"a\nb\"\n", "my.toml:", " | "),
        ("name = \"a\"\nbase = \"q\"\n", "my.toml:2:8: there is no profile `q`", "2 | base = \"q\""),
        (
            "name = \"a\"\nlogik = \"x\"\n",
            "my.toml:2:1: unknown key `logik`\n",
            "= help: did you mean `logic`?",
        ),
        ("about = \"a\"\n", "my.toml:1:1: missing key `name`", "1 | about"),
        ("name = \"a\"\nbatch = \"all\"\n", "my.toml:2:9: unknown variant `all`", "  |         ^^^^^"),
    ];
    for (text, start, part) in cases {
        let shown = read(text).expect_err(text).to_string();
        assert!(shown.starts_with(start) && shown.contains(part), "{shown}");
    }
}

/// A directory with programs that only print their versions.
struct World {
    dir: tempfile::TempDir,
    places: Places,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let places = Places {
            path: vec![at("path")],
            profiles: Some(at("profiles")),
            cache: Some(at("cache")),
            own: None,
        };
        World { dir, places }
    }

    fn program(&self, path: &str, says: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.file(path, &format!("#!/bin/sh\necho '{says}'\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(&path, text).expect("written");
        path
    }

    fn resolve(&self, spec: &str) -> Solver {
        resolve_in(spec, &self.places).unwrap_or_else(|e| panic!("{spec}: {e}"))
    }

    fn error(&self, spec: &str) -> String {
        resolve_in(spec, &self.places).expect_err(spec).to_string()
    }
}

#[test]
fn the_program_on_path_comes_first_then_the_newest_installed() {
    let world = World::new();
    let error = world.error("z3");
    assert!(error.contains("no `z3` on PATH") && error.contains("solvers install z3@VERSION"), "{error}");
    world.program("cache/z3-4.8.9/bin/z3", "Z3 version 4.8.9");
    world.program("cache/z3-4.8.10/bin/z3", "Z3 version 4.8.10");
    world.program("cache/z3-4.15.3/bin/z3", "Z3 version 4.15.3");
    assert_eq!(world.resolve("z3").name, "z3-4.15.3");
    assert_eq!(world.resolve("z3str3").name, "z3str3-4.8.10", "the newest that has it");
    let path = world.program("path/z3", "Z3 version 4.16.0 - 64 bit");
    let z3 = world.resolve("z3");
    assert_eq!((z3.name.as_str(), z3.version.as_str(), z3.program), ("z3-4.16.0", "4.16.0", path));
    assert_eq!(world.resolve("z3str3").name, "z3str3-4.8.10");
    let error = world.error("z3str3=z3");
    assert!(
        error.contains("is version 4.16.0, but the profile `z3str3` covers versions below 4.15.2"),
        "{error}"
    );
}

#[test]
fn versions_are_those_installed() {
    let world = World::new();
    world.program("cache/z3-4.8.6/bin/z3", "Z3 version 4.8.6");
    let z3 = world.resolve("z3@4.8.6.0");
    assert_eq!((z3.name.as_str(), z3.profile.dialect), ("z3-4.8.6", Dialect::Smt25));
    let auto = world.resolve("z3@4.8.6 smt.string_solver=auto");
    assert_eq!(auto.name, "z3-4.8.6+smt.string_solver=auto");
    assert_eq!(auto.profile.args, ["-in", "smt.string_solver=auto"]);
    let error = world.error("z3@4.8.7");
    assert!(
        error.contains("z3 4.8.7 is not installed, only 4.8.6\n`stringent solvers install z3@4.8.7`"),
        "{error}"
    );
    assert!(world.error("z3str3@5.4.0").contains("covers versions below 4.15.2"));
    assert!(world.error("z3@new").contains("`new` is not a version"));
}

#[test]
fn a_program_may_be_given() {
    let world = World::new();
    let program = world.program("else where/z3", "Z3 version 4.8.6");
    let z3 = world.resolve(&format!("z3='{}' -v:1", program.display()));
    assert_eq!((z3.name.as_str(), &z3.program), ("z3-4.8.6+-v:1", &program));
    assert!(world.error("z3=4.8.6").contains("write `z3@4.8.6`"));
    let mute = world.program("mute", "");
    let error = world.error(&format!("z3:{}", mute.display()));
    assert!(error.contains("reports no version: `--version` printed: nothing"), "{error}");
}

#[test]
fn a_command_line_needs_no_profile() {
    let world = World::new();
    let program = world.program("mysolver", "x");
    let mine = world.resolve(&format!("mine={} --smt2 {{file}}", program.display()));
    assert_eq!((mine.name.as_str(), mine.profile.input), ("mine", Input::File));
    assert_eq!(mine.profile.args, ["--smt2", "{file}"]);
    let mine = world.resolve(&format!("mine={} -in", program.display()));
    assert_eq!(mine.profile.input, Input::Stdin);
    assert!(world.error("mine=./nothing-here").contains("there is no program `./nothing-here`"));
}

#[test]
fn users_have_profiles_of_their_own() {
    let world = World::new();
    world.program("path/z3", "Z3 version 5.4.0");
    world.file(
        "profiles/arith.toml",
        "name = \"arith\"\nbase = \"z3\"\nadd-args = [\"smt.arith.solver=2\"]\n",
    );
    world.file("profiles/broken.toml", "name = \n");
    assert_eq!(world.resolve("arith").profile.args, ["-in", "smt.arith.solver=2"]);
    assert_eq!(world.resolve("arith").name, "arith-5.4.0");
    assert!(world.error("broken").contains("broken.toml:1:"));
    assert!(world.error("arit").contains("did you mean `arith`?"));
    let error = world.error("frobnicate");
    assert!(error.contains("only: arith, builtin, cvc4, cvc5") && error.contains("NAME=COMMAND"), "{error}");
    let file = world.file("somewhere/p.toml", "name = \"p\"\nprogram = \"z3\"\n");
    assert_eq!(world.resolve(&file.display().to_string()).name, "p");
    assert!(world.error("./nowhere.toml").contains("cannot read the profile `./nowhere.toml`"));
}

#[test]
fn the_program_itself_is_the_default_if_it_has_a_solver() {
    let mut world = World::new();
    world.program("path/z3", "Z3 version 5.4.0");
    assert!(world.error("builtin").contains("names one") || world.error("builtin").contains("builtin="));
    world.places.own = Some(world.program("somewhere/stringent", "stringent 0.1.0"));
    let solver = default_solver_in(&world.places).expect("one");
    assert_eq!(
        (solver.name.as_str(), &solver.profile.args[..]),
        ("builtin-0.1.0", &["solve".into(), "-".into()][..])
    );
    assert_eq!(Some(solver.program), world.places.own);
    assert_eq!(world.resolve("builtin").name, "builtin-0.1.0");
}

#[test]
fn without_a_name_there_is_a_default() {
    let world = World::new();
    let error = default_solver_in(&world.places).expect_err("none").to_string();
    assert!(error.contains("stringent solvers install"), "{error}");
    world.program("cache/cvc4-1.8/bin/cvc4", "This is CVC4 version 1.8");
    assert_eq!(default_solver_in(&world.places).expect("one").name, "cvc4-1.8");
    world.program("path/z3", "Z3 version 5.4.0");
    assert_eq!(default_solver_in(&world.places).expect("one").name, "z3-5.4.0");
    assert!(world.places.find_program("z3").is_some_and(|p| p.starts_with(Path::new(&world.dir.path()))));
}

#[test]
fn answers_that_are_written_differently() {
    let z3str2 = find("z3str2", &Places::default()).expect("shipped").profile(None);
    let output = b"* v-ok\n*****\n>> SAT\nx : string -> \"a\"\n";
    let standard = z3str2.standard_output(output);
    assert_eq!(standard.as_ref(), b"* v-ok\n*****\nsat\nx : string -> \"a\"\n");
    assert_eq!(Profile::default().standard_output(output).as_ref(), output);
}

/// A solver that knows two formulas by heart: one with `7` in it, and one with a length.
const BY_HEART: &str = r#"#!/bin/sh
echo 'heart 1.2'
while IFS= read -r line; do
  case $line in
    *'(= i 7)'*) answer=sat ;;
    *str.len*) answer=unsat ;;
    '(check-sat)') echo $answer ;;
    '(get-value'*) echo '((s "a") (i 7))' ;;
    '(get-unsat-core)') echo '(first second)' ;;
    '(echo '*) line=${line#*\"}; echo "${line%\"*}" ;;
  esac
done
"#;

#[test]
fn a_check_finds_false_claims_of_a_profile() {
    let world = World::new();
    let program = world.program("solver", "");
    let check_with = |script: &str, profile: &str| {
        std::fs::write(&program, script).expect("written");
        let file = format!("name = \"heart\"\nprogram = \"{}\"\n{profile}", program.display());
        let file = world.file("heart.toml", &file);
        let solver = world.resolve(&file.display().to_string());
        check(&solver)
    };
    let claims =
        "prelude = [\"(set-option :seed {seed})\"]\nmodel = \"get-value\"\ncores = true\nbatch = \"reset\"\n";
    let found = check_with(BY_HEART, claims);
    assert!(found.ok(), "{found:?}");
    assert!(found.findings.iter().all(|(_, f)| *f == Finding::Works), "{found:?}");
    let found = check_with(BY_HEART, "model = \"none\"\n");
    let unclaimed: Vec<&str> =
        found.findings.iter().filter(|(_, f)| *f == Finding::Unclaimed).map(|(name, _)| *name).collect();
    assert_eq!(unclaimed, ["model", "core", "seed", "batch"]);
    let failing = |script: &str| -> Vec<&str> {
        let found = check_with(script, claims);
        found.findings.iter().filter(|(_, f)| matches!(f, Finding::Fails(_))).map(|(name, _)| *name).collect()
    };
    assert_eq!(failing(&BY_HEART.replace("((s \"a\") (i 7))", "((s \"b\") (i 7))")), ["model"]);
    assert_eq!(failing(&BY_HEART.replace("first second", "first")), ["core"]);
    assert_eq!(failing(&BY_HEART.replace("echo $answer", "echo sat")), ["unsat", "batch"]);
    assert_eq!(failing(&BY_HEART.replace("'(echo '", "'(ecco '")), ["echo", "batch"]);
    assert_eq!(failing("#!/bin/sh\nexit 3\n"), ["sat", "model", "unsat", "core", "echo", "batch"]);
}
