//! Which world the plugin code on this thread may touch.
//!
//! The simulation thread opens the scope around the calls of a phase; host functions tagged `[sim]` find the
//! world there, and answer WRONG_THREAD anywhere else.

use std::cell::{Cell, RefCell};
use std::ptr::NonNull;

use bridgehead_abi::{Status, status};

use crate::world::World;

thread_local! {
    static OPEN: Cell<Option<NonNull<RefCell<World>>>> = const { Cell::new(None) };
}

/// Closes the scope again, also when a panic passes through.
struct Closer(Option<NonNull<RefCell<World>>>);

impl Drop for Closer {
    fn drop(&mut self) {
        OPEN.set(self.0);
    }
}

/// Runs `code` with `world` open to the host functions called on this thread.
pub fn enter<T>(world: &RefCell<World>, code: impl FnOnce() -> T) -> T {
    let _closer = Closer(OPEN.replace(Some(NonNull::from(world))));
    code()
}

/// Whether this thread is inside a phase.
pub(super) fn is_open() -> bool {
    OPEN.get().is_some()
}

/// Runs `code` on the open world; `None` where there is none, or where it is in use by an outer call.
pub(super) fn with<T>(code: impl FnOnce(&mut World) -> T) -> Option<T> {
    let open = OPEN.get()?;
    // SAFETY: `enter` keeps the reference alive on this very thread until it closes the scope.
    let cell = unsafe { open.as_ref() };
    let mut world = cell.try_borrow_mut().ok()?;
    Some(code(&mut world))
}

/// Runs `code` on the open world for a host function.
///
/// # Errors
/// Returns WRONG_THREAD if the world is in use by an outer call. Calls from elsewhere are refused before.
pub(super) fn within<T>(code: impl FnOnce(&mut World) -> T) -> Result<T, Status> {
    with(code).ok_or(status::WRONG_THREAD)
}

/// Looks something up in the open world for a host function.
///
/// # Errors
/// Returns NOT_FOUND if there is nothing, and otherwise as [`within`].
pub(super) fn look<T>(find: impl FnOnce(&mut World) -> Option<T>) -> Result<T, Status> {
    within(find)?.ok_or(status::NOT_FOUND)
}
