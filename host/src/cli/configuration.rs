//! Combines flags, environment and file into one configuration. All errors are reported at once.

use std::path::Path;

use crate::config::{ConfigErrors, Layers, Settings, file, from_environment};

use super::args::RunArguments;

/// Returns the settings of all places, even if some of them are wrong.
pub(super) fn layers(arguments: &RunArguments) -> (Layers, Result<(), ConfigErrors>) {
    let (flags, of_flags) = arguments.settings();
    let (mut layers, of_others) = layers_of(arguments.config.as_deref());
    layers.flags = flags;
    (layers, together([of_flags, of_others]))
}

/// Returns the settings without flags.
pub(super) fn layers_of(path: Option<&Path>) -> (Layers, Result<(), ConfigErrors>) {
    let (environment, of_environment) = from_environment(std::env::vars_os());
    let (file, of_file) = path.map_or((Settings::default(), Ok(())), file::read_leniently);
    (Layers { environment, file, ..Layers::default() }, together([of_environment, of_file]))
}

fn together<const N: usize>(outcomes: [Result<(), ConfigErrors>; N]) -> Result<(), ConfigErrors> {
    let errors: Vec<_> = outcomes.into_iter().filter_map(Result::err).flat_map(|errors| errors.0).collect();
    if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) }
}

#[cfg(test)]
mod tests;
