//! Fake solvers for tests: shell scripts that print what a test wants.

use crate::ask::Asker;
use crate::variant::Variant;
use campaign::process::Cancel;
use campaign::profile::{Batch, Profile, Solver};
use campaign::settings::Settings;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;
use synth::sources::Material;

/// Calls `body` with a solver that is a shell script; the profile has this name too.
pub(crate) fn with_solver<T>(name: &str, script: &str, body: impl FnOnce(&Variant, &Asker<'_>) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join(name);
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a file");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    // Only what z3 gets is divided by `reset`.
    let batch = if name == "z3" { Batch::Reset } else { Batch::None };
    let profile =
        Profile { name: name.into(), program: program.display().to_string(), batch, ..Profile::default() };
    let solver = Solver { name: name.into(), profile, program, version: String::new() };
    let variant = Variant { solver, id: 1, material: Material::default(), binary: Vec::new() };
    let mut settings = Settings::default();
    settings.limits.wall = Duration::from_secs(10);
    let asker = Asker::new(&variant, &settings, folder.path(), 0);
    body(&variant, &asker)
}

impl Variant {
    /// The same solver, without material.
    pub(crate) fn copy(&self) -> Variant {
        Variant {
            solver: self.solver.clone(),
            id: self.id,
            material: Material::default(),
            binary: Vec::new(),
        }
    }
}

/// A request to stop that is never made.
pub(crate) fn cancel() -> Cancel {
    Cancel::new().expect("a file descriptor")
}
