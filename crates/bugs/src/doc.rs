//! Scripts as the reducer edits them, and the order in which they get simpler.

use rustc_hash::FxHashSet;
use semantics::certificate::{CORE, DROP, MODEL, STATUS};
use semantics::{Instance, Truth, ambiguity};
use smt::print::{Printer, Sharing};
use smt::script::Entry;
use smt::symbol::Symbol;
use smt::{Command, Diagnostic, Dialect, Fun, Head, Op, Parsed, Pool, Script, Severity, Term};

/// A script with its terms, without its truth. It is not changed: an edit makes a new one, with a pool of its own, so that terms and
/// functions of two scripts are matched by name.
#[derive(Clone, Debug)]
pub struct Doc {
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
    text: String,
    size: Size,
    doubtful: bool,
}

/// What reduction minimises, in this order. Every edit makes it strictly smaller, so that reduction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Bytes of the text without `set-info` and `set-option`. Of an assertion the term counts only, so that `(and p q)` is larger
    /// than two assertions.
    pub bytes: usize,
    /// Bytes of `set-info` and `set-option`.
    pub settings: usize,
    /// How far characters, digits and names are from `a`, `0` and `x`.
    pub oddness: u64,
    /// Literals that come before other arguments of a commutative operator.
    pub disorder: usize,
}

/// Operators whose arguments may be in any order.
pub(crate) const COMMUTATIVE: &[Op] =
    &[Op::Eq, Op::Distinct, Op::And, Op::Or, Op::Xor, Op::Add, Op::Mul, Op::ReUnion, Op::ReInter];

/// The effect of an edit on the models of each check of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The answers stay the same, by construction.
    Equivalent,
    /// Every model stays a model, or becomes one with values for new constants: `sat` stays `sat`, by construction.
    Weaker,
    /// Every model was one, or becomes one with values for old constants: `unsat` stays `unsat`, by construction.
    Stronger,
    /// Nothing is known.
    Any,
}

impl Effect {
    /// The effect of one edit after another.
    pub fn then(self, next: Effect) -> Effect {
        match (self, next) {
            (a, Effect::Equivalent) => a,
            (Effect::Equivalent, b) => b,
            (a, b) if a == b => a,
            _ => Effect::Any,
        }
    }
}

impl Doc {
    /// Reads a text in any dialect. The errors are those of the reader.
    pub fn from_text(source: &[u8]) -> Result<Doc, Vec<Diagnostic>> {
        Doc::read(source, None)
    }

    /// Reads a text in a dialect; it is detected if not given.
    pub(crate) fn read(source: &[u8], dialect: Option<Dialect>) -> Result<Doc, Vec<Diagnostic>> {
        let mut pool = Pool::new();
        pool.read_datatypes();
        let parsed = smt::parse(source, dialect, &mut pool);
        if parsed.is_ok() {
            return Ok(Doc::new(pool, parsed));
        }
        Err(parsed.diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect())
    }

    fn new(pool: Pool, parsed: Parsed) -> Doc {
        let Parsed { script, diagnostics, .. } = parsed;
        let doubtful = ambiguity::redeclaration(&diagnostics).is_some() || has_hidden_names(&pool, &script);
        let (text, size) = print(&pool, &script);
        Doc { pool, script, text, size, doubtful }
    }

    /// The script with a truth.
    pub fn with_truth(&self, truth: Truth) -> Instance {
        Instance { pool: self.pool.clone(), script: self.script.clone(), truth }
    }

    /// The text in SMT-LIB 2.6, without comments and without certificates.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, owned.
    pub fn to_text(&self) -> String {
        self.text.clone()
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// A name means two things: it is declared twice, or a variable hides it. No effect of an edit is known then.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// The number of assertions.
    pub fn assertions(&self) -> usize {
        self.script.assertions().count()
    }

    /// The terms of a command: asserted, assumed, requested, or bodies of definitions.
    pub(crate) fn roots<'d>(&'d self, command: &'d Command) -> impl Iterator<Item = Term> + 'd {
        let terms: &[Term] = match command {
            Command::Assert(t) => std::slice::from_ref(t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => ts,
            _ => &[],
        };
        let bodies = defined(command).iter().filter_map(|&f| self.pool.fun(f).def.as_ref().map(|d| d.body));
        terms.iter().copied().chain(bodies)
    }

    /// All of them.
    pub(crate) fn all_roots(&self) -> impl Iterator<Item = Term> + '_ {
        self.script.commands().flat_map(|c| self.roots(c))
    }
}

/// The functions that a command defines.
pub(crate) fn defined(command: &Command) -> &[Fun] {
    match command {
        Command::DefineFun(f) | Command::DefineConst(f) | Command::DefineFunRec(f) => std::slice::from_ref(f),
        Command::DefineFunsRec(funs) => funs,
        _ => &[],
    }
}

/// The attributes that state the truth of the script that was read; they are not about the scripts made from it.
const CERTIFICATE: [&str; 4] = [STATUS, MODEL, CORE, DROP];

/// The text of a script, and its size.
pub(crate) fn print(pool: &Pool, script: &Script) -> (String, Size) {
    let mut text = String::with_capacity(1024);
    let mut size = Size { bytes: 0, settings: 0, oddness: 0, disorder: 0 };
    let mut printer = Printer::new(pool, Dialect::Smt26);
    for entry in &script.entries {
        let from = text.len();
        print_entry(pool, entry, &mut printer, &mut text);
        let len = text.len() - from;
        match entry.command {
            Command::SetInfo(..) | Command::SetOption(..) => size.settings += len,
            Command::Assert(_) => size.bytes += len - "(assert )\n".len(),
            _ => size.bytes += len,
        }
    }
    size.oddness = oddness(text.as_bytes());
    size.disorder = disorder(&text);
    (text, size)
}

fn print_entry(pool: &Pool, entry: &Entry, printer: &mut Printer<'_>, out: &mut String) {
    if matches!(&entry.command, Command::SetInfo(key, _) if CERTIFICATE.contains(&pool.names.name(*key))) {
        return;
    }
    let written = if entry.lets {
        Printer::new(pool, Dialect::Smt26).sharing(Sharing::Always).command(&entry.command, out)
    } else {
        printer.command(&entry.command, out)
    };
    written.expect("2.6 can express every term");
    out.push('\n');
}

/// The sum over all characters. Within literals letters come first, then digits; outside digits come first, then `x`, `y`, `z` and the
/// other letters.
fn oddness(text: &[u8]) -> u64 {
    let mut quoted = false;
    let rank = |&c: &u8| {
        quoted ^= c == b'"';
        u64::from(match c {
            b'a'..=b'z' if quoted => c - b'a',
            b'0'..=b'9' if quoted => c - b'0' + 26,
            b'0'..=b'9' => c - b'0',
            b'x'..=b'z' => c - b'x' + 10,
            b'a'..=b'w' => c - b'a' + 13,
            _ => 40 + c / 4,
        })
    };
    text.iter().map(rank).sum()
}

/// The pairs of a literal and a later argument that is none, of commutative operators.
fn disorder(text: &str) -> usize {
    // Of each open parenthesis: whether its operator is commutative, and the literals so far. The operator itself is no argument.
    let mut open: Vec<(Option<bool>, usize)> = Vec::new();
    let mut sum = 0;
    let mut other = |open: &mut Vec<(Option<bool>, usize)>| {
        if let Some((Some(true), literals)) = open.last() {
            sum += literals;
        }
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = token(rest, first);
        match first {
            '(' => {
                other(&mut open);
                open.push((None, 0));
            }
            ')' => drop(open.pop()),
            c if c.is_whitespace() => {}
            _ => match open.last_mut() {
                Some((op @ None, _)) => *op = Some(COMMUTATIVE.iter().any(|o| o.name() == &rest[..len])),
                Some((_, literals)) if first == '"' || first.is_ascii_digit() => *literals += 1,
                _ => other(&mut open),
            },
        }
        rest = &rest[len..];
    }
    sum
}

/// The length of the token at the start of a text.
fn token(text: &str, first: char) -> usize {
    match first {
        '(' | ')' => 1,
        c if c.is_whitespace() => c.len_utf8(),
        // `""` is a quote within the literal.
        '"' => {
            let mut at = 1;
            while let Some(end) = text[at..].find('"') {
                at += end + 1;
                if !text[at..].starts_with('"') {
                    return at;
                }
                at += 1;
            }
            text.len()
        }
        '|' => text[1..].find('|').map_or(text.len(), |end| end + 2),
        _ => text
            .find(|c: char| c.is_whitespace() || "()\"|".contains(c))
            .unwrap_or(text.len())
            .max(first.len_utf8()),
    }
}

/// A variable has the name of a function.
fn has_hidden_names(pool: &Pool, script: &Script) -> bool {
    let globals = script.commands().flat_map(|c| match c {
        Command::DeclareFun(f) | Command::DeclareConst(f) => std::slice::from_ref(f),
        c => defined(c),
    });
    let globals: FxHashSet<Symbol> = globals.map(|&f| pool.fun(f).name).collect();
    (0..pool.len()).any(|i| matches!(pool.head(Term(i as u32)), Head::Var(name) if globals.contains(&name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> Doc {
        Doc::from_text(text.as_bytes()).expect("a script")
    }

    #[test]
    fn sizes_order_scripts_by_bytes_then_settings_then_oddness() {
        let base = doc("(declare-const x String)(assert (= x \"a\"))");
        let larger = [
            "(declare-const x String)(assert (= x \"aa\"))",
            "(set-info :source |x|)(declare-const x String)(assert (= x \"a\"))",
            "(declare-const x String)(assert (= x \"b\"))",
            "(declare-const y String)(assert (= y \"a\"))",
        ];
        for text in larger {
            assert!(doc(text).size() > base.size(), "{text}");
        }
    }

    #[test]
    fn literals_come_last() {
        let cases = [
            ("(= x \"a\")", 0),
            ("(= \"a\" x)", 1),
            ("(distinct \"\" y \"(\" x)", 3),
            ("(distinct y x \"\" \"a\"\"b\")", 0),
            ("(= \"a\" (str.++ \"b\" x))", 1),
            ("(and p (= 0 (str.len |( 0|)))", 1),
            ("(str.++ \"a\" x)", 0),
            ("(< 0 x 1)", 0),
            ("", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(disorder(text), expected, "{text}");
        }
    }

    #[test]
    fn two_assertions_are_smaller_than_their_conjunction() {
        let one = doc("(declare-const x Bool)(assert (and x (not x)))");
        let two = doc("(declare-const x Bool)(assert x)(assert (not x))");
        assert!(two.size() < one.size());
    }

    #[test]
    fn the_text_states_no_truth() {
        let text = doc("(set-info :status sat)(set-info :source |x|)(check-sat)").to_text();
        assert_eq!(text, "(set-info :source |x|)\n(check-sat)\n");
    }

    #[test]
    fn names_with_two_meanings_make_a_script_doubtful() {
        assert!(doc("(declare-const x Int)(declare-const x Int)").is_doubtful());
        assert!(
            doc("(declare-const x Int)(assert (= x 1))(assert (forall ((x Int)) (= x x)))").is_doubtful()
        );
        assert!(
            !doc("(declare-const x Int)(assert (= x 1))(assert (forall ((y Int)) (= y y)))").is_doubtful()
        );
    }

    #[test]
    fn effects_compose() {
        use Effect::*;
        assert_eq!(Weaker.then(Equivalent), Weaker);
        assert_eq!(Equivalent.then(Stronger), Stronger);
        assert_eq!(Weaker.then(Stronger), Any);
    }
}
