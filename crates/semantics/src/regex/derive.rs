//! Derivatives.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::node::{Node, Re};
use super::store::{DERIVATIVE_BYTES, RegexStore};

/// The work that is left. A unit is about one visited node.
#[derive(Debug)]
pub(super) struct Fuel(u64);

/// All the [`Fuel`] has been used.
#[derive(Debug)]
pub(super) struct Spent;

impl Fuel {
    /// A budget of `units`.
    pub(super) fn new(units: u64) -> Fuel {
        Fuel(units)
    }

    /// No limit in practice.
    pub(super) fn unlimited() -> Fuel {
        Fuel(u64::MAX)
    }

    /// Uses `units`.
    #[inline]
    pub(super) fn spend(&mut self, units: usize) -> Result<(), Spent> {
        smt::work::spend(units);
        self.0 = self.0.checked_sub(units as u64).ok_or(Spent)?;
        Ok(())
    }
}

/// A derivative that is being computed.
enum Task {
    /// Nothing is known yet.
    Start(Re),
    /// The union of `done` and, for each pair, the derivative of the first followed by the second.
    Sum { of: Re, done: Vec<Re>, pairs: SmallVec<[(Re, Re); 2]> },
    /// The complement of the derivative.
    Comp { of: Re, body: Re },
    /// The intersection of the derivatives.
    Inter { of: Re, members: Box<[Re]> },
}

impl RegexStore {
    /// The derivative of the language of `root` by the character `c`: { w | cw ∈ L }.
    ///
    /// The rules are those of Brzozowski, where ν(L) is {ε} if L contains the empty word and else
    /// ∅:
    ///
    /// - ∂(L ∪ M) = ∂L ∪ ∂M, ∂(L ∩ M) = ∂L ∩ ∂M, ∂(¬L) = ¬∂L,
    /// - ∂(LM) = (∂L)M ∪ ν(L)∂M,
    /// - ∂(L{a,b}) = (∂L)L{a-1,b-1}, where 0-1 is 0. In the union of ∂(Lᵏ) for k from a to b the
    ///   term ∂(L⁰) is empty; for the others ∂(Lᵏ) is the union of (∂L)Lʲ for all j < k that leave
    ///   k-1-j factors to be the empty word, which is only j = k-1 if L does not contain it, and if
    ///   it does, Lʲ is a part of Lᵏ⁻¹ anyway.
    ///
    /// # How derivatives stay small
    ///
    /// If they are applied literally, expressions grow with each character read. Brzozowski
    /// showed that the growth is bounded if unions are treated as sets (associative,
    /// commutative, idempotent), but the bound is a tower of exponentials. Here (∂L)M is also
    /// distributed over the members of ∂L, so that the derivative of a union of products is a union
    /// of products again, the *partial derivatives* of V. Antimirov ("Partial derivatives of
    /// regular expressions and finite automaton constructions", TCS 155, 1996). If there is neither
    /// complement nor intersection nor a loop with limits, each of these is a product of a part of
    /// the expression and of its continuation there, so their number is at most that of the
    /// occurrences of characters plus one, whatever the word. A loop with limits has a counter: it
    /// multiplies the number by its values, but see [`RegexStore::merge_loops`].
    ///
    /// So for ordinary expressions of size m the derivatives by the prefixes of a word are unions
    /// of at most m + 1 members each (times counters), and reading n characters takes time O(nm)
    /// with set operations: there may be 2ᵐ different unions, as for (a|b)*a(a|b)ᵐ, but no more are
    /// built than the word has characters. This is the simulation of a
    /// nondeterministic automaton with memoised steps: a step whose union and
    /// character are known costs one lookup. Members that are known to be contained in others are
    /// left out ([`RegexStore::absorb_all`]), and large sets of words are a single member
    /// (`lexicon.rs`).
    ///
    /// The derivative of a complement is always a single member. At the top of an
    /// expression, or below operators that do not repeat, there is one such member
    /// (for each level of complements), whose body is a separate union, to which the
    /// bound applies. But (L*)¬M has a member for each prefix in L*, that is ¬∂M by the rest, and
    /// the number of these is bounded only by the length of the word and by the number of
    /// derivatives of M. The same holds for intersection. All members are derivatives of parts of
    /// the expression by factors of the word, of which there are O(n²), so at worst the time is
    /// O(n³m²). (Tabulating all factors, as by Hopcroft and Ullman 1979, takes O(n³m); O. Kupferman
    /// and S. Zuhovitzky, "An improved algorithm for the membership problem for extended regular
    /// expressions", MFCS 2002, save some of it.) For most languages in such a position, however,
    /// derivatives by long words depend only on the last few characters, so there are
    /// few of them.
    ///
    /// # How they are computed
    ///
    /// Each derivative is a task; the derivatives that it needs are pushed onto the stack and
    /// computed first. Unions and the tails of products whose heads contain the empty word are
    /// traversed within one task, without duplicates, so that a sequence of many optional parts
    /// does not build a union for each of them. All results are memoised, so `c` should be a
    /// representative in the sense of [`super::charset::Alphabet`].
    pub(super) fn derive(&mut self, root: Re, c: u32, fuel: &mut Fuel) -> Result<Re, Spent> {
        if let Some(known) = self.derivative(root, c) {
            fuel.spend(1)?;
            return Ok(known);
        }
        let mut tasks = vec![Task::Start(root)];
        while let Some(task) = tasks.pop() {
            let (of, result) = match task {
                Task::Start(of) => {
                    if self.derivative(of, c).is_none() {
                        self.begin(of, c, &mut tasks, fuel)?;
                    }
                    continue;
                }
                Task::Sum { of, done, pairs } => (of, self.sum(done, &pairs, c, fuel)?),
                Task::Comp { of, body } => {
                    let body = self.needed(body, c);
                    (of, self.complement(body))
                }
                Task::Inter { of, members } => {
                    let members = members.iter().map(|&r| self.needed(r, c)).collect();
                    (of, self.intersect(members, usize::MAX))
                }
            };
            self.derivatives.insert((of, c), result);
            self.charge(DERIVATIVE_BYTES);
        }
        Ok(self.needed(root, c))
    }

    /// The derivative, if it is remembered or easily had.
    #[inline]
    fn derivative(&mut self, r: Re, c: u32) -> Option<Re> {
        match *self.node(r) {
            Node::None | Node::Epsilon => Some(Re::NONE),
            Node::Class(ref set) if set.contains(c) => Some(Re::EPSILON),
            Node::Class(_) => Some(Re::NONE),
            Node::Word { text, start } => Some(self.drop_letter(text, start, c)),
            Node::Lexicon(lexicon) => Some(self.look_up(lexicon, c)),
            Node::State { automaton, state } => Some(self.move_state(automaton, state, c)),
            Node::Loop(Re::ALLCHAR, span) => Some(self.repeat(Re::ALLCHAR, span.less_one())),
            _ => self.derivatives.get(&(r, c)).copied(),
        }
    }

    /// The derivative computed by a task.
    fn needed(&mut self, r: Re, c: u32) -> Re {
        self.derivative(r, c).expect("tasks are done in order")
    }

    /// The derivative of a word.
    fn drop_letter(&mut self, text: u32, start: usize, c: u32) -> Re {
        match *self.suffix(text, start) {
            [first, ..] if first != c => Re::NONE,
            [_, last] => {
                let set = super::charset::CharSet::range(last, last);
                self.intern(Node::Class(set))
            }
            _ => {
                let start = start + 1;
                self.intern(Node::Word { text, start })
            }
        }
    }

    /// Begins the computation of a derivative: pushes the final task, and then the tasks that it
    /// needs.
    fn begin(&mut self, of: Re, c: u32, tasks: &mut Vec<Task>, fuel: &mut Fuel) -> Result<(), Spent> {
        fuel.spend(1)?;
        match self.node(of) {
            &Node::Comp(body) => {
                tasks.push(Task::Comp { of, body });
                tasks.push(Task::Start(body));
            }
            Node::Inter(members) => {
                let members = members.clone();
                fuel.spend(members.len())?;
                let needed = members.iter().map(|&r| Task::Start(r)).collect::<Vec<Task>>();
                tasks.push(Task::Inter { of, members });
                tasks.extend(needed);
            }
            _ => {
                let (done, pairs) = self.expand(of, c, fuel)?;
                let needed: SmallVec<[Re; 8]> = pairs
                    .iter()
                    .map(|&(head, _)| head)
                    .filter(|&head| self.derivative(head, c).is_none())
                    .collect();
                tasks.push(Task::Sum { of, done, pairs });
                tasks.extend(needed.into_iter().map(Task::Start));
            }
        }
        Ok(())
    }

    /// The derivative of a union, product or loop as a sum: members of it that are known already,
    /// and pairs of a head, of which the derivative has yet to be found, and of what follows it.
    ///
    /// A product (rs)t is flattened to r(st) here, see [`RegexStore::append`]. The tail st may be
    /// such a product again, but each of these steps leaves one level less to be flattened later.
    #[expect(clippy::type_complexity)]
    fn expand(
        &mut self,
        root: Re,
        c: u32,
        fuel: &mut Fuel,
    ) -> Result<(Vec<Re>, SmallVec<[(Re, Re); 2]>), Spent> {
        let mut done = Vec::new();
        let mut pairs = SmallVec::new();
        let mut pending: SmallVec<[Re; 8]> = smallvec![root];
        let mut seen = Seen::default();
        while let Some(r) = pending.pop() {
            if !seen.insert(r) {
                continue;
            }
            fuel.spend(1)?;
            match *self.node(r) {
                Node::Union(ref members) => pending.extend_from_slice(members),
                Node::Concat([head, tail]) => match *self.node(head) {
                    Node::Concat([first, second]) => {
                        let rest = self.append(second, tail);
                        let rotated = self.append(first, rest);
                        pending.push(rotated);
                    }
                    Node::Loop(body, span) => {
                        let rest = self.repeat(body, span.less_one());
                        pairs.push((body, self.append(rest, tail)));
                        if self.nullable(head) {
                            pending.push(tail);
                        }
                    }
                    _ => {
                        pairs.push((head, tail));
                        if self.nullable(head) {
                            pending.push(tail);
                        }
                    }
                },
                Node::Loop(body, span) => {
                    pairs.push((body, self.repeat(body, span.less_one())));
                }
                Node::Comp(_) | Node::Inter(_) => pairs.push((r, Re::EPSILON)),
                _ => done.push(self.needed(r, c)),
            }
        }
        pairs.retain(|&mut (head, tail)| match *self.node(head) {
            Node::Class(ref set) => {
                if set.contains(c) {
                    done.push(tail);
                }
                false
            }
            _ => true,
        });
        Ok((done, pairs))
    }

    /// The sum of members and of products of derivatives, which are distributed over unions.
    fn sum(&mut self, mut done: Vec<Re>, pairs: &[(Re, Re)], c: u32, fuel: &mut Fuel) -> Result<Re, Spent> {
        for &(head, tail) in pairs {
            let derivative = self.needed(head, c);
            if tail == Re::EPSILON {
                done.push(derivative);
                continue;
            }
            let heads: SmallVec<[Re; 8]> = self.members(&derivative).into();
            fuel.spend(heads.len())?;
            for head in heads {
                let product = self.append(head, tail);
                done.push(product);
            }
        }
        Ok(self.unite(done, usize::MAX))
    }
}

/// A set that starts as a list.
#[derive(Default)]
struct Seen {
    few: SmallVec<[Re; 8]>,
    many: FxHashSet<Re>,
}

impl Seen {
    /// Adds an element, unless it is there.
    fn insert(&mut self, r: Re) -> bool {
        if self.few.len() < self.few.inline_size() {
            let new = !self.few.contains(&r);
            if new {
                self.few.push(r);
            }
            return new;
        }
        !self.few.contains(&r) && self.many.insert(r)
    }
}
