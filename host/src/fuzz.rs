//! Fuzz targets of this crate; see `tests/fuzz`.

use std::path::Path;

use crate::world::build;
use crate::{config, plugin, step_channel};

/// Any text as a world that is built and stepped three times.
pub fn world(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(loaded) = bridgehead_sdf::parse_str("fuzzed.sdf", text) else { return false };
    let Ok(mut built) = build(&loaded.world, 0.001, 1) else { return false };
    for _ in 0..3 {
        if built.world.step().is_err() {
            return false;
        }
    }
    true
}

/// Any bytes as the library file of a plugin, which is checked without being loaded.
///
/// # Panics
/// Panics if a refusal has no code.
pub fn plugin_file(bytes: &[u8]) -> bool {
    let outcome = plugin::check_bytes(bytes);
    if let Err(refusal) = &outcome {
        assert!(refusal.to_string().contains("BH-PLG-"), "a refusal without a code: {refusal}");
    }
    outcome.is_ok()
}

/// Any text as a configuration file.
///
/// # Panics
/// Panics if an error has no code.
pub fn configuration(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Err(errors) = config::file::parse(text, Path::new("fuzzed.toml")) else { return true };
    for error in &errors.0 {
        assert!(error.to_string().contains("BH-"), "an error without a code: {error}");
    }
    false
}

/// Any bytes as those of a client of the step channel.
pub fn step_channel(bytes: &[u8]) -> bool {
    step_channel::is_valid(bytes)
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_text_is_a_world_or_refused() {
        short_run("sdf", 100, super::world);
    }

    #[test]
    fn any_bytes_are_a_plugin_or_refused() {
        short_run("plugin_file", 2000, super::plugin_file);
    }

    #[test]
    fn any_bytes_are_a_client_of_the_step_channel_or_refused() {
        short_run("step_channel", 5000, super::step_channel);
    }

    #[test]
    fn any_text_is_a_configuration_or_refused() {
        short_run("configuration", 2000, super::configuration);
    }
}
