//! Long chains of concatenations.

use super::*;

impl Evaluator<'_> {
    /// `(str.++ a (str.++ b (str.++ …)))`, several levels of it.
    pub(super) fn is_long_chain(&self, mut t: Term) -> bool {
        let concat = |&&a: &&Term| self.pool.head(a) == Head::Op(Op::StrConcat);
        (0..8).all(|_| match self.pool.args(t).iter().find(concat) {
            Some(&inner) => {
                t = inner;
                true
            }
            None => false,
        })
    }

    /// Evaluates nested concatenations as one: a chain of n levels would cost n² characters if each level built its
    /// own string. Concatenations with several parents stay separate, which keeps the sharing.
    pub(super) fn visit_chain(&mut self, t: Term, act: Act) {
        let nested = |e: &Self, a: Term| e.pool.head(a) == Head::Op(Op::StrConcat) && e.get(a, act).is_none();
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = vec![t];
        while let Some(u) = stack.pop() {
            for &a in self.pool.args(u) {
                let n = uses.entry(a).or_default();
                *n += 1;
                if *n == 1 && nested(self, a) {
                    stack.push(a);
                }
            }
        }
        let mut parts = Vec::new();
        stack.push(t);
        while let Some(u) = stack.pop() {
            if u == t || uses[&u] == 1 && nested(self, u) {
                stack.extend(self.pool.args(u).iter().rev());
            } else {
                parts.push(u);
            }
        }
        let visits: Vec<Task> =
            parts.iter().filter(|&&p| self.get(p, act).is_none()).map(|&p| Task::Visit(p, act)).collect();
        self.tasks.push(Task::Chain(t, act, parts.into()));
        self.tasks.extend(visits);
    }

    pub(super) fn chain(&mut self, t: Term, act: Act, parts: &[Term]) {
        self.applications += 1;
        let mut words: Vec<&[u32]> = Vec::with_capacity(parts.len());
        let mut val = Ok(0usize);
        for &p in parts {
            match self.get(p, act) {
                Some(Ok(Value::Str(w))) => {
                    val = val.map(|n| n.saturating_add(w.len()));
                    words.push(w);
                }
                Some(Err(why)) => val = val.and(Err(*why)),
                _ => val = val.and(Err(Why::Budget(p))),
            }
        }
        let val = match val {
            Ok(len) if len <= MAX_LEN => Ok(Value::Str(Str::concat(&words))),
            Ok(_) => Err(Why::Budget(t)),
            Err(why) => Err(why),
        };
        self.put(t, act, val);
    }
}
