//! Reals, uninterpreted sorts, datatypes, sets and bit-vectors: small problems with known answers, each with the audit, then as cores, and in a
//! session.

mod common;

use common::{Output, errors_of, run, settings};
use stringent_solver::options::Strategy;

const TICKS: u64 = 20_000;

const HEADER: &str = "(declare-const r Real)(declare-const s Real)(declare-const i Int)(declare-const j Int)(declare-const x String)
(declare-sort U 0)(declare-const u U)(declare-const v U)(declare-fun f (U) U)(declare-fun g (Real) Int)(declare-fun h (String) U)
(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-const c C)(declare-const d C)(declare-const e C)(declare-const b C)
(declare-datatypes ((L 0) (T 0)) (((nil) (cons (hd Int) (tl L))) ((leaf (val Real)) (node (left T) (list L) (mark Bool)))))
(declare-const l L)(declare-const m L)(declare-const n L)(declare-const t T)(declare-const w T)
(declare-datatype Option (par (X) ((none) (some (value X)))))(declare-const o (Option String))(declare-const q (Option U))
(declare-fun k (L) L)(declare-const p Bool)(declare-fun bf (Bool) Int)(declare-fun bb (Bool U) Bool)
(declare-const sss (Set (Set Int)))(declare-const ss (Set Int))(declare-const st (Set Int))(declare-fun sf (C) (Set String))(declare-fun sg ((Set Int)) Int)
(declare-datatype R ((mk (of (Set C)) (tag Int))))(declare-const sr R)(declare-const sq R)
(declare-sort P 1)(declare-const pa (P Int))(declare-const pb (P Int))(declare-fun pf ((P Int)) (P (P Int)))
(declare-const b4 (_ BitVec 4))(declare-const c4 (_ BitVec 4))(declare-const b8 (_ BitVec 8))(declare-const b64 (_ BitVec 64))(declare-const c64 (_ BitVec 64))
(declare-fun bvf ((_ BitVec 4)) Int)(declare-datatype B ((wrap (bits (_ BitVec 1)))))(declare-const w1 B)(declare-const w2 B)(declare-const w3 B)(declare-const bs (Set (_ BitVec 4)))";

/// The answer, then assertions.
const PROBLEMS: &[(&str, &[&str])] = &[
    ("sat", &["(> r 1.5)", "(< r 1.6)", "(not (= r 1.55))"]),
    ("unsat", &["(> r s)", "(>= s r)"]),
    ("unsat", &["(< (* 2 r) (+ s 1))", "(> r 3.5)", "(< s 6.0)"]),
    ("sat", &["(= (+ r s) 1.0)", "(= (- r s) (/ 1.0 3.0))", "(> (/ r 2.0) 0.25)"]),
    ("unsat", &["(= (to_real i) r)", "(> r 1.2)", "(< r 1.9)"]),
    ("sat", &["(= (to_real i) r)", "(> r 1.2)", "(< r 2.9)"]),
    ("unsat", &["(is_int r)", "(is_int (+ r 0.5))"]),
    ("sat", &["(= (to_int r) (- 2))", "(not (is_int r))"]),
    ("unsat", &["(= (to_int r) 2)", "(< r 2)"]),
    ("unsat", &["(> (to_real (str.len x)) 2.5)", "(< (str.len x) 3)"]),
    ("sat", &["(> (to_real (str.len x)) 2.5)", "(= r (* 0.5 (to_real (str.len x))))", "(< r 2.0)"]),
    ("unsat", &["(not (= (g r) (g s)))", "(<= r s)", "(<= s r)"]),
    ("sat", &["(not (= (g r) (g s)))", "(<= r s)"]),
    ("unsat", &["(= (f (f (f u))) u)", "(= (f (f u)) u)", "(not (= (f u) u))"]),
    ("sat", &["(distinct u v (f u) (f v))", "(= (f (f u)) v)"]),
    ("unsat", &["(not (= (h x) (h (str.++ x \"\"))))"]),
    ("unsat", &["(= (str.len x) 0)", "(not (= (h x) (h \"\")))"]),
    ("unsat", &["(distinct c d e b)"]),
    ("sat", &["(distinct c d e)", "(not ((_ is red) c))", "(= d blue)"]),
    ("unsat", &["(= l (cons 1 m))", "(= m (cons 2 l))"]),
    ("unsat", &["(= (tl l) l)", "((_ is cons) l)"]),
    ("sat", &["(= (tl l) l)"]),
    ("unsat", &["(= (cons i l) (cons j m))", "(not (= l m))"]),
    ("unsat", &["((_ is nil) l)", "((_ is cons) l)"]),
    ("unsat", &["(not ((_ is nil) l))", "(not (= l (cons (hd l) (tl l))))"]),
    ("sat", &["(distinct l m n nil (tl l) (tl m))"]),
    ("unsat", &["(= l (cons i nil))", "(= m (cons (+ i 1) nil))", "(= l m)"]),
    ("unsat", &["(= i j)", "(not (= (k (cons i l)) (k (cons j l))))"]),
    ("unsat", &["(>= i j)", "(<= i j)", "(not (= (cons i l) (cons j l)))"]),
    ("sat", &["(= t (node w l p))", "(not (mark t))", "(= (val w) 0.5)", "((_ is leaf) w)"]),
    ("unsat", &["(= (left t) t)", "((_ is node) t)"]),
    ("unsat", &["(= (node t l p) (node w l (not p)))"]),
    ("sat", &["(= o (some x))", "(str.in_re x (re.+ (str.to_re \"ab\")))", "(> (str.len (value o)) 3)"]),
    ("unsat", &["(match o ((none false) ((some y) (= (str.len y) (- 1)))))"]),
    ("sat", &["(match o ((none false) ((some y) (= (str.len y) 2))))"]),
    ("unsat", &["(match l ((nil false) ((cons y ys) (match ys ((nil false) (z ((_ is nil) z)))))))"]),
    ("sat", &["((_ is none) o)", "(= (value o) \"x\")"]),
    ("unsat", &["((_ is some) q)", "(= (value q) u)", "(not (= q (some u)))"]),
    ("sat", &["(= (bf p) 3)", "(= (bf (not p)) 4)"]),
    ("unsat", &["(= (bf p) 3)", "(= (bf (not p)) 3)", "(not (= (bf true) 3))"]),
    ("unsat", &["(= (bf (> r 1.0)) 3)", "(= r 2.0)", "(= (bf true) 4)"]),
    ("sat", &["(not (= (bb p u) (bb p v)))", "(= (bb true u) (bb false v))"]),
    ("unsat", &["(not (= (bb (bb (bb p u) u) u) (bb p u)))"]),
    ("unsat", &["(= (hd nil) 1)", "(= (hd l) 2)", "(= l nil)"]),
    ("sat", &["(not (= i j))", "(= (bf (< i j)) 1)"]),
    (
        "sat",
        &[
            "(distinct i j 7)",
            "(= (bf (< i j)) (bf (and (> i 3) (< j 3))))",
            "(not (= (bf true) (bf false)))",
        ],
    ),
    ("unsat", &["(< i j)", "(> j i)", "(= (bf (<= j i)) 1)", "(= (bf false) 2)"]),
    ("sat", &["(= (pf pa) (pf pb))"]),
    ("sat", &["(distinct pa pb)"]),
    ("unsat", &["(= pa pb)", "(not (= (pf pa) (pf pb)))"]),
    ("sat", &["(= r (/ 1.0 0.0))"]),
    ("sat", &["(= (/ r 0.0) 1.0)", "(= (/ s 0.0) 2.0)"]),
    ("unsat", &["(= (/ r 0.0) 1.0)", "(= (/ s 0.0) 2.0)", "(= r s)"]),
    ("unsat", &["(= s 0.0)", "(= (/ 1.0 s) 2.0)", "(= (/ 1.0 0.0) 3.0)"]),
    ("sat", &["(= (/ 3.0 s) 4.0)"]),
    ("sat", &["(= (/ r s) 2.0)", "(= (+ r s) 6.0)"]),
    ("unsat", &["(= (/ r s) 2.0)", "(= (+ r s) 6.0)", "(> s 2.0)"]),
    ("sat", &["(= (* r s) 6.0)", "(> r 1.0)", "(< r 2.5)"]),
    ("sat", &["(= (* r r) 4.0)", "(> r 0.0)"]),
    ("sat", &["(= (* r r) 4.0)", "(< r 0.0)"]),
    ("unsat", &["(= (* r r) 4.0)", "(< r 0.0)", "(> r (- 2.0))"]),
    ("unsat", &["(< (* r r) 0.0)"]),
    ("unsat", &["(> r 0.0)", "(> s 0.0)", "(<= (* r s) 0.0)"]),
    // Quantifiers over reals.
    ("sat", &["(forall ((a Real)) (or (< a r) (> a s)))"]),
    ("unsat", &["(forall ((a Real)) (or (< a r) (> a s)))", "(<= r s)"]),
    ("unsat", &["(exists ((a Real)) (forall ((e Real)) (< a (- a e))))"]),
    ("sat", &["(forall ((a Real)) (exists ((e Real)) (< a (- a e))))"]),
    ("unsat", &["(forall ((a Real)) (= (+ a r) 5.0))"]),
    ("sat", &["(forall ((a Real)) (=> (> a 0.0) (< r a)))", "(> r (- 1.0))"]),
    ("sat", &["(exists ((a Real)) (and (<= r a) (<= a s) (distinct a 1.0)))", "(= r s)"]),
    ("unsat", &["(exists ((a Real)) (and (<= r a) (<= a s) (distinct a 1.0)))", "(= r s)", "(= s 1.0)"]),
    // Sets.
    ("unsat", &["(set.member i ss)", "(= ss (set.insert 1 2 (as set.empty (Set Int))))", "(> i 2)"]),
    ("sat", &["(set.member i ss)", "(= ss (set.insert 1 2 (as set.empty (Set Int))))", "(> i 1)"]),
    ("unsat", &["(set.subset ss st)", "(set.subset st ss)", "(not (= ss st))"]),
    ("sat", &["(set.subset ss st)", "(not (= ss st))", "(set.member 7 ss)"]),
    (
        "unsat",
        &["(set.subset ss st)", "(set.member i ss)", "(not (set.member i (set.union st (set.singleton 3))))"],
    ),
    (
        "unsat",
        &["(= (set.minus ss st) (as set.empty (Set Int)))", "(set.member 1 ss)", "(not (set.member 1 st))"],
    ),
    ("unsat", &["(= (set.inter ss st) ss)", "(not (set.subset ss st))"]),
    ("sat", &["(= (set.inter ss st) (as set.empty (Set Int)))", "(set.member i ss)", "(set.member j st)"]),
    ("sat", &["(set.member x (sf c))", "(not (set.member x (sf d)))", "(set.subset (sf d) (sf c))"]),
    ("unsat", &["(set.member x (sf c))", "(not (set.member x (sf d)))", "(= c d)"]),
    ("sat", &["(distinct sr sq)", "(= (tag sr) (tag sq))"]),
    (
        "unsat",
        &[
            "(distinct sr sq)",
            "(= (tag sr) (tag sq))",
            "(set.subset (of sr) (of sq))",
            "(set.subset (of sq) (of sr))",
        ],
    ),
    ("sat", &["(not (set.subset (set.singleton ss) (set.singleton st)))"]),
    (
        "unsat",
        &["(set.member ss sss)", "(not (set.member st sss))", "(set.subset ss st)", "(set.subset st ss)"],
    ),
    ("sat", &["(distinct (sg ss) (sg st))"]),
    ("unsat", &["(distinct (sg ss) (sg st))", "(set.subset ss st)", "(set.subset st ss)"]),
    // Bit-vectors.
    ("sat", &["(= (bvadd b4 c4) #x3)", "(bvugt b4 #x3)", "(bvslt c4 b4)"]),
    ("unsat", &["(distinct (bvadd b4 c4) (bvadd c4 b4))"]),
    ("unsat", &["(distinct (bvmul b4 #x3) (bvadd b4 b4 b4))"]),
    ("sat", &["(= (bvmul b4 c4) #xf)", "(bvugt b4 #x1)", "(bvugt c4 #x1)"]),
    ("unsat", &["(distinct b4 (bvadd (bvmul (bvudiv b4 #x8) #x8) (bvurem b4 #x8)))"]),
    ("sat", &["(= (bvsdiv b4 c4) #xe)", "(= (bvsrem b4 c4) #xf)"]),
    ("unsat", &["(= (bvudiv b4 #x0) #x3)"]),
    ("sat", &["(= (bvshl b4 c4) #x8)", "(= (bvlshr b4 c4) #x2)"]),
    ("unsat", &["(= (bvand (bvashr b4 #x3) #x6) #x2)"]),
    ("unsat", &["(bvult b4 c4)", "(bvult c4 b4)"]),
    ("sat", &["(bvsaddo b64 c64)", "(bvslt b64 (_ bv5 64))", "(bvsle b64 c64)"]),
    (
        "unsat",
        &[
            "(bvsaddo b64 c64)",
            "(bvslt b64 (_ bv5 64))",
            "(bvslt (_ bv0 64) b64)",
            "(bvslt c64 b64)",
            "(bvslt (_ bv0 64) c64)",
        ],
    ),
    ("sat", &["(= b8 (concat b4 c4))", "(= ((_ extract 5 2) b8) #xa)", "(bvult b4 c4)"]),
    (
        "unsat",
        &[
            "(= b8 (concat b4 c4))",
            "(= b4 ((_ rotate_left 4) c4))",
            "(distinct ((_ extract 3 0) b8) ((_ extract 7 4) b8))",
        ],
    ),
    ("sat", &["(= (ubv_to_int b8) (+ 3 (str.len x)))", "(= (sbv_to_int b8) (- 120))"]),
    ("unsat", &["(= b4 ((_ int_to_bv 4) i))", "(= (ubv_to_int b4) (+ i 1))", "(>= i 0)", "(< i 16)"]),
    ("sat", &["(distinct (bvf b4) (bvf c4))", "(= (bvand b4 #xe) (bvand c4 #xe))"]),
    (
        "unsat",
        &[
            "(distinct (bvf b4) (bvf c4))",
            "(= (bvand b4 #xe) (bvand c4 #xe))",
            "(= (bvor b4 #xe) (bvor c4 #xe))",
        ],
    ),
    ("sat", &["(distinct w1 w2)"]),
    ("unsat", &["(distinct w1 w2 w3)"]),
    ("unsat", &["(set.member b4 bs)", "(not (set.member (bvneg (bvneg b4)) bs))"]),
    ("unsat", &["(= b4 (ite p c4 (bvnot c4)))", "(= (bvcomp b4 c4) #b0)", "p"]),
];

fn script(assertions: &[&str], named: bool) -> String {
    let mut text = HEADER.to_owned();
    for (n, a) in assertions.iter().enumerate() {
        text += &if named { format!("(assert (! {a} :named a{n}))") } else { format!("(assert {a})") };
    }
    text + "(check-sat)"
}

#[test]
fn answers() {
    for (answer, assertions) in PROBLEMS {
        let mut settings = settings(Strategy::Auto, TICKS);
        settings.options.audit = true;
        let output = run(&script(assertions, false), settings);
        assert_eq!(output.audit_failure(), None, "{assertions:?}");
        assert_eq!(output.verdict(), *answer, "{assertions:?}: {:?}", output.responses);
    }
}

#[test]
fn cores_are_unsatisfiable() {
    for (_, assertions) in PROBLEMS.iter().filter(|p| p.0 == "unsat") {
        let mut wanted = settings(Strategy::Auto, TICKS);
        wanted.cores = true;
        let padded: Vec<&str> =
            ["(> r (- 5))", "(distinct u v)"].into_iter().chain(assertions.iter().copied()).collect();
        let output = run(&(script(&padded, true) + "(get-unsat-core)"), wanted);
        assert_eq!(output.verdict(), "unsat", "{assertions:?}");
        let names = output.responses.last().expect("a core");
        let core: Vec<&str> = padded
            .iter()
            .enumerate()
            .filter(|(n, _)| names.split(['(', ')', ' ']).any(|w| w == format!("a{n}")))
            .map(|(_, a)| *a)
            .collect();
        assert_eq!(
            run(&script(&core, false), settings(Strategy::Auto, TICKS)).verdict(),
            "unsat",
            "{core:?}"
        );
    }
}

/// Values and models as text, which other programs read.
#[test]
fn values_are_terms() {
    let text = format!(
        "{HEADER}(push)(assert (= l (cons (- 1) nil)))(assert (= o (some \"a\")))(assert (= r (- 0.5)))(check-sat)\
         (get-value (l o r (as none (Option Int)) ((_ is cons) l) (hd l)))(pop)\
         (push)(assert (= l (cons 1 l)))(check-sat)(pop)(check-sat-assuming (p (= q (some u))))(get-value (q))"
    );
    let output = run(&text, settings(Strategy::Auto, TICKS));
    assert_eq!(output.verdicts, ["sat", "unsat", "sat"], "{:?}", output.responses);
    let values = "((l (cons (- 1) nil))\n (o (some \"a\"))\n (r (- (/ 1.0 2.0)))\n ((as none (Option Int)) (as none (Option Int)))\n \
                  (((_ is cons) l) true)\n ((hd l) (- 1)))";
    assert!(output.responses.iter().any(|r| r == values), "{:?}", output.responses);
    let functions = "(declare-fun f (Int) Int)(define-fun g ((i Int)) Int (+ i 1))(declare-const s (Set Int))(assert (= (f 1) 2))(assert (= (f 5) 7))\
                     (assert (= s (set.insert 2 1 (as set.empty (Set Int)))))(check-sat)(get-value (f g s))";
    let of_functions = run(functions, settings(Strategy::Auto, TICKS));
    let wanted = "((f (store ((as const (Array Int Int)) 7) 1 2))\n (g (lambda ((i Int)) (+ i 1)))\n (s (set.union (set.singleton 1) (set.singleton 2))))";
    assert_eq!(of_functions.responses.last().expect("values"), wanted);
    let last = output.responses.last().expect("a value");
    assert!(last.starts_with("((q (some (as ") && last.ends_with(" U))))"), "{last}");
}

/// What the solver does not support stays open.
#[test]
fn other_theories_are_unknown() {
    for text in [
        "(declare-codatatypes ((S 0)) (((s (t S)))))(declare-const y S)(declare-const z S)(assert (distinct y z))(check-sat)",
        "(declare-datatype B ((mk (bit (_ BitVec 1)))))(declare-const a B)(declare-const b B)(declare-const c B)(assert (distinct a b c))(check-sat)",
        "(declare-const s (Set Int))(assert (= (set.card s) 3))(check-sat)",
        "(declare-const s (Set (Array Int Int)))(declare-const t (Set (Array Int Int)))(assert (distinct s t))(check-sat)",
        "(declare-const y (_ BitVec 1))(assert (distinct y #b0 #b1))(check-sat)",
        "(declare-sort V 0)(assert (forall ((y V) (z V)) (= y z)))(declare-const a V)(declare-const c V)(assert (distinct a c))(check-sat)",
    ] {
        let output = run(text, settings(Strategy::Auto, TICKS));
        assert!(matches!(output.verdict(), "unknown" | "unsat"), "{text}: {:?}", output.responses);
    }
}

/// Sequences are read, but not solved: also under assumptions, within levels, and in cores and values.
#[test]
fn sequences_are_unknown() {
    let text = "(set-option :produce-unsat-cores true)(declare-const x (Seq Int))(declare-const p Bool)(assert p)\
        (push)(assert (! (= (seq.len x) (- 1)) :named a))(check-sat)(pop)(check-sat)\
        (check-sat-assuming ((distinct (seq.len (seq.unit 1)) 1)))(get-unsat-core)(get-value ((seq.len x)))\
        (push)(assert (forall ((y (Seq Int))) (= y x)))(check-sat)(pop)(check-sat-assuming ((not p)))";
    let output = run(text, settings(Strategy::Auto, TICKS));
    assert_eq!(output.verdicts, ["unknown", "sat", "unknown", "unknown", "unsat"], "{:?}", output.responses);
}

#[test]
fn malformed_datatypes_are_errors() {
    for text in [
        "(declare-datatypes ((A 0) (B 0)) (((a))))",
        "(declare-datatypes ((A 0)) (((a)) ((b))))",
        "(declare-datatypes ((A)) (((a))))",
        "(declare-datatypes ((A 0)))",
        "(declare-datatypes () ())",
        "(declare-datatypes ((A 0)) (()))",
        "(declare-datatypes ((A 1)) (((a))))",
        "(declare-datatypes ((A 0)) (((a (f A)))))",
        "(declare-datatype A)",
    ] {
        let mut output = Output::default();
        let errors = errors_of(&format!("{text}(check-sat)"), settings(Strategy::Auto, TICKS), &mut output);
        assert_eq!(errors, 1, "{text}: {:?}", output.responses);
        assert!(output.responses[0].starts_with("(error "), "{text}: {:?}", output.responses);
    }
}

/// The form of SMT-LIB 2.5, without parameters.
#[test]
fn datatypes_of_old_versions_are_read() {
    let text = "(declare-datatypes () ((K red (green)) (T leaf (node (l T) (k K)))))(declare-const t T)\
                (assert (= (l t) (node leaf red)))(assert (not (= t (node (node leaf red) red))))(assert ((_ is node) t))(check-sat)(get-value (t))";
    let output = run(text, settings(Strategy::Auto, TICKS));
    assert_eq!(output.verdict(), "sat", "{:?}", output.responses);
    assert_eq!(output.responses.last().expect("a value"), "((t (node (node leaf red) green)))");
}

/// Characters that stand for any are letters in models.
#[test]
fn models_have_letters() {
    let text = "(declare-const x String)(assert (= (str.len x) 4))(assert (not (= (str.at x 0) (str.at x 1))))(check-sat)(get-value (x))";
    let output = run(text, settings(Strategy::Auto, TICKS));
    let value = output.responses.last().expect("a value");
    assert!(value.starts_with("((x \"") && !value.contains("\\u"), "{value}");
}
