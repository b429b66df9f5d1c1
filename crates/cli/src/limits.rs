//! The values of limits on the command line: seconds, mebibytes, counts. One parser each, for every verb.
//!
//! Options that use them allow negative numbers, so that `--time-limit -1` is answered by the parser and not by a remark
//! about an unknown flag `-1`.

/// The longest time limit, about four months.
const MAX_SECONDS: f64 = 1e7;

/// A time limit.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(s) if s > MAX_SECONDS => Err(format!("must be at most {MAX_SECONDS} seconds (about four months)")),
        Ok(s) if s > 0.0 => Ok(s),
        _ => Err("must be a positive number of seconds, such as 10 or 0.5".into()),
    }
}

/// A time with a unit: `90s`, `30m`, `8h`, `2d`; seconds without one.
pub(crate) fn time(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h', 'd']) {
        Some(number) => (number, text.chars().last()),
        None => (text, None),
    };
    let factor = match unit {
        Some('m') => 60.0,
        Some('h') => 3600.0,
        Some('d') => 86_400.0,
        _ => 1.0,
    };
    match number.trim().parse::<f64>() {
        Ok(n) if n > 0.0 && n * factor <= MAX_SECONDS => Ok(n * factor),
        _ => Err("must be a time such as 90s, 30m, 8h or 2d, of at most four months".into()),
    }
}

/// A memory limit.
pub(crate) fn mebibytes(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| "must be a whole number of MiB, or 0 for no limit".into())
}

/// A number of things, at least one.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    match text.trim().parse() {
        Ok(0) | Err(_) => Err("must be a whole number of at least 1".into()),
        Ok(n) => Ok(n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_and_finite() {
        for text in ["-1", "0", "-0", "nan", "NaN", "-inf", "abc", "", " ", "1s", "0x10", "1e-400"] {
            let why = seconds(text).expect_err(text);
            assert!(why.contains("positive number of seconds"), "{text}: {why}");
        }
        for text in ["inf", "infinity", "1e400", "1e8"] {
            let why = seconds(text).expect_err(text);
            assert!(why.contains("at most 10000000 seconds"), "{text}: {why}");
            assert!(!why.contains("leave it out"), "some commands have a default limit: {why}");
        }
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("1e7"), Ok(1e7));
    }

    #[test]
    fn times_have_units() {
        for text in ["", "m", "-1m", "0", "1w", "nan", "inf", "1e9", "30 minutes"] {
            assert!(time(text).is_err(), "{text}");
        }
        assert_eq!(
            [time("90"), time("90s"), time("1.5m"), time("2h"), time("1d")],
            [90.0, 90.0, 90.0, 7200.0, 86_400.0].map(Ok)
        );
    }

    #[test]
    fn counts_and_sizes_are_whole() {
        for text in ["-1", "0", "1.5", "abc", "", "99999999999999999999999"] {
            assert!(count(text).is_err(), "{text}");
        }
        for text in ["-1", "0.5", "lots", "", "99999999999999999999999"] {
            let why = mebibytes(text).expect_err(text);
            assert!(why.contains("MiB"), "{text}: {why}");
        }
        assert_eq!((count("3"), mebibytes("0")), (Ok(3), Ok(0)));
    }
}
