//! Complete campaigns: verdicts on solvers that misbehave, resuming, stopping, killing, flaky answers.

mod fake;

use fake::campaign_of::{GOOD, entered, instance, log, runs, sat, settings, solver, store, unsat};
use fake::{Fakes, await_end};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stringent_campaign::drive::{Observer, drive};
use stringent_campaign::outcome::{Answer, Kind, Verdict};
use stringent_campaign::process::{Cancel, Limits, Watchdog};
use stringent_campaign::settings::Settings;
use stringent_campaign::store::{RunRow, Store};

fn cancel() -> Cancel {
    Cancel::new().expect("an event")
}

#[test]
fn verdicts_on_solvers_that_misbehave() {
    let fakes = Fakes::new();
    let short = "exec 1>&1; echo $$ >> $PIDS; cat > /dev/null;";
    let list = [
        ("good", GOOD.to_owned(), Verdict::Ok, Kind::ValidModel),
        ("liar", "cat > /dev/null; echo unsat".into(), Verdict::WrongUnsat, Kind::WrongUnsat),
        (
            "dreamer",
            "cat > /dev/null; echo sat; echo '((s \"b\"))'".into(),
            Verdict::InvalidModel,
            Kind::InvalidModel,
        ),
        ("flood", format!("{short} while :; do echo sat; done"), Verdict::Error, Kind::Flood),
        ("hang", format!("{short} sleep 1000"), Verdict::Timeout, Kind::WallTime),
        (
            "late",
            format!("{short} echo sat; echo '((s \"a\"))'; sleep 1000"),
            Verdict::Timeout,
            Kind::WallTime,
        ),
        (
            "deaf",
            format!("trap '' TERM INT HUP; {short} while :; do sleep 1; done"),
            Verdict::Timeout,
            Kind::WallTime,
        ),
        ("forker", format!("{short} sleep 1000 & setsid sleep 1000 & {GOOD}"), Verdict::Ok, Kind::ValidModel),
        ("garbage", "cat > /dev/null; head -c 3000 /dev/zero".into(), Verdict::Error, Kind::Garbage),
        ("segv", "cat > /dev/null; kill -SEGV $$".into(), Verdict::Error, Kind::Crash),
        ("silent", "cat > /dev/null".into(), Verdict::Error, Kind::Silent),
        ("early", "echo sat; echo '((s \"a\"))'".into(), Verdict::Ok, Kind::ValidModel),
        ("unknown", "cat > /dev/null; echo unknown".into(), Verdict::Unknown, Kind::Unknown),
    ];
    let mut all: Vec<_> =
        list.iter().map(|(name, text, ..)| solver(name, fakes.sh(name, text), "")).collect();
    all.push(solver(
        "hog",
        fakes.python("hog", "note()\nx = []\nwhile True: x.append(bytearray(1 << 24))"),
        "memory = 'resident'",
    ));
    all.push(solver("gone", "/nowhere/solver".into(), ""));
    let path = fakes.path("store");
    let mut store = store(&path, &[sat(1), sat(2)]);
    let all = entered(&store, all);
    let mut settings = settings();
    settings.limits =
        Limits { wall: Duration::from_secs(4), memory: Some(200 << 20), output: 20_000, ..settings.limits };
    let summary = drive(&mut store, &all, &settings, &mut (), &cancel()).expect("driven");
    assert_eq!((summary.total, summary.done), (30, 30), "no run is lost");
    let found = store.runs(false).expect("readable");
    let mut expected: BTreeMap<&str, (Verdict, Kind)> =
        list.iter().map(|(n, _, v, k)| (*n, (*v, *k))).collect();
    expected.insert("hog", (Verdict::Error, Kind::OutOfMemory));
    expected.insert("gone", (Verdict::Error, Kind::NotStarted));
    for run in &found {
        let name = &all.iter().find(|(id, _)| *id == run.solver).expect("known").1.name;
        assert_eq!((run.verdict(), run.kind), expected[name.as_str()], "{name}: {}", run.ending);
    }
    fakes.assert_ended(2 * 6);
}

/// Records all events.
#[derive(Default)]
struct Notes {
    planned: (u64, u64),
    finished: u64,
}

impl Observer for Notes {
    fn planned(&mut self, total: u64, recorded: u64) {
        self.planned = (total, recorded);
    }
    fn finished(&mut self, _: &RunRow) {
        self.finished += 1;
    }
}

#[test]
fn recorded_runs_are_not_repeated() {
    let fakes = Fakes::new();
    let program = fakes.sh("s", &format!("echo $$ >> $DIR/log; {GOOD}"));
    let mut store = store(&fakes.path("store"), &(1..=6).map(sat).collect::<Vec<_>>());
    let solvers = entered(&store, vec![solver("s", program, "")]);
    let mut notes = Notes::default();
    let summary = drive(&mut store, &solvers, &settings(), &mut notes, &cancel()).expect("driven");
    assert_eq!((notes.planned, notes.finished, summary.done), ((6, 0), 6, 6));
    assert_eq!(summary.tallies, BTreeMap::from([((solvers[0].0, Verdict::Ok), 6)]));
    let before = runs(&store);
    let more = Settings { seeds: vec![1, 0, 1], ..settings() };
    let summary = drive(&mut store, &solvers, &more, &mut notes, &cancel()).expect("driven");
    assert_eq!((notes.planned, summary.recorded, summary.done), ((12, 6), 6, 6));
    assert_eq!(log(&fakes).len(), 12);
    let after: Vec<_> = runs(&store).into_iter().filter(|r| r.seed == 0).collect();
    assert_eq!(after, before);
}

#[test]
fn records_do_not_depend_on_the_number_of_workers() {
    let fakes = Fakes::new();
    let odd = fakes.sh("odd", "cat > /dev/null; echo unknown");
    let good = fakes.sh("good", GOOD);
    let record = |name: &str, jobs: usize, batch: bool| {
        let list: Vec<_> = (1..=20).map(|i| if i % 3 == 0 { unsat(i) } else { sat(i) }).collect();
        let mut store = store(&fakes.path(name), &list);
        let solvers =
            vec![solver("odd", odd.clone(), ""), solver("good", good.clone(), "args = ['{seed}', \"a'b\"]")];
        let solvers = entered(&store, solvers);
        let settings = Settings { jobs, batch, seeds: vec![3, 4], ..settings() };
        drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
        runs(&store)
    };
    let one = record("one", 1, false);
    assert_eq!(one.len(), 80);
    assert!(one == record("four", 4, false));
    assert!(one == record("batch", 2, true), "these cannot be batched");
    assert!(one[2].command.ends_with(r"good 3 'a'\''b'"), "{}", one[2].command);
}

#[test]
fn input_as_a_file() {
    let fakes = Fakes::new();
    let program =
        fakes.sh("s", "test \"$1\" = -f && grep -q check-sat \"$2\" && echo sat && echo '((s \"a\"))'");
    let mut store = store(&fakes.path("store"), &[sat(1)]);
    let solvers = entered(&store, vec![solver("s", program, "input = 'file'\nargs = ['-f', '{file}']")]);
    drive(&mut store, &solvers, &settings(), &mut (), &cancel()).expect("driven");
    assert_eq!(runs(&store)[0].verdict(), Verdict::Ok);
}

#[test]
fn unreadable_instances_are_recorded() {
    let fakes = Fakes::new();
    let mut store = store(
        &fakes.path("store"),
        &[instance(1, stringent_campaign::outcome::Status::Sat, "(assert (= s t))"), sat(2)],
    );
    let solvers = entered(&store, vec![solver("s", fakes.sh("s", GOOD), "")]);
    drive(&mut store, &solvers, &settings(), &mut (), &cancel()).expect("driven");
    let runs = runs(&store);
    assert_eq!((runs[0].verdict(), runs[1].verdict()), (Verdict::Undetermined, Verdict::Ok));
    assert!(runs[0].evidence.contains("cannot be read: test/0001:1:"), "{}", runs[0].evidence);
}

/// Neither an answer nor an error of the solver: its dialect has no word for it.
#[test]
fn inexpressible_instances_are_not_asked() {
    let fakes = Fakes::new();
    let text = "(declare-const s String)(assert (= s (str.replace_re s re.all \"b\")))(check-sat)";
    let program = fakes.sh("s", GOOD);
    for batch in [false, true] {
        let path = fakes.path(&format!("store-{batch}"));
        let mut store = store(&path, &[instance(1, stringent_campaign::outcome::Status::Sat, text)]);
        let profile = "dialect = '2.5'\nbatch = 'reset'";
        let solvers = entered(&store, vec![solver("s", program.clone(), profile)]);
        let settings = Settings { batch, ..settings() };
        drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
        let run = &runs(&store)[0];
        assert_eq!((run.verdict(), run.kind), (Verdict::NotApplicable, Kind::NotAsked));
        assert_eq!(run.evidence, "not sent: dialect 2.5 cannot express `str.replace_re`");
    }
}

#[test]
fn unsound_answers_are_confirmed() {
    let fakes = Fakes::new();
    let firm = fakes.sh("firm", "cat > /dev/null; echo x >> $DIR/log; echo unsat");
    let moody = fakes.sh(
        "moody",
        "cat > /dev/null; mkdir $DIR/once 2>/dev/null && { echo unsat; exit; }; echo sat; echo '((s \"a\"))'",
    );
    let mut store = store(&fakes.path("store"), &[sat(1)]);
    let solvers = entered(&store, vec![solver("firm", firm, ""), solver("moody", moody, "")]);
    let summary = drive(&mut store, &solvers, &settings(), &mut (), &cancel()).expect("driven");
    let runs = runs(&store);
    assert_eq!((runs[0].verdict(), runs[0].flaky, log(&fakes).len()), (Verdict::WrongUnsat, false, 2));
    assert_eq!((runs[1].verdict(), runs[1].flaky, summary.flaky), (Verdict::WrongUnsat, true, 1));
    assert!(
        runs[1].evidence.contains("a second run gave `sat`, ok (valid-model), exit 0"),
        "{}",
        runs[1].evidence
    );
}

#[test]
fn answers_that_differ_by_seed_are_marked() {
    let fakes = Fakes::new();
    let moody = fakes
        .sh("s", "cat > /dev/null; test $1 = 7 && { echo unknown; exit; }; echo sat; echo '((s \"a\"))'");
    let mut store = store(&fakes.path("store"), &[sat(1)]);
    let solvers = entered(&store, vec![solver("s", moody, "args = ['{seed}']")]);
    let settings = Settings { seeds: vec![6, 7], ..settings() };
    for _ in 0..2 {
        let summary = drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
        assert_eq!(summary.flaky, 2);
    }
    let runs = runs(&store);
    assert!(runs.iter().all(|r| r.flaky), "both are marked, once");
    assert!(
        runs[0]
            .evidence
            .ends_with("flaky: the answer differs by seed: seed 6: `sat`, ok; seed 7: `unknown`, K"),
        "{}",
        runs[0].evidence
    );
}

#[test]
fn cancelling_records_finished_runs_only() {
    let fakes = Fakes::new();
    let program = fakes.sh(
        "s",
        &format!("echo $$ >> $PIDS; mkdir $DIR/first 2>/dev/null && {{ {GOOD}; exit; }}; exec sleep 1000"),
    );
    let mut store = store(&fakes.path("store"), &(1..=10).map(sat).collect::<Vec<_>>());
    let solvers = entered(&store, vec![solver("s", program, "")]);
    let settings = Settings { jobs: 2, limits: fake::roomy(), ..settings() };
    let cancel = cancel();
    let summary = std::thread::scope(|scope| {
        let running =
            scope.spawn(|| drive(&mut store, &solvers, &settings, &mut (), &cancel).expect("driven"));
        fakes.await_pids(3);
        cancel.cancel();
        running.join().expect("no panic")
    });
    assert!(summary.cancelled);
    assert_eq!((summary.done, store.runs(false).expect("readable").len()), (1, 1));
    fakes.assert_ended(3);
}

/// Supports batch mode. Its answers, if any, depend on earlier queries.
const BATCH: &str = r#"
note()
count = 0
for line in sys.stdin:
  line = line.strip()
  if 'assert' in line: wish = line
  if line == '(check-sat)':
    count += 1
    if 'die' in wish and count > 1: os.kill(os.getpid(), signal.SIGSEGV)
    if 'hang' in wish: time.sleep(1000)
    if 'mood' in wish and count > 1: print('unsat')
    else: print('sat')
  elif line.startswith('(get-value'): print('((s "%s"))' % ('wrong' if 'bad' in wish else wish.split('"')[1]))
  elif line.startswith('(echo '): print(line[7:-2])
  sys.stdout.flush()
"#;

fn wish(id: i64, word: &str) -> stringent_campaign::store::InstanceRow {
    let source = format!(
        "(set-logic QF_S)(set-info :status sat)(set-info :stringent-model ((s \"{word}\")))\
         (declare-const s String)(assert (= s \"{word}\"))(check-sat)"
    );
    instance(id, stringent_campaign::outcome::Status::Sat, &source)
}

#[test]
fn batch_mode_repeats_unexpected_answers() {
    for mode in ["reset", "push-pop"] {
        let fakes = Fakes::new();
        let words = ["x", "y", "mood", "z", "die", "bad", "hang", "u", "v"];
        let list: Vec<_> = words.iter().enumerate().map(|(i, w)| wish(i as i64 + 1, w)).collect();
        let mut store = store(&fakes.path("store"), &list);
        let program = fakes.python("s", BATCH);
        let solvers = entered(&store, vec![solver("s", program, &format!("batch = '{mode}'"))]);
        let mut settings = Settings { batch: true, jobs: 1, ..settings() };
        settings.limits.wall = Duration::from_secs(3);
        drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
        let runs = runs(&store);
        let found: Vec<_> = runs.iter().map(|r| (r.verdict(), r.batched, r.flaky)).collect();
        let ok = (Verdict::Ok, true, false);
        let expected = [
            ok,
            ok,
            (Verdict::Ok, false, true),
            ok,
            (Verdict::Ok, false, false),
            (Verdict::InvalidModel, false, false),
            (Verdict::Timeout, false, false),
            ok,
            ok,
        ];
        assert_eq!(found, expected, "{mode}");
        assert!(runs[2].evidence.contains("had answered others before gave `unsat`"), "{}", runs[2].evidence);
        assert!(runs[4].evidence.contains("signal 11"), "{}", runs[4].evidence);
        let pids = fakes.pids().len();
        fakes.assert_ended(pids);
        assert!(pids < 5 + 9, "{pids}: sessions are used more than once");
    }
}

#[test]
fn a_solver_that_cannot_be_batched_after_all() {
    let fakes = Fakes::new();
    let mut store = store(&fakes.path("store"), &(1..=40).map(sat).collect::<Vec<_>>());
    let program = fakes.sh("s", &format!("echo $$ >> $PIDS; {GOOD}"));
    let solvers = entered(&store, vec![solver("s", program, "batch = 'reset'")]);
    let mut settings = Settings { batch: true, jobs: 1, ..settings() };
    settings.limits.wall = Duration::from_secs(4);
    let summary = drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
    assert_eq!(summary.done, 40);
    assert!(runs(&store).iter().all(|r| r.verdict() == Verdict::Ok && !r.batched && r.answer == Answer::Sat));
    assert!(fakes.pids().len() < 40 + 40, "it gives up soon");
}

#[test]
fn batch_mode_with_a_program_that_is_not_there() {
    let fakes = Fakes::new();
    let mut store = store(&fakes.path("store"), &(1..=20).map(sat).collect::<Vec<_>>());
    let solvers = entered(&store, vec![solver("s", "/nowhere/s".into(), "batch = 'reset'")]);
    let settings = Settings { batch: true, ..settings() };
    drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
    assert_eq!(runs(&store).iter().filter(|r| r.kind == Kind::NotStarted).count(), 20);
}

/// Not a test of its own: the helper process of the next one.
#[test]
fn helper_watchdog() {
    Watchdog::serve();
}

/// Not a test of its own: the campaign that the next one kills, again and again.
#[test]
fn helper_campaign() {
    let Some(folder) = std::env::var_os("TEST_HELPER_FOLDER") else { return };
    let folder = std::path::PathBuf::from(folder);
    let mut store = Store::open(&folder.join("store")).expect("a store");
    let extra = if std::env::var_os("TEST_HELPER_BATCH").is_some() { "batch = 'reset'" } else { "" };
    let solvers = entered(&store, vec![solver("s", folder.join("s"), extra)]);
    let me = std::env::current_exe().expect("this program");
    let watchdog = Some(vec![me.into(), "helper_watchdog".into(), "--exact".into()]);
    let settings = Settings { watchdog, batch: true, ..settings() };
    drive(&mut store, &solvers, &settings, &mut (), &cancel()).expect("driven");
}

fn kill_and_resume(fakes: &Fakes, batch: bool) {
    let path = fakes.path("store");
    drop(store(&path, &(1..=60).map(sat).collect::<Vec<_>>()));
    let mut kept: Vec<RunRow> = Vec::new();
    for round in 0.. {
        assert!(round < 60, "it gets nowhere");
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["helper_campaign", "--exact"]).env("TEST_HELPER_FOLDER", fakes.path(""));
        if batch {
            command.env("TEST_HELPER_BATCH", "1");
        }
        let mut campaign = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a campaign");
        // Killed at a different point of the work each time.
        let end = Instant::now() + Duration::from_millis(150 + 37 * round);
        while campaign.try_wait().expect("a status").is_none() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(3));
        }
        let finished = campaign.try_wait().expect("a status").is_some();
        let _ = campaign.kill();
        campaign.wait().expect("reaped");
        fakes.pids().into_iter().for_each(await_end);
        let now = Store::open(&path).expect("a sound store").runs(true).expect("readable");
        for run in &kept {
            assert!(now.contains(run), "recorded once, it stays as it is");
        }
        kept = now;
        if finished {
            break;
        }
    }
    assert_eq!(kept.len(), 60, "nothing is lost");
    assert!(kept.iter().all(|r| r.verdict() == Verdict::Ok && r.batched == batch));
}

#[test]
fn killed_and_resumed() {
    let fakes = Fakes::new();
    fakes.sh("s", &format!("echo $$ >> $PIDS; sleep 0.02; sleep 0.0 & {GOOD}"));
    kill_and_resume(&fakes, false);
}

#[test]
fn killed_and_resumed_in_batch_mode() {
    let fakes = Fakes::new();
    fakes.python("s", &BATCH.replace("count += 1", "time.sleep(0.02)"));
    kill_and_resume(&fakes, true);
}
