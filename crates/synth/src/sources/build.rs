//! Short names for the terms that sources build by hand, and formulas that leave one value or few to a constant.

use super::grow::Grower;
use semantics::{Str, Value};
use smt::{Int, Op, Sort, Term};

impl Grower<'_> {
    /// A string literal of printable characters.
    pub fn lit(&mut self, text: &str) -> Term {
        let word: Vec<u32> = text.chars().map(u32::from).collect();
        self.pool.string(&word)
    }

    /// An integer literal.
    pub fn num(&mut self, n: i64) -> Term {
        self.spell(&Value::Int(Int::from(n)))
    }

    /// `(= a b)`
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.op(Op::Eq, &[a, b])
    }

    /// `(not t)`
    pub fn not(&mut self, t: Term) -> Term {
        self.op(Op::Not, &[t])
    }

    /// `(str.len t)`
    pub fn len(&mut self, t: Term) -> Term {
        self.op(Op::StrLen, &[t])
    }

    /// The concatenation of terms.
    pub fn concat(&mut self, parts: &[Term]) -> Term {
        match parts {
            [] => self.lit(""),
            [one] => *one,
            _ => self.op(Op::StrConcat, parts),
        }
    }

    /// The conjunction of terms.
    pub fn all(&mut self, parts: &[Term]) -> Term {
        match parts {
            [] => self.pool.bool(true),
            [one] => *one,
            _ => self.op(Op::And, parts),
        }
    }

    /// A constant of a sort; a new one if there is none.
    pub fn pick(&mut self, sort: Sort) -> Term {
        let fitting: Vec<Term> =
            self.constants.iter().map(|&(t, _)| t).filter(|&t| self.pool.sort_of(t) == sort).collect();
        if fitting.is_empty() {
            let value = self.value(sort);
            return self.constant(value);
        }
        *self.dice.pick(&fitting)
    }

    /// A constant with this word, or another term that has it as its value.
    pub fn holder(&mut self, word: &[u32]) -> Term {
        let value = Value::Str(Str::from(word));
        let room = self.constants.len() < 2 * self.shape.constants.max(1);
        match self.dice.index(6) {
            0 => self.pool.string(word),
            1 => self.worth(&value, 2),
            _ if room => self.constant(value),
            _ => self.worth(&value, 1),
        }
    }

    /// The value of a constant of this grower.
    pub fn value_at(&self, t: Term) -> Option<&Value> {
        self.constants.iter().find(|(c, _)| *c == t).map(|(_, v)| v)
    }

    /// The word that a string term denotes.
    pub fn word_of(&self, t: Term) -> Option<Vec<u32>> {
        if let smt::Head::Str(id) = self.pool.head(t) {
            return Some(self.pool.word(id).to_vec());
        }
        match self.value_at(t).cloned().or_else(|| self.value_of(t)) {
            Some(Value::Str(w)) => Some(w.to_vec()),
            _ => None,
        }
    }

    /// A formula that only this value of `x` satisfies.
    pub fn pin(&mut self, x: Term, value: &Value) -> Term {
        match value {
            Value::Str(w) => self.pin_word(x, w),
            Value::Int(n) => self.pin_int(x, n),
            Value::Bool(true) => x,
            Value::Bool(false) => self.not(x),
            _ => {
                let v = self.spell(value);
                self.eq(x, v)
            }
        }
    }

    /// A formula that few values of `x` satisfy, this one among them: a solver has to split cases.
    pub fn confine(&mut self, x: Term, value: &Value) -> Option<Term> {
        match value {
            Value::Str(w) => Some(self.confine_word(x, w)),
            Value::Int(n) => Some(self.confine_int(x, n)),
            _ => None,
        }
    }

    fn confine_word(&mut self, x: Term, word: &[u32]) -> Term {
        if self.dice.one_in(4) {
            // A part of a word.
            let more = self.word(2);
            let op = *self.dice.pick(&[Op::StrPrefixof, Op::StrSuffixof, Op::StrContains]);
            let whole = if op == Op::StrPrefixof { [word, &more[..]] } else { [&more[..], word] };
            let whole = self.pool.string(&whole.concat());
            let args = if op == Op::StrContains { [whole, x] } else { [x, whole] };
            return self.op(op, &args);
        }
        let mut words = vec![self.pool.string(word)];
        for _ in 0..1 + self.dice.index(2) {
            let other = if self.dice.one_in(3) { Vec::new() } else { self.word(2) };
            words.push(self.pool.string(&other));
        }
        self.dice.shuffle(&mut words);
        if self.dice.one_in(4) {
            let each: Vec<Term> = words.iter().map(|&w| self.op(Op::StrToRe, &[w])).collect();
            let r = self.op(Op::ReUnion, &each);
            return self.op(Op::StrInRe, &[x, r]);
        }
        let each: Vec<Term> = words.iter().map(|&w| self.eq(x, w)).collect();
        self.op(Op::Or, &each)
    }

    fn confine_int(&mut self, x: Term, n: &Int) -> Term {
        let (below, above) = (self.dice.int(0, 2), self.dice.int(0, 2));
        let low = self.spell(&Value::Int(n.clone() - Int::from(below)));
        let high = self.spell(&Value::Int(n.clone() + Int::from(above)));
        match self.dice.index(3) {
            0 => {
                let both = [self.op(Op::Le, &[low, x]), self.op(Op::Le, &[x, high])];
                self.all(&both)
            }
            1 => {
                let each = [self.eq(x, low), self.eq(x, high)];
                let exact = self.spell(&Value::Int(n.clone()));
                let exact = self.eq(x, exact);
                self.op(Op::Or, &[each[0], exact, each[1]])
            }
            _ => self.op(Op::Le, &[low, x, high]),
        }
    }

    fn pin_word(&mut self, x: Term, word: &[u32]) -> Term {
        let n = word.len() as i64;
        let v = self.pool.string(word);
        match self.dice.index(12) {
            0 | 1 if n == 0 => {
                let (len, zero) = (self.len(x), self.num(0));
                self.op(Op::Le, &[len, zero])
            }
            0 if n == 1 => {
                let (code, c) = (self.op(Op::StrToCode, &[x]), self.num(i64::from(word[0])));
                self.eq(code, c)
            }
            2 => {
                let r = self.op(Op::StrToRe, &[v]);
                self.op(Op::StrInRe, &[x, r])
            }
            3 => self.pin_around(x, word),
            // A part of one another, and as long.
            4 => self.pin_part(&[Op::StrPrefixof, Op::StrSuffixof], &[v, x], x, Op::Le, n),
            5 => self.pin_part(&[Op::StrContains], &[x, v], x, Op::Le, n),
            6 => self.pin_part(&[Op::StrPrefixof, Op::StrSuffixof], &[x, v], x, Op::Ge, n),
            7 => {
                let both = [self.op(Op::StrLe, &[x, v]), self.op(Op::StrLe, &[v, x])];
                self.all(&both)
            }
            _ => self.eq(x, v),
        }
    }

    fn pin_part(&mut self, ops: &[Op], args: &[Term], x: Term, bound: Op, n: i64) -> Term {
        let op = *self.dice.pick(ops);
        let part = self.op(op, args);
        let (len, n) = (self.len(x), self.num(n));
        let bound = self.op(bound, &[len, n]);
        self.all(&[part, bound])
    }

    /// The word with something before or after it.
    fn pin_around(&mut self, x: Term, word: &[u32]) -> Term {
        let more = self.word(2);
        let m = self.pool.string(&more);
        let (parts, whole) = if self.dice.one_in(2) {
            ([m, x], [&more[..], word].concat())
        } else {
            ([x, m], [word, &more[..]].concat())
        };
        let (parts, whole) = (self.concat(&parts), self.pool.string(&whole));
        self.eq(parts, whole)
    }

    fn pin_int(&mut self, x: Term, n: &Int) -> Term {
        let v = self.spell(&Value::Int(n.clone()));
        match self.dice.index(5) {
            0 => {
                let both = [self.op(Op::Le, &[x, v]), self.op(Op::Ge, &[x, v])];
                self.all(&both)
            }
            1 => {
                let t = self.op(Op::Distinct, &[v, x]);
                self.not(t)
            }
            2 => {
                let next = self.spell(&Value::Int(n.clone() + Int::from(1)));
                let one = self.num(1);
                let sum = self.op(Op::Add, &[x, one]);
                self.eq(sum, next)
            }
            _ => self.eq(x, v),
        }
    }
}
