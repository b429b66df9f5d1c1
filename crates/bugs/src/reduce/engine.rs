//! The order of trials.
//!
//! Rounds over all passes. Each pass tries large subsets of its edits first, then single ones. The first rounds take only the edits that
//! promise most, and later rounds all of them; neither tries a change again that was in vain, although the rest of the script is another one
//! now. At last, every single edit is tried on the very script: if none succeeds, no pass makes it smaller.
//!
//! Each step is tried with one seed ([`Seeds::One`]). If the script is still large after some tests in vain, or after the first rounds, a refused step may be a matter
//! of luck: steps count from then on if they fail with any seed ([`Seeds::Any`]), in short attempts. If the original fails with every seed, this is on trial until a
//! step fails with another seed than the one before.
//!
//! If the result does not fail with all seeds, but the original does, the reduction begins again with steps that fail with every seed: few bugs of
//! which a maintainer cannot see the failure are fixed. That result counts, unless it is large and the other one much smaller.

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
    luck: Luck,
}

/// What is known about the part of luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
    /// Nothing, after so many tests in vain.
    Doubts(usize),
    /// Steps may fail with any seed; nothing so far, after so many tests in vain, shows that this helps.
    OnTrial(usize),
    /// All that will be.
    Decided,
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
            luck: Luck::Doubts(0),
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
        self.coarse()?;
        if matches!(self.luck, Luck::Doubts(_)) {
            self.luck = Luck::Doubts(DOUBTS);
        }
        if self.try_luck()? {
            self.coarse()?;
        }
        self.fine()?;
        if self.fails_always(&self.state)? {
            self.seeds = Seeds::One;
            return Ok(());
        }
        let start = self.start.clone();
        if self.fails_always(&start)? { self.steadily(start) } else { Ok(()) }
    }

    /// Reduces the original again, by steps that fail with every seed. If that ends early, the smaller script counts; otherwise the one of before
    /// if it is much smaller than a large one: a maintainer has to run it with its seed.
    fn steadily(&mut self, start: State) -> Result<(), Halt> {
        let lucky = std::mem::replace(&mut self.state, start);
        let before = (std::mem::take(&mut self.trail), self.seeds);
        self.output.hold(&lucky);
        self.seeds = Seeds::Every(self.lab.options.seeds);
        self.sizes.fill(None);
        let ended = self.coarse().and_then(|()| self.fine());
        let (bytes, steady) = (super::finding::bytes(&lucky.doc), super::finding::bytes(&self.state.doc));
        let is_better = match ended {
            Ok(()) => steady > MUCH * BYTES && bytes * MUCH <= steady,
            Err(_) => lucky.doc.size() < self.state.doc.size(),
        };
        if is_better {
            (self.state, (self.trail, self.seeds)) = (lucky, before);
            self.output.replace(&self.state)?;
        }
        ended
    }

    /// Lets steps fail with any seed from now on, if the script is large after tests in vain. If the original fails with every seed, this is
    /// on trial.
    fn try_luck(&mut self) -> Result<bool, Halt> {
        let is_due = matches!(self.luck, Luck::Doubts(vain) if vain >= DOUBTS);
        if !is_due || !self.is_large() || !self.has_seeds() {
            return Ok(false);
        }
        let on_trial = self.fails_always(&self.start)?;
        self.luck = if on_trial { Luck::OnTrial(0) } else { Luck::Decided };
        self.seeds = Seeds::Any(self.lab.options.seeds);
        self.vain.clear();
        Ok(true)
    }

    /// Takes note of tests in vain, and of the seed of a success: another one than before shows that luck decides.
    fn note(&mut self, vain: usize, seed: Option<u64>) {
        self.luck = match self.luck {
            Luck::Doubts(before) => Luck::Doubts(before + vain),
            Luck::OnTrial(_) if seed.is_some_and(|seed| seed != self.state.observed.seed) => Luck::Decided,
            Luck::OnTrial(before) => Luck::OnTrial(before + vain),
            Luck::Decided => Luck::Decided,
        };
        if matches!(self.luck, Luck::OnTrial(vain) if vain >= DOUBTS) {
            (self.luck, self.seeds) = (Luck::Decided, Seeds::One);
        }
    }

    fn has_seeds(&self) -> bool {
        self.lab.property.is_seeded() && self.lab.options.seeds >= 2
    }

    fn is_large(&self) -> bool {
        let doc = &self.state.doc;
        doc.assertions() > ASSERTIONS || super::finding::bytes(doc) > BYTES
    }

    /// The script fails with every seed, as far as is tried.
    fn fails_always(&self, state: &State) -> Result<bool, Halt> {
        let lab = self.lab;
        if !self.has_seeds() {
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
        let seed = last.as_ref().and_then(|(_, found)| found.as_ref().ok()).map(|state| state.observed.seed);
        self.note(tested, seed);
        self.try_luck()?;
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
