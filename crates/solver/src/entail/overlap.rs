//! Overlaps of constant strings.

/// The first position of `a` at which `b` can start, if both can be continued.
pub(crate) fn first_start(a: &[u32], b: &[u32]) -> usize {
    let fits = |&i: &usize| {
        let k = b.len().min(a.len() - i);
        a[i..i + k] == b[..k]
    };
    (0..a.len()).find(fits).unwrap_or(a.len())
}

/// The last position of `a` at which `b` can end, if both can be preceded.
pub(crate) fn last_end(a: &[u32], b: &[u32]) -> usize {
    let fits = |&i: &usize| {
        let k = b.len().min(i);
        a[i - k..i] == b[b.len() - k..]
    };
    (1..=a.len()).rev().find(fits).unwrap_or(0)
}

/// Whether no occurrence of `t` in `x w y` overlaps `w`, for all `x` and `y`.
pub(crate) fn disjoint(w: &[u32], t: &[u32]) -> bool {
    !w.is_empty()
        && !t.is_empty()
        && first_start(w, t) == w.len()
        && last_end(w, t) == 0
        && !semantics::strings::contains(t, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps() {
        let word = |s: &str| s.bytes().map(u32::from).collect::<Vec<u32>>();
        assert_eq!(first_start(&word("xab"), &word("abc")), 1);
        assert_eq!(first_start(&word("xaby"), &word("ab")), 1);
        assert_eq!(first_start(&word("xaby"), &word("c")), 4);
        assert_eq!(last_end(&word("cab"), &word("abc")), 1);
        assert_eq!(last_end(&word("cabx"), &word("ab")), 3);
        assert_eq!(last_end(&word("cab"), &word("x")), 0);
        assert!(disjoint(&[1], &[2]) && !disjoint(&[1], &[2, 1]) && !disjoint(&[1], &[2, 1, 2]));
    }
}
