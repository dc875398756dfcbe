//! What a host offers to plugins, each function declared once.
//!
//! This module is for hosts. It is no part of the interface of the SDK, and may change with every version.
//!
//! [`declare`] has the form of a declaration and shows what comes of one: a safe trait that hosts implement, the C
//! functions that call it, the calls of the SDK, and the messages with which a worker process asks the host. Three hosts
//! implement the traits: that of a run, that of tests ([`testing`](crate::testing)), and the one in a worker, which asks
//! that of the run ([`Asking`]).
//!
//! A plugin may pass anything. What can be recognised is checked here, for all hosts alike: a null or misaligned pointer,
//! memory that is too small for a result, a text that is no text, and sizes that make no sense.

#[macro_use]
mod declare;
mod argument;
mod bus;
mod call;
mod content;
mod encodings;
mod list;
#[cfg(feature = "testing")]
pub mod misuse;
mod model;
mod outcome;
mod record;
mod run;
mod surroundings;
mod threads;
mod world;

use bridgehead_abi::{Buffer, Host, Status, status};

use crate::Payload;

pub use argument::{Argument, Encoded, Message, Plain, Posted, Text, Vector, Words};
pub use bus::{
    BusHost, Handle, PublisherHandle, ServiceHandle, ServicesHost, SubscriptionHandle, bus_table,
    services_table,
};
pub use call::{Asking, Call, Served};
pub(crate) use call::{Refused, found};
pub use content::{ActionsHost, DescriptionHost, SceneHost, ServiceCallsHost, TypesHost};
pub use encodings::{EncodingsHost, encodings_table};
pub use list::{FUNCTIONS, PluginHost, function, is_offered, serve, table};
pub use model::{BridgesHost, ModelHost, ParamsHost};
pub use outcome::{Bare, Outcome, SENT_STRUCTS, Sent};
pub use record::{Line, LogRecord, NewType, RayBatch, Rays, Spawn, SpawnSpec, TypeRecord};
pub use run::{ClockHost, LifecycleHost, LockstepHost, LogHost, ReportHost, SteppingHost};
pub use surroundings::{ContactsHost, EntitiesHost, EnvironmentHost, JointsHost, WorldEditHost};
pub use threads::{Job, ThreadsHost, threads_table};
pub use world::{CommandHost, DynamicsHost, KinematicsHost, SurfacesHost, WorldHost};

/// Where a host function may be called: the tags of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `[thread: any] [state: any]`
    Any,
    /// `[thread: main]`
    Main,
    /// `[thread: sim] [state: started]`
    Sim,
}

/// A host function.
#[derive(Debug)]
pub struct Function {
    /// Names it between a worker and its host: the number of its extension in the list, and its own in the extension.
    pub number: u16,
    /// The id of its extension.
    pub extension: &'static str,
    /// Its name in messages, such as `world.link_state`.
    pub name: &'static str,
    /// Where it may be called.
    pub place: Place,
    /// The names of its arguments and their kinds, for hosts of other languages.
    pub arguments: &'static [(&'static str, &'static str)],
    /// The form of its result, as in its declaration; empty for none.
    pub result: &'static str,
}

/// What a caller has passed that cannot be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// A pointer that is null or misaligned, or memory that is too small.
    Pointer,
    /// A length or a number that makes no sense.
    Size,
}

/// Who checks what its functions are given.
pub trait Checked {
    /// False in a program that measures what the checks of pointers cost.
    const IS_GUARDED: bool = true;

    /// Reports what the running call of the plugin has passed.
    fn breach(&self, breach: Breach, text: &str);
}

/// A host whose functions have a C ABI.
pub trait Hosting: Checked + Sized + 'static {
    /// Runs the body of a host function. Returns `otherwise` if it panics: nothing may unwind into a plugin.
    fn guarded<T>(function: &'static str, otherwise: T, body: impl FnOnce() -> T) -> T;

    /// Returns the host behind the pointer that a plugin has passed.
    ///
    /// # Errors
    /// Returns the status for the plugin if it may not call this function, or not now.
    ///
    /// # Safety
    /// `host` must be null, misaligned, or the pointer that the plugin was given.
    unsafe fn entered<'a>(host: *const Host, function: &'static Function) -> Result<&'a Self, Status>;

    /// Gives a reference to a payload to a plugin.
    fn give(payload: Payload) -> *const Buffer;
}

/// An argument of a call that is checked.
#[derive(Debug)]
pub struct At<'a, H> {
    /// Whom to tell.
    pub host: &'a H,
    /// Name of the argument.
    pub what: &'static str,
    /// Name of the function.
    pub function: &'static str,
}

impl<H> Clone for At<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for At<'_, H> {}

impl<H: Checked> At<'_, H> {
    /// Refuses the argument.
    #[cold]
    pub fn refuse<T>(self, breach: Breach, text: &str) -> Result<T, Status> {
        self.host.breach(breach, &format!("passed {text} to `{}`", self.function));
        Err(status::INVALID_ARG)
    }

    /// Refuses a pointer that is null or misaligned.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    #[inline]
    pub fn pointer<T>(self, pointer: *const T) -> Result<(), Status> {
        if !H::IS_GUARDED || (!pointer.is_null() && pointer.is_aligned()) {
            return Ok(());
        }
        self.refuse(Breach::Pointer, &format!("the {} {pointer:p}", self.what))
    }

    /// Refuses memory for a result that begins with its size, if that is too small.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    ///
    /// # Safety
    /// `out` must be null, misaligned, or point at four readable bytes.
    #[inline]
    pub unsafe fn sized<T>(self, out: *const T) -> Result<(), Status> {
        if !H::IS_GUARDED {
            return Ok(());
        }
        self.pointer(out)?;
        // SAFETY: the caller vouches for it.
        let found = unsafe { out.cast::<u32>().read() };
        if found as usize >= size_of::<T>() {
            return Ok(());
        }
        self.refuse(
            Breach::Pointer,
            &format!(
                "a {} of {found} bytes, which needs {}: `struct_size` of a result is set before the call,",
                self.what,
                size_of::<T>()
            ),
        )
    }
}
