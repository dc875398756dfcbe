//! The receive side of a test: waits that end with the time or the interrupt.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_abi::bridge::RxContext;
use bridgehead_abi::{Status, status};

use crate::testing::host::lock;

/// Behind the context that a receive loop gets. The context comes first; never given back.
#[repr(C)]
pub(super) struct ReceiveSide {
    raw: RxContext,
    is_interrupted: Mutex<bool>,
    changed: Condvar,
}

// SAFETY: the context's own pointer is null; everything that changes is behind a lock.
unsafe impl Send for ReceiveSide {}
// SAFETY: as above.
unsafe impl Sync for ReceiveSide {}

impl ReceiveSide {
    pub(super) fn leak() -> &'static Self {
        let (ctx, struct_size) = (std::ptr::null_mut(), RxContext::SIZE);
        let raw = RxContext { struct_size, reserved: 0, ctx, wait, interrupted };
        Box::leak(Box::new(ReceiveSide { raw, is_interrupted: Mutex::new(false), changed: Condvar::new() }))
    }

    pub(super) fn raw(&self) -> *const RxContext {
        std::ptr::from_ref(self).cast()
    }

    pub(super) fn open(&self) {
        *lock(&self.is_interrupted) = false;
    }

    pub(super) fn interrupt(&self) {
        *lock(&self.is_interrupted) = true;
        self.changed.notify_all();
    }
}

/// # Safety
/// `rx` must come from [`ReceiveSide::raw`].
unsafe fn of(rx: *const RxContext) -> &'static ReceiveSide {
    // SAFETY: the caller vouches for the pointer; the context is the first field of a leaked struct.
    unsafe { &*rx.cast::<ReceiveSide>() }
}

unsafe extern "C" fn wait(rx: *const RxContext, timeout_ns: i64) -> Status {
    // SAFETY: the bridge passes back the context it was given.
    let this = unsafe { of(rx) };
    let is_interrupted = lock(&this.is_interrupted);
    let ended = match u64::try_from(timeout_ns) {
        Ok(nanos) => {
            let time = Duration::from_nanos(nanos);
            let waited = this.changed.wait_timeout_while(is_interrupted, time, |ended| !*ended);
            *waited.unwrap_or_else(PoisonError::into_inner).0
        }
        Err(_) => {
            let waited = this.changed.wait_while(is_interrupted, |ended| !*ended);
            *waited.unwrap_or_else(PoisonError::into_inner)
        }
    };
    if ended { status::INTERRUPTED } else { status::OK }
}

unsafe extern "C" fn interrupted(rx: *const RxContext) -> u8 {
    // SAFETY: as above.
    u8::from(*lock(&unsafe { of(rx) }.is_interrupted))
}
