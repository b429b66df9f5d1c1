//! Circuits against the evaluator, on all vectors of up to four bits.

use super::*;
use sat::{Answer, Lit, NoTheory, Solver};
use semantics::value::bits as semantic;
use semantics::{Evaluator, Model, Value};
use smt::Term;

const VECTORS: &[&str] = &[
    "(bvnot a)",
    "(bvneg a)",
    "(bvand a b)",
    "(bvor a b)",
    "(bvxor a b)",
    "(bvnand a b)",
    "(bvnor a b)",
    "(bvxnor a b)",
    "(bvadd a b)",
    "(bvsub a b)",
    "(bvmul a b)",
    "(bvudiv a b)",
    "(bvurem a b)",
    "(bvsdiv a b)",
    "(bvsrem a b)",
    "(bvsmod a b)",
    "(bvshl a b)",
    "(bvlshr a b)",
    "(bvashr a b)",
    "(bvcomp a b)",
    "(concat a b)",
    "(bvadd a b a)",
    "(bvmul a b b)",
    "(bvxor a b b)",
    "((_ rotate_left 3) a)",
    "((_ rotate_right 3) a)",
    "((_ repeat 3) a)",
    "((_ zero_extend 2) a)",
    "((_ sign_extend 2) a)",
    "((_ extract 0 0) a)",
    "(ite (bvult a b) a b)",
    "(ite (= a b) (bvnot a) (bvadd a b))",
];

const FORMULAS: &[&str] = &[
    "(bvult a b)",
    "(bvule a b)",
    "(bvugt a b)",
    "(bvuge a b)",
    "(bvslt a b)",
    "(bvsle a b)",
    "(bvsgt a b)",
    "(bvsge a b)",
    "(bvnego a)",
    "(bvuaddo a b)",
    "(bvsaddo a b)",
    "(bvumulo a b)",
    "(bvsmulo a b)",
    "(bvusubo a b)",
    "(bvssubo a b)",
    "(bvsdivo a b)",
    "(= a b)",
    "(= (bvadd a b) (bvmul a b))",
    "((_ bit2bool 0) (bvadd a b))",
];

/// The circuit of assertions in a SAT solver.
struct Loaded {
    sat: Solver,
    lits: Vec<Lit>,
    bits: Bits,
}

impl Loaded {
    fn new(pool: &mut Pool, assertions: &[Term]) -> Loaded {
        let bits = meaning(pool, assertions).expect("a small circuit");
        let mut sat = Solver::new(0);
        let lits: Vec<Lit> = bits.circuit.sources.iter().map(|_| sat.new_var().lit(true)).collect();
        sat.add_clause(&[lits[0]]);
        let mut loaded = Loaded { sat, lits, bits };
        let clauses: Vec<Vec<Lit>> =
            loaded.bits.circuit.clauses().map(|c| c.iter().map(|&w| loaded.lit(w)).collect()).collect();
        clauses.iter().for_each(|c| loaded.sat.add_clause(c));
        loaded
    }

    fn lit(&self, w: Wire) -> Lit {
        let (i, positive) = w.parts();
        if positive { self.lits[i] } else { !self.lits[i] }
    }

    fn vector(&self, t: Term) -> Vec<Lit> {
        let (_, wires) = self.bits.vectors.iter().find(|(u, _)| *u == t).expect("a vector of the circuit");
        wires.iter().map(|&w| self.lit(w)).collect()
    }

    fn formula(&self, t: Term) -> Lit {
        let is = |s: &Source| matches!(s, Source::Formula(u) if *u == t);
        self.lits[self.bits.circuit.sources.iter().position(is).expect("a formula of the circuit")]
    }
}

fn fixed(lits: &[Lit], value: &[bool]) -> Vec<Lit> {
    lits.iter().zip(value).map(|(&l, &b)| if b { l } else { !l }).collect()
}

/// All values, of `a` and `b` in the order of counting.
fn values(width: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << width).map(move |n| (0..width).map(|i| n >> i & 1 == 1).collect())
}

/// Each operator has the value that the evaluator gives it, and no other.
fn agree(width: usize, constant: [Option<&[bool]>; 2]) {
    let mut pool = Pool::new();
    let texts = constant.map(|c| c.map(smt::term::literal_text));
    let mut text = format!("(declare-const a (_ BitVec {width}))(declare-const b (_ BitVec {width}))");
    // The arguments are words, unlike the letters in names of operators.
    let put = |t: &str| {
        let word = |w: &str| {
            let name = w.trim_end_matches(')');
            let value = match name {
                "a" => texts[0].as_deref(),
                "b" => texts[1].as_deref(),
                _ => None,
            };
            value.map_or(w.to_owned(), |v| w.replacen(name, v, 1))
        };
        t.split(' ').map(word).collect::<Vec<String>>().join(" ")
    };
    for t in VECTORS {
        let t = put(t);
        text.push_str(&format!("(assert (distinct {t} {t}))"));
    }
    for t in FORMULAS {
        text.push_str(&format!("(assert {})", put(t)));
    }
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    let assertions: Vec<Term> = parsed.script.assertions().collect();
    let named = |pool: &mut Pool, name: &str| {
        let f = (0..pool.fun_count() as u32).map(Fun).find(|&f| pool.fun_name(f) == name).expect("declared");
        (f, pool.apply(f, &[]))
    };
    let [(fa, a), (fb, b)] = ["a", "b"].map(|name| named(&mut pool, name));
    let keep = {
        let x = pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[a, b]);
        [&assertions[..], &[x]].concat()
    };
    let mut loaded = Loaded::new(&mut pool, &keep);
    for x in values(width).filter(|x| constant[0].is_none_or(|c| c == &x[..])) {
        for y in values(width).filter(|y| constant[1].is_none_or(|c| c == &y[..])) {
            let mut model = Model::new();
            model.assign(fa, semantic::value(&x).expect("a vector"));
            model.assign(fb, semantic::value(&y).expect("a vector"));
            let mut inputs = fixed(&loaded.vector(a), &x);
            inputs.extend(fixed(&loaded.vector(b), &y));
            for (k, &t) in assertions.iter().enumerate() {
                let mut e = Evaluator::new(&pool, &model);
                let (output, wanted) = if k < VECTORS.len() {
                    let t = pool.args(t)[0];
                    (loaded.vector(t), semantic::bits(&e.eval(t).expect("a value")).expect("a vector"))
                } else {
                    let value = e.eval(t).expect("a value") == Value::Bool(true);
                    (vec![loaded.formula(t)], vec![value])
                };
                let shown = smt::print::term_text(&pool, t);
                let right = [&inputs[..], &fixed(&output, &wanted)].concat();
                assert_eq!(loaded.sat.solve(&mut NoTheory, &right), Answer::Sat, "{shown} {x:?} {y:?}");
                for (&l, &value) in output.iter().zip(&wanted) {
                    let other = [&inputs[..], &[if value { !l } else { l }]].concat();
                    assert_eq!(loaded.sat.solve(&mut NoTheory, &other), Answer::Unsat, "{shown} {x:?} {y:?}");
                }
            }
        }
    }
}

#[test]
fn every_operator_has_its_value() {
    for width in 1..=4 {
        agree(width, [None, None]);
    }
}

#[test]
fn every_operator_has_its_value_on_constants() {
    for width in 1..=3 {
        for x in values(width) {
            agree(width, [Some(&x), None]);
            agree(width, [None, Some(&x)]);
        }
    }
}
