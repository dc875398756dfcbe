//! The `bridgehead` program: hands its arguments to the command line layer and ends with the code that comes back.
//!
//! Everything else is in the library, where it can be tested.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(bridgehead_host::cli::main(&arguments))
}
