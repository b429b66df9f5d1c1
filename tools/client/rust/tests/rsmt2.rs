//! Programs on rsmt2: z3 by its default flags, or by `RSMT2_Z3_CMD`; strings, models, cores, activation literals.

use rsmt2::parse::{IdentParser, ModelParser, SymParser, ValueParser};
use rsmt2::{SmtConf, SmtRes, Solver};

/// Everything as text.
#[derive(Clone, Copy)]
struct Text;

impl<'a> IdentParser<String, String, &'a str> for Text {
    fn parse_ident(self, s: &'a str) -> SmtRes<String> {
        Ok(s.into())
    }
    fn parse_type(self, s: &'a str) -> SmtRes<String> {
        Ok(s.into())
    }
}
impl<'a> ValueParser<String, &'a str> for Text {
    fn parse_value(self, s: &'a str) -> SmtRes<String> {
        Ok(s.into())
    }
}
impl<'a> rsmt2::parse::ExprParser<String, (), &'a str> for Text {
    fn parse_expr(self, s: &'a str, _: ()) -> SmtRes<String> {
        Ok(s.into())
    }
}
impl<'a> SymParser<String, &'a str> for Text {
    fn parse_sym(self, s: &'a str) -> SmtRes<String> {
        Ok(s.into())
    }
}
impl<'a> ModelParser<String, String, String, &'a str> for Text {
    fn parse_value(self, s: &'a str, _: &String, _: &[(String, String)], _: &String) -> SmtRes<String> {
        Ok(s.into())
    }
}

fn solver(change: impl Fn(&mut SmtConf)) -> Solver<Text> {
    let mut conf = SmtConf::z3(std::env::var("RSMT2_Z3_CMD").unwrap_or_else(|_| "z3".into()));
    change(&mut conf);
    Solver::new(conf, Text).expect("it starts")
}

#[test]
fn models_and_values() {
    let mut s = solver(|_| {});
    s.declare_const("x", "String").unwrap();
    s.declare_const("n", "Int").unwrap();
    s.assert("(and (= (str.++ x \"c\") \"abc\") (= n (str.indexof x \"b\" 0)))").unwrap();
    assert!(s.check_sat().unwrap());
    let mut model: Vec<(String, String, String)> = s.get_model_const().unwrap();
    model.sort();
    let want = [("n", "Int", "1"), ("x", "String", "\"ab\"")].map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
    assert_eq!(model, want);
    let values: Vec<(String, String)> = s.get_values(["(str.len x)", "(str.at x 0)"]).unwrap();
    assert_eq!(values, [("(str.len x)".to_owned(), "2".to_owned()), ("(str.at x 0)".to_owned(), "\"a\"".to_owned())]);
}

#[test]
fn every_command_is_acknowledged() {
    let mut s = solver(|c| c.check_success());
    s.set_custom_logic("ALL").unwrap();
    s.declare_const("x", "String").unwrap();
    s.push(1).unwrap();
    s.assert("(str.in_re x (re.* (str.to_re \"ab\")))").unwrap();
    s.assert("(= (str.len x) 3)").unwrap();
    assert!(!s.check_sat().unwrap());
    s.pop(1).unwrap();
    assert!(s.check_sat().unwrap());
    s.reset().unwrap();
    s.declare_const("y", "String").unwrap();
    s.assert("(= y \"\")").unwrap();
    assert!(s.check_sat().unwrap());
}

#[test]
fn activation_literals() {
    let mut s = solver(|_| {});
    s.declare_const("x", "String").unwrap();
    let one = s.get_actlit().unwrap();
    s.assert_act(&one, "(str.prefixof \"ab\" x)").unwrap();
    s.assert_act(&one, "(< (str.len x) 2)").unwrap();
    assert!(!s.check_sat_act(Some(&one)).unwrap());
    s.de_actlit(one).unwrap();
    let two = s.get_actlit().unwrap();
    s.assert_act(&two, "(str.prefixof \"ab\" x)").unwrap();
    assert!(s.check_sat_act(Some(&two)).unwrap());
}

#[test]
fn named_cores() {
    let mut s = solver(|c| c.unsat_cores());
    s.declare_const("x", "String").unwrap();
    s.full_assert(None::<&rsmt2::actlit::Actlit>, Some("prefix"), "(str.prefixof \"ab\" x)", ()).unwrap();
    s.full_assert(None::<&rsmt2::actlit::Actlit>, Some("short"), "(= (str.len x) 1)", ()).unwrap();
    s.full_assert(None::<&rsmt2::actlit::Actlit>, Some("idle"), "(str.contains x \"c\")", ()).unwrap();
    assert!(!s.check_sat().unwrap());
    let core: Vec<String> = s.get_unsat_core().unwrap();
    assert!(core.contains(&"prefix".into()) && core.contains(&"short".into()), "{core:?}");
}

#[test]
fn functions_and_sorts() {
    let mut s = solver(|_| {});
    s.declare_sort("Key", 0).unwrap();
    s.declare_fun("name", &["Key"], "String").unwrap();
    s.declare_const("k", "Key").unwrap();
    s.declare_const("l", "Key").unwrap();
    s.define_fun("short", &[("s", "String")], "Bool", "(< (str.len s) 3)").unwrap();
    s.assert("(and (= k l) (short (name k)))").unwrap();
    assert!(s.check_sat().unwrap());
    s.assert("(= (name l) \"abc\")").unwrap();
    assert!(!s.check_sat().unwrap());
}

#[test]
fn an_error_is_reported() {
    let mut s = solver(|c| c.check_success());
    s.declare_const("x", "String").unwrap();
    assert!(s.assert("(> x 1)").is_err());
}
