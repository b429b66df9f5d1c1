//! Who may ask: the names under which this server is asked for, and the token.
//!
//! A page of another site can make a browser ask this server under a name of its own that leads here (DNS rebinding). So a request must name
//! this server as `localhost`, by an address, or by a name that the user gave.

use crate::Options;
use crate::token::Token;
use hyper::header::{AUTHORIZATION, COOKIE, HOST, HeaderName};
use hyper::{HeaderMap, Uri};
use std::net::IpAddr;

/// The rules for requests.
pub(crate) struct Guard {
    token: Option<Token>,
    hosts: Vec<String>,
    /// Only this machine can reach the server.
    is_local: bool,
    cookie: String,
}

impl Guard {
    pub(crate) fn new(options: &Options, port: u16) -> Guard {
        Guard {
            token: options.token.clone(),
            hosts: options.hosts.iter().map(|h| h.to_ascii_lowercase()).collect(),
            is_local: options.listen.ip().is_loopback(),
            // Cookies do not tell ports apart.
            cookie: format!("stringent-{port}"),
        }
    }

    /// Whether the request is for this server.
    pub(crate) fn is_for_us(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else { return false };
        let absolute = uri.host().is_none_or(|host| self.is_our_name(host));
        absolute && host.to_str().ok().and_then(without_port).is_some_and(|host| self.is_our_name(host))
    }

    fn is_our_name(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host);
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        match bare.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || !self.is_local,
            Err(_) => host == "localhost" || self.hosts.iter().any(|known| known == host),
        }
    }

    /// Whether the request may see the pages.
    pub(crate) fn is_allowed(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let texts = |name: HeaderName| headers.get_all(name).into_iter().filter_map(|v| v.to_str().ok());
        let mut bearers = texts(AUTHORIZATION).filter_map(|text| text.strip_prefix("Bearer "));
        let mut cookies = texts(COOKIE).flat_map(|text| text.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        });
        bearers.any(|text| token.fits(text)) || cookies.any(|value| token.fits_cookie(value))
    }

    /// The cookie for a client that shows the token; none if it is not the token.
    pub(crate) fn admit(&self, text: &str) -> Option<String> {
        let token = self.token.as_ref().filter(|token| token.fits(text))?;
        Some(format!("{}={}; Path=/; HttpOnly; SameSite=Lax", self.cookie, token.cookie()))
    }
}

/// The host of a `Host` header.
fn without_port(host: &str) -> Option<&str> {
    let (name, port) = match host.rfind(':') {
        Some(at) if !host.ends_with(']') => (&host[..at], &host[at + 1..]),
        _ => (host, ""),
    };
    let is_name = !name.is_empty() && !name.contains(['/', '@', ' ', ',']);
    (is_name && port.bytes().all(|b| b.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn guard(listen: &str) -> Guard {
        let token = Some(Token::chosen("0123456789abcdef").expect("long enough"));
        let listen = listen.parse().expect("an address");
        Guard::new(&Options { places: Vec::new(), listen, hosts: vec!["Lab.example".into()], token }, 8000)
    }

    fn asks(guard: &Guard, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).expect("a header"));
        guard.is_for_us(&Uri::from_static("/"), &headers)
    }

    #[test]
    fn names_of_others_are_refused() {
        let local = guard("127.0.0.1:8000");
        for host in
            ["localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000", "lab.example", "localhost."]
        {
            assert!(asks(&local, host), "{host}");
        }
        let foreign = [
            "evil.example",
            "",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "a@localhost",
            "localhost:x",
            ":80",
        ];
        for host in foreign {
            assert!(!asks(&local, host), "{host}");
        }
        let open = guard("0.0.0.0:8000");
        assert!(asks(&open, "10.0.0.1:8000") && !asks(&open, "evil.example"));
        assert!(!local.is_for_us(&Uri::from_static("/"), &HeaderMap::new()));
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        assert!(!local.is_for_us(&Uri::from_static("http://evil.example/"), &headers));
        headers.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(!local.is_for_us(&Uri::from_static("/"), &headers));
    }

    #[test]
    fn the_token_is_needed() {
        let guard = guard("0.0.0.0:8000");
        let with = |name: HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_str(value).expect("a header"));
            guard.is_allowed(&headers)
        };
        assert!(with(AUTHORIZATION, "Bearer 0123456789abcdef"));
        assert!(!with(AUTHORIZATION, "Bearer 0123456789abcdeg"));
        assert!(!with(AUTHORIZATION, "0123456789abcdef"));
        assert_eq!(guard.admit("0123456789abcdeg"), None);
        let cookie = guard.admit("0123456789abcdef").expect("the token");
        let value = cookie.split(';').next().expect("a pair");
        assert!(with(COOKIE, value) && with(COOKIE, &format!("a=b; {value}")));
        assert!(!with(COOKIE, &value.replace("8000", "8001")));
        assert!(!with(COOKIE, "stringent-8000=0123456789abcdef"));
        assert!(!guard.is_allowed(&HeaderMap::new()));
    }
}
