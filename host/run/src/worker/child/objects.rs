//! The two host objects of a worker, and bytes of the host that plugins keep.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock};

use bridgehead_abi::{Host, Str};

use crate::thread::lock;
use crate::worker::wire::Caller;

/// A host object.
pub(super) struct WorkerHost {
    pub(super) abi: Host,
}

// SAFETY: it is immutable, and its functions may be called from any thread.
unsafe impl Sync for WorkerHost {}
// SAFETY: as above.
unsafe impl Send for WorkerHost {}

/// The host object of the library, once it was asked for.
pub(super) static LIBRARY_HOST: OnceLock<WorkerHost> = OnceLock::new();

/// Tells the two objects apart.
pub(super) fn caller_of(host: *const Host) -> Caller {
    let library = LIBRARY_HOST.get().map(|object| &raw const object.abi);
    if library == Some(host) { Caller::Library } else { Caller::Instance }
}

/// Keeps bytes of the host until the process ends; equal ones are kept once. A plugin may use them as long as its
/// instance, which lives as long as the process.
pub(super) fn kept(bytes: &[u8]) -> &'static [u8] {
    static KEPT: Mutex<Option<HashSet<&'static [u8]>>> = Mutex::new(None);
    let mut kept = lock(&KEPT);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(bytes) {
        return known;
    }
    let bytes: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
    kept.insert(bytes);
    bytes
}

/// Keeps a text likewise.
pub(super) fn kept_text(text: &str) -> Str {
    let bytes = kept(text.as_bytes());
    Str { ptr: bytes.as_ptr(), len: bytes.len() }
}
