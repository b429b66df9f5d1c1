//! Every source: labels, texts, determinism; and for each weak spot, the operators of its class.

mod sessions;
mod spots;

use super::*;
use std::collections::BTreeMap;

/// Files for the sources that work on a corpus.
const CORPUS: &[&str] = &[
    "(declare-fun x () String)(declare-fun i () Int)(assert (= (str.len x) i))(assert (str.in_re x (re.+ (str.to_re \"ab\"))))\
     (assert (not (= (str.indexof x \"b\" 0) 2)))(check-sat)",
    "(set-info :status unsat)(declare-const y String)(assert (= (str.++ y \"a\") (str.++ \"b\" y)))(check-sat)",
    "(set-info :status sat)(set-info :stringent-model \"((define-fun a () String \"\"ab\"\") (define-fun n () Int 1))\")\
     (declare-const a String)(declare-const n Int)(assert (= (str.substr a n 1) \"b\"))(assert (or (< n 2) (str.< a \"aa\")))\
     (check-sat)",
    "(declare-fun f (String) Int)(declare-const u String)(assert (forall ((k Int)) (=> (< 0 k 3) (= (f (str.at u k)) k))))\
     (assert (! (str.contains (str.replace_all u \"a\" \"b\") \"bb\") :named q))(check-sat)",
    "(define-fun g ((s String)) String (str.++ s s))(declare-const w String)(assert (= (g w) \"abab\"))(check-sat)",
    "(declare-datatypes ((T 0)) (((c))))(declare-const t T)(assert (= t c))(check-sat)",
    "(declare-const p Bool)(declare-const s String)(push 1)(assert (=> p (= s (str.from_int 12))))(check-sat-assuming (p))(pop 1)\
     (assert ((_ divisible 3) (str.to_int s)))(check-sat)",
];

fn material() -> Material {
    let read = |t: &&str| Instance::from_text(t.as_bytes(), None).unwrap_or_else(|e| panic!("{t}: {e:?}"));
    Material {
        rules: Arc::new(Library::shipped()),
        corpus: Arc::new(CORPUS.iter().map(read).collect()),
        ..Material::default()
    }
}

fn text(source: &Source, material: &Material, index: u64) -> Option<String> {
    make(source, material, 7, index).map(|m| m.text(source.name, "n"))
}

#[test]
fn instances_follow_from_their_number_and_can_be_read_back() {
    let material = material();
    for source in REGISTRY {
        let mut made = 0;
        for i in 0..300 {
            let Some(one) = make(source, &material, 7, i) else { continue };
            made += 1;
            let text = one.text(source.name, "n");
            assert_eq!(Some(&text), self::text(source, &material, i).as_ref());
            let back = Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            assert_eq!(back.truth.status(), one.status(), "{text}");
        }
        // Two of three numbers are formulas that `tiny` leaves out.
        let wanted = if source.name == "tiny" { 60 } else { 100 };
        assert!(made > wanted, "{}: {made} of 300", source.name);
    }
}

#[test]
fn unsatisfiable_instances_have_no_small_model() {
    let material = material();
    let mut seen = BTreeMap::new();
    for source in REGISTRY {
        for i in 0..400 {
            let Some(made) = make(source, &material, 3, i) else { continue };
            let Truth::Unsat(_) = made.instance.truth else { continue };
            *seen.entry(source.name).or_insert(0) += 1;
            let text = made.text(source.name, "n");
            assert!(crate::attack::attack(&text, 2, 2_000).is_ok(), "{text}");
        }
    }
    assert!(seen["refute"] > 100 && seen["fuse"] > 50 && seen["metamorphic"] > 50, "{seen:?}");
}

/// The core alone is a formula that the attack cannot satisfy either.
#[test]
fn cores_have_no_small_model() {
    let material = material();
    for source in REGISTRY {
        for i in 0..200 {
            let Some(made) = make(source, &material, 5, i) else { continue };
            let Truth::Unsat(core) = &made.instance.truth else { continue };
            let all: Vec<Term> = made.instance.script.assertions().collect();
            let core: Vec<Term> = core.iter().map(|&i| all[i]).collect();
            let alone = Made::new(made.instance.pool.clone(), &core, Truth::Unknown);
            let text = alone.text(source.name, "n");
            assert!(core.is_empty() || crate::attack::attack(&text, 2, 2_000).is_ok(), "{text}");
        }
    }
}

/// Every mined rule is used, most often within other assertions, and the attack finds no model.
#[test]
fn mined_rules_are_used_and_buried() {
    let mut mined = Library::default();
    mined.add(crate::rules::MINED).expect("valid rules");
    let number = mined.rules.len();
    let shipped = Library::shipped();
    let names: Vec<&str> = shipped.rules.iter().map(|r| r.name.as_str()).collect();
    assert!(mined.rules.iter().all(|r| names.contains(&r.name.as_str())));
    let material = Material { rules: Arc::new(mined), ..Material::default() };
    let source = find("refute").expect("a source");
    let (mut used, mut made, mut buried) = (BTreeMap::new(), 0, 0);
    for i in 0..800 {
        let Some(one) = make(source, &material, 11, i) else { continue };
        let Truth::Unsat(core) = &one.instance.truth else { panic!("{}", one.recipe) };
        made += 1;
        buried += usize::from(one.instance.script.assertions().count() > core.len());
        *used.entry(one.recipe.clone()).or_insert(0) += 1;
        let text = one.text(source.name, "n");
        assert!(crate::attack::attack(&text, 2, 1_000).is_ok(), "{text}");
    }
    assert!(
        made > 700 && buried > made / 2 && used.len() > number * 9 / 10,
        "{made} {buried} {} of {number}",
        used.len()
    );
}

#[test]
fn sources_without_a_corpus_need_none() {
    let material = Material { rules: Arc::new(Library::shipped()), ..Material::default() };
    for source in REGISTRY {
        let made = (0..100).filter(|&i| make(source, &material, 7, i).is_some()).count();
        assert_eq!(made > 0, !source.needs_corpus, "{}", source.name);
    }
}

#[test]
fn the_shape_is_respected() {
    let small = Shape { depth: 1, assertions: 1, constants: 1, ..Shape::default() };
    let material = Material { shape: small, ..material() };
    for source in REGISTRY.iter().filter(|s| s.name != "sessions" && !s.needs_corpus) {
        let sizes: Vec<usize> = (0..60).filter_map(|i| make(source, &material, 7, i)).map(size).collect();
        let usual: Vec<usize> =
            (0..60).filter_map(|i| make(source, &self::material(), 7, i)).map(size).collect();
        let sum = |list: &[usize]| list.iter().sum::<usize>() / list.len().max(1);
        assert!(sum(&sizes) <= sum(&usual), "{}: {} {}", source.name, sum(&sizes), sum(&usual));
    }
}

fn size(made: Made) -> usize {
    made.instance.pool.subterms(made.instance.script.assertions()).count()
}

#[test]
fn fusion_functions_are_verified() {
    let mut pool = Pool::new();
    let rules = semantics::rule::load(fuse::RULES.as_bytes(), &mut pool).expect("valid rules");
    let domain = semantics::rule::Domain::small(&mut pool);
    for rule in &rules {
        let found = rule.verify(&mut pool, &domain, Config::default());
        assert!(found.ok(), "{}: {}", rule.name, found.summary());
    }
    assert!(rules.len() > 20);
}

#[test]
fn a_wrong_inversion_is_noticed() {
    let mut pool = Pool::new();
    let text = "(define-fun f ((x String) (y String)) String (str.++ x y))\
        (define-rule wrong :vars ((x String) (y String)) :lhs (str.replace (f x y) y \"\") :rhs x)";
    let rules = semantics::rule::load(text.as_bytes(), &mut pool).expect("valid rules");
    let domain = semantics::rule::Domain::small(&mut pool);
    assert!(!rules[0].verify(&mut pool, &domain, Config::default()).ok());
}

#[test]
fn a_mutated_file_keeps_its_model_only_if_that_holds() {
    let material = material();
    let source = find("mutate").expect("a source");
    let mut seen = BTreeMap::new();
    for i in 0..400 {
        let Some(made) = make(source, &material, 9, i) else { continue };
        *seen.entry(made.status()).or_insert(0) += 1;
        assert_ne!(made.instance.judge(), Some(Satisfaction::Fails));
    }
    assert!(seen[&Status::Sat] > 10 && seen[&Status::Unknown] > 100, "{seen:?}");
}
