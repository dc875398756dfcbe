//! Stops panics of the host at the functions that plugins call: nothing may unwind into a plugin.
//!
//! Every function of the host that has a C ABI has [`host_call`] around its body, which a test keeps. Where nothing
//! panics it costs no instruction but the call of the body itself: unwinding is found in tables.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::call;

#[cfg(any(test, feature = "testing"))]
pub mod strike;

/// Runs the body of the host function `name`. Returns `on_panic` if it panics: the status PANIC, or what the function
/// returns when it has nothing to say.
#[inline]
pub fn host_call<T>(name: &'static str, on_panic: T, body: impl FnOnce() -> T) -> T {
    let guarded = || {
        #[cfg(any(test, feature = "testing"))]
        strike::strike(name);
        body()
    };
    match catch_unwind(AssertUnwindSafe(guarded)) {
        Ok(value) => value,
        Err(panic) => {
            report(name, panic);
            on_panic
        }
    }
}

/// Runs a body that may panic. Returns the text of a panic as the error.
///
/// What the body owns is dropped while it unwinds; a caller that cannot allow this keeps it outside of the body.
///
/// # Errors
/// Returns an error if the body panics.
pub fn catch<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        // What a panic carries could panic again while it is dropped.
        let panic = ManuallyDrop::new(panic);
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
    })
}

/// Names the function, and the plugin that has called it.
#[cold]
fn report(name: &'static str, panic: Box<dyn Any + Send>) {
    let say = || {
        let caller =
            call::current_call().unwrap_or_else(|| "a thread that the host does not know".to_owned());
        log::error!(
            "[BH-SIM-900] the host's `{name}` panicked, called by {caller}; this is a defect of the host, please \
             report it"
        );
        drop(panic);
    };
    // Neither the logger nor what the panic carries may unwind any further.
    if let Err(second) = catch_unwind(AssertUnwindSafe(say)) {
        #[expect(clippy::mem_forget, reason = "what panics while it is dropped cannot be dropped")]
        std::mem::forget(second);
    }
}
