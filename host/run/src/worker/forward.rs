//! The calls of host functions that most requests of a plugin stand for: one call each, with values from the wire and back.

use std::sync::Arc;

use bridgehead_abi::host::{HostLifecycle, HostThreads};
use bridgehead_abi::{Host, Str, extension, status};

use super::wire::{Answer, Caller, Request};
use crate::api::context::Context;

/// A host object, and how to call its functions.
#[derive(Clone)]
pub(super) struct HostObject {
    pub(super) raw: *const Host,
    /// Keeps the object of an instance: threads that wait for a worker may use it after the instance is gone.
    _context: Option<Arc<Context>>,
}

// SAFETY: the functions of a host object may be called from any thread; those that are bound to a thread check it.
unsafe impl Send for HostObject {}
// SAFETY: as above.
unsafe impl Sync for HostObject {}

impl HostObject {
    /// The object of a library, which lives until the process ends.
    ///
    /// # Safety
    /// `raw` must be such an object.
    pub(super) const unsafe fn of_library(raw: *const Host) -> Self {
        HostObject { raw, _context: None }
    }

    /// The object of an instance.
    ///
    /// # Safety
    /// `raw` must come from [`Context::host`] of a context that is alive.
    pub(super) unsafe fn of_instance(raw: *const Host) -> Self {
        // SAFETY: the host part is the first field of the context, and every context is made inside an `Arc`; the caller
        // vouches for its life.
        let context = unsafe {
            let context = raw.cast::<Context>();
            Arc::increment_strong_count(context);
            Arc::from_raw(context)
        };
        HostObject { raw, _context: Some(context) }
    }

    /// A table of functions; `None` if this object does not offer it.
    pub(super) fn table<T>(&self, id: &str) -> Option<&'static T> {
        // SAFETY: the object is valid; the tables of the host are static, and each id has one type.
        unsafe { ((*self.raw).get_extension)(self.raw, Str::new(id)).cast::<T>().as_ref() }
    }

    /// Explains a failure.
    pub(super) fn explain(&self, text: &str) {
        // SAFETY: the object is valid, the text lives for the call.
        unsafe { ((*self.raw).explain)(self.raw, Str::new(text)) };
    }

    /// Reports an error for the log and the result.
    pub(super) fn report_error(&self, code: &str, text: &str) {
        match self.table::<HostLifecycle>(extension::LIFECYCLE) {
            // SAFETY: the object is valid, the texts live for the call.
            Some(table) => unsafe { (table.report_error)(self.raw, Str::new(code), Str::new(text)) },
            // Objects of libraries cannot report errors.
            None => log::error!("[{code}] {text}"),
        }
    }
}

/// Makes the one call of a host function that a request stands for. `library` is the object for requests of the library.
pub(super) fn forward<'a>(object: &HostObject, library: &HostObject, request: &Request<'_>) -> Answer<'a> {
    match request {
        Request::Explain { caller, text } => {
            let object = match caller {
                Caller::Library => library,
                Caller::Instance => object,
            };
            let text = Str { ptr: text.as_ptr(), len: text.len() };
            // SAFETY: the object is valid, the text lives for the call.
            unsafe { ((*object.raw).explain)(object.raw, text) };
            Answer::Status(status::OK)
        }
        Request::ShouldStop => {
            let table = object.table::<HostThreads>(extension::THREADS);
            // SAFETY: the object is valid.
            Answer::Number(table.map_or(1, |table| unsafe { (table.should_stop)(object.raw) }.into()))
        }
        _ => Answer::Status(status::UNSUPPORTED),
    }
}

/// # Safety
/// The text must be valid for `'a`.
pub(super) unsafe fn text_of<'a>(text: Str) -> &'a str {
    // SAFETY: the caller vouches for it.
    unsafe { text.as_str() }.unwrap_or_default()
}

/// Memory for a result, zeroed, with its size. Unsafe: zeros must be a value of the struct, which begins with its size.
macro_rules! result {
    ($kind:ty) => {{
        let mut out = std::mem::MaybeUninit::<$kind>::zeroed();
        out.as_mut_ptr().cast::<u32>().write(<$kind>::SIZE);
        out.assume_init()
    }};
}
pub(super) use result;
