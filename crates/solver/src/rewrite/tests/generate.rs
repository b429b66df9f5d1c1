//! Random well-sorted terms, and small models for them.

use crate::build::op;
pub(crate) use crate::dice::Dice;
use semantics::{Model, Str, Value};
use smt::{Fun, Head, Int, Op, Pool, Sort, Term};

/// A generator of terms over a few variables.
pub(crate) struct Gen {
    pub(crate) pool: Pool,
    pub(crate) dice: Dice,
    pub(crate) funs: Vec<(Fun, Sort)>,
    strings: Vec<Term>,
    ints: Vec<Term>,
    bools: Vec<Term>,
    /// Terms generated before, for reuse.
    made: Vec<Term>,
}

const WORDS: &[&str] = &["", "a", "b", "ab", "ba", "aab", "1", "07", "c"];

/// The text of a term.
pub(crate) fn text(pool: &Pool, t: Term) -> String {
    smt::print::term_text(pool, t)
}

impl Gen {
    pub(crate) fn new(seed: u64) -> Self {
        let mut pool = Pool::new();
        let mut funs = Vec::new();
        let mut declare = |names: &[&str], sort: Sort| -> Vec<Term> {
            let make = |name: &&str| {
                let name = pool.names.intern(name);
                let f = pool.declare(name, Box::new([]), sort);
                funs.push((f, sort));
                pool.apply(f, &[])
            };
            names.iter().map(make).collect()
        };
        let strings = declare(&["x", "y", "z"], Sort::STRING);
        let ints = declare(&["i", "j"], Sort::INT);
        let bools = declare(&["p", "q"], Sort::BOOL);
        Gen { pool, dice: Dice::new(seed), funs, strings, ints, bools, made: Vec::new() }
    }

    pub(crate) fn text(&self, t: Term) -> String {
        text(&self.pool, t)
    }

    pub(crate) fn describe(&self, model: &Model) -> String {
        let value =
            |&(f, _): &(Fun, Sort)| format!("{}: {:?}", self.pool.fun_name(f), model.lookup(&self.pool, f));
        self.funs.iter().map(value).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn model(&self, dice: &mut Dice) -> Model {
        let mut model = Model::new();
        for &(f, sort) in &self.funs {
            let value = match sort {
                Sort::STRING => Value::Str(word(dice)),
                Sort::INT => Value::Int(Int::from(dice.below(7) as i64 - 2)),
                _ => Value::Bool(dice.chance(1, 2)),
            };
            model.assign(f, value);
        }
        model
    }

    /// A term of any sort.
    pub(crate) fn term(&mut self) -> Term {
        self.made.clear();
        match self.dice.below(10) {
            0..=1 => self.string(3),
            2..=3 => self.int(3),
            4..=6 => super::shapes::shape(self),
            _ => self.bool(3),
        }
    }

    fn reuse(&mut self, sort: Sort) -> Option<Term> {
        if self.made.is_empty() || !self.dice.chance(3, 10) {
            return None;
        }
        let t = self.dice.pick(&self.made);
        (self.pool.sort_of(t) == sort).then_some(t)
    }

    fn keep(&mut self, t: Term) -> Term {
        self.made.push(t);
        t
    }

    pub(crate) fn constant(&mut self) -> Term {
        let text = self.dice.pick(WORDS);
        let word = Str::from_text(text).expect("plain text");
        self.pool.string(&word)
    }

    pub(crate) fn number(&mut self) -> Term {
        let n = self.dice.below(6) as i64 - 1;
        self.pool.int(n)
    }

    pub(crate) fn string(&mut self, depth: usize) -> Term {
        if let Some(t) = self.reuse(Sort::STRING) {
            return t;
        }
        if depth == 0 || self.dice.chance(1, 4) {
            return if self.dice.chance(1, 2) { self.constant() } else { self.dice.pick(&self.strings) };
        }
        let d = depth - 1;
        let t = match self.dice.below(22) {
            0..=6 => {
                let n = 2 + self.dice.below(2);
                let args: Vec<Term> = (0..n).map(|_| self.string(d)).collect();
                op(&mut self.pool, Op::StrConcat, &args)
            }
            7..=11 => {
                let (s, i, j) = (self.string(d), self.int(d), self.int(d));
                op(&mut self.pool, Op::StrSubstr, &[s, i, j])
            }
            12..=14 => self.triple(Op::StrReplace, d),
            15..=16 => self.triple(Op::StrReplaceAll, d),
            17 => {
                let (s, i) = (self.string(d), self.int(d));
                op(&mut self.pool, Op::StrAt, &[s, i])
            }
            18 => {
                let i = self.int(d);
                let f = self.dice.pick(&[Op::StrFromCode, Op::StrFromInt]);
                op(&mut self.pool, f, &[i])
            }
            19 => {
                let (c, s, t) = (self.bool(d), self.string(d), self.string(d));
                self.pool.mk(Head::Op(Op::Ite), Sort::STRING, &[c, s, t])
            }
            20 => {
                let (s, r, z) = (self.string(d), self.regex(d), self.string(d));
                let f = self.dice.pick(&[Op::StrReplaceRe, Op::StrReplaceReAll]);
                op(&mut self.pool, f, &[s, r, z])
            }
            _ => {
                let s = self.string(d);
                let f = self.dice.pick(&[Op::StrRev, Op::StrToLower, Op::StrToUpper]);
                op(&mut self.pool, f, &[s])
            }
        };
        self.keep(t)
    }

    fn triple(&mut self, f: Op, d: usize) -> Term {
        let args = [self.string(d), self.string(d), self.string(d)];
        op(&mut self.pool, f, &args)
    }

    pub(crate) fn int(&mut self, depth: usize) -> Term {
        if let Some(t) = self.reuse(Sort::INT) {
            return t;
        }
        if depth == 0 || self.dice.chance(1, 3) {
            return if self.dice.chance(1, 2) { self.number() } else { self.dice.pick(&self.ints) };
        }
        let d = depth - 1;
        let t = match self.dice.below(20) {
            0..=4 => {
                let s = self.string(d);
                op(&mut self.pool, Op::StrLen, &[s])
            }
            5..=8 => {
                let (s, t, i) = (self.string(d), self.string(d), self.int(d));
                op(&mut self.pool, Op::StrIndexof, &[s, t, i])
            }
            9..=10 => {
                let s = self.string(d);
                let f = self.dice.pick(&[Op::StrToCode, Op::StrToInt]);
                op(&mut self.pool, f, &[s])
            }
            11..=15 => {
                let f = self.dice.pick(&[Op::Add, Op::Sub, Op::Sub, Op::Mul]);
                let args: Vec<Term> = (0..2 + self.dice.below(2)).map(|_| self.int(d)).collect();
                op(&mut self.pool, f, &args)
            }
            16 => {
                let i = self.int(d);
                let f = self.dice.pick(&[Op::Neg, Op::Abs]);
                op(&mut self.pool, f, &[i])
            }
            17..=18 => {
                let f = self.dice.pick(&[Op::IntDiv, Op::Mod]);
                let mut args = vec![self.int(d), self.number()];
                if f == Op::IntDiv && self.dice.chance(1, 5) {
                    args.push(self.number());
                }
                op(&mut self.pool, f, &args)
            }
            19 if self.dice.chance(1, 2) => {
                let (s, r, i) = (self.string(d), self.regex(d), self.int(d));
                op(&mut self.pool, Op::StrIndexofRe, &[s, r, i])
            }
            _ => {
                let (c, i, j) = (self.bool(d), self.int(d), self.int(d));
                self.pool.mk(Head::Op(Op::Ite), Sort::INT, &[c, i, j])
            }
        };
        self.keep(t)
    }

    pub(crate) fn bool(&mut self, depth: usize) -> Term {
        if let Some(t) = self.reuse(Sort::BOOL) {
            return t;
        }
        if depth == 0 || self.dice.chance(1, 8) {
            let b = self.dice.chance(1, 2);
            return if self.dice.chance(1, 5) { self.pool.bool(b) } else { self.dice.pick(&self.bools) };
        }
        let d = depth - 1;
        let t = match self.dice.below(24) {
            0 => {
                let a = self.bool(d);
                op(&mut self.pool, Op::Not, &[a])
            }
            1..=3 => {
                let f = self.dice.pick(&[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct]);
                let args: Vec<Term> = (0..2 + self.dice.below(2)).map(|_| self.bool(d)).collect();
                self.pool.mk(Head::Op(f), Sort::BOOL, &args)
            }
            4..=7 => {
                let f =
                    self.dice.pick(&[Op::Eq, Op::Eq, Op::Eq, Op::Distinct, Op::StrLe, Op::StrLt, Op::StrLe]);
                let more = usize::from(self.dice.chance(1, 8));
                let args: Vec<Term> = (0..2 + more).map(|_| self.string(d)).collect();
                self.pool.mk(Head::Op(f), Sort::BOOL, &args)
            }
            8..=11 => {
                let f = self.dice.pick(&[Op::Eq, Op::Eq, Op::Distinct, Op::Le, Op::Lt, Op::Ge, Op::Gt]);
                let more = usize::from(self.dice.chance(1, 8));
                let args: Vec<Term> = (0..2 + more).map(|_| self.int(d)).collect();
                self.pool.mk(Head::Op(f), Sort::BOOL, &args)
            }
            12..=16 => {
                let (s, t) = (self.string(d), self.string(d));
                op(&mut self.pool, Op::StrContains, &[s, t])
            }
            17..=18 => {
                let (s, t) = (self.string(d), self.string(d));
                let f = self.dice.pick(&[Op::StrPrefixof, Op::StrSuffixof]);
                op(&mut self.pool, f, &[s, t])
            }
            19..=20 => {
                let (s, r) = (self.string(d), self.regex(d));
                op(&mut self.pool, Op::StrInRe, &[s, r])
            }
            21 => {
                let s = self.string(d);
                op(&mut self.pool, Op::StrIsDigit, &[s])
            }
            22 => {
                let (k, i) = (self.dice.below(3) as i64, self.int(d));
                let id = self.pool.index(&[Int::from(k)]);
                self.pool.mk(Head::Indexed(Op::Divisible, id), Sort::BOOL, &[i])
            }
            _ => {
                let (c, a, b) = (self.bool(d), self.bool(d), self.bool(d));
                self.pool.mk(Head::Op(Op::Ite), Sort::BOOL, &[c, a, b])
            }
        };
        self.keep(t)
    }

    pub(crate) fn regex(&mut self, depth: usize) -> Term {
        if depth == 0 || self.dice.chance(1, 3) {
            return match self.dice.below(8) {
                0 => op(&mut self.pool, Op::ReAll, &[]),
                1 => op(&mut self.pool, Op::ReNone, &[]),
                2 => op(&mut self.pool, Op::ReAllchar, &[]),
                3 => {
                    let (a, b) = (self.pool.string(&[0x61]), self.pool.string(&[0x63]));
                    op(&mut self.pool, Op::ReRange, &[a, b])
                }
                _ => {
                    let w = self.constant();
                    op(&mut self.pool, Op::StrToRe, &[w])
                }
            };
        }
        let d = depth - 1;
        match self.dice.below(8) {
            0..=2 => {
                let plain = self.dice.chance(1, 2);
                let args: Vec<Term> = (0..2).map(|_| self.regex(if plain { 0 } else { d })).collect();
                op(&mut self.pool, Op::ReUnion, &args)
            }
            3..=4 => {
                let args: Vec<Term> = (0..2).map(|_| self.regex(d)).collect();
                let f = self.dice.pick(&[Op::ReConcat, Op::ReInter, Op::ReDiff]);
                op(&mut self.pool, f, &args)
            }
            5 => {
                let r = self.regex(d);
                let id = self.pool.index(&[Int::from(1), Int::from(2)]);
                self.pool.mk(Head::Indexed(Op::ReLoop, id), Sort::REGLAN, &[r])
            }
            _ => {
                let r = self.regex(d);
                let f = self.dice.pick(&[Op::ReStar, Op::ReComp, Op::RePlus, Op::ReOpt]);
                op(&mut self.pool, f, &[r])
            }
        }
    }
}

/// A string over two characters of length up to 3, or one with a digit.
fn word(dice: &mut Dice) -> Str {
    if dice.chance(1, 10) {
        return Str::from_text(dice.pick(&["0", "7", "10", "a1", "07"])).expect("plain text");
    }
    let n = dice.below(4);
    let word: Vec<u32> = (0..n).map(|_| 0x61 + dice.below(2) as u32).collect();
    word.into()
}

/// All strings over two characters up to length 3, all integers from -2 to 4, or both truth values.
pub(crate) fn all_values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::STRING => {
            let mut words: Vec<Vec<u32>> = vec![vec![]];
            let mut start = 0;
            for _ in 0..3 {
                let end = words.len();
                for i in start..end {
                    for c in [0x61, 0x62] {
                        let mut w = words[i].clone();
                        w.push(c);
                        words.push(w);
                    }
                }
                start = end;
            }
            words.into_iter().map(|w| Value::Str(w.into())).collect()
        }
        Sort::INT => (-2..=4).map(|n| Value::Int(Int::from(n))).collect(),
        _ => vec![Value::Bool(false), Value::Bool(true)],
    }
}
