//! Random well-sorted terms keep their meaning in every dialect that can express them.

use super::*;

const SORTS: [Sort; 5] = [Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING, Sort::REGLAN];

/// Names that need bars, look like something else, or hide something.
const ODD_NAMES: [&str; 18] = [
    "x", "a b", "", "0a", "let", "_", "é", "x;y", "\"", "(", "#b01", ":k", "x\ny", "_let_1", "Int", "\\",
    "x!1", "-5",
];

/// Characters at the limits of the dialects.
const EDGES: [u32; 24] = [
    0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x20, 0x22, 0x27, 0x28, 0x30, 0x5C, 0x61, 0x75, 0x78, 0x7B, 0x7D, 0x7E,
    0x7F, 0x80, 0xFF, 0x100, 0xD800, 0xFFFF, 0x2FFFF,
];

/// Builds terms from a list of choices; terms end with the list.
struct Maker {
    pool: Pool,
    script: Script,
    choices: std::vec::IntoIter<u32>,
    functions: Vec<Fun>,
    scope: Vec<Term>,
    named: usize,
    /// Only operators of this dialect.
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
            (0..TABLE.len()).filter(|&i| gives(TABLE[i].ret) && TABLE[i].op.is_in(self.within)).collect();
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

/// `dialect` cannot express `root`.
fn is_inexpressible(pool: &Pool, root: Term, dialect: Dialect) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        stack.extend(pool.children(t));
        let found = match pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => !op.is_in(dialect),
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
                    let expected = terms.iter().any(|&t| is_inexpressible(&m.pool, t, dialect));
                    prop_assert!(expected && dialect != within, "{}", e);
                    continue;
                }
            };
            prop_assert!(!terms.iter().any(|&t| is_inexpressible(&m.pool, t, dialect)), "{}", written);
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
            // Prefer new terms, so that terms grow.
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
