//! Checks of what a plugin passes to a host function: its host object, its handles, texts, sizes and memory for results.
//!
//! A plugin in C can pass anything. What can be recognised is refused with a status and reported with the plugin and its
//! call; nothing is read behind a pointer that is null, and of a misaligned handle only its kind. Objects of a destroyed
//! instance are kept for a while ([`Retired`](super::Retired)), so that a late call finds them and not freed memory.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_plugin_api::hosting::{self, Breach, Checked};
use bridgehead_plugin_api::rules;

use super::Context;
use super::hosting::rule_of;
use crate::bus::{Publisher, ServicePoint, Subscription};
use crate::call::{self, IS_GUARDED, Rule};

/// An instance as its handles know it.
#[derive(Debug)]
pub(super) struct Life {
    label: String,
    is_over: AtomicBool,
}

impl Life {
    pub(super) fn new(label: &str) -> Arc<Self> {
        Arc::new(Life { label: label.to_owned(), is_over: AtomicBool::new(false) })
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    fn check(&self, function: &str) -> Result<(), Status> {
        if !IS_GUARDED || !self.is_over.load(Ordering::Acquire) {
            return Ok(());
        }
        let text = format!("called `{function}` for `{}` after that was destroyed", self.label);
        call::breach(Rule::Gone, Some(&self.label), &text);
        Err(status::WRONG_STATE)
    }
}

/// What a plugin can hold a handle of.
pub trait Held {
    /// Distinguishes the handles.
    const KIND: u32;
    /// Name for reports.
    const NAME: &'static str;
}

impl Held for Publisher {
    const KIND: u32 = 0x4268_0001;
    const NAME: &'static str = "publisher";
}

impl Held for Subscription {
    const KIND: u32 = 0x4268_0002;
    const NAME: &'static str = "subscription";
}

impl Held for ServicePoint {
    const KIND: u32 = 0x4268_0003;
    const NAME: &'static str = "service";
}

/// In the kind of a handle: its instance was destroyed.
const GONE: u32 = 0x8000_0000;

/// What a handle points to. The kind is the first field, so that every handle begins with it.
#[repr(C)]
pub struct Handle<T> {
    kind: AtomicU32,
    life: Arc<Life>,
    pub(super) object: Arc<T>,
}

impl<T: Held> Handle<T> {
    pub(super) fn new(life: &Arc<Life>, object: Arc<T>) -> Box<Self> {
        Box::new(Handle { kind: AtomicU32::new(T::KIND), life: Arc::clone(life), object })
    }

    /// Refuses calls from now on.
    pub(super) fn end(&self) {
        self.kind.store(T::KIND | GONE, Ordering::Release);
    }

    /// The instance that it was given to.
    pub(super) fn owner(&self) -> &str {
        &self.life.label
    }

    pub(super) fn as_raw(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }
}

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

/// Whether a pointer is neither null nor misaligned.
#[inline]
fn is_place<T>(pointer: *const T) -> bool {
    !pointer.is_null() && pointer.is_aligned()
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

/// Returns the object behind a handle; a status if it is another handle, or its instance was destroyed.
///
/// Called for every message, so that it compares one word: a misaligned pointer leads to another kind. An instance that is
/// destroyed at the same time, on another thread, has broken the rules before.
///
/// # Safety
/// `handle` must be null, or a handle that a context has given away and still keeps.
#[inline]
pub(super) unsafe fn held<'a, T: Held>(
    handle: *mut c_void,
    function: &'static str,
) -> Result<&'a Handle<T>, Status> {
    let handle = handle.cast::<Handle<T>>();
    // SAFETY: every handle begins with its kind; the caller vouches for its life.
    let is_handle = || unsafe { handle.cast::<u32>().read_unaligned() } == T::KIND;
    if !IS_GUARDED || (!handle.is_null() && is_handle()) {
        // SAFETY: the kind says what it is.
        return Ok(unsafe { &*handle });
    }
    // SAFETY: as above.
    Err(unsafe { refuse_handle(handle, function) })
}

impl<T: Held + 'static> Checked for Handle<T> {
    const IS_GUARDED: bool = IS_GUARDED;

    fn breach(&self, breach: Breach, text: &str) {
        call::breach(rule_of(breach), Some(self.owner()), text);
    }
}

impl<T: Held + 'static> hosting::Handle for Handle<T> {
    #[inline]
    unsafe fn find<'a>(handle: *mut c_void, function: &'static str) -> Result<&'a Self, Status> {
        // SAFETY: the caller vouches for it.
        unsafe { held::<T>(handle, function) }
    }
}

/// Reports what is wrong with a handle.
///
/// # Safety
/// As for [`held`].
#[cold]
unsafe fn refuse_handle<T: Held>(handle: *mut Handle<T>, function: &'static str) -> Status {
    if let Err(code) = check_pointer("", handle, T::NAME, function) {
        return code;
    }
    // SAFETY: every handle begins with its kind.
    if unsafe { (*handle).kind.load(Ordering::Relaxed) } == T::KIND | GONE {
        // SAFETY: the kind says what it is.
        let life = unsafe { &(*handle).life };
        return life.check(function).err().unwrap_or(status::WRONG_STATE);
    }
    breach(Rule::Gone, "", &format!("passed something else than a {} to `{function}`", T::NAME));
    status::INVALID_ARG
}

/// Reports a breach by a call of `owner`, which may be empty if it is not known.
#[cold]
pub(super) fn breach(rule: Rule, owner: &str, text: &str) {
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
fn refuse_pointer(owner: &str, pointer: *const c_void, what: &str, function: &str) -> Status {
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

/// Checks that this thread runs a lifecycle call of the instance: `[main]` in the ABI.
pub(super) fn check_main(context: &Context, function: &str) -> Result<(), Status> {
    if call::is_lifecycle_call_of(&context.label) { Ok(()) } else { Err(not_main(&context.label, function)) }
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

#[cfg(test)]
mod tests;
