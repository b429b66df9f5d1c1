//! How constant words can overlap.

/// The longest suffix of `a` that is a prefix of `b`, but not all of `b`.
pub(crate) fn head_overlap(a: &[u32], b: &[u32]) -> usize {
    let most = a.len().min(b.len().saturating_sub(1));
    (1..=most).rev().find(|&k| a[a.len() - k..] == b[..k]).unwrap_or(0)
}

/// The longest prefix of `a` that is a suffix of `b`, but not all of `b`.
pub(crate) fn tail_overlap(a: &[u32], b: &[u32]) -> usize {
    let most = a.len().min(b.len().saturating_sub(1));
    (1..=most).rev().find(|&k| a[..k] == b[b.len() - k..]).unwrap_or(0)
}

/// No occurrence of `t` in `x w y` touches `w`, whatever `x` and `y` are.
pub(crate) fn apart(w: &[u32], t: &[u32]) -> bool {
    !w.is_empty()
        && !t.is_empty()
        && head_overlap(w, t) == 0
        && tail_overlap(w, t) == 0
        && !semantics::strings::contains(w, t)
        && !semantics::strings::contains(t, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps() {
        assert_eq!(head_overlap(b"xab".map(u32::from).as_slice(), b"abc".map(u32::from).as_slice()), 2);
        assert_eq!(tail_overlap(b"cab".map(u32::from).as_slice(), b"abc".map(u32::from).as_slice()), 1);
        assert_eq!(head_overlap(&[1], &[1]), 0);
        assert!(apart(&[1], &[2]) && !apart(&[1], &[2, 1]) && !apart(&[1], &[2, 1, 2]));
    }
}
