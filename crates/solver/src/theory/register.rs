//! What is said of a term when it is first met.

use super::Theory;
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::rewrite::symbolic::factors;
use sat::Context;
use smt::{Head, Int, Op, Sort, Term};

/// Greatest lengths beyond this are not worth a bound.
const LONG: u64 = 1 << 16;

impl Theory<'_> {
    /// Makes new atoms known to the e-graph and to arithmetic.
    pub(crate) fn meet_atoms(&mut self) {
        for v in self.cnf.take_fresh() {
            let Some(t) = self.cnf.atom(v) else { continue };
            match self.pool.head(t) {
                Head::Op(Op::Ge) if self.pool.sort_of(self.pool.args(t)[0]) == Sort::INT => {
                    self.ar.add_atom(self.pool, self.rw, self.mode, t, v.lit(true));
                }
                _ => {
                    self.node(t);
                }
            }
        }
        self.meet_monomials();
    }

    /// Every monomial of arithmetic is a node of the e-graph.
    pub(crate) fn meet_monomials(&mut self) {
        loop {
            let fresh = self.ar.take_fresh();
            if fresh.is_empty() {
                return;
            }
            for t in fresh {
                self.node(t);
            }
        }
    }

    /// Says what holds of a term by its operator alone, once. True if something new was said.
    pub(crate) fn register(&mut self, ctx: &mut Context<'_>, t: Term) -> bool {
        if !self.registered.insert(t) || crate::build::is_value(self.pool, t) {
            return false;
        }
        let mut said = false;
        if self.pool.sort_of(t) == Sort::STRING {
            let len = self.len(t);
            self.node(len);
            let _ = self.ar.sum(self.pool, self.rw, self.mode, len);
            self.meet_monomials();
            said |= self.empty_or_longer(ctx, t);
        }
        said | self.in_mode(Mode::WithoutEntailment, |th| th.send_axioms(ctx, t))
    }

    fn send_axioms(&mut self, ctx: &mut Context<'_>, t: Term) -> bool {
        let mut sent = false;
        for formula in self.axioms(t) {
            sent |= self.valid(ctx, rule_of(self.pool.head(t)), formula);
        }
        sent
    }

    /// `(str.len t)`, as it stands, for the e-graph.
    pub(crate) fn len(&mut self, t: Term) -> Term {
        self.pool.mk(Head::Op(Op::StrLen), Sort::INT, &[t])
    }

    /// L-Geq.
    fn empty_or_longer(&mut self, ctx: &mut Context<'_>, t: Term) -> bool {
        if matches!(self.pool.head(t), Head::Op(Op::StrConcat)) {
            return false;
        }
        let empty = self.pool.string(&[]);
        let is_empty = self.eq(t, empty);
        let len = self.len(t);
        let one = self.pool.int(1);
        let longer = self.mk(Op::Ge, Sort::BOOL, &[len, one]);
        let said = self.lemma_lits(ctx, Rule::LenGeq, &[], &[is_empty, longer]);
        let l = self.literal(ctx, is_empty);
        ctx.set_phase(l.var(), !l.is_positive());
        said
    }

    /// `(= s t)`, rewritten.
    pub(crate) fn eq(&mut self, s: Term, t: Term) -> Term {
        self.mk(Op::Eq, Sort::BOOL, &[s, t])
    }

    /// `(>= s t)`, rewritten.
    pub(crate) fn ge(&mut self, s: Term, t: Term) -> Term {
        self.mk(Op::Ge, Sort::BOOL, &[s, t])
    }

    /// The negation, rewritten.
    pub(crate) fn not(&mut self, t: Term) -> Term {
        self.mk(Op::Not, Sort::BOOL, &[t])
    }

    /// The conjunction, rewritten.
    pub(crate) fn and(&mut self, args: &[Term]) -> Term {
        match args {
            [t] => *t,
            _ => self.mk(Op::And, Sort::BOOL, args),
        }
    }

    /// The disjunction, rewritten.
    pub(crate) fn or(&mut self, args: &[Term]) -> Term {
        match args {
            [t] => *t,
            _ => self.mk(Op::Or, Sort::BOOL, args),
        }
    }

    /// `a + k`, rewritten.
    pub(crate) fn plus(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Add, Sort::INT, &[a, b])
    }

    /// `a - b`, rewritten.
    pub(crate) fn minus(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Sub, Sort::INT, &[a, b])
    }

    /// Formulas that hold of a term by its operator.
    fn axioms(&mut self, t: Term) -> Vec<Term> {
        let args = self.pool.args(t).to_vec();
        let Head::Op(op) = self.pool.head(t) else { return Vec::new() };
        let (zero, minus_one) = (self.pool.int(0), self.pool.int(-1));
        match (op, &args[..]) {
            (Op::Ite, &[c, a, b]) => {
                let (is_a, is_b, not_c) = (self.eq(t, a), self.eq(t, b), self.not(c));
                vec![self.or(&[not_c, is_a]), self.or(&[c, is_b])]
            }
            (Op::StrSubstr, &[s, n, m]) => {
                let (len, whole) = (self.len(t), self.len(s));
                let end = self.plus(n, m);
                let mut out = vec![self.ge(whole, len)];
                // m >= 0 => |t| <= m
                let (nonneg, short) = (self.ge(m, zero), self.ge(m, len));
                let negative = self.not(nonneg);
                out.push(self.or(&[negative, short]));
                // 0 <= n, 0 <= m, n + m <= |s| => |t| = m
                let (from, fits) = (self.ge(n, zero), self.ge(whole, end));
                let exact = self.eq(len, m);
                let conditions = self.and(&[nonneg, from, fits]);
                let not = self.not(conditions);
                out.push(self.or(&[not, exact]));
                out
            }
            (Op::StrIndexof, &[s, u, n]) => {
                let (whole, needle) = (self.len(s), self.len(u));
                let found_fits = {
                    let end = self.plus(t, needle);
                    let fits = self.ge(whole, end);
                    let none = self.eq(t, minus_one);
                    self.or(&[none, fits])
                };
                let after = {
                    let later = self.ge(t, n);
                    let none = self.eq(t, minus_one);
                    self.or(&[none, later])
                };
                vec![self.ge(t, minus_one), found_fits, after]
            }
            (Op::StrLe, &[s, u]) => {
                // The order is total and antisymmetric.
                let converse = self.mk(Op::StrLe, Sort::BOOL, &[u, s]);
                if self.eg.node(converse).is_none() || converse == t {
                    return Vec::new();
                }
                let (same, not, not_converse) = (self.eq(s, u), self.not(t), self.not(converse));
                vec![self.or(&[t, converse]), self.or(&[not, not_converse, same])]
            }
            (Op::StrToCode, &[s]) => {
                let max = self.pool.int(0x2FFFF);
                let one = self.pool.int(1);
                let (low, high) = (self.ge(t, minus_one), self.ge(max, t));
                let (single, known, len) = (self.ge(t, zero), self.pool.int(-1), self.len(s));
                let (is_one, none) = (self.eq(len, one), self.eq(t, known));
                let not_one = self.not(is_one);
                let not_single = self.not(single);
                vec![
                    low,
                    high,
                    self.or(&[not_one, single]),
                    self.or(&[not_single, is_one]),
                    self.or(&[single, none]),
                ]
            }
            (Op::StrFromCode, &[n]) => {
                let max = self.pool.int(0x2FFFF);
                let (low, high) = (self.ge(n, zero), self.ge(max, n));
                let inside = self.and(&[low, high]);
                let empty = self.pool.string(&[]);
                let is_empty = self.eq(t, empty);
                let code = self.mk(Op::StrToCode, Sort::INT, &[t]);
                let same = self.eq(code, n);
                let outside = self.not(inside);
                vec![self.or(&[inside, is_empty]), self.or(&[outside, same])]
            }
            (Op::StrToInt, &[s]) => {
                let len = self.len(s);
                let one = self.pool.int(1);
                let (low, nonneg) = (self.ge(t, minus_one), self.ge(t, zero));
                let longer = self.ge(len, one);
                let no = self.not(nonneg);
                vec![low, self.or(&[no, longer])]
            }
            (Op::StrFromInt, &[n]) => {
                let empty = self.pool.string(&[]);
                let (nonneg, is_empty) = (self.ge(n, zero), self.eq(t, empty));
                let not_empty = self.not(is_empty);
                let negative = self.not(nonneg);
                let back = self.mk(Op::StrToInt, Sort::INT, &[t]);
                let same = self.eq(back, n);
                let mut out = vec![
                    self.or(&[nonneg, is_empty]),
                    self.or(&[negative, not_empty]),
                    self.or(&[negative, same]),
                ];
                out.extend(self.digit_bounds(t, n));
                // It starts with a digit.
                let (one, first, last) = (self.pool.int(1), self.pool.int(48), self.pool.int(57));
                let start = self.substr(t, zero, one);
                let code = self.mk(Op::StrToCode, Sort::INT, &[start]);
                let (low, high) = (self.ge(code, first), self.ge(last, code));
                let digit = self.and(&[low, high]);
                out.push(self.or(&[negative, digit]));
                out
            }
            (Op::IntDiv, &[a, k]) => self.division_axioms(t, a, k),
            (Op::Mod, &[a, k]) => {
                let zero_divisor = self.pool.int(0);
                if k == zero_divisor || !matches!(self.pool.head(k), Head::Int(_)) {
                    return Vec::new();
                }
                let q = self.mk(Op::IntDiv, Sort::INT, &[a, k]);
                let kq = self.mk(Op::Mul, Sort::INT, &[k, q]);
                let rest = self.minus(a, kq);
                vec![self.eq(t, rest)]
            }
            (Op::Abs, &[a]) => {
                let nonneg = self.ge(a, zero);
                let negative = self.not(nonneg);
                let opposite = self.minus(zero, a);
                let (same, minus) = (self.eq(t, a), self.eq(t, opposite));
                vec![self.or(&[negative, same]), self.or(&[nonneg, minus])]
            }
            (Op::StrInRe, &[s, r]) => self.membership_axioms(t, s, r),
            (Op::StrReplace, &[s, u, w]) => {
                let (len, a, b, c) = (self.len(t), self.len(s), self.len(u), self.len(w));
                let longest = self.plus(a, c);
                let remaining = self.minus(a, b);
                vec![self.ge(longest, len), self.ge(len, remaining)]
            }
            _ => Vec::new(),
        }
    }

    /// What the words of an expression have in common: constants at their ends, and the least and the greatest length. All
    /// of it follows from the language as well, but too late where equations can be cut for ever.
    fn membership_axioms(&mut self, t: Term, s: Term, r: Term) -> Vec<Term> {
        let outside = self.not(t);
        let mut out = Vec::new();
        if let Some(list) = factors(self.pool, r) {
            let word = |this: &Self, f: &Term| match (this.pool.head(*f), this.pool.args(*f)) {
                (Head::Op(Op::StrToRe), &[w]) if crate::build::is_value(this.pool, w) => Some(w),
                _ => None,
            };
            let first: Vec<Term> = list.iter().map_while(|f| word(self, f)).collect();
            let mut last: Vec<Term> = list.iter().rev().map_while(|f| word(self, f)).collect();
            last.reverse();
            for (op, words) in [(Op::StrPrefixof, first), (Op::StrSuffixof, last)] {
                if words.is_empty() || words.len() == list.len() {
                    continue;
                }
                let w = self.mk(Op::StrConcat, Sort::STRING, &words);
                let there = self.mk(op, Sort::BOOL, &[w, s]);
                out.push(self.or(&[outside, there]));
            }
        }
        if let (Head::Op(Op::ReRange), &[low, high]) = (self.pool.head(r), self.pool.args(r)) {
            let code = self.mk(Op::StrToCode, Sort::INT, &[s]);
            let (low, high) =
                (self.mk(Op::StrToCode, Sort::INT, &[low]), self.mk(Op::StrToCode, Sort::INT, &[high]));
            let (from, to) = (self.ge(code, low), self.ge(high, code));
            let within = self.and(&[from, to]);
            out.push(self.or(&[outside, within]));
        }
        if let Some((least, most)) = self.lengths_of(r) {
            let len = self.len(s);
            if least > 0 {
                let n = self.pool.int(Int::from(least));
                let long = self.ge(len, n);
                out.push(self.or(&[outside, long]));
            }
            if most < LONG {
                let n = self.pool.int(Int::from(most));
                let short = self.ge(n, len);
                out.push(self.or(&[outside, short]));
            }
        }
        out
    }

    /// `k*q <= a < k*q + |k|` for `q = a div k`, k a constant other than zero.
    fn division_axioms(&mut self, q: Term, a: Term, k: Term) -> Vec<Term> {
        let Head::Int(id) = self.pool.head(k) else { return Vec::new() };
        let value = self.pool.int_value(id).clone();
        if value.is_zero() {
            return Vec::new();
        }
        let kq = self.mk(Op::Mul, Sort::INT, &[k, q]);
        let rest = self.minus(a, kq);
        let (zero, most) = (self.pool.int(0), self.pool.int(value.abs() - Int::from(1)));
        vec![self.ge(rest, zero), self.ge(most, rest)]
    }

    /// The length of a numeral by its value, for small ones; longer ones only from below.
    fn digit_bounds(&mut self, t: Term, n: Term) -> Vec<Term> {
        let len = self.len(t);
        let mut out = Vec::new();
        let mut power = Int::from(10);
        for digits in 2..=6_i64 {
            let (ten, count) = (self.pool.int(power.clone()), self.pool.int(digits));
            // n >= 10^(digits-1) <=> |t| >= digits
            let (large, long) = (self.ge(n, ten), self.ge(len, count));
            out.push(self.eq(large, long));
            power = &power * &Int::from(10);
        }
        out
    }
}

fn rule_of(head: Head) -> Rule {
    match head {
        Head::Op(Op::Ite) => Rule::Ite,
        Head::Op(Op::IntDiv | Op::Mod | Op::Abs) => Rule::Division,
        _ => Rule::Bounds,
    }
}
