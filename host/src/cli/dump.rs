//! `bridgehead dump`: the configuration of a run, with the origin of each value. Main thread.

use super::args::DumpArguments;
use super::configuration::layers;
use super::console::Console;
use super::printed;
use super::printed::EXIT_CONFIGURATION;

/// Prints the configuration; returns the exit code.
pub(super) fn dump(arguments: &DumpArguments, console: &Console) -> u8 {
    let (layers, outcome) = layers(&arguments.run);
    if let Err(errors) = outcome.and_then(|()| layers.clone().into_config().map(drop)) {
        console.line(&errors.to_string());
        return EXIT_CONFIGURATION;
    }
    let text = if arguments.json { format!("{:#}\n", layers.to_json()) } else { layers.to_toml() };
    printed(&text, 0, EXIT_CONFIGURATION, console)
}
