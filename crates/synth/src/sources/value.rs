//! Terms with a given value: an operator and arguments whose result is that value, the arguments grown in the same way.
//!
//! Inverse constructions, such as a cut out of a longer word, or the position of a part, give terms that random
//! ones would hardly be: deep, and equal to a small constant. `ite` and the constants of the model fit every value.

use super::grow::Grower;
use semantics::{Str, Value};
use smt::{Int, Op, Sort, Term};

impl Grower<'_> {
    /// A term with this value, of at most this depth. (Exceptions are possible; the referee evaluates the result.)
    pub fn worth(&mut self, value: &Value, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(5) {
            return self.known(value);
        }
        if self.dice.one_in(8) {
            return self.choice(value, depth - 1);
        }
        match value {
            Value::Str(word) => self.worth_word(word, depth - 1),
            Value::Int(n) => self.worth_int(&n.clone(), depth - 1),
            Value::Bool(b) => self.worth_bool(*b, depth - 1),
            _ => self.spell(value),
        }
    }

    /// A constant with the value, or its literal.
    fn known(&mut self, value: &Value) -> Term {
        let fitting: Vec<Term> = self.constants.iter().filter(|(_, v)| v == value).map(|&(t, _)| t).collect();
        if fitting.is_empty() || self.dice.one_in(5) { self.spell(value) } else { *self.dice.pick(&fitting) }
    }

    /// `ite` with a condition that is known.
    fn choice(&mut self, value: &Value, depth: usize) -> Term {
        let test = self.dice.one_in(2);
        let condition = self.worth(&Value::Bool(test), depth);
        let (yes, sort) = (self.worth(value, depth), sort_of(value));
        let no = self.any(sort, depth);
        let args = if test { [condition, yes, no] } else { [condition, no, yes] };
        self.op(Op::Ite, &args)
    }

    fn string_worth(&mut self, word: &[u32], depth: usize) -> Term {
        self.worth(&Value::Str(Str::from(word)), depth)
    }

    fn int_worth(&mut self, n: i64, depth: usize) -> Term {
        self.worth(&Value::Int(Int::from(n)), depth)
    }

    fn worth_word(&mut self, word: &[u32], depth: usize) -> Term {
        let n = word.len();
        match self.dice.index(9) {
            0 | 1 => {
                let at = self.dice.index(n + 1);
                let args = [self.string_worth(&word[..at], depth), self.string_worth(&word[at..], depth)];
                self.op(Op::StrConcat, &args)
            }
            2 | 3 => self.cut(word, depth),
            4 => self.replaced(Op::StrReplace, word, depth),
            5 => self.replaced(Op::StrReplaceAll, word, depth),
            6 if n == 1 => {
                let code = self.int_worth(i64::from(word[0]), depth);
                self.op(Op::StrFromCode, &[code])
            }
            7 if n > 0
                && n < 10
                && word.iter().all(|c| (48..58).contains(c))
                && (n == 1 || word[0] != 48) =>
            {
                let number = word.iter().fold(0, |sum, &c| sum * 10 + i64::from(c) - 48);
                let number = self.int_worth(number, depth);
                self.op(Op::StrFromInt, &[number])
            }
            6 | 7 if n == 0 => {
                let op = *self.dice.pick(&[Op::StrFromCode, Op::StrFromInt]);
                let below = self.dice.int(-3, -1);
                let number = self.int_worth(below, depth);
                self.op(op, &[number])
            }
            _ => {
                // A part that does not occur stays as it is.
                let missing = self.missing(word);
                let args = [
                    self.string_worth(word, depth),
                    self.string_worth(&missing, depth),
                    self.any(Sort::STRING, depth),
                ];
                let op = *self.dice.pick(&[Op::StrReplace, Op::StrReplaceAll]);
                self.op(op, &args)
            }
        }
    }

    /// A part of a longer word.
    fn cut(&mut self, word: &[u32], depth: usize) -> Term {
        let (before, after) = (self.word(2), self.word(2));
        let whole = [&before[..], word, &after].concat();
        let from = self.int_worth(before.len() as i64, depth);
        let whole = self.string_worth(&whole, depth);
        if word.len() == 1 && self.dice.one_in(2) {
            return self.op(Op::StrAt, &[whole, from]);
        }
        // Past the end, any length is the same.
        let more = if after.is_empty() { self.dice.index(3) as i64 } else { 0 };
        let length = self.int_worth(word.len() as i64 + more, depth);
        self.op(Op::StrSubstr, &[whole, from, length])
    }

    /// A replacement that gives the word: a part of it is the new part.
    fn replaced(&mut self, op: Op, word: &[u32], depth: usize) -> Term {
        let n = word.len();
        let from = self.dice.index(n + 1);
        let to = from + self.dice.index(n - from + 1);
        let mut old = self.missing(word);
        if op == Op::StrReplace && self.dice.one_in(3) {
            // The empty word occurs at the begin.
            old.clear();
        }
        let (new, rest) = if old.is_empty() {
            (word[..to].to_vec(), word[to..].to_vec())
        } else {
            (word[from..to].to_vec(), [&word[..from], &old[..], &word[to..]].concat())
        };
        let args =
            [self.string_worth(&rest, depth), self.string_worth(&old, depth), self.string_worth(&new, depth)];
        self.op(op, &args)
    }

    /// A word that is not a part of this one.
    fn missing(&mut self, word: &[u32]) -> Vec<u32> {
        let candidate = self.word(2);
        let occurs = candidate.is_empty() || word.windows(candidate.len()).any(|w| w == candidate);
        if occurs { vec![122, 122] } else { candidate }
    }

    fn worth_int(&mut self, n: &Int, depth: usize) -> Term {
        let Some(small) = n.to_i64().filter(|n| (-100..=1_000_000).contains(n)) else {
            let (one, rest) = (self.pool.int(1), self.spell(&Value::Int(n.clone() - Int::from(1))));
            return self.op(Op::Add, &[rest, one]);
        };
        match self.dice.index(8) {
            0 if (0..=8).contains(&small) => {
                let word: Vec<u32> = (0..small).map(|_| 97 + self.dice.below(2) as u32).collect();
                let word = self.string_worth(&word, depth);
                self.op(Op::StrLen, &[word])
            }
            1 if (-1..=4).contains(&small) => self.position(small, depth),
            2 if small >= -1 => {
                let digits: Vec<u32> = if small < 0 {
                    vec![45]
                } else {
                    let zeros = if self.dice.one_in(3) { "00" } else { "" };
                    format!("{zeros}{small}").chars().map(u32::from).collect()
                };
                let word = self.string_worth(&digits, depth);
                self.op(Op::StrToInt, &[word])
            }
            3 if (0..0x3_0000).contains(&small) => {
                let word = self.string_worth(&[small as u32], depth);
                self.op(Op::StrToCode, &[word])
            }
            3 if small == -1 => {
                let word = if self.dice.one_in(2) { vec![] } else { vec![97, 98] };
                let word = self.string_worth(&word, depth);
                self.op(Op::StrToCode, &[word])
            }
            4 => {
                let by = *self.dice.pick(&[2, 3, 7]);
                let (by_term, offset) = (self.pool.int(by), self.dice.below(by as u64) as i64);
                let product = self.int_worth(small * by + offset, depth);
                self.op(Op::IntDiv, &[product, by_term])
            }
            5 => {
                let other = self.dice.int(-3, 9);
                let args = [self.int_worth(small + other, depth), self.int_worth(other, depth)];
                self.op(Op::Sub, &args)
            }
            _ => {
                let other = self.dice.int(-3, 9);
                let args = [self.int_worth(small - other, depth), self.int_worth(other, depth)];
                self.op(Op::Add, &args)
            }
        }
    }

    /// `str.indexof` with this result.
    fn position(&mut self, n: i64, depth: usize) -> Term {
        let part = self.word(2);
        if n < 0 {
            let word = self.word(3);
            let missing = self.missing(&word);
            let args = [
                self.string_worth(&word, depth),
                self.string_worth(&missing, depth),
                self.any(Sort::INT, depth),
            ];
            return self.op(Op::StrIndexof, &args);
        }
        // Letters before it that it does not have.
        let before = vec![121; n as usize];
        let word = [&before[..], &part, &self.word(2)].concat();
        let start = if part.is_empty() { n } else { self.dice.int(0, n) };
        let args =
            [self.string_worth(&word, depth), self.string_worth(&part, depth), self.int_worth(start, depth)];
        self.op(Op::StrIndexof, &args)
    }

    fn worth_bool(&mut self, b: bool, depth: usize) -> Term {
        let t = match self.dice.index(4) {
            0 => {
                let value = self.value(Sort::STRING);
                let args = [self.worth(&value, depth), self.worth(&value, depth)];
                self.op(Op::Eq, &args)
            }
            _ => self.any(Sort::BOOL, depth),
        };
        match self.value_of(t) {
            Some(Value::Bool(is)) if is == b => t,
            Some(_) => self.op(Op::Not, &[t]),
            None => self.pool.bool(b),
        }
    }
}

fn sort_of(value: &Value) -> Sort {
    match value {
        Value::Bool(_) => Sort::BOOL,
        Value::Int(_) => Sort::INT,
        _ => Sort::STRING,
    }
}
