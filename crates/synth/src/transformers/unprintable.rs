//! *Unprintable*: replaces the characters of literals by unprintable ones.
//!
//! Each character of the literals is exchanged with a control character, or one for private use once those run out, that
//! no literal has: a permutation, so that the answer is kept as by *translate*. Literals of `re.range` stay.

use super::permutation::{Permutation, characters};
use super::translate::permute;
use super::walk::live;
use super::{Effect, Flags, Job, Transformer};

/// The transformer.
pub static UNPRINTABLE: Transformer = Transformer {
    name: "unprintable",
    about: "replace the characters of literals by unprintable ones",
    flags: &[],
    keeps: "as translate does",
    apply,
};

fn apply(_: &Flags, job: &mut Job<'_>) -> Effect {
    let used = characters(job.pool, &live(job.pool, job.script));
    let printable: Vec<u32> = used.iter().copied().filter(|&c| !is_unprintable(c)).collect();
    let free = |c: &u32| is_unprintable(*c) && !used.contains(c);
    let mut targets: Vec<u32> = (0..=0x9F).filter(free).collect();
    job.dice.shuffle(&mut targets);
    targets.extend((0xE000..=0xF8FF).filter(free));
    let pairs = printable.iter().copied().zip(targets);
    let (from, to): (Vec<u32>, Vec<u32>) = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).unzip();
    permute(job, Permutation::new(&from, &to), false)
}

fn is_unprintable(c: u32) -> bool {
    matches!(c, 0..=0x1F | 0x7F..=0x9F | 0xE000..=0xF8FF)
}
