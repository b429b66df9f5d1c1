//! Systems compared with all small words.

use super::*;
use crate::dice::Dice;
use smt::Int;

fn side(text: &str) -> Side {
    let symbol = |c: char| match c {
        'X'..='Z' => Symbol::Variable(c as u32 - 'X' as u32),
        _ => Symbol::Letter(c.into()),
    };
    text.chars().map(symbol).collect()
}

fn system(equations: &[(&str, &str)]) -> System {
    System { equations: equations.iter().map(|(l, r)| (side(l), side(r))).collect(), variables: 3 }
}

/// All words over two letters up to a length.
fn words(longest: usize) -> Vec<Vec<u32>> {
    let mut out: Vec<Vec<u32>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let end = out.len();
        for k in from..end {
            for letter in [97, 98] {
                let mut word = out[k].clone();
                word.push(letter);
                out.push(word);
            }
        }
        from = end;
    }
    out
}

fn value(side: &[Symbol], values: &[&[u32]]) -> Vec<u32> {
    let mut out = Vec::new();
    for s in side {
        match *s {
            Symbol::Letter(a) => out.push(a),
            Symbol::Variable(x) => out.extend_from_slice(values[x as usize]),
        }
    }
    out
}

/// The lengths of all solutions in small words.
fn solutions(system: &System, longest: usize) -> Vec<[u64; 3]> {
    let all = words(longest);
    let mut out = Vec::new();
    for x in &all {
        for y in &all {
            for z in &all {
                let values: [&[u32]; 3] = [x, y, z];
                if system.equations.iter().all(|(l, r)| value(l, &values) == value(r, &values)) {
                    out.push(values.map(|w| w.len() as u64));
                }
            }
        }
    }
    out
}

fn random(dice: &mut Dice) -> System {
    let mut word = |longest: usize| -> Side {
        let symbols = ["X", "Y", "Z", "a", "b", "a", "X", "Y"];
        (0..dice.below(longest + 1)).flat_map(|_| side(symbols[dice.below(symbols.len())])).collect()
    };
    let equations = vec![(word(5), word(5)), (word(3), word(3))];
    System { equations, variables: 3 }
}

#[test]
fn refutations_and_lengths_agree_with_all_small_words() {
    let mut dice = Dice::new(7);
    let (mut refuted, mut found) = (0, 0);
    for _ in 0..400 {
        let system = random(&mut dice);
        let small = solutions(&system, 3);
        let analysis = system.analyse();
        if analysis.unsolvable {
            assert_eq!(small, Vec::<[u64; 3]>::new(), "{system:?}");
            refuted += 1;
        } else if let Some(lengths) = analysis.lengths(&[]) {
            if lengths.iter().all(|&n| n <= 3) {
                assert!(small.iter().any(|s| s[..] == lengths[..]), "{lengths:?}: {system:?}");
                found += 1;
            }
        } else {
            assert_eq!(small, Vec::<[u64; 3]>::new(), "nothing found: {system:?}");
        }
    }
    assert!(refuted > 50 && found > 50, "{refuted}, {found}");
}

#[test]
fn loops_give_long_solutions() {
    let long = |x: u32, n: i64| Row { terms: vec![(x, Int::ONE)], constant: Int::from(-n) };
    for (left, right, x, n) in [("Xab", "baX", 0, 1_000), ("abXY", "XbaZ", 0, 33), ("XabY", "YbaX", 1, 500)] {
        let analysis = system(&[(left, right)]).analyse();
        assert!(!analysis.unsolvable);
        let lengths = analysis.lengths(&[long(x, n)]).unwrap_or_else(|| panic!("{left} = {right}"));
        assert!(lengths[x as usize] >= n as u64, "{lengths:?}");
    }
    let most = Row { terms: vec![(0, Int::from(-2))], constant: Int::from(1_999) };
    assert_eq!(
        system(&[("Xab", "baX")]).analyse().lengths(&[long(0, 1_000), most]),
        None,
        "the bounds exclude each other"
    );
}

#[test]
fn powers_of_one_letter_are_found() {
    let system = system(&[("XaXbYb", "aXYYbZZb"), ("Z", "aaaaaaaa")]);
    assert_eq!(system.analyse().lengths(&[]), Some(vec![32, 16, 8]));
}
