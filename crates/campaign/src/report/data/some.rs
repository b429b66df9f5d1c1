//! The data of a campaign without its runs, or with some of them: what a page about one run needs.

use super::{Data, Instance, Run, SolverData, Totals, Unlabelled};
use crate::judge::Scope;
use crate::store::{Facts, RunKey, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};

impl Data {
    /// The campaign, its solvers and its findings; no instances, which are not counted, and no runs.
    pub fn without_runs(store: &Store) -> Result<Data, StoreError> {
        let campaign = store.campaign()?;
        let solvers: Vec<SolverData> = store.solvers()?.into_iter().map(SolverData::of).collect();
        let mut findings = store.findings()?;
        findings.sort_by(|a, b| a.rank().cmp(&b.rank()));
        Ok(Data {
            store: store.path().display().to_string(),
            wants: campaign.settings.rules().wants,
            seeds: campaign.settings.sorted_seeds(),
            campaign,
            totals: Totals::new(solvers.len()),
            solvers,
            instances: Vec::new(),
            formulas: 0,
            unlabelled: Unlabelled::default(),
            runs: Vec::new(),
            is_partial: true,
            second: None,
            unreadable: store.unreadable()?,
            wrong_status: Vec::new(),
            findings,
            groups: Vec::new(),
            takes: Vec::new(),
            details: BTreeMap::new(),
            known: BTreeMap::new(),
            remarks: Vec::new(),
        })
    }

    /// The campaign with these runs and their texts; those that are not there are left out.
    pub fn of_runs(store: &Store, keys: &[RunKey]) -> Result<Data, StoreError> {
        let mut data = Data::without_runs(store)?;
        for &(instance, solver, seed) in keys {
            let Some(solver) = data.solvers.iter().position(|s| s.id == solver) else { continue };
            let Some(row) = store.run(instance, data.solvers[solver].id, seed)? else { continue };
            let Some(instance) = data.place(store, instance)? else { continue };
            let scope = row.kind.is_unsound().then(|| Scope::of(&row.evidence)).flatten();
            data.runs.push(Run { instance, solver, scope, group: None, finding: None, refused: None, row });
        }
        let seeds: BTreeSet<u64> =
            data.seeds.iter().copied().chain(data.runs.iter().map(|r| r.seed)).collect();
        data.seeds = seeds.into_iter().collect();
        data.load_details(store, &(0..data.runs.len()).collect::<Vec<_>>())?;
        Ok(data)
    }

    /// The place of an instance, which is read if it is not there.
    fn place(&mut self, store: &Store, id: i64) -> Result<Option<usize>, StoreError> {
        if let Some(at) = self.instances.iter().position(|i| i.id == id) {
            return Ok(Some(at));
        }
        let Some(row) = store.instance(id)? else { return Ok(None) };
        let Facts { size, mark, scale } = Facts::of(&row.source);
        let (name, category, operation, status) = (row.name, row.category, row.operation, row.status);
        self.instances.push(Instance { id, name, category, operation, status, size, mark, scale });
        Ok(Some(self.instances.len() - 1))
    }
}
