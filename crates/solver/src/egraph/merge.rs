//! Checking applications, merging classes, and undoing merges.

use super::{Conflict, Egraph, Event, FALSE, NONE, Node, Pending, Premise, TRUE, Undo, Why};
use smt::Head;
use smt::work::spend;

impl Egraph {
    /// Checks an application: whether it is congruent to another one, ready, or an equality with a value.
    pub(super) fn check(&mut self, n: u32) {
        spend(1 + self.nodes[n as usize].len as usize);
        let found = self.enter(n);
        if let Some(other) = found {
            self.queue_congruence(n, other);
        }
        if !self.marks.is_empty() {
            self.trail.push(Undo::Checked { node: n, entered: found.is_none() });
        }
        self.check_sides(n);
        self.check_values(n);
    }

    fn queue_congruence(&mut self, n: u32, other: u32) {
        if self.nodes[n as usize].root == self.nodes[other as usize].root {
            return;
        }
        let swapped = self.is_equality(n) && {
            let ((a, b), (c, d)) = (self.sides(n), self.sides(other));
            !(self.same(Node(a), Node(c)) && self.same(Node(b), Node(d)))
        };
        self.pending.push_back(Pending { a: n, b: other, why: Why::Congruent { swapped } });
    }

    /// An equality is true if its sides are in one class.
    fn check_sides(&mut self, n: u32) {
        if !self.is_equality(n) || self.same(Node(n), Egraph::TRUE) {
            return;
        }
        let (a, b) = self.sides(n);
        if self.same(Node(a), Node(b)) {
            self.pending.push_back(Pending { a: n, b: TRUE, why: Why::Equal(n) });
        }
    }

    /// An application all of whose arguments have values is ready; an equality is false if they differ.
    fn check_values(&mut self, n: u32) {
        if self.is_equality(n) {
            let (a, b) = self.sides(n);
            let unequal = self.clash(self.value_of(a), self.value_of(b));
            if unequal && !self.same(Node(n), Egraph::FALSE) {
                self.event(Event::Unequal(Node(n)));
                self.pending.push_back(Pending { a: n, b: FALSE, why: Why::Unequal(n) });
            }
            return;
        }
        let operator = matches!(self.nodes[n as usize].head, Head::Op(_) | Head::Indexed(..));
        if operator
            && self.value_of(n) == NONE
            && self.args(Node(n)).iter().all(|a| self.value_of(a.0) != NONE)
        {
            self.event(Event::Ready(Node(n)));
        }
    }

    /// Merges two classes.
    pub(super) fn unite(&mut self, m: Pending) -> Result<(), Conflict> {
        let (ra, rb) = (self.nodes[m.a as usize].root, self.nodes[m.b as usize].root);
        if ra == rb {
            return Ok(());
        }
        let (va, vb) = (self.nodes[ra as usize].value, self.nodes[rb as usize].value);
        if self.clash(va, vb) {
            let mut conflict = vec![Premise::Eq(Node(m.a), Node(va)), Premise::Eq(Node(m.b), Node(vb))];
            self.premises_of(m.a, m.b, m.why, &mut conflict);
            return Err(conflict);
        }
        let smaller = self.nodes[ra as usize].size <= self.nodes[rb as usize].size;
        let (gone, kept) = if smaller { (ra, rb) } else { (rb, ra) };
        let (from, to) = if smaller { (m.a, m.b) } else { (m.b, m.a) };
        spend(2 + self.nodes[gone as usize].size as usize);
        self.link(from, to, m.why);
        let (vg, vk) = (self.nodes[gone as usize].value, self.nodes[kept as usize].value);
        let moved = self.moved.len();
        self.rename(gone, kept);
        self.re_enter(moved);
        if self.marks.is_empty() {
            self.moved.truncate(moved);
        } else {
            let moved = moved as u32;
            self.trail.push(Undo::Merged { kept, gone, a: m.a, b: m.b, value: vk, moved });
        }
        self.event(Event::Merged { kept: Node(kept), gone: Node(gone), a: Node(m.a), b: Node(m.b) });
        self.check_equalities_of(gone);
        if vk == NONE && vg != NONE {
            self.nodes[kept as usize].value = vg;
            self.value_reached(kept);
        } else if vg == NONE && vk != NONE {
            self.value_reached(gone);
        }
        self.join(gone, kept);
        Ok(())
    }

    /// Removes the parents of the class of `gone` from the table and sets the new root of its members.
    fn rename(&mut self, gone: u32, kept: u32) {
        let mut m = gone;
        loop {
            for i in 0..self.nodes[m as usize].parents.len() {
                let p = self.nodes[m as usize].parents[i].0;
                if self.nodes[p as usize].in_table {
                    self.leave(p);
                    self.moved.push((p, false));
                }
            }
            m = self.nodes[m as usize].next;
            if m == gone {
                break;
            }
        }
        self.set_roots(gone, kept);
    }

    fn set_roots(&mut self, first: u32, root: u32) {
        let mut m = first;
        loop {
            self.nodes[m as usize].root = root;
            m = self.nodes[m as usize].next;
            if m == first {
                break;
            }
        }
    }

    /// Enters the removed nodes into the table, under their new signatures.
    fn re_enter(&mut self, from: usize) {
        for i in from..self.moved.len() {
            let p = self.moved[i].0;
            spend(1 + self.nodes[p as usize].len as usize);
            match self.enter(p) {
                None => self.moved[i].1 = true,
                Some(other) => self.queue_congruence(p, other),
            }
        }
    }

    /// Checks the equalities above the members of the list of `first`, whose root has changed.
    fn check_equalities_of(&mut self, first: u32) {
        let mut m = first;
        loop {
            for i in 0..self.nodes[m as usize].parents.len() {
                let p = self.nodes[m as usize].parents[i].0;
                self.check_sides(p);
            }
            m = self.nodes[m as usize].next;
            if m == first {
                break;
            }
        }
    }

    /// Checks the members of the list of `first`, which have got a value, and their parents.
    fn value_reached(&mut self, first: u32) {
        let holds = self.value_of(first) == TRUE;
        let mut m = first;
        loop {
            if holds && self.is_equality(m) {
                let (a, b) = self.sides(m);
                self.pending.push_back(Pending { a, b, why: Why::Holds(m) });
            }
            for i in 0..self.nodes[m as usize].parents.len() {
                let p = self.nodes[m as usize].parents[i].0;
                spend(1);
                self.check_values(p);
            }
            m = self.nodes[m as usize].next;
            if m == first {
                break;
            }
        }
    }

    /// Joins two circular lists, or splits one.
    fn join(&mut self, gone: u32, kept: u32) {
        let (g, k) = (self.nodes[gone as usize].next, self.nodes[kept as usize].next);
        self.nodes[gone as usize].next = k;
        self.nodes[kept as usize].next = g;
        self.nodes[kept as usize].size += self.nodes[gone as usize].size;
    }

    /// Undoes a merge.
    pub(super) fn separate(&mut self, kept: u32, gone: u32, value: u32, moved: usize) {
        let size = self.nodes[gone as usize].size;
        self.join(gone, kept);
        self.nodes[kept as usize].size -= 2 * size;
        self.nodes[kept as usize].value = value;
        for i in moved..self.moved.len() {
            let (p, entered) = self.moved[i];
            if entered {
                self.leave(p);
            }
        }
        self.set_roots(gone, gone);
        while self.moved.len() > moved {
            let (p, _) = self.moved.pop().expect("it is longer");
            let other = self.enter(p);
            debug_assert!(other.is_none(), "the table is restored");
        }
    }
}
