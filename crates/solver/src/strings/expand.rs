//! Ext-Expand: extended terms by basic ones, with the meaning that SMT-LIB gives them.
//!
//! The seed's Figure 5 is not what the standard says (and its substr is wrong as printed); docs/solver.md has the
//! differences. Each expansion is a formula that holds always, its skolems being what their witnesses say.

use super::classes::Classes;
use crate::egraph::Node;
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::theory::{Stop, Theory};
use sat::Context;
use smt::{Fun, Head, Int, Op, Sort, Term};

/// The longest numeral that is taken apart.
const MAX_DIGITS: i64 = 24;

impl Theory<'_> {
    /// Expands all there is, in configurations that do not wait for a candidate model.
    pub(crate) fn expand_eagerly(&mut self, ctx: &mut Context<'_>, classes: &Classes) -> Result<(), Stop> {
        if self.strings.by_model {
            return Ok(());
        }
        self.expand_all(ctx, classes)
    }

    /// Expands every extended term that has not been, simple ones first.
    pub(crate) fn expand_all(&mut self, ctx: &mut Context<'_>, classes: &Classes) -> Result<(), Stop> {
        for level in 1..=4 {
            let mut said = false;
            for &n in &classes.extended {
                if self.expansion_level(n) == level && self.eg.value(n).is_none_or(|v| v != self.falsity) {
                    said |= self.expand(ctx, n);
                }
            }
            if said {
                return Err(Stop);
            }
        }
        Ok(())
    }

    /// How far a term is from basic ones: the order in which expansion goes.
    pub(crate) fn expansion_level(&self, n: Node) -> u32 {
        match self.pool.head(self.eg.term(n)) {
            Head::Op(Op::StrSubstr | Op::StrContains | Op::StrAt) => 1,
            Head::Op(Op::StrIndexof | Op::StrLe | Op::StrLt | Op::StrToCode | Op::StrFromCode) => 2,
            Head::Op(Op::StrReplace | Op::StrToInt | Op::StrFromInt) => 3,
            _ => 4,
        }
    }

    /// Says what a term is; true if that is new, or tells more than before.
    pub(crate) fn expand(&mut self, ctx: &mut Context<'_>, n: Node) -> bool {
        let t = self.eg.term(n);
        let args = self.pool.args(t).to_vec();
        let Head::Op(op) = self.pool.head(t) else { return false };
        self.in_mode(Mode::WithoutEntailment, |th| {
            let formulas = th.expansion(t, op, &args);
            formulas.into_iter().fold(false, |sent, f| th.valid(ctx, Rule::ExtExpand, f) | sent)
        })
    }

    /// The formulas that define a term by simpler ones.
    fn expansion(&mut self, t: Term, op: Op, args: &[Term]) -> Vec<Term> {
        match (op, args) {
            (Op::StrSubstr, &[s, i, m]) => self.expand_substr(t, s, i, m),
            (Op::StrContains, &[s, u]) => self.expand_contains(t, s, u),
            (Op::StrIndexof, &[s, u, i]) => self.expand_indexof(t, s, u, i),
            (Op::StrReplace, &[s, u, w]) => self.expand_replace(t, s, u, w),
            (Op::StrReplaceAll, &[s, u, w]) => self.expand_replace_all(t, s, u, w),
            (Op::StrLe, &[s, u]) => self.expand_le(t, s, u),
            (Op::StrToInt, &[s]) => self.expand_to_int(t, s),
            (Op::StrFromInt, &[i]) => self.expand_from_int(t, i),
            _ => Vec::new(),
        }
    }

    fn skolem(&mut self, witness: Term) -> Term {
        let witness = self.rw.rewrite(self.pool, self.mode, witness);
        self.skolems.get(self.pool, witness)
    }

    pub(crate) fn substr(&mut self, s: Term, from: Term, count: Term) -> Term {
        self.mk(Op::StrSubstr, Sort::STRING, &[s, from, count])
    }

    fn concat(&mut self, parts: &[Term]) -> Term {
        self.mk(Op::StrConcat, Sort::STRING, parts)
    }

    fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(&[not, b])
    }

    fn empty_term(&self) -> Term {
        self.eg.term(self.empty)
    }

    /// 0 <= i < |s| and 0 < m: s = pre t post, |pre| = i, |t| = m or nothing is left; otherwise t = "".
    fn expand_substr(&mut self, t: Term, s: Term, i: Term, m: Term) -> Vec<Term> {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let len = self.len(s);
        let inside = {
            let (a, b, c) = (self.ge(i, zero), self.greater(len, i), self.ge(m, one));
            self.and(&[a, b, c])
        };
        let end = self.plus(i, m);
        let pre = self.mk(Op::StrSubstr, Sort::STRING, &[s, zero, i]);
        let pre = self.skolem(pre);
        let left = self.minus(len, end);
        let post = self.mk(Op::StrSubstr, Sort::STRING, &[s, end, left]);
        let post = self.skolem(post);
        let whole = self.concat(&[pre, t, post]);
        let mut parts = vec![self.eq(s, whole)];
        let pre_len = self.len(pre);
        parts.push(self.eq(pre_len, i));
        let (t_len, fits, empty) = (self.len(t), self.ge(len, end), self.empty_term());
        let (exact, all) = (self.eq(t_len, m), self.eq(post, empty));
        let not_fits = self.not(fits);
        parts.push(self.or(&[not_fits, exact]));
        parts.push(self.or(&[fits, all]));
        let then = self.and(&parts);
        let otherwise = self.eq(t, empty);
        vec![self.implies(inside, then), self.or(&[inside, otherwise])]
    }

    /// contains(s, u) => s = pre u post, at the first place.
    fn expand_contains(&mut self, t: Term, s: Term, u: Term) -> Vec<Term> {
        let (pre, post) = self.around_first(s, u);
        let whole = self.concat(&[pre, u, post]);
        let is = self.eq(s, whole);
        vec![self.implies(t, is)]
    }

    /// The skolems before and after the first occurrence of `u` in `s`.
    fn around_first(&mut self, s: Term, u: Term) -> (Term, Term) {
        let zero = self.pool.int(0);
        let at = self.mk(Op::StrIndexof, Sort::INT, &[s, u, zero]);
        let pre = self.mk(Op::StrSubstr, Sort::STRING, &[s, zero, at]);
        let (len, used) = (self.len(s), self.len(u));
        let end = self.plus(at, used);
        let post = self.mk(Op::StrSubstr, Sort::STRING, &[s, end, len]);
        (self.skolem(pre), self.skolem(post))
    }

    /// No earlier occurrence: u is not in pre u without the last character of u.
    fn is_first(&mut self, pre: Term, u: Term) -> Term {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let len = self.len(u);
        let shorter = self.minus(len, one);
        let start = self.substr(u, zero, shorter);
        let before = self.concat(&[pre, start]);
        let there = self.mk(Op::StrContains, Sort::BOOL, &[before, u]);
        self.not(there)
    }

    fn expand_indexof(&mut self, t: Term, s: Term, u: Term, i: Term) -> Vec<Term> {
        let (zero, minus_one) = (self.pool.int(0), self.pool.int(-1));
        let len = self.len(s);
        let left = self.minus(len, i);
        let rest = self.substr(s, i, left);
        let inside = {
            let (a, b) = (self.ge(i, zero), self.ge(len, i));
            self.and(&[a, b])
        };
        let there = self.mk(Op::StrContains, Sort::BOOL, &[rest, u]);
        let found = self.and(&[inside, there]);
        let empty = self.empty_term();
        let u_empty = self.eq(u, empty);
        let u_word = self.not(u_empty);
        let none = self.eq(t, minus_one);
        let at_once = self.eq(t, i);
        let (pre, post) = self.around_first(rest, u);
        let whole = self.concat(&[pre, u, post]);
        let is = self.eq(rest, whole);
        let first = self.is_first(pre, u);
        let pre_len = self.len(pre);
        let place = self.plus(i, pre_len);
        let here = self.eq(t, place);
        let then = self.and(&[is, first, here]);
        let (simple, real) = (self.and(&[inside, u_empty]), self.and(&[found, u_word]));
        vec![self.or(&[found, none]), self.implies(simple, at_once), self.implies(real, then)]
    }

    fn expand_replace(&mut self, t: Term, s: Term, u: Term, w: Term) -> Vec<Term> {
        let there = self.mk(Op::StrContains, Sort::BOOL, &[s, u]);
        let same = self.eq(t, s);
        let empty = self.empty_term();
        let u_empty = self.eq(u, empty);
        let before = self.concat(&[w, s]);
        let front = self.eq(t, before);
        let (pre, post) = self.around_first(s, u);
        let (old, new) = (self.concat(&[pre, u, post]), self.concat(&[pre, w, post]));
        let (was, is) = (self.eq(s, old), self.eq(t, new));
        let first = self.is_first(pre, u);
        let then = self.and(&[was, is, first]);
        let u_word = self.not(u_empty);
        let real = self.and(&[there, u_word]);
        vec![self.or(&[there, same]), self.implies(u_empty, front), self.implies(real, then)]
    }

    /// One step: the first occurrence is replaced, and all in what follows it.
    fn expand_replace_all(&mut self, t: Term, s: Term, u: Term, w: Term) -> Vec<Term> {
        let there = self.mk(Op::StrContains, Sort::BOOL, &[s, u]);
        let same = self.eq(t, s);
        let empty = self.empty_term();
        let u_empty = self.eq(u, empty);
        let (pre, post) = self.around_first(s, u);
        let rest = self.mk(Op::StrReplaceAll, Sort::STRING, &[post, u, w]);
        let (old, new) = (self.concat(&[pre, u, post]), self.concat(&[pre, w, rest]));
        let (was, is) = (self.eq(s, old), self.eq(t, new));
        let first = self.is_first(pre, u);
        let then = self.and(&[was, is, first]);
        let u_word = self.not(u_empty);
        let real = self.and(&[there, u_word]);
        vec![self.or(&[there, same]), self.implies(u_empty, same), self.implies(real, then)]
    }

    /// s != u: they differ first at k, and the characters there decide.
    fn expand_le(&mut self, t: Term, s: Term, u: Term) -> Vec<Term> {
        let equal = self.eq(s, u);
        let zero = self.pool.int(0);
        let one = self.pool.int(1);
        let f = self.first_difference();
        let witness = self.pool.apply(f, &[s, u, zero]);
        let k = self.skolems.get(self.pool, witness);
        let (ls, lu) = (self.len(s), self.len(u));
        let mut parts = vec![self.ge(k, zero), self.ge(ls, k), self.ge(lu, k)];
        let (ps, pu) = (self.substr(s, zero, k), self.substr(u, zero, k));
        parts.push(self.eq(ps, pu));
        let (cs, cu) = (self.substr(s, k, one), self.substr(u, k, one));
        let (cs, cu) = (self.mk(Op::StrToCode, Sort::INT, &[cs]), self.mk(Op::StrToCode, Sort::INT, &[cu]));
        let (less, more) = (self.greater(cu, cs), self.greater(cs, cu));
        parts.push(self.implies(t, less));
        parts.push(self.or(&[t, more]));
        let differ = self.and(&parts);
        vec![self.implies(equal, t), self.or(&[equal, differ])]
    }

    /// The place where two words first differ, as a recursive definition: the witness of `k` above.
    fn first_difference(&mut self) -> Fun {
        if let Some(f) = self.strings.first_difference {
            return f;
        }
        let name = self.pool.names.intern("stringent!first-difference");
        let sorts = [Sort::STRING, Sort::STRING, Sort::INT];
        let f = self.pool.declare(name, Box::new(sorts), Sort::INT);
        let vars: Vec<Term> = ["s", "t", "i"]
            .iter()
            .zip(sorts)
            .map(|(name, sort)| {
                let name = self.pool.names.intern(name);
                self.pool.var(name, sort)
            })
            .collect();
        let (s, t, i) = (vars[0], vars[1], vars[2]);
        let mut op = |op: Op, sort: Sort, args: &[Term]| self.pool.mk(Head::Op(op), sort, args);
        let len = op(Op::StrLen, Sort::INT, &[s]);
        let done = op(Op::Ge, Sort::BOOL, &[i, len]);
        let (cs, ct) = (op(Op::StrAt, Sort::STRING, &[s, i]), op(Op::StrAt, Sort::STRING, &[t, i]));
        let same = op(Op::Eq, Sort::BOOL, &[cs, ct]);
        let differ = op(Op::Not, Sort::BOOL, &[same]);
        let stop = op(Op::Or, Sort::BOOL, &[done, differ]);
        let one = self.pool.int(1);
        let next = self.pool.mk(Head::Op(Op::Add), Sort::INT, &[i, one]);
        let again = self.pool.apply(f, &[s, t, next]);
        let body = self.pool.mk(Head::Op(Op::Ite), Sort::INT, &[stop, i, again]);
        self.pool.define(f, vars.into(), body);
        self.strings.first_difference = Some(f);
        f
    }

    /// For the length that the arithmetic model gives: digit by digit.
    fn expand_to_int(&mut self, t: Term, s: Term) -> Vec<Term> {
        let len = self.len(s);
        let value = self.ar.value(self.pool, self.rw, self.mode, len);
        let Some(n) = value.is_integer().then(|| value.floor()).and_then(|n| n.to_i64()) else {
            return Vec::new();
        };
        let (zero, one, minus_one) = (self.pool.int(0), self.pool.int(1), self.pool.int(-1));
        if n == 0 || n > MAX_DIGITS {
            return Vec::new();
        }
        let count = self.pool.int(n);
        let has_length = self.eq(len, count);
        let (nine, forty_eight) = (self.pool.int(57), self.pool.int(48));
        let mut digits = Vec::new();
        let mut sum = self.pool.int(0);
        let mut power = Int::from(1);
        for j in (0..n).rev() {
            let at = self.pool.int(j);
            let c = self.substr(s, at, one);
            let code = self.mk(Op::StrToCode, Sort::INT, &[c]);
            digits.push(self.ge(code, forty_eight));
            digits.push(self.ge(nine, code));
            let digit = self.minus(code, forty_eight);
            let factor = self.pool.int(power.clone());
            let weighted = self.mk(Op::Mul, Sort::INT, &[factor, digit]);
            sum = self.plus(sum, weighted);
            power = &power * &Int::from(10);
        }
        let all = self.and(&digits);
        let (number, none, is) = (self.ge(t, zero), self.eq(t, minus_one), self.eq(t, sum));
        let (yes, no) = (self.and(&[all, is, number]), {
            let not = self.not(all);
            self.and(&[not, none])
        });
        let either = self.or(&[yes, no]);
        vec![self.implies(has_length, either)]
    }

    /// For the length that the arithmetic model gives: between two powers of ten.
    fn expand_from_int(&mut self, t: Term, i: Term) -> Vec<Term> {
        let len = self.len(t);
        let value = self.ar.value(self.pool, self.rw, self.mode, len);
        let Some(n) = value.is_integer().then(|| value.floor()).and_then(|n| n.to_i64()) else {
            return Vec::new();
        };
        if n == 0 || n > MAX_DIGITS {
            return Vec::new();
        }
        let low = if n == 1 { Int::ZERO } else { Int::from(10).pow(u32::try_from(n - 1).expect("small")) };
        let high = Int::from(10).pow(u32::try_from(n).expect("small"));
        let (low, high, count) = (self.pool.int(low), self.pool.int(high), self.pool.int(n));
        let (above, below, is) = (self.ge(i, low), self.greater(high, i), self.eq(len, count));
        let range = self.and(&[above, below]);
        let mut out = vec![self.eq(is, range)];
        out.extend(self.digit_by_digit(t, i));
        let back = self.mk(Op::StrToInt, Sort::INT, &[t]);
        out.extend(self.expand_to_int(back, t));
        out
    }

    /// from_int(i) = from_int(i div 10) from_int(i mod 10) for i > 9; one character below.
    fn digit_by_digit(&mut self, t: Term, i: Term) -> Vec<Term> {
        let (zero, ten, forty_eight) = (self.pool.int(0), self.pool.int(10), self.pool.int(48));
        let (q, r) = (self.mk(Op::IntDiv, Sort::INT, &[i, ten]), self.mk(Op::Mod, Sort::INT, &[i, ten]));
        let (front, last) =
            (self.mk(Op::StrFromInt, Sort::STRING, &[q]), self.mk(Op::StrFromInt, Sort::STRING, &[r]));
        let both = self.concat(&[front, last]);
        let (large, nonneg, is) = (self.ge(i, ten), self.ge(i, zero), self.eq(t, both));
        let code = self.plus(i, forty_eight);
        let digit = self.mk(Op::StrFromCode, Sort::STRING, &[code]);
        let single = self.eq(t, digit);
        let negative = self.not(nonneg);
        vec![self.implies(large, is), self.or(&[large, negative, single])]
    }

    /// B-Inst: `u` is not in `s`, so not at place `k` either.
    pub(crate) fn not_contains_at(&mut self, ctx: &mut Context<'_>, n: Node, k: usize) -> bool {
        let t = self.eg.term(n);
        let &[s, u] = self.pool.args(t) else { return false };
        let place = self.pool.int(i64::try_from(k).expect("a place in a word"));
        let (len, needle) = (self.len(s), self.len(u));
        let end = self.plus(place, needle);
        let fits = self.ge(len, end);
        let piece = self.substr(s, place, needle);
        let here = self.eq(piece, u);
        let both = self.and(&[fits, here]);
        let not = self.not(both);
        let formula = self.or(&[t, not]);
        self.valid(ctx, Rule::NotContainsAt, formula)
    }
}

#[cfg(test)]
mod tests;
