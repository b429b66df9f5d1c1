use super::super::fitness::Fitness;
use super::super::log;
use super::*;

/// A solver whose time is a function of the text: the more concatenations, the longer.
struct Fake {
    limit: f64,
}

impl Judging for Fake {
    fn is_hopeless(&self, size: usize, bar: Option<Bar>) -> bool {
        bar.is_some_and(|b| b.score.full && size >= b.size)
    }

    fn judge(&self, text: &str, _number: u64, _bar: Option<Bar>) -> Option<Found> {
        let time = (text.matches("str.").count() as f64 * 0.1).min(self.limit);
        let at_limit = time >= self.limit;
        let mut found = Found { time, at_limit, answer: "sat".into(), runs: 1, ..Found::default() };
        found.score = Fitness::Time.score(&found, self.limit);
        Some(found)
    }
}

fn world(seed: u64) -> World {
    let breeder = Breeder {
        mutators: "reverse,translate,add,remove,cross".parse().unwrap(),
        min_asserts: 2,
        max_asserts: 6,
    };
    World { breeder, seed, population: 8, survivors: 4 }
}

/// Runs up to `generations`, from the state in the folder.
fn run(dir: &std::path::Path, seed: u64, limit: f64, generations: u32) -> (Vec<u64>, String, Vec<Member>) {
    let path = dir.join("log");
    let lines = log::read(&path).unwrap();
    let world = world(seed);
    let mut cache = Cache::new();
    let mut s = Search::new(&world, Log::append(&path).unwrap(), &lines, &mut cache).unwrap();
    if s.is_new() {
        let start = world.breeder.random(&mut Dice::new(seed, 0));
        assert!(s.start(vec![start], &Fake { limit }, &mut cache).unwrap());
    }
    while s.generation < generations {
        assert!(s.step(&Fake { limit }, &mut cache).unwrap());
    }
    let lineage = s.lineage(s.best().0.id).iter().map(|m| m.id).collect();
    let best = s.best().0.text.clone();
    (lineage, best, s.members.clone())
}

#[test]
fn the_same_seed_has_the_same_lineage_whatever_the_threads_and_interruptions() {
    let dirs: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let first = one.install(|| run(dirs[0].path(), 5, 9.0, 20));
    assert_eq!(first, run(dirs[1].path(), 5, 9.0, 20));
    // Stopped in between, in the middle of a generation.
    run(dirs[2].path(), 5, 9.0, 7);
    let path = dirs[2].path().join("log");
    let text = std::fs::read_to_string(&path).unwrap();
    let end = text.trim_end().rfind('\n').unwrap();
    std::fs::write(&path, &text[..end - 100]).unwrap();
    assert_eq!(first, run(dirs[2].path(), 5, 9.0, 20));
    assert_ne!(first.1, run(dirs[3].path(), 6, 9.0, 20).1);
}

#[test]
fn times_grow_and_then_sizes_shrink() {
    let dir = tempfile::tempdir().unwrap();
    let (lineage, _, members) = run(dir.path(), 1, 0.5, 60);
    let of = |id: u64| members.iter().find(|m| m.id == id).unwrap();
    let (start, end) = (of(lineage[0]), of(*lineage.last().unwrap()));
    assert!(end.found.at_limit && end.found.time > start.found.time, "{start:?} {end:?}");
    let at_limit: Vec<usize> = members.iter().filter(|m| m.found.at_limit).map(|m| m.size).collect();
    assert_eq!(end.size, *at_limit.iter().min().unwrap());
    assert!(end.size < at_limit[0]);
    // Each generation records its parents.
    for pair in lineage.windows(2) {
        assert_eq!(of(pair[1]).parents[0], pair[0]);
    }
}
