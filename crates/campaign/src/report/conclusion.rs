//! The conclusion of a campaign in one line: `2 wrong results in 3 solvers × 300 formulas: z3 2 unsound cores. 271 correct, …`.

use super::data::Data;
use super::scope::counted_scopes;
use super::tally::{Column, Counts, Table};
use crate::clean::{count, counted, one_line};
use crate::judge::Scope;
use crate::outcome::Kind;
use crate::selection::missing_text;

/// The columns of wrong results.
const WRONG: [Column; 4] = [Column::WrongUnsat, Column::WrongSat, Column::InvalidModel, Column::UnsoundCore];

/// The conclusion.
pub fn line(data: &Data, table: &Table) -> String {
    let mut total = Counts::default();
    table.total().counts.iter().for_each(|c| total.add(c));
    let mut out = format!("{} in {}", failed(data, &total), size(data));
    let by_solver: Vec<String> = data.solvers.iter().zip(&table.total().counts).filter_map(solver).collect();
    if !by_solver.is_empty() {
        out.push_str(&format!(": {}", by_solver.join("; ")));
    }
    out.push('.');
    let rest: Vec<String> =
        [Column::Ok].into_iter().chain(Column::UNSOLVED).filter_map(|c| noun(c, total.get(c))).collect();
    if !rest.is_empty() {
        out.push_str(&format!(" {}.", rest.join(", ")));
    }
    if !data.unreadable.is_empty() {
        out.push_str(&format!(" {} could not be read.", counted(data.unreadable.len() as u64, "file")));
    }
    let missing = data.campaign.settings.missing_shards();
    if !missing.is_empty() {
        out.push_str(&format!(" Not finished: {}.", missing_text(&missing)));
    }
    let (done, all) = (data.totals.runs, data.expected() as u64);
    if data.campaign.finished.is_none() && (missing.is_empty() || done < all) {
        out.push_str(&format!(" Not finished: {} of {} runs.", count(done), count(all)));
    }
    out
}

/// `2 wrong results (1 only under 2.6 semantics) and 3 errors`
fn failed(data: &Data, total: &Counts) -> String {
    let wrong: u64 = WRONG.into_iter().map(|c| total.get(c)).sum();
    let errors = total.get(Column::Error);
    let only = counted_scopes(data, Kind::InvalidModel, &[(Scope::One, data.totals.one_reading)]);
    let only = if only.is_empty() { only } else { format!(" ({only})") };
    match (wrong, errors) {
        (0, 0) => "No wrong result and no error".into(),
        (0, e) => format!("No wrong result, {}", counted(e, "error")),
        (w, 0) => format!("{}{only}", counted(w, "wrong result")),
        (w, e) => format!("{}{only} and {}", counted(w, "wrong result"), counted(e, "error")),
    }
}

/// `3 solvers × 300 formulas × 2 seeds`
pub fn size(data: &Data) -> String {
    let mut out = format!(
        "{} × {}",
        counted(data.solvers.len() as u64, "solver"),
        counted(data.formulas as u64, "formula")
    );
    if data.seeds.len() > 1 {
        out.push_str(&format!(" × {}", counted(data.seeds.len() as u64, "seed")));
    }
    out
}

/// The failures of one solver.
fn solver((solver, counts): (&super::data::SolverData, &Counts)) -> Option<String> {
    let columns = WRONG.into_iter().chain([Column::Error]);
    let parts: Vec<String> = columns.filter_map(|c| noun(c, counts.get(c))).collect();
    (!parts.is_empty()).then(|| format!("{} {}", one_line(&solver.name), parts.join(", ")))
}

/// `2 unsound cores`; none for 0.
pub fn noun(column: Column, n: u64) -> Option<String> {
    let fixed = |noun: &str| format!("{} {noun}", count(n));
    let text = match column {
        Column::Ok => fixed("correct"),
        Column::InvalidModel => counted(n, "invalid model"),
        Column::UnsoundCore => counted(n, "unsound core"),
        Column::ImpreciseCore => fixed(if n == 1 { "core not minimal" } else { "cores not minimal" }),
        Column::WrongSat => fixed("wrong sat"),
        Column::OverApproximation => fixed("sat by over-approximation"),
        Column::WrongUnsat => fixed("wrong unsat"),
        Column::Unknown => fixed("unknown"),
        Column::Timeout => counted(n, "time limit"),
        Column::Error => counted(n, "error"),
        Column::NotApplicable => fixed("not asked"),
        Column::Undetermined => fixed("undetermined"),
    };
    (n > 0).then_some(text)
}
