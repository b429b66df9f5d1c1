//! Overlaps of constant strings, in linear time.

use smt::work::spend;

/// The first position of `a` at which `b` can start, if both can be continued.
pub(crate) fn first_start(a: &[u32], b: &[u32]) -> usize {
    start(a.len(), b.len(), |i| a[i], |i| b[i])
}

/// The last position of `a` at which `b` can end, if both can be preceded.
pub(crate) fn last_end(a: &[u32], b: &[u32]) -> usize {
    a.len() - start(a.len(), b.len(), |i| a[a.len() - 1 - i], |i| b[b.len() - 1 - i])
}

/// [`first_start`] of words given by their characters: the search of Knuth, Morris and Pratt. Where the first word ends,
/// the characters that are matched are the longest start of `b` that ends `a`.
fn start(len: usize, needle: usize, a: impl Fn(usize) -> u32, b: impl Fn(usize) -> u32) -> usize {
    if needle == 0 {
        return 0;
    }
    spend((len + needle) / 4);
    // The length of the longest proper border of each non-empty prefix of the needle.
    let mut borders: Vec<usize> = vec![0];
    let extend = |borders: &[usize], mut matched: usize, c: u32| loop {
        if b(matched) == c {
            return matched + 1;
        }
        match matched {
            0 => return 0,
            _ => matched = borders[matched - 1],
        }
    };
    let mut matched = 0;
    for i in 0..len {
        // Borders of longer prefixes than were matched are not needed.
        while borders.len() <= matched {
            let last = borders[borders.len() - 1];
            borders.push(extend(&borders, last, b(borders.len())));
        }
        matched = extend(&borders, matched, a(i));
        if matched == needle {
            return i + 1 - needle;
        }
    }
    len - matched
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

    /// All pairs of words of up to six characters, compared with the definition.
    #[test]
    fn starts_and_ends_are_first_and_last() {
        let words: Vec<Vec<u32>> = (0..7u32)
            .flat_map(|n| (0..1 << n).map(move |bits| (0..n).map(|i| bits >> i & 1).collect()))
            .collect();
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let starts = |&i: &usize| a[i..].iter().zip(b).all(|(x, y)| x == y);
            assert_eq!(first_start(a, b), (0..a.len()).find(starts).unwrap_or(a.len()), "{a:?} {b:?}");
            let ends = |&i: &usize| a[..i].iter().rev().zip(b.iter().rev()).all(|(x, y)| x == y);
            assert_eq!(last_end(a, b), (1..=a.len()).rev().find(ends).unwrap_or(0), "{a:?} {b:?}");
        }
    }

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
