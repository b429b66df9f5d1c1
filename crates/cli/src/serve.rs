//! `stringent serve`: campaigns as a live page.

use crate::{Outcome, render};
use ::serve::token::Token;
use ::serve::{Options, Server};
use anyhow::{Context as _, bail};
use campaign::folder::RESULTS;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};

/// The variable with a token.
const TOKEN: &str = "STRINGENT_SERVE_TOKEN";
/// The port if none is given.
const PORT: u16 = 7411;

/// Show campaigns as a live page for browsers.
///
/// Prints the address of the page and serves it until Ctrl-C. Campaigns may be running; tables and plots change as runs are
/// recorded. Nothing is written to the stores. Only this machine can reach the page, unless --listen names another address; then clients
/// need a token.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Stores, folders of stores, or databases (`postgres://HOST/DATABASE`) [default: stringent-results]
    #[arg(value_name = "STORE")]
    places: Vec<PathBuf>,
    /// Listen on this port of this machine (0: any that is free)
    #[arg(long, value_name = "PORT", default_value_t = PORT, conflicts_with = "listen")]
    port: u16,
    /// Listen on this address, for other machines too; clients need a token
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Read the token from this file instead of making one
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A name of this machine that clients may use, besides `localhost` and addresses (may be repeated)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
}

const HELP: &str = "\
Examples:
  stringent serve
  stringent serve paper.store postgres://db.example/lab
  stringent serve results/ --listen 0.0.0.0:7411 --host lab.example --token-file ~/.config/stringent/token

With --listen on an address that other machines reach, clients need a token: that of --token-file, or of the environment variable
STRINGENT_SERVE_TOKEN, or one that is made and printed. Connections are not encrypted.

Exit codes: 0 stopped by Ctrl-C, 2 usage, or a place cannot be read.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let listen = args.address()?;
    let places = if args.places.is_empty() { vec![PathBuf::from(RESULTS)] } else { args.places.clone() };
    if let Some(missing) =
        places.iter().find(|p| !args.places.is_empty() && !campaign::store::Store::exists(p))
    {
        bail!("there is no store or folder `{}`", missing.display());
    }
    let (token, made) = args.token(listen)?;
    let server = Server::bind(Options { places, listen, hosts: args.host.clone(), token })?;
    let stop = server.stop();
    ctrlc::set_handler(move || stop.stop()).context("cannot handle Ctrl-C")?;
    announce(&server, made.as_deref())?;
    server.run()?;
    Ok(Outcome::Clean)
}

impl Args {
    fn address(&self) -> anyhow::Result<SocketAddr> {
        let Some(listen) = &self.listen else { return Ok((Ipv4Addr::LOCALHOST, self.port).into()) };
        let mut found =
            listen.to_socket_addrs().with_context(|| format!("`{listen}` is not ADDRESS:PORT"))?;
        found.next().with_context(|| format!("`{listen}` has no address"))
    }

    /// The token that clients need, and its text if it was made here.
    fn token(&self, listen: SocketAddr) -> anyhow::Result<(Option<Token>, Option<String>)> {
        if let Some(text) = self.chosen()? {
            return Ok((Some(Token::chosen(&text)?), None));
        }
        if listen.ip().is_loopback() {
            return Ok((None, None));
        }
        let (token, text) = Token::generate()?;
        Ok((Some(token), Some(text)))
    }

    /// The token of the file or of the environment.
    fn chosen(&self) -> anyhow::Result<Option<String>> {
        match &self.token_file {
            Some(file) => private(file).map(Some),
            None => Ok(std::env::var(TOKEN).ok()),
        }
    }
}

/// The content of a file that only its owner can read.
fn private(file: &Path) -> anyhow::Result<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let about = || format!("{}", file.display());
    let mode = std::fs::metadata(file).with_context(about)?.permissions().mode();
    if mode & 0o077 != 0 {
        bail!("{}: others can read the token; chmod 600 it", file.display());
    }
    std::fs::read_to_string(file).with_context(about)
}

/// Prints the address.
fn announce(server: &Server, token: Option<&str>) -> anyhow::Result<()> {
    let address = server.address()?;
    let path = token.map_or_else(String::new, |token| format!("/login?token={token}"));
    let mut out = anstream::stdout().lock();
    writeln!(out, "http://{address}{path}")?;
    out.flush()?;
    let stores = campaign::clean::counted(server.stores() as u64, "campaign");
    render::notice(&format!("{stores}; press Ctrl-C to stop"));
    if !address.ip().is_loopback() {
        render::notice("the connection is not encrypted: use a trusted network, or a tunnel (ssh -L)");
    }
    Ok(())
}
