//! What is read can be written and read again, and stays what it was.

use proptest::prelude::*;
use smt::op::{S, Shape, TABLE};
use smt::print::{Printer, Sharing, script_text, term_text};
use smt::script::Command;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::symbol::Symbol;
use smt::term::{AttrValue, Attribute};
use smt::{Dialect, Fun, Head, Int, Op, Parsed, Pool, Rat, Script, Sort, Term};
use std::collections::HashSet;

/// Reads `text`, which is well formed.
#[track_caller]
fn parse(text: &str, dialect: Dialect, pool: &mut Pool) -> Script {
    let Parsed { script, diagnostics, .. } = smt::parse(text.as_bytes(), Some(dialect), pool);
    let shown: String = text.chars().take(2_000).collect();
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == smt::Severity::Error).take(5).collect();
    assert!(errors.is_empty(), "{errors:?} in {dialect}: {shown}");
    script
}

fn standard(pool: &Pool, script: &Script) -> String {
    script_text(pool, script, Dialect::Smt26, None, None).expect("2.6 can say every script")
}

/// The script in 2.6 after one trip.
#[track_caller]
fn trip(text: &str) -> String {
    let mut pool = Pool::new();
    let script = parse(text, Dialect::Smt26, &mut pool);
    let written = standard(&pool, &script);
    let mut pool = Pool::new();
    let script = parse(&written, Dialect::Smt26, &mut pool);
    assert_eq!(standard(&pool, &script), written);
    written
}

/// How many errors a text has.
fn errors(text: &str) -> usize {
    smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut Pool::new()).errors()
}

// Equal terms of two pools.

/// The value of a numeric constant, also as it is written: `(- 5)`, `(/ 1.0 3.0)`.
fn number(pool: &Pool, t: Term) -> Option<Rat> {
    let args = pool.args(t);
    match pool.head(t) {
        Head::Int(id) => Some(Rat::from(pool.int_value(id).clone())),
        Head::Real(id) => Some(pool.real_value(id).clone()),
        Head::Op(Op::Neg) if matches!(pool.head(args[0]), Head::Int(_) | Head::Real(_)) => {
            number(pool, args[0]).map(|q| -q)
        }
        Head::Op(Op::Neg) if pool.head(args[0]) == Head::Op(Op::RealDiv) => number(pool, args[0]).map(|q| -q),
        Head::Op(Op::RealDiv)
            if args.len() == 2 && args.iter().all(|&a| matches!(pool.head(a), Head::Real(_))) =>
        {
            number(pool, args[0])?.checked_div(&number(pool, args[1])?)
        }
        _ => None,
    }
}

fn is_number(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Int(_) | Head::Real(_))
}

/// Checks that two terms are the same, functions being known by their names.
fn same(p: &Pool, a: Term, q: &Pool, b: Term) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut stack = vec![(a, b)];
    while let Some((a, b)) = stack.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        let differ = || Err(format!("`{}` is not `{}`", term_text(p, a), term_text(q, b)));
        if p.sort_text(p.sort_of(a)) != q.sort_text(q.sort_of(b)) {
            return differ();
        }
        if (is_number(p, a) || is_number(q, b)) && number(p, a).is_some() && number(p, a) == number(q, b) {
            continue;
        }
        let name = |p: &Pool, s: Symbol| p.names.name(s).to_owned();
        let equal = match (p.head(a), q.head(b)) {
            (Head::Op(x), Head::Op(y)) => x == y,
            (Head::Indexed(x, i), Head::Indexed(y, j)) => x == y && p.index_values(i) == q.index_values(j),
            (Head::Str(x), Head::Str(y)) => p.word(x) == q.word(y),
            (Head::Fun(f), Head::Fun(g)) => p.fun_name(f) == q.fun_name(g),
            (Head::Var(x), Head::Var(y)) | (Head::Opaque(x), Head::Opaque(y)) => name(p, x) == name(q, y),
            (Head::Annot(x), Head::Annot(y)) => {
                let (x, y) = (p.attributes(x), q.attributes(y));
                x.len() == y.len()
                    && x.iter().zip(y).all(|(x, y)| {
                        name(p, x.key) == name(q, y.key)
                            && match (&x.value, &y.value) {
                                (AttrValue::Symbol(x), AttrValue::Symbol(y)) => name(p, *x) == name(q, *y),
                                (AttrValue::Terms(x), AttrValue::Terms(y)) => x.len() == y.len(),
                                (x, y) => x == y,
                            }
                    })
            }
            (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y) && !is_number(p, a),
        };
        let (x, y): (Vec<_>, Vec<_>) = (p.children(a).collect(), q.children(b).collect());
        if !equal || x.len() != y.len() {
            return differ();
        }
        stack.extend(x.into_iter().zip(y));
    }
    Ok(())
}

// Random well-sorted terms.

const SORTS: [Sort; 5] = [Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING, Sort::REGLAN];

/// Names that need bars, look like something else, or hide something.
const ODD_NAMES: [&str; 18] = [
    "x", "a b", "", "0a", "let", "_", "é", "x;y", "\"", "(", "#b01", ":k", "x\ny", "_let_1", "Int", "\\",
    "x!1", "-5",
];

/// Characters at the edges of what the dialects can say.
const EDGES: [u32; 24] = [
    0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x20, 0x22, 0x27, 0x28, 0x30, 0x5C, 0x61, 0x75, 0x78, 0x7B, 0x7D, 0x7E,
    0x7F, 0x80, 0xFF, 0x100, 0xD800, 0xFFFF, 0x2FFFF,
];

/// Makes terms out of a list of choices; when it is used up, terms end.
struct Maker {
    pool: Pool,
    script: Script,
    choices: std::vec::IntoIter<u32>,
    functions: Vec<Fun>,
    scope: Vec<Term>,
    named: usize,
    /// Only what this dialect can say.
    within: Dialect,
}

impl Maker {
    fn new(choices: Vec<u32>, within: Dialect) -> Maker {
        let mut maker = Maker {
            pool: Pool::new(),
            script: Script::default(),
            choices: choices.into_iter(),
            functions: Vec::new(),
            scope: Vec::new(),
            named: 0,
            within,
        };
        maker.declare();
        maker
    }

    fn below(&mut self, n: usize) -> usize {
        self.choices.next().unwrap_or(0) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A constant of every sort, some functions, and a definition.
    fn declare(&mut self) {
        let first = self.below(ODD_NAMES.len());
        for (i, sort) in SORTS.into_iter().enumerate() {
            let name = self.pool.names.intern(ODD_NAMES[(first + 3 * i) % ODD_NAMES.len()]);
            let c = self.pool.declare(name, Box::new([]), sort);
            self.functions.push(c);
            self.script.push(if i % 2 == 0 { Command::DeclareConst(c) } else { Command::DeclareFun(c) });
            let name = self.pool.names.intern(&format!("f {i}"));
            let params = (0..=self.below(3)).map(|_| self.pick(&SORTS)).collect();
            let f = self.pool.declare(name, params, sort);
            self.functions.push(f);
            self.script.push(Command::DeclareFun(f));
        }
        let (x, n) = (self.pool.names.intern("x"), self.pool.names.intern("n n"));
        let vars = [self.pool.var(x, Sort::STRING), self.pool.var(n, Sort::INT)];
        let ret = self.pick(&SORTS);
        self.scope = vars.to_vec();
        let body = self.term(ret, 4);
        self.scope.clear();
        let name = self.pool.names.intern("defined");
        let f = self.pool.declare(name, Box::new([Sort::STRING, Sort::INT]), ret);
        self.pool.define(f, vars.into(), body);
        self.functions.push(f);
        self.script.push(Command::DefineFun(f));
    }

    fn term(&mut self, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.choices.as_slice().is_empty() {
            return self.leaf(sort);
        }
        match self.below(12) {
            0 | 1 => self.leaf(sort),
            2 => self.call(sort, depth),
            3 => self.annotated(sort, depth),
            4 if sort == Sort::BOOL => self.quantified(depth),
            _ => self.application(sort, depth),
        }
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        let known = |m: &Maker, t: Term| m.pool.sort_of(t) == sort;
        let vars: Vec<Term> = self.scope.iter().copied().filter(|&v| known(self, v)).collect();
        if !vars.is_empty() && self.below(2) == 0 {
            return self.pick(&vars);
        }
        if self.below(4) == 0 {
            let constants = self.functions.clone();
            let visible = |m: &Maker, f: Fun| {
                let data = m.pool.fun(f);
                data.params.is_empty() && data.ret == sort && !m.hidden(data.name)
            };
            if let Some(&f) = constants.iter().find(|&&f| visible(self, f)) {
                return self.pool.apply(f, &[]);
            }
        }
        match sort {
            Sort::BOOL => {
                let b = self.below(2) == 0;
                self.pool.bool(b)
            }
            Sort::INT => {
                let n = self.int();
                self.pool.int(n)
            }
            Sort::REAL => {
                let (n, d) = (self.int(), self.int());
                let q = Rat::new(n.clone(), d).unwrap_or_else(|| Rat::from(n));
                self.pool.real(q)
            }
            Sort::STRING => {
                let word: Vec<u32> = (0..self.below(5)).map(|_| self.character()).collect();
                self.pool.string(&word)
            }
            _ if self.within == Dialect::Smt20 => {
                let word = self.leaf(Sort::STRING);
                self.pool.op(Op::StrToRe, &[word]).unwrap()
            }
            _ => {
                let op = self.pick(&[Op::ReNone, Op::ReAll, Op::ReAllchar]);
                self.pool.op(op, &[]).unwrap()
            }
        }
    }

    /// A variable hides functions of its name.
    fn hidden(&self, name: Symbol) -> bool {
        self.scope.iter().any(|&v| self.pool.head(v) == Head::Var(name))
    }

    fn int(&mut self) -> Int {
        let n = Int::from(self.below(1 << 30));
        match self.below(6) {
            0 => -n,
            1 => n.pow(7),
            2 => -n.pow(3),
            3 => Int::from(i64::MIN) + n,
            _ => Int::from(n.to_i64().unwrap_or(0) % 10),
        }
    }

    fn character(&mut self) -> u32 {
        let c = match self.below(3) {
            0 => self.below(0x3_0000) as u32,
            1 => self.below(0x100) as u32,
            _ => self.pick(&EDGES),
        };
        if self.within.has_c_escapes() { c % 0x100 } else { c }
    }

    fn call(&mut self, sort: Sort, depth: usize) -> Term {
        let fits: Vec<Fun> = self
            .functions
            .iter()
            .copied()
            .filter(|&f| self.pool.fun(f).ret == sort && !self.hidden(self.pool.fun(f).name))
            .collect();
        if fits.is_empty() {
            return self.leaf(sort);
        }
        let f = self.pick(&fits);
        let params = self.pool.fun(f).params.clone();
        let args: Vec<Term> = params.iter().map(|&p| self.term(p, depth - 1)).collect();
        self.pool.apply_checked(f, &args).unwrap()
    }

    fn application(&mut self, sort: Sort, depth: usize) -> Term {
        let gives = |s: S| match s {
            S::Bool => sort == Sort::BOOL,
            S::Int => sort == Sort::INT,
            S::Real => sort == Sort::REAL,
            S::Str => sort == Sort::STRING,
            S::Re => sort == Sort::REGLAN,
            S::Any => true,
            S::Num => sort == Sort::INT || sort == Sort::REAL,
        };
        let fits: Vec<usize> =
            (0..TABLE.len()).filter(|&i| gives(TABLE[i].ret) && TABLE[i].op.spoken_in(self.within)).collect();
        let row = &TABLE[self.pick(&fits)];
        let bound = matches!(row.ret, S::Any | S::Num);
        let any = if bound { sort } else { self.pick(&SORTS) };
        let num = if bound { sort } else { self.pick(&[Sort::INT, Sort::REAL]) };
        let more = if row.shape == Shape::Fixed { 0 } else { self.below(3) };
        let params = row.params.iter().chain(std::iter::repeat_n(row.params.last().unwrap_or(&S::Any), more));
        let args: Vec<Term> = params
            .map(|s| match s {
                S::Bool => Sort::BOOL,
                S::Int => Sort::INT,
                S::Real => Sort::REAL,
                S::Str => Sort::STRING,
                S::Re => Sort::REGLAN,
                S::Any => any,
                S::Num => num,
            })
            .map(|s| self.term(s, depth - 1))
            .collect();
        if row.indices > 0 {
            let indices: Vec<Int> = (0..row.indices).map(|_| self.int().abs()).collect();
            return self.pool.indexed(row.op, &indices, &args).unwrap();
        }
        // A single argument is tolerated, but not of `-`, which is another operator then.
        let args = if row.shape == Shape::LeftAssoc && row.op != Op::Sub && self.below(8) == 0 {
            &args[..1]
        } else {
            &args[..]
        };
        self.pool.op(row.op, args).unwrap()
    }

    fn quantified(&mut self, depth: usize) -> Term {
        let outer = self.scope.len();
        let first = self.below(ODD_NAMES.len());
        for i in 0..=self.below(2) {
            let name = ODD_NAMES[(first + i) % ODD_NAMES.len()];
            let (name, sort) = (self.pool.names.intern(name), self.pick(&SORTS));
            let v = self.pool.var(name, sort);
            self.scope.push(v);
        }
        let mut args: Vec<Term> = self.scope[outer..].to_vec();
        let visible = self.visible();
        let saved = std::mem::replace(&mut self.scope, visible);
        args.push(self.term(Sort::BOOL, depth - 1));
        self.scope = saved;
        self.scope.truncate(outer);
        let head = if self.below(2) == 0 { Head::Forall } else { Head::Exists };
        self.pool.mk(head, Sort::BOOL, &args)
    }

    /// The variables in scope that no later one hides.
    fn visible(&self) -> Vec<Term> {
        let mut out: Vec<Term> = Vec::new();
        for (i, &v) in self.scope.iter().enumerate() {
            let later = |w: &Term| self.pool.head(*w) == self.pool.head(v) && *w != v;
            if !self.scope[i + 1..].iter().any(later) {
                out.push(v);
            }
        }
        out
    }

    fn annotated(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.term(sort, depth - 1);
        let mut attributes = Vec::new();
        for _ in 0..=self.below(2) {
            let (key, value) = match self.below(5) {
                0 => {
                    self.named += 1;
                    let name = format!("name {}", self.named);
                    (":named", AttrValue::Symbol(self.pool.names.intern(&name)))
                }
                1 => {
                    let terms = (0..=self.below(2)).map(|_| self.term(Sort::STRING, depth - 1)).collect();
                    (self.pick(&[":pattern", ":no-pattern"]), AttrValue::Terms(terms))
                }
                2 => (":qid", AttrValue::Symbol(self.pool.names.intern("q |r".split('|').next().unwrap()))),
                3 => (":weight", AttrValue::Text("5".into())),
                _ => (":skolem", AttrValue::None),
            };
            let key = self.pool.names.intern(key);
            attributes.push(Attribute { key, value });
        }
        self.pool.annotate(t, attributes.into())
    }
}

/// Why `dialect` cannot say `root`, if it cannot.
fn unsayable(pool: &Pool, root: Term, dialect: Dialect) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        stack.extend(pool.children(t));
        let found = match pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => !op.spoken_in(dialect),
            Head::Str(id) => dialect.has_c_escapes() && pool.word(id).iter().any(|&c| c > 0xFF),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

fn choices(max: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..max)
}

fn defined(pool: &Pool, script: &Script) -> Vec<Term> {
    let body = |f: Fun| pool.fun(f).def.as_ref().map(|d| d.body);
    script
        .commands()
        .filter_map(|c| match c {
            Command::Assert(t) => Some(*t),
            Command::DefineFun(f) => body(*f),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn terms_stay_the_same_in_every_dialect(
        choices in choices(600),
        within in prop::sample::select(&Dialect::ALL[..]),
        lets in any::<bool>(),
    ) {
        let mut m = Maker::new(choices, within);
        for _ in 0..3 {
            let t = m.term(Sort::BOOL, 6);
            m.script.push(Command::Assert(t));
        }
        for entry in &mut m.script.entries {
            entry.lets = lets;
        }
        let terms = defined(&m.pool, &m.script);
        for dialect in Dialect::ALL {
            let written = match script_text(&m.pool, &m.script, dialect, None, None) {
                Ok(written) => written,
                Err(e) => {
                    let expected = terms.iter().any(|&t| unsayable(&m.pool, t, dialect));
                    prop_assert!(expected && dialect != within, "{}", e);
                    continue;
                }
            };
            prop_assert!(!terms.iter().any(|&t| unsayable(&m.pool, t, dialect)), "{}", written);
            let mut pool = Pool::new();
            let script = parse(&written, dialect, &mut pool);
            let got = defined(&pool, &script);
            prop_assert_eq!(terms.len(), got.len());
            for (&a, &b) in terms.iter().zip(&got) {
                same(&m.pool, a, &pool, b).map_err(|e| TestCaseError::fail(format!("{e} in {dialect}: {written}")))?;
            }
        }
    }

    /// Sharing, quantifiers that reuse two names, and `let`: printing must not move a term out of the scope
    /// of its variables, nor into that of others.
    #[test]
    fn sharing_never_captures(choices in prop::collection::vec(any::<(u8, u16, u16)>(), 1..60), always in any::<bool>()) {
        let mut pool = Pool::new();
        let names = ["x", "y"].map(|n| pool.names.intern(n));
        let vars = names.map(|n| pool.var(n, Sort::BOOL));
        let mut terms = vars.to_vec();
        for (kind, i, j) in choices {
            // Rather take what is new, so that terms grow.
            let back = |k: u16| terms[terms.len() - 1 - k as usize % terms.len().min(6)];
            let (a, b) = (back(i), back(j));
            let v = vars[i as usize % 2];
            terms.push(match kind % 8 {
                0 | 1 => pool.mk(Head::Forall, Sort::BOOL, &[v, a]),
                2 => pool.mk(Head::Exists, Sort::BOOL, &[v, b]),
                3 => pool.op(Op::Not, &[a]).unwrap(),
                4 => {
                    let key = pool.names.intern(":pattern");
                    let value = AttrValue::Terms([b].into());
                    pool.annotate(a, [Attribute { key, value }].into())
                }
                5 => pool.op(Op::Or, &[a, b]).unwrap(),
                _ => pool.op(Op::And, &[a, b]).unwrap(),
            });
        }
        let last = *terms.last().unwrap();
        let inner = pool.mk(Head::Forall, Sort::BOOL, &[vars[0], last]);
        let closed = pool.mk(Head::Forall, Sort::BOOL, &[vars[1], inner]);
        let mut script = Script::default();
        script.push(Command::Assert(closed));
        script.entries[0].lets = always;
        let written = standard(&pool, &script);
        let read = parse(&written, Dialect::Smt26, &mut pool);
        prop_assert!(read.assertions().eq([closed]), "{}", written);
        // As an open term, and as the body of a definition whose parameters are those variables.
        let mut text = String::new();
        Printer::new(&pool, Dialect::Smt26).sharing(Sharing::Always).term(last, &mut text).unwrap();
        let define = format!("(define-fun f ((x Bool) (y Bool)) Bool {text})");
        let read = parse(&define, Dialect::Smt26, &mut pool);
        let written = standard(&pool, &read);
        prop_assert_eq!(defined(&pool, &read), [last], "{}", define);
        let read = parse(&written, Dialect::Smt26, &mut pool);
        prop_assert_eq!(defined(&pool, &read), [last], "{}", written);
    }
}

// The lossless layer.

/// Some text with much structure and many mistakes.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "(", ")", " ", "\n", "\r\n", "\t", "; c", "\"", "\"\"", "|", "\\", "a", "0", "1.5", "#x1F", "#b01", ":k",
            "(assert ", "\n(check-sat)", "(let ((x 1)) ", "é", "\u{feff}", "\u{0}", "#", ".", "str.++",
        ]).prop_map(|s| s.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_byte_is_lost(text in scrap(), old in any::<bool>()) {
        let quoting = if old { Quoting::Backslash } else { Quoting::Doubled };
        let mut reader = Reader::new(&text, quoting);
        let mut tree = Tree::default();
        let mut pieces: Vec<&[u8]> = vec![&text[..reader.position()]];
        loop {
            let trivia = reader.skip_trivia();
            pieces.push(trivia.of(&text));
            if !reader.read(&mut tree) {
                break;
            }
            pieces.push(tree.node(0).span.of(&text));
            for (i, node) in tree.nodes.iter().enumerate() {
                prop_assert!(node.next as usize > i && node.next as usize <= tree.nodes.len());
                let mut end = node.span.start;
                for child in tree.children(i as u32) {
                    let span = tree.node(child).span;
                    prop_assert!(end <= span.start && span.end <= node.span.end);
                    end = span.end;
                }
            }
        }
        prop_assert_eq!(pieces.concat(), text);
    }

    #[test]
    fn scripts_of_any_bytes_say_where_they_are_wrong(text in scrap()) {
        for dialect in Dialect::ALL {
            let parsed = smt::parse(&text, Some(dialect), &mut Pool::new());
            for d in &parsed.diagnostics {
                prop_assert!(d.span.start <= d.span.end && d.span.end as usize <= text.len());
            }
        }
    }
}

/// Atoms are what they look like, whatever stands around them.
#[test]
fn atoms_have_their_kinds() {
    let text = "a |b| :c 1 00 1.5 #x1F #b01 \"s\" 1a #y ) \u{1}";
    let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
    let mut tree = Tree::default();
    let mut kinds = Vec::new();
    while reader.read(&mut tree) {
        kinds.push(tree.node(0).kind);
    }
    use Kind::{Binary, Decimal, Hex, Junk, Keyword, Numeral, Quoted, String, Symbol};
    assert_eq!(
        kinds,
        [Symbol, Quoted, Keyword, Numeral, Numeral, Decimal, Hex, Binary, String, Symbol, Symbol, Junk, Junk]
    );
}

// Sharing.

#[test]
fn shared_terms_print_in_linear_size() {
    let mut pool = Pool::new();
    let mut t = pool.string(&[0x61]);
    for _ in 0..200 {
        t = pool.op(Op::StrConcat, &[t, t]).unwrap();
    }
    let len = pool.op(Op::StrLen, &[t]).unwrap();
    let zero = pool.int(0);
    let positive = pool.op(Op::Gt, &[len, zero]).unwrap();
    let mut script = Script::default();
    script.push(Command::Assert(positive));
    let written = standard(&pool, &script);
    assert!(written.len() < 200 * 60, "{}", written.len());
    let read = parse(&written, Dialect::Smt26, &mut pool);
    assert!(read.assertions().eq([positive]));
}

#[test]
fn shared_terms_below_quantifiers_stay_there() {
    let mut pool = Pool::new();
    let x = pool.names.intern("x");
    let v = pool.var(x, Sort::STRING);
    let mut t = v;
    for _ in 0..200 {
        t = pool.op(Op::StrConcat, &[t, t]).unwrap();
    }
    let equal = pool.op(Op::Eq, &[t, v]).unwrap();
    let inner = pool.mk(Head::Exists, Sort::BOOL, &[v, equal]);
    let both = pool.op(Op::And, &[equal, inner, equal, inner]).unwrap();
    let all = pool.mk(Head::Forall, Sort::BOOL, &[v, both]);
    let mut script = Script::default();
    script.push(Command::Assert(all));
    let written = standard(&pool, &script);
    assert!(written.len() < 2 * 200 * 60, "{}", written.len());
    let read = parse(&written, Dialect::Smt26, &mut pool);
    assert!(read.assertions().eq([all]), "{written}");
}

/// Sharing between the inside and the outside of quantifiers, and between quantifiers.
#[test]
fn terms_shared_across_quantifiers_print_in_linear_size() {
    let mut pool = Pool::new();
    let (x, y) = (pool.names.intern("x"), pool.names.intern("y"));
    let (x, y) = (pool.var(x, Sort::BOOL), pool.var(y, Sort::BOOL));
    for start in [x, pool.bool(true)] {
        let mut t = start;
        for i in 0..200 {
            let v = if i % 2 == 0 {
                y
            } else {
                let name = pool.names.intern(&format!("z{i}"));
                pool.var(name, Sort::BOOL)
            };
            let inner = pool.op(Op::And, &[v, t]).unwrap();
            let one = pool.mk(Head::Forall, Sort::BOOL, &[v, inner]);
            let other = pool.mk(Head::Exists, Sort::BOOL, &[v, inner]);
            t = if i % 3 == 0 {
                pool.op(Op::Or, &[one, other]).unwrap()
            } else {
                pool.op(Op::Or, &[t, one]).unwrap()
            };
        }
        let all = pool.mk(Head::Forall, Sort::BOOL, &[x, t]);
        let mut script = Script::default();
        script.push(Command::Assert(all));
        let written = standard(&pool, &script);
        assert!(written.len() < 200 * 200, "{}", written.len());
        let read = parse(&written, Dialect::Smt26, &mut pool);
        assert!(read.assertions().eq([all]), "{written}");
    }
}

#[test]
fn shared_terms_in_patterns_print_in_linear_size() {
    let mut text = String::from("\"a\"");
    for _ in 0..100 {
        text = format!("(let ((s {text})) (str.++ s s))");
    }
    let written = trip(&format!("(assert (forall ((x Int)) (! true :pattern ({text}))))"));
    assert!(written.len() < 100 * 60, "{}", written.len());
}

#[test]
fn names_of_let_are_free_names() {
    let text = "(declare-const _let_1 Int)\n(assert (let ((y (+ _let_1 1))) (= y y)))\n";
    assert_eq!(
        trip(text),
        "(declare-const _let_1 Int)\n(assert (let ((_let__1 (+ _let_1 1))) (= _let__1 _let__1)))\n"
    );
}

// Depth.

const DEEP: usize = 1_000_000;

/// Deep enough for a recursion to show; for further shapes.
const QUITE_DEEP: usize = 100_000;

/// Runs on a stack on which nothing can recurse deeply.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap();
    if let Err(e) = thread.join() {
        std::panic::resume_unwind(e);
    }
}

fn nest(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(DEEP), after.repeat(DEEP))
}

fn less(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(QUITE_DEEP), after.repeat(QUITE_DEEP))
}

/// Reads, writes, and reads again; both are the same text.
fn deep_trip(text: String) {
    on_a_small_stack(move || {
        let mut pool = Pool::new();
        let script = parse(&text, Dialect::Smt26, &mut pool);
        let written = standard(&pool, &script);
        drop((script, pool));
        let mut pool = Pool::new();
        let script = parse(&written, Dialect::Smt26, &mut pool);
        assert!(standard(&pool, &script) == written);
        drop(pool);
        drop(script);
    });
}

#[test]
fn deep_not() {
    deep_trip(format!("(assert {})", nest("(not ", "true", ")")));
}

#[test]
fn deep_concatenation() {
    deep_trip(format!("(assert (= \"\" {}))", nest("(str.++ \"a\" ", "\"\"", ")")));
    deep_trip(format!("(assert (= \"\" {}))", less("(str.++ ", "\"\"", " \"a\")")));
}

#[test]
fn deep_ite() {
    deep_trip(format!("(assert {})", nest("(ite true ", "true", " false)")));
    deep_trip(format!("(assert {})", less("(ite ", "true", " true false)")));
}

#[test]
fn deep_let() {
    deep_trip(format!("(assert (let ((x true)) {}))", nest("(let ((x (not x))) ", "x", ")")));
    deep_trip(format!("(assert {})", less("(let ((x ", "true", ")) (not x))")));
}

#[test]
fn deep_sharing() {
    deep_trip(format!("(assert (let ((x true)) {}))", nest("(let ((x (and x x))) ", "x", ")")));
}

#[test]
fn deep_quantifiers() {
    deep_trip(format!("(assert {})", nest("(forall ((x Int)) ", "(= x 1)", ")")));
    deep_trip(format!("(assert {})", less("(exists ((x Int)) (and (= x 1) ", "(= x 1)", "))")));
}

#[test]
fn deep_quantifiers_with_let() {
    deep_trip(format!("(assert {})", nest("(forall ((x Int)) (let ((y x)) ", "(= y 1)", "))")));
}

#[test]
fn deep_regular_expressions() {
    deep_trip(format!("(assert (str.in_re \"\" {}))", nest("(re.* ", "re.all", ")")));
    deep_trip(format!("(assert (str.in_re \"\" {}))", less("((_ re.loop 1 2) ", "re.all", ")")));
}

#[test]
fn deep_annotations() {
    deep_trip(format!("(assert {})", nest("(! ", "true", " :weight 1)")));
    deep_trip(format!("(assert (! true :pattern ({})))", less("(not ", "true", ")")));
}

#[test]
fn deep_functions() {
    let call = less("(f ", "0", ")");
    deep_trip(format!("(declare-fun f (Int) Int)\n(assert (= 0 {call}))"));
    deep_trip(format!("(define-fun-rec f ((x Int)) Int {})", less("(f ", "x", ")")));
}

#[test]
fn deep_texts_that_are_carried_along() {
    deep_trip(format!("(set-info :source {})", nest("(a ", "b", ")")));
    deep_trip(format!("(set-option :strange {})", less("(", "", ")")));
    deep_trip(format!("(frobnicate {})", nest("(a ", "\"b\"", ")")));
    deep_trip(format!("(declare-datatypes ((T 0)) {})", nest("(a ", "b", ")")));
    deep_trip(format!("(assert {})", less("(bvnot ", "#b1", ")")));
    deep_trip(format!("(assert (match {} ((x true))))", less("(c ", "d", ")")));
}

#[test]
fn deep_lambdas() {
    deep_trip(format!("(assert (= 1 {}))", less("(@ (lambda ((x Int)) ", "x", ") 1)")));
    on_a_small_stack(|| {
        let text = format!("(assert {})", less("(lambda ((x Int)) ", "x", ")"));
        assert!(smt::parse(text.as_bytes(), None, &mut Pool::new()).errors() <= 1);
    });
}

#[test]
fn deep_and_wrong() {
    on_a_small_stack(|| {
        for (text, want) in [
            (
                format!("(assert {})", nest("(not ", "1", ")")),
                "argument 1 of `not` has sort Int, it should be Bool",
            ),
            (format!("(assert {})", nest("(not ", "y", ")")), "unknown symbol `y`"),
            (nest("(assert ", "", ""), "this `(` is never closed"),
            (nest("", "(assert true)", ")"), "`)` without a matching `(`"),
            (
                format!("(declare-const x {})", nest("(Array Int ", "Int", ")")),
                "a sort nested deeper than 200 levels",
            ),
        ] {
            let parsed = smt::parse(text.as_bytes(), None, &mut Pool::new());
            assert!(!parsed.is_ok());
            assert_eq!(parsed.diagnostics[0].message, want);
        }
    });
}

#[test]
fn deep_answers() {
    on_a_small_stack(|| {
        let mut pool = Pool::new();
        let value = nest("(str.++ \"a\" ", "x", ")");
        let text = format!("sat\n((define-fun x () String {value}))\n((x {value}))\n{}", nest("(", "", ""));
        let items = smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut pool);
        assert!(matches!(&items[1], smt::answer::Item::Model(funs) if funs.len() == 1));
        assert!(matches!(&items[2], smt::answer::Item::Values(values) if values.len() == 1));
        assert!(matches!(&items[3], smt::answer::Item::Truncated(_)));
    });
}

/// Nothing here is quadratic in the number of names.
#[test]
fn wide_terms() {
    let n = 20_000;
    let many = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let start = std::time::Instant::now();
    for text in [
        format!("(assert (forall ({}) (= x0 1)))", many(&|i| format!("(x{i} Int)"))),
        format!("(assert (let ({}) (= x0 1)))", many(&|i| format!("(x{i} {i})"))),
        format!("(assert (and {}))", many(&|i| format!("(! (= {i} 1) :named n{i}) n{i} "))),
        // Each of these quantifiers captures the variable that `y` stands for.
        format!(
            "(assert (forall ((x Int)) (let ((y x)) {}(= x y){})))",
            "(forall ((x Int)) ".repeat(n),
            ")".repeat(n)
        ),
        format!("{}{}", "(push 1)".repeat(n), "(pop 1)".repeat(n)),
        many(&|i| format!("(declare-const x{} Int)", i % (n / 2))),
    ] {
        trip(&text);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn sorts_cannot_grow_without_end() {
    let mut text = String::from("(define-sort S0 (X) (Array X X))\n");
    for i in 0..40 {
        text += &format!("(define-sort S{} (X) (S{i} (S{i} X)))\n", i + 1);
    }
    text += "(declare-const x (S40 Int))\n";
    let parsed = smt::parse(text.as_bytes(), None, &mut Pool::new());
    assert_eq!(parsed.diagnostics[0].message, "a sort of more than 4096 names or 200 levels");
}

// Scopes.

#[test]
fn push_and_pop_scope_declarations() {
    let text = "(push 1)\n(declare-const x Int)\n(declare-sort U 0)\n(assert (= x 1))\n(pop 1)\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors(&format!("{text}(assert (= x 1))")), 1);
    assert_eq!(errors(&format!("{text}(declare-const y U)")), 1);
    let outer = "(declare-const x String)(push 2)(declare-const x Int)(pop)(assert (= x 1))";
    assert_eq!(errors(outer), 1, "the second level had it");
    let outer = "(declare-const x String)(push)(declare-const x Int)(pop)(assert (= x \"\"))";
    assert_eq!(errors(outer), 0);
    assert_eq!(errors("(push 4294967295)(declare-const x Int)(pop 4294967295)(assert (= x x))"), 1);
    assert_eq!(errors("(push 2)(pop 3)"), 1);
    assert_eq!(errors("(push 2)(push 0)(pop 2)(pop 0)(pop)"), 1);
}

#[test]
fn global_declarations_outlive_pop() {
    let text = "(set-option :global-declarations true)\n(push 1)\n(declare-const x Int)\n(pop 1)\n(assert (= x 1))\n";
    assert_eq!(trip(text), text);
    assert_eq!(
        errors("(set-option :global-declarations false)(push 1)(declare-const x Int)(pop 1)(assert (= x 1))"),
        1
    );
}

#[test]
fn reset_forgets_everything() {
    assert_eq!(errors("(declare-const x Int)(reset)(assert (= x 1))"), 1);
    assert_eq!(errors("(declare-sort U 0)(reset)(declare-const x U)"), 1);
    assert_eq!(errors("(push 1)(reset)(pop 1)"), 1);
    assert_eq!(errors("(set-logic QF_LRA)(reset)(declare-const s String)(assert (= 1 (str.len s)))"), 0);
    assert_eq!(errors("(declare-const |let| Int)(reset)(assert (let ((x 1)) (= x 1)))"), 0);
}

#[test]
fn reset_assertions_forgets_levels() {
    assert_eq!(errors("(push 1)(declare-const x Int)(reset-assertions)(assert (= x 1))"), 1);
    assert_eq!(errors("(push 1)(reset-assertions)(pop 1)"), 1);
    let global = "(set-option :global-declarations true)(push 1)(declare-const x Int)(reset-assertions)";
    assert_eq!(errors(&format!("{global}(assert (= x 1))")), 0);
    assert_eq!(errors(&format!("{global}(pop 1)")), 1);
}

#[test]
fn inner_names_hide_outer_ones() {
    let declared = "(declare-const x String)";
    assert_eq!(errors(&format!("{declared}(assert (let ((x 1)) (= x 1)))")), 0);
    assert_eq!(errors(&format!("{declared}(assert (and (let ((x 1)) (= x 1)) (= x \"\")))")), 0);
    assert_eq!(errors(&format!("{declared}(assert (forall ((x Int)) (= x 1)))")), 0);
    assert_eq!(errors(&format!("{declared}(define-fun f ((x Int)) Int (+ x 1))(assert (= x \"\"))")), 0);
    assert_eq!(errors("(assert (let ((x 1) (y x)) (= y 1)))"), 1, "let is parallel");
    assert_eq!(errors("(assert (let ((x 1)) (let ((x (+ x 1)) (y x)) (= x y))))"), 0);
    assert_eq!(errors("(define-fun f ((x Int)) Int x)(assert (= x 1))"), 1);
    // A name that stood for a term of another scope.
    assert_eq!(
        trip("(declare-const x Int)(assert (let ((y x)) (exists ((x Int)) (distinct x y))))"),
        "(declare-const x Int)\n(assert (exists ((x!1 Int)) (distinct x!1 x)))\n"
    );
    assert_eq!(
        trip(
            "(assert (forall ((x Int)) (let ((y (+ x 1))) (exists ((x Int)) (let ((z (+ x 1))) (= z y))))))"
        ),
        "(assert (forall ((x Int)) (exists ((x!1 Int)) (= (+ x!1 1) (+ x 1)))))\n"
    );
    assert_eq!(
        trip(
            "(assert (forall ((x Int) (x!1 Int)) (let ((y x)) (exists ((x Int)) (forall ((x!2 Int)) (= x x!2 y x!1))))))"
        ),
        "(assert (forall ((x Int) (x!1 Int)) (exists ((x!2 Int)) (forall ((x!2!1 Int)) (= x!2 x!2!1 x x!1)))))\n"
    );
}

#[test]
fn reserved_words_are_names_between_bars() {
    let text = "(declare-const |let| Int)\n(declare-fun |forall| (Int) Bool)\n(assert (forall ((|exists| Int)) (|forall| |exists|)))\n(assert (= |let| 1))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors(&format!("{text}(assert (let ((x 1)) (= x |let|)))")), 0);
    assert_eq!(errors("(assert (= |let| 1))"), 1);
    assert_eq!(errors("(assert (= let 1))"), 1);
}

#[test]
fn mutual_recursion() {
    let text = "(define-funs-rec ((even ((n Int)) Bool)(odd ((n Int)) Bool)) ((or (= n 0) (odd (- n 1))) (and (distinct n 0) (even (- n 1)))))\n";
    assert_eq!(trip(text), text);
    let text = "(define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(define-fun f ((n Int)) Int (f n))"), 1, "not recursive");
}

#[test]
fn defined_sorts() {
    let text = "(define-sort Pair (A B) (Array A B))(define-sort Text () String)(declare-const x (Pair Int Text))(declare-const y Text)(assert (= y \"\"))";
    assert_eq!(
        trip(text),
        "(define-sort Pair (A B) (Array A B))\n(define-sort Text () String)\n(declare-const x (Array Int String))\n(declare-const y String)\n(assert (= y \"\"))\n"
    );
    assert_eq!(errors("(define-sort P (A) A)(declare-const x P)"), 1);
    assert_eq!(errors("(define-sort P (A) A)(declare-const x A)"), 1);
    assert_eq!(errors("(declare-sort Int 0)"), 1);
    assert_eq!(errors("(define-sort P (Int) Int)"), 1);
    let own = "(declare-sort Regex 0)\n(declare-const x Regex)\n(declare-const y (Array Regex Int))\n";
    assert_eq!(trip(own), own);
    let odd = "(declare-sort |(| 1)\n(declare-const x (|(| Int))\n";
    assert_eq!(trip(odd), odd);
}

#[test]
fn minus_is_two_operators() {
    let mut pool = Pool::new();
    let script = parse("(assert (= (- 1) (- 1 2) (- 1 2 3) (- 1.5)))", Dialect::Smt26, &mut pool);
    let t = script.assertions().next().unwrap();
    let head = |t: Term| match pool.head(t) {
        Head::Op(Op::ToReal) => pool.head(pool.args(t)[0]),
        head => head,
    };
    let heads: Vec<Head> = pool.args(t).iter().map(|&a| head(a)).collect();
    assert_eq!(heads, [Op::Neg, Op::Sub, Op::Sub, Op::Neg].map(Head::Op));
    assert_eq!(errors("(assert (= (-) 1))"), 1);
    assert_eq!(errors("(declare-fun - (Int) Int)"), 1);
}

#[test]
fn operators_of_any_number_of_arguments() {
    let text = "(declare-const a Int)\n(assert (= a a a a))\n(assert (distinct a 1 2 3))\n(assert (< 1 a 2 3))\n(assert (=> true false true))\n(assert (and true))\n(assert (str.< \"a\" \"b\" \"c\"))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(assert (= 1))"), 1);
    assert_eq!(errors("(assert (distinct 1))"), 1);
    assert_eq!(errors("(assert (and))"), 1);
}

#[test]
fn assumptions_and_values() {
    let text = "(declare-const p Bool)\n(check-sat-assuming (p (not p)))\n(check-sat-assuming ())\n(get-value (p (not p) 1 \"a\"))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(check-sat-assuming (1))"), 1);
}

#[test]
fn names_given_to_terms_are_constants_later() {
    let text = "(declare-const x Int)\n(assert (! (> x 0) :named |a b|))\n(assert (=> |a b| (= x 1)))\n(check-sat-assuming (|a b|))\n(get-value (|a b|))\n";
    assert_eq!(trip(text), text);
    assert_eq!(errors("(push 1)(assert (! true :named a))(pop 1)(assert a)"), 1);
    assert_eq!(errors("(assert (! true :named and))(assert (and true true))"), 1);
}

#[test]
fn names_given_to_terms_are_given_before_they_are_used() {
    let text =
        "(declare-fun k (Bool) Bool)\n(assert (and (! true :named a) (let ((u (k a))) (and (not u) u))))\n";
    assert_eq!(
        trip(text),
        "(declare-fun k (Bool) Bool)\n(assert (and (! true :named a) (and (not (k a)) (k a))))\n"
    );
    let below = "(assert (and (! true :named a) (let ((u (forall ((x Bool)) (= x a)))) (and u u))))";
    assert_eq!(
        trip(below),
        "(assert (and (! true :named a) (and (forall ((x Bool)) (= x a)) (forall ((x Bool)) (= x a)))))\n"
    );
    // What holds both the name and its use may move as one.
    let text = "(assert (let ((y (and (! true :named a) a))) (and y y)))\n";
    assert_eq!(trip(text), text.replace(" y", " _let_1").replace("(y", "(_let_1"));
}

#[test]
fn datatypes_are_carried_along() {
    let text = "(declare-datatypes ((Tree 1)(Nat 0)) ((par (X) ((leaf) (node (left (Tree X)) (val X)))) ((zero) (succ (pred Nat)))))\n(declare-datatype Color ((red) (green)))\n(declare-const t (Tree Int))\n(declare-const c Color)\n(assert (= t (node leaf 1)))\n(assert ((_ is node) t))\n(assert (is-node t))\n(assert (= (val t) 1 (match t ((leaf 0) ((node l v) v)))))\n(assert (= c red))\n";
    assert_eq!(trip(text), text);
    let odd = "(declare-datatypes ((T 0)) (((|(|) (|#b| (|;| Int)))))\n(assert (= |(| (|#b| 1)))\n(assert (= 1 (|;| |(|)))\n";
    assert_eq!(trip(odd), odd);
    // `let` around a `match`, whose text is kept.
    assert_eq!(
        trip(
            "(declare-datatype T ((c)))(declare-const t T)(assert (let ((u t) (v true)) (match u ((c v)))))"
        ),
        "(declare-datatype T ((c)))\n(declare-const t T)\n(assert (let ((v true)) (let ((u t)) (match u ((c v))))))\n"
    );
}

#[test]
fn other_theories_are_carried_along() {
    let text = "(set-logic ALL)
(declare-const b (_ BitVec 8))
(declare-const a (Array Int (Array Int Bool)))
(declare-const s (Seq Int))
(declare-const f (_ FloatingPoint 8 24))
(declare-fun g (Int) Int)
(assert (= (bvadd b #x0F) ((_ extract 7 0) (concat #b1 b))))
(assert (= (select (store a 1 (select a 2)) 1) ((as const (Array Int Bool)) true)))
(assert (= (seq.++ s (seq.unit 1)) (as seq.empty (Seq Int))))
(assert (= (str.++ s s) s))
(assert (fp.leq (fp.add RNE f f) (_ +oo 8 24)))
(assert (= (_ bv5 8) b))
(assert ((_ map g) a))
(assert (= (_ as-array g) g))
";
    assert_eq!(trip(text), text);
    let mut pool = Pool::new();
    let script = parse(text, Dialect::Smt26, &mut pool);
    assert!(script.assertions().all(|t| pool.has_opaque(t)));
}

#[test]
fn functions_that_let_names_are_applied() {
    assert_eq!(
        trip("(assert (let ((g (lambda ((x Int)) x))) (= (g 1) 2)))"),
        "(assert (= (@ (lambda ((x Int)) x) 1) 2))\n"
    );
    let text = "(assert (forall ((g (-> Int Int))) (= (g 1) 2)))\n";
    assert_eq!(trip(text), text);
}

#[test]
fn unknown_commands_are_kept() {
    let text =
        "(frobnicate |a b| \"c\"\"d\" (e ; comment\n :f 1.50 #xAF))\n(minimize (str.len x))\n(check-sat)\n";
    assert_eq!(trip(text), text);
    let parsed = smt::parse(text.as_bytes(), None, &mut Pool::new());
    assert_eq!(parsed.diagnostics.len(), 2);
}

#[test]
fn texts_carried_along_keep_their_meaning_in_other_dialects() {
    let to = |text: &str, from: Dialect, to: Dialect| {
        let mut pool = Pool::new();
        let script = parse(text, from, &mut pool);
        script_text(&pool, &script, to, None, None).map_err(|e| e.to_string())
    };
    let old = "(set-info :notes \"a\\\"b\")\n(frobnicate \"\\n\\\"\" x)\n";
    let new = "(set-info :notes \"a\"\"b\")\n(frobnicate \"\\u{a}\"\"\" x)\n";
    assert_eq!(to(old, Dialect::Smt20, Dialect::Smt26).unwrap(), new);
    assert_eq!(to(new, Dialect::Smt26, Dialect::Smt20).unwrap(), old.replace("\\n", "\\x0a"));
    assert_eq!(to(old, Dialect::Smt20, Dialect::Smt20).unwrap(), old.replace("\\n", "\\x0a"));
    assert_eq!(
        to("(frobnicate \"\\u{100}\")", Dialect::Smt26, Dialect::Smt25),
        Err("dialect 2.5 cannot say the character U+0100".into())
    );
    assert_eq!(
        to("(assert (= 1 ((as select Int) (match \"\\x41\" ((x 1))))))", Dialect::Smt25, Dialect::Smt26)
            .unwrap(),
        "(assert (= 1 ((as select Int) (match \"A\" ((x 1))))))\n"
    );
}

#[test]
fn comments_between_commands_are_kept() {
    let text = "; one\n(check-sat) ; two\n;three\n\n(exit)\n; four";
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert_eq!(
        script_text(&pool, &parsed.script, Dialect::Smt26, Some(text.as_bytes()), Some(parsed.trailing))
            .unwrap(),
        "; one\n(check-sat)\n; two\n;three\n(exit)\n; four\n"
    );
}

#[test]
fn decimals_stay_decimals() {
    let text = "(assert (< 0.1 0.25 123.456 1.0 0.00000000000000000001))\n";
    assert_eq!(trip(text), text);
    assert_eq!(trip("(assert (= 00.500 0.5))"), "(assert (= 0.5 0.5))\n");
}

#[test]
fn names_that_another_dialect_takes_cannot_be_said_in_it() {
    let cannot = |text: &str, dialect: Dialect| {
        let mut pool = Pool::new();
        let script = parse(text, Dialect::Smt26, &mut pool);
        script_text(&pool, &script, dialect, None, None).map_err(|e| e.what)
    };
    let own = |name: &str| Err(format!("`{name}` as a name of the script's own"));
    let text = "(declare-fun Concat (Int) Int)(assert (= (Concat 1) 1))";
    assert_eq!(cannot(text, Dialect::Smt20), own("Concat"));
    assert!(cannot(text, Dialect::Smt25).is_ok());
    assert_eq!(cannot("(assert (forall ((Length Int)) (= Length 1)))", Dialect::Smt20), own("Length"));
    assert_eq!(cannot("(declare-fun str.in.re () Int)", Dialect::Norn), own("str.in.re"));
    assert_eq!(cannot("(declare-sort Regex 0)", Dialect::Smt20), own("Regex"));
    let constructor = "(declare-datatype T ((Concat (a Int))))(assert (= (Concat 1) (Concat 2)))";
    assert_eq!(cannot(constructor, Dialect::Smt20), own("Concat"));
    // Even if it is not used: then what is used would be it.
    let selector = "(declare-datatype T ((c (Length Int))))(assert (= (str.len \"\") 0))";
    assert_eq!(cannot(selector, Dialect::Smt20), own("Length"));
}
