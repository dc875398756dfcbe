//! Calls before an instance exists: constructors of a library, `init`, `register`, `validate`, `create`. Nobody else
//! watches them, and one that does not return would hold the host forever.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::during;
use crate::clock;

/// A running call.
#[derive(Clone, Debug)]
pub struct Preparation {
    /// The library, the plugin or the instance.
    pub owner: String,
    /// The function; `constructor` for the code that runs while a library is loaded.
    pub call: &'static str,
    /// When it began.
    pub since: Instant,
}

/// The call that runs now. The host makes one at a time.
static RUNNING: Mutex<Option<Preparation>> = Mutex::new(None);

/// Like [`during`]; [`preparation`] returns the call while it runs.
pub fn during_preparation<T>(owner: &str, call: &'static str, body: impl FnOnce() -> T) -> T {
    let running = Preparation { owner: owner.to_owned(), call, since: clock::now() };
    let outer = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).replace(running);
    let value = during(owner, call, body);
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = outer;
    value
}

/// Returns the running call, if there is one.
#[must_use]
pub fn preparation() -> Option<Preparation> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
