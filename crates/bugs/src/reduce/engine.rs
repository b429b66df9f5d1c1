//! The order of trials.
//!
//! Rounds over all passes. Each pass tries large subsets of its edits first, then single ones. The first rounds take only the edits that
//! promise most, and later rounds all of them; neither tries a change again that was in vain, although the rest of the script is another one
//! now. At last, every single edit is tried on the very script: if none succeeds, no pass makes it smaller.
//!
//! Each step is tried with one seed ([`Seeds::One`]). If the result does not fail with all seeds, but the original does, the reduction begins again with
//! steps that fail with every seed: few bugs of which a maintainer cannot see the failure are fixed. If the original does not either, the failure is
//! a matter of luck, and so is every step that is refused: a script that is still large after some tests in vain, or after the first rounds, is reduced by steps that fail with any seed.
//! So is one that is much too large at the end; that result counts if it has at most half the bytes.

use super::search::{self, Found};
use super::seeds::{Seeds, Tries};
use super::subsets::Subsets;
use super::trial::{InVain, Lab, Vain};
use super::{Ended, State, disk::Output};
use crate::deadline::unless;
use crate::doc::Effect;
use crate::passes::Edit;
use campaign::clean::{count, counted};
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Which edits a round tries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    /// Those that promise much.
    Coarse,
    /// All.
    Fine,
    /// All, one by one, even if they were in vain before.
    Last,
}

/// Edits of a coarse round promise at least this share of the best one.
const SHARE: u32 = 8;

/// Passes that wait for the others.
const LATE: &[&str] = &["rename", "characters", "let"];

/// A reduction under way.
pub(super) struct Engine<'a> {
    pub(super) lab: &'a Lab<'a>,
    pub(super) state: State,
    pub(super) output: Output,
    /// The states before, the last ones.
    pub(super) trail: Vec<State>,
    vain: Vain,
    /// By pass: the most edits that succeeded at once in the last visit.
    sizes: Vec<Option<usize>>,
    start_bytes: usize,
    /// The seeds of a step.
    pub(super) seeds: Seeds,
    /// The script it started from.
    start: State,
    /// The tests in vain, until it was asked whether the failure is a matter of luck.
    doubts: Option<usize>,
}

/// Assertions and bytes of a script that is not large.
const ASSERTIONS: usize = 3;
const BYTES: usize = 200;

/// A script that fails with some seeds only has to be smaller by this factor to be worth it.
const MUCH: usize = 2;

/// Tests in vain after which luck is suspected.
const DOUBTS: usize = 20;

/// States that are kept to go back to.
const TRAIL: usize = 8;

/// Why a round ended early.
pub(super) enum Halt {
    Ended(Ended),
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Halt {
    fn from(e: E) -> Halt {
        Halt::Failed(e.into())
    }
}

impl<'a> Engine<'a> {
    pub(super) fn new(lab: &'a Lab<'a>, state: State, output: Output) -> Engine<'a> {
        let start_bytes = state.doc.text().len();
        let sizes = vec![None; lab.options.passes.len()];
        Engine {
            lab,
            start: state.clone(),
            doubts: Some(0),
            state,
            output,
            trail: Vec::new(),
            vain: Vain::default(),
            sizes,
            start_bytes,
            seeds: Seeds::One,
        }
    }

    /// Reduces until no pass succeeds.
    pub(super) fn run(&mut self) -> Result<(), Halt> {
        let start = self.start.clone();
        let seeds = self.lab.options.seeds;
        self.coarse()?;
        if self.suspect_luck()? {
            self.coarse()?;
        }
        self.fine()?;
        let is_steady =
            self.seeds != Seeds::One || self.fails_always(&self.state)? || !self.fails_always(&start)?;
        if !is_steady {
            self.steadily(start, seeds)?;
        }
        let is_over = matches!(self.seeds, Seeds::Any(_)) || seeds < 2 || !self.lab.property.is_seeded();
        if is_over || super::finding::bytes(&self.state.doc) <= MUCH * BYTES {
            Ok(())
        } else {
            self.luckily(seeds)
        }
    }

    /// Reduces a script that stays large by steps that fail with any seed. The result counts if it is much smaller: a maintainer has to run
    /// it with its seed.
    fn luckily(&mut self, seeds: u64) -> Result<(), Halt> {
        let steady = (self.state.clone(), self.trail.clone(), self.seeds);
        let bytes = super::finding::bytes(&self.state.doc);
        self.seeds = Seeds::Any(seeds);
        self.vain.clear();
        self.sizes.fill(None);
        let ended = self.coarse().and_then(|()| self.fine());
        if super::finding::bytes(&self.state.doc) * MUCH > bytes {
            (self.state, self.trail, self.seeds) = steady;
            self.output.replace(&self.state)?;
        }
        ended
    }

    /// Reduces the original again, by steps that fail with every seed. If that ends early, the smaller script counts.
    fn steadily(&mut self, start: State, seeds: u64) -> Result<(), Halt> {
        let lucky = std::mem::replace(&mut self.state, start);
        let trail = std::mem::take(&mut self.trail);
        self.output.hold(&lucky);
        self.seeds = Seeds::Every(seeds);
        self.sizes.fill(None);
        let ended = self.coarse().and_then(|()| self.fine());
        if ended.is_err() && lucky.doc.size() < self.state.doc.size() {
            (self.state, self.trail, self.seeds) = (lucky, trail, Seeds::One);
            self.output.replace(&self.state)?;
        }
        ended
    }

    /// If the script is large, and the original does not fail with all seeds, steps may fail with any seed from now on.
    fn suspect_luck(&mut self) -> Result<bool, Halt> {
        if self.doubts.is_none() || !self.is_large() {
            return Ok(false);
        }
        self.doubts = None;
        if self.fails_always(&self.start)? {
            return Ok(false);
        }
        self.seeds = Seeds::Any(self.lab.options.seeds);
        self.vain.clear();
        Ok(true)
    }

    fn is_large(&self) -> bool {
        let doc = &self.state.doc;
        doc.assertions() > ASSERTIONS || super::finding::bytes(doc) > BYTES
    }

    /// The script fails with every seed, as far as is tried.
    fn fails_always(&self, state: &State) -> Result<bool, Halt> {
        let lab = self.lab;
        if !lab.property.is_seeded() || lab.options.seeds < 2 {
            return Ok(true);
        }
        let every = Tries::after(&state.observed, Seeds::Every(lab.options.seeds));
        let observed = lab.observe(&state.doc, &state.label, every, lab.cancel);
        Ok(observed.map_err(Halt::Ended)?.is_some())
    }

    /// Rounds with the edits that promise much.
    fn coarse(&mut self) -> Result<(), Halt> {
        let early = self.passes(|late| !late);
        while self.round(&early, Grain::Coarse)? {}
        Ok(())
    }

    /// Rounds with all edits, until none succeeds.
    fn fine(&mut self) -> Result<(), Halt> {
        let (early, late) = (self.passes(|late| !late), self.passes(|late| late));
        while self.round(&early, Grain::Fine)? {}
        self.round(&late, Grain::Fine)?;
        self.last()
    }

    fn passes(&self, wanted: impl Fn(bool) -> bool) -> Vec<usize> {
        (0..self.lab.options.passes.len()).filter(|&p| wanted(self.is_late(p))).collect()
    }

    /// A pass that changes names or characters everywhere: all changes look new after it.
    fn is_late(&self, pass: usize) -> bool {
        LATE.contains(&self.lab.options.passes[pass].name())
    }

    /// Passes, one after the other; true if one succeeded.
    fn round(&mut self, passes: &[usize], grain: Grain) -> Result<bool, Halt> {
        let mut progress = false;
        for &pass in passes {
            progress |= self.pass(pass, grain)?;
            if self.doubts.is_some_and(|vain| vain >= DOUBTS) {
                self.suspect_luck()?;
            }
        }
        Ok(progress)
    }

    /// All passes, again and again, until none succeeded since the script is the one it is.
    fn last(&mut self) -> Result<(), Halt> {
        let passes = self.lab.options.passes.len();
        let mut idle = 0;
        for pass in (0..passes).cycle() {
            idle = if self.pass(pass, Grain::Last)? { 0 } else { idle + 1 };
            if idle >= passes {
                break;
            }
        }
        Ok(())
    }

    /// One pass; true if it succeeded.
    fn pass(&mut self, pass: usize, grain: Grain) -> Result<bool, Halt> {
        let mut edits = self.edits(pass, grain)?;
        let mut subsets = Subsets::new(edits.len(), self.size(pass, grain, &edits));
        let mut largest = 0;
        loop {
            let Some((range, state)) = self.search(pass, grain, &edits, subsets)? else { break };
            self.accept(state)?;
            largest = largest.max(range.len());
            edits = self.edits(pass, grain)?;
            subsets = Subsets::after(&range, edits.len());
        }
        if grain != Grain::Last {
            self.sizes[pass] = Some(largest);
        }
        Ok(largest > 0)
    }

    fn edits(&self, pass: usize, grain: Grain) -> Result<Vec<Edit>, Halt> {
        let (lab, doc) = (self.lab, &self.state.doc);
        let edits = unless(lab.cancel, || lab.options.passes[pass].edits(doc));
        let mut edits = edits.ok_or_else(|| Halt::Ended(lab.stopped(lab.cancel)))?;
        if grain == Grain::Coarse {
            let best = edits.iter().map(|e| e.gain).max().unwrap_or(0);
            edits.retain(|e| e.gain.saturating_mul(SHARE) >= best);
        }
        Ok(edits)
    }

    /// How many edits are tried at once.
    fn size(&self, pass: usize, grain: Grain, edits: &[Edit]) -> usize {
        match (grain, self.sizes[pass]) {
            (Grain::Last, _) => 1,
            _ if edits.iter().all(|e| e.effect == Effect::Equivalent) => edits.len(),
            (_, None) => edits.len().div_ceil(2),
            (_, Some(before)) => (2 * before).min(edits.len().div_ceil(2)),
        }
    }

    /// The first subset that succeeds.
    fn search(
        &mut self,
        pass: usize,
        grain: Grain,
        edits: &[Edit],
        subsets: Subsets,
    ) -> Result<Option<(Range<usize>, State)>, Halt> {
        let lab = self.lab;
        let vain = (grain != Grain::Last).then_some(&self.vain);
        let step = |range: Range<usize>, cancel: &_| {
            let tried = lab.attempt(&self.state, &edits[range], vain, self.seeds, cancel);
            self.show(pass);
            tried
        };
        let mut ranges = subsets.clone();
        let Found { failures, last } = search::first(subsets, lab.options.jobs, lab.cancel, step)?;
        let failures: Vec<InVain> = failures.into_iter().flatten().collect();
        let tested = failures.iter().filter(|f| f.tested).count();
        self.vain.extend(failures.into_iter().map(|f| f.change));
        self.doubts = self.doubts.map(|before| before + tested);
        match last {
            None => Ok(None),
            Some((_, Err(ended))) => Err(Halt::Ended(ended)),
            Some((index, Ok(state))) => {
                let range = ranges.nth(index).expect("the sequence has this element");
                Ok(Some((range, *state)))
            }
        }
    }

    fn accept(&mut self, state: State) -> anyhow::Result<()> {
        self.output.write(&state)?;
        if self.trail.len() == TRAIL {
            // The original stays.
            self.trail.remove(1);
        }
        self.trail.push(std::mem::replace(&mut self.state, state));
        Ok(())
    }

    fn show(&self, pass: usize) {
        let runs = self.lab.runs.load(Ordering::Relaxed);
        let state = || {
            let rate = runs as f64 / self.lab.started.elapsed().as_secs_f64().max(1e-3);
            format!(
                "{} → {} bytes, {}, {rate:.0}/s, {}",
                count(self.start_bytes as u64),
                count(self.state.doc.text().len() as u64),
                counted(runs, "run"),
                self.lab.options.passes[pass].name(),
            )
        };
        self.lab.host.progress.update(runs, &state);
    }
}
