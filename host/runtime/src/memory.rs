//! How the allocator of the process divides its memory. Called once, on the main thread, before others start.

/// Arenas of the allocator (decision 27). By default it makes up to eight for each core, and each keeps what the threads
/// that used it have freed. Vehicles that come and go have new threads each time, so memory would grow by megabytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: libc::c_int = 1;

/// Limits the arenas, unless the environment does (`MALLOC_ARENA_MAX`).
pub fn limit_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::env::var_os("MALLOC_ARENA_MAX").is_none() {
        // SAFETY: sets a number of the allocator.
        let is_set = unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) } != 0;
        if !is_set {
            log::debug!("the number of arenas of the allocator is not limited");
        }
    }
}
