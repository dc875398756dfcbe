//! Checks of what a plugin passes to a host function, besides its host object: pointers, texts, sizes, and its thread.
//!
//! A plugin in C can pass anything. What can be recognised is refused with a status and reported with the plugin and its
//! call.

use std::ffi::c_void;

use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::Breach;
use bridgehead_plugin_api::rules;

use crate::call;
use crate::call::{IS_GUARDED, Rule};

/// Whether a pointer is neither null nor misaligned.
#[inline]
pub(super) fn is_place<T>(pointer: *const T) -> bool {
    !pointer.is_null() && pointer.is_aligned()
}

/// Reports a breach by a call of `owner`, which may be empty if it is not known.
#[cold]
pub(crate) fn breach(rule: Rule, owner: &str, text: &str) {
    call::breach(rule, (!owner.is_empty()).then_some(owner), text);
}

/// Checks that a pointer is neither null nor misaligned.
#[inline]
pub(crate) fn check_pointer<T>(
    owner: &str,
    pointer: *const T,
    what: &str,
    function: &str,
) -> Result<(), Status> {
    if !IS_GUARDED || is_place(pointer) {
        return Ok(());
    }
    Err(refuse_pointer(owner, pointer.cast(), what, function))
}

#[cold]
pub(super) fn refuse_pointer(owner: &str, pointer: *const c_void, what: &str, function: &str) -> Status {
    breach(Rule::Pointer, owner, &format!("passed the {what} {pointer:p} to `{function}`"));
    status::INVALID_ARG
}

/// Returns a text of a plugin.
///
/// # Safety
/// The text must be valid for `'a`.
pub(super) unsafe fn text<'a>(owner: &str, given: Str, function: &str) -> Result<&'a str, Status> {
    // SAFETY: the caller vouches for it.
    let bytes = unsafe { bytes(owner, given, function) }?;
    std::str::from_utf8(bytes).map_err(|_| status::INVALID_ARG)
}

/// Returns a text of a plugin as bytes, which need not be UTF-8.
///
/// # Safety
/// The text must be valid for `'a`.
pub(super) unsafe fn bytes<'a>(owner: &str, text: Str, function: &str) -> Result<&'a [u8], Status> {
    if text.len > rules::MAX_TEXT || (text.len > 0 && text.ptr.is_null()) {
        let found = if text.ptr.is_null() { "at address 0" } else { "" };
        breach(Rule::Size, owner, &format!("passed a text of {} bytes {found} to `{function}`", text.len));
        return Err(status::INVALID_ARG);
    }
    // SAFETY: the caller vouches for it.
    Ok(unsafe { text.as_bytes() })
}

/// Checks the size of a payload in bytes.
#[inline]
pub(crate) fn check_size(owner: &str, bytes: usize, function: &str) -> Result<(), Status> {
    if bytes <= rules::MAX_PAYLOAD {
        return Ok(());
    }
    let text = format!("passed {bytes} bytes to `{function}`, the limit is {} MiB", rules::MAX_PAYLOAD >> 20);
    breach(Rule::Size, owner, &text);
    Err(status::INVALID_ARG)
}

/// Reports a call that is allowed in lifecycle calls only.
#[cold]
pub(crate) fn not_main(owner: &str, function: &str) -> Status {
    let text =
        format!("called `{function}`, which is allowed in lifecycle calls only, such as `awake` and `start`");
    breach(Rule::Thread, owner, &text);
    status::WRONG_THREAD
}

/// Reports a call that is allowed on the simulation thread only, within the calls of a step.
pub(crate) fn wrong_thread(owner: &str, function: &str) -> Status {
    let text = format!("called `{function}`, which is allowed in `reset`, `sample` and `control` only");
    breach(Rule::Thread, owner, &text);
    status::WRONG_THREAD
}

/// The rule that the caller has broken.
pub(crate) fn rule_of(breach: Breach) -> Rule {
    match breach {
        Breach::Pointer => Rule::Pointer,
        Breach::Size => Rule::Size,
    }
}
