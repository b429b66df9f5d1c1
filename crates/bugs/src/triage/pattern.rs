//! Patterns in terms, both as text: s-expressions with wildcards.

use smt::sexpr::{Kind, Quoting, Reader, Tree};

/// S-expressions of a text.
struct Parsed<'t> {
    text: &'t str,
    trees: Vec<Tree>,
}

impl<'t> Parsed<'t> {
    fn new(text: &'t str) -> Parsed<'t> {
        let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
        let (mut trees, mut tree) = (Vec::new(), Tree::default());
        while reader.read(&mut tree) {
            trees.push(std::mem::take(&mut tree));
        }
        Parsed { text, trees }
    }

    fn word(&self, tree: &Tree, node: u32) -> &'t str {
        let span = tree.node(node).span;
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// `pattern`, in which `_` stands for any term, is in the text of a script.
pub(super) fn is_in_script(pattern: &str, script: &str) -> bool {
    let (pattern, script) = (Parsed::new(pattern), Parsed::new(script));
    let any = |word: &str, _: Kind| word == "_";
    pattern.trees.len() == 1
        && script.trees.iter().any(|t| occurs(&pattern, &pattern.trees[0], &script, t, &any))
}

/// All assertions of a shape are in another one, with any terms but constants in place of variables. Shapes of sessions are in no other one.
pub(super) fn is_in_shape(part: &str, whole: &str) -> bool {
    if part.is_empty() || part.contains('!') || whole.contains('!') || part.contains('#') {
        return false;
    }
    let (part, whole) = (Parsed::new(part), Parsed::new(whole));
    let constant = |kind: Kind| matches!(kind, Kind::String | Kind::Numeral | Kind::Decimal);
    let variable = |word: &str, kind: Kind| matches!(word, "s" | "i" | "b" | "r") && !constant(kind);
    part.trees
        .iter()
        .all(|p| p.nodes.len() > 1 && whole.trees.iter().any(|t| occurs(&part, p, &whole, t, &variable)))
}

/// A tree is at a node of another one.
fn occurs(
    of: &Parsed<'_>,
    pattern: &Tree,
    within: &Parsed<'_>,
    tree: &Tree,
    any: &dyn Fn(&str, Kind) -> bool,
) -> bool {
    (0..tree.nodes.len() as u32).any(|at| {
        smt::work::spend(1);
        matches(of, pattern, within, (tree, at), any)
    })
}

fn matches(
    of: &Parsed<'_>,
    pattern: &Tree,
    within: &Parsed<'_>,
    (tree, at): (&Tree, u32),
    any: &dyn Fn(&str, Kind) -> bool,
) -> bool {
    let mut pairs = vec![(0, at)];
    while let Some((p, t)) = pairs.pop() {
        let (kind, word) = (pattern.node(p).kind, of.word(pattern, p));
        if kind == Kind::Symbol && any(word, tree.node(t).kind) {
            continue;
        }
        if kind != tree.node(t).kind || pattern.arity(p) != tree.arity(t) {
            return false;
        }
        if kind != Kind::List && word != within.word(tree, t) {
            return false;
        }
        pairs.extend(pattern.children(p).zip(tree.children(t)));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_at_any_depth() {
        let script = "(declare-const x String)\n(assert (not (= (str.replace x \"\" (str.++ x x)) \"a\")))\n(check-sat)";
        assert!(is_in_script("(str.replace _ \"\" _)", script));
        assert!(is_in_script("(= _ \"a\")", script));
        assert!(!is_in_script("(str.replace _ \"a\" _)", script));
        assert!(!is_in_script("(str.replace _ \"\")", script), "another number of arguments");
        assert!(!is_in_script("_ _", script), "one expression only");
    }

    #[test]
    fn shapes_contain_shapes_with_fewer_assertions_and_terms() {
        let small = "(= s (str.replace s \"\" s))";
        assert!(is_in_shape(small, "(= s (str.replace (str.++ s s) \"\" s)) (< 1 (str.len s))"));
        assert!(is_in_shape(small, "(or b (= (str.at s 1) (str.replace s \"\" s)))"));
        assert!(!is_in_shape(small, "(= s (str.replace s s s))"), "a constant is not a variable");
        assert!(!is_in_shape(small, "(= \"\" (str.replace s \"\" s))"), "nor the converse");
        assert!(!is_in_shape("s", "(= s s)"), "a variable alone is no pattern");
        assert!(!is_in_shape(small, "!push 1 (= s (str.replace s \"\" s)) !check"));
    }

    #[test]
    fn deep_terms_do_not_overflow() {
        let deep = "(not ".repeat(200_000) + "b" + &")".repeat(200_000);
        assert!(is_in_shape("(not b)", &deep));
    }
}
