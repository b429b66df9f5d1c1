//! Addresses of pages: a path and parameters, written and read.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that stand for themselves.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');
/// The longest value of a parameter.
const MAX_VALUE: usize = 4096;
/// The most parameters that are read.
const MAX_PARAMETERS: usize = 32;

/// An address on this server.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    text: String,
    has_query: bool,
}

impl Link {
    /// The address of a page that is not about one campaign.
    pub(crate) fn to(path: &str) -> Link {
        Link { text: path.to_owned(), has_query: false }
    }

    /// The address of a page about a campaign; the page of the campaign itself if `page` is empty.
    pub(crate) fn of(campaign: &str, page: &str) -> Link {
        let slash = if page.is_empty() { "" } else { "/" };
        Link::to(&format!("/c/{}{slash}{page}", utf8_percent_encode(campaign, PLAIN)))
    }

    /// With a parameter; an empty value is left out.
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<str>) -> Link {
        let value = value.as_ref();
        if !value.is_empty() {
            self.text.push(if self.has_query { '&' } else { '?' });
            self.text.push_str(&format!("{name}={}", utf8_percent_encode(value, PLAIN)));
            self.has_query = true;
        }
        self
    }
}

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl maud::Render for Link {
    fn render_to(&self, out: &mut String) {
        self.text.as_str().render_to(out);
    }
}

/// The parameters of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads `a=b&c=d`. What is too long is cut, what cannot be read is replaced; nothing is an error.
    pub(crate) fn parse(text: &str) -> Query {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).take(MAX_PARAMETERS);
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        };
        Query(pairs.map(pair).collect())
    }

    /// The value of a parameter; empty if it is not there.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// The value of a parameter, if it is there and not empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        Some(self.get(name).to_owned()).filter(|value| !value.is_empty())
    }

    /// The value of a parameter as a number.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }
}

/// A part of an address as text, without NUL, which databases do not take.
pub(crate) fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    let mut text = percent_decode_str(&text).decode_utf8_lossy().replace('\0', "\u{fffd}");
    let end = (0..=MAX_VALUE.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let odd = "a&b=c?d#e/ä\u{1f600}%+<script>\"'";
        let link = Link::of("my campaign", "run").with("instance", odd).with("none", "").with("seed", "3");
        let text = link.to_string();
        assert!(text.starts_with("/c/my%20campaign/run?instance=a%26b"), "{text}");
        assert!(!text.contains(['<', '"', '\'', '+', ' ']), "{text}");
        let query = Query::parse(text.split_once('?').expect("parameters").1);
        assert_eq!((query.get("instance"), query.number("seed"), query.text("none")), (odd, Some(3), None));
    }

    #[test]
    fn anything_is_read() {
        let long = "x".repeat(1 << 20);
        let query = Query::parse(&format!("a={long}&&=&b&%FF=%00%zz&{}", "c=1&".repeat(1000)));
        assert_eq!(query.get("a").len(), MAX_VALUE);
        assert_eq!(query.get("b"), "");
        assert_eq!(query.get("\u{fffd}"), "\u{fffd}%zz");
        assert_eq!(decoded(&"ä".repeat(5000)).len(), MAX_VALUE);
    }
}
