//! Numbers of repetitions.

/// A number of repetitions, as in `(_ re.^ n)` or `(_ re.loop n₁ n₂)`.
///
/// Numerals are unbounded, but the length of any word in memory is far below 2⁶⁴. So all numerals
/// from 2⁶⁴ - 1 on may be treated alike for membership. Questions about languages that would depend
/// on them are left undecided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// This many times.
    Exactly(u64),
    /// More times than fit 64 bits.
    Beyond,
}

impl From<u64> for Count {
    fn from(n: u64) -> Count {
        Count::Exactly(n)
    }
}

impl From<Option<u64>> for Count {
    /// `None` is a number that does not fit 64 bits.
    fn from(n: Option<u64>) -> Count {
        n.map_or(Count::Beyond, Count::Exactly)
    }
}

/// The numbers of repetitions that a loop allows: from `lo` to `hi`, where [`Span::INF`] as `hi` is
/// no limit.
///
/// # Numerals beyond 64 bits
///
/// A lower end of 2⁶⁴ - 1 or more becomes 2⁶⁴ - 1, an upper one becomes infinite, and the span is
/// marked as `clamped`. This changes the language, but not for words shorter than 2⁶⁴ - 1. For, if
/// L does not have the empty word, a word in Lᵏ has at least k characters, so no short word is in
/// Lᵏ for the lower end k or any greater one, be it the true or the clamped one; and if it has, Lᵏ
/// grows with k until k reaches the length of the word, so the lower end does not matter and the
/// upper one is as good as infinite. Whether a word is in a language built from others by any
/// operator, complement included, depends on nothing but the membership of its factors in these; so
/// the expression has the correct short words, too.
///
/// But it may be equal to another one, or empty, only for the clamping. The mark is inherited by
/// all expressions above, and where it is found, no such verdict is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Span {
    /// The least number of repetitions.
    pub(super) lo: u64,
    /// The greatest number of repetitions.
    pub(super) hi: u64,
    /// Whether the span replaces one with numerals that are too large.
    pub(super) clamped: bool,
}

impl Span {
    /// No limit.
    pub(super) const INF: u64 = u64::MAX;
    /// Any number of times.
    pub(super) const STAR: Span = Span::new(0, Span::INF);
    /// At least once.
    pub(super) const PLUS: Span = Span::new(1, Span::INF);
    /// At most once.
    pub(super) const OPT: Span = Span::new(0, 1);
    /// Once.
    pub(super) const ONCE: Span = Span::new(1, 1);

    /// From `lo` to `hi` times.
    pub(super) const fn new(lo: u64, hi: u64) -> Span {
        let clamped = false;
        Span { lo, hi, clamped }
    }

    /// The span between two numerals; `None` if the first is greater. Of two that are beyond 64
    /// bits it is not.
    pub(super) fn between(lo: Count, hi: Count) -> Option<Span> {
        let small = |count| match count {
            Count::Exactly(n) if n < u64::MAX => Some(n),
            _ => None,
        };
        match (small(lo), small(hi)) {
            (Some(lo), Some(hi)) => (lo <= hi).then_some(Span::new(lo, hi)),
            (None, Some(_)) => None,
            (lo, None) => Some(Span { lo: lo.unwrap_or(u64::MAX), hi: Span::INF, clamped: true }),
        }
    }

    /// The span after one repetition.
    pub(super) fn less_one(self) -> Span {
        Span {
            lo: self.lo.saturating_sub(1),
            hi: match self.hi {
                Span::INF => Span::INF,
                hi => hi.saturating_sub(1),
            },
            ..self
        }
    }

    /// The span of both one after the other: L{a,b} L{c,d} = L{a+c,b+d}. `None` if a sum is too
    /// great.
    pub(super) fn then(self, other: Span) -> Option<Span> {
        let hi = match (self.hi, other.hi) {
            (Span::INF, _) | (_, Span::INF) => Span::INF,
            (a, b) => a.checked_add(b).filter(|&hi| hi < Span::INF)?,
        };
        Some(Span { lo: self.lo.checked_add(other.lo)?, hi, clamped: self.clamped || other.clamped })
    }

    /// The span of either: L{a,b} ∪ L{c,d} = L{min(a,c),max(b,d)} if there is no gap between the
    /// two, and `None` if there is.
    pub(super) fn or(self, other: Span) -> Option<Span> {
        let touches = |a: Span, b: Span| b.lo <= a.hi.saturating_add(1);
        (touches(self, other) && touches(other, self)).then(|| Span {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            clamped: self.clamped || other.clamped,
        })
    }

    /// The span of a loop of this span around one of span `inner`, if it has one: (L{a,b}){c,d} is
    /// the union of L{ka,kb} for all k from c to d, and that is L{ca,db} unless there is a gap. If
    /// there is any, then after the least k: the gap starts after kb and ends before (k+1)a, and
    /// kb + 1 - (k+1)a does not fall as k rises. `None` also if a product is too great.
    pub(super) fn around(self, inner: Span) -> Option<Span> {
        let times = |k: u64, n: u64| match (k, n) {
            (0, _) | (_, 0) => Some(0),
            (Span::INF, _) | (_, Span::INF) => Some(Span::INF),
            (k, n) => k.checked_mul(n).filter(|&product| product < Span::INF),
        };
        if self.clamped || inner.clamped {
            return None;
        }
        if self.lo < self.hi {
            let (end, next) = (times(self.lo, inner.hi)?, self.lo.checked_add(1)?);
            if times(next, inner.lo)? > end.saturating_add(1) {
                return None;
            }
        }
        Some(Span::new(times(self.lo, inner.lo)?, times(self.hi, inner.hi)?))
    }
}
