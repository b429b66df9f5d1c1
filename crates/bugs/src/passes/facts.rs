//! Facts about a script that several passes need.

use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Command, Fun, Head, Pool, PostOrder, Term};

/// The effect of replacing a constant or a term wherever it occurs: none is known if parts of the script are not understood, or
/// if recursive definitions decide about models.
pub(super) fn global(doc: &Doc, effect: Effect) -> Effect {
    let text = |t: Term| matches!(doc.pool.head(t), Head::Opaque(_));
    let strange = doc
        .script
        .commands()
        .any(|c| matches!(c, Command::Other(_) | Command::DefineFunRec(_) | Command::DefineFunsRec(_)));
    if strange || doc.pool.subterms(doc.all_roots()).any(text) { Effect::Any } else { effect }
}

/// The declared constants, in order.
pub(super) fn constants(doc: &Doc) -> Vec<Fun> {
    doc.script.declared().filter(|f| doc.pool.fun(*f).params.is_empty()).collect()
}

/// The term of each declared constant that occurs in the script.
pub(super) fn constant_terms(doc: &Doc) -> FxHashMap<Fun, Term> {
    let constant = |t: Term| match doc.pool.head(t) {
        Head::Fun(f) if doc.pool.args(t).is_empty() => Some((f, t)),
        _ => None,
    };
    doc.pool.subterms(doc.all_roots()).filter_map(constant).collect()
}

/// The nodes of terms as trees, saturating.
pub(super) fn tree_sizes(pool: &Pool, roots: impl IntoIterator<Item = Term>) -> FxHashMap<Term, u32> {
    let mut sizes: FxHashMap<Term, u32> = FxHashMap::default();
    let mut walk = PostOrder::new(roots);
    while let Some(t) = walk.next(|t| (!sizes.contains_key(&t)).then(|| pool.args(t).iter().copied())) {
        let below = pool.args(t).iter().map(|a| sizes[a]).fold(0, u32::saturating_add);
        sizes.insert(t, below.saturating_add(1));
    }
    sizes
}
