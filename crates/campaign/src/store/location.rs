//! Where a store is: a file, or a campaign on a PostgreSQL server.
//!
//! `postgres://[USER@]HOST[:PORT]/DATABASE/CAMPAIGN[?PARAMETERS]`. What is left out comes from the environment, as in other clients of
//! PostgreSQL: `PGHOST`, `PGPORT`, `PGUSER`, `PGDATABASE`, `PGSSLMODE`, `PGPASSWORD`, and the file `PGPASSFILE` (`~/.pgpass`). A
//! password in the address is an error: command lines are visible to others, and are kept in stores.

use super::db::DbError;
use super::{StoreError, credentials, failure};
use ::postgres::config::SslMode;
use ::postgres::{Client, Config, NoTls};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];
/// The schemas of campaigns begin with this.
const PREFIX: &str = "stringent_";
/// PostgreSQL cuts longer names.
const MAX_SCHEMA: usize = 63;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The place of a store.
#[derive(Clone, Debug)]
pub(super) enum Location {
    File(PathBuf),
    Postgres {
        server: Server,
        /// The schema of the campaign; none if only the database is named.
        schema: Option<String>,
    },
}

/// A database of a PostgreSQL server.
#[derive(Clone)]
pub(super) struct Server(Box<Config>);

/// Without the password.
impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({:?}, {:?})", self.0.get_hosts(), self.0.get_dbname())
    }
}

impl Server {
    pub(super) fn client(&self) -> Result<Client, DbError> {
        self.0.connect(NoTls).map_err(|e| {
            let hosts: Vec<String> = self.0.get_hosts().iter().map(host_text).collect();
            let mut why = failure::message(&e);
            if why.ends_with("password missing") {
                why = format!("it wants a password; {}", credentials::advice());
            }
            DbError::Server(format!("no connection to {}: {why}", hosts.join(", ")))
        })
    }
}

fn host_text(host: &::postgres::config::Host) -> String {
    match host {
        ::postgres::config::Host::Tcp(name) => name.clone(),
        ::postgres::config::Host::Unix(path) => path.display().to_string(),
    }
}

impl Location {
    /// Reads a location. Everything that is not an address of PostgreSQL is a path.
    pub(super) fn parse(path: &Path) -> Result<Location, StoreError> {
        let Some((scheme, rest)) = address(path) else { return Ok(Location::File(path.to_owned())) };
        let bad = |what: &str| StoreError::Address { address: without_password(path), what: what.to_owned() };
        let (place, parameters) = rest.split_once('?').map_or((rest, ""), |(p, q)| (p, q));
        let mut parts = place.splitn(4, '/');
        let (authority, database, campaign) = (parts.next(), parts.next(), parts.next());
        if parts.next().is_some_and(|more| !more.is_empty()) {
            return Err(bad("it has the form postgres://HOST/DATABASE/CAMPAIGN"));
        }
        let (authority, database) = (authority.unwrap_or(""), database.unwrap_or(""));
        let url = format!("{scheme}{authority}/{database}?{parameters}");
        let mut config: Config = url.parse().map_err(|e: ::postgres::Error| bad(&failure::message(&e)))?;
        if config.get_password().is_some() {
            return Err(bad(
                "a password in an address can be read by others; use PGPASSFILE or PGPASSWORD instead",
            ));
        }
        complete(&mut config).map_err(|what| bad(&what))?;
        let schema = campaign.filter(|c| !c.is_empty()).map(schema).transpose().map_err(|what| bad(&what))?;
        Ok(Location::Postgres { server: Server(Box::new(config)), schema })
    }
}

/// The parts of an address of PostgreSQL; none for a path.
fn address(path: &Path) -> Option<(&'static str, &str)> {
    let text = path.to_str()?;
    SCHEMES.into_iter().find_map(|scheme| Some((scheme, text.strip_prefix(scheme)?)))
}

/// Whether this is an address of PostgreSQL.
pub fn is_server(path: &Path) -> bool {
    address(path).is_some()
}

/// The path that files about a store are named after: its own, or the name of the campaign in the current folder.
pub fn beside(path: &Path) -> PathBuf {
    let Some((_, rest)) = address(path) else { return path.to_owned() };
    let place = rest.split_once('?').map_or(rest, |(place, _)| place);
    let name = place.rsplit('/').next().and_then(decoded).unwrap_or_default();
    let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' };
    PathBuf::from(name.chars().map(plain).collect::<String>() + ".store")
}

/// The address for messages.
fn without_password(path: &Path) -> String {
    let text = path.display().to_string();
    let Some((scheme, rest)) = address(path) else { return text };
    let text = rest.split_once('?').map_or(rest, |(place, _)| place);
    let host = text.rsplit_once('@').map_or(text, |(_, host)| host);
    format!("{scheme}{host}")
}

/// The schema of a campaign.
fn schema(campaign: &str) -> Result<String, String> {
    let name = decoded(campaign).ok_or("the name of the campaign is not percent-encoded UTF-8")?;
    let schema = format!("{PREFIX}{name}");
    if name.contains('\0') {
        return Err("the name of the campaign has a NUL".into());
    }
    if schema.len() > MAX_SCHEMA {
        return Err(format!("the name of a campaign has at most {} bytes", MAX_SCHEMA - PREFIX.len()));
    }
    Ok(schema)
}

/// `%20` and the like as characters.
fn decoded(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let digit = |b: Option<u8>| char::from(b?).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        out.push((high * 16 + low) as u8);
    }
    String::from_utf8(out).ok()
}

/// Adds what the environment says.
fn complete(config: &mut Config) -> Result<(), String> {
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        config.host(&given("PGHOST").unwrap_or_else(default_host));
    }
    if let (true, Some(port)) = (config.get_ports().is_empty(), given("PGPORT")) {
        config.port(port.parse().map_err(|_| format!("PGPORT is `{port}`"))?);
    }
    if config.get_user().is_none() {
        let user = ["PGUSER", "USER", "LOGNAME"].into_iter().find_map(given);
        config.user(&user.ok_or("it names no user; set PGUSER")?);
    }
    if config.get_dbname().is_none() {
        let user = config.get_user().unwrap_or_default().to_owned();
        config.dbname(&given("PGDATABASE").unwrap_or(user));
    }
    if let Some(password) = credentials::password(config)? {
        config.password(password);
    }
    let encrypted = given("PGSSLMODE").is_some_and(|mode| mode.starts_with("verify") || mode == "require");
    if encrypted || config.get_ssl_mode() == SslMode::Require {
        return Err("encrypted connections are not supported; use a Unix socket or a tunnel".into());
    }
    config.application_name("stringent").connect_timeout(CONNECT_TIMEOUT);
    Ok(())
}

fn default_host() -> String {
    let socket = "/var/run/postgresql";
    if Path::new(socket).is_dir() { socket.into() } else { "localhost".into() }
}

/// The address of a campaign in the database that `base` names, and of its schema.
pub(super) fn campaign_of(base: &Path, schema: &str) -> PathBuf {
    let text = base.display().to_string();
    let (place, parameters) =
        text.split_once('?').map_or((&*text, String::new()), |(p, q)| (p, format!("?{q}")));
    let name = encoded(schema.strip_prefix(PREFIX).unwrap_or(schema));
    format!("{}/{name}{parameters}", place.trim_end_matches('/')).into()
}

/// A name for an address.
fn encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    name.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// The beginning of the names of the schemas of campaigns.
pub(super) const fn prefix() -> &'static str {
    PREFIX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Location::parse(Path::new(text)).expect_err("refused").to_string()
    }

    #[test]
    fn addresses_have_a_database_and_a_campaign() {
        let at = |text: &str| match Location::parse(Path::new(text)).expect("an address") {
            Location::File(path) => (path.display().to_string(), None),
            Location::Postgres { server, schema } => (server.0.get_dbname().unwrap_or("").to_owned(), schema),
        };
        assert_eq!(at("postgres://u@h/lab/paper"), ("lab".into(), Some("stringent_paper".into())));
        assert_eq!(at("postgresql://u@h:1/lab/a%22%C3%BC"), ("lab".into(), Some("stringent_a\"ü".into())));
        assert_eq!(at("postgres://u@h/lab"), ("lab".into(), None));
        assert_eq!(at("postgres:/x"), ("postgres:/x".into(), None));
        assert_eq!(beside(Path::new("postgres://h/db/a%2F..%2Fb?x=/")), Path::new("a----b.store"));
        let here = campaign_of(Path::new("postgres://u@h/lab?port=1"), "stringent_a\"ü");
        assert_eq!(here, Path::new("postgres://u@h/lab/a%22%C3%BC?port=1"));
    }

    #[test]
    fn passwords_are_refused_and_not_repeated() {
        for text in ["postgres://u:secret@h/db/c", "postgres://u@h/db/c?password=secret"] {
            let message = error(text);
            assert!(message.contains("PGPASSFILE") && !message.contains("secret"), "{message}");
        }
        assert!(!error("postgres://u:sec@ret@h/db/c/d").contains("sec"));
    }

    #[test]
    fn names_that_postgresql_would_change_are_refused() {
        assert!(error(&format!("postgres://u@h/db/{}", "a".repeat(54))).contains("at most 53 bytes"));
        assert!(error("postgres://u@h/db/%FF").contains("percent-encoded"));
        assert!(error("postgres://u@h/db/c?sslmode=require").contains("encrypted"));
    }
}
