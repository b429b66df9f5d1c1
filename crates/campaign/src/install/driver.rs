//! The cvc5 wheel has libraries but no program; a small C driver is compiled against them.

use super::{Error, Job, files, tool};
use std::path::Path;

const SOURCE: &str = include_str!("cvc5-driver.c");
const STAMP: &str = "driver.sha256";

/// Moves the libraries to `lib`, and compiles the program in `bin`; it finds them wherever the directory is moved.
pub(super) fn make(job: &mut Job<'_>, unpacked: &Path) -> Result<(), Error> {
    let libs = files::only(job, unpacked, "cvc5.libs")?;
    let lib = job.made.join("lib");
    files::rename(&libs, &lib)?;
    let source = job.work.join("cvc5-driver.c");
    files::write(&source, SOURCE)?;
    let parser = files::only(job, &lib, "libcvc5parser-*.so*")?;
    let library = files::only(job, &lib, "libcvc5-*.so*")?;
    let (source, parser, library) = (show(&source), show(&parser), show(&library));
    let program = show(&job.bin()?);
    (job.say)("compiling the cvc5 program");
    // The compiler of $CC, else cc; $CC may have arguments.
    let cc = std::env::var("CC").unwrap_or_default();
    let mut words = cc.split_whitespace();
    let compiler = words.next().unwrap_or("cc");
    let mut args: Vec<&str> = words.collect();
    args.extend(["-std=gnu11", "-O2", "-o", &program, &source, &parser, &library]);
    args.extend(["-Wl,-rpath,$ORIGIN/../lib", "-Wl,--allow-shlib-undefined"]);
    let missing = "Install a C compiler (gcc or clang), or set CC.";
    let ran = tool::run(job, compiler, &args, missing)?;
    if !ran.ok {
        return Err(job.failed("the C compiler failed", ran.tail(), missing));
    }
    files::write(&job.made.join(STAMP), &files::digest(SOURCE.as_bytes()))
}

/// Whether an installed program was compiled from the source that we have.
pub(super) fn is_current(dir: &Path) -> bool {
    std::fs::read_to_string(dir.join(STAMP)).is_ok_and(|stamp| stamp == files::digest(SOURCE.as_bytes()))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
