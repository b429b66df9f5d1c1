//! Attacks on unsatisfiable formulas: a search for a model that must not exist, from the text alone.

use crate::search::{Found, Values, search};
use crate::substitute::substitute_without_patterns;
use rustc_hash::FxHashMap;
use smt::{Command, Dialect, Head, Pool, Term};

/// Searches for a model of a script among all words up to a length over two alphabets of two characters, and small integers, in at
/// most `steps` steps. The error is a model; `true` if the search was exhaustive.
pub fn attack(source: &str, length: usize, steps: u64) -> Result<bool, String> {
    let mut pool = Pool::new();
    let (vars, goals) = read(source, &mut pool);
    let mut exhausted = true;
    for letters in ["ab", "a1"] {
        let letters: Vec<u32> = letters.chars().map(u32::from).collect();
        let values = Values::exhaustive(&pool, &letters, length, &goals);
        match search(&pool, &vars, &goals, &values, steps) {
            Found::Model(model) => {
                let store = semantics::regex::RegexStore::new();
                let name = |v| crate::substitute::name_of(&pool, v);
                let pairs =
                    model.iter().map(|(v, value)| format!("{} = {}", name(*v), value.to_smtlib(&store)));
                return Err(pairs.collect::<Vec<_>>().join(", "));
            }
            Found::None => {}
            Found::GaveUp => exhausted = false,
        }
    }
    Ok(exhausted)
}

/// The constants of a script as variables, and its assertions over them: the input of the search.
fn read(source: &str, pool: &mut Pool) -> (Vec<Term>, Vec<Term>) {
    let parsed = smt::parse(source.as_bytes(), Some(Dialect::Smt26), pool);
    let mut map = FxHashMap::default();
    let mut vars = Vec::new();
    for command in parsed.script.commands() {
        let Command::DeclareConst(f) = command else { continue };
        let (name, sort) = (pool.fun(*f).name, pool.fun(*f).ret);
        let v = pool.var(name, sort);
        let c = pool.mk(Head::Fun(*f), sort, &[]);
        map.insert(c, v);
        vars.push(v);
    }
    let assertions: Vec<Term> = parsed.script.assertions().collect();
    let goals = assertions.into_iter().map(|t| substitute_without_patterns(pool, t, &map)).collect();
    (vars, goals)
}
