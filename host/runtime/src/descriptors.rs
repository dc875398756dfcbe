//! The limit of open files of this process: raised at the start, checked before vehicles are spawned, and given back to
//! the programs that the host runs. Usable from any thread.

use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors that must be left before a spawn: a vehicle with sensors and the CLOiSim bridge needs up to ninety, the rest
/// is for files and connections of clients.
const RESERVE: u64 = 128;

/// The limit that this process was started with.
static ORIGINAL: OnceLock<Rlimit> = OnceLock::new();

/// Raises the limit to what the system allows. The usual limit of 1024 protects programs that call `select`, which fails
/// for higher numbers; nothing in this process does.
pub fn raise() {
    let found = getrlimit(Resource::Nofile);
    ORIGINAL.get_or_init(|| found);
    let raised = Rlimit { current: found.maximum, ..found };
    let [before, after] = [found, raised].map(|limit| limit.current.unwrap_or(u64::MAX));
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => log::debug!("at most {after} files can be open; before: {before}"),
        Err(error) => log::debug!("at most {before} files can be open: {error}"),
    }
}

/// Makes a program start with the limit that this process was started with, since it may call `select`.
pub fn restore_in(command: &mut Command) {
    let Some(original) = ORIGINAL.get().copied() else { return };
    // SAFETY: between `fork` and `exec` this makes a system call and nothing else.
    unsafe { command.pre_exec(move || Ok(setrlimit(Resource::Nofile, original)?)) };
}

/// Checks that enough descriptors are left to add a vehicle.
///
/// # Errors
/// Returns an error with the numbers if too few are left.
pub fn check_reserve() -> Result<(), String> {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return Ok(()) };
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let open = u64::try_from(open.count()).unwrap_or(u64::MAX);
    if open.saturating_add(RESERVE) <= limit {
        return Ok(());
    }
    Err(format!(
        "{open} of at most {limit} file descriptors are in use, and {RESERVE} must be left; raise the limit with `ulimit -n`"
    ))
}
