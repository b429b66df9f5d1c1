//! The failure that the user names.

use bugs::property::Keep;
use std::str::FromStr;
use std::time::Duration;

/// A failure of a solver, or a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wanted {
    Failure(Keep),
    Command(String),
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        let failure = match text.split_once('=').unwrap_or((text, "")) {
            ("wrong", "") => Keep::Wrong,
            ("model", "") => Keep::Model,
            ("core", "") => Keep::Core,
            ("crash", "") => Keep::Crash,
            ("error", "") => Keep::Error,
            ("unknown", "") => Keep::Unknown,
            ("slow", "") => Keep::Slow(None),
            ("slow", time) => Keep::Slow(Some(Duration::from_secs_f64(crate::limits::seconds(time)?))),
            ("slower", rest) if !text.contains("{file}") => slower(rest)?,
            _ if text.contains("{file}") => return Ok(Wanted::Command(text.to_owned())),
            _ => return Err(FORMS.into()),
        };
        Ok(Wanted::Failure(failure))
    }
}

const FORMS: &str = "must be wrong, model, core, crash, error, unknown, slow, slow=SECONDS, slower=SOLVER:FACTOR, or a command with {file}";

/// `SOLVER:FACTOR`
fn slower(text: &str) -> Result<Keep, String> {
    let wrong = || "must be slower=SOLVER:FACTOR, such as slower=z3:10".to_owned();
    let (solver, factor) = text.rsplit_once(':').ok_or_else(wrong)?;
    let factor: f64 = factor.trim().parse().map_err(|_| wrong())?;
    if solver.is_empty() || !factor.is_finite() {
        return Err(wrong());
    }
    if factor <= 1.0 {
        return Err("the factor must be larger than 1".into());
    }
    Ok(Keep::Slower { solver: solver.to_owned(), factor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_named() {
        let of = |text: &str| text.parse::<Wanted>();
        assert_eq!(of("wrong"), Ok(Wanted::Failure(Keep::Wrong)));
        assert_eq!(of("slow=2.5"), Ok(Wanted::Failure(Keep::Slow(Some(Duration::from_millis(2500))))));
        let slower = Keep::Slower { solver: "z3@4.8.6".into(), factor: 10.0 };
        assert_eq!(of("slower=z3@4.8.6:10"), Ok(Wanted::Failure(slower)));
        assert_eq!(of("grep -q x {file}"), Ok(Wanted::Command("grep -q x {file}".into())));
        for bad in [
            "wrongly",
            "slow=-1",
            "slow=x",
            "slower=z3",
            "slower=:2",
            "slower=z3:1",
            "slower=z3:nan",
            "",
            "wrong=1",
        ] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
