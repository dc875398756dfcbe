//! Creation of an instance, shared by bridges, model plugins and probes: the call of `create`, the check of the struct
//! that it filled in, and a unique label.
//!
//! The caller keeps the host object and the instance; nothing here outlives a call.

use std::mem::MaybeUninit;
use std::sync::Arc;

use bridgehead_abi::{Status, status};

use super::abi_struct::{AbiStruct, StructError, checked_ref};
use bridgehead_runtime::call;

/// Why a factory gave no usable instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    /// `create` returned a failure.
    #[error("`create` returned {}", status::name(*.0))]
    Failed(Status),
    /// `create` succeeded, but the instance struct is unusable.
    #[error(transparent)]
    Struct(#[from] StructError),
}

impl CreateError {
    /// Returns the reason for messages that already say that `create` failed: the plugin's own explanation if it gave
    /// one, else the name of the status.
    pub fn reason(self, explanation: impl FnOnce() -> Option<String>) -> String {
        match self {
            CreateError::Failed(code) => explanation().unwrap_or_else(|| status::name(code).to_owned()),
            CreateError::Struct(error) => error.to_string(),
        }
    }
}

/// Calls `create` with zeroed memory, and checks the struct it filled in. A crash report names the call `create` of the
/// instance `label`. `context` is what the instance may use; it is leaked if there is an instance that cannot be
/// destroyed.
///
/// # Errors
/// Returns an error if `create` fails, or if it leaves a required function pointer null.
///
/// # Safety
/// `create` must fill in its argument, leave it zeroed, or return a failure.
pub unsafe fn create_instance<T: AbiStruct, C>(
    label: &str,
    context: &Arc<C>,
    create: impl FnOnce(*mut T) -> Status,
) -> Result<T, CreateError> {
    let mut out = MaybeUninit::<T>::zeroed();
    let code = call::during_preparation(label, "create", || create(out.as_mut_ptr()));
    if code < status::OK {
        return Err(CreateError::Failed(code));
    }
    // SAFETY: the memory is initialised, with zeros where `create` wrote nothing, and outlives the borrow.
    let checked = unsafe { checked_ref(out.as_ptr()) };
    checked.copied().map_err(|error| {
        leak(context);
        CreateError::Struct(error)
    })
}

/// Keeps `context` until the process ends, because an instance that is never destroyed may use it.
pub fn leak<C>(context: &Arc<C>) {
    #[expect(clippy::mem_forget, reason = "an instance that is not destroyed may use its context")]
    std::mem::forget(Arc::clone(context));
}

/// Returns the first of `wanted`, `wanted_2`, `wanted_3`, … for which `is_taken` returns false.
pub fn free_label(wanted: String, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(&wanted) {
        return wanted;
    }
    (2..).map(|number| format!("{wanted}_{number}")).find(|label| !is_taken(label)).unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use bridgehead_abi::model::ModelInstance;

    use super::*;

    fn failed_create(code: Status) -> (CreateError, usize) {
        let context = Arc::new(());
        // SAFETY: the closure leaves its argument zeroed.
        let created = unsafe { create_instance::<ModelInstance, ()>("car1/zeros", &context, |_| code) };
        (created.err().expect("no instance"), Arc::strong_count(&context))
    }

    #[test]
    fn the_context_of_an_instance_that_cannot_be_destroyed_is_kept() {
        let (error, owners) = failed_create(status::OK);
        assert!(matches!(error, CreateError::Struct(_)), "{error}");
        assert_eq!(owners, 2, "threads of the instance may still use the context");
    }

    #[test]
    fn the_context_of_a_failed_create_is_freed() {
        let (error, owners) = failed_create(status::NOT_FOUND);
        assert_eq!(error, CreateError::Failed(status::NOT_FOUND));
        assert_eq!(owners, 1);
    }

    #[test]
    fn a_label_in_use_gets_the_next_free_number() {
        let used = ["car1/logging", "car1/logging_2"];
        let free = |wanted: &str| free_label(wanted.to_owned(), |label| used.contains(&label));
        assert_eq!(free("car1/logging"), "car1/logging_3");
        assert_eq!(free("car2/logging"), "car2/logging");
    }
}
