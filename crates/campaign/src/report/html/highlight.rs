//! SMT-LIB with its strings, comments, keywords and commands marked, for the page.

/// Words other than commands that are marked after an opening bracket.
const BINDERS: &[&str] = &["exists", "forall", "ite", "let"];

/// `text` as HTML: `<i>` comments, `<u>` strings, `<em>` keywords, `<b>` commands and binders; the rest unchanged.
pub fn highlight(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut rest = text;
    let mut opened = false;
    while let Some(c) = rest.chars().next() {
        let (token, tag) = token(rest, c, opened);
        match tag {
            Some(tag) => {
                out.push_str(&format!("<{tag}>"));
                escape(&mut out, token);
                out.push_str(&format!("</{tag}>"));
            }
            None => escape(&mut out, token),
        }
        opened = c == '(' || (opened && c.is_whitespace());
        rest = &rest[token.len()..];
    }
    out
}

/// The token that `rest` starts with, and its tag.
fn token(rest: &str, c: char, opened: bool) -> (&str, Option<&'static str>) {
    let until = |end: Option<usize>| &rest[..end.unwrap_or(rest.len())];
    match c {
        ';' => (until(rest.find('\n')), Some("i")),
        '"' => (until(string_end(rest)), Some("u")),
        '|' => (until(rest[1..].find('|').map(|i| i + 2)), None),
        c if c == '(' || c == ')' || c.is_whitespace() => (&rest[..c.len_utf8()], None),
        _ => {
            let end = |c: char| c.is_whitespace() || "();\"|".contains(c);
            let word = until(rest.find(end));
            let tag = if word.starts_with(':') { Some("em") } else { None };
            (
                word,
                tag.or((opened && (BINDERS.contains(&word) || smt::symbol::COMMANDS.contains(&word)))
                    .then_some("b")),
            )
        }
    }
}

/// The end of a string; a doubled quote is an escaped one.
fn string_end(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += text[at..].find('"')? + 1;
        if !text[at..].starts_with('"') {
            return Some(at);
        }
        at += 1;
    }
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::highlight;

    #[test]
    fn marks() {
        assert_eq!(
            highlight("(assert (= s \"a\"\"b;<\")) ; c <x>\n(set-info :status sat)"),
            "(<b>assert</b> (= s <u>&quot;a&quot;&quot;b;&lt;&quot;</u>)) <i>; c &lt;x&gt;</i>\n\
             (<b>set-info</b> <em>:status</em> sat)"
        );
    }

    #[test]
    fn takes_anything() {
        assert_eq!(highlight("\"open </script>"), "<u>&quot;open &lt;/script&gt;</u>");
        assert_eq!(highlight("|a ( b|c|"), "|a ( b|c|");
        assert_eq!(highlight("|"), "|");
        assert_eq!(highlight("\""), "<u>&quot;</u>");
        assert_eq!(highlight(""), "");
        assert_eq!(highlight("é(ü"), "é(ü");
    }
}
