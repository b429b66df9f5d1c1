//! Loops between constants: from `c w … = w d …` follows `c w = w d'`, which has a solution only if `c` turns into `d'`.

use super::align::{Cursor, part};
use super::normal::Normal;
use super::split::Split;
use crate::infer::Rule;
use crate::rewrite::loops::rotation;
use crate::theory::{Stop, Theory};
use sat::Context;

impl Theory<'_> {
    /// A conflict if the forms go on with a loop that has no solution.
    pub(crate) fn check_loop(&mut self, ctx: &mut Context<'_>, s: &Split) -> Result<(), Stop> {
        self.hopeless_loop(ctx, &s.a, s.i, &s.b, s.j, s.reverse)?;
        self.hopeless_loop(ctx, &s.b, s.j, &s.a, s.i, s.reverse)
    }

    /// `a` goes on with `w d`, `b` with `c w`.
    fn hopeless_loop(
        &mut self,
        ctx: &mut Context<'_>,
        a: &Normal,
        i: Cursor,
        b: &Normal,
        j: Cursor,
        reverse: bool,
    ) -> Result<(), Stop> {
        let (c, after) = self.run(b, j, reverse);
        if c.is_empty() || i.used > 0 {
            return Ok(());
        }
        // The parts of w, up to a constant in `a`.
        let mut k = 0;
        while let Some(x) = part(a, i.part + k, reverse) {
            if self.word_of(x).is_some() {
                break;
            }
            if part(b, after + k, reverse) != Some(x) {
                return Ok(());
            }
            k += 1;
        }
        let next = Cursor { part: i.part + k, used: 0 };
        let (d, _) = self.run(a, next, reverse);
        if k == 0 || d.len() < c.len() {
            return Ok(());
        }
        let turns = if reverse { rotation(&d[d.len() - c.len()..], &c) } else { rotation(&c, &d[..c.len()]) };
        if turns.is_some() {
            return Ok(());
        }
        let last = self.parts_for(a, next, c.len(), reverse);
        let premises = self.up_to(a, last, b, after + k - 1, reverse);
        Err(self.conflict(ctx, Rule::Loop, &premises))
    }
}
