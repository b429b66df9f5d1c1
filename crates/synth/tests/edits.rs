//! Edits: distances against another implementation, scripts by applying them, formulas by the referee and by brute force.

use proptest::prelude::*;
use semantics::instance::{Instance, Truth};
use smt::{Command, Dialect, Pool};
use std::collections::BTreeSet;
use stringent_synth::Dice;
use stringent_synth::edits::words::{LAST, List, NOTABLE};
use stringent_synth::edits::{Edit, Kind, distance, script};
use stringent_synth::generators::bulk::{Frame, Maker};
use stringent_synth::generators::{self, Edits, Generator as _, Mode, Parameters as _};

/// The distance by another implementation.
fn reference(a: &[u32], b: &[u32]) -> usize {
    strsim::generic_levenshtein(&a.to_vec(), &b.to_vec())
}

/// All words over some letters up to a length.
fn words(letters: &[u32], longest: usize) -> Vec<Vec<u32>> {
    let mut out = vec![vec![]];
    let mut from = 0;
    for _ in 0..longest {
        let end = out.len();
        for i in from..end {
            for c in letters {
                out.push(out[i].iter().copied().chain([*c]).collect());
            }
        }
        from = end;
    }
    out
}

fn applied(edits: &[Edit], from: &[u32]) -> Vec<u32> {
    let mut word = from.to_vec();
    edits.iter().for_each(|e| e.apply(&mut word));
    word
}

/// Every edit of a shortest script is within range and changes the word.
fn check_script(a: &[u32], b: &[u32], dice: &mut Dice) -> Vec<Edit> {
    let edits = script(a, b, dice);
    assert_eq!(edits.len(), distance(a, b), "{a:?} {b:?}");
    assert_eq!(applied(&edits, a), b, "{edits:?}");
    for n in 0..edits.len() {
        assert_ne!(applied(&edits[..n], a), applied(&edits[..n + 1], a), "{edits:?}");
    }
    edits
}

fn given(text: &str) -> Edits {
    let mut edits = Edits::default();
    for (flag, value) in text.split_whitespace().map(|w| w.split_once('=').expect("flag=value")) {
        edits.set(flag, value).unwrap_or_else(|e| panic!("{flag}: {e}"));
    }
    edits
}

fn text(word: &[u32]) -> String {
    word.iter().map(|c| char::from_u32(*c).expect("a character")).collect()
}

/// A formula of two words, read back: its truth stands only if the referee finds that the model holds.
fn formula(a: &[u32], b: &[u32], flags: &str, seed: u64) -> (String, Instance) {
    let mut g = given(flags);
    g.set("from", &text(a)).expect("a word");
    g.set("to", &text(b)).expect("a word");
    g.check().unwrap_or_else(|e| panic!("{flags}: {e}"));
    made(&g, seed)
}

fn made(g: &Edits, seed: u64) -> (String, Instance) {
    let mut out = String::new();
    Maker::default().make(g, seed, &Frame::default(), &mut out).expect("a text");
    let parsed = smt::parse(out.as_bytes(), Some(Dialect::Smt26), &mut Pool::new());
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{out}", parsed.diagnostics);
    let instance = Instance::from_text(out.as_bytes(), None).unwrap_or_else(|e| panic!("{e:?}\n{out}"));
    (out, instance)
}

fn declared(instance: &Instance) -> usize {
    instance.declared().count()
}

#[test]
fn all_small_pairs() {
    let all = words(&[0x61, 0x62], 4);
    assert_eq!(all.len(), 31);
    let mut dice = Dice::new(1, 7);
    for a in &all {
        for b in &all {
            assert_eq!(distance(a, b), reference(a, b), "{a:?} {b:?}");
            (0..4).for_each(|_| drop(check_script(a, b, &mut dice)));
            for flags in
                ["mode=sat", "mode=sat unknown=0", "mode=sat unknown=0.5 extra=2 regex=true index-sum=true"]
            {
                let (text, read) = formula(a, b, flags, 5);
                assert!(matches!(read.truth, Truth::Sat(_)), "{flags}\n{text}");
                assert!(!flags.ends_with("unknown=0") || declared(&read) == 0, "{text}");
            }
        }
    }
}

/// With nothing unknown there is nothing declared, and the formula is true.
#[test]
fn everything_known() {
    let (text, read) = formula(&[0x61, 0x62], &[0x62, 0x63, 0x64], "mode=sat unknown=0", 0);
    assert_eq!(declared(&read), 0);
    assert!(matches!(read.truth, Truth::Sat(_)), "{text}");
}

/// All words that a list of operations can make of a word, whatever their operands are: the indices from -1 to one past the end,
/// the letters of both words, and another.
fn reachable(kinds: &[Kind], from: &[u32], letters: &[u32]) -> BTreeSet<Vec<u32>> {
    let mut now = BTreeSet::from([from.to_vec()]);
    for &kind in kinds {
        let mut next = BTreeSet::new();
        for word in &now {
            for index in -1..=word.len() as i64 + 1 {
                for &character in letters {
                    let mut word = word.clone();
                    Edit { kind, index, character }.apply(&mut word);
                    next.insert(word);
                }
            }
        }
        now = next;
    }
    now
}

/// The kinds of operations of a formula, inside out.
fn kinds(text: &str) -> Vec<Kind> {
    let line = text.lines().rfind(|l| l.starts_with("(assert (= ")).expect("an equation");
    let kind = |part: &str| match part.split_whitespace().next() {
        Some("insert") => Kind::Insert,
        Some("remove") => Kind::Remove,
        _ => Kind::Replace,
    };
    let mut kinds: Vec<Kind> = line.split("(edit_").skip(1).map(kind).collect();
    kinds.reverse();
    kinds
}

#[test]
fn no_operands_satisfy_an_unsatisfiable_formula() {
    let all = words(&[0x61, 0x62], 3);
    let (mut seen, mut seen_pairs) = (BTreeSet::new(), 0);
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
        seen_pairs += 1;
        for seed in (0..6).map(|s| 100 * seen_pairs + s) {
            for flags in ["mode=unsat", "mode=unsat missing=2", "mode=unsat regex=true index-sum=true"] {
                let (text, read) = formula(a, b, flags, seed);
                assert!(matches!(&read.truth, Truth::Unsat(core) if core.is_empty()), "{text}");
                let kinds = kinds(&text);
                let missing = if flags.contains('2') { 2 } else { 1 };
                assert_eq!(kinds.len(), distance(a, b).saturating_sub(missing), "{text}");
                assert!(!reachable(&kinds, a, &[0x61, 0x62, 0x63]).contains(b), "{text}");
                let named: usize = kinds.iter().map(|k| 1 + usize::from(*k != Kind::Remove)).sum();
                assert_eq!(declared(&read), named, "all operands are unknown:\n{text}");
                seen.insert(kinds);
            }
        }
    }
    // All lists of up to two kinds occur.
    assert_eq!(seen.len(), 1 + 3 + 9);
}

/// The search for small models finds none in unsatisfiable formulas, and finds those of satisfiable ones.
#[test]
fn attacks() {
    let all = words(&[0x61, 0x62], 2);
    for (n, (a, b)) in
        all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).filter(|(a, b)| a != b).enumerate()
    {
        let (text, _) = formula(a, b, "mode=unsat", n as u64);
        assert_eq!(stringent_synth::attack::attack(&text, 1, 100_000), Ok(true), "{text}");
        let (text, _) = formula(a, b, "mode=sat", n as u64);
        assert!(stringent_synth::attack::attack(&text, 1, 1_000_000).is_err(), "{text}");
    }
}

/// Ties are broken in every way there is.
#[test]
fn many_scripts() {
    let (a, b) = ([0x61, 0x62], [0x62, 0x61]);
    let mut dice = Dice::new(0, 7);
    let scripts: BTreeSet<String> =
        (0..300).map(|_| format!("{:?}", check_script(&a, &b, &mut dice))).collect();
    // Two replacements; the a out at the left and in at the right; or the b the other way round: in two orders each.
    assert_eq!(scripts.len(), 6, "{scripts:#?}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let mut g = given("unknown=0.5 extra=3 alphabet=unicode distance=0..5 regex=true index-sum=true");
    g.words = List::new(vec![vec![0x61], vec![0x22, 0x5C, 0x75], vec![LAST]]);
    let all = |threads: usize| {
        let pool = rayon_pool(threads);
        let mut out = String::new();
        let mut sink = |text: &str| {
            out.push_str(text);
            true
        };
        pool.install(|| generators::bulk::stream(&g, 5, 400, &Frame::default(), true, &mut sink))
            .expect("texts");
        out
    };
    let one = all(1);
    assert_eq!(one, all(3));
    assert!(one.contains(&made(&g, 77).0), "seed 77 alone is not seed 5 + 72");
    assert_ne!(made(&g, 1).0, made(&g, 2).0);
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Distances are the requested ones, and both answers occur for each.
#[test]
fn distances_on_demand() {
    let g = given("distance=1..6 length=3..6");
    let mut seen = BTreeSet::new();
    for seed in 0..300 {
        let (text, read) = made(&g, seed);
        let scale = read.info(":stringent-scale").expect("a distance");
        let (from, to) = ends(&read);
        assert_eq!(scale, format!("distance {}", reference(&from, &to)), "{text}");
        seen.insert((scale, read.truth.status()));
    }
    assert_eq!(seen.len(), 12, "{seen:?}");
}

/// The two words of a formula: the innermost argument, and the right side.
fn ends(read: &Instance) -> (Vec<u32>, Vec<u32>) {
    let word = |t| match read.pool.head(t) {
        smt::Head::Str(id) => Some(read.pool.word(id).to_vec()),
        _ => None,
    };
    let equation = read.script.assertions().last().expect("an equation");
    let [mut chain, to] = read.pool.args(equation)[..] else { panic!("no equation") };
    loop {
        match word(chain) {
            Some(from) => return (from, word(to).expect("a word")),
            None => chain = *read.pool.args(chain).last().expect("an operation"),
        }
    }
}

/// Every notable character gets through writing and reading, as part of words and as an operand.
#[test]
fn characters_of_all_kinds() {
    let g = given("alphabet=unicode length=3..6 unknown=0.5 mode=sat extra=1");
    let mut left: BTreeSet<u32> = NOTABLE.into();
    let mut beyond = 0;
    for seed in 0..400 {
        let (text, read) = made(&g, seed);
        assert!(matches!(read.truth, Truth::Sat(_)), "{text}");
        assert!(text.bytes().all(|b| b == b'\n' || (0x20..0x7F).contains(&b)), "{text}");
        let (from, to) = ends(&read);
        for c in from.iter().chain(&to) {
            left.remove(c);
            beyond += usize::from(*c > 0xFFFF);
        }
    }
    assert!(left.is_empty(), "{left:?}");
    assert!(beyond > 100);
}

/// The functions are defined once each, before they are used, and only if they are.
#[test]
fn definitions() {
    let g = given("length=1..4");
    for seed in 0..200 {
        let (text, read) = made(&g, seed);
        for name in ["edit_insert", "edit_remove", "edit_replace"] {
            let used = text.contains(&format!("({name} "));
            let defined = |c: &&Command| matches!(c, Command::DefineFun(f) if read.pool.fun_name(*f) == name);
            assert_eq!(read.script.commands().filter(defined).count(), usize::from(used), "{text}");
        }
    }
}

#[test]
fn impossible_parameters_are_rejected() {
    let refused = |words: &[&str]| generators::from_words(words.iter().copied()).expect_err("refused");
    let equal = "equal words have only satisfiable formulas; use --mode sat";
    let cases: [(&[&str], String); 12] = [
        (&["--from", "a", "--to", "a"], format!("edits: --from and --to: {equal}")),
        (&["--distance", "0"], format!("edits: --distance: {equal}")),
        (
            &["--alphabet-size", "1", "--length", "3"],
            format!("edits: there is only one word to draw: {equal}"),
        ),
        (&["--characters", "aa", "--length", "3"], format!("edits: there is only one word to draw: {equal}")),
        (&["--words", "a a"], format!("edits: there is only one word to draw: {equal}")),
        (&["--length", "4..2"], "edits: --length: `4..2`: 2 is below 4".into()),
        (&["--length", "x"], "edits: --length: `x` is neither a number nor two, as in 2..4".into()),
        (&["--length", "2001"], "edits: --length: `2001`: at most 2000".into()),
        (&["--missing", "0"], "edits: --missing: at least 1".into()),
        (&["--to", "a", "--distance", "2"], "edits: --distance: the second word is given".into()),
        (&["--words", " "], "edits: --words: there are no words".into()),
        (
            &["--from", "\u{30000}"],
            "edits: --from: the character U+30000 is above U+2FFFF, the largest in SMT-LIB strings".into(),
        ),
    ];
    for (flags, message) in cases {
        assert_eq!(refused(&[&["edits"], flags].concat()), message);
    }
    for flags in
        [&["--alphabet-size", "1", "--length", "3..4"][..], &["--from", "a", "--to", "a", "--mode", "sat"]]
    {
        generators::from_words([&["edits"], flags].concat()).expect("possible");
    }
    assert_eq!(Edits::default().mode, Mode::Both);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn distances_and_scripts(a in prop::collection::vec(0u32..4, 0..14), b in prop::collection::vec(0u32..4, 0..14), seed: u64) {
        prop_assert_eq!(distance(&a, &b), reference(&a, &b));
        check_script(&a, &b, &mut Dice::new(seed, 7));
    }

    #[test]
    fn one_edit_is_at_most_one_away(
        word in prop::collection::vec(0u32..3, 0..8), other in prop::collection::vec(0u32..3, 0..8),
        kind in 0usize..3, index in -2i64..10, character in 0u32..3,
    ) {
        let mut edited = word.clone();
        Edit { kind: Kind::ALL[kind], index, character }.apply(&mut edited);
        prop_assert!(reference(&word, &edited) <= 1);
        prop_assert!(distance(&edited, &other) + 1 >= distance(&word, &other));
    }

    #[test]
    fn other_characters(a in "\\PC{0,8}", b in "\\PC{0,8}", seed: u64) {
        let word = |t: &str| t.chars().map(u32::from).filter(|c| *c <= LAST).collect::<Vec<u32>>();
        let (a, b) = (word(&a), word(&b));
        let (text, read) = formula(&a, &b, "mode=sat unknown=0.5", seed);
        prop_assert!(matches!(read.truth, Truth::Sat(_)), "{}", text);
        prop_assert_eq!(ends(&read), (a, b));
    }
}
