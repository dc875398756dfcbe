//! The limit of open files of this process: raised at the start, checked before vehicles are spawned, and given back to
//! the programs that the host runs. Usable from any thread.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::OnceLock;

/// Descriptors that must be left before a spawn: a vehicle with sensors and the CLOiSim bridge needs up to ninety, the rest
/// is for files and connections of clients.
const RESERVE: u64 = 128;

/// The limit that this process was started with.
static ORIGINAL: OnceLock<libc::rlimit> = OnceLock::new();

/// Raises the limit to what the system allows. The usual limit of 1024 protects programs that call `select`, which fails
/// for higher numbers; nothing in this process does.
pub fn raise() {
    let Some(found) = limit() else { return };
    ORIGINAL.get_or_init(|| found);
    let raised = libc::rlimit { rlim_cur: found.rlim_max, ..found };
    match set(&raised) {
        Ok(()) => log::debug!("at most {} files can be open; before: {}", raised.rlim_cur, found.rlim_cur),
        Err(error) => log::debug!("at most {} files can be open: {error}", found.rlim_cur),
    }
}

/// Makes a program start with the limit that this process was started with, since it may call `select`.
pub fn restore_in(command: &mut Command) {
    let Some(original) = ORIGINAL.get().copied() else { return };
    // SAFETY: between `fork` and `exec` this makes a system call and nothing else.
    unsafe { command.pre_exec(move || set(&original)) };
}

/// Checks that enough descriptors are left to add a vehicle.
///
/// # Errors
/// Returns an error with the numbers if too few are left.
pub fn check_reserve() -> Result<(), String> {
    let (Some(limit), Ok(open)) = (limit(), std::fs::read_dir("/proc/self/fd")) else { return Ok(()) };
    let open = u64::try_from(open.count()).unwrap_or(u64::MAX);
    if open.saturating_add(RESERVE) <= limit.rlim_cur {
        return Ok(());
    }
    Err(format!(
        "{open} of at most {} file descriptors are in use, and {RESERVE} must be left; raise the limit with `ulimit -n`",
        limit.rlim_cur
    ))
}

fn limit() -> Option<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a struct that lives for the call.
    let code = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    (code == 0).then_some(limit)
}

fn set(limit: &libc::rlimit) -> io::Result<()> {
    // SAFETY: the pointer is to a struct that lives for the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const *limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
