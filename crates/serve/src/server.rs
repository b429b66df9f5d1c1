//! The socket: connections, requests, and the thread that they run on.

use crate::guard::Guard;
use crate::reply::{Reply, page, redirect, text};
use crate::site::Site;
use crate::{Options, ServeError, pages, reader};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::{Future as _, poll_fn};
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// Connections at a time; others wait.
const CONNECTIONS: usize = 1024;
/// Requests that read stores at a time; others wait.
const WORKERS: usize = 4;
/// The time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// The time for a form.
const FORM_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of the head of a request.
const MAX_HEAD: usize = 64 << 10;
/// The longest address.
const MAX_ADDRESS: usize = 16 << 10;
/// The most bytes of a form.
const MAX_FORM: usize = 4 << 10;
/// Rest after an error of `accept`, for example when there are no file descriptors left.
const AFTER_ERROR: Duration = Duration::from_millis(100);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    options: Options,
    site: Arc<Site>,
    stop: Stop,
}

/// Ends a server from another thread.
#[derive(Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends the server.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Looks for stores and listens.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        let address = options.listen;
        if options.token.is_none() && !address.ip().is_loopback() {
            return Err(ServeError::NoToken(address));
        }
        let site = Arc::new(Site::open(&options)?);
        let listen = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        Ok(Server { listener, options, site, stop: Stop::default() })
    }

    /// The address with the port that is used.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// The number of stores that were found.
    pub fn stores(&self) -> usize {
        self.site.campaigns().len()
    }

    /// Ends the server from another thread.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is stopped.
    pub fn run(self) -> Result<(), ServeError> {
        let guard = Arc::new(Guard::new(&self.options, self.address()?.port()));
        let site = self.site.clone();
        let reader = std::thread::Builder::new().name("reader".into()).spawn(move || reader::run(&site))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(WORKERS)
            .build()?;
        let done = runtime.block_on(accept(self.listener, self.site.clone(), guard, self.stop));
        self.site.close();
        runtime.shutdown_timeout(Duration::from_secs(1));
        // It looks at the site after each step, which is short.
        let _ = reader.join();
        done
    }
}

async fn accept(
    listener: TcpListener,
    site: Arc<Site>,
    guard: Arc<Guard>,
    stop: Stop,
) -> Result<(), ServeError> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else { return Ok(()) };
        let mut stopped = pin!(stop.0.notified());
        let next = poll_fn(|context| match stopped.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => listener.poll_accept(context).map(Some),
        });
        let stream = match next.await {
            None => return Ok(()),
            Some(Ok((stream, _))) => stream,
            Some(Err(_)) => {
                tokio::time::sleep(AFTER_ERROR).await;
                continue;
            }
        };
        let (site, guard) = (site.clone(), guard.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(site.clone(), guard.clone(), request));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(MAX_HEAD)
                .serve_connection(TokioIo::new(stream), service);
            // The client is gone; there is nobody to tell.
            let _ = connection.await;
            drop(place);
        });
    }
}

async fn answer(site: Arc<Site>, guard: Arc<Guard>, request: Request<Incoming>) -> Result<Reply, Infallible> {
    let (uri, headers) = (request.uri(), request.headers());
    if !guard.is_for_us(uri, headers) {
        let why = "This server is asked for under a name that it does not know. Use localhost or its address, or start it with --host NAME.";
        return Ok(text(StatusCode::MISDIRECTED_REQUEST, why));
    }
    let path = uri.path().to_owned();
    let query = uri.query().unwrap_or_default().to_owned();
    if path.len() + query.len() > MAX_ADDRESS {
        return Ok(text(StatusCode::URI_TOO_LONG, "The address is too long."));
    }
    if path == "/login" {
        return Ok(login(&guard, request, &query).await);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(text(StatusCode::METHOD_NOT_ALLOWED, "This server only reads."));
    }
    if let Some(asset) = pages::asset(&path) {
        return Ok(asset);
    }
    if !guard.is_allowed(headers) {
        return Ok(page(StatusCode::UNAUTHORIZED, pages::login(false)));
    }
    if let Some(stream) = pages::events(&site, &path) {
        return Ok(stream);
    }
    let made = tokio::task::spawn_blocking(move || pages::answer(&site, &path, &query)).await;
    Ok(made
        .unwrap_or_else(|_| page(StatusCode::INTERNAL_SERVER_ERROR, pages::failed("an error of stringent"))))
}

/// Takes a token, from the link that the program prints or from the form.
async fn login(guard: &Guard, request: Request<Incoming>, query: &str) -> Reply {
    let given = match *request.method() {
        Method::GET | Method::HEAD => query.to_owned(),
        Method::POST => {
            let form = Limited::new(request.into_body(), MAX_FORM).collect();
            match tokio::time::timeout(FORM_TIMEOUT, form).await {
                Ok(Ok(form)) => String::from_utf8_lossy(&form.to_bytes()).into_owned(),
                Ok(Err(_)) => return text(StatusCode::PAYLOAD_TOO_LARGE, "The form is too long."),
                Err(_) => return text(StatusCode::REQUEST_TIMEOUT, "The form did not arrive."),
            }
        }
        _ => return text(StatusCode::METHOD_NOT_ALLOWED, "This server only reads."),
    };
    let given = crate::link::Query::parse(&given);
    match guard.admit(given.get("token")) {
        Some(cookie) => redirect("/", &cookie),
        None => page(StatusCode::UNAUTHORIZED, pages::login(!given.get("token").is_empty())),
    }
}
