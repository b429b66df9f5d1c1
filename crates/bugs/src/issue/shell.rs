//! The shell script of a bundle: runs the solver, and compares with the failure.
//!
//! POSIX only. The comparison depends on the failure: the answer of a check, the printed model or core, the exit code, a message, or that
//! there is no answer in time.

use super::ask::Asked;
use super::origin;
use campaign::clean::{one_line, shell as quoted};
use campaign::finding::{Finding, words};
use campaign::outcome::{Answer, Kind};
use campaign::profile::Registry;

/// The runs of a failure that is not always there.
const TRIES: u32 = 10;

/// The name of a heredoc that is not a line of the text.
const END: &str = "END_OF_OUTPUT";

/// The shell script.
pub(super) fn script(f: &Finding, asked: &Asked) -> String {
    let (program, args) = command(f, asked.command.as_deref().unwrap_or(&f.solver.command));
    let flaky = f.stability.is_some_and(|s| s.failed < s.runs);
    let tries = if flaky { TRIES } else { 1 };
    let limit = limit(f);
    let mut out = head(f, &program);
    out.push_str(&format!(
        "dir=$(dirname \"$0\")
solver=${{1:-{program}}}
command -v \"$solver\" > /dev/null || {{ echo \"cannot run $solver\"; exit 2; }}

# Sets output and code.
run() {{
    file=$(mktemp) || exit 2
    \"$solver\"{args} > \"$file\" 2>&1 &
    pid=$!
    (trap 'kill \"$timer\"; exit' TERM; sleep {limit} & timer=$!; wait \"$timer\"; kill -9 \"$pid\") > /dev/null 2>&1 &
    watch=$!
    wait \"$pid\" 2> /dev/null
    code=$?
    kill \"$watch\" 2> /dev/null
    output=$(tr -d '\\r' < \"$file\")
    rm -f \"$file\"
}}

# The answer to check {check}.
answer() {{ printf '%s\\n' \"$output\" | grep -E -x 'sat|unsat|unknown' | sed -n '{check}p'; }}

{expected}
tries={tries}
while [ \"$tries\" -gt 0 ]; do
    run
    printf '%s\\n' \"$output\"
    if failed; then echo \"reproduced\"; exit 0; fi
    tries=$((tries - 1))
done
echo \"not reproduced (exit code $code)\"
exit 1
",
        check = f.observed.check.max(1),
        expected = expected(f, asked.stdout.as_deref().unwrap_or(&f.observed.stdout)),
    ));
    out
}

fn head(f: &Finding, program: &str) -> String {
    let package = origin::package(f).filter(|p| p.from == Registry::Pypi && p.driver.is_none());
    let get = package.map_or_else(String::new, |p| {
        let (name, inside) = (one_line(&p.requirement), one_line(&p.program));
        format!("# To get it: pip download --no-deps --only-binary :all: {name}; the wheel is a zip file with {inside}.\n")
    });
    format!(
        "#!/bin/sh\n# {}\n# Usage: sh reproduce.sh [SOLVER]   (seen with {}; default: {program} in PATH)\n\
         # Exit codes: 0 reproduced, 1 not reproduced, 2 it cannot be run.\n{get}\n",
        one_line(&words::title(f)),
        one_line(&words::solver_and_version(f)),
    )
}

/// The program, and the rest of the command line with its redirection.
fn command(f: &Finding, line: &str) -> (String, String) {
    let line = one_line(line.trim());
    let (program, args) = line.split_once(' ').unwrap_or((&line, ""));
    let fallback = if f.solver.profile.is_empty() { "solver" } else { &f.solver.profile };
    let program = if program.is_empty() { fallback } else { program };
    let name = program.trim_matches('\'').rsplit('/').next().unwrap_or(program);
    let args = match args.trim() {
        "" => String::new(),
        args => format!(" {args}"),
    };
    let args = if args.contains("{file}") {
        args.replace("{file}", "\"$dir/sent.smt2\"")
    } else {
        format!("{args} < \"$dir/sent.smt2\"")
    };
    (quoted(name), args)
}

/// The seconds after which the solver is ended: for slow ones the time that was waited, for others much more than they took.
fn limit(f: &Finding) -> u64 {
    let seconds = f.observed.seconds.clamp(0.0, 1e6);
    if words::is_slow(f.kind) {
        seconds.ceil().max(1.0) as u64
    } else {
        (seconds * 10.0).ceil().max(60.0) as u64
    }
}

/// The function `failed`: the failure is there.
fn expected(f: &Finding, stdout: &str) -> String {
    let o = &f.observed;
    match f.kind {
        Kind::WrongUnsat | Kind::WrongSat | Kind::OverApproximation | Kind::Unknown
            if o.answer != Answer::None && answers(stdout) >= o.check.max(1) =>
        {
            format!("failed() {{ [ \"$(answer)\" = {} ]; }}", o.answer)
        }
        Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => "failed() { [ -z \"$(answer)\" ]; }".into(),
        Kind::Crash => {
            format!("failed() {{ [ -z \"$(answer)\" ] && [ \"$code\" -eq {} ]; }}", code(&o.ending))
        }
        Kind::CrashAfterAnswer => format!("failed() {{ [ \"$code\" -eq {} ]; }}", code(&o.ending)),
        Kind::Message | Kind::Rejected | Kind::Unsupported | Kind::OutOfMemory if message(f).is_some() => {
            let line = quoted(message(f).unwrap_or_default());
            format!("failed() {{ printf '%s\\n' \"$output\" | grep -F -q -e {line}; }}")
        }
        _ => same_output(stdout),
    }
}

/// The number of answers in an output.
fn answers(stdout: &str) -> usize {
    stdout.lines().filter(|l| matches!(l.trim_end(), "sat" | "unsat" | "unknown")).count()
}

/// The exit code of a shell for the end of a process.
fn code(ending: &str) -> i64 {
    match ending.split_once(' ') {
        Some(("signal", n)) => 128 + n.parse::<i64>().unwrap_or(0),
        Some((_, n)) => n.parse().unwrap_or(1),
        None => 1,
    }
}

/// The line of the output with the error.
fn message(f: &Finding) -> Option<&str> {
    let lines = || f.observed.stdout.lines().chain(f.observed.stderr.lines()).map(str::trim);
    let is_error = |l: &&str| l.to_ascii_lowercase().contains("error");
    lines().find(is_error).or_else(|| lines().find(|l| !l.is_empty()))
}

/// The same output, but for spaces: the same model or core.
fn same_output(stdout: &str) -> String {
    let mut end = END.to_owned();
    while stdout.lines().any(|l| l == end) {
        end.push('_');
    }
    let newline = if stdout.ends_with('\n') || stdout.is_empty() { "" } else { "\n" };
    format!(
        "words() {{ tr -s ' \\t\\n' '\\n\\n\\n'; }}
expected() {{ cat << '{end}'
{stdout}{newline}{end}
}}
# The same output but for white space. With another model or core, the solver may still be wrong: look at it.
failed() {{ [ \"$(printf '%s\\n' \"$output\" | words)\" = \"$(expected | words)\" ]; }}"
    )
}
