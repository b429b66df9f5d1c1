//! A PostgreSQL server in a temporary folder, reachable by a Unix socket there.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// PostgreSQL refuses to run as root; then it runs as `nobody`.
const NOBODY: u32 = 65534;
const START: Duration = Duration::from_secs(120);

pub(crate) struct Server {
    dir: tempfile::TempDir,
    process: Mutex<Child>,
}

impl Server {
    /// A server that tests of this process share, while one of them uses it.
    pub(crate) fn shared() -> Arc<Server> {
        static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Server::start());
            *shared = Arc::downgrade(&server);
            server
        })
    }

    /// A new server.
    pub(crate) fn start() -> Server {
        let dir = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").expect("a folder");
        if is_root() {
            std::os::unix::fs::chown(dir.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
        }
        let mut initdb = program("initdb");
        initdb.args(["-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D"]);
        let done = initdb.arg(dir.path().join("data")).output().expect("initdb runs");
        assert!(done.status.success(), "initdb: {}", String::from_utf8_lossy(&done.stderr));
        let process = Mutex::new(postgres(dir.path()));
        let server = Server { dir, process };
        server.wait();
        server
    }

    /// The address of a new store; the name is as in an address.
    pub(crate) fn address(&self, name: &str) -> PathBuf {
        // Tests share the server, and use the same names.
        let thread = std::thread::current().name().unwrap_or_default().replace("::", "-");
        let short: String = thread.chars().filter(char::is_ascii_alphanumeric).skip(8).take(20).collect();
        format!("postgres://tester@/postgres/{short}{name}?host={}", self.dir.path().display()).into()
    }

    /// The database, without a campaign.
    pub(crate) fn database(&self) -> String {
        format!("postgres://tester@/postgres?host={}", self.dir.path().display())
    }

    /// Kills the server and all its processes, as a failure of the machine does.
    pub(crate) fn kill(&self) {
        let mut process = self.process.lock().expect("not poisoned");
        let group = format!("-{}", process.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).status();
        process.wait().expect("ended");
    }

    /// Starts it again.
    pub(crate) fn restart(&self) {
        *self.process.lock().expect("not poisoned") = postgres(self.dir.path());
        self.wait();
    }

    /// Waits until it takes connections. A server that ended is started again: while processes that were killed are not quite gone, the new
    /// one refuses to share their memory.
    fn wait(&self) {
        let started = Instant::now();
        while ::postgres::Client::connect(&self.database(), ::postgres::NoTls).is_err() {
            let log = || std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
            assert!(started.elapsed() < START, "PostgreSQL does not start: {}", log());
            std::thread::sleep(Duration::from_millis(50));
            let mut process = self.process.lock().expect("not poisoned");
            if process.try_wait().is_ok_and(|status| status.is_some()) {
                *process = postgres(self.dir.path());
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the server, in a process group of its own.
fn postgres(dir: &Path) -> Child {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(dir.join("log")).expect("a log");
    let mut server = program("postgres");
    server.arg("-D").arg(dir.join("data")).arg("-k").arg(dir).args(["-c", "listen_addresses="]);
    server.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    server.spawn().expect("postgres runs")
}

/// A program of PostgreSQL: in `STRINGENT_POSTGRES`, or where Debian has it.
fn program(name: &str) -> Command {
    let given = std::env::var_os("STRINGENT_POSTGRES").map(PathBuf::from);
    let debian = || {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        versions.flatten().map(|v| v.path().join("bin")).filter(|bin| bin.join(name).is_file()).max()
    };
    let folder = given.or_else(debian).expect("PostgreSQL is installed (Debian: apt-get install postgresql)");
    let mut command = Command::new(folder.join(name));
    command.current_dir("/");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
