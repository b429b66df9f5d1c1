//! Techniques that can be switched off one by one, to measure them and to compare answers.

/// A technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Equal functions of one string.
    Twin,
    /// Languages and lengths through functions.
    Image,
    /// Candidate models from the sources of functions.
    Probe,
    /// Regular expressions with variables.
    Pattern,
    /// Parts that occur several times in a concatenation that is in a language.
    Repeat,
    /// Word equations by themselves: their graph, and lengths of solutions.
    Equation,
    /// Models from the lengths of the arithmetic model while equations are open.
    Guess,
    /// Characters counted on both sides of an equation.
    Count,
    /// Lengths and values of languages modulo small numbers.
    Residue,
    /// Models with small values.
    Small,
    /// Forms without a common string.
    Disjoint,
    /// Values of numerals in languages.
    Digits,
}

/// Names, in the order of the variants.
const NAMES: &[(&str, Engine)] = &[
    ("twin", Engine::Twin),
    ("image", Engine::Image),
    ("probe", Engine::Probe),
    ("pattern", Engine::Pattern),
    ("repeat", Engine::Repeat),
    ("equation", Engine::Equation),
    ("guess", Engine::Guess),
    ("count", Engine::Count),
    ("residue", Engine::Residue),
    ("small", Engine::Small),
    ("disjoint", Engine::Disjoint),
    ("digits", Engine::Digits),
];

/// The techniques that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines(u64);

impl Default for Engines {
    fn default() -> Engines {
        Engines(u64::MAX)
    }
}

impl Engines {
    /// Whether a technique is on.
    pub fn has(self, engine: Engine) -> bool {
        self.0 & (1 << engine as u64) != 0
    }
}

impl std::str::FromStr for Engines {
    type Err = String;

    /// Reads a list such as `-twin,-probe`, `none,+image` or `all`. A list that starts with `+` or `-` changes the default, which is all.
    fn from_str(text: &str) -> Result<Engines, String> {
        let mut on = u64::MAX;
        for item in text.split(',') {
            let (add, name) = match (item.strip_prefix('-'), item.strip_prefix('+')) {
                (Some(name), _) => (false, name),
                (None, name) => (true, name.unwrap_or(item)),
            };
            let bits = match (name, NAMES.iter().find(|(n, _)| *n == name)) {
                ("all", _) => u64::MAX,
                ("none", _) => {
                    on = 0;
                    continue;
                }
                (_, Some(&(_, engine))) => 1 << engine as u64,
                _ => {
                    let names: Vec<&str> = NAMES.iter().map(|&(n, _)| n).collect();
                    return Err(format!("expected all, none, or names with + or -: {}", names.join(", ")));
                }
            };
            on = if add { on | bits } else { on & !bits };
        }
        Ok(Engines(on))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_order() {
        let read = |text: &str| text.parse::<Engines>();
        let some = read("none,+image").expect("names");
        assert!(some.has(Engine::Image) && !some.has(Engine::Twin));
        let but = read("-twin").expect("names");
        assert!(but.has(Engine::Image) && !but.has(Engine::Twin));
        assert_eq!(read("none,all"), Ok(Engines::default()));
        assert!(read("unknown").is_err());
    }
}
