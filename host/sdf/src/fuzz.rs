//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::{findings, parse_str, reading};

/// Any text as a world, model or robot: read with findings or refused, each with a code.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn world_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let outcome = parse_str("fuzzed.sdf", text);
    for finding in findings(&outcome) {
        assert!(finding.to_string().contains("BH-"), "a finding without a code: {finding}");
    }
    let _ = reading("fuzzed.sdf", &outcome);
    outcome.is_ok()
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    use super::world_text;

    #[test]
    fn any_text_is_an_sdf_file_or_refused() {
        short_run("sdf", 3000, world_text);
    }

    #[test]
    fn any_text_is_a_urdf_file_or_refused() {
        short_run("urdf", 3000, world_text);
    }

    #[test]
    fn any_text_is_an_mjcf_file_or_refused() {
        short_run("mjcf", 3000, world_text);
    }
}
