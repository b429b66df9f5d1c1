//! The decision order (VSIDS): a binary heap of variables, the most active first.

use crate::Var;

const ABSENT: u32 = u32::MAX;

/// The heap and the activities.
pub(crate) struct Heap {
    heap: Vec<Var>,
    place: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

/// The activity at which all are scaled down.
const RESCALE: f64 = 1e100;
const DECAY: f64 = 0.95;

impl Heap {
    pub(crate) fn new() -> Self {
        Heap { heap: Vec::new(), place: Vec::new(), activity: Vec::new(), increment: 1.0 }
    }

    /// Adds the next variable.
    pub(crate) fn add(&mut self, activity: f64) {
        let v = Var(self.place.len() as u32);
        self.place.push(ABSENT);
        self.activity.push(activity * self.increment);
        self.insert(v);
    }

    /// The activity, relative to the current increment.
    pub(crate) fn activity(&self, v: Var) -> f64 {
        self.activity[v.0 as usize] / self.increment
    }

    /// Inserts a variable if it is not in the heap.
    #[inline]
    pub(crate) fn insert(&mut self, v: Var) {
        if self.place[v.0 as usize] == ABSENT {
            self.place[v.0 as usize] = self.heap.len() as u32;
            self.heap.push(v);
            self.up(self.heap.len() - 1);
        }
    }

    /// Removes the most active variable.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        self.place[top.0 as usize] = ABSENT;
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last.0 as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// Increases the activity of a variable in a conflict.
    pub(crate) fn bump(&mut self, v: Var) {
        let a = &mut self.activity[v.0 as usize];
        *a += self.increment;
        if *a > RESCALE {
            self.activity.iter_mut().for_each(|a| *a /= RESCALE);
            self.increment /= RESCALE;
        }
        let place = self.place[v.0 as usize];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    /// Decays all activities, by increasing the increment.
    pub(crate) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Whether `a` is more active than `b`, or equally active and older.
    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.0 as usize], self.activity[b.0 as usize]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, mut at: usize) {
        let v = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(v, self.heap[parent]) {
                break;
            }
            self.set(at, self.heap[parent]);
            at = parent;
        }
        self.set(at, v);
    }

    fn down(&mut self, mut at: usize) {
        let v = self.heap[at];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let child = if right < self.heap.len() && self.before(self.heap[right], self.heap[left]) {
                right
            } else {
                left
            };
            if !self.before(self.heap[child], v) {
                break;
            }
            self.set(at, self.heap[child]);
            at = child;
        }
        self.set(at, v);
    }

    #[inline]
    fn set(&mut self, at: usize, v: Var) {
        self.heap[at] = v;
        self.place[v.0 as usize] = at as u32;
    }
}
