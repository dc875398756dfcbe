//! Memory of the plugin for results, checked in the worker like in the process: the host never sees these pointers.

use bridgehead_abi::host::{Loan, ServiceRequest};
use bridgehead_abi::message::Message;
use bridgehead_abi::{Buffer, Status, status};

use crate::api::caller::{check_out, check_pointer, check_size};
use crate::call::{self, Rule};

/// A type of results.
pub(super) trait Place: Sized {
    /// Whether it begins with its size, which the plugin sets to the size of its memory.
    const HAS_SIZE: bool;
}

macro_rules! places {
    ($has_size:literal: $($place:ty),* $(,)?) => {
        $(impl Place for $place { const HAS_SIZE: bool = $has_size; })*
    };
}

places!(true: Loan, Message, ServiceRequest);
places!(false: *mut std::ffi::c_void);

/// Checks memory for a result.
///
/// # Safety
/// `out` must be null, misaligned, or memory for a `u32` at least.
pub(super) unsafe fn check<T: Place>(out: *mut T, function: &str) -> Result<(), Status> {
    if T::HAS_SIZE {
        // SAFETY: the caller vouches for it.
        unsafe { check_out("", out, function) }
    } else {
        check_pointer("", out.cast_const(), "result", function)
    }
}

/// Returns the bytes of a payload of the plugin.
///
/// # Safety
/// `buffer` must be null, or a buffer that is alive for `'a`.
pub(super) unsafe fn payload<'a>(buffer: *const Buffer, function: &str) -> Result<&'a [u8], Status> {
    check_pointer("", buffer, "payload", function)?;
    // SAFETY: the caller vouches for it.
    let (data, len) = unsafe { ((*buffer).data, (*buffer).len) };
    check_size("", len, function)?;
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        call::breach(Rule::Size, None, &format!("passed {len} bytes at address 0 to `{function}`"));
        return Err(status::INVALID_ARG);
    }
    // SAFETY: as above.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}
