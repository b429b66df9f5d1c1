//! Server-sent events: the parts of a page that have changed.
//!
//! Parts are made once for each snapshot, by the first client that needs them; all clients that saw the snapshot before get the same bytes.

use crate::reply::{Body, Reply, with_body};
use crate::watch::locked;
use http_body_util::BodyExt as _;
use http_body_util::channel::{Channel, Sender};
use hyper::StatusCode;
use hyper::body::Bytes;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// A sign of life when nothing happens.
const PING: Duration = Duration::from_secs(15);
/// Events of a stream that wait.
const WAITING: usize = 2;

/// The parts of a page by their ids, as HTML.
pub(crate) type Parts = BTreeMap<String, String>;

/// The parts of a page as they were made last.
#[derive(Default)]
pub(crate) struct Feed(Mutex<Made>);

#[derive(Default)]
struct Made {
    number: u64,
    parts: Parts,
    /// The number before, and what changed since.
    before: u64,
    change: Bytes,
}

impl Feed {
    /// The event that brings a client from the snapshot `from` to `number`; with `from` 0, everything.
    fn event(&self, from: u64, number: u64, make: impl FnOnce() -> Parts) -> Bytes {
        let mut made = locked(&self.0);
        if made.number < number || made.number == 0 {
            let parts = make();
            let is_new = |(id, part): &(&String, &String)| made.parts.get(*id) != Some(*part);
            let change = event(parts.iter().filter(is_new));
            *made = Made { number, before: made.number, change, parts };
        }
        if from > 0 && from == made.before { made.change.clone() } else { event(made.parts.iter()) }
    }
}

/// An event with these parts; a comment if there are none.
fn event<'a>(parts: impl Iterator<Item = (&'a String, &'a String)>) -> Bytes {
    let parts: serde_json::Map<String, serde_json::Value> =
        parts.map(|(id, part)| (id.clone(), part.as_str().into())).collect();
    match parts.is_empty() {
        true => Bytes::from_static(b": same\n\n"),
        // JSON has no line ends, so it is one line of data.
        false => format!("event: parts\ndata: {}\n\n", serde_json::Value::Object(parts)).into(),
    }
}

/// A stream of events of a page: `make` makes its parts, `numbers` tells when they have changed. `open` is held while it is open.
pub(crate) fn stream(
    feed: Arc<Feed>,
    open: watch::Receiver<()>,
    numbers: watch::Receiver<u64>,
    make: impl Fn() -> Parts + Send + 'static,
) -> Reply {
    let (sender, body) = Channel::<Bytes, Infallible>::new(WAITING);
    tokio::spawn(send(open, sender, feed, numbers, make));
    with_body(StatusCode::OK, "text/event-stream", Body::new(body.map_err(|never| match never {})))
}

async fn send(
    _open: watch::Receiver<()>,
    mut sender: Sender<Bytes>,
    feed: Arc<Feed>,
    mut numbers: watch::Receiver<u64>,
    make: impl Fn() -> Parts,
) {
    let mut seen = 0;
    loop {
        let number = *numbers.borrow_and_update();
        let event = if number > seen || seen == 0 {
            feed.event(seen, number, &make)
        } else {
            Bytes::from_static(b":\n\n")
        };
        seen = number;
        if sender.send_data(event).await.is_err() {
            return;
        }
        if let Ok(Err(_)) = tokio::time::timeout(PING, numbers.changed()).await {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[(&str, &str)]) -> Parts {
        list.iter().map(|(id, part)| ((*id).into(), (*part).into())).collect()
    }

    #[test]
    fn only_changes_are_sent() {
        let feed = Feed::default();
        let text = |bytes: Bytes| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let all = text(feed.event(0, 1, || parts(&[("a", "1"), ("b", "x\ny")])));
        assert_eq!(all, "event: parts\ndata: {\"a\":\"1\",\"b\":\"x\\ny\"}\n\n");
        let change = text(feed.event(1, 2, || parts(&[("a", "2"), ("b", "x\ny")])));
        assert_eq!(change, "event: parts\ndata: {\"a\":\"2\"}\n\n");
        // Another client that saw the same snapshot gets the same bytes; a new one everything.
        assert_eq!(text(feed.event(1, 2, || unreachable!("they are made"))), change);
        assert!(text(feed.event(0, 2, || unreachable!("they are made"))).contains("\"b\""));
        assert_eq!(text(feed.event(2, 3, || parts(&[("a", "2"), ("b", "x\ny")]))), ": same\n\n");
    }
}
