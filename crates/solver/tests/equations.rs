//! Word equations whose shortest solutions are long.

mod common;

use common::{run, settings};
use std::fmt::Write as _;
use stringent_solver::options::Strategy;

/// `A a A b B b … I b J = a A B B b … J J b a a`: the last variable is `aa`, and each is the square of the next one.
#[test]
fn powers_of_one_letter_are_decided_ahead() {
    let names: Vec<char> = ('A'..='J').collect();
    let (mut text, mut left, mut right) = (String::new(), "A \"a\"".to_owned(), "\"a\" A".to_owned());
    for (k, name) in names.iter().enumerate() {
        let _ = write!(text, "(declare-const {name} String)");
        let _ = if k == 0 { write!(left, " A") } else { write!(left, " \"b\" {name}") };
        if k > 0 {
            let _ = write!(right, " {name} {name} \"b\"");
        }
    }
    let _ = write!(text, "(assert (= (str.++ {left}) (str.++ {right} \"aa\")))(check-sat)");
    assert_eq!(run(&text, settings(Strategy::Auto, 20_000)).verdict(), "sat", "{text}");
}
