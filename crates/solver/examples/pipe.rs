use std::io::{Read, Write};
use std::time::{Duration, Instant};
use smt::diag::Position;
struct H { trace: bool }
impl stringent_solver::session::Host for H {
    fn respond(&mut self, text: &str) -> bool { println!("{text}"); std::io::stdout().flush().is_ok() }
    fn start(&mut self, limit: Option<u64>) -> smt::work::Stop {
        let end = Instant::now() + Duration::from_millis(limit.unwrap_or(20_000));
        std::rc::Rc::new(move || Instant::now() > end)
    }
    fn done(&mut self, _v: &str, o: &stringent_solver::engine::Outcome) {
        if self.trace { for l in &o.trace { eprintln!("{l}"); } }
        if let Some(f) = &o.audit_failure { println!("(error \"audit {f}\")"); }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut settings = stringent_solver::session::Settings::default();
    settings.options.audit = args.iter().any(|a| a == "--audit");
    settings.options.trace = args.iter().any(|a| a == "--trace");
    let trace = settings.options.trace;
    std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        let mut pool = smt::Pool::new();
        let mut session = stringent_solver::session::Session::new(&mut pool, smt::Dialect::Smt26, settings);
        let mut splitter = smt::stream::Splitter::new(smt::Dialect::Smt26.quoting());
        let mut bytes = vec![0; 1 << 16];
        let mut host = H { trace };
        loop {
            let n = std::io::stdin().read(&mut bytes).unwrap();
            splitter.feed(&bytes[..n]);
            while let Some(command) = if n == 0 { splitter.rest() } else { splitter.next_command() } {
                let text = splitter.text(command.clone());
                let _ : &Position = &splitter.position();
                if session.run(text, smt::Dialect::Smt26, splitter.position(), &mut host) == stringent_solver::session::Flow::Exit { return; }
                splitter.advance(command);
            }
            if n == 0 { return; }
        }
    }).unwrap().join().unwrap();
}
