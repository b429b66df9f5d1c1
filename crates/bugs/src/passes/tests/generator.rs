//! Small random scripts over a few constants.

use synth::dice::Dice;

/// A random script.
pub(super) fn script(seed: u64, number: u64) -> String {
    let mut g = Generator {
        dice: Dice::new(seed, number),
        bound: Vec::new(),
        names: 0,
        usable: Vec::new(),
        defined: false,
    };
    let mut out = String::from("(set-logic ALL)\n(set-option :produce-models true)\n");
    for (name, sort) in
        [("xx", "String"), ("yy", "String"), ("nn", "Int"), ("mm", "Int"), ("pp", "Bool"), ("qq", "Bool")]
    {
        out.push_str(&format!("(declare-fun {name} () {sort})\n"));
    }
    out.push_str(&g.definitions());
    let steps = 3 + g.dice.index(5);
    let mut depth = 0;
    for _ in 0..steps {
        out.push_str(&g.command(&mut depth));
    }
    out.push_str("(check-sat)\n(get-model)\n");
    out
}

struct Generator {
    dice: Dice,
    /// Variables in scope, of sort `Bool`.
    bound: Vec<String>,
    names: usize,
    /// Names that may be used.
    usable: Vec<String>,
    /// The functions `ff` and `gg` are defined.
    defined: bool,
}

impl Generator {
    fn definitions(&mut self) -> String {
        if self.dice.one_in(2) {
            return String::new();
        }
        self.bound.push("aa".into());
        let body = self.formula(2);
        self.bound.clear();
        let text = format!(
            "(define-fun ff ((aa Bool)) Bool {body})\n(define-fun gg () String {})\n",
            self.string(1)
        );
        self.defined = true;
        text
    }

    fn command(&mut self, depth: &mut u32) -> String {
        match self.dice.index(12) {
            0 => {
                *depth += 1;
                "(push 1)\n".into()
            }
            1 if *depth > 0 => {
                *depth -= 1;
                "(check-sat)\n(pop 1)\n".into()
            }
            2 => format!("(check-sat-assuming ({} (not qq)))\n", self.dice.pick(&["pp", "qq", "(not pp)"])),
            3 if self.dice.one_in(3) => {
                *depth = 0;
                self.usable.clear();
                "(check-sat)\n(reset-assertions)\n".into()
            }
            4 => format!("(assert (= {} {}))\n", self.dice.pick(&["xx", "yy"]), self.string(1)),
            5 | 6 => {
                self.names += 1;
                let (name, formula) = (format!("name{}", self.names), self.formula(2));
                if *depth == 0 {
                    self.usable.push(name.clone());
                }
                format!("(assert (! {formula} :named {name}))\n")
            }
            _ => format!("(assert {})\n", self.formula(3)),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            let mut atoms = vec!["pp".to_owned(), "qq".into(), "true".into(), "false".into()];
            atoms.extend(self.bound.iter().flat_map(|v| [v.clone(), v.clone()]));
            return self.dice.pick(&atoms).clone();
        }
        let d = depth - 1;
        match self.dice.index(21) {
            18 if self.defined => format!("(ff {})", self.formula(d)),
            19 if !self.usable.is_empty() => self.dice.pick(&self.usable).clone(),
            20 => format!("(distinct {} {} {})", self.int(d), self.int(d), self.int(d)),
            0 => format!("(and {} {} {})", self.formula(d), self.formula(d), self.formula(d)),
            1 => format!("(or {} {})", self.formula(d), self.formula(d)),
            2 => format!("(not {})", self.formula(d)),
            3 => format!("(=> {} {})", self.formula(d), self.formula(d)),
            4 => format!("(xor {} {})", self.formula(d), self.formula(d)),
            5 => format!("(ite {} {} {})", self.formula(d), self.formula(d), self.formula(d)),
            6 => format!("(= {} {})", self.formula(d), self.formula(d)),
            7 | 8 => format!("(str.in_re {} {})", self.string(d), self.regex(d)),
            9 => format!("(= {} {})", self.string(d), self.string(d)),
            10 => format!(
                "({} {} {})",
                self.dice.pick(&["str.<=", "str.prefixof", "str.contains", "distinct"]),
                self.string(d),
                self.string(d)
            ),
            11 | 12 => format!(
                "({} {} {} {})",
                self.dice.pick(&["<=", "<", ">=", "="]),
                self.int(d),
                self.int(d),
                self.int(d)
            ),
            13 | 14 => {
                format!("({} {} {})", self.dice.pick(&["<=", "<", ">", ">="]), self.int(d), self.int(d))
            }
            15 | 16 => self.quantified(d),
            _ => format!("(! {} :weight 1)", self.formula(d)),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let level = if self.dice.one_in(3) { 0 } else { self.bound.len() };
        let (v, w) = (format!("v{level}"), format!("w{level}"));
        self.bound.extend([v.clone(), w.clone()]);
        let body = self.formula(depth);
        self.bound.truncate(self.bound.len() - 2);
        format!("({} (({v} Bool) ({w} Bool)) {body})", self.dice.pick(&["forall", "exists"]))
    }

    fn string(&mut self, depth: usize) -> String {
        if depth == 0 {
            return (*self.dice.pick(&["xx", "yy", "xx", "\"\"", "\"a\"", "\"ab\""])).into();
        }
        let d = depth - 1;
        match self.dice.index(7) {
            0 if self.defined => "gg".into(),
            0 | 1 => format!("(str.++ {} {})", self.string(d), self.string(d)),
            2 => format!("(str.replace_all {} {} {})", self.string(d), self.string(d), self.string(d)),
            3 => format!("(str.at {} {})", self.string(d), self.int(d)),
            4 => format!("(str.substr {} {} {})", self.string(d), self.int(d), self.int(d)),
            5 => format!("(ite {} {} {})", self.formula(d), self.string(d), self.string(d)),
            _ => self.string(0),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return (*self.dice.pick(&["nn", "mm", "nn", "0", "1", "3"])).into();
        }
        let d = depth - 1;
        match self.dice.index(6) {
            0 => format!("(+ {} {})", self.int(d), self.int(d)),
            1 => format!("(- {} {})", self.int(d), self.int(d)),
            2 => format!("(- {})", self.int(d)),
            3 => format!("(str.len {})", self.string(d)),
            4 => format!("(ite {} {} {})", self.formula(d), self.int(d), self.int(d)),
            _ => self.int(0),
        }
    }

    fn regex(&mut self, depth: usize) -> String {
        if depth == 0 {
            return (*self.dice.pick(&[
                "re.all",
                "re.allchar",
                "re.none",
                "(str.to_re \"a\")",
                "(re.range \"a\" \"c\")",
                "(str.to_re yy)",
            ]))
            .into();
        }
        let d = depth - 1;
        match self.dice.index(9) {
            0 => format!("(re.union {} {})", self.regex(d), self.regex(d)),
            1 => format!("(re.inter {} {})", self.regex(d), self.regex(d)),
            2 => format!("(re.++ {} {})", self.regex(d), self.regex(d)),
            3 => format!("({} {})", self.dice.pick(&["re.*", "re.+", "re.opt", "re.comp"]), self.regex(d)),
            4 => format!("(re.diff {} {})", self.regex(d), self.regex(d)),
            5 | 6 => {
                let low = self.dice.index(3);
                let high = self.dice.index(4);
                format!("((_ re.loop {low} {high}) {})", self.regex(d))
            }
            7 => format!("((_ re.^ {}) {})", self.dice.index(3), self.regex(d)),
            _ => self.regex(0),
        }
    }
}
