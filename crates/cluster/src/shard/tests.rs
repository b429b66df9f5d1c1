use super::*;

pub(crate) fn run(instance: i64, kind: Kind) -> RunRow {
    RunRow {
        instance,
        solver: 1,
        seed: u64::MAX,
        kind,
        answer: Answer::Sat,
        model: ModelCheck::Holds,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::from_micros(1234),
        cpu: Duration::from_micros(99),
        memory_kib: 7,
        batched: true,
        flaky: false,
        output: vec![0xff, 0, b'\n'],
        evidence: "because".into(),
        command: "z3 -in".into(),
    }
}

fn name() -> Name {
    Name { chunk: 12, job: "345".into(), restart: 1, part: 6 }
}

#[test]
fn a_shard_is_read_as_it_was_written() {
    let runs: Vec<RunRow> = Kind::ALL.iter().zip(0..).map(|(&kind, i)| run(i, kind)).collect();
    let bytes = encode("abc", &name(), "n1", &runs).expect("encoded");
    let shard = decode(&bytes, "abc", &name()).expect("a shard");
    assert_eq!((shard.runs, shard.host), (runs, "n1".into()));
}

#[test]
fn every_torn_shard_is_refused() {
    let bytes = encode("abc", &name(), "n1", &vec![run(1, Kind::ValidModel); 3]).expect("encoded");
    for cut in 0..bytes.len() {
        assert!(decode(&bytes[..cut], "abc", &name()).is_err(), "cut at {cut}");
        let mut flipped = bytes.clone();
        flipped[cut] ^= 0x40;
        assert!(decode(&flipped, "abc", &name()).is_err(), "flipped at {cut}");
    }
    let why = decode(&bytes, "abd", &name()).expect_err("refused");
    assert_eq!(why, "of another plan");
    let why = decode(&bytes, "abc", &Name { part: 7, ..name() }).expect_err("refused");
    assert_eq!(why, "its name was 12.345.1.6");
}

#[test]
fn names_of_shards() {
    assert_eq!(name().to_string(), "12.345.1.6");
    assert_eq!("12.345.1.6".parse(), Ok(name()));
    for text in ["", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1..3.4", "x.2.3.4", ".tmp-1.2.3.4", "1.2.3.-4"] {
        assert!(text.parse::<Name>().is_err(), "{text}");
    }
}
