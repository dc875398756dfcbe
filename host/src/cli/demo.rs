//! `bridgehead demo`: a run of an installed world whose files are gone at its end.

use tempfile::Builder;

use super::args::DemoArguments;
use super::args::verbosity::Quiet;
use super::console::Console;
use super::run;

/// Runs the demo; returns the exit code. The world writes logs, and somebody who only looks wants no files in the current
/// folder; if no temporary folder can be made, they are written there after all.
pub(super) fn demo(arguments: &DemoArguments, quiet: Quiet, console: &'static Console) -> u8 {
    let folder = Builder::new().prefix("bridgehead-demo-").tempdir().ok();
    let output = folder.as_ref().and_then(|folder| folder.path().to_str());
    run::run(&arguments.run(output), quiet, console)
}
