//! Diagnostics: their places, messages, hints and codes.

use stringent_smt::diag::position;
use stringent_smt::dialect::detect;
use stringent_smt::print::script_text;
use stringent_smt::{Code, Dialect, Pool, Severity};

const CHAR_HINT: &str = "(_ char #xN) with one to five hexadecimal digits, at most #x2FFFF";
const QUOTE_HINT: &str = "`\"` inside a literal is written `\"\"`";
const NEXT_HINT: &str = "the next command seems to start before its `)`";

/// Line, column, message, hint (empty: none).
type Expected = (usize, usize, &'static str, &'static str);

/// The diagnostics of `text`, errors and notices, in order.
fn diagnostics(text: &[u8], dialect: Dialect) -> Vec<(Severity, usize, usize, String, String)> {
    let parsed = stringent_smt::parse(text, Some(dialect), &mut Pool::new());
    let one = |d: stringent_smt::Diagnostic| {
        let at = position(text, d.span.start as usize);
        (d.severity, at.line, at.column, d.message, d.hint.unwrap_or_default())
    };
    parsed.diagnostics.into_iter().map(one).collect()
}

#[track_caller]
fn check(text: &[u8], dialect: Dialect, severity: Severity, want: &[Expected]) {
    let want: Vec<_> =
        want.iter().map(|&(l, c, m, h)| (severity, l, c, m.to_owned(), h.to_owned())).collect();
    assert_eq!(diagnostics(text, dialect), want, "{}", String::from_utf8_lossy(text));
}

#[track_caller]
fn errors(text: &str, want: &[Expected]) {
    check(text.as_bytes(), Dialect::Smt26, Severity::Error, want);
}

#[track_caller]
fn error(text: &str, line: usize, column: usize, message: &'static str, hint: &'static str) {
    errors(text, &[(line, column, message, hint)]);
}

#[test]
fn unknown_symbols() {
    error("(assert (str.lne \"\"))", 1, 10, "unknown symbol `str.lne`", "did you mean `str.len`?");
    error(
        "(declare-const value String)\n(assert (= valeu \"\"))",
        2,
        12,
        "unknown symbol `valeu`",
        "did you mean `value`?",
    );
    error("(assert (frobnicate 1))", 1, 10, "unknown symbol `frobnicate`", "");
    error("(assert (> -5 0))", 1, 12, "unknown symbol `-5`", "a negative number is written (- 5)");
    error("(assert (> -1.5 0.0))", 1, 12, "unknown symbol `-1.5`", "a negative number is written (- 1.5)");
    error(
        "(assert (= (Concat \"a\" \"b\") \"ab\"))",
        1,
        13,
        "unknown symbol `Concat`",
        "the name of `str.++` in dialect 2.0, but this text is in another one",
    );
    error("(assert (_ foo 1))", 1, 12, "unknown symbol `foo`", "");
    error("(assert (= true #xZZ))", 1, 17, "unknown symbol `#xZZ`", "");
    error("(push 1)(declare-const x Int)(pop 1)\n(assert (= x 1))", 2, 12, "unknown symbol `x`", "");
    error("(define-fun f ((x Int)) Int (g x))", 1, 30, "unknown symbol `g`", "");
}

#[test]
fn a_name_is_unknown_once() {
    errors(
        "(assert (= a b))\n(assert (= a c))\n",
        &[
            (1, 12, "unknown symbol `a`", ""),
            (1, 14, "unknown symbol `b`", ""),
            (2, 14, "unknown symbol `c`", ""),
        ],
    );
}

#[test]
fn unknown_sorts() {
    error("(declare-const x Intt)", 1, 18, "unknown sort `Intt`", "did you mean `Int`?");
    error(
        "(declare-sort Thing 0)(declare-const x Thng)",
        1,
        40,
        "unknown sort `Thng`",
        "did you mean `Thing`?",
    );
    error("(declare-const x (_ Foo 3))", 1, 21, "unknown sort `Foo`", "");
    error("(declare-const x ())", 1, 18, "`()` is not a sort", "");
    error("(declare-sort P 1)\n(declare-const y P)", 2, 18, "sort `P` takes 1 argument(s), found 0", "");
    error(
        "(declare-const z (_ BitVec \"a\"))",
        1,
        28,
        "expected a numeral or a symbol as the index of a sort",
        "",
    );
    error("(declare-sort A b)", 1, 17, "expected a numeral as the arity of the sort", "");
    error(
        "(define-sort P (1) Int)",
        1,
        17,
        "expected a sort parameter: a symbol other than a built-in sort",
        "",
    );
    let deep = format!("(declare-const x {}Int{})", "(Array Int ".repeat(300), ")".repeat(300));
    error(&deep, 1, 18 + 200 * 11 + 7, "sort nested deeper than 200 levels", "");
}

#[test]
fn ill_sorted_arguments() {
    let x = "(declare-const x String)\n";
    let of = |text: &str| format!("{x}{text}");
    error(
        &of("(assert (= (str.len x) x))"),
        2,
        24,
        "argument 2 of `=` has sort String, expected Int like the arguments before it",
        "",
    );
    error(&of("(assert (str.len x))"), 2, 9, "expected a term of sort Bool, found Int", "");
    error(
        &of("(assert (str.prefixof x\n 1))"),
        3,
        2,
        "argument 2 of `str.prefixof` has sort Int, expected String",
        "",
    );
    error("(assert (and true 1 \"a\"))", 1, 19, "argument 2 of `and` has sort Int, expected Bool", "");
    error("(assert (= (- \"a\") 1))", 1, 15, "argument 1 of `-` has sort String, expected Int or Real", "");
    error(
        "(assert (ite true 2 \"a\"))",
        1,
        21,
        "argument 3 of `ite` has sort String, expected Int like the arguments before it",
        "",
    );
    error("(assert (str.< \"a\" \"b\" 1))", 1, 24, "argument 3 of `str.<` has sort Int, expected String", "");
    error(
        "(declare-fun f (Int String) Int)\n(assert (= (f \"a\" 1) 1))",
        2,
        15,
        "argument 1 of `f` has sort String, expected Int",
        "",
    );
    error("(assert (forall ((x Int)) 1))", 1, 27, "expected a body of sort Bool, found Int", "");
    error("(define-fun f ((x Int)) String x)", 1, 32, "expected a body of sort String, found Int", "");
    // The arguments of Z3str2's operator are swapped.
    check(
        b"(assert (StartsWith 1 \"a\"))",
        Dialect::Smt20,
        Severity::Error,
        &[(1, 21, "argument 2 of `str.prefixof` has sort Int, expected String", "")],
    );
}

#[test]
fn wrong_numbers_of_arguments() {
    error("(assert (= 1 (str.len \"\" \"\")))", 1, 15, "`str.len` takes 1 argument(s), found 2", "");
    error("(assert (not))", 1, 10, "`not` takes 1 argument(s), found 0", "");
    error("(assert (= 1))", 1, 10, "`=` takes at least 2 argument(s), found 1", "");
    error(
        "(declare-fun f (Int String) Int)\n(assert (= (f 1) 1))",
        2,
        13,
        "`f` takes 2 argument(s), found 1",
        "",
    );
    error("(declare-const x Int)\n(assert (x 1))", 2, 10, "`x` takes 0 argument(s), found 1", "");
    error("(assert (forall ((y Int)) (y 1)))", 1, 28, "`y` is a variable and takes no arguments", "");
    error("(assert not)", 1, 9, "`not` needs arguments", "");
    error("(assert (= let 1))", 1, 12, "`let` is a reserved word", "");
    error("(assert (str.in_re \"\" ((_ re.^ 1 2) re.all)))", 1, 24, "`re.^` takes 1 index(es), found 2", "");
    error(
        "(assert (str.in_re \"\" ((_ re.^ x) re.all)))",
        1,
        24,
        "the indices of `re.^` must be numerals",
        "",
    );
    error("(assert (= ((_ str.len 1) \"a\") 1))", 1, 13, "`str.len` takes no index", "");
}

#[test]
fn malformed_terms() {
    error("(assert ())", 1, 9, "`()` is not a term", "");
    error("(assert (1 2))", 1, 10, "`1` is not a function", "");
    error("(assert (= :a 1))", 1, 12, "`:a` is not a term", "");
    error(
        "(assert ((= 1 2) (= 3 4)))",
        1,
        10,
        "expected the name of a function, found a list",
        "is an operator missing before it?",
    );
    error("(assert (let x 1))", 1, 9, "malformed `let`", "(let ((x t) …) body)");
    error("(assert (let ((x 1) y) (= x 1)))", 1, 21, "expected a binding (name term)", "");
    error("(assert (forall x true))", 1, 17, "expected a list of sorted variables ((x Sort) …)", "");
    errors(
        "(assert (forall (x Int) true))",
        &[
            (1, 18, "expected a sorted variable (name Sort)", ""),
            (1, 20, "expected a sorted variable (name Sort)", ""),
        ],
    );
    error("(assert (!))", 1, 9, "malformed `!`", "(! t :key value …)");
    error("(assert (! true named))", 1, 17, "expected a keyword such as `:named`", "");
    error("(assert (! true :named 5))", 1, 24, "`:named` takes a symbol", "");
    error("(assert (as x))", 1, 9, "malformed `as`", "(as name Sort)");
    error("(assert (_))", 1, 9, "malformed `_`", "(_ name index …)");
}

#[test]
fn malformed_commands() {
    error("check-sat", 1, 1, "expected a command `(name …)`", "");
    error("foo bar \"baz\"\n(check-sat)", 1, 1, "expected a command `(name …)`", "");
    error("(check-sat 1)", 1, 1, "wrong arguments for `check-sat`", "");
    error("(assert true true)", 1, 1, "wrong arguments for `assert`", "");
    error("(set-info source 1)", 1, 11, "expected a keyword and at most one value", "");
    error("(set-logic 5)", 1, 12, "expected the name of a logic", "");
    error("(echo hello)", 1, 1, "wrong arguments for `echo`", "");
    error("(get-info name)", 1, 1, "wrong arguments for `get-info`", "");
    error("(declare-const 5 Int)", 1, 16, "`5` is not a symbol", "");
    error("(declare-fun f Int Int)", 1, 16, "expected a list of sorts", "");
    error("(define-fun f (x) Int 1)", 1, 16, "expected a sorted variable (name Sort)", "");
    error("(define-funs-rec ((f () Int)) (1 2))", 1, 1, "1 signature(s) but 2 bodies", "");
    error("(define-funs-rec ((f Int)) (1))", 1, 19, "expected a signature (name ((x Sort) …) Sort)", "");
    check(
        b"(chek-sat)",
        Dialect::Smt26,
        Severity::Notice,
        &[(1, 2, "unknown command `chek-sat`, kept as written", "did you mean `check-sat`?")],
    );
}

#[test]
fn missing_parentheses() {
    error("(assert (= 1 2)\n(check-sat)\n", 1, 1, "unclosed `(`", NEXT_HINT);
    error("(assert (= 1 (+ 2 3)", 1, 9, "unclosed `(`", "the text ends before its `)`");
    errors(
        "(assert (= 1 2)\n(check-sat)\n(assert (not true)\n(assert (= 1 \"\"))\n(exit)",
        &[
            (1, 1, "unclosed `(`", NEXT_HINT),
            (3, 1, "unclosed `(`", NEXT_HINT),
            (4, 14, "argument 2 of `=` has sort String, expected Int like the arguments before it", ""),
        ],
    );
}

#[test]
fn stray_parentheses() {
    error("(check-sat))\n(exit)", 1, 12, "unmatched `)`", "");
    error(")))\n(check-sat)", 1, 1, "unmatched `)`", "");
    errors(
        "(assert true))\n(assert 1)",
        &[(1, 14, "unmatched `)`", ""), (2, 9, "expected a term of sort Bool, found Int", "")],
    );
}

#[test]
fn unterminated_literals() {
    error("(assert (= \"abc 1))\n(check-sat)\n", 1, 12, "unclosed string literal", QUOTE_HINT);
    error("(assert (= \"a\\\"b\" \"c\"))", 1, 21, "unclosed string literal", QUOTE_HINT);
    error("(assert (= |abc 1))\n(check-sat)\n", 1, 12, "unclosed quoted symbol", "");
    check(b"(assert (= \"a\\\"b\" \"c\"))", Dialect::Smt20, Severity::Error, &[]);
}

#[test]
fn levels() {
    error("(pop)", 1, 1, "cannot pop 1 level(s), only 0 open", "");
    error("(push 2)\n(pop 3)", 2, 1, "cannot pop 3 level(s), only 2 open", "");
    error("(push 2)(pop 1)(push 1)\n (pop 3)", 2, 2, "cannot pop 3 level(s), only 2 open", "");
    errors(
        "(push x)(pop -1)(push 99999999999)(push +5)",
        &[
            (1, 7, "expected a number of levels", ""),
            (1, 14, "expected a number of levels", ""),
            (1, 23, "expected a number of levels", ""),
            (1, 41, "expected a number of levels", ""),
        ],
    );
}

#[test]
fn names_of_the_theory() {
    error(
        "(declare-fun str.++ (String) String)",
        1,
        14,
        "`str.++` is a theory symbol and cannot be redefined",
        "",
    );
    error("(declare-const |str.len| Int)", 1, 16, "`str.len` is a theory symbol and cannot be redefined", "");
    error("(declare-const - Int)", 1, 16, "`-` is a theory symbol and cannot be redefined", "");
    error("(define-fun and () Int 1)", 1, 13, "`and` is a theory symbol and cannot be redefined", "");
    error("(declare-sort Int 0)", 1, 15, "`Int` is a theory symbol and cannot be redefined", "");
    error("(define-sort String () Int)", 1, 14, "`String` is a theory symbol and cannot be redefined", "");
    error("(assert (! true :named and))", 1, 24, "`and` is a theory symbol and cannot be redefined", "");
    // Names of other dialects and of solvers are free.
    check(
        b"(declare-fun Concat (Int) Int)(declare-fun str.rev () Int)",
        Dialect::Smt26,
        Severity::Error,
        &[],
    );
    check(
        b"(declare-const x Int)\n(declare-const x String)",
        Dialect::Smt26,
        Severity::Notice,
        &[(2, 16, "`x` is already declared", "")],
    );
    // At an inner level too, as in the standard; after `pop` the name is free.
    check(
        b"(declare-const x Int)(push)\n(declare-const x Int)(declare-const y Int)(pop)\n(declare-const y Int)",
        Dialect::Smt26,
        Severity::Notice,
        &[(2, 16, "`x` is already declared", "")],
    );
}

#[test]
fn characters_beyond_the_theory() {
    for bad in ["#x30000", "#x000041", "#xFFFFFF", "-1", "#b1", "196608"] {
        let text = format!("(assert (= (_ char {bad}) \"\"))");
        error(&text, 1, 12, "not a character of the theory", CHAR_HINT);
    }
    for good in ["#x2FFFF", "#x0", "#x00041", "65"] {
        errors(&format!("(assert (= (_ char {good}) \"\"))"), &[]);
    }
    // 30000 is not an escape, so these are nine characters; the second text has the character itself.
    errors("(assert (= \"\\u{30000}\" \"\"))", &[]);
    let all = diagnostics("(assert (= \"\u{10FFFF}\" \"\"))".as_bytes(), Dialect::Smt26);
    assert_eq!(all.len(), 2);
    assert_eq!(all[1].3, "character above U+2FFFF, the largest of the theory");
}

#[test]
fn bytes_that_are_not_utf8() {
    let latin1 = (
        1,
        12,
        "non-ASCII bytes in a string literal, not UTF-8, read as Latin-1",
        "the standard allows such characters only as escapes",
    );
    check(b"(assert (= \"\xE9a\" \"b\"))", Dialect::Smt26, Severity::Notice, &[latin1]);
    // Each malformed byte is a column.
    check(
        b"(declare-const a\xE9b Int)\n(assert (= a\xE9b |\xFF\xFE| c))",
        Dialect::Smt26,
        Severity::Error,
        &[(2, 16, "unknown symbol `\u{FFFD}\u{FFFD}`", ""), (2, 21, "unknown symbol `c`", "")],
    );
}

#[test]
fn control_characters() {
    check(
        b"(assert\x00 true)",
        Dialect::Smt26,
        Severity::Error,
        &[(1, 8, "bytes that SMT-LIB does not allow", "")],
    );
    check(
        b"\x00\x00\x01(check-sat)\n\x7F",
        Dialect::Smt26,
        Severity::Error,
        &[(1, 1, "bytes that SMT-LIB does not allow", ""), (2, 1, "bytes that SMT-LIB does not allow", "")],
    );
    // In a literal and in a comment they do no harm.
    check(b"(assert (= \"a\x00b\" \"\")) ; \x00\n", Dialect::Smt26, Severity::Error, &[]);
}

#[test]
fn marks_and_line_ends_are_not_counted() {
    let told = diagnostics(b"\xEF\xBB\xBF(assert (= x 1))", Dialect::Smt26);
    assert_eq!(told[0], (Severity::Notice, 1, 1, "skipped a byte order mark".into(), String::new()));
    assert_eq!(told[1], (Severity::Error, 1, 12, "unknown symbol `x`".into(), String::new()));
    error("(check-sat)\r\n(assert\r\n  (= y 1))\r\n", 3, 6, "unknown symbol `y`", "");
    error("; a \r\n(assert (= 1 y)) ; b\r\n", 2, 14, "unknown symbol `y`", "");
}

#[test]
fn columns_count_characters() {
    errors("(set-info :source |é😀|) (assert (= y 1))", &[(1, 36, "unknown symbol `y`", "")]);
    errors("\t(assert (= y 1))", &[(1, 13, "unknown symbol `y`", "")]);
}

#[test]
fn one_run_reports_many_errors() {
    errors(
        "(declare-const s String)\n(assert (and (= s 1) (str.len s) (foo s) (= (str.at s) \"\")))\n(pop 1)\n(assert (str.prefixof s))\n",
        &[
            (2, 19, "argument 2 of `=` has sort Int, expected String like the arguments before it", ""),
            (2, 22, "argument 2 of `and` has sort Int, expected Bool", ""),
            (2, 35, "unknown symbol `foo`", ""),
            (2, 46, "`str.at` takes 2 argument(s), found 1", ""),
            (3, 1, "cannot pop 1 level(s), only 0 open", ""),
            (4, 10, "`str.prefixof` takes 2 argument(s), found 1", ""),
        ],
    );
}

#[test]
fn errors_deep_inside() {
    let deep = |inside: &str| format!("(assert {}{inside}{})", "(not ".repeat(100_000), ")".repeat(100_000));
    error(
        &deep("(= 1 \"\")"),
        1,
        9 + 500_000 + 5,
        "argument 2 of `=` has sort String, expected Int like the arguments before it",
        "",
    );
    error(&deep("\ny"), 2, 1, "unknown symbol `y`", "");
    let open = format!("(assert {}true{}", "(not ".repeat(100_000), ")".repeat(99_999));
    error(&open, 1, 9, "unclosed `(`", "the text ends before its `)`");
}

#[test]
fn many_errors_take_linear_time() {
    let start = std::time::Instant::now();
    let unknown: String = (0..30_000).map(|i| format!("(assert unknown_{i}_name)\n")).collect();
    assert_eq!(stringent_smt::parse(unknown.as_bytes(), None, &mut Pool::new()).errors(), 30_000);
    let long = "x".repeat(100_000);
    let text = format!("(declare-const {long}y Int)(assert {long}z)(assert (f {long}))");
    assert_eq!(stringent_smt::parse(text.as_bytes(), None, &mut Pool::new()).errors(), 3);
    let unclosed = "(assert (f \"\n".repeat(20_001);
    assert!(!stringent_smt::parse(unclosed.as_bytes(), None, &mut Pool::new()).is_ok());
    let again = "(declare-const x Int)\n".repeat(50_000);
    assert_eq!(stringent_smt::parse(again.as_bytes(), None, &mut Pool::new()).diagnostics.len(), 49_999);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn dialects_are_detected() {
    let cases: [(&str, Dialect); 14] = [
        ("", Dialect::Smt26),
        ("(check-sat)", Dialect::Smt26),
        ("(assert (= x \"\\x41\"))", Dialect::Smt26),
        ("(assert (str.in_re x re.none))", Dialect::Smt26),
        ("(assert (str.in.re x re.nostr))", Dialect::Smt25),
        ("(assert (= (str.to.int x) 1))", Dialect::Smt25),
        ("(assert (= (int.to.str 1) x))", Dialect::Smt25),
        ("(assert (str.in.re x (re.++ (str.to_re x) (str.to_re y))))", Dialect::Smt26),
        ("(assert (= (Concat x y) z))", Dialect::Smt20),
        ("(assert (RegexIn x (RegexStar (Str2Reg \"a\\\"b\"))))", Dialect::Smt20),
        ("(declare-fun Length (Int) Int)(assert (= (Length 1) 1))", Dialect::Smt26),
        ("(assert (= (Concat x y) (str.replace_all x y z)))", Dialect::Smt26),
        ("(set-info :source |Norn|)(assert (str.in.re x re.nostr))", Dialect::Norn),
        ("; (str.in.re\n(assert (= x \"(str.in.re\")) (set-info :a |Concat|)", Dialect::Smt26),
    ];
    for (text, want) in cases {
        assert_eq!(detect(text.as_bytes()), want, "{text}");
    }
}

#[test]
fn inexpressible_in_a_dialect() {
    let in_dialect = |text: &str, dialect: Dialect| {
        let mut pool = Pool::new();
        let parsed = stringent_smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut pool);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        script_text(&pool, &parsed.script, dialect, None, None).map_err(|e| e.to_string())
    };
    let cannot = |text: &str, dialect: Dialect, what: &str| {
        assert_eq!(in_dialect(text, dialect), Err(format!("dialect {dialect} cannot express {what}")));
    };
    use Dialect::{Norn, Smt20, Smt25, Smt26};
    for old in [Smt20, Smt25, Norn] {
        cannot("(assert (= \"\\u{100}\" \"\"))", old, "the character U+0100");
        cannot("(assert (str.is_digit \"\"))", old, "`str.is_digit`");
        cannot("(assert (str.in_re \"\" (re.diff re.all re.all)))", Smt25, "`re.diff`");
        cannot("(assert (str.in_re \"\" ((_ re.^ 3) (str.to_re \"a\"))))", old, "`re.^`");
        cannot("(assert (= \"\" (str.replace_re \"\" (str.to_re \"\") \"\")))", old, "`str.replace_re`");
    }
    cannot("(assert (str.in_re \"\" ((_ re.loop 1 2) (str.to_re \"\"))))", Smt20, "`re.loop`");
    cannot("(assert (str.in_re \"\" re.none))", Smt20, "`re.none`");
    cannot("(assert (str.< \"\" \"a\"))", Smt20, "`str.<`");
    cannot("(assert (= 1 (str.to_int \"\")))", Smt20, "`str.to_int`");
    for bare in [Smt20, Norn] {
        for (text, name) in [
            ("(check-sat-assuming ())", "check-sat-assuming"),
            ("(define-fun-rec f () Int 1)", "define-fun-rec"),
            ("(define-funs-rec ((f () Int)) (1))", "define-funs-rec"),
            ("(echo \"\")", "echo"),
            ("(reset)", "reset"),
            ("(reset-assertions)", "reset-assertions"),
            ("(get-unsat-assumptions)", "get-unsat-assumptions"),
        ] {
            cannot(text, bare, &format!("`{name}`, its commands are those of SMT-LIB 2.0"));
        }
    }
    // Their operators, in their own names.
    let text = "(set-info :smt-lib-version 2.6)(declare-const x String)(declare-fun r () RegLan)\
                (assert (str.in_re x (re.++ (re.* (str.to_re \"\\u{a}\\\"\"\")) (re.range \"a\" \"b\"))))\
                (assert (str.prefixof \"a\" x))(assert (= (str.indexof x \"a\" 0) (str.len x)))";
    assert_eq!(
        in_dialect(text, Smt20).unwrap(),
        "(set-info :smt-lib-version 2.0)\n(declare-fun x () String)\n(declare-fun r () Regex)\n\
         (assert (RegexIn x (RegexConcat (RegexStar (Str2Reg \"\\x0a\\\\\\\"\")) (RegexCharRange \"a\" \"b\"))))\n\
         (assert (StartsWith x \"a\"))\n(assert (= (Indexof2 x \"a\" 0) (Length x)))\n"
    );
    assert_eq!(
        in_dialect(text, Smt25).unwrap(),
        "(set-info :smt-lib-version 2.5)\n(declare-const x String)\n(declare-fun r () RegLan)\n\
         (assert (str.in.re x (re.++ (re.* (str.to.re \"\\x0a\\\\\"\"\")) (re.range \"a\" \"b\"))))\n\
         (assert (str.prefixof \"a\" x))\n(assert (= (str.indexof x \"a\" 0) (str.len x)))\n"
    );
    assert_eq!(
        in_dialect(text, Norn).unwrap(),
        in_dialect(text, Smt25)
            .unwrap()
            .replace("(declare-const x String)", "(declare-fun x () String)")
            .replace("2.5", "2.0")
    );
    assert!(in_dialect(text, Smt26).unwrap().contains("\"\\u{a}\\u{5c}\"\"\""));
    assert_eq!(
        in_dialect("(assert (str.in_re \"\" ((_ re.loop 1 2) re.all)))", Smt25).unwrap(),
        "(assert (str.in.re \"\" (re.loop re.all 1 2)))\n"
    );
}

#[test]
fn codes() {
    let samples = [
        (")", Code::UnmatchedParenthesis),
        ("(assert true", Code::Unclosed),
        ("(assert \"a", Code::Unclosed),
        ("(assert |a", Code::Unclosed),
        ("\u{1}", Code::InvalidBytes),
        ("\u{feff}(check-sat)", Code::ByteOrderMark),
        ("(assert)", Code::MalformedCommand),
        ("(frobnicate)", Code::UnknownCommand),
        ("(assert (let x true))", Code::MalformedTerm),
        ("(declare-const x ())", Code::MalformedSort),
        ("(assert (= \"\" \"\u{10FFFF}\"))", Code::InvalidCharacter),
        ("(assert (= \"é\" \"\"))", Code::NonAscii),
        ("(assert x)", Code::UndeclaredSymbol),
        ("(declare-const x S)", Code::UndeclaredSort),
        ("(declare-const x Int)(declare-const x Int)", Code::Redeclared),
        ("(declare-const str.len Int)", Code::ReservedName),
        ("(assert let)", Code::ReservedName),
        ("(define-fun f ((x Int) (x Int)) Int x)", Code::DuplicateName),
        ("(assert (forall ((x Bool)) (! x :named n)))", Code::NamedOpenTerm),
        ("(assert 1)", Code::IllSorted),
        ("(assert (not 1))", Code::IllSorted),
        ("(assert (not true true))", Code::WrongArity),
        ("(assert (_ str.len 1))", Code::InvalidIndex),
        ("(pop 1)", Code::PopTooFar),
    ];
    for (text, want) in samples {
        let parsed = stringent_smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut Pool::new());
        let codes: Vec<Code> = parsed.diagnostics.iter().map(|d| d.code).collect();
        assert!(codes.contains(&want), "{text}: {codes:?}");
    }
    let elsewhere = [Code::SortTooLarge, Code::MalformedRule, Code::UnverifiedRule, Code::MalformedProfile];
    let tested = |c: &Code| elsewhere.contains(c) || samples.iter().any(|s| s.1 == *c);
    assert!(Code::ALL.iter().all(tested));
    let names: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|c| c.as_str()).collect();
    assert_eq!(names.len(), Code::ALL.len(), "a name is used twice");
}
