//! The requested output on standard output, and the exit code if it cannot be written. Main thread.

use std::io;

use super::console::Console;
use super::error::CliError;
use crate::text::visible;

/// Exit code for a wrong command line or configuration.
pub const EXIT_CONFIGURATION: u8 = 1;

/// Prints the requested output, for people or as data, with the control characters of names and texts escaped. Returns
/// `exit_code`, or `failure` if it cannot be printed.
pub(super) fn printed(text: &str, exit_code: u8, failure: u8, console: &Console) -> u8 {
    sent(console.print(&visible(text)), exit_code, failure, console)
}

/// Returns `exit_code` if output was written; reports the error and returns `failure` otherwise.
pub(super) fn sent(outcome: io::Result<()>, exit_code: u8, failure: u8, console: &Console) -> u8 {
    match outcome {
        Ok(()) => exit_code,
        Err(source) => {
            console
                .line(&CliError::System { what: "standard output cannot be written to", source }.to_string());
            failure
        }
    }
}
