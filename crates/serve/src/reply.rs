//! Replies, and the headers that all of them have.

use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use maud::Markup;
use std::convert::Infallible;

/// The body of a reply.
pub(crate) type Body = BoxBody<Bytes, Infallible>;
/// A reply.
pub(crate) type Reply = Response<Body>;

/// Nothing but our own files may be loaded, and no script that stands in a page is run.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of all replies.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (header::CACHE_CONTROL, "no-store"),
];

/// A reply with this body.
pub(crate) fn reply(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Reply {
    with_body(status, kind, Full::new(body.into()).boxed())
}

/// A reply whose body may still be coming.
pub(crate) fn with_body(status: StatusCode, kind: &'static str, body: Body) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// A page.
pub(crate) fn page(status: StatusCode, page: Markup) -> Reply {
    reply(status, "text/html; charset=utf-8", page.into_string())
}

/// A short text.
pub(crate) fn text(status: StatusCode, text: impl Into<String>) -> Reply {
    let mut text: String = text.into();
    text.push('\n');
    reply(status, "text/plain; charset=utf-8", text)
}

/// JSON.
pub(crate) fn json(value: &serde_json::Value) -> Reply {
    reply(StatusCode::OK, "application/json", value.to_string())
}

/// A file of the program, which browsers may keep until it changes.
pub(crate) fn asset(kind: &'static str, content: &'static str) -> Reply {
    let mut reply = reply(StatusCode::OK, kind, content);
    reply.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

/// Sends a client to another page, with a cookie.
pub(crate) fn redirect(to: &'static str, cookie: &str) -> Reply {
    let mut reply = text(StatusCode::SEE_OTHER, "see /");
    reply.headers_mut().insert(header::LOCATION, HeaderValue::from_static(to));
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        reply.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    reply
}
