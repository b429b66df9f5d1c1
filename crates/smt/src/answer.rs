//! Solvers' output: verdicts, errors, models, values, cores.
//!
//! Output is classified by its shape, not by the commands sent, because solvers stop early, add lines and
//! crash in the middle. Nothing is rejected: output of no known shape is [`Item::Other`], truncated output
//! is [`Item::Truncated`]. Values are read leniently: unknown symbols are abstract values (`U!val!0`,
//! `(as @U_0 U)`), `-5` is a number.

use crate::dialect::Dialect;
use crate::elaborate::{Elaborator, Source};
use crate::script::Command;
use crate::sexpr::{Kind, Reader, Tree};
use crate::term::{Fun, Pool, Term};

/// The answer to `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`
    Unknown,
}

impl Verdict {
    /// As solvers print it.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.code())
    }
}

/// One piece of a solver's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `sat`, `unsat`, `unknown`
    Verdict(Verdict),
    /// The solver reports that it ran out of time.
    Timeout,
    /// `unsupported`
    Unsupported,
    /// `success`
    Success,
    /// `(error "…")`, or a line that starts like an error.
    Error(String),
    /// A model: its definitions, in order.
    Model(Vec<Fun>),
    /// The answer to `get-value`: each term as written, and its value.
    Values(Vec<(String, Term)>),
    /// A list of names: an unsat core, or unsat assumptions.
    Names(Vec<String>),
    /// `()`: an empty core, model or list of values.
    Empty,
    /// `(:reason-unknown …)`
    ReasonUnknown(String),
    /// `(:key value)` other than the reason.
    Info(String, String),
    /// A list that ends with the output: the solver crashed or was killed while printing.
    Truncated(String),
    /// A model or list of values that could not be read, and why.
    Unreadable(String),
    /// Anything else, a line or a list.
    Other(String),
}

/// Reads all of a solver's output. `dialect` is that of its string literals; terms go to `pool`.
pub fn read(output: &[u8], dialect: Dialect, pool: &mut Pool) -> Vec<Item> {
    let mut items = Vec::new();
    let mut reader = Reader::new(output, dialect.quoting());
    let mut tree = Tree::default();
    loop {
        reader.skip_trivia();
        match output.get(reader.position()) {
            None => return items,
            Some(b'(') => {
                let malformed = reader.diagnostics.len();
                reader.read(&mut tree);
                let s = Source { src: output, tree: &tree };
                items.push(if reader.diagnostics.len() > malformed {
                    Item::Truncated(s.lossy(0))
                } else {
                    list(s, dialect, pool)
                });
            }
            Some(_) => {
                let rest = &output[reader.position()..];
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                items.push(line(&String::from_utf8_lossy(&rest[..end])));
                reader.seek(reader.position() + end);
            }
        }
    }
}

fn line(text: &str) -> Item {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    match text {
        "sat" => Item::Verdict(Verdict::Sat),
        "unsat" => Item::Verdict(Verdict::Unsat),
        "unknown" => Item::Verdict(Verdict::Unknown),
        "timeout" => Item::Timeout,
        "unsupported" => Item::Unsupported,
        "success" => Item::Success,
        _ if lower.contains("interrupted by timeout") || lower == "time limit exceeded" => Item::Timeout,
        _ if [
            "error",
            "fatal",
            "assertion violation",
            "unexpected code",
            "segmentation fault",
            "terminate called",
        ]
        .iter()
        .any(|p| lower.starts_with(p)) =>
        {
            Item::Error(text.into())
        }
        _ => Item::Other(text.into()),
    }
}

fn list(s: Source<'_>, dialect: Dialect, pool: &mut Pool) -> Item {
    let children: Vec<u32> = s.tree.children(0).collect();
    let is_list = |&c: &u32| s.kind(c) == Kind::List;
    match children.as_slice() {
        [] => Item::Empty,
        [head, message @ ..] if s.text(*head) == b"error" => {
            Item::Error(message.iter().map(|&m| unquote(&s.lossy(m))).collect::<Vec<_>>().join(" "))
        }
        [key, value] if s.kind(*key) == Kind::Keyword => {
            let value = unquote(&s.lossy(*value));
            if s.text(*key) == b":reason-unknown" {
                Item::ReasonUnknown(value)
            } else {
                Item::Info(s.lossy(*key), value)
            }
        }
        [head, ..] if matches!(s.text(*head), b"define-fun" | b"define-fun-rec" | b"define-const") => {
            model(s, &[0], dialect, pool)
        }
        [head, rest @ ..] if s.text(*head) == b"model" => model(s, rest, dialect, pool),
        all if all.iter().all(|c| is_list(c) && starts_definition(s, *c)) => model(s, all, dialect, pool),
        all if all.iter().all(|c| is_list(c) && s.tree.arity(*c) == 2) => values(s, all, dialect, pool),
        all if all.iter().all(|&c| s.name(c).is_some()) => Item::Names(
            all.iter()
                .map(|&c| String::from_utf8_lossy(s.name(c).unwrap_or_default()).into_owned())
                .collect(),
        ),
        _ => Item::Other(s.lossy(0)),
    }
}

fn unquote(text: &str) -> String {
    match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => text.into(),
    }
}

fn starts_definition(s: Source<'_>, node: u32) -> bool {
    s.tree.children(node).next().is_some_and(|h| {
        matches!(
            s.text(h),
            b"define-fun"
                | b"define-fun-rec"
                | b"define-const"
                | b"declare-fun"
                | b"declare-const"
                | b"declare-sort"
                | b"declare-datatypes"
                | b"declare-datatype"
                | b"forall"
                | b"define-funs-rec"
        )
    })
}

/// Reads the definitions of a model. Declarations of abstract values are read too; sort cardinalities
/// (`forall`) are skipped, as they add nothing to the values.
fn model(s: Source<'_>, parts: &[u32], dialect: Dialect, pool: &mut Pool) -> Item {
    let mut elaborator = Elaborator::lenient(pool, dialect);
    let mut funs = Vec::new();
    // z3 may use an auxiliary function before it defines it: declare all of them first.
    for &p in parts {
        elaborator.predeclare(s, p);
    }
    for &p in parts {
        let head = s.tree.children(p).next().map_or(&b""[..], |h| s.text(h));
        if head == b"forall" {
            continue;
        }
        if !starts_definition(s, p) {
            let text: String = s.lossy(p).chars().take(60).collect();
            return Item::Unreadable(format!("expected a definition at `{text}`"));
        }
        match elaborator.nested_command(s, p) {
            Some(Command::DefineFun(f) | Command::DefineFunRec(f) | Command::DefineConst(f)) => funs.push(f),
            Some(Command::DefineFunsRec(many)) => funs.extend(many),
            Some(_) => {}
            None => return Item::Unreadable(reason(&elaborator, s)),
        }
    }
    Item::Model(funs)
}

fn values(s: Source<'_>, pairs: &[u32], dialect: Dialect, pool: &mut Pool) -> Item {
    let mut elaborator = Elaborator::lenient(pool, dialect);
    let mut out = Vec::new();
    for &pair in pairs {
        let (term, value) = {
            let mut c = s.tree.children(pair);
            (c.next().unwrap_or(pair), c.next().unwrap_or(pair))
        };
        let Some(v) = elaborator.term(s, value) else {
            return Item::Unreadable(reason(&elaborator, s));
        };
        out.push((s.lossy(term), v));
    }
    Item::Values(out)
}

fn reason(e: &Elaborator<'_>, s: Source<'_>) -> String {
    e.diagnostics.iter().rfind(|d| d.severity == crate::diag::Severity::Error).map_or_else(String::new, |d| {
        let text = String::from_utf8_lossy(d.span.of(s.src));
        let text: String = text.chars().take(60).collect();
        format!("{} at `{text}`", d.message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::term_text;

    fn items(output: &str) -> (Pool, Vec<Item>) {
        let mut pool = Pool::new();
        let items = read(output.as_bytes(), Dialect::Smt26, &mut pool);
        (pool, items)
    }

    fn body(pool: &Pool, f: Fun) -> String {
        term_text(pool, pool.fun(f).def.as_ref().expect("defined").body)
    }

    #[test]
    fn words_and_errors() {
        let (_, got) = items(
            "success\nsat\nunsat\nunknown\ntimeout\nunsupported\n(error \"line 1: \"\"x\"\"\")\nWARNING: hm\ncvc5 interrupted by timeout.\nFatal failure within f\n",
        );
        assert_eq!(
            got,
            [
                Item::Success,
                Item::Verdict(Verdict::Sat),
                Item::Verdict(Verdict::Unsat),
                Item::Verdict(Verdict::Unknown),
                Item::Timeout,
                Item::Unsupported,
                Item::Error("line 1: \"x\"".into()),
                Item::Other("WARNING: hm".into()),
                Item::Timeout,
                Item::Error("Fatal failure within f".into()),
            ]
        );
    }

    #[test]
    fn models_bare_and_headed() {
        for text in [
            "(\n  (define-fun x () String \"a\\u{0}b\")\n  (define-fun n () Int (- 123456789012345678901234567890))\n)",
            "(model (define-fun x () String \"a\\u{0}b\") (define-fun n () Int -123456789012345678901234567890))",
        ] {
            let (pool, got) = items(text);
            let [Item::Model(funs)] = &got[..] else { panic!("{got:?}") };
            assert_eq!(pool.fun_name(funs[0]), "x");
            assert_eq!(body(&pool, funs[0]), "\"a\\u{0}b\"");
            assert!(
                body(&pool, funs[1]).contains("123456789012345678901234567890"),
                "{}",
                body(&pool, funs[1])
            );
        }
    }

    #[test]
    fn models_with_functions_universes_and_arrays() {
        let (pool, got) = items(
            "(model\n ;; universe for U:\n ;; U!val!0 U!val!1\n (declare-fun U!val!0 () U)\n (forall ((x U)) (= x U!val!0))\n\
             (define-fun u () U U!val!0)\n (define-fun v () W (as @W_0 W))\n\
             (define-fun f ((x!0 Int) (x!1 String)) Int (ite (and (= x!0 1) (= x!1 \"\")) 2 (k!0 x!0)))\n\
             (define-fun k!0 ((x!0 Int)) Int (+ x!0 1))\n\
             (define-fun a () (Array Int Int) ((as const (Array Int Int)) 0))\n\
             (define-fun g () (-> Int Int) (lambda ((z Int)) (* 2 z)))\n (define-fun q () Real (/ 1.0 3.0)))",
        );
        let [Item::Model(funs)] = &got[..] else { panic!("{got:?}") };
        let names: Vec<_> = funs.iter().map(|&f| pool.fun_name(f)).collect();
        assert_eq!(names, ["u", "v", "f", "k!0", "a", "g", "q"]);
        assert_eq!(body(&pool, funs[2]), "(ite (and (= x!0 1) (= x!1 \"\")) 2 (k!0 x!0))");
        assert_eq!(body(&pool, funs[5]), "(lambda ((z Int)) (* 2 z))");
    }

    #[test]
    fn values_cores_and_reasons() {
        let (pool, got) = items(
            "((x \"\") ((str.len x) (- 1)) (|a b| true))\n(a0 |b c|)\n()\n(:reason-unknown \"incomplete\")\n(:reason-unknown timeout)\n(:name \"Z3\")\n",
        );
        let Item::Values(values) = &got[0] else { panic!("{got:?}") };
        let values: Vec<_> = values.iter().map(|(t, v)| (t.as_str(), term_text(&pool, *v))).collect();
        assert_eq!(values, [("x", "\"\"".into()), ("(str.len x)", "(- 1)".into()), ("|a b|", "true".into())]);
        assert_eq!(got[1], Item::Names(vec!["a0".into(), "b c".into()]));
        assert_eq!(got[2], Item::Empty);
        assert_eq!(got[3], Item::ReasonUnknown("incomplete".into()));
        assert_eq!(got[4], Item::ReasonUnknown("timeout".into()));
        assert_eq!(got[5], Item::Info(":name".into(), "Z3".into()));
    }

    #[test]
    fn escapes_follow_the_solver() {
        let mut pool = Pool::new();
        let old = read(b"((x \"\\x41\\n\xE9\"))", Dialect::Smt25, &mut pool);
        let Item::Values(v) = &old[0] else { panic!("{old:?}") };
        assert_eq!(term_text(&pool, v[0].1), "\"A\\u{a}\\u{e9}\"");
    }

    #[test]
    fn truncated_and_unreadable_output() {
        let (_, got) = items("sat\n(model (define-fun x () String \"ab");
        assert_eq!(got[0], Item::Verdict(Verdict::Sat));
        assert!(matches!(got[1], Item::Truncated(_)), "{got:?}");
        let (_, got) = items("((x (= 1 \"a\")))");
        assert!(matches!(&got[0], Item::Unreadable(why) if why.contains("sort")), "{got:?}");
    }
}
