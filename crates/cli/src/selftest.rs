//! `stringent selftest`
/// todo
#[derive(clap::Args)]
pub(crate) struct Args {}
pub(crate) fn run(_: &Args) -> anyhow::Result<crate::Outcome> {
    Ok(crate::Outcome::Clean)
}
