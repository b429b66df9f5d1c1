//! A solver with planted bugs, for a demonstration without network: the built-in solver, which reads some operators as
//! similar ones.

use anyhow::Context as _;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

/// Its name.
pub(super) const NAME: &str = "faulty";
/// The hidden verb that is this solver.
pub const VERB: &str = "demo-solver";

/// The planted bugs: an operator, and the one it is read as.
pub(super) const BUGS: [(&str, &str); 3] =
    [("str.replace_all", "str.replace"), ("str.<=", "str.<"), ("re.+", "re.*")];

/// Solves the script on standard input, with the bugs.
pub fn serve() -> anyhow::Result<()> {
    let mut script = Vec::new();
    std::io::stdin().read_to_end(&mut script)?;
    let own = std::env::current_exe().context("this program is not known")?;
    let mut solver = Command::new(own).args(["solve", "-"]).stdin(Stdio::piped()).spawn()?;
    let mut input = solver.stdin.take().context("a pipe")?;
    input.write_all(&plant(&script))?;
    drop(input);
    solver.wait()?;
    Ok(())
}

/// The script with other operators; strings, comments and all other symbols stay.
fn plant(script: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    let (mut reader, mut tree) = (Reader::new(script, Quoting::Doubled), Tree::default());
    while reader.read(&mut tree) {
        for node in tree.nodes.iter().filter(|node| node.kind == Kind::Symbol) {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            let Some((_, wrong)) = BUGS.iter().find(|(right, _)| right.as_bytes() == &script[start..end])
            else {
                continue;
            };
            out.extend_from_slice(&script[at..start]);
            out.extend_from_slice(wrong.as_bytes());
            at = end;
        }
    }
    out.extend_from_slice(&script[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_operators_change() {
        let script = "; (str.<= a)\n(assert (str.<= \"re.+\" (str.replace_all x |re.+| y)))(check-sat)";
        let planted = "; (str.<= a)\n(assert (str.< \"re.+\" (str.replace x |re.+| y)))(check-sat)";
        assert_eq!(String::from_utf8(plant(script.as_bytes())).unwrap(), planted);
        assert_eq!(plant(b"(check-sat"), b"(check-sat");
    }
}
