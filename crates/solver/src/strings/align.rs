//! Comparing two forms of one class from one end: F-Unify, endpoints, clashes of constants.
//!
//! Equal components and equal constant characters are passed. The components after them decide:
//!
//! | forms from here on | conclusion |
//! |---|---|
//! | `"a" …` and `"b" …` | conflict |
//! | nothing and `x y` | `x = ""`, `y = ""` |
//! | `x` and `y`, both last | `x = y` |
//! | `x …` and `y …` of equal length | `x = y` |
//! | `x …` of length 2 and `"abc" …` | `x = "ab"` |
//! | anything else | none: the alignment is left to `split.rs` |

use super::form::{Alignment, Direction, Form};
use crate::calculus::{Calculus, Stop, equality};
use crate::infer::Rule;
use std::rc::Rc;

/// The result of a comparison.
#[derive(Debug)]
pub(super) enum Comparison {
    /// The forms agree.
    Equal,
    /// Equalities were derived.
    Facts,
    /// The forms agree up to a place where nothing follows.
    Open(Alignment),
}

/// Compares two forms of one class from one end.
pub(super) fn align(
    c: &mut Calculus<'_>,
    a: &Rc<Form>,
    b: &Rc<Form>,
    direction: Direction,
) -> Result<Comparison, Stop> {
    let mut alignment = Alignment::new(a, b, direction);
    loop {
        c.inferences.tick(1);
        let Alignment { left, right } = &mut alignment;
        let (x, y) = match (left.part_at(left.part), right.part_at(right.part)) {
            (None, None) => return Ok(Comparison::Equal),
            (Some(_), None) => return rest_is_empty(c, &alignment),
            (None, Some(_)) => return rest_is_empty(c, &alignment.flipped()),
            (Some(x), Some(y)) => (x, y),
        };
        if left.used == 0 && right.used == 0 && c.state.egraph.same(x, y) {
            (left.part, right.part) = (left.part + 1, right.part + 1);
            continue;
        }
        match (c.word_of(x), c.word_of(y)) {
            (Some(v), Some(w)) => {
                let (v, w) = (direction.rest(v, left.used), direction.rest(w, right.used));
                let (v_len, w_len) = (v.len(), w.len());
                let n = v_len.min(w_len);
                if direction.common(v, w) < n {
                    return Err(c.conflict(Rule::ConstClash, &alignment.premises()));
                }
                left.advance(n, v_len);
                right.advance(n, w_len);
            }
            (None, None) => return Ok(two_variables(c, alignment)),
            (None, Some(_)) => return Ok(variable_and_word(c, alignment)),
            (Some(_), None) => return Ok(variable_and_word(c, alignment.flipped())),
        }
    }
}

/// The right form has ended: the rest of the left one is empty.
fn rest_is_empty(c: &mut Calculus<'_>, alignment: &Alignment) -> Result<Comparison, Stop> {
    let premises = alignment.all_premises();
    let left = &alignment.left;
    let mut merged = false;
    for k in left.part.. {
        let Some(x) = left.part_at(k) else { break };
        if c.word_of(x).is_some() {
            return Err(c.conflict(Rule::EndEmpty, &premises));
        }
        merged |= c.fact(Rule::EndEmpty, x, c.state.empty, &premises);
    }
    debug_assert!(merged, "a component is not in the class of the empty string");
    Ok(Comparison::Facts)
}

fn two_variables(c: &mut Calculus<'_>, alignment: Alignment) -> Comparison {
    let (x, y) = alignment.components();
    if alignment.left.is_last() && alignment.right.is_last() {
        c.fact(Rule::EndEqual, x, y, &alignment.all_premises());
        return Comparison::Facts;
    }
    let (lx, ly) = (c.len_node(x), c.len_node(y));
    if c.state.egraph.same(lx, ly) {
        let mut premises = alignment.premises();
        premises.extend(equality(lx, ly));
        c.fact(Rule::Unify, x, y, &premises);
        return Comparison::Facts;
    }
    Comparison::Open(alignment)
}

/// The left form continues with a variable, the right one with a constant.
fn variable_and_word(c: &mut Calculus<'_>, alignment: Alignment) -> Comparison {
    let Alignment { left, right } = &alignment;
    let x = left.component();
    let (word, next) = right.constant(c);
    if left.is_last() && next == right.form.parts.len() {
        let w = c.word_node(&word);
        c.fact(Rule::EndEqual, x, w, &alignment.all_premises());
        return Comparison::Facts;
    }
    let len = c.len_node(x);
    if let Some(value) = c.state.egraph.value(len)
        && let Some(n) = c.natural_of(value)
        && n <= word.len()
    {
        let w = c.word_node(alignment.direction().first(&word, n));
        let touched = right.last_touched(c, n);
        let mut premises = alignment.premises_to(left.part, touched);
        premises.extend(equality(len, value));
        c.fact(Rule::ConstUnify, x, w, &premises);
        return Comparison::Facts;
    }
    Comparison::Open(alignment)
}
