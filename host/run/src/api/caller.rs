//! Finds the context of the caller of a host function.
//!
//! Objects of a destroyed instance are kept for a while ([`Retired`](super::Retired)), so that a late call finds them and not
//! freed memory.

use std::sync::atomic::Ordering;

use bridgehead_abi::{Host, Status, status};

use super::check::{check_pointer, is_place, not_main};
use super::context::Context;
use crate::call;
use crate::call::IS_GUARDED;

/// Returns the context of a caller; a status if the host object is null, or its instance was destroyed.
///
/// # Safety
/// `host` must be null, or come from [`Context::host`] of a context that is alive or retired.
#[inline]
pub(super) unsafe fn context<'a>(host: *const Host, function: &'static str) -> Result<&'a Context, Status> {
    // SAFETY: the host part is the first field of a `repr(C)` struct; the caller vouches for the rest. All host functions
    // begin here, so that what is usual takes one test after the other and no call.
    unsafe {
        if !IS_GUARDED || (is_place(host) && !Context::of(host).life.is_over.load(Ordering::Acquire)) {
            return Ok(Context::of(host));
        }
        Err(refuse_context(host, function))
    }
}

/// Reports what is wrong with a host object.
///
/// # Safety
/// As for [`context`].
#[cold]
unsafe fn refuse_context(host: *const Host, function: &'static str) -> Status {
    let refused = check_pointer("", host, "host object", function).and_then(|()| {
        // SAFETY: the caller vouches for it.
        unsafe { Context::of(host) }.life.check(function)
    });
    refused.err().unwrap_or(status::WRONG_STATE)
}

/// The context of the caller of a host function; a caller without one gets a status, or the given value.
macro_rules! caller {
    ($host:expr, $function:literal) => {
        // SAFETY: plugins pass back their host pointer.
        match unsafe { $crate::api::caller::context($host, $function) } {
            Ok(context) => context,
            Err(code) => return code,
        }
    };
    ($host:expr, $function:literal, else return) => {
        // SAFETY: plugins pass back their host pointer.
        match unsafe { $crate::api::caller::context($host, $function) } {
            Ok(context) => context,
            Err(_) => return,
        }
    };
    ($host:expr, $function:literal, $otherwise:expr) => {
        // SAFETY: plugins pass back their host pointer.
        match unsafe { $crate::api::caller::context($host, $function) } {
            Ok(context) => context,
            Err(_) => return $otherwise,
        }
    };
}
pub(super) use caller;

/// Checks that this thread runs a lifecycle call of the instance: `[main]` in the ABI.
pub(super) fn check_main(context: &Context, function: &str) -> Result<(), Status> {
    if call::is_lifecycle_call_of(&context.label) { Ok(()) } else { Err(not_main(&context.label, function)) }
}

#[cfg(test)]
mod tests;
