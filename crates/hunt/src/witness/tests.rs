//! Witnesses from fake solvers.

use super::*;
use crate::fake;

const TEXT: &str = "(declare-const x String)(assert (= (str.len x) 2))(check-sat)";

fn found(answer: &str) -> usize {
    let case = Case::from_text("c", TEXT.as_bytes()).expect("a script");
    let script = |text: &str| format!("cat > /dev/null\necho '{text}'");
    fake::with_solver("liar", &script("unsat"), |own, asker| {
        fake::with_solver("other", &script(answer), |other, _| {
            let variants = [other.copy(), own.copy()];
            let list = from_others(std::slice::from_ref(&case), &variants, own, asker, &fake::cancel());
            list.expect("not cancelled").len()
        })
    })
}

#[test]
fn another_solver_has_a_witness() {
    assert_eq!(found("sat\n((x \"ab\"))"), 1);
}

#[test]
fn a_model_that_the_referee_rejects_is_no_witness() {
    assert_eq!(found("sat\n((x \"abc\"))"), 0);
    assert_eq!(found("unsat"), 0);
    assert_eq!(found("(error \"no\")"), 0);
}

#[test]
fn other_programs_come_first() {
    fake::with_solver("a", "true", |own, _| {
        fake::with_solver("b", "true", |other, _| {
            let mut options = own.copy();
            options.solver.name = "a+x".into();
            let variants = [own.copy(), options, other.copy()];
            let names: Vec<&str> = others(&variants, own).iter().map(|v| v.solver.name.as_str()).collect();
            assert_eq!(names, ["b", "a+x"]);
        });
    });
}
