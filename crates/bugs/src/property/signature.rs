//! The message of a crash or an error, so that the same one is recognised in another run: without numbers, addresses, folders and the
//! names of the script; with a hash of the stack, if one is printed.

use campaign::case::Case;
use campaign::judge::Judged;
use campaign::outcome::{Kind, Severity};
use campaign::process::Ended;
use rustc_hash::FxHashSet;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Lines of a message that count.
const LINES: usize = 4;
/// Characters of a line that count.
const WIDTH: usize = 200;
/// Frames of a stack that count.
const FRAMES: usize = 5;

/// The message of a run, if it failed with an error.
pub(crate) fn message(case: &Case, ended: &Ended, found: &Judged) -> Option<String> {
    if found.kind.severity() != Severity::Error && found.kind != Kind::Unsupported {
        return None;
    }
    let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    let crashed = matches!(found.kind, Kind::Crash | Kind::CrashAfterAnswer);
    let names = case.declared_names();
    let mut out = match crashed && !stderr.trim().is_empty() {
        true => normalised(&stderr, &names),
        false => {
            end(&found.evidence).filter(|_| crashed).unwrap_or_else(|| normalised(&found.evidence, &names))
        }
    };
    if let Some(stack) = stack_hash(&stderr).or_else(|| stack_hash(&stdout)) {
        let _ = write!(out, "{}stack {stack}", if out.is_empty() { "" } else { "\n" });
    }
    (!out.is_empty()).then_some(out)
}

/// How a process ended that printed no message: `killed by signal 11`. Of such crashes the number tells most.
fn end(evidence: &str) -> Option<String> {
    let text = evidence.lines().next()?.trim();
    let number =
        text.rsplit(' ').next().filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))?;
    let before = text.strip_suffix(number)?;
    (before.ends_with("signal ") || before.ends_with("code "))
        .then(|| format!("{} {number}", line(before, &FxHashSet::default())))
}

/// The first lines of a text, without frames of a stack, numbers, addresses, folders and names.
pub(super) fn normalised(text: &str, names: &FxHashSet<&str>) -> String {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && frame(l).is_none());
    let lines: Vec<String> = lines.take(LINES).map(|l| line(l, names)).collect();
    lines.join("\n")
}

fn line(text: &str, names: &FxHashSet<&str>) -> String {
    let short: String = text.chars().take(WIDTH).collect();
    let tokens: Vec<String> = short.split_whitespace().map(|t| token(without_folder(t), names)).collect();
    tokens.join(" ")
}

/// A path without its folders.
fn without_folder(token: &str) -> &str {
    match token.rfind('/') {
        Some(at) if at + 1 < token.len() => &token[at + 1..],
        _ => token,
    }
}

/// Replaces numbers and names in a token by `_`.
fn token(text: &str, names: &FxHashSet<&str>) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_!.$@-~&^*+=<>?%".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, after) = rest.split_at(end);
        if names.contains(word) {
            out.push('_');
        } else {
            without_numbers(word, &mut out);
        }
        rest = after;
    }
    out
}

/// Replaces numbers and addresses by `_`; digits of a name such as `Z3` stay.
fn without_numbers(word: &str, out: &mut String) {
    if word.starts_with("0x") {
        return out.push('_');
    }
    let (mut in_name, mut in_number) = (false, false);
    for c in word.chars() {
        if c.is_ascii_digit() && !in_name {
            if !in_number {
                out.push('_');
            }
            in_number = true;
        } else {
            in_number = false;
            in_name = c.is_alphanumeric() || c == '_';
            out.push(c);
        }
    }
}

/// The hash of the functions on top of a stack; none if no stack is printed.
fn stack_hash(text: &str) -> Option<String> {
    let frames: Vec<&str> = text.lines().filter_map(|l| frame(l.trim())).filter(|f| !f.is_empty()).collect();
    if frames.is_empty() {
        return None;
    }
    let digest = Sha256::digest(frames[..frames.len().min(FRAMES)].join("\n").as_bytes());
    Some(digest[..4].iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The function of a line that is a frame of a stack, empty if it is not named: `#1 0x12 in f (…) at …`, `./z3(f+0x1f) [0x12]`, `3: f`.
fn frame(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix('#') {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix(' ')?.trim_start();
        let rest = rest.split_once(" in ").map_or(rest, |(_, f)| f);
        return Some(rest.split([' ', '(']).next().unwrap_or(""));
    }
    if let Some((before, after)) = line.split_once("+0x")
        && after.contains(')')
    {
        return before.rsplit_once('(').map(|(_, f)| f);
    }
    let (number, function) = line.split_once(": ")?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| function.trim().split("::h").next().unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        normalised(text, &["x", "my-var"].into_iter().collect())
    }

    #[test]
    fn messages_lose_numbers_addresses_folders_and_names() {
        let cases = [
            ("line 3 column 21: unknown constant x (String)", "line _ column _: unknown constant _ (String)"),
            ("Sort of my-var in Z3 at 0x7ffe12ab", "Sort of _ in Z3 at _"),
            ("File: ../src/ast/rewriter/seq_rewriter.cpp\nLine: 1234", "File: seq_rewriter.cpp\nLine: _"),
            ("k!12 and int64_t and x2", "k!_ and int64_t and x2"),
            ("Fatal failure at /home/me/cvc5/theory.cpp:91", "Fatal failure at theory.cpp:_"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn the_end_of_a_process_keeps_its_number() {
        let cases = [
            ("killed by signal 11", Some("killed by signal 11")),
            (
                "it gave 3 answers, then was killed by signal 6",
                Some("it gave _ answers, then was killed by signal 6"),
            ),
            (
                "it answered sat, then exited with code 139\nmore",
                Some("it answered sat, then exited with code 139"),
            ),
            ("line 3: no 7", None),
            ("é", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(end(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn stacks_are_compared_by_functions() {
        let one = "Segmentation fault\n#0  0x00007f in seq::eval (e=0x1) at seq.cpp:12\n#1  0x12 in main ()";
        let same = "Segmentation fault\n#0  0x0000aa in seq::eval (e=0x2) at seq.cpp:13\n#1  0x34 in main ()";
        let other = "Segmentation fault\n#0  0x00007f in seq::len (e=0x1) at seq.cpp:12\n#1  0x12 in main ()";
        assert_eq!(plain(one), "Segmentation fault");
        assert!(stack_hash(one).is_some());
        assert_eq!(stack_hash(one), stack_hash(same));
        assert_ne!(stack_hash(one), stack_hash(other));
        assert_eq!(
            stack_hash("./z3(_ZN3seq4evalEv+0x1f) [0x12]"),
            stack_hash("./z3(_ZN3seq4evalEv+0x2f) [0x34]")
        );
        assert_ne!(stack_hash("   3: seq::eval"), stack_hash("   3: seq::len"));
        assert_eq!(stack_hash("(error \"line 3: no\")"), None);
    }
}
