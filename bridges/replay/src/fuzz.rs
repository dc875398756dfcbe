//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::recording::{Recording, lines::LineRecording, mcap::McapRecording};

/// Any bytes as an MCAP file: read to its end, or refused with the position.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn mcap(bytes: &[u8]) -> bool {
    read(&mut McapRecording::new("fuzzed.mcap".into(), bytes))
}

/// Any bytes as lines of JSON: read to their end, or refused with the position.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn lines(bytes: &[u8]) -> bool {
    read(&mut LineRecording::new("fuzzed.jsonl".into(), bytes))
}

/// Returns true if there is a message, and no error.
fn read(recording: &mut dyn Recording) -> bool {
    let mut has_message = false;
    loop {
        match recording.next() {
            Ok(Some(_)) => has_message = true,
            Ok(None) => return has_message,
            Err(error) => {
                assert!(error.to_string().contains("[BH-BRG-"), "a refusal without its code: {error}");
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_bytes_are_an_mcap_file_or_refused() {
        short_run("mcap", 10_000, super::mcap);
    }

    #[test]
    fn any_bytes_are_recorded_lines_or_refused() {
        short_run("lines", 10_000, super::lines);
    }
}
