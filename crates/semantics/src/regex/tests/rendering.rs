//! Terms, read back.

use std::collections::HashMap;

use super::{Random, Tree, lit, words};
use crate::regex::{Count, Re, RegexStore};

/// A parser for the rendered syntax only.
struct Parser<'a> {
    text: &'a str,
    store: &'a mut RegexStore,
    names: HashMap<String, Re>,
}

impl Parser<'_> {
    fn token(&mut self) -> String {
        self.text = self.text.trim_start();
        let length = match self.text.as_bytes()[0] {
            b'(' | b')' => 1,
            b'"' => {
                // Quotes come in pairs inside.
                let end = |at: &usize| !self.text[at + 1..].starts_with('"');
                let quotes: Vec<usize> = self.text.match_indices('"').map(|(at, _)| at).collect();
                let mut inside = quotes[1..].iter().copied();
                let mut at = inside.next().unwrap();
                while !end(&at) {
                    inside.next();
                    at = inside.next().unwrap();
                }
                at + 1
            }
            _ => self.text.find([' ', ')']).unwrap_or(self.text.len()),
        };
        let (token, rest) = self.text.split_at(length);
        self.text = rest;
        token.to_owned()
    }

    fn expect(&mut self, tokens: &[&str]) {
        for &token in tokens {
            assert_eq!(self.token(), token);
        }
    }

    fn literal(&mut self) -> Vec<u32> {
        let token = self.token();
        let inner = token[1..token.len() - 1].replace("\"\"", "\"");
        let mut word = Vec::new();
        let mut rest = &*inner;
        while let Some(c) = rest.chars().next() {
            if let Some(escape) = rest.strip_prefix("\\u{") {
                let (digits, after) = escape.split_once('}').unwrap();
                word.push(u32::from_str_radix(digits, 16).unwrap());
                rest = after;
            } else {
                assert!((' '..='~').contains(&c));
                word.push(u32::from(c));
                rest = &rest[1..];
            }
        }
        word
    }

    fn count(&mut self) -> Count {
        self.token().parse().ok().into()
    }

    fn term(&mut self) -> Re {
        let token = self.token();
        match &*token {
            "re.none" => return self.store.none(),
            "re.all" => return self.store.all(),
            "re.allchar" => return self.store.allchar(),
            "(" => {}
            name => return self.names[name],
        }
        let operator = self.token();
        let term = match &*operator {
            "let" => {
                self.expect(&["(", "("]);
                let name = self.token();
                let value = self.term();
                assert!(self.names.insert(name, value).is_none());
                self.expect(&[")", ")"]);
                self.term()
            }
            "str.to_re" => {
                let word = self.literal();
                self.store.word(&word)
            }
            "re.range" => {
                let (first, last) = (self.literal(), self.literal());
                self.store.range(&first, &last)
            }
            "(" => {
                self.expect(&["_"]);
                let operator = self.token();
                let lo = self.count();
                let hi = if operator == "re.loop" { self.count() } else { lo };
                self.expect(&[")"]);
                let body = self.term();
                self.store.loop_(body, lo, hi)
            }
            operator => {
                let mut arguments = Vec::new();
                while !self.text.trim_start().starts_with(')') {
                    arguments.push(self.term());
                }
                match (operator, &*arguments) {
                    ("re.++", [_, _, ..]) => self.store.concat(&arguments),
                    ("re.union", [_, _, ..]) => self.store.union(&arguments),
                    ("re.inter", [_, _, ..]) => self.store.inter(&arguments),
                    ("re.comp", &[body]) => self.store.comp(body),
                    ("re.*", &[body]) => self.store.star(body),
                    ("re.+", &[body]) => self.store.plus(body),
                    ("re.opt", &[body]) => self.store.opt(body),
                    _ => panic!("{operator}"),
                }
            }
        };
        self.expect(&[")"]);
        term
    }
}

fn parse(text: &str, store: &mut RegexStore) -> Re {
    let names = HashMap::new();
    let mut parser = Parser { text, store, names };
    let term = parser.term();
    assert_eq!(parser.text, "");
    term
}

#[test]
fn terms_can_be_read_back() {
    let words = words("ab", 4);
    let mut random = Random(0x7E87);
    let mut store = RegexStore::new();
    for _ in 0..1500 {
        let tree = random.tree(4);
        let re = tree.build(&mut store);
        let text = store.to_smtlib(re);
        let again = parse(&text, &mut store);
        for w in &words {
            assert_eq!(store.matches(again, w), tree.accepts(w), "{text}");
        }
    }
}

#[test]
fn examples() {
    let mut store = RegexStore::new();
    let a = lit("a").build(&mut store);
    let b = lit("b\"\\\u{7f}\u{2ffff}").build(&mut store);
    let quoted = r#"(str.to_re "b""\u{5c}\u{7f}\u{2ffff}")"#;
    assert_eq!(store.to_smtlib(b), quoted);
    assert_eq!(parse(quoted, &mut store), b);
    let beyond = store.loop_(b, 3, Count::Beyond);
    let text = store.to_smtlib(beyond);
    assert_eq!(text, format!("((_ re.loop 3 18446744073709551616) {quoted})"));
    assert_eq!(parse(&text, &mut store), beyond);
    let power = store.power(b, Count::Beyond);
    assert_eq!(parse(&store.to_smtlib(power), &mut store), power);
    let star = store.star(b);
    let many = store.power(a, 3);
    let many = store.concat(&[many, star, a, star]);
    let expected =
        format!(r#"(let ((r1 (re.* {quoted}))) (re.++ ((_ re.^ 3) (str.to_re "a")) r1 (str.to_re "a") r1))"#);
    assert_eq!(store.to_smtlib(many), expected);
    let at_least = Tree::Concat(vec![Tree::Power(Box::new(lit("ab")), 2), Tree::Star(Box::new(lit("ab")))]);
    let at_least = at_least.build(&mut store);
    let text = store.to_smtlib(at_least);
    assert_eq!(text, r#"(re.++ ((_ re.^ 2) (str.to_re "ab")) (re.* (str.to_re "ab")))"#);
    let class = Tree::Union(vec![lit("a"), Tree::Range(vec![0x30], vec![0x39]), lit("c")]);
    let class = class.build(&mut store);
    assert_eq!(store.to_smtlib(class), r#"(re.union (re.range "0" "9") (str.to_re "a") (str.to_re "c"))"#);
}
