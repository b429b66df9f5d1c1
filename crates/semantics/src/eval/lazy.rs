//! Lazy evaluation of connectives and `ite`.

use super::*;

impl Evaluator<'_> {
    /// Inspects argument `i - 1`, then continues with argument `i` or stops.
    pub(super) fn lazy(&mut self, t: Term, act: Act, i: u32) {
        let Head::Op(op) = self.pool.head(t) else { unreachable!("only operators are lazy") };
        let args = self.pool.args(t);
        if op == Op::Ite {
            return self.lazy_ite(t, act, i, args);
        }
        if i > 0 {
            let last = i as usize == args.len();
            let stops = match (op, self.get(args[i as usize - 1], act)) {
                (Op::And, Some(Ok(Value::Bool(false)))) => Some(false),
                (Op::Or, Some(Ok(Value::Bool(true)))) => Some(true),
                (Op::Implies, Some(Ok(Value::Bool(b)))) if *b == last => Some(true),
                _ => None,
            };
            if let Some(b) = stops {
                return self.put(t, act, Ok(Value::Bool(b)));
            }
            if last {
                let val = self.undecided(op, args, act);
                return self.put(t, act, val);
            }
        }
        self.tasks.push(Task::Lazy(t, act, i + 1));
        self.tasks.push(Task::Visit(args[i as usize], act));
    }

    /// No argument decided the connective: its unit, unless some argument is unknown.
    pub(super) fn undecided(&self, op: Op, args: &[Term], act: Act) -> Val {
        let unknown = args.iter().find_map(|&a| match self.get(a, act) {
            Some(Ok(Value::Bool(_))) => None,
            Some(Ok(_)) => Some(Why::ModelShape(a)),
            Some(Err(why)) => Some(*why),
            None => Some(Why::Budget(a)),
        });
        unknown.map_or(Ok(Value::Bool(op == Op::And)), Err)
    }

    pub(super) fn lazy_ite(&mut self, t: Term, act: Act, i: u32, args: &[Term]) {
        let val = |e: &Self, k: usize| e.get(args[k], act).cloned().unwrap_or(Err(Why::Budget(t)));
        match (i, self.get(args[0], act)) {
            (0, _) => {
                self.tasks.push(Task::Lazy(t, act, 1));
                self.tasks.push(Task::Visit(args[0], act));
            }
            (1, Some(Ok(Value::Bool(b)))) => {
                let branch = if *b { 1 } else { 2 };
                self.tasks.push(Task::Lazy(t, act, branch as u32 + 1));
                self.tasks.push(Task::Visit(args[branch], act));
            }
            (1, _) => {
                // The condition is unknown; the branches may still agree.
                self.tasks.push(Task::Lazy(t, act, 4));
                self.tasks.push(Task::Visit(args[1], act));
                self.tasks.push(Task::Visit(args[2], act));
            }
            (4, cond) => {
                let why = match cond {
                    Some(Err(why)) => *why,
                    _ => Why::ModelShape(args[0]),
                };
                let (yes, no) = (val(self, 1), val(self, 2));
                let same = args[1] == args[2] || matches!((&yes, &no), (Ok(a), Ok(b)) if a == b);
                self.put(t, act, if same { yes } else { Err(why) });
            }
            (branch, _) => {
                let v = val(self, branch as usize - 1);
                self.put(t, act, v);
            }
        }
    }
}
