//! Calls before an instance exists: constructors of a library, `init`, `register`, `validate`, `create`. Nobody else
//! watches them, and one that does not return would hold the host forever.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::during;

/// A running call.
#[derive(Clone, Debug)]
pub struct Preparation {
    /// The library, the plugin or the instance.
    pub owner: String,
    /// The function; `constructor` for the code that runs while a library is loaded.
    pub call: &'static str,
    /// Number of the call. It is not used again.
    pub number: u64,
}

/// The calls that run now, the oldest first. Any thread may make them, so they may overlap.
static RUNNING: Mutex<Vec<Preparation>> = Mutex::new(Vec::new());

static NEXT: AtomicU64 = AtomicU64::new(0);

fn list() -> MutexGuard<'static, Vec<Preparation>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call in the list, until drop.
struct Listed(u64);

impl Drop for Listed {
    fn drop(&mut self) {
        list().retain(|running| running.number != self.0);
    }
}

/// Like [`during`]; [`preparation`] returns the call while it runs and no older one does.
pub fn during_preparation<T>(owner: &str, call: &'static str, body: impl FnOnce() -> T) -> T {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    list().push(Preparation { owner: owner.to_owned(), call, number });
    let _listed = Listed(number);
    during(owner, call, body)
}

/// Returns the oldest running call, if there is one.
#[must_use]
pub fn preparation() -> Option<Preparation> {
    list().first().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread;

    /// The running calls of this test: others prepare plugins, too.
    fn running(owners: [&str; 2]) -> Vec<String> {
        let ours = |running: &Preparation| owners.contains(&running.owner.as_str());
        list().iter().filter(|running| ours(running)).map(|running| running.owner.clone()).collect()
    }

    #[test]
    fn calls_that_overlap_are_listed_until_their_own_end() {
        let owners = ["overlaps/first", "overlaps/second"];
        let (both, first_is_over) = (Barrier::new(2), Barrier::new(2));
        let left = thread::scope(|scope| {
            scope.spawn(|| {
                during_preparation(owners[0], "init", || both.wait());
                first_is_over.wait();
            });
            during_preparation(owners[1], "init", || {
                both.wait();
                first_is_over.wait();
                running(owners)
            })
        });
        assert_eq!(left, ["overlaps/second"]);
        assert_eq!(running(owners), [""; 0]);
    }

    #[test]
    fn a_call_that_panics_has_ended() {
        let owners = ["panics/first", ""];
        let panics = || during_preparation(owners[0], "init", || panic!("as the test wants"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(running(owners), [""; 0]);
    }
}
