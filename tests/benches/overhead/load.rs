//! Time to find and check twenty plugin libraries.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bridgehead_host::clock;

use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

const ROUNDS: u32 = 31;
const LIBRARIES: usize = 20;

/// Measures the program with the libraries in its folder, and without.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let (alone, beside) = (folder.join("alone"), folder.join("beside"));
    let program = locate::target()?.join("bridgehead");
    for place in [&alone, &beside] {
        fs::create_dir(place)?;
        fs::copy(&program, place.join("bridgehead"))?;
    }
    gather(&beside)?;
    let (mut none, mut all) = (Rounds::default(), Rounds::default());
    for _ in 0..ROUNDS {
        none.push_each(list(&alone)?, 1);
        all.push_each(list(&beside)?, 1);
    }
    let milliseconds = |rounds: &Rounds| format!("{:.2} ms", rounds.map(|ns| ns / 1e6));
    Ok(Section {
        title: "Finding plugins",
        method: "`bridgehead plugin list` with twenty plugin libraries beside the program, and with none. \
                 Each library is searched for its metadata and checked; none is opened. Wall time.",
        rows: vec![Row::plain("20 libraries", milliseconds(&all)), Row::plain("none", milliseconds(&none))],
    })
}

/// Copies the libraries of the workspace, and as many fixtures as are needed to reach twenty.
fn gather(into: &Path) -> Outcome {
    let target = locate::target()?;
    let mut libraries = Vec::new();
    for place in [target.clone(), target.join("examples")] {
        let mut here: Vec<_> = fs::read_dir(place)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "so"))
            .filter(|path| !path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains('-')))
            .collect();
        here.sort();
        libraries.extend(here);
    }
    if libraries.len() < LIBRARIES {
        return Err(format!(
            "{} of {LIBRARIES} libraries are built: run `bash tests/bench.sh`",
            libraries.len()
        )
        .into());
    }
    for library in &libraries[..LIBRARIES] {
        fs::copy(library, into.join(library.file_name().ok_or("a library without a name")?))?;
    }
    Ok(())
}

/// Wall time of the program, from its start to its end.
fn list(folder: &Path) -> Outcome<Duration> {
    let mut command = Command::new(folder.join("bridgehead"));
    command.args(["plugin", "list"]).env_remove("BRIDGEHEAD_PLUGIN_PATH").env("XDG_DATA_HOME", folder);
    let start = clock::now();
    let output = command.output()?;
    let took = start.elapsed();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(took)
}
