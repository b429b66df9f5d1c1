//! Operators by other names: a solver that reads `str.to_int` and `str.to.int` must answer both scripts alike.

use std::collections::BTreeMap;

/// The script with other names of symbols. Literals, quoted symbols and comments stay as they are.
pub(super) fn respelled(text: String, names: &BTreeMap<String, String>) -> String {
    if names.is_empty() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (token, after) = rest.split_at(end(rest));
        out.push_str(names.get(token).map_or(token, String::as_str));
        rest = after;
    }
    out
}

/// The length of the first token of a text. A literal with `""` inside is two.
fn end(text: &str) -> usize {
    let closed = |c: char| text[1..].find(c).map_or(text.len(), |at| at + 2);
    match text.as_bytes()[0] {
        b'"' => closed('"'),
        b'|' => closed('|'),
        b';' => closed('\n'),
        _ => match text.find(|c: char| c.is_whitespace() || "()\"|;".contains(c)) {
            None => text.len(),
            Some(0) => text.chars().next().map_or(1, char::len_utf8),
            Some(at) => at,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::respelled;
    use std::collections::BTreeMap;

    #[test]
    fn symbols_are_renamed_and_nothing_else() {
        let names = BTreeMap::from([("str.to_int".to_owned(), "str.to.int".to_owned())]);
        let text = "(assert (= (str.to_int \"str.to_int\") |str.to_int| \"\"\"str.to_int\"))\n; str.to_int\n(str.to_int2)";
        let wanted = "(assert (= (str.to.int \"str.to_int\") |str.to_int| \"\"\"str.to_int\"))\n; str.to_int\n(str.to_int2)";
        assert_eq!(respelled(text.to_owned(), &names), wanted);
        assert_eq!(respelled(text.to_owned(), &BTreeMap::new()), text);
        assert_eq!(respelled("\"open str.to_int".to_owned(), &names), "\"open str.to_int");
    }
}
