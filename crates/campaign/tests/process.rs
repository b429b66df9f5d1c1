//! Solvers that misbehave: how each ends, and that no process is left.

mod fake;

use fake::{Fakes, await_end, roomy, short};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stringent_campaign::outcome::Ending;
use stringent_campaign::process::{Cancel, Ended, Invocation, Limits, Watchdog, run};
use stringent_campaign::profile::MemoryLimit;

fn ask(program: PathBuf, stdin: &[u8], limits: &Limits) -> Ended {
    let what = Invocation { program, args: vec![], stdin: stdin.to_vec() };
    run(&what, limits, &Cancel::new().expect("an event"))
}

#[test]
fn answers_are_read_with_exit_code_and_both_outputs() {
    let fakes = Fakes::new();
    let ended = ask(fakes.sh("s", "cat; echo oops >&2; exit 3"), b"(check-sat)\n", &roomy());
    assert_eq!(ended.ending, Ending::Exited(3));
    assert_eq!((&ended.stdout[..], &ended.stderr[..]), (&b"(check-sat)\n"[..], &b"oops\n"[..]));
    assert!(ended.wall > Duration::ZERO && ended.wall < Duration::from_secs(60));
}

#[test]
fn arguments_and_no_input() {
    let what = Invocation { program: "echo".into(), args: vec!["a b".into(), "{}".into()], stdin: vec![] };
    let ended = run(&what, &roomy(), &Cancel::new().expect("an event"));
    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Exited(0), &b"a b {}\n"[..]));
    let ended = ask("cat".into(), b"", &roomy());
    assert_eq!(ended.ending, Ending::Exited(0), "its input ends at once");
}

#[test]
fn huge_input_and_output_do_not_wait_for_each_other() {
    let text = b"0123456789abcdef".repeat(300_000);
    let limits = Limits { output: 8 << 20, ..roomy() };
    let ended = ask("cat".into(), &text, &limits);
    assert_eq!(ended.ending, Ending::Exited(0));
    assert!(ended.stdout == text, "all of it, in order");
}

#[test]
fn a_solver_that_does_not_read_its_input() {
    let fakes = Fakes::new();
    let ended = ask(fakes.sh("s", "exec <&-; echo sat"), &vec![b' '; 5_000_000], &roomy());
    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Exited(0), &b"sat\n"[..]));
}

#[test]
fn flood() {
    let fakes = Fakes::new();
    for (name, text) in [
        ("out", "note()\nwhile True: os.write(1, b'sat\\n' * 1000)"),
        ("err", "note()\nwhile True: os.write(2, b'sat\\n' * 1000)"),
    ] {
        let ended = ask(fakes.python(name, text), b"", &Limits { output: 10_000, ..roomy() });
        assert_eq!(ended.ending, Ending::OutputLimit, "{name}");
        let kept = if name == "out" { ended.stdout } else { ended.stderr };
        assert!(kept.len() == 10_000 && kept.starts_with(b"sat\nsat\n"), "the first bytes are kept");
    }
    fakes.assert_ended(2);
}

#[test]
fn output_up_to_the_limit_is_not_a_flood() {
    let ended = ask("cat".into(), &[b'x'; 1000], &Limits { output: 1000, ..roomy() });
    assert_eq!((ended.ending, ended.stdout.len()), (Ending::Exited(0), 1000));
    let ended = ask("cat".into(), &[b'x'; 1001], &Limits { output: 1000, ..roomy() });
    assert_eq!((ended.ending, ended.stdout.len()), (Ending::OutputLimit, 1000));
}

#[test]
fn hang() {
    let fakes = Fakes::new();
    let ended = ask(fakes.sh("s", "echo $$ >> $PIDS; echo sat; exec sleep 1000"), b"", &short());
    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::WallLimit, &b"sat\n"[..]));
    assert!(ended.wall >= short().wall);
    fakes.assert_ended(1);
}

#[test]
fn a_solver_that_ignores_signals() {
    let fakes = Fakes::new();
    let text = "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU): signal.signal(s, signal.SIG_IGN)\nnote()\nprint('ready', flush=True)\ntime.sleep(1000)";
    let ended = ask(fakes.python("s", text), b"", &short());
    assert_eq!(ended.ending, Ending::WallLimit);
    fakes.assert_ended(1);
}

#[test]
fn a_solver_that_stops_itself() {
    let fakes = Fakes::new();
    let ended = ask(fakes.python("s", "note()\nos.kill(os.getpid(), signal.SIGSTOP)"), b"", &short());
    assert_eq!(ended.ending, Ending::WallLimit);
    fakes.assert_ended(1);
}

#[test]
fn a_solver_that_closes_its_outputs_and_keeps_running() {
    let fakes = Fakes::new();
    let ended = ask(fakes.python("s", "note()\nos.close(1)\nos.close(2)\ntime.sleep(1000)"), b"", &short());
    assert_eq!(ended.ending, Ending::WallLimit);
    fakes.assert_ended(1);
}

#[test]
fn death_by_signal() {
    let fakes = Fakes::new();
    for (name, signal) in [("SEGV", 11), ("ABRT", 6), ("KILL", 9), ("TERM", 15)] {
        let ended = ask(fakes.sh(name, &format!("echo sat; kill -{name} $$; sleep 1000")), b"", &roomy());
        assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Signalled(signal), &b"sat\n"[..]), "{name}");
    }
}

#[test]
fn cpu_time() {
    let fakes = Fakes::new();
    let limits = Limits { cpu: Some(Duration::from_millis(500)), ..roomy() };
    let ended = ask(fakes.python("s", "note()\nwhile True: pass"), b"", &limits);
    assert_eq!(ended.ending, Ending::CpuLimit);
    assert!(ended.cpu >= Duration::from_millis(500), "{:?}", ended.cpu);
    let text = "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nnote()\nwhile True: pass";
    let ended = ask(fakes.python("deaf", text), b"", &limits);
    assert_eq!(ended.ending, Ending::CpuLimit, "one that ignores the warning is killed by the kernel");
    fakes.assert_ended(2);
}

#[test]
fn work() {
    let fakes = Fakes::new();
    let limits =
        Limits { cpu: Some(Duration::from_millis(200)), idle: Some(Duration::from_millis(300)), ..roomy() };
    let busy = ask(fakes.python("busy", "note()\nwhile True: pass"), b"", &limits);
    assert_eq!(busy.ending, Ending::CpuLimit);
    assert!(busy.cpu >= Duration::from_millis(200));
    let asleep = ask(fakes.python("asleep", "note()\ntime.sleep(100)"), b"", &limits);
    assert_eq!(asleep.ending, Ending::WallLimit);
    assert!(asleep.idle >= Duration::from_millis(300));
    // A child that computes, while its parent waits for it.
    let parent = "note()\nimport subprocess\nsubprocess.run([sys.executable, '-c', 'while True: pass'])";
    let both = ask(fakes.python("parent", parent), b"", &limits);
    assert_eq!(both.ending, Ending::CpuLimit);
    fakes.assert_ended(3);
}

#[test]
fn address_space() {
    let fakes = Fakes::new();
    let text =
        "note()\ntry: x = bytearray(1 << 31)\nexcept MemoryError: print('out of memory'); sys.exit(101)";
    let limits = Limits { memory: Some(1 << 30), ..roomy() };
    let ended = ask(fakes.python("s", text), b"", &limits);
    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Exited(101), &b"out of memory\n"[..]));
    fakes.assert_ended(1);
}

#[test]
fn resident_memory_of_all_its_processes() {
    let fakes = Fakes::new();
    let limits = Limits { memory: Some(150 << 20), memory_how: MemoryLimit::Resident, ..roomy() };
    let eat = "x = bytearray(b'x') * (SIZE << 20)\ntime.sleep(1000)";
    let alone = fakes.python("alone", &format!("note()\n{}", eat.replace("SIZE", "200")));
    let ended = ask(alone, b"", &limits);
    assert_eq!(ended.ending, Ending::MemoryLimit);
    assert!(ended.memory_kib > 150 << 10, "{}", ended.memory_kib);
    let family = fakes.python("family", &format!("os.fork()\nnote()\n{}", eat.replace("SIZE", "100")));
    assert_eq!(ask(family, b"", &limits).ending, Ending::MemoryLimit);
    fakes.assert_ended(3);
}

#[test]
fn resident_memory_within_the_limit_although_much_is_reserved() {
    let fakes = Fakes::new();
    let limits = Limits { memory: Some(300 << 20), memory_how: MemoryLimit::Resident, ..roomy() };
    let text = "import mmap\nx = mmap.mmap(-1, 1 << 32)\ntime.sleep(0.1)\nprint('sat')";
    let ended = ask(fakes.python("s", text), b"", &limits);
    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Exited(0), &b"sat\n"[..]));
}

#[test]
fn children_in_its_group_that_outlive_it() {
    let fakes = Fakes::new();
    let text = "note()\nfor _ in range(3):\n  if os.fork() == 0:\n    note()\n    os.write(1, b'c')\n    time.sleep(1000)\n\
                while os.stat('$PIDS').st_size == 0 or len(open('$PIDS').readlines()) < 4: time.sleep(0.01)\nos.write(1, b'sat')";
    let ended = ask(fakes.python("s", text), b"", &roomy());
    assert_eq!(ended.ending, Ending::Exited(0));
    assert!(ended.stdout.ends_with(b"sat") || ended.stdout.len() == 6, "{:?}", ended.stdout);
    assert!(ended.wall < Duration::from_secs(50), "it does not wait for the children");
    fakes.assert_ended(4);
}

#[test]
fn children_when_it_hangs() {
    let fakes = Fakes::new();
    let text = "note()\nfor _ in range(3):\n  if os.fork() == 0: note(); os.fork() or note(); time.sleep(1000)\ntime.sleep(1000)";
    let limits = Limits { wall: Duration::from_secs(4), ..roomy() };
    assert_eq!(ask(fakes.python("s", text), b"", &limits).ending, Ending::WallLimit);
    fakes.assert_ended(7);
}

/// Forks a child into a session of its own, which forks another into yet another.
const DAEMONS: &str = "
def daemon(depth):
  if os.fork() == 0:
    os.setsid()
    if depth: daemon(depth - 1)
    CLOSE
    note()
    time.sleep(1000)
daemon(1)
while not os.path.exists('$PIDS') or len(open('$PIDS').readlines()) < 2: time.sleep(0.01)
note()
print('sat', flush=True)
";

#[test]
fn children_in_sessions_of_their_own() {
    for close in ["pass", "os.close(0); os.close(1); os.close(2)"] {
        for (end, ending) in [("", Ending::Exited(0)), ("time.sleep(1000)", Ending::WallLimit)] {
            let fakes = Fakes::new();
            let text = DAEMONS.replace("CLOSE", close) + end;
            let limits = Limits { wall: Duration::from_secs(if end.is_empty() { 60 } else { 5 }), ..roomy() };
            let ended = ask(fakes.python("s", &text), b"", &limits);
            assert_eq!((ended.ending, &ended.stdout[..]), (ending, &b"sat\n"[..]));
            // Where nothing hints at them, they are found by the next look.
            stringent_campaign::process::sweep();
            fakes.assert_ended(3);
        }
    }
}

#[test]
fn a_stray_that_wiped_its_environment() {
    let fakes = Fakes::new();
    let text = "if os.fork() == 0:\n  os.setsid()\n  note()\n  os.execve('/bin/sleep', ['sleep', '1000'], {})\n\
                while not os.path.exists('$PIDS'): time.sleep(0.01)\ntime.sleep(0.1)";
    assert_eq!(ask(fakes.python("s", text), b"", &roomy()).ending, Ending::Exited(0));
    stringent_campaign::process::sweep();
    fakes.assert_ended(1);
}

#[test]
fn a_sweep_leaves_other_children_alone() {
    let mut other = Command::new("sleep").arg("1000").spawn().expect("sleep");
    stringent_campaign::process::sweep();
    assert_eq!(other.try_wait().expect("a status"), None);
    other.kill().expect("killed");
    other.wait().expect("reaped");
}

#[test]
fn programs_that_cannot_be_started() {
    let fakes = Fakes::new();
    let why = |program: PathBuf| match ask(program, b"", &roomy()).ending {
        Ending::NotStarted(why) => why,
        other => panic!("{other}"),
    };
    assert!(why("/nowhere/z3".into()).contains("`/nowhere/z3`: there is no such program"));
    assert!(why("no-such-solver".into()).contains("there is no such program"));
    let plain = fakes.path("plain");
    std::fs::write(&plain, "sat").expect("a file");
    assert!(why(plain).contains("may not be executed"));
    let lost = fakes.sh("lost", "");
    std::fs::write(&lost, "#!/no/such/shell\n").expect("a file");
    assert!(why(lost).contains("interpreter"));
}

#[test]
fn cancelling_wakes_up_at_once() {
    let fakes = Fakes::new();
    let cancel = Cancel::new().expect("an event");
    let what =
        Invocation { program: fakes.python("s", "note()\ntime.sleep(1000)"), args: vec![], stdin: vec![] };
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&what, &roomy(), &cancel));
        fakes.await_pids(1);
        cancel.cancel();
        running.join().expect("no panic")
    });
    assert_eq!(ended.ending, Ending::Cancelled);
    fakes.assert_ended(1);
    assert_eq!(run(&what, &roomy(), &cancel).ending, Ending::Cancelled, "not even started");
    fakes.assert_ended(1);
}

#[test]
fn many_at_once() {
    let fakes = Fakes::new();
    let what = Invocation {
        program: fakes.sh("s", "read x; (exit 5) & echo $x"),
        args: vec![],
        stdin: b"hello\n".to_vec(),
    };
    let cancel = Cancel::new().expect("an event");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let ended = run(&what, &roomy(), &cancel);
                    assert_eq!((ended.ending, &ended.stdout[..]), (Ending::Exited(0), &b"hello\n"[..]));
                    stringent_campaign::process::sweep();
                }
            });
        }
    });
}

/// Not a test of its own: the helper process of the next one.
#[test]
fn helper_watchdog() {
    Watchdog::serve();
}

/// Not a test of its own: the campaign that the next one kills.
#[test]
fn helper_campaign() {
    let Some(program) = std::env::var_os("TEST_HELPER_CAMPAIGN") else { return };
    let me = std::env::current_exe().expect("this program");
    let _watchdog =
        Watchdog::start(&[me.into(), "helper_watchdog".into(), "--exact".into()]).expect("a watchdog");
    ask(program.into(), b"", &roomy());
}

#[test]
fn a_killed_campaign_leaves_no_solver() {
    let fakes = Fakes::new();
    let solver = fakes.python("s", &(DAEMONS.replace("CLOSE", "pass") + "time.sleep(1000)"));
    let mut campaign = Command::new(std::env::current_exe().expect("this program"))
        .args(["helper_campaign", "--exact"])
        .env("TEST_HELPER_CAMPAIGN", solver)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a campaign");
    let pids = fakes.await_pids(3);
    let started = Instant::now();
    campaign.kill().expect("killed");
    campaign.wait().expect("reaped");
    pids.into_iter().for_each(await_end);
    assert!(started.elapsed() < Duration::from_secs(60));
}

/// Not a test of its own: a program that takes no notice of being a watchdog.
#[test]
fn helper_second_watchdog() {
    if std::env::var_os("STRINGENT_WATCHDOG").is_some() {
        let me = std::env::current_exe().expect("this program");
        let error = Watchdog::start(&[me.into()]).expect_err("a watchdog of a watchdog");
        assert!(error.to_string().contains("Watchdog::serve"), "{error}");
    }
}

#[test]
fn a_watchdog_has_no_watchdog() {
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["helper_second_watchdog", "--exact"])
        .env("STRINGENT_WATCHDOG", "token /proc/self/fd/0")
        .stdout(Stdio::null())
        .status()
        .expect("it runs");
    assert!(status.success());
}

#[test]
fn a_watchdog_is_dismissed() {
    let me = std::env::current_exe().expect("this program");
    let watchdog =
        Watchdog::start(&[me.into(), "helper_watchdog".into(), "--exact".into()]).expect("a watchdog");
    let fakes = Fakes::new();
    let slow = Invocation { program: fakes.sh("s", "sleep 0.3; echo sat"), args: vec![], stdin: vec![] };
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&slow, &roomy(), &Cancel::new().expect("an event")));
        drop(watchdog);
        running.join().expect("no panic")
    });
    assert_eq!(
        (ended.ending, &ended.stdout[..]),
        (Ending::Exited(0), &b"sat\n"[..]),
        "it kills nothing then"
    );
}
