//! A live page on campaigns: `stringent serve`.
//!
//! Stores are opened for reading only. One thread, the reader, brings the counts of each campaign that someone looks at up to date, and all
//! clients see the same snapshot: a hundred of them cost the store what one costs. Pages are plain HTML, made here; the scripts of the page
//! only put new parts in place, draw plots and copy texts. Formulas and the output of solvers are hostile text: everything is escaped by
//! `maud`, and the content policy allows no script that is not ours.
//!
//! | module | holds |
//! |---|---|
//! | [`token`] | the secret that other machines need |
//! | `server` | the socket, connections, requests |
//! | `guard` | who may ask: host names, tokens, methods |
//! | `reply` | replies and their headers |
//! | `link` | addresses of pages, written and read |
//! | `site` | the campaigns, their names, connections to stores |
//! | `watch`, `reader` | snapshots of campaigns, and the thread that makes them |
//! | `feed` | server-sent events: the parts of a page that changed |
//! | `search` | runs that fit a description, within a time |
//! | `versus` | two campaigns compared, in the background |
//! | `pages` | the pages |

mod feed;
mod guard;
mod link;
mod pages;
mod reader;
mod reply;
mod search;
mod server;
mod site;
pub mod token;
mod versus;
mod watch;

pub use server::{Server, Stop};

use std::net::SocketAddr;
use std::path::PathBuf;
use token::Token;

/// What is served, and to whom.
#[derive(Clone, Debug)]
pub struct Options {
    /// Stores, folders of stores, and databases.
    pub places: Vec<PathBuf>,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Names of this machine that clients may use, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// The secret that clients need; none on a loopback address only.
    pub token: Option<Token>,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Other machines could read everything.
    #[error("{0} can be reached from other machines, so a token is needed")]
    NoToken(SocketAddr),
    /// A place has no stores that can be read.
    #[error(transparent)]
    Store(#[from] campaign::store::StoreError),
    /// The system has no threads or no random numbers left.
    #[error("{0}")]
    System(#[from] std::io::Error),
}
