//! Paths of the built files, relative to the benchmark, so that every target folder and profile works.

use std::env;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// The folder that holds the workspace.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// The folder of cargo's build outputs, such as `target/debug`: this program is in its folder `deps`.
pub(crate) fn target() -> Outcome<PathBuf> {
    let program = env::current_exe()?;
    Ok(program.ancestors().nth(2).ok_or("the benchmark is not in target/*/deps")?.to_owned())
}

/// A plugin, bridge or fixture of the workspace, by its short name.
pub(crate) fn plugin(name: &str) -> Outcome<PathBuf> {
    let target = target()?;
    let candidates = [
        target.join(format!("libbridgehead_plugin_{name}.so")),
        target.join(format!("libbridgehead_bridge_{name}.so")),
        target.join(format!("examples/lib{name}.so")),
    ];
    let found = candidates.into_iter().find(|path| path.is_file());
    Ok(found.ok_or_else(|| format!("plugin `{name}` is not built: run `bash tests/bench.sh`"))?)
}
