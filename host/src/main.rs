//! The `bridgehead` program: hands its arguments to the command line layer and ends with the code that comes back.
//!
//! Everything else is in the library, where it can be tested.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    leave_displays_alone();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(bridgehead_host::cli::main(&arguments))
}

/// A layer of Mesa's Vulkan driver connects to a display server, and prints an error if there is none; this variable turns
/// it off for plugins that draw.
fn leave_displays_alone() {
    const NO_LAYER: &str = "NODEVICE_SELECT";
    if std::env::var_os(NO_LAYER).is_none() {
        // SAFETY: the process has no other thread yet.
        unsafe { std::env::set_var(NO_LAYER, "1") };
    }
}
