//! A client that sends exactly what a test says, and a server in a thread of its own.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stringent_serve::token::Token;
use stringent_serve::{Options, Server, Stop};

/// A reply.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header; empty if it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(n, _)| n.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }
}

/// A server that runs.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Serves places on a loopback address.
    pub(crate) fn start(places: &[&Path]) -> Running {
        Running::with(places, None, &[])
    }

    pub(crate) fn with(places: &[&Path], token: Option<Token>, hosts: &[&str]) -> Running {
        let options = Options {
            places: places.iter().map(PathBuf::from).collect(),
            listen: "127.0.0.1:0".parse().expect("an address"),
            hosts: hosts.iter().map(|h| (*h).to_owned()).collect(),
            token,
        };
        let server = Server::bind(options).expect("bound");
        let (address, stop) = (server.address().expect("an address"), server.stop());
        let thread = Some(std::thread::spawn(move || server.run().expect("served")));
        Running { address, stop, thread }
    }

    /// Sends a request as it is.
    pub(crate) fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        stream.write_all(request.as_bytes()).expect("sent");
        stream
    }

    /// The reply to a request.
    pub(crate) fn ask(&self, request: &str) -> Answer {
        let mut bytes = Vec::new();
        self.send(request).read_to_end(&mut bytes).expect("a reply");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// The reply to `GET`, with these headers besides `Host`.
    pub(crate) fn get_with(&self, path: &str, headers: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    /// A page, asked for until it has this text.
    pub(crate) fn wait_for(&self, path: &str, text: &str) -> Answer {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let answer = self.get(path);
            if answer.body.contains(text) {
                return answer;
            }
            assert!(Instant::now() < end, "`{text}` is not in {path}: {}", answer.body);
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Reads a stream of events until it has this text.
    pub(crate) fn events(&self, path: &str) -> Events {
        Events {
            stream: self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")),
            text: String::new(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let done = thread.join();
            assert!(done.is_ok() || std::thread::panicking());
        }
    }
}

/// A stream of events.
pub(crate) struct Events {
    stream: TcpStream,
    pub(crate) text: String,
}

impl Events {
    /// Reads until this text has come.
    pub(crate) fn until(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        while !self.text.contains(text) {
            let n = self.stream.read(&mut buffer).expect("an event");
            assert!(n > 0, "the stream ended: {}", self.text);
            self.text.push_str(&String::from_utf8_lossy(&buffer[..n]));
        }
    }
}
