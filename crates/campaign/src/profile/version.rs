//! Version numbers as programs and packages write them, and their order.

use std::cmp::Ordering;
use std::fmt;

/// A version: numbers and a suffix. `4.8.9` comes before `4.8.10`, `1.0-rc1` before `1.0`, and
/// `4.8.6` is the same as `4.8.6.0`.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    numbers: Vec<u64>,
    rest: String,
}

impl Version {
    /// Reads a version: it must start with a digit.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim();
        let (mut numbers, mut rest) = (Vec::new(), text);
        loop {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(number) = rest[..digits].parse() else { break };
            numbers.push(number);
            rest = &rest[digits..];
            match rest.strip_prefix('.') {
                Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => rest = after,
                _ => break,
            }
        }
        let sound = !numbers.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c == '/');
        while numbers.last() == Some(&0) {
            numbers.pop();
        }
        sound.then(|| Version { text: text.into(), numbers, rest: rest.into() })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first version number in the output of a program after the text `after`.
    pub fn find(output: &str, after: &str) -> Option<Version> {
        let output = &output[output.find(after)? + after.len()..];
        let starts = output.char_indices().filter(|&(i, c)| {
            c.is_ascii_digit() && !output[..i].ends_with(|p: char| p.is_ascii_alphanumeric() || p == '.')
        });
        let numbers = starts.map(|(i, _)| {
            let end = output[i..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(output.len() - i);
            output[i..i + end].trim_end_matches('.')
        });
        let all: Vec<&str> = numbers.collect();
        let best = all.iter().find(|n| n.contains('.')).or(all.first())?;
        Version::parse(best)
    }

    /// The order of the suffix: a pre-release, none, or a later one.
    fn stage(&self) -> i8 {
        let word = self.rest.trim_start_matches(['.', '-', '_']);
        match word {
            "" => 0,
            _ if word.starts_with("post") || self.rest.starts_with('+') => 1,
            _ => -1,
        }
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let key = |v: &Version| (v.numbers.clone(), v.stage(), v.rest.clone());
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap_or_else(|| panic!("{text} is a version"))
    }

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let sorted = [
            "1.8",
            "4.5.1",
            "4.5.1.0.post2",
            "4.8.0",
            "4.8.0.0.post1",
            "4.8.9",
            "4.8.10",
            "4.12.6-rc1",
            "4.12.6",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(version(a).cmp(&version(b)), i.cmp(&j), "{a} against {b}");
            }
        }
        assert_eq!(version("4.8.6"), version("4.8.6.0"));
        assert_eq!(version("0"), version("0.0"));
    }

    #[test]
    fn invalid_versions_are_reported() {
        for text in ["", "z3", "/usr/bin/z3", "4.8 6", ".5"] {
            assert!(Version::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn versions_are_found_in_the_output_of_programs() {
        let find = |output, after| Version::find(output, after).map(|v| v.to_string());
        assert_eq!(find("Z3 version 4.8.6 - 64 bit\n", "version").as_deref(), Some("4.8.6"));
        assert_eq!(
            find("This is cvc5 version 1.0.3\ncompiled with GCC version 12.2.0", "cvc5").as_deref(),
            Some("1.0.3")
        );
        assert_eq!(find("cvc5 1.4.2", "cvc5").as_deref(), Some("1.4.2"));
        assert_eq!(find("solver2 v7", "").as_deref(), None);
        assert_eq!(find("solver2 7", "").as_deref(), Some("7"));
        assert_eq!(find("built 2024, release 1.2.", "").as_deref(), Some("1.2"));
        assert_eq!(find("no number", "no"), None);
    }
}
