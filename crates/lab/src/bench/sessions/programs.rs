//! Parsers and validators, as programs whose branches are formulas over their input.

use super::run::Run;

/// A program: its name, its code, and inputs that take it far.
pub(super) type Program = (&'static str, fn(&mut Run), &'static [&'static str]);

pub(super) const PROGRAMS: &[Program] = &[
    ("email", email, &["ann@mail.org", "a.b@c.d.com", "x@", "@y.z", "no at"]),
    ("key-value", key_value, &["key=value", "Host = example.org", "=", "a=b=c", "# comment", ""]),
    ("url", url, &["http://a.org:80/x?q=1", "https://b.net/", "ftp://c", "http://d.com:99999"]),
    ("date", date, &["2024-02-29", "1999-12-31", "2024-2-1", "20240101ab"]),
    ("tokens", tokens, &["x1 + 42", "(a*b)", "12 34", "f(x)=y"]),
    ("version", version, &["1.2.3", "10.0.1-rc1", "1.2", "v1.2.3"]),
    (
        "header",
        header,
        &["Content-Type: text/html; charset=utf-8", "Content-Length: 42", "X-Empty:", "broken"],
    ),
    ("path", path, &["/usr/lib/../bin/tool.exe", "a/b.c", "..", "/tmp/file.tar.gz"]),
    ("escape", escape, &["a&lt;b", "<b>bold</b>", "plain", "&&"]),
    ("range", range, &["bytes=0-499", "bytes=500-", "bytes=9-3", "items=1-2"]),
];

/// The part of `s` from one position to another.
fn slice(s: &str, from: &str, to: &str) -> String {
    format!("(str.substr {s} {from} (- {to} {from}))")
}

/// The part of `s` after a position.
fn after(s: &str, at: &str, skip: usize) -> String {
    format!("(str.substr {s} (+ {at} {skip}) (- (str.len {s}) (+ {at} {skip})))")
}

fn find(s: &str, needle: &str, from: &str) -> String {
    format!("(str.indexof {s} \"{needle}\" {from})")
}

const DIGITS: &str = "(re.+ (re.range \"0\" \"9\"))";
const LETTER: &str = "(re.union (re.range \"a\" \"z\") (re.range \"A\" \"Z\"))";

fn email(run: &mut Run) {
    if !run.branch("(str.contains x \"@\")") {
        return;
    }
    let at = find("x", "@", "0");
    let (local, domain) = (slice("x", "0", &at), after("x", &at, 1));
    if run.branch(&format!("(= (str.len {local}) 0)")) || run.branch(&format!("(> (str.len {local}) 64)")) {
        return;
    }
    for i in 0..run.number(&format!("(str.len {local})")).min(6) {
        let c = format!("(str.at {local} {i})");
        if !run.branch(&format!("(str.in_re {c} {LETTER})"))
            && !run.branch(&format!("(= {c} \".\")"))
            && !run.branch(&format!("(str.is_digit {c})"))
        {
            return;
        }
    }
    if run.branch(&format!("(str.contains {domain} \"@\")"))
        || !run.branch(&format!("(str.contains {domain} \".\")"))
    {
        return;
    }
    let dot = find(&domain, ".", "0");
    let top = after(&domain, &dot, 1);
    let _ = run.branch(&format!("(>= {dot} 1)"))
        && run.branch(&format!("(>= (str.len {top}) 2)"))
        && run.branch(&format!("(= {top} \"org\")"))
        && run.branch(&format!("(str.prefixof \"mail\" {domain})"));
}

fn key_value(run: &mut Run) {
    if run.branch("(= x \"\")")
        || run.branch("(str.prefixof \"#\" x)")
        || !run.branch("(str.contains x \"=\")")
    {
        return;
    }
    let eq = find("x", "=", "0");
    let (mut key, mut value) = (slice("x", "0", &eq), after("x", &eq, 1));
    if run.branch(&format!("(str.suffixof \" \" {key})")) {
        key = format!("(str.substr {key} 0 (- (str.len {key}) 1))");
    }
    if run.branch(&format!("(str.prefixof \" \" {value})")) {
        value = format!("(str.substr {value} 1 (- (str.len {value}) 1))");
    }
    if run.branch(&format!("(= {key} \"\")")) {
        return;
    }
    for known in ["key", "host", "port"] {
        if run.branch(&format!("(= {key} \"{known}\")")) {
            break;
        }
    }
    if run.branch(&format!("(str.in_re {value} {DIGITS})")) {
        let _ = run.branch(&format!("(< (str.to_int {value}) 65536)"));
    } else if !run.branch(&format!("(str.contains {value} \"=\")")) {
        let _ = run.branch(&format!("(str.contains {value} \".\")"))
            && run.branch(&format!("(= {value} (str.++ \"www.\" {key} \".org\"))"));
    }
}

fn url(run: &mut Run) {
    let Some(scheme) =
        ["http://", "https://", "ftp://"].iter().find(|s| run.branch(&format!("(str.prefixof \"{s}\" x)")))
    else {
        return;
    };
    let rest = after("x", "0", scheme.len());
    let mut host = rest.clone();
    if run.branch(&format!("(str.contains {rest} \"/\")")) {
        let slash = find(&rest, "/", "0");
        host = slice(&rest, "0", &slash);
        let path = after(&rest, &slash, 0);
        if run.branch(&format!("(str.contains {path} \"?\")")) {
            let query = after(&path, &find(&path, "?", "0"), 1);
            let _ = run.branch(&format!("(str.prefixof \"q=\" {query})"));
        }
        let _ = run.branch(&format!("(str.contains {path} \"//\")"));
    }
    if run.branch(&format!("(str.contains {host} \":\")")) {
        let port = after(&host, &find(&host, ":", "0"), 1);
        let _ = run.branch(&format!("(str.in_re {port} {DIGITS})"))
            && run.branch(&format!("(<= (str.to_int {port}) 65535)"))
            && run.branch(&format!("(= (str.to_int {port}) 8080)"));
    }
    let _ =
        !run.branch(&format!("(= {host} \"\")")) && run.branch(&format!("(str.suffixof \".org\" {host})"));
}

fn date(run: &mut Run) {
    if !run.branch("(= (str.len x) 10)")
        || !run.branch("(= (str.at x 4) \"-\")")
        || !run.branch("(= (str.at x 7) \"-\")")
    {
        return;
    }
    let parts = ["(str.substr x 0 4)", "(str.substr x 5 2)", "(str.substr x 8 2)"];
    if !parts.iter().all(|p| run.branch(&format!("(str.in_re {p} {DIGITS})"))) {
        return;
    }
    let [year, month, day] = parts.map(|p| format!("(str.to_int {p})"));
    if !run.branch(&format!("(>= {month} 1)")) || !run.branch(&format!("(<= {month} 12)")) {
        return;
    }
    let long = if run.branch(&format!("(= {month} 2)")) {
        let leap =
            run.branch(&format!("(= (mod {year} 4) 0)")) && !run.branch(&format!("(= (mod {year} 100) 0)"));
        28 + i32::from(leap)
    } else {
        31
    };
    let _ = run.branch(&format!("(>= {day} 1)")) && run.branch(&format!("(<= {day} {long})"));
}

fn tokens(run: &mut Run) {
    let length = run.number("(str.len x)").min(8);
    for i in 0..length {
        if !run.branch(&format!("(< {i} (str.len x))")) {
            return;
        }
        let c = format!("(str.at x {i})");
        let _ = run.branch(&format!("(= {c} \" \")"))
            || run.branch(&format!("(str.is_digit {c})"))
            || run.branch(&format!("(str.in_re {c} {LETTER})"))
            || run.branch(&format!("(str.contains \"+-*/()=\" {c})"));
    }
}

fn version(run: &mut Run) {
    let mut rest = "x".to_owned();
    for _ in 0..2 {
        if !run.branch(&format!("(str.contains {rest} \".\")")) {
            return;
        }
        let dot = find(&rest, ".", "0");
        let part = slice(&rest, "0", &dot);
        if !run.branch(&format!("(str.in_re {part} {DIGITS})"))
            || run.branch(&format!("(> (str.to_int {part}) 9)"))
        {
            return;
        }
        rest = after(&rest, &dot, 1);
    }
    if run.branch(&format!("(str.contains {rest} \"-\")")) {
        let tag = after(&rest, &find(&rest, "-", "0"), 1);
        let _ = run.branch(&format!("(str.prefixof \"rc\" {tag})"));
    } else {
        let _ = run.branch(&format!("(str.in_re {rest} {DIGITS})"));
    }
}

fn header(run: &mut Run) {
    if !run.branch("(str.contains x \":\")") {
        return;
    }
    let colon = find("x", ":", "0");
    let name = slice("x", "0", &colon);
    let value = after("x", &colon, 1);
    if run.branch(&format!("(= {name} \"Content-Length\")")) {
        let number = format!("(str.substr {value} 1 (- (str.len {value}) 1))");
        let _ = run.branch(&format!("(str.prefixof \" \" {value})"))
            && run.branch(&format!("(>= (str.to_int {number}) 0)"))
            && run.branch(&format!("(> (str.to_int {number}) 1000)"));
    } else if run.branch(&format!("(= {name} \"Content-Type\")")) {
        let _ = run.branch(&format!("(str.contains {value} \"/\")"));
        if run.branch(&format!("(str.contains {value} \";\")")) {
            let parameter = after(&value, &find(&value, ";", "0"), 1);
            let _ = run.branch(&format!("(str.contains {parameter} \"charset=\")"))
                && run.branch(&format!("(str.suffixof \"utf-8\" {parameter})"));
        }
    } else {
        let _ =
            run.branch(&format!("(= {value} \"\")")) || run.branch(&format!("(str.prefixof \"X-\" {name})"));
    }
}

fn path(run: &mut Run) {
    let _ = run.branch("(str.prefixof \"/\" x)");
    if run.branch("(str.contains x \"..\")") {
        let _ = run.branch("(= x \"..\")") || run.branch("(str.contains x \"/../\")");
    }
    let slashes = "(- (str.len x) (str.len (str.replace_all x \"/\" \"\")))";
    for n in 0..run.number(slashes).min(4) {
        let _ = run.branch(&format!("(> {slashes} {n})"));
    }
    if run.branch("(str.contains x \".\")") {
        let extension = after("x", &find("x", ".", "0"), 1);
        for known in ["exe", "tar.gz", "c"] {
            if run.branch(&format!("(= {extension} \"{known}\")")) {
                return;
            }
        }
        let _ = run.branch(&format!("(str.contains {extension} \".\")"));
    }
}

fn escape(run: &mut Run) {
    let safe = "(str.replace (str.replace (str.replace x \"&\" \"&amp;\") \"<\" \"&lt;\") \">\" \"&gt;\")";
    if run.branch("(str.contains x \"<\")") {
        let _ = run.branch("(str.contains x \">\")")
            && run.branch("(< (str.indexof x \"<\" 0) (str.indexof x \">\" 0))");
    }
    let _ = run.branch(&format!("(= x {safe})"))
        || run.branch(&format!("(str.contains {safe} \"<\")"))
        || run.branch(&format!("(> (str.len {safe}) (+ (str.len x) 4))"));
    let _ = run.branch("(str.contains x \"&lt;\")")
        && run.branch("(str.contains (str.replace x \"&lt;\" \"<\") \"<b\")");
}

fn range(run: &mut Run) {
    if !run.branch("(str.prefixof \"bytes=\" x)") {
        return;
    }
    let rest = after("x", "0", 6);
    if !run.branch(&format!("(str.contains {rest} \"-\")")) {
        return;
    }
    let dash = find(&rest, "-", "0");
    let (first, last) = (slice(&rest, "0", &dash), after(&rest, &dash, 1));
    if !run.branch(&format!("(str.in_re {first} {DIGITS})")) || run.branch(&format!("(= {last} \"\")")) {
        return;
    }
    let _ = run.branch(&format!("(str.in_re {last} {DIGITS})"))
        && run.branch(&format!("(<= (str.to_int {first}) (str.to_int {last}))"))
        && run.branch(&format!("(> (- (str.to_int {last}) (str.to_int {first})) 1000)"));
}
