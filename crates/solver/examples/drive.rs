#![allow(warnings)]
mod synth {
    pub mod dice {
        pub struct Dice(u64);
        impl Dice {
            pub fn new(s: u64, _: u64) -> Dice {
                Dice(s)
            }
            fn next(&mut self) -> u64 {
                self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut z = self.0;
                z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                z ^ (z >> 31)
            }
            pub fn index(&mut self, n: usize) -> usize {
                (self.next() % n as u64) as usize
            }
            pub fn pick<'a, T>(&mut self, l: &'a [T]) -> &'a T {
                let k = self.index(l.len());
                &l[k]
            }
        }
    }
}
#[path = "../../lab/src/bench/sessions/programs.rs"]
mod programs;
#[path = "/tmp/ex/run.rs"]
mod run;
use smt::diag::Position;
use smt::work::Stop;
use smt::{Dialect, Pool};
use std::rc::Rc;
use std::time::{Duration, Instant};
use stringent_solver::engine::Outcome;
use stringent_solver::session::{Host, Session, Settings};
struct H {
    limit: u64,
    began: Instant,
    times: Vec<(String, f64, u64)>,
    quiet: bool,
}
impl Host for H {
    fn respond(&mut self, t: &str) -> bool {
        if !self.quiet {
            println!("{t}");
        }
        true
    }
    fn start(&mut self, _: Option<u64>) -> Stop {
        self.began = Instant::now();
        let end = self.began + Duration::from_millis(self.limit);
        Rc::new(move || Instant::now() >= end)
    }
    fn done(&mut self, v: &str, o: &Outcome) {
        let r = o.statistics.iter().filter(|(n, _)| n.starts_with("reused")).count() as u64;
        self.times.push((v.to_owned(), self.began.elapsed().as_secs_f64() * 1e3, r));
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "gen" {
        let n: usize = a[2].parse().unwrap();
        let max: usize = a[3].parse().unwrap();
        for k in 0..n {
            let least = max / 5;
            let (t, _) = run::session(k as u64, (least + (max - least) * k / n).max(1));
            std::fs::write(format!("{}/s{k:03}.smt2", a[4]), t).unwrap();
        }
        return;
    }
    let reuse = std::env::var("REUSE").map_or(true, |v| v != "0");
    let limit = std::env::var("MS").ok().and_then(|v| v.parse().ok()).unwrap_or(1000);
    let verbose = std::env::var("V").is_ok();
    std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(move || {
            let (mut tot, mut n) = (0.0, 0);
            for f in &a[1..] {
                let text = std::fs::read(f).unwrap();
                let mut pool = Pool::new();
                let mut s = Settings::default();
                s.options.reuse = reuse;
                let d = smt::dialect::detect(&text);
                let mut session = Session::new(&mut pool, d, s);
                let mut h = H { limit, began: Instant::now(), times: vec![], quiet: !verbose };
                let b = Instant::now();
                session.run(&text, d, Position { line: 1, column: 1 }, &mut h);
                let t = b.elapsed().as_secs_f64();
                let c = |w: &str| h.times.iter().filter(|x| x.0 == w).count();
                let r: u64 = h.times.iter().map(|x| x.2).sum();
                let worst = h.times.iter().map(|x| x.1).fold(0.0, f64::max);
                println!(
                    "{f} {t:.3}s sat {} unsat {} unknown {} reused {r} worst {worst:.0}ms | {}",
                    c("sat"),
                    c("unsat"),
                    c("unknown"),
                    h.times
                        .iter()
                        .map(|x| x
                            .0
                            .as_bytes()
                            .iter()
                            .nth(if x.0 == "unknown" { 2 } else { 0 })
                            .map(|c| *c as char)
                            .unwrap())
                        .collect::<String>()
                );
                tot += t;
                n += h.times.len();
            }
            println!("TOTAL {tot:.2}s {n} checks");
        })
        .unwrap()
        .join()
        .unwrap();
}
