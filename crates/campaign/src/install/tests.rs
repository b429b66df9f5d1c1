//! The installer with fake tools: no network.

use super::*;
use std::os::unix::fs::PermissionsExt as _;

/// A PATH with fake tools, and an empty cache.
struct World {
    dir: tempfile::TempDir,
    places: Places,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let path = vec![at("path"), "/usr/bin".into(), "/bin".into()];
        std::fs::create_dir(at("path")).expect("a directory");
        let places = Places { path, profiles: None, cache: Some(at("cache")), own: None };
        World { dir, places }
    }

    fn tool(&self, name: &str, script: &str) {
        let path = self.dir.path().join("path").join(name);
        // `$log` has the calls.
        let log = self.dir.path().join("log");
        let text = format!("#!/bin/sh\nlog='{}'\necho \"{name} $*\" >> \"$log\"\n{script}\n", log.display());
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    fn install(&self, spec: &str) -> Result<Installation, Error> {
        install(spec, &self.places, &mut |_| {})
    }

    fn error(&self, spec: &str) -> String {
        let error = self.install(spec).expect_err(spec).to_string();
        let left = files::matching(&self.dir.path().join("cache"), ".tmp-*");
        assert!(left.is_empty(), "{left:?} is left after: {error}");
        error
    }
}

/// A `python3` whose pip has wheels of some versions, and whose zipfile extracts a program.
const PYTHON: &str = r#"
for last; do :; done
case "$3" in
  download) case "$last" in
      z3-solver==4.8.6) echo wheel > z3_solver-4.8.6.0-py3-none-any.whl ;;
      z3-solver==4.8.0.0.post1) echo wheel > z3_solver-4.8.0.0.post1-py3-none-any.whl ;;
      z3-solver==4.8.7) echo wheel > wrong.whl ;;
      *) echo "ERROR: No version satisfies $last (from versions: 4.8.5.0, 4.8.6.0, 4.8.10.0)" >&2; exit 1 ;;
    esac ;;
  -e) version=4.8.6
    case "$4" in *post1*) version=4.8.0 ;; esac
    mkdir -p "$5/z3_solver-1.data/data/bin"
    printf '#!/bin/sh\necho Z3 version %s\n' $version > "$5/z3_solver-1.data/data/bin/z3" ;;
esac
"#;

#[test]
fn a_wheel_becomes_a_solver() {
    let world = World::new();
    world.tool("python3", PYTHON);
    let z3 = world.install("z3@4.8.6").expect("installed");
    assert_eq!((z3.version.as_str(), z3.already), ("4.8.6", false));
    let dir = world.dir.path().join("cache/z3-4.8.6");
    assert_eq!(z3.program, dir.join("bin/z3"));
    assert_eq!(profile::resolve_in("z3@4.8.6", &world.places).expect("found").program, z3.program);
    let manifest = std::fs::read_to_string(dir.join("install.json")).expect("written");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["package"], "z3-solver");
    assert_eq!(manifest["files"][0]["file"], "z3_solver-4.8.6.0-py3-none-any.whl");
    assert_eq!(manifest["files"][0]["sha256"], files::digest(b"wheel\n"));
    let calls = world.log();
    assert!(world.install("z3str3@4.8.6.0").expect("there").already, "z3str3 is a part of z3");
    assert_eq!(world.log(), calls, "nothing is done a second time");
}

#[test]
fn versions_that_packages_number_differently() {
    let world = World::new();
    world.tool("python3", PYTHON);
    assert_eq!(world.install("z3@4.8.0").expect("installed").version.as_str(), "4.8.0");
}

#[test]
fn failures_are_explained() {
    let world = World::new();
    world.tool("python3", PYTHON);
    let error = world.error("z3@4.8.9");
    assert!(error.contains("there is no z3 4.8.9") && error.contains("are 4.8.5, 4.8.6, 4.8.10."), "{error}");
    let error = world.error("z3@4.8.7");
    assert!(error.contains("z3 4.8.7 was fetched, but reports version 4.8.6"), "{error}");
    assert!(world.error("norn@1.0").contains("does not know where to get norn"));
    assert!(world.error("cvc5@1.0.5").contains("cvc5 1.0.5 is not available"));
    assert!(world.error("z3=/bin/z3").contains("write NAME@VERSION"));
    assert!(world.error("z33@4.8.6").contains("did you mean"));
    assert!(world.error("z3str3@5.4.0").contains("below 4.15.2"));
    assert!(world.places.installed("z3", "z3").is_empty());
}

#[test]
fn without_network_or_tools() {
    let world = World::new();
    world.tool("python3", "echo 'NewConnectionError: Failed to establish a new connection' >&2; exit 1");
    assert!(world.error("z3@4.8.6").contains("not within reach"));
    world.tool("python3", "echo '/usr/bin/python3: No module named pip' >&2; exit 1");
    assert!(world.error("z3@4.8.6").contains("Python has no pip"));
    let places = Places { path: Vec::new(), ..world.places.clone() };
    for (spec, tool) in [("z3@4.8.6", "python3"), ("cvc4@1.8", "apt-cache"), ("oxiz@0.3.4", "cargo")] {
        let error = install(spec, &places, &mut |_| {}).expect_err(spec).to_string();
        assert!(error.contains(&format!("`{tool}` is needed")) && error.contains("=/path/to/"), "{error}");
    }
}

/// A distribution with cvc4, one library that the system lacks, and one that it has.
fn debian(world: &World) {
    world.tool("apt-cache", "echo ' cvc4 | 1.8-3 | somewhere'");
    world.tool("apt-get", "for last; do :; done; echo deb > \"${last%%=*}.deb\"");
    world.tool(
        "dpkg-deb",
        r#"case "$1 $2" in
  "-x "*cvc4.deb) mkdir -p "$3/usr/bin" && printf '#!/bin/sh\necho CVC4 version 1.8 "$LD_LIBRARY_PATH"\n' > "$3/usr/bin/cvc4" ;;
  "-x "*) mkdir -p "$3/usr/lib/x86_64-linux-gnu" && echo > "$3/usr/lib/x86_64-linux-gnu/libcln.so.6" ;;
  "-f "*cvc4.deb) echo 'python3, libc6 (>= 2), libcln6 | libother' ;;
esac"#,
    );
    world.tool("dpkg-query", "case $3 in libcln6) exit 1 ;; *) printf installed ;; esac");
    world.tool("ldd", "ls ${LD_LIBRARY_PATH:-/nowhere}/libcln.so.6 > /dev/null 2>&1 || ls ${LD_LIBRARY_PATH##*:}/libcln.so.6 > /dev/null 2>&1 || echo ' libcln.so.6 => not found'");
}

#[test]
fn packages_of_debian_bring_their_libraries() {
    let world = World::new();
    debian(&world);
    let cvc4 = world.install("cvc4@1.8").expect("installed");
    let dir = world.dir.path().join("cache/cvc4-1.8");
    assert!(dir.join("lib/libcln.so.6").exists() && dir.join("libexec/cvc4").exists());
    let link = world.dir.path().join("link");
    std::os::unix::fs::symlink(&cvc4.program, &link).expect("a link");
    for program in [&cvc4.program, &link] {
        let printed = probe::run(program, &[], "", std::time::Duration::from_secs(20)).expect("runs");
        assert!(
            printed.stdout.contains("CVC4 version 1.8 /") && printed.stdout.contains("/lib"),
            "{printed:?}"
        );
    }
    let log = world.log();
    assert!(log.contains("download -q cvc4=1.8-3") && log.contains("download -q libcln6"), "{log}");
    assert!(!log.contains("download -q libc6"), "libraries of the system are not fetched: {log}");
    assert!(world.error("cvc4@1.7").contains("no package of cvc4 1.7, only of 1.8"));
}

#[test]
fn cargo_builds() {
    let world = World::new();
    world.tool(
        "cargo",
        "mkdir -p \"$5/bin\" && printf '#!/bin/sh\\necho oxiz 0.3.4\\n' > \"$5/bin/oxiz\"\n[ \"$8\" = oxiz-cli@0.3.4 ]",
    );
    assert_eq!(world.install("oxiz@0.3.4").expect("installed").version.as_str(), "0.3.4");
    world.tool("cargo", "echo 'error: it does not compile' >&2; exit 101");
    let error = world.error("oxiz@0.3.3");
    assert!(error.contains("cargo could not build oxiz-cli@0.3.3\n  error: it does not compile"), "{error}");
}

#[test]
fn two_installations_do_not_collide() {
    let world = World::new();
    world.tool("python3", &format!("sleep 0.1\n{PYTHON}"));
    let installations: Vec<Installation> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| world.install("z3@4.8.6").expect("installed"))).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    assert_eq!(installations.iter().filter(|i| !i.already).count(), 1);
    assert_eq!(world.log().matches(" download ").count(), 1);
}
