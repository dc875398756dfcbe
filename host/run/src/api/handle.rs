//! Handles of publishers, subscriptions and services, which plugins hold. Nothing is read behind a pointer that is null, and
//! of a misaligned handle only its kind.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting;
use bridgehead_plugin_api::hosting::{Breach, Checked};

use super::check::{breach, check_pointer, rule_of};
use crate::bus::{Publisher, ServicePoint, Subscription};
use crate::call;
use crate::call::{IS_GUARDED, Rule};

/// An instance as its handles know it.
#[derive(Debug)]
pub(super) struct Life {
    label: String,
    pub(super) is_over: AtomicBool,
}

impl Life {
    pub(super) fn new(label: &str) -> Arc<Self> {
        Arc::new(Life { label: label.to_owned(), is_over: AtomicBool::new(false) })
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    pub(super) fn check(&self, function: &str) -> Result<(), Status> {
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
pub(super) const GONE: u32 = 0x8000_0000;

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
pub(super) unsafe fn refuse_handle<T: Held>(handle: *mut Handle<T>, function: &'static str) -> Status {
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
