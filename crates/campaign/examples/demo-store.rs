//! Makes a store with invented runs, to look at reports without running solvers.
//!
//!     cargo run -p stringent-campaign --example demo-store -- FILE [SOLVERS [INSTANCES [OFFSET]]]
//!
//! SOLVERS (4) and INSTANCES (2000) give its size; OFFSET (0) makes another campaign on the same instances, to compare.

use std::path::Path;
use std::time::Duration;
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status, Verdict};
use stringent_campaign::settings::Settings;
use stringent_campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};

const SOLVERS: [(&str, &str); 12] = [
    ("z3-4.8.6", "Z3 version 4.8.6 - 64 bit"),
    ("z3str3-4.8.6", "Z3 version 4.8.6 - 64 bit"),
    ("cvc4-1.8", "This is CVC4 version 1.8, compiled with GCC version 12.2.0"),
    ("cvc5-1.4.2", "This is cvc5 version 1.4.2"),
    ("z3-5.4.0", "Z3 version 5.4.0 - 64 bit"),
    ("oxiz-0.3.4", "oxiz 0.3.4"),
    ("z3-4.8.0", "Z3 version 4.8.0 - 64 bit"),
    ("z3str3-4.8.0", "Z3 version 4.8.0 - 64 bit"),
    ("cvc4-1.6", "This is CVC4 version 1.6"),
    ("cvc5-1.0.3", "This is cvc5 version 1.0.3"),
    ("z3rs-0.0.10", "z3rs 0.0.10"),
    ("abc", ""),
];
const OPERATIONS: [&str; 8] = [
    "str.at",
    "str.++",
    "str.replace",
    "str.substr",
    "str.indexof",
    "str.to_int",
    "str.contains",
    "str.prefixof",
];
const CATEGORIES: [(&str, u64, Status); 6] = [
    ("operation", 1, Status::Sat),
    ("constant", 60, Status::Sat),
    ("term", 20, Status::Sat),
    ("equivalent", 1, Status::Unsat),
    ("core", 10, Status::Unsat),
    ("redundancy", 8, Status::Unsat),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().ok_or("usage: demo-store FILE [SOLVERS [INSTANCES [OFFSET]]]")?;
    let number = |i: usize, default: u64| args.get(i).map_or(Ok(default), |a| a.parse::<u64>());
    let (solvers, instances, offset) = (number(1, 4)?.min(12), number(2, 2000)?, number(3, 0)?);
    let campaign = Campaign {
        created: "2026-11-20T09:30:00Z".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        command: "stringent test --preset icse20 --time-limit 15 --seed 0".into(),
        host: "Linux 6.1 x86_64, 8 cores".into(),
        settings: Settings::default(),
        ..Campaign::default()
    };
    let mut store = Store::create(Path::new(file), &campaign)?;
    let list: Vec<InstanceRow> = (0..instances).map(instance).collect();
    store.add_instances(&list)?;
    store.set_planned()?;
    for (name, version) in &SOLVERS[..solvers as usize] {
        let (name, version) = ((*name).to_owned(), (*version).to_owned());
        let profile = format!("name = \"{name}\"\nabout = \"\"\nprogram = \"{name}\"\nargs = [\"-in\"]\n");
        store.add_solver(&SolverRow {
            id: 0,
            name: name.clone(),
            program: format!("/opt/{name}/bin/solver"),
            version,
            profile,
        })?;
    }
    for s in 0..solvers {
        let runs: Vec<RunRow> = list.iter().map(|i| run(i, s, offset)).collect();
        store.add_runs(&runs, false)?;
    }
    store.set_finished("2026-11-20T10:12:44Z")?;
    Ok(())
}

/// A number that looks random, from others.
fn dice(parts: &[u64]) -> u64 {
    let mut x = 0x9E37_79B9_7F4A_7C15u64;
    for p in parts {
        x = (x ^ p).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^= x >> 29;
        x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^= x >> 32;
    }
    x
}

fn instance(n: u64) -> InstanceRow {
    let mut place = dice(&[n]) % 100;
    let mut chosen = CATEGORIES[1];
    for category in CATEGORIES {
        chosen = category;
        if place < category.1 {
            break;
        }
        place -= category.1;
    }
    let operation = OPERATIONS[(dice(&[n, 1]) % 8) as usize];
    let name = format!("icse20/{}/{operation}/{n:04}", chosen.0);
    let status = chosen.2;
    let text = format!(
        "(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n(set-info :category \"{}\")\n\
         (set-info :stringent-name |{name}|)\n(set-info :stringent-operation \"{operation}\")\n(set-info :status {status})\n\
         (declare-const s String)\n(declare-const t String)\n(declare-const off Int)\n; made up\n\
         (assert (= (str.replace s t \"{}\") (str.substr s off {})))\n(assert (> (str.len s) {}))\n(check-sat)\n",
        chosen.0,
        "ab\"\"c".repeat((dice(&[n, 2]) % 4) as usize),
        n % 7,
        n % 13
    );
    let (category, operation) = (chosen.0.to_owned(), operation.to_owned());
    InstanceRow { id: n as i64 + 1, name, category, operation, status, source: text.into_bytes() }
}

/// What a solver makes of it: each has its own weaknesses.
fn run(instance: &InstanceRow, s: u64, offset: u64) -> RunRow {
    let n = instance.id as u64;
    let roll = dice(&[n, s, 3, offset * u64::from(dice(&[n, s, 9]).is_multiple_of(20))]) % 1000;
    let sat = instance.status == Status::Sat;
    let weak = [30, 90, 12, 6, 10, 60, 70, 140, 25, 14, 50, 100][s as usize];
    let hard = if sat { 1 } else { 4 };
    let correct = if sat { Kind::ValidModel } else { Kind::MinimalCore };
    let kind = match roll * 10 / weak {
        0 if !s.is_multiple_of(3) => correct,
        0 if sat => Kind::WrongUnsat,
        0 => Kind::WrongSat,
        1 if sat && s % 2 == 1 => Kind::InvalidModel,
        1 if !sat => {
            if n.is_multiple_of(3) {
                Kind::UnsoundCore
            } else {
                Kind::ImpreciseCore
            }
        }
        2 if s % 2 == 1 => {
            if n.is_multiple_of(2) {
                Kind::Crash
            } else {
                Kind::Rejected
            }
        }
        3 => Kind::Unknown,
        4 if n.is_multiple_of(5) => {
            if sat {
                Kind::ModelUndetermined
            } else {
                Kind::CoreUndetermined
            }
        }
        x if x < 4 + 5 * hard => Kind::WallTime,
        _ => correct,
    };
    let verdict = kind.verdict();
    let start =
        [0.0105, 0.012, 0.0097, 0.0081, 0.012, 0.0024, 0.011, 0.013, 0.0023, 0.0056, 0.02, 0.2][s as usize];
    let spread = (dice(&[n, s, 4]) % 1000) as f64 / 1000.0;
    let common = (dice(&[n, 5]) % 1000) as f64 / 1000.0;
    let slow =
        start * (1.0 + spread * 0.4) + 0.0003 * (5.0 * common.powi(6) * 2.2 + 2.0 * spread.powi(4)).exp();
    let slow = if offset > 0 && dice(&[n, s, 6]).is_multiple_of(50) { slow * 30.0 } else { slow };
    let wall = if verdict == Verdict::Timeout { 15.02 } else { slow.min(14.9) };
    let answer = match (verdict, sat) {
        (Verdict::Timeout | Verdict::Error, _) => Answer::None,
        (Verdict::Unknown, _) => Answer::Unknown,
        (Verdict::WrongSat, _) => Answer::Sat,
        (Verdict::WrongUnsat, _) => Answer::Unsat,
        (_, true) => Answer::Sat,
        (_, false) => Answer::Unsat,
    };
    let evidence = format!(
        "The formula is {}; the solver says {answer}.\nassertion 1: (= (str.replace s t \"ab\") (str.substr s off 3)) is false\n  \
         s = \"\\u{{7}}ab\", t = \"\", off = 0\n  (str.replace s t \"ab\") = \"ab\\u{{7}}ab\"\n  (str.substr s off 3) = \"\\u{{7}}ab\"\n",
        instance.status
    );
    RunRow {
        instance: instance.id,
        solver: s as i64 + 1,
        seed: 0,
        kind,
        answer,
        model: if answer == Answer::Sat { ModelCheck::Holds } else { ModelCheck::Absent },
        core: if answer == Answer::Unsat { CoreCheck::Minimal } else { CoreCheck::Absent },
        ending: if verdict == Verdict::Timeout { "wall limit".into() } else { "exit 0".into() },
        wall: Duration::from_secs_f64(wall),
        cpu: Duration::from_secs_f64(wall * 0.97),
        memory_kib: 14_000 + dice(&[n, s, 7]) % 90_000,
        batched: false,
        flaky: roll.is_multiple_of(97) && verdict != Verdict::Ok,
        output: format!("{answer}\n((s \"\\u{{7}}ab\") (t \"\") (off 0))\n").into_bytes(),
        evidence: if verdict == Verdict::Ok { String::new() } else { evidence },
        command: format!("/opt/{}/bin/solver -in", SOLVERS[s as usize].0),
    }
}
