//! Expressions as SMT-LIB terms.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::node::{Node, Re};
use super::span::Span;
use super::store::RegexStore;

/// Printed for any numeral that does not fit 64 bits.
const BEYOND: &str = "18446744073709551616";

/// Something that is still to be written.
enum Item {
    Text(String),
    Close,
    Space,
    Term(Re),
}

impl RegexStore {
    /// The expression as a term of the theory, with only the operators of the standard.
    ///
    /// It is simplified in some ways and need not look as it was built, but is the same language.
    /// (Except that numerals beyond 64 bits are all written as 2⁶⁴.) What occurs in it more than
    /// once is bound by `let`, so the length is linear in the number of different parts.
    pub fn to_smtlib(&self, r: Re) -> String {
        let shared = self.shared(r);
        let names: FxHashMap<Re, usize> = (1..).zip(&shared).map(|(n, &r)| (r, n)).collect();
        let mut text = String::new();
        for (n, &r) in (1..).zip(&shared) {
            let _ = write!(text, "(let ((r{n} ");
            self.write_term(r, &names, &mut text);
            text.push_str(")) ");
        }
        match names.get(&r) {
            Some(n) => {
                let _ = write!(text, "r{n}");
            }
            None => self.write_term(r, &names, &mut text),
        }
        text.extend(shared.iter().map(|_| ')'));
        text
    }

    /// The operators that occur more than once in an expression, each after those it contains.
    fn shared(&self, root: Re) -> Vec<Re> {
        let mut uses: FxHashMap<Re, usize> = FxHashMap::default();
        let mut order = Vec::new();
        let mut pending = vec![(root, false)];
        while let Some((r, leaving)) = pending.pop() {
            if leaving {
                order.push(r);
                continue;
            }
            let uses = uses.entry(r).or_default();
            *uses += 1;
            if *uses == 1 {
                pending.push((r, true));
                for part in self.written_parts(r) {
                    pending.push((part, false));
                }
            }
        }
        order.retain(|r| uses[r] > 1 && !self.is_brief(*r));
        order
    }

    /// Whether the term of an expression is too short to deserve a name.
    fn is_brief(&self, r: Re) -> bool {
        match *self.node(r) {
            _ if r == Re::ALL => true,
            Node::Class(ref set) => set.intervals().len() == 1,
            Node::Word { text, start } => self.suffix(text, start).len() <= 8,
            ref node => node.children().is_empty(),
        }
    }

    /// The subterms of the term of an expression, with repetitions.
    fn written_parts(&self, r: Re) -> SmallVec<[Re; 2]> {
        match *self.node(r) {
            _ if r == Re::ALL => SmallVec::new(),
            // A product of two loops.
            Node::Loop(body, Span { lo: 2.., hi, .. }) if hi == Span::INF => SmallVec::from([body, body]),
            ref node => node.children().into(),
        }
    }

    /// Writes one term, with names for those parts that have one (but not for the term itself).
    fn write_term(&self, root: Re, names: &FxHashMap<Re, usize>, text: &mut String) {
        let mut items = Vec::new();
        self.open(root, names, text, &mut items);
        while let Some(item) = items.pop() {
            match item {
                Item::Text(part) => text.push_str(&part),
                Item::Close => text.push(')'),
                Item::Space => text.push(' '),
                Item::Term(r) => match names.get(&r) {
                    Some(n) => {
                        let _ = write!(text, "r{n}");
                    }
                    None => self.open(r, names, text, &mut items),
                },
            }
        }
    }

    /// Writes the beginning of a term and pushes what comes after it, last things first.
    fn open(&self, r: Re, names: &FxHashMap<Re, usize>, text: &mut String, items: &mut Vec<Item>) {
        let mut apply = |text: &mut String, operator: &str, arguments: &[Re]| {
            text.push('(');
            text.push_str(operator);
            items.push(Item::Close);
            for &argument in arguments.iter().rev() {
                items.extend([Item::Term(argument), Item::Space]);
            }
        };
        match *self.node(r) {
            _ if r == Re::ALL => text.push_str("re.all"),
            _ if r == Re::ALLCHAR => text.push_str("re.allchar"),
            Node::Free | Node::None => text.push_str("re.none"),
            Node::Epsilon => text.push_str("(str.to_re \"\")"),
            Node::Class(ref set) => write_class(set.intervals(), text),
            Node::Word { text: t, start } => write_word(self.suffix(t, start), text),
            Node::Lexicon(_) | Node::State { .. } => unreachable!("no value is such an expression"),
            Node::Concat([head, mut tail]) => {
                let mut parts = vec![head];
                while let Node::Concat([next, rest]) = *self.node(tail)
                    && !names.contains_key(&tail)
                {
                    parts.push(next);
                    tail = rest;
                }
                parts.push(tail);
                apply(text, "re.++", &parts);
            }
            Node::Union(ref members) => match **members {
                [Re::EPSILON, only] => apply(text, "re.opt", &[only]),
                _ => apply(text, "re.union", members),
            },
            Node::Inter(ref members) => apply(text, "re.inter", members),
            Node::Comp(body) => apply(text, "re.comp", &[body]),
            Node::Loop(body, span) => match (span.lo, span.hi, span.clamped) {
                (u64::MAX, _, true) => apply(text, &format!("(_ re.^ {BEYOND})"), &[body]),
                (lo, Span::INF, true) => {
                    apply(text, &format!("(_ re.loop {lo} {BEYOND})"), &[body]);
                }
                (0, Span::INF, _) => apply(text, "re.*", &[body]),
                (1, Span::INF, _) => apply(text, "re.+", &[body]),
                (lo, Span::INF, _) => {
                    let _ = write!(text, "(re.++ ((_ re.^ {lo}) ");
                    let star = Item::Text(String::from(") (re.* "));
                    items.extend([Item::Close, Item::Close]);
                    items.extend([Item::Term(body), star, Item::Term(body)]);
                }
                (lo, hi, _) if lo == hi => apply(text, &format!("(_ re.^ {lo})"), &[body]),
                (lo, hi, _) => apply(text, &format!("(_ re.loop {lo} {hi})"), &[body]),
            },
        }
    }
}

/// Writes a set of characters.
fn write_class(intervals: &[(u32, u32)], text: &mut String) {
    if intervals.len() > 1 {
        text.push_str("(re.union");
    }
    for &(first, last) in intervals {
        if intervals.len() > 1 {
            text.push(' ');
        }
        if first == last {
            write_word(&[first], text);
        } else {
            text.push_str("(re.range ");
            write_literal(&[first], text);
            text.push(' ');
            write_literal(&[last], text);
            text.push(')');
        }
    }
    if intervals.len() > 1 {
        text.push(')');
    }
}

/// Writes the language of one word.
fn write_word(word: &[u32], text: &mut String) {
    text.push_str("(str.to_re ");
    write_literal(word, text);
    text.push(')');
}

/// Writes a string literal. Backslashes are escaped, as they might start an escape sequence.
fn write_literal(word: &[u32], text: &mut String) {
    text.push('"');
    for &c in word {
        match char::from_u32(c) {
            Some('"') => text.push_str("\"\""),
            Some(c @ ' '..='~') if c != '\\' => text.push(c),
            _ => {
                let _ = write!(text, "\\u{{{c:x}}}");
            }
        }
    }
    text.push('"');
}
