//! The host as plugins see it: the function tables of the ABI's extensions, and the context behind each
//! host object.
//!
//! A plugin passes the same host pointer back with every call; [`Context::of`] turns it into the instance's
//! context. The tables are thin shells over `bus`, `world` and `lifecycle`; none of them holds a lock while
//! plugin code runs.

mod bus;
mod clock;
mod command;
mod contacts;
mod context;
mod description;
mod entities;
mod environment;
mod instance;
mod joints;
mod lifecycle;
mod log;
mod model;
mod params;
mod report;
mod scope;
mod services;
mod shared;
mod threads;
pub(crate) mod types;
mod world;
mod world_edit;

pub use clock::SimClock;
pub use context::{Context, Owner};
pub use instance::{create_instance, free_label};
pub use lifecycle::{LockstepGate, StartReport, interrupt_for};
pub use params::ParamsView;
pub use scope::enter as enter_world;
pub use shared::{RequestInbox, Shared};

use std::panic::{AssertUnwindSafe, catch_unwind};

use bridgehead_abi::{Status, status};

/// Runs the body of a host function: a panic in the host must not unwind into a plugin.
fn guard(call: &str, body: impl FnOnce() -> Status) -> Status {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        ::log::error!(
            "[BH-SIM-900] the host's `{call}` panicked; this is a defect of the host, please report it"
        );
        status::PANIC
    })
}
