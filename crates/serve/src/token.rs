//! The token: a secret that clients on other machines need.
//!
//! Only its SHA-256 is kept and compared, in a time that does not depend on where two digests differ. The cookie of a browser is the digest
//! too, so that the token itself is not stored there.

use sha2::{Digest as _, Sha256};
use std::fmt;

/// The fewest characters of a token that a user chooses.
const MIN_LENGTH: usize = 16;
/// Random bytes of a token that is generated.
const RANDOM: usize = 24;

/// A token, by its digest.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// Without the digest.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// A token that is too easy to guess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has at least {MIN_LENGTH} characters, none of them a space")]
pub struct WeakToken;

impl Token {
    /// A token that a user chose; spaces and line ends around it do not count.
    pub fn chosen(text: &str) -> Result<Token, WeakToken> {
        let text = text.trim();
        let is_fit = text.len() >= MIN_LENGTH && !text.chars().any(char::is_whitespace);
        if is_fit { Ok(Token::of(text)) } else { Err(WeakToken) }
    }

    /// A new token, and its text.
    pub fn generate() -> std::io::Result<(Token, String)> {
        let mut bytes = [0; RANDOM];
        getrandom::fill(&mut bytes).map_err(|e| std::io::Error::other(e.to_string()))?;
        let text = hex(&bytes);
        Ok((Token::of(&text), text))
    }

    fn of(text: &str) -> Token {
        Token(Sha256::digest(text.as_bytes()).into())
    }

    /// Whether this is the text of the token.
    pub(crate) fn fits(&self, text: &str) -> bool {
        same(&self.0, &Token::of(text.trim()).0)
    }

    /// Whether this is the value of the cookie.
    pub(crate) fn fits_cookie(&self, value: &str) -> bool {
        let digest = Sha256::digest(value.as_bytes());
        same(&Sha256::digest(self.cookie().as_bytes()).into(), &digest.into())
    }

    /// The value of the cookie.
    pub(crate) fn cookie(&self) -> String {
        hex(&self.0)
    }
}

/// Looks at all bytes whatever they are.
fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    std::hint::black_box(a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b))) == 0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_fit_themselves_only() {
        let (token, text) = Token::generate().expect("random numbers");
        assert_eq!(text.len(), 2 * RANDOM);
        assert!(token.fits(&text) && token.fits(&format!("{text}\n")));
        assert!(!token.fits(&text[1..]) && !token.fits("") && !token.fits(&token.cookie()));
        assert!(token.fits_cookie(&token.cookie()));
        assert!(!token.fits_cookie(&text) && !token.fits_cookie(""));
        assert_ne!(Token::generate().expect("random numbers").1, text);
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn weak_tokens_are_refused() {
        for weak in ["", "short", "  padded  \n", "with a space in between"] {
            assert!(Token::chosen(weak).is_err(), "{weak}");
        }
        assert!(Token::chosen("0123456789abcdef\n").is_ok_and(|t| t.fits("0123456789abcdef")));
    }
}
