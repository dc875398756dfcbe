//! Instances of plugins: made by a factory behind the ABI, each with a label of its own.

use std::mem::MaybeUninit;
use std::sync::Arc;

use bridgehead_abi::{Host, Status, status};

use super::Context;
use crate::crash;
use crate::plugin::border::{self, AbiStruct};

/// Entry of a factory that fills in an instance.
pub(super) type Create<T> = unsafe extern "C" fn(host: *const Host, out: *mut T) -> Status;

/// Makes an instance, and checks its function table.
///
/// # Errors
/// Returns the reason if the factory fails, or fills in an invalid table.
///
/// # Safety
/// `create` must be the entry of a factory that the loader has checked.
pub unsafe fn create_instance<T: AbiStruct + Copy>(
    context: &Arc<Context>,
    create: Create<T>,
) -> Result<T, String> {
    let mut out = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller vouches for the factory; `out` is writable, and zeros show what was not filled in.
    let code =
        crash::during(&context.label, "create", || unsafe { create(context.host(), out.as_mut_ptr()) });
    if code < 0 {
        return Err(context.take_explanation().unwrap_or_else(|| status::name(code).to_owned()));
    }
    // SAFETY: what `create` filled in lives in `out`; the check refuses what it left zero.
    unsafe { border::checked_ref(out.as_ptr()) }.copied()
}

/// Returns the wanted label, or that label with the first free number from 2 on if it is taken.
pub fn free_label(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|label| !is_taken(label)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_label_gets_the_first_free_number() {
        let taken = ["car/imu", "car/imu_2", "car/imu_4"];
        let is_taken = |label: &str| taken.contains(&label);
        assert_eq!(free_label("car/imu", is_taken), "car/imu_3");
        assert_eq!(free_label("car/gps", is_taken), "car/gps");
    }
}
