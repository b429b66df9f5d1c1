//! Generators: the output parses, is well sorted, and has the answer that it states.

use semantics::Status;
use semantics::instance::{Instance, Truth};
use smt::{Dialect, Pool};
use std::collections::BTreeMap;
use stringent_synth::attack::attack;
use stringent_synth::generators::bulk::{Frame, Maker, Trouble};
use stringent_synth::generators::{self, Generator};

/// Shapes to try: the defaults, and others in which both answers occur.
const SHAPES: &[&str] = &[
    "concats",
    "concats --depth 0",
    "concats --depth 0 --depth-type semantic --solution ab --extract 1 --extract-max 1",
    "concats --depth 3 --depth-type semantic --solution solution",
    "concats --depth 2 --balanced --solution '' --extract 1",
    "concats --depth 2 --extract 4 --extract-max 1",
    "concats --depth 3 --depth-type semantic --extract 6 --extract-max 1",
    "concats --depth 2 --depth-type semantic --solution 0123456789abcdefghijklmnopqrstuvwxyz --extract 1 --extract-max 2",
    "lengths",
    "lengths --num-vars 0",
    "lengths --num-vars 4 --max-length 3 --num-concats 2 --random-relations",
    "overlaps",
    "overlaps --length-of-consts 0",
    "overlaps --length-of-consts 1 --num-vars 1",
    "overlaps --length-of-consts 4 --num-vars 3 --rotation",
    "equality",
    "equality --num-exprs 3 --num-terms 5 --prefix-len 1 --suffix-len 1 --random-lengths --add-infixes --infix-len 1",
    "equality --num-exprs 3 --num-terms 2 --prefix-len 1 --suffix-len 0 --random-lengths",
    "equality --num-exprs 2 --num-terms 4 --add-infixes --infix-chance 1 --infix-len 1 --prefix-len 1 --random-lengths",
    "equality --num-exprs 3 --prefix-len 0 --suffix-len 1 --random-lengths --add-infixes",
    "regex",
    "regex --depth 3 --num-terms 2 --literal-type increasing --var-min 15",
    "regex --depth 2 --num-regexes 2 --membership-type alternating --coincide --literal-type increasing",
    "regex --depth 2 --num-regexes 3 --membership-type random --num-terms 2 --operators spuic",
    "regex --depth 1 --num-regexes 2 --num-terms 1 --lit-max 1 --literal-type increasing --coincide --var-max 2",
    "regex --membership-type not-in --var-max 0",
    "regex --depth 4 --operators suc --operator-type alternating --num-terms 1",
    "random-ast",
    "random-ast --meaningful --depth 4",
    "random-ast --satisfiable --depth 3",
    "random-ast --satisfiable --meaningful --weight Real=1,to_real=1,/=1 --depth 3",
    "random-ast --word-equation --satisfiable",
    "random-ast --num-vars 0",
    "random-ast --weight all=1,RegLan=1,Real=1 --depth 5 --num-asserts 3",
    "clever",
    "clever --sorts sib --num-lib-calls 3 --client-depth 4",
    "clever --sorts s --client-depth 1 --lib-depth 1 --expr-depth 1 --num-lib-vars 0 --num-client-vars 1",
    "clever --sorts bi --slice --num-client-vars 0",
    "clever --slice",
    "edits",
    "edits --length 0..2 --alphabet-size 2",
    "edits --characters ab --length 0..2 --unknown 0.5 --extra 2 --regex --index-sum",
    "edits --words ab --mode sat",
    "edits --from ab --alphabet unicode --length 1..3",
    "letters",
    "letters --size 1",
    "letters --size 300",
    "sanitizers",
    "sanitizers --size 2",
    "sanitizers --size 26",
    "filters",
    "filters --size 1",
    "filters --size 9",
    "java",
    "java --size 1",
    "java --size 30",
    "values",
    "values --size 1",
    "values --size 400",
    "equations",
    "equations --size 2",
    "equations --size 9",
    "blowup --size 1",
    "blowup --size 40",
    "patterns",
    "patterns --size 2",
    "patterns --size 40",
];

/// Generators that state no cores.
const WITHOUT_CORES: [&str; 9] =
    ["edits", "letters", "sanitizers", "filters", "java", "values", "equations", "blowup", "patterns"];

fn words(shape: &str) -> Vec<&str> {
    shape.split_whitespace().map(|w| if w == "''" { "" } else { w }).collect()
}

fn generator(shape: &str) -> Box<dyn Generator> {
    generators::from_words(words(shape)).unwrap_or_else(|e| panic!("{shape}: {e}"))
}

fn make(generator: &dyn Generator, seed: u64, frame: &Frame) -> Result<(String, Status), Trouble> {
    let mut out = String::new();
    let status = Maker::default().make(generator, seed, frame, &mut out)?;
    Ok((out, status))
}

/// Reads a text back and checks the truth it states.
fn verify(shape: &str, seed: u64, text: &str, status: Status) {
    let at = || format!("{shape}, seed {seed}:\n{text}");
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{}", parsed.diagnostics, at());
    let read = Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{e:?}\n{}", at()));
    assert_eq!(read.truth.status(), status, "{}", at());
    if let Truth::Unsat(core) = &read.truth {
        // The core alone must withstand, too.
        let name = words(shape)[0];
        assert_eq!(core.is_empty(), WITHOUT_CORES.contains(&name), "{}", at());
        let mut alone = read.clone();
        let mut index = 0;
        alone.script.entries.retain(|e| {
            if !matches!(e.command, smt::Command::Assert(_)) {
                return true;
            }
            index += 1;
            core.is_empty() || core.contains(&(index - 1))
        });
        alone.truth = Truth::Unknown;
        if let Err(model) = attack(&alone.to_text(""), 3, 3_000) {
            panic!("has a model: {model}\n{}", at());
        }
    }
}

#[test]
fn every_shape_states_the_correct_answer() {
    let frame = Frame::default();
    let mut seen: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for shape in SHAPES {
        let g = generator(shape);
        for seed in 0..60 {
            let (text, status) = make(&*g, seed, &frame).unwrap_or_else(|e| panic!("{shape}: {e}"));
            verify(shape, seed, &text, status);
            let counts = seen.entry(g.info().name).or_default();
            counts[status as usize] += 1;
        }
    }
    // Both answers occur, so that both arguments are tested; and these generators always know.
    for name in ["concats", "lengths", "overlaps", "equality"].iter().chain(&WITHOUT_CORES).copied() {
        let [sat, unsat, open] = seen[name];
        assert!(sat > 20 && unsat > 20 && open == 0, "{name}: {sat} sat, {unsat} unsat, {open} open");
    }
    let [sat, unsat, open] = seen["regex"];
    assert!(
        sat > 20 && unsat > 20 && open * 50 < sat + unsat,
        "regex: {sat} sat, {unsat} unsat, {open} open"
    );
    assert!(seen["clever"][0] > 20 && seen["random-ast"][0] >= 180, "{seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let frame = Frame::default();
    for shape in SHAPES {
        let g = generator(shape);
        let all = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut out = String::new();
            pool.install(|| {
                generators::bulk::stream(&*g, 5, 150, &frame, true, &mut |text| {
                    out.push_str(text);
                    true
                })
            })
            .expect("texts");
            out
        };
        let one = all(1);
        assert_eq!(one, all(3), "{shape}");
        let (single, _) = make(&*g, 77, &frame).expect("a text");
        assert!(one.contains(&single), "{shape}: seed 77 alone is not seed 5 + 72");
    }
}

#[test]
fn every_dialect_that_can_express_a_script_writes_it() {
    for shape in ["concats --solution a\"b\\c", "lengths", "overlaps", "equality", "regex --depth 2", "edits"]
    {
        let g = generator(shape);
        for dialect in Dialect::ALL {
            let frame = Frame { dialect, models: true, ..Frame::default() };
            for seed in 0..10 {
                let (text, status) = make(&*g, seed, &frame).unwrap_or_else(|e| panic!("{shape}: {e}"));
                let read = Instance::from_text(text.as_bytes(), Some(dialect))
                    .unwrap_or_else(|e| panic!("{shape} in {dialect}: {e:?}\n{text}"));
                assert_eq!(read.truth.status(), status, "{shape} in {dialect}:\n{text}");
                assert!(text.trim_end().ends_with("(get-model)"));
            }
        }
    }
}

/// The command recorded in a text reproduces it.
#[test]
fn provenance_reproduces() {
    for shape in SHAPES.iter().filter(|s| !s.contains('\'')) {
        let g = generator(shape);
        let (text, _) = make(&*g, 3, &Frame::default()).expect("a text");
        let source =
            Instance::from_text(text.as_bytes(), None).expect("a script").info(":source").expect("a source");
        let command = source.split_once(": gen ").expect("a command").1;
        let (command, seed) = command.rsplit_once(" --seed ").expect("a seed");
        let (again, _) =
            make(&*generator(command), seed.parse().expect("a number"), &Frame::default()).expect("a text");
        assert_eq!(text, again, "{shape}");
    }
}

/// Every operator of the table and every sort can be had from random-ast.
#[test]
fn all_operators_are_reachable() {
    let mut missing: Vec<&str> = smt::op::TABLE.iter().map(|row| row.name).collect();
    let g = generator("random-ast --weight all=1,RegLan=1,Real=1 --depth 5");
    let frame = Frame::default();
    for seed in 0..400 {
        let (text, _) = make(&*g, seed, &frame).expect("a text");
        missing.retain(|name| {
            let found = |end: &str| {
                text.contains(&format!("({name}{end}")) || text.contains(&format!(" {name}{end}"))
            };
            !(found(" ") || found(")"))
        });
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn random_text_is_only_text() {
    let g = generator("random-text --length 500");
    for seed in 0..200 {
        let (text, _) = make(&*g, seed, &Frame::default()).expect("a text");
        assert_eq!(text.len(), 500);
        assert!(text.bytes().all(|b| b == b'\n' || (0x20..0x7f).contains(&b)));
        // Whatever it is, reading it ends.
        smt::parse(text.as_bytes(), None, &mut Pool::new());
    }
}

#[test]
fn impossible_parameters_are_rejected() {
    let cases = [
        (
            "concat",
            "unknown generator `concat`; the generators are concats, lengths, overlaps, equality, regex, random-text, random-ast, clever, edits, letters, sanitizers, filters, java, values, equations, blowup, patterns. Did you mean `concats`?",
        ),
        ("concats --dept 3", "concats has no flag `--dept`. Did you mean `--depth`?"),
        ("concats --depth", "concats: --depth needs a value"),
        ("concats --depth -1", "concats: --depth: `-1` is not a natural number"),
        ("concats --depth-type deep", "concats: --depth-type: `deep` is not one of syntactic, semantic"),
        ("concats --depth-type semantic --balanced", "concats: --balanced: only with --depth-type syntactic"),
        ("concats --extract 78", "concats: --extract: there are only 77 places in 7 variables"),
        ("lengths --num-concats 3", "lengths: --num-concats: at most half as many as variables, here 2"),
        ("lengths --min-length 11", "lengths: --max-length 10 is below --min-length 11"),
        ("overlaps --num-vars 0", "overlaps: --num-vars: at least 1"),
        ("equality --num-exprs 0", "equality: --num-exprs: at least 1"),
        ("equality --num-terms 1", "equality: --num-terms: at least 2"),
        ("equality --infix-chance 1.5", "equality: --infix-chance: `1.5` is not between 0 and 1"),
        ("regex --lit-min 4", "regex: --lit-max 3 is below --lit-min 4"),
        ("regex --num-terms 0", "regex: --num-terms: at least 1"),
        ("regex --var-min 3 --var-max 2", "regex: --var-max 2 is below --var-min 3"),
        (
            "regex --operators sx",
            "regex: --operators: `sx`: letters of s (star), p (plus), u (union), i (intersection), c (complement)",
        ),
        ("clever --sorts ix", "clever: --sorts: `ix`: letters of s (String), i (Int), b (Bool)"),
        ("clever --lib-depth 0", "clever: --lib-depth: at least 1"),
        ("sanitizers --size 1", "sanitizers: --size: from 2 to 26"),
    ];
    for (shape, message) in cases {
        assert_eq!(generators::from_words(words(shape)).err().as_deref(), Some(message), "{shape}");
    }
    let operator = generators::from_words(words("random-ast --weight str.replce=1")).err().unwrap();
    assert!(
        operator.starts_with("random-ast: --weight: unknown operator `str.replce`; the operators are true, ")
    );
    assert!(operator.ends_with(" Did you mean `str.replace`?"), "{operator}");
}

/// Depth costs memory only; in a thread with a small stack.
#[test]
fn deep_instances() {
    let run = || {
        for shape in [
            "concats --depth 100000",
            "concats --depth 100000 --depth-type semantic --solution solution",
            "regex --depth 100000 --operators s",
            "regex --num-terms 50000",
            "overlaps --num-vars 100000",
            "equality --num-terms 50000",
            "edits --mode sat --length 1 --distance 1500",
            "edits --mode unsat --length 1 --distance 1500",
        ] {
            let (text, status) = make(&*generator(shape), 0, &Frame::default()).expect("a text");
            let read = Instance::from_text(text.as_bytes(), None).expect("a script");
            assert_eq!(read.truth.status(), status, "{shape}");
            assert_ne!(status, Status::Unknown, "{shape}");
        }
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}
