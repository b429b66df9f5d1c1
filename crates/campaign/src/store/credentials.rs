//! Passwords of PostgreSQL: `PGPASSWORD`, or the first line of the password file that matches.
//!
//! The file is that of other clients: lines `host:port:database:user:password`, `*` for any value, `\` before `:` and `\`. It must not be
//! readable by others.

use postgres::Config;
use postgres::config::Host;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The password of a connection, if there is one.
pub(super) fn password(config: &Config) -> Result<Option<String>, String> {
    if let Some(password) = std::env::var("PGPASSWORD").ok().filter(|p| !p.is_empty()) {
        return Ok(Some(password));
    }
    let Some(file) = file().filter(|file| file.is_file()) else { return Ok(None) };
    let text = readable(&file)?;
    let wanted = wanted(config);
    Ok(text.lines().find_map(|line| matching(line, &wanted)))
}

/// Advice for a connection that wants a password and has none.
pub(super) fn advice() -> String {
    let given = std::env::var_os("PGPASSFILE").filter(|file| !file.is_empty()).map(PathBuf::from);
    match given {
        Some(file) if !file.is_file() => format!("PGPASSFILE names no file: {}", file.display()),
        Some(file) => format!("no line of {} is for this host, port, database and user", file.display()),
        None => "set PGPASSWORD, or PGPASSFILE to a password file".into(),
    }
}

fn file() -> Option<PathBuf> {
    let given = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    given.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".pgpass")))
}

fn readable(file: &Path) -> Result<String, String> {
    let error = |e: std::io::Error| format!("{}: {e}", file.display());
    let mode = std::fs::metadata(file).map_err(error)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(format!("{}: others can read it; use chmod 600", file.display()));
    }
    std::fs::read_to_string(file).map_err(error)
}

/// What a line may have for host, port, database and user of a connection. A Unix socket is `localhost`, or its folder.
fn wanted(config: &Config) -> [Vec<String>; 4] {
    let hosts = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => vec![name.clone()],
        Some(Host::Unix(folder)) => vec!["localhost".into(), folder.display().to_string()],
        None => vec!["localhost".into()],
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let text = |part: Option<&str>| vec![part.unwrap_or_default().to_owned()];
    [hosts, vec![port], text(config.get_dbname()), text(config.get_user())]
}

/// The password of a line that matches.
fn matching(line: &str, wanted: &[Vec<String>; 4]) -> Option<String> {
    let fields = fields(line);
    let [parts @ .., password] = &fields[..] else { return None };
    let is_it = |(part, values): (&String, &Vec<String>)| part == "*" || values.contains(part);
    let all = parts.len() == 4 && !line.starts_with('#') && parts.iter().zip(wanted).all(is_it);
    all.then(|| password.clone())
}

fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => all.last_mut().expect("not empty").extend(chars.next()),
            ':' => all.push(String::new()),
            c => all.last_mut().expect("not empty").push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_matches_has_the_password() {
        let wanted = [&["db.example", "/run/pg"][..], &["5432"], &["lab"], &["ann"]];
        let wanted = wanted.map(|values| values.iter().map(|v| (*v).to_owned()).collect());
        assert_eq!(matching("db.example:5432:lab:ann:se\\:cr\\\\et", &wanted).as_deref(), Some("se:cr\\et"));
        for line in ["*:*:*:ann:x", "/run/pg:5432:lab:ann:x"] {
            assert_eq!(matching(line, &wanted).as_deref(), Some("x"), "{line}");
        }
        for other in ["*:*:*:bob:x", "*:5433:*:*:x", "# *:*:*:ann:x", "", "x"] {
            assert_eq!(matching(other, &wanted), None, "{other}");
        }
    }
}
