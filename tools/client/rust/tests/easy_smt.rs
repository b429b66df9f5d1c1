//! Programs on easy-smt: z3 and cvc5 by its default flags, strings and datatypes.

use easy_smt::{Context, ContextBuilder, Response, SExpr};

fn both(program: impl Fn(&mut Context)) {
    program(&mut ContextBuilder::new().with_z3_defaults().build().expect("z3"));
    program(&mut ContextBuilder::new().with_cvc5_defaults().build().expect("cvc5"));
}

fn text(c: &Context, s: &str) -> SExpr {
    c.atom(format!("\"{s}\""))
}

fn call(c: &Context, name: &str, args: &[SExpr]) -> SExpr {
    c.list([&[c.atom(name)], args].concat())
}

#[test]
fn string_values() {
    both(|c| {
        c.set_logic("ALL").unwrap();
        let (x, y) = (c.declare_const("x", c.atom("String")).unwrap(), c.declare_const("y", c.atom("String")).unwrap());
        c.assert(c.eq(call(c, "str.++", &[x, y]), text(c, "abc"))).unwrap();
        c.assert(c.eq(call(c, "str.len", &[x]), c.numeral(1))).unwrap();
        assert_eq!(c.check().unwrap(), Response::Sat);
        let values = c.get_value(vec![x, y]).unwrap();
        assert_eq!(c.get_str(values[0].1), Some("a"));
        assert_eq!(c.get_str(values[1].1), Some("bc"));
    });
}

#[test]
fn levels_and_regular_expressions() {
    both(|c| {
        c.set_logic("ALL").unwrap();
        let x = c.declare_const("x", c.atom("String")).unwrap();
        let digits = call(c, "re.+", &[call(c, "re.range", &[text(c, "0"), text(c, "9")])]);
        c.assert(call(c, "str.in_re", &[x, digits])).unwrap();
        c.push().unwrap();
        c.assert(c.gt(call(c, "str.to_int", &[x]), c.numeral(41))).unwrap();
        c.assert(c.lt(call(c, "str.to_int", &[x]), c.numeral(43))).unwrap();
        assert_eq!(c.check().unwrap(), Response::Sat);
        c.assert(c.eq(call(c, "str.at", &[x, c.numeral(0)]), text(c, "5"))).unwrap();
        assert_eq!(c.check().unwrap(), Response::Unsat);
        c.pop().unwrap();
        assert_eq!(c.check().unwrap(), Response::Sat);
    });
}

#[test]
fn unsat_cores() {
    both(|c| {
        c.set_option(":produce-unsat-cores", c.true_()).unwrap();
        c.set_logic("ALL").unwrap();
        let x = c.declare_const("x", c.atom("String")).unwrap();
        let formulas = [("short", c.lt(call(c, "str.len", &[x]), c.numeral(2))), ("other", call(c, "str.contains", &[x, text(c, "b")])), ("long", call(c, "str.prefixof", &[text(c, "ab"), x]))];
        for (name, formula) in formulas {
            c.assert(c.named(name, formula)).unwrap();
        }
        assert_eq!(c.check().unwrap(), Response::Unsat);
        let core = c.get_unsat_core().unwrap();
        let names: Vec<&str> = c.get_list(core).unwrap().iter().filter_map(|&n| c.get_atom(n)).collect();
        assert!(names.contains(&"short") && names.contains(&"long"), "{names:?}");
    });
}

#[test]
fn assumptions() {
    both(|c| {
        c.set_logic("ALL").unwrap();
        let (p, x) = (c.declare_const("p", c.bool_sort()).unwrap(), c.declare_const("x", c.atom("String")).unwrap());
        c.assert(c.imp(p, c.eq(x, text(c, "")))).unwrap();
        c.assert(call(c, "str.contains", &[x, text(c, "a")])).unwrap();
        assert_eq!(c.check_assuming([p]).unwrap(), Response::Unsat);
        assert_eq!(c.check().unwrap(), Response::Sat);
    });
}

#[test]
fn datatypes_with_strings() {
    both(|c| {
        c.set_logic("ALL").unwrap();
        let field = |name: &str, sort: &str| c.list(vec![c.atom(name), c.atom(sort)]);
        let cons = c.list(vec![c.atom("cons"), field("head", "String"), field("tail", "Words")]);
        let declared = c.list(vec![c.list(vec![c.atom("nil")]), cons]);
        let command = c.list(vec![c.atom("declare-datatype"), c.atom("Words"), declared]);
        c.raw_send(command).unwrap();
        let response = c.raw_recv().unwrap();
        assert_eq!(c.get_atom(response), Some("success"));
        let w = c.declare_const("w", c.atom("Words")).unwrap();
        let head = call(c, "head", &[w]);
        c.assert(call(c, "str.prefixof", &[text(c, "key="), head])).unwrap();
        let is_cons = c.list(vec![c.list(vec![c.atom("_"), c.atom("is"), c.atom("cons")]), w]);
        c.assert(is_cons).unwrap();
        c.push().unwrap();
        c.assert(c.eq(c.atom("nil"), w)).unwrap();
        assert_eq!(c.check().unwrap(), Response::Unsat);
        c.pop().unwrap();
        assert_eq!(c.check().unwrap(), Response::Sat);
        let value = c.get_value(vec![head]).unwrap()[0].1;
        assert!(c.get_str(value).unwrap().starts_with("key="));
    });
}

#[test]
fn an_error_does_not_end_the_session() {
    let mut c = ContextBuilder::new().with_z3_defaults().build().expect("z3");
    let x = c.declare_const("x", c.atom("String")).unwrap();
    c.assert(c.gt(x, c.numeral(1))).expect_err("a string is not a number");
    c.assert(c.eq(x, text(&c, "a"))).unwrap();
    assert_eq!(c.check().unwrap(), Response::Sat);
}

#[test]
fn models() {
    both(|c| {
        c.set_option(":produce-models", c.true_()).unwrap();
        c.set_logic("ALL").unwrap();
        let x = c.declare_const("x", c.atom("String")).unwrap();
        c.assert(c.eq(call(c, "str.len", &[x]), c.numeral(3))).unwrap();
        assert_eq!(c.check().unwrap(), Response::Sat);
        let model = c.get_model().unwrap();
        let definitions = c.get_list(model).unwrap();
        let parts = c.get_list(*definitions.last().unwrap()).unwrap();
        assert_eq!(c.get_atom(parts[0]), Some("define-fun"));
        assert_eq!(c.get_atom(parts[1]), Some("x"));
        assert_eq!(c.get_str(parts[4]).unwrap().len(), 3);
    });
}
