//! Checks applications against the signatures of the operator table.
//!
//! Where one application has `Int` and `Real` arguments, the integers are converted to reals, as z3 and cvc5 do.

use crate::diag::Code;
use crate::num::{Int, Rat};
use crate::op::{Op, S, Shape};
use crate::term::{Head, Pool, Sort, Term};

/// Why an application is ill-sorted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SortError {
    /// Ill-sorted, a wrong number of arguments, or wrong indices.
    pub code: Code,
    /// The argument with the wrong sort, from 0.
    pub argument: Option<usize>,
    /// The reason.
    pub message: String,
}

impl SortError {
    fn new(code: Code, argument: Option<usize>, message: String) -> Self {
        SortError { code, argument, message }
    }
}

impl Pool {
    /// `(op args)`, sort-checked.
    pub fn op(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        self.checked(op, Head::Op(op), args)
    }

    /// `((_ op indices) args)`, sort-checked.
    pub fn indexed(&mut self, op: Op, indices: &[Int], args: &[Term]) -> Result<Term, SortError> {
        let want = op.row().indices;
        if indices.len() != want {
            let message = format!("`{}` takes {want} index(es), found {}", op.name(), indices.len());
            return Err(SortError::new(Code::InvalidIndex, None, message));
        }
        let id = self.index(indices);
        self.checked(op, Head::Indexed(op, id), args)
    }

    /// `f` applied to `args`, sort-checked.
    pub fn apply_checked(&mut self, f: crate::term::Fun, args: &[Term]) -> Result<Term, SortError> {
        let data = self.fun(f);
        let name = self.names.name(data.name).to_owned();
        let (params, ret) = (data.params.clone(), data.ret);
        if params.len() != args.len() {
            return Err(arity(&name, &params.len().to_string(), args.len()));
        }
        let mut args = args.to_vec();
        for (i, &want) in params.iter().enumerate() {
            let found = self.sort_of(args[i]);
            if want == Sort::REAL && found == Sort::INT {
                args[i] = self.to_real(args[i]);
            } else if !agree(want, found) {
                return Err(self.wrong_sort(&name, i, &self.sort_text(want), found));
            }
        }
        Ok(self.mk(Head::Fun(f), ret, &args))
    }

    fn checked(&mut self, op: Op, head: Head, args: &[Term]) -> Result<Term, SortError> {
        let (min, max) = op.arity();
        if args.len() < min || args.len() > max {
            let want = if min == max { min.to_string() } else { format!("at least {min}") };
            return Err(arity(op.name(), &want, args.len()));
        }
        if op.is_sequence() {
            return self.on_sequences(op, head, args);
        }
        let row = op.row();
        if row.shape == Shape::Fixed || row.params.len() < 2 || args.len() == row.params.len() {
            self.check_params(op, args)?;
        } else {
            for (i, &a) in args.iter().enumerate() {
                self.check_param(op, row.params[i.min(row.params.len() - 1)], i, a)?;
            }
        }
        if !matches!(row.ret, S::Any | S::Num)
            && !row.params.iter().any(|p| matches!(p, S::Any | S::Num | S::Real))
        {
            return Ok(self.mk(head, builtin_sort(row.ret).unwrap_or(Sort::OPAQUE), args));
        }
        self.generic(op, head, args)
    }

    fn check_params(&self, op: Op, args: &[Term]) -> Result<(), SortError> {
        for (i, (&param, &a)) in op.row().params.iter().zip(args).enumerate() {
            self.check_param(op, param, i, a)?;
        }
        Ok(())
    }

    fn check_param(&self, op: Op, param: S, i: usize, a: Term) -> Result<(), SortError> {
        let found = self.sort_of(a);
        let ok = match param {
            S::Any => true,
            S::Num | S::Real => matches!(found, Sort::INT | Sort::REAL | Sort::OPAQUE),
            _ => builtin_sort(param).is_none_or(|want| agree(want, found)),
        };
        if ok {
            return Ok(());
        }
        let want = match param {
            S::Num => "Int or Real".into(),
            _ => builtin_sort(param).map_or_else(String::new, |s| self.sort_text(s)),
        };
        Err(self.wrong_sort(op.name(), i, &want, found))
    }

    /// Operators with `Any`, `Num` or `Real` in their signature.
    fn generic(&mut self, op: Op, head: Head, args: &[Term]) -> Result<Term, SortError> {
        let row = op.row();
        let flexible =
            |i: usize| matches!(row.params[i.min(row.params.len() - 1)], S::Any | S::Num | S::Real);
        let mut common = if row.params.contains(&S::Real) { Sort::REAL } else { Sort::OPAQUE };
        for (i, &a) in args.iter().enumerate().filter(|&(i, _)| flexible(i)) {
            let found = self.sort_of(a);
            common = match (common, found) {
                (Sort::OPAQUE, s) | (s, Sort::OPAQUE) => s,
                (Sort::INT, Sort::REAL) | (Sort::REAL, Sort::INT) => Sort::REAL,
                (a, b) if agree(a, b) || self.foreign(a) && self.foreign(b) => a,
                (want, found) => {
                    let want = self.sort_text(want);
                    return Err(self.wrong_sort(
                        op.name(),
                        i,
                        &format!("{want} like the arguments before it"),
                        found,
                    ));
                }
            };
        }
        let mut args = args.to_vec();
        if common == Sort::REAL {
            for (_, a) in args.iter_mut().enumerate().filter(|&(i, _)| flexible(i)) {
                if self.sort_of(*a) == Sort::INT {
                    *a = self.to_real(*a);
                }
            }
        }
        let sort = match row.ret {
            S::Any | S::Num => common,
            ret => builtin_sort(ret).unwrap_or(Sort::OPAQUE),
        };
        Ok(self.mk(head, sort, &args))
    }

    /// Operators of sequences: `Str` in the signature is the sort of the sequence, `Any` that of its elements.
    fn on_sequences(&mut self, op: Op, head: Head, args: &[Term]) -> Result<Term, SortError> {
        let row = op.row();
        let param = |i: usize| row.params[i.min(row.params.len() - 1)];
        let found =
            |pool: &Pool| args.iter().map(|&a| pool.sort_of(a)).find(|&s| pool.element_of(s).is_some());
        let seq = match op {
            Op::SeqEmpty => {
                let message = "`seq.empty` is written with its sort: (as seq.empty (Seq T))".into();
                return Err(SortError::new(Code::WrongArity, None, message));
            }
            Op::SeqUnit => self.sequence_of(self.sort_of(args[0])),
            _ => found(self),
        };
        let Some((seq, element)) = seq.and_then(|s| Some((s, self.element_of(s)?))) else {
            let want = if op == Op::SeqUnit { "a sort of elements" } else { "(Seq T)" };
            return Err(self.wrong_sort(op.name(), 0, want, self.sort_of(args[0])));
        };
        let sort = |s: S| match s {
            S::Str => seq,
            S::Any => element,
            s => builtin_sort(s).unwrap_or(Sort::OPAQUE),
        };
        for (i, &a) in args.iter().enumerate() {
            let (want, found) = (sort(param(i)), self.sort_of(a));
            if !agree(want, found) {
                return Err(self.wrong_sort(op.name(), i, &self.sort_text(want), found));
            }
        }
        Ok(self.mk(head, sort(row.ret), args))
    }

    /// `(as seq.empty (Seq T))`
    pub fn empty_sequence(&mut self, sort: Sort) -> Term {
        self.mk(Head::Op(Op::SeqEmpty), sort, &[])
    }

    /// Two foreign sorts may be two names of one sort: `Float32` and `(_ FloatingPoint 8 24)`.
    fn foreign(&self, s: Sort) -> bool {
        self.sort_data(s).kind == crate::term::SortKind::Foreign
    }

    /// An `Int` term as a `Real` one.
    pub fn to_real(&mut self, t: Term) -> Term {
        if let Head::Int(id) = self.head(t) {
            let n = self.int_value(id).clone();
            return self.real(Rat::from(n));
        }
        self.mk(Head::Op(Op::ToReal), Sort::REAL, &[t])
    }

    fn wrong_sort(&self, name: &str, i: usize, want: &str, found: Sort) -> SortError {
        let found = self.sort_text(found);
        let message = format!("argument {} of `{name}` has sort {found}, expected {want}", i + 1);
        SortError::new(Code::IllSorted, Some(i), message)
    }
}

fn arity(name: &str, want: &str, found: usize) -> SortError {
    SortError::new(Code::WrongArity, None, format!("`{name}` takes {want} argument(s), found {found}"))
}

/// Equal, or one of them unknown.
pub fn agree(a: Sort, b: Sort) -> bool {
    a == b || a == Sort::OPAQUE || b == Sort::OPAQUE
}

/// The sort that a signature names; none for `Any` and `Num`.
pub fn builtin_sort(s: S) -> Option<Sort> {
    match s {
        S::Bool => Some(Sort::BOOL),
        S::Int => Some(Sort::INT),
        S::Real => Some(Sort::REAL),
        S::Str => Some(Sort::STRING),
        S::Re => Some(Sort::REGLAN),
        S::Any | S::Num => None,
    }
}
