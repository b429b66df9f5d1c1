//! Random terms, by sort.

use super::Maker;
use smt::{Op, Sort, Term};

impl Maker<'_> {
    fn constant(&mut self, sort: Sort) -> Option<Term> {
        let fitting: Vec<Term> =
            self.constants.iter().map(|&(_, t)| t).filter(|&t| self.pool.sort_of(t) == sort).collect();
        (!fitting.is_empty()).then(|| *self.dice.pick(&fitting))
    }

    fn terms(&mut self, n: usize, depth: usize, of: fn(&mut Self, usize) -> Term) -> Vec<Term> {
        (0..n).map(|_| of(self, depth)).collect()
    }

    /// A string term.
    pub(super) fn string(&mut self, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(4) {
            return match self.constant(Sort::STRING) {
                Some(t) if !self.dice.one_in(4) => t,
                _ => self.literal(3),
            };
        }
        let d = depth - 1;
        let choices = if self.wide { 10 } else { 9 };
        match self.dice.index(choices) {
            0 | 1 => {
                let n = 2 + self.dice.index(2);
                let args = self.terms(n, d, Self::string);
                self.op(Op::StrConcat, &args)
            }
            2 => {
                let args = [self.string(d), self.int_term(d)];
                self.op(Op::StrAt, &args)
            }
            3 | 4 => {
                let args = [self.string(d), self.int_term(d), self.int_term(d)];
                self.op(Op::StrSubstr, &args)
            }
            5 => {
                let args = self.terms(3, d, Self::string);
                self.op(Op::StrReplace, &args)
            }
            6 => {
                let arg = self.int_term(d);
                self.op(Op::StrFromInt, &[arg])
            }
            7 => {
                let arg = self.int_term(d);
                self.op(Op::StrFromCode, &[arg])
            }
            8 => {
                let args = [self.bool_term(d), self.string(d), self.string(d)];
                self.op(Op::Ite, &args)
            }
            _ => {
                let args = self.terms(3, d, Self::string);
                self.op(Op::StrReplaceAll, &args)
            }
        }
    }

    fn small_int(&mut self) -> Term {
        let n =
            if self.dice.one_in(8) { *self.dice.pick(&[10, 48, 97, 123]) } else { self.dice.index(5) as i64 };
        let t = self.pool.int(n);
        if self.dice.one_in(5) { self.op(Op::Neg, &[t]) } else { t }
    }

    /// An integer term.
    pub(super) fn int_term(&mut self, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(4) {
            return match self.constant(Sort::INT) {
                Some(t) if !self.dice.one_in(3) => t,
                _ => self.small_int(),
            };
        }
        let d = depth - 1;
        match self.dice.index(13) {
            0..=2 => {
                let arg = self.string(d);
                self.op(Op::StrLen, &[arg])
            }
            3 | 4 => {
                let args = [self.string(d), self.string(d), self.int_term(d)];
                self.op(Op::StrIndexof, &args)
            }
            5 => {
                let arg = self.string(d);
                self.op(Op::StrToInt, &[arg])
            }
            6 => {
                let arg = self.string(d);
                self.op(Op::StrToCode, &[arg])
            }
            7 | 8 => {
                let op = *self.dice.pick(&[Op::Add, Op::Sub]);
                let args = self.terms(2, d, Self::int_term);
                self.op(op, &args)
            }
            9 => {
                let args = [self.pool.int(2 + (depth as i64)), self.int_term(d)];
                self.op(Op::Mul, &args)
            }
            10 => {
                let op = *self.dice.pick(&[Op::IntDiv, Op::Mod]);
                let by = 2 + self.dice.index(3) as i64;
                let args = [self.int_term(d), self.pool.int(by)];
                self.op(op, &args)
            }
            11 => {
                let op = *self.dice.pick(&[Op::Abs, Op::Neg]);
                let arg = self.int_term(d);
                self.op(op, &[arg])
            }
            _ => {
                let args = [self.bool_term(d), self.int_term(d), self.int_term(d)];
                self.op(Op::Ite, &args)
            }
        }
    }

    /// A Boolean term.
    pub(super) fn bool_term(&mut self, depth: usize) -> Term {
        if depth > 1 && self.dice.one_in(3) {
            return self.connective(depth - 1);
        }
        let d = depth.saturating_sub(1);
        let choices = if self.wide { 16 } else { 15 };
        match self.dice.index(choices) {
            0..=3 => {
                let args = self.terms(2, d, Self::string);
                self.op(Op::Eq, &args)
            }
            4 | 5 => {
                let args = self.terms(2, d, Self::int_term);
                self.op(Op::Eq, &args)
            }
            6 | 7 => {
                let op = *self.dice.pick(&[Op::Le, Op::Lt, Op::Ge, Op::Gt]);
                let args = self.terms(2, d, Self::int_term);
                self.op(op, &args)
            }
            8..=10 => {
                let op = *self.dice.pick(&[Op::StrContains, Op::StrPrefixof, Op::StrSuffixof]);
                let args = self.terms(2, d, Self::string);
                self.op(op, &args)
            }
            11 => {
                let op = *self.dice.pick(&[Op::StrLt, Op::StrLe]);
                let args = self.terms(2, d, Self::string);
                self.op(op, &args)
            }
            12 => {
                let arg = self.string(d);
                self.op(Op::StrIsDigit, &[arg])
            }
            13 => {
                let n = 2 + self.dice.index(2);
                let args = self.terms(n, d, Self::string);
                self.op(Op::Distinct, &args)
            }
            14 => match self.constant(Sort::BOOL) {
                Some(t) => t,
                None => {
                    let args = self.terms(2, d, Self::int_term);
                    self.op(Op::Distinct, &args)
                }
            },
            _ => {
                let args = [self.string(d), self.language(2)];
                self.op(Op::StrInRe, &args)
            }
        }
    }

    fn connective(&mut self, d: usize) -> Term {
        match self.dice.index(8) {
            0 | 1 => {
                let arg = self.bool_term(d);
                self.op(Op::Not, &[arg])
            }
            2..=5 => {
                let op = *self.dice.pick(&[Op::And, Op::Or, Op::Or, Op::Implies, Op::Xor, Op::Eq]);
                let args = self.terms(2, d, Self::bool_term);
                self.op(op, &args)
            }
            6 => {
                let op = *self.dice.pick(&[Op::And, Op::Or]);
                let args = self.terms(3, d, Self::bool_term);
                self.op(op, &args)
            }
            _ => {
                let args = self.terms(3, d, Self::bool_term);
                self.op(Op::Ite, &args)
            }
        }
    }

    /// A language without variables.
    fn language(&mut self, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(3) {
            return match self.dice.index(4) {
                0 => self.op(Op::ReAllchar, &[]),
                1 => {
                    let (a, b) = (self.pool.string(&[97]), self.pool.string(&[98]));
                    self.op(Op::ReRange, &[a, b])
                }
                _ => {
                    let word = self.literal(2);
                    self.op(Op::StrToRe, &[word])
                }
            };
        }
        let d = depth - 1;
        match self.dice.index(6) {
            0 | 1 => {
                let op = *self.dice.pick(&[Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReComp]);
                let arg = self.language(d);
                self.op(op, &[arg])
            }
            _ => {
                let op =
                    *self.dice.pick(&[Op::ReConcat, Op::ReUnion, Op::ReConcat, Op::ReUnion, Op::ReInter]);
                let args = self.terms(2, d, Self::language);
                self.op(op, &args)
            }
        }
    }
}
