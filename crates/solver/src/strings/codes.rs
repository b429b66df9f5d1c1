//! Code points: single characters with one code are one string.

use super::classes::Classes;
use crate::egraph::Node;
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::theory::{Stop, Theory};
use rustc_hash::FxHashMap;
use sat::Context;
use smt::{Head, Int, Op};

impl Theory<'_> {
    /// If the arithmetic model gives two classes one code, they are equal, or the codes differ.
    pub(crate) fn codes(&mut self, ctx: &mut Context<'_>, classes: &Classes) -> Result<(), Stop> {
        let said = self.in_mode(Mode::WithoutEntailment, |th| th.equal_codes(ctx, classes));
        if said { Err(Stop) } else { Ok(()) }
    }

    fn equal_codes(&mut self, ctx: &mut Context<'_>, classes: &Classes) -> bool {
        let mut by_code: FxHashMap<Int, (Node, Node)> = FxHashMap::default();
        let mut said = false;
        for &n in &classes.extended {
            let t = self.eg.term(n);
            if !matches!(self.pool.head(t), Head::Op(Op::StrToCode)) {
                continue;
            }
            let value = self.ar.value(self.pool, self.rw, self.mode, t).floor();
            if value.is_negative() {
                continue;
            }
            let string = self.eg.args(n)[0];
            if self.eg.value(string).is_some() {
                continue;
            }
            said |= self.code_of_constant(ctx, n, string, &value);
            match by_code.get(&value) {
                None => {
                    by_code.insert(value, (n, string));
                }
                Some(&(other, first)) if !self.eg.same(first, string) => {
                    let (s, u) = (self.eg.term(string), self.eg.term(first));
                    let (c, d) = (self.eg.term(n), self.eg.term(other));
                    let zero = self.pool.int(0);
                    let (same_code, real, same) = (self.eq(c, d), self.ge(c, zero), self.eq(s, u));
                    let both = self.and(&[same_code, real]);
                    let not = self.not(both);
                    let formula = self.or(&[not, same]);
                    said |= self.valid(ctx, Rule::CodeInjective, formula);
                }
                Some(_) => {}
            }
        }
        said
    }

    /// If the constant with this code is a term, the string is that, or its code is another.
    fn code_of_constant(&mut self, ctx: &mut Context<'_>, n: Node, string: Node, value: &Int) -> bool {
        let code = value.to_i64().and_then(|c| u32::try_from(c).ok());
        let Some(c) = code.filter(|&c| c <= 0x2FFFF) else { return false };
        let constant = self.pool.string(&[c]);
        if self.eg.node(constant).is_none() {
            return false;
        }
        let (t, s) = (self.eg.term(n), self.eg.term(string));
        let code = self.pool.int(value.clone());
        let (has, is) = (self.eq(t, code), self.eq(s, constant));
        let not = self.not(has);
        let formula = self.or(&[not, is]);
        self.valid(ctx, Rule::CodeInjective, formula)
    }
}
