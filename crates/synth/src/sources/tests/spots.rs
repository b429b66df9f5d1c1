//! Weak spots: the operators of each class occur, formulas that determine a value do, and every class has a source.

use super::*;
use crate::dice::Dice;
use grow::Grower;
use smt::{Head, Op};

/// The operators that instances of a source have, with their number.
fn operators(name: &str) -> BTreeMap<Op, usize> {
    let (source, material) = (find(name).expect("a source"), material());
    let mut seen = BTreeMap::new();
    for made in (0..300).filter_map(|i| make(source, &material, 21, i)) {
        let pool = &made.instance.pool;
        for t in pool.subterms(made.instance.script.assertions()) {
            if let Head::Op(op) | Head::Indexed(op, _) = pool.head(t) {
                *seen.entry(op).or_insert(0) += 1;
            }
        }
    }
    seen
}

#[test]
fn weak_spots_have_their_operators() {
    let wanted: &[(&str, &[Op])] = &[
        ("open-regex", &[Op::StrToRe, Op::ReRange, Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReLoop, Op::StrAt]),
        ("reglan", &[Op::Eq, Op::Ite, Op::ReNone, Op::ReComp, Op::Distinct]),
        ("needles", &[Op::StrReplace, Op::StrReplaceAll, Op::StrIndexof, Op::StrContains, Op::StrPrefixof]),
        ("digits", &[Op::StrToInt, Op::StrFromInt, Op::StrSubstr, Op::StrAt, Op::StrIndexof]),
        ("counters", &[Op::ReLoop, Op::RePower, Op::StrLen]),
        ("stars", &[Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReComp, Op::ReInter]),
        ("cuts", &[Op::StrSubstr, Op::StrIndexof, Op::StrConcat, Op::StrReplace]),
        ("codes", &[Op::Ite, Op::StrFromCode, Op::StrToCode, Op::StrIsDigit]),
        ("order", &[Op::StrLt, Op::StrLe, Op::StrFromCode]),
        ("replacing", &[Op::StrReplaceRe, Op::StrReplaceReAll, Op::StrReplace, Op::StrFromInt]),
        ("functions", &[Op::StrReplaceReAll, Op::StrContains]),
        ("quantified", &[Op::StrContains, Op::StrAt, Op::Implies]),
        ("long", &[Op::StrReplaceAll, Op::StrContains, Op::StrIndexof, Op::StrSubstr]),
        ("units", &[Op::StrConcat, Op::Eq]),
    ];
    for (name, ops) in wanted {
        let seen = operators(name);
        for op in *ops {
            assert!(seen.get(op).is_some_and(|&n| n > 10), "{name}: {op:?} {:?}", seen.get(op));
        }
    }
}

/// A term like this occurs in some instance of a source.
fn occurs(name: &str, is: &dyn Fn(&Pool, Term) -> bool) -> bool {
    let (source, material) = (find(name).expect("a source"), material());
    (0..300).filter_map(|i| make(source, &material, 23, i)).any(|made| {
        let pool = &made.instance.pool;
        pool.subterms(made.instance.script.assertions()).any(|t| is(pool, t))
    })
}

fn is(op: Op) -> impl Fn(&Pool, Term) -> bool {
    move |pool, t| matches!(pool.head(t), Head::Op(o) | Head::Indexed(o, _) if o == op)
}

#[test]
fn weak_spots_have_their_combinations() {
    let literal = |pool: &Pool, t: Term| matches!(pool.head(t), Head::Str(_));
    let empty = |pool: &Pool, t: Term| matches!(pool.head(t), Head::Str(id) if pool.word(id).is_empty());
    let below = |pool: &Pool, t: Term, inner: Op| pool.args(t).iter().any(|&a| is(inner)(pool, a));
    assert!(occurs("open-regex", &|p, t| is(Op::StrToRe)(p, t) && !literal(p, p.args(t)[0])));
    assert!(occurs("open-regex", &|p, t| is(Op::ReRange)(p, t) && !literal(p, p.args(t)[0])));
    assert!(occurs("reglan", &|p, t| is(Op::Eq)(p, t) && p.sort_of(p.args(t)[0]) == smt::Sort::REGLAN));
    assert!(occurs("reglan", &|p, t| is(Op::Ite)(p, t) && p.sort_of(t) == smt::Sort::REGLAN));
    assert!(occurs("needles", &|p, t| is(Op::StrReplace)(p, t) && empty(p, p.args(t)[1])));
    assert!(occurs("needles", &|p, t| is(Op::StrIndexof)(p, t) && empty(p, p.args(t)[1])));
    assert!(occurs("digits", &|p, t| is(Op::StrToInt)(p, t) && below(p, t, Op::StrSubstr)));
    assert!(occurs("stars", &|p, t| is(Op::RePlus)(p, t) && below(p, t, Op::ReStar)));
    assert!(occurs("cuts", &|p, t| is(Op::StrSubstr)(p, t) && below(p, t, Op::StrIndexof)));
    assert!(occurs("codes", &|p, t| is(Op::Ite)(p, t) && below(p, t, Op::StrFromCode)));
    assert!(occurs("order", &|p, t| is(Op::StrLt)(p, t) && p.args(t).len() > 2));
    assert!(occurs("replacing", &|p, t| is(Op::StrReplace)(p, t) && below(p, t, Op::StrFromInt)));
    assert!(occurs("counters", &|p, t| matches!(p.head(t), Head::Indexed(Op::ReLoop, id)
        if p.index_values(id)[0] > p.index_values(id)[1])));
    assert!(
        occurs("functions", &|p, t| matches!(p.head(t), Head::Fun(_)) && p.sort_of(t) == smt::Sort::REGLAN)
    );
    assert!(occurs("quantified", &|p, t| p.head(t) == Head::Forall));
    assert!(occurs("quantified", &|p, t| p.head(t) == Head::Exists));
    assert!(occurs("long", &|p, t| matches!(p.head(t), Head::Str(id) if p.word(id).len() >= 50)));
}

/// A formula that determines a value is true for it, and for no other.
#[test]
fn pins_leave_one_value() {
    let shape = Shape::default();
    for i in 0..600 {
        let mut dice = Dice::keyed([31, i, 0, 0]);
        let mut g = Grower::new(&mut dice, &shape);
        let sort = [smt::Sort::STRING, smt::Sort::STRING, smt::Sort::INT][(i % 3) as usize];
        let value = g.value(sort);
        let x = g.constant(value.clone());
        let pin = g.pin(x, &value);
        let v = g.spell(&value);
        let same = g.eq(x, v);
        let other = g.not(same);
        assert_eq!(g.truth(pin), Satisfaction::Holds);
        let text = Made::new(g.pool, &[pin, other], Truth::Unknown).text("pin", "n");
        assert!(crate::attack::attack(&text, 3, 20_000).is_ok(), "{text}");
    }
}

/// A formula that leaves few values to a constant is true for its value, and false for others.
#[test]
fn confined_constants_keep_their_value() {
    let shape = Shape::default();
    for i in 0..600 {
        let mut dice = Dice::keyed([33, i, 0, 0]);
        let mut g = Grower::new(&mut dice, &shape);
        let sort = [smt::Sort::STRING, smt::Sort::STRING, smt::Sort::INT][(i % 3) as usize];
        let value = g.value(sort);
        let x = g.constant(value.clone());
        let t = g.confine(x, &value).expect("a string or an integer");
        assert_eq!(g.truth(t), Satisfaction::Holds);
        let far = if sort == smt::Sort::INT {
            semantics::Value::Int(smt::Int::from(999))
        } else {
            semantics::Value::Str(semantics::Str::from(&[122_u32; 9][..]))
        };
        g.reassign(0, far);
        assert_eq!(g.truth(t), Satisfaction::Fails);
    }
}

/// Cuts of many characters out of words whose length is not known, also of words that are defined by them.
#[test]
fn some_cuts_are_long() {
    let long = |p: &Pool, t: Term| {
        is(Op::StrSubstr)(p, t)
            && matches!(p.head(p.args(t)[2]), Head::Int(id) if *p.int_value(id) > smt::Int::from(7))
    };
    assert!(occurs("cuts", &long));
    assert!(occurs("fixpoints", &long));
}

/// An instance like this is made by a source within the first `N`.
fn makes(name: &str, is: &dyn Fn(&Pool, &Made) -> bool) -> bool {
    const N: u64 = 2_000;
    let (source, material) = (find(name).expect("a source"), material());
    (0..N).filter_map(|i| make(source, &material, 29, i)).any(|made| is(&made.instance.pool, &made))
}

/// The subterms of an instance, those under assumptions included.
fn all(pool: &Pool, made: &Made) -> Vec<Term> {
    pool.subterms(made.instance.script.assertions()).collect()
}

/// Each class of `weak-spots`, as a predicate on instances, and the sources that make a member.
#[test]
fn every_class_has_a_member() {
    let literal = |p: &Pool, t: Term| matches!(p.head(t), Head::Str(_));
    let empty = |p: &Pool, t: Term| matches!(p.head(t), Head::Str(id) if p.word(id).is_empty());
    let closed =
        |p: &Pool, t: Term| p.subterms([t]).all(|t| !matches!(p.head(t), Head::Fun(_) | Head::Var(_)));
    let has = |p: &Pool, t: Term, op: Op| p.subterms([t]).any(|t| is(op)(p, t));
    let some = |p: &Pool, m: &Made, f: &dyn Fn(Term) -> bool| all(p, m).into_iter().any(f);
    let open_star = |p: &Pool, t: Term| {
        let star = |r: Term| is(Op::ReStar)(p, r) || is(Op::RePlus)(p, r);
        let open = |r: Term| is(Op::StrToRe)(p, r) && !literal(p, p.args(r)[0]);
        is(Op::StrInRe)(p, t)
            && literal(p, p.args(t)[0])
            && p.subterms([p.args(t)[1]]).any(|r| star(r) && open(p.args(r)[0]))
    };
    let unsat = |m: &Made| matches!(m.instance.truth, Truth::Unsat(_));
    type Member<'a> = &'a dyn Fn(&Pool, &Made) -> bool;
    let classes: &[(&[&str], &str, Member<'_>)] = &[
        (&["cuts"], "substr at indexof, in a concatenation that equals a constant", &|p, m| {
            some(p, m, &|t| {
                let at = |c: Term| is(Op::StrSubstr)(p, c) && is(Op::StrIndexof)(p, p.args(c)[1]);
                let sides = p.args(t);
                is(Op::Eq)(p, t)
                    && sides.iter().any(|&s| literal(p, s))
                    && sides.iter().any(|&s| is(Op::StrConcat)(p, s) && p.args(s).iter().any(|&c| at(c)))
            })
        }),
        (&["needles", "cuts"], "replace of the empty word", &|p, m| {
            some(p, m, &|t| is(Op::StrReplace)(p, t) && empty(p, p.args(t)[1]))
        }),
        (&["open-regex"], "a constant in a star of a string term", &|p, m| some(p, m, &|t| open_star(p, t))),
        (&["sessions"], "the same under assumptions", &|p, m| {
            some(p, m, &|t| open_star(p, t))
                && m.instance.script.commands().any(|c| matches!(c, smt::Command::CheckSatAssuming(_)))
        }),
        (&["stars", "counters"], "one constant in two languages", &|p, m| {
            let subjects: Vec<Term> = all(p, m)
                .into_iter()
                .filter(|&t| is(Op::StrInRe)(p, t))
                .map(|t| p.args(t)[0])
                .filter(|&x| matches!(p.head(x), Head::Fun(_)))
                .collect();
            subjects.iter().enumerate().any(|(i, x)| subjects[..i].contains(x))
        }),
        (&["units", "cuts"], "sequences of characters", &|p, m| {
            some(p, m, &|t| {
                let unit = |&c: &Term| matches!(p.head(c), Head::Str(id) if p.word(id).len() == 1);
                is(Op::StrConcat)(p, t) && p.args(t).iter().any(unit)
            })
        }),
        (&["functions"], "replace_re_all with a function and a quantifier", &|p, m| {
            some(p, m, &|t| {
                let applied = |t: Term| matches!(p.head(t), Head::Fun(_)) && !p.args(t).is_empty();
                p.head(t).is_binder() && has(p, t, Op::StrReplaceReAll) && p.subterms([t]).any(applied)
            })
        }),
        (&["digits"], "to_int of substr at indexof", &|p, m| {
            some(p, m, &|t| {
                is(Op::StrToInt)(p, t) && is(Op::StrSubstr)(p, p.args(t)[0]) && has(p, t, Op::StrIndexof)
            })
        }),
        (&["cuts"], "two long cuts equal to one constant", &|p, m| {
            let mut seen = Vec::new();
            for t in all(p, m).into_iter().filter(|&t| is(Op::Eq)(p, t)) {
                let long = |&&s: &&Term| matches!(p.head(s), Head::Str(id) if p.word(id).len() >= 10);
                let cuts = p.args(t).iter().filter(|&&s| is(Op::StrSubstr)(p, s)).count();
                let word = p.args(t).iter().find(long);
                seen.extend(word.into_iter().flat_map(|&w| std::iter::repeat_n(w, cuts)));
            }
            seen.iter().enumerate().any(|(i, w)| seen[..i].contains(w))
        }),
        (&["replacing"], "replace with from_int", &|p, m| {
            some(p, m, &|t| is(Op::StrReplace)(p, t) && p.args(t).iter().any(|&a| is(Op::StrFromInt)(p, a)))
        }),
        (&["stars"], "nested re.++", &|p, m| {
            some(p, m, &|t| is(Op::ReConcat)(p, t) && p.args(t).iter().any(|&a| is(Op::ReConcat)(p, a)))
        }),
        (&["stars"], "re.+ in re.*", &|p, m| {
            some(p, m, &|t| is(Op::ReStar)(p, t) && is(Op::RePlus)(p, p.args(t)[0]))
        }),
        (&["functions"], "functions into languages", &|p, m| {
            some(p, m, &|t| matches!(p.head(t), Head::Fun(_)) && p.sort_of(t) == smt::Sort::REGLAN)
        }),
        (&["reglan"], "a language equal to re.none", &|p, m| {
            some(p, m, &|t| is(Op::Eq)(p, t) && p.args(t).iter().any(|&a| is(Op::ReNone)(p, a)))
        }),
        (&["quantified"], "a quantifier with contains", &|p, m| {
            some(p, m, &|t| p.head(t).is_binder() && has(p, t, Op::StrContains))
        }),
        (&["units", "needles"], "equations and searches of concatenations with literals", &|p, m| {
            some(p, m, &|t| {
                let joined = |&a: &Term| is(Op::StrConcat)(p, a) && p.args(a).iter().any(|&c| literal(p, c));
                (is(Op::Eq)(p, t) || is(Op::StrContains)(p, t) || is(Op::StrReplace)(p, t))
                    && p.args(t).iter().any(joined)
            })
        }),
        (&["codes", "ground"], "evaluation of from_code", &|p, m| {
            some(p, m, &|t| is(Op::StrFromCode)(p, t) && closed(p, t))
        }),
        (&["codes"], "ite with from_code", &|p, m| {
            some(p, m, &|t| is(Op::Ite)(p, t) && p.args(t)[1..].iter().any(|&a| is(Op::StrFromCode)(p, a)))
        }),
        (
            &["metamorphic"],
            "an unsat core with a constant defined by a concatenation with the empty word",
            &|p, m| {
                unsat(m)
                    && m.instance.script.assertions().any(|t| {
                        let padded =
                            |&a: &Term| is(Op::StrConcat)(p, a) && p.args(a).iter().any(|&c| empty(p, c));
                        is(Op::Eq)(p, t)
                            && matches!(p.head(p.args(t)[0]), Head::Fun(_))
                            && p.args(t).iter().any(padded)
                    })
            },
        ),
        (&["counters"], "huge counters", &|p, m| {
            some(p, m, &|t| {
                matches!(p.head(t), Head::Indexed(Op::ReLoop | Op::RePower, id)
                    if p.index_values(id).iter().any(|n| *n > smt::Int::from(1_u64 << 32)))
            })
        }),
    ];
    for (sources, class, member) in classes {
        for name in *sources {
            assert!(makes(name, member), "{name}: {class}");
        }
    }
}

/// Shares of classes on which solvers were wrong in one of some hundred instances only: a hunt has to make many.
#[test]
fn narrow_classes_are_frequent() {
    let material = material();
    let share = |name: &str, member: &dyn Fn(&Pool, &Made) -> bool| {
        let source = find(name).expect("a source");
        let made = (0..1_000).filter_map(|i| make(source, &material, 7, i));
        made.filter(|m| member(&m.instance.pool, m)).count()
    };
    let is = |p: &Pool, t: Term, op: Op| p.head(t) == Head::Op(op);
    let of_code = share("codes", &|p, m| {
        p.subterms(m.instance.script.assertions()).any(|t| {
            let cases = |t: Term| p.args(t)[1..].iter().any(|&a| is(p, a, Op::StrFromCode));
            is(p, t, Op::Ite) && is(p, p.args(t)[0], Op::Distinct) && cases(t)
        })
    });
    assert!(of_code > 150, "{of_code}");
    let overlapping = share("cuts", &|_, m| {
        let cut = |t: Term| is(&m.instance.pool, t, Op::StrSubstr);
        let pool = &m.instance.pool;
        let cuts: Vec<Term> = m
            .instance
            .script
            .assertions()
            .filter(|&t| is(pool, t, Op::Eq) && cut(pool.args(t)[0]))
            .map(|t| pool.args(t)[0])
            .collect();
        cuts.len() > 1 && pool.args(cuts[0])[0] == pool.args(cuts[1])[0]
    });
    assert!(overlapping > 50, "{overlapping}");
}

/// Chains of three operators of strings: most of those that the sorts allow occur in a few thousand instances.
#[test]
fn most_chains_of_three_operators_occur() {
    let (material, source) = (material(), find("chains").expect("a source"));
    let mut seen = std::collections::BTreeSet::new();
    let inner = |p: &Pool, t: Term| -> Vec<(Op, usize, Term)> {
        let Head::Op(op) = p.head(t) else { return Vec::new() };
        let strings = op.row().origin == smt::op::Origin::Strings && p.sort_of(t) != smt::Sort::REGLAN;
        let args = p.args(t).iter().enumerate();
        args.filter(|_| strings).map(|(at, &a)| (op, at, a)).collect()
    };
    for made in (0..3_000).filter_map(|i| make(source, &material, 1, i)) {
        let p = &made.instance.pool;
        for t in p.subterms(made.instance.script.assertions()) {
            for (a, i, middle) in inner(p, t) {
                for (b, j, last) in inner(p, middle) {
                    seen.extend(inner(p, last).first().map(|&(c, _, _)| (a, i, b, j, c)));
                }
            }
        }
    }
    let fits = |outer: Op, inner: Op, at: usize| outer.row().params.get(at) == Some(&inner.row().ret);
    let ops: Vec<Op> = Op::all()
        .filter(|op| {
            let row = op.row();
            row.origin == smt::op::Origin::Strings && row.ret != smt::op::S::Re && !row.params.is_empty()
        })
        .collect();
    let mut all = 0;
    for &a in &ops {
        let pairs = (0..3).flat_map(|i| ops.iter().filter(move |&&b| fits(a, b, i)));
        all += pairs
            .map(|&b| (0..3).map(|j| ops.iter().filter(|&&c| fits(b, c, j)).count()).sum::<usize>())
            .sum::<usize>();
    }
    assert!(all > 1_000 && seen.len() * 100 > all * 70, "{} of {all}", seen.len());
}

/// The classes of bugs that were seen, with the sources that reach them.
const CLASSES: &[(&str, &[&str])] = &[
    ("`str.substr` at `str.indexof` inside a concatenation that equals a constant", &["cuts"]),
    ("`str.replace` of the empty word", &["needles", "cuts"]),
    ("membership of a constant in `re.*` or `re.+` of a string term", &["open-regex", "sessions"]),
    ("memberships in nested regular expressions", &["stars", "counters"]),
    ("cuts out of sequences", &["sequences", "cuts", "units"]),
    (
        "`str.replace_re_all` with uninterpreted functions and quantifiers",
        &["functions", "replacing", "quantified"],
    ),
    ("`str.to_int` of `str.substr`, with `str.indexof`", &["digits"]),
    ("`str.substr` of many characters: two equal to one constant", &["cuts", "fixpoints", "long"]),
    ("`str.replace` with `str.from_int`", &["replacing"]),
    ("nested `re.++`, `re.+` and `re.*`", &["stars"]),
    ("uninterpreted functions into languages", &["functions"]),
    ("equality of languages, `re.none`", &["reglan"]),
    ("quantifiers with `str.contains`", &["quantified"]),
    ("rewriting of concatenations and overlaps", &["units", "needles"]),
    ("evaluation of `str.from_code`, `ite` with it", &["codes"]),
    ("incremental scripts, assumptions", &["sessions"]),
    ("definitions of new constants by a concatenation with the empty word", &["metamorphic"]),
];

#[test]
fn every_class_has_a_source_and_the_document_says_so() {
    let document = include_str!("../../../../../docs/hunt-sources.md");
    for (class, sources) in CLASSES {
        let row = document.lines().find(|l| l.contains(class)).unwrap_or_else(|| panic!("no row: {class}"));
        for name in *sources {
            assert!(find(name).is_ok() && row.contains(&format!("`{name}`")), "{class}: {name}");
        }
    }
    for source in REGISTRY {
        assert!(document.contains(&format!("| `{}` |", source.name)), "{} is not documented", source.name);
    }
}
