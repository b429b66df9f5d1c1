//! Short names: `x`, `y`, `z`, `a`, …, `w`, `x0`, `x1`, …

use smt::Pool;

/// Short names that no script with these terms uses, the shortest first.
pub(super) fn unused(pool: &Pool) -> impl Iterator<Item = String> + '_ {
    short().filter(|name| pool.names.lookup(name).is_none())
}

/// All short names.
pub(super) fn short() -> impl Iterator<Item = String> {
    let letters = ('x'..='z').chain('a'..='w').map(String::from);
    letters.chain((0..).map(|n: u32| format!("x{n}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_use_are_skipped() {
        let mut pool = Pool::new();
        pool.names.intern("x");
        assert_eq!(unused(&pool).take(3).collect::<Vec<_>>(), ["y", "z", "a"]);
        assert_eq!(short().nth(26).as_deref(), Some("x0"));
    }
}
