//! Slowdowns and speed-ups are claimed only after re-runs.

mod fake;

use fake::Fakes;
use fake::campaign_of::{GOOD, sat, solver};
use std::path::{Path, PathBuf};
use std::time::Duration;
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck};
use stringent_campaign::process::Cancel;
use stringent_campaign::profile::fingerprint;
use stringent_campaign::report::Data;
use stringent_campaign::report::compare::speed::{Direction, Finding, PAIRS, Reason};
use stringent_campaign::report::compare::{Comparison, compare};
use stringent_campaign::rerun::{Campaigns, Settings, rerun};
use stringent_campaign::store::{Campaign, RunRow, SolverRow, Store};

/// A fake solver that uses `millis` milliseconds of CPU time.
fn busy(fakes: &Fakes, name: &str, millis: u32) -> PathBuf {
    let text = format!(
        "sys.stdin.read()\nwhile time.process_time() < {millis} / 1000: pass\nprint('sat')\nprint('((s \"a\"))')"
    );
    fakes.python(name, &text)
}

/// A store with one batched run that took so long.
fn recorded(path: &Path, program: &Path, millis: u64) -> Store {
    let mut store = Store::create(path, &Campaign::default()).expect("a store");
    let solver = solver("fake", program.into(), "");
    let id = store.add_solver(&SolverRow::new(&solver)).expect("added");
    store.set_fingerprint(id, &fingerprint(&solver).expect("a program")).expect("recorded");
    store.add_instances(&[sat(1)]).expect("added");
    store.add_runs(&[batched(id, Duration::from_millis(millis))], false).expect("added");
    store
}

/// A run in batch mode: the CPU time is not known.
fn batched(solver: i64, wall: Duration) -> RunRow {
    RunRow {
        instance: 1,
        solver,
        seed: 0,
        kind: Kind::ValidModel,
        answer: Answer::Sat,
        model: ModelCheck::Holds,
        core: CoreCheck::Absent,
        ending: "running".into(),
        wall,
        cpu: Duration::ZERO,
        memory_kib: 0,
        batched: true,
        flaky: false,
        output: Vec::new(),
        evidence: String::new(),
        command: String::new(),
    }
}

/// Two campaigns, with these programs and recorded times.
struct Two {
    old: Store,
    new: Store,
    data: Data,
}

impl Two {
    fn new(fakes: &Fakes, old: (&Path, u64), new: (&Path, u64)) -> Two {
        let old = recorded(&fakes.path("old.store"), old.0, old.1);
        let new = recorded(&fakes.path("new.store"), new.0, new.1);
        let data = Data::read(&new, &[]).expect("readable");
        Two { old, new, data }
    }

    fn rerun(&self, time: Duration, cancel: &Cancel) -> Comparison {
        let old = Data::read(&self.old, &[]).expect("readable");
        let mut found = compare(&old, &self.data, &[]).expect("one solver each");
        assert_eq!(found.speeds.len(), 1, "the recorded times make a candidate");
        let campaigns = Campaigns { old: &self.old, new: &self.new, data: &self.data };
        let settings = Settings { time, watchdog: None };
        rerun(campaigns, &mut found, &settings, &|| (), cancel).expect("it runs");
        found
    }

    fn finding(&self) -> Finding {
        let cancel = Cancel::new().expect("a pipe");
        self.rerun(Duration::from_secs(300), &cancel).speeds[0].finding.clone()
    }
}

#[test]
fn a_slowdown_is_confirmed_with_its_interval() {
    let fakes = Fakes::new();
    let (quick, slow) = (busy(&fakes, "quick", 60), busy(&fakes, "slow", 600));
    let two = Two::new(&fakes, (&quick, 100), (&slow, 900));
    let Finding::Confirmed(found) = two.finding() else { panic!("{:?}", two.finding()) };
    assert!(found.low > 1.0 && found.low <= found.ratio && found.ratio <= found.high, "{found:?}");
    assert!(found.new > found.old);
    let back = Two::new(&Fakes::new(), (&slow, 900), (&quick, 100));
    let found = back.rerun(Duration::from_secs(300), &Cancel::new().expect("a pipe"));
    assert_eq!(
        (found.confirmed(Direction::Faster).count(), found.confirmed(Direction::Slower).count()),
        (1, 0)
    );
}

/// Two campaigns with a time limit of 1 s that the first or second one reached.
fn limited(fakes: &Fakes, old: (&Path, Kind), new: (&Path, Kind)) -> Finding {
    let of = |name: &str, (program, kind): (&Path, Kind)| {
        let mut campaign = Campaign::default();
        campaign.settings.limits.wall = Duration::from_secs(1);
        let mut store = Store::create(&fakes.path(name), &campaign).expect("a store");
        let solver = solver("fake", program.into(), "");
        let id = store.add_solver(&SolverRow::new(&solver)).expect("added");
        store.set_fingerprint(id, &fingerprint(&solver).expect("a program")).expect("recorded");
        store.add_instances(&[sat(1)]).expect("added");
        let answer = if kind == Kind::ValidModel { Answer::Sat } else { Answer::None };
        let run = RunRow { kind, answer, ..batched(id, Duration::from_millis(900)) };
        store.add_runs(&[run], false).expect("added");
        store
    };
    let (old, new) = (of("old.store", old), of("new.store", new));
    let data = Data::read(&new, &[]).expect("readable");
    Two { old, new, data }.finding()
}

#[test]
fn a_time_limit_is_a_claim_only_if_it_is_reached_again() {
    let fakes = Fakes::new();
    let quick = fakes.sh("quick", GOOD);
    let found = limited(&fakes, (&quick, Kind::ValidModel), (&quick, Kind::WallTime));
    assert!(matches!(found, Finding::Refuted(1..=PAIRS)), "the same solver: {found:?}");
    let endless = Fakes::new();
    let hangs = endless.sh("hangs", "cat > /dev/null; while :; do :; done");
    let found = limited(&endless, (&quick, Kind::ValidModel), (&hangs, Kind::WallTime));
    assert!(matches!(&found, Finding::Confirmed(m) if m.past && m.new.as_secs() >= 1), "{found:?}");
    let back = limited(&Fakes::new(), (&hangs, Kind::OwnLimit), (&quick, Kind::ValidModel));
    assert!(matches!(&back, Finding::Confirmed(m) if m.past && m.old.as_secs() >= 1), "{back:?}");
    let both = limited(&Fakes::new(), (&hangs, Kind::ValidModel), (&hangs, Kind::WallTime));
    assert!(matches!(both, Finding::Refuted(1..=PAIRS)), "both reach it now: {both:?}");
}

#[test]
fn a_wait_is_not_confirmed() {
    let fakes = Fakes::new();
    let quick = fakes.sh("quick", GOOD);
    let sleepy = fakes.sh("sleepy", &format!("sleep 0.2; {GOOD}"));
    let found = Two::new(&fakes, (&quick, 10), (&sleepy, 860)).finding();
    assert!(matches!(found, Finding::Refuted(1..=PAIRS)), "wall-clock time without CPU time: {found:?}");
}

#[test]
fn what_cannot_be_run_is_not_claimed() {
    let fakes = Fakes::new();
    let (old, new) = (fakes.sh("old", GOOD), fakes.sh("new", GOOD));
    let two = Two::new(&fakes, (&old, 10), (&new, 860));
    let why = |finding: Finding| match finding {
        Finding::NotRun(Reason::CannotRun(why)) => why,
        other => panic!("{other:?}"),
    };
    fakes.sh("old", "echo another build");
    assert!(why(two.finding()).ends_with("is another build now"));
    std::fs::remove_file(&old).expect("removed");
    assert!(why(two.finding()).contains("fake of ") && why(two.finding()).contains("there is no program"));
}

#[test]
fn another_answer_is_not_a_time() {
    let fakes = Fakes::new();
    let (old, new) = (fakes.sh("old", GOOD), fakes.sh("new", "cat > /dev/null; echo unknown"));
    let found = Two::new(&fakes, (&old, 10), (&new, 860)).finding();
    assert!(matches!(found, Finding::NotRun(Reason::OtherAnswer(_))), "{found:?}");
}

#[test]
fn stopped_and_out_of_time() {
    let fakes = Fakes::new();
    let (old, new) = (fakes.sh("old", GOOD), fakes.sh("new", &format!("sleep 60; {GOOD}")));
    let two = Two::new(&fakes, (&old, 10), (&new, 860));
    let cancel = Cancel::new().expect("a pipe");
    let late = two.rerun(Duration::from_millis(300), &cancel);
    assert_eq!(late.speeds[0].finding, Finding::NotRun(Reason::TimeUp));
    cancel.cancel();
    let stopped = two.rerun(Duration::from_secs(300), &cancel);
    assert_eq!(stopped.speeds[0].finding, Finding::NotRun(Reason::Stopped));
}
