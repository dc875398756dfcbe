//! The host as plugin code sees it: safe handles over the extensions of `bridgehead_abi::host`.
//!
//! A handle is a few words, cheap to copy and usable from any thread; each method says where it may be called.
//! Handles belong to the instance they were given to: keep them in it, and let threads come from [`Threads`], which the
//! host joins before it destroys the instance. A handle that is kept for longer does no harm: once the instance is
//! destroyed, its methods return an error, or what the method names for that case.

mod actions;
mod bridges;
mod bus;
mod calls;
mod clock;
mod description;
mod extensions;
mod lifecycle;
mod log;
mod model;
mod params;
mod report;
mod scene;
mod service;
mod stepping;
mod surroundings;
mod threads;
mod world;

use std::ffi::c_void;
use std::ptr::NonNull;

use bridgehead_abi as abi;

pub use self::actions::Actions;
pub use self::bridges::{BridgeState, Bridges};
pub(crate) use self::bus::empty_message;
pub use self::bus::{
    Bus, Durability, Publisher, Qos, RawPublisher, RawSubscription, Received, Reliability, Subscription,
};
pub use self::calls::ServiceCalls;
pub use self::clock::{Clock, ClockReading};
pub use self::description::Description;
pub use self::lifecycle::{Lifecycle, Lockstep};
pub(crate) use self::log::is_left_out;
pub use self::log::{Level, Log, quieten};
pub use self::model::{Attachment, Joint, JointId, JointKind, Link, LinkId, Model};
pub use self::params::{FromParam, Params, SAVED};
pub use self::report::Report;
pub use self::scene::{PoseBlock, Scene};
pub use self::service::{Service, ServiceCall, Services};
pub use self::stepping::{Late, Stepping, Tick};
pub use self::surroundings::{
    Body, Bond, Collision, CollisionId, Contact, Contacts, Dynamics, Entities, Entity, EntityId, Environment,
    JointFrame, JointWrench, Joints, Kinematics, Origin, Spawn, SurfaceMotion, Surfaces, Surroundings,
    Volume, WorldEdit,
};
pub use self::threads::Threads;
pub use self::world::{Command, JointState, LinkState, Pose, RayBatch, RayHit, World};
use crate::boundary;
use crate::error::{Error, Result};
use crate::hosting::NewType;
use crate::lease::{Entered, Lease};

/// The host object of one instance (or of the library, during registration).
#[derive(Clone, Copy)]
pub struct HostHandle {
    raw: *const abi::Host,
    lease: Lease,
}

// SAFETY: the host's functions may be called from the threads their documentation names; the ones that are
// not for every thread check that themselves. The pointer is never written through.
unsafe impl Send for HostHandle {}
// SAFETY: as above.
unsafe impl Sync for HostHandle {}

impl HostHandle {
    /// Wraps the host pointer that a plugin was given.
    ///
    /// # Safety
    /// `raw` must point at a host object that outlives every handle made from it.
    #[must_use]
    pub unsafe fn from_raw(raw: *const abi::Host) -> Self {
        HostHandle { raw, lease: Lease::forever() }
    }

    /// Wraps the host pointer of an instance. [`HostHandle::close`] ends the use of every copy.
    ///
    /// # Safety
    /// `raw` must point at a host object that outlives the call of `close`.
    pub(crate) unsafe fn open(raw: *const abi::Host) -> Self {
        HostHandle { raw, lease: Lease::open() }
    }

    /// Ends the use of every copy of this handle: the host object may go after this. To be called once, on a handle
    /// from [`HostHandle::open`].
    pub(crate) fn close(self) {
        self.lease.close();
    }

    /// The host object stays while the result lives.
    ///
    /// # Errors
    /// Returns an error if the instance is gone.
    pub(crate) fn enter(self) -> Result<Entered> {
        if boundary::current().is_some_and(|host| host.lease.is(self.lease)) {
            // The host does not destroy an instance during a call on it.
            return Ok(Lease::within_call());
        }
        self.lease.enter().ok_or_else(gone)
    }

    /// The pointer, for calls of extensions this crate does not wrap.
    #[must_use]
    pub fn as_raw(self) -> *const abi::Host {
        self.raw
    }

    /// Looks up an extension of the host.
    #[must_use]
    pub fn extension(self, id: &str) -> Option<*const c_void> {
        let _entered = self.enter().ok()?;
        // SAFETY: entered, so `raw` is a live host object.
        let found = unsafe { ((*self.raw).get_extension)(self.raw, abi::Str::new(id)) };
        (!found.is_null()).then_some(found)
    }

    /// Says why the present call will return a failure or a request.
    pub fn explain(self, text: &str) {
        let Ok(_entered) = self.enter() else { return };
        // SAFETY: entered, so `raw` is a live host object.
        unsafe { ((*self.raw).explain)(self.raw, abi::Str::new(text)) }
    }

    /// Registers a message type of the plugin's own and gives its id.
    ///
    /// # Errors
    /// Returns an error if the descriptor is malformed, cannot be expressed in ROS, or conflicts with a type of that name.
    pub fn register_type(self, full_name: &str, descriptor_set: &[u8]) -> Result<u32> {
        // SAFETY: TYPES is documented as HostTypes.
        let types: Extension<abi::host::HostTypes> =
            unsafe { Extension::look_up(self, abi::extension::TYPES)? };
        let registered = types.register(NewType { name: full_name, descriptor_set });
        registered.map_err(|refused| Error::from(refused).context(format_args!("type `{full_name}`")))
    }

    /// Registers a message type of this crate or of the plugin's own.
    ///
    /// # Errors
    /// As [`HostHandle::register_type`].
    pub fn register<T: crate::messages::Message>(self) -> Result<u32> {
        self.register_type(T::FULL_NAME, T::DESCRIPTOR_SET)
    }
}

/// Why a call on a handle fails whose instance was destroyed.
fn gone() -> Error {
    Error::with_status(
        abi::status::WRONG_STATE,
        "the instance that this handle belongs to is destroyed; let threads end before it, or use `Threads`",
    )
}

/// One extension of a host object: what a handle stands on.
pub(crate) struct Extension<T> {
    host: HostHandle,
    table: NonNull<T>,
}

impl<T> Clone for Extension<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Extension<T> {}

// SAFETY: as for `HostHandle`; a table holds nothing but function pointers and is never written.
unsafe impl<T> Send for Extension<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Extension<T> {}

impl<T> Extension<T> {
    /// Looks up the extension `id`.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it, or the instance is gone.
    ///
    /// # Safety
    /// `T` must be the struct that the ABI documents for `id`.
    pub(crate) unsafe fn look_up(host: HostHandle, id: &'static str) -> Result<Self> {
        let _entered = host.enter()?;
        match NonNull::new(host.extension(id).unwrap_or(std::ptr::null()).cast_mut().cast::<T>()) {
            Some(table) => Ok(Extension { host, table }),
            None => Err(Error::unsupported(format!("the host offers no `{id}` to this plugin"))),
        }
    }

    /// The host object it belongs to.
    pub(crate) fn host(self) -> HostHandle {
        self.host
    }

    /// Runs `code` with the table and the host pointer, while the instance exists.
    ///
    /// # Errors
    /// Returns an error if the instance is gone.
    pub(crate) fn with<R>(self, code: impl FnOnce(&T, *const abi::Host) -> R) -> Result<R> {
        let entered = self.host.enter()?;
        Ok(self.call_within(&entered, code))
    }

    /// The same for a caller that has entered the host of this very extension, also while its instance is going.
    pub(crate) fn call_within<R>(self, _: &Entered, code: impl FnOnce(&T, *const abi::Host) -> R) -> R {
        // SAFETY: the host keeps its tables as long as the host object, which the entry keeps.
        code(unsafe { self.table.as_ref() }, self.host.raw)
    }
}

/// Declares a handle over one extension table.
macro_rules! extension_handle {
    ($(#[$meta:meta])* $name:ident, $table:ty, $id:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name {
            extension: crate::host::Extension<$table>,
        }

        impl $name {
            pub(in crate::host) fn new(host: crate::host::HostHandle) -> crate::error::Result<Self> {
                // SAFETY: the id is documented with this table type in `bridgehead_abi`.
                Ok($name { extension: unsafe { crate::host::Extension::look_up(host, $id)? } })
            }

            #[allow(dead_code, reason = "not every handle gives its host")]
            fn host(self) -> crate::host::HostHandle {
                self.extension.host()
            }

            #[allow(dead_code, reason = "functions that are declared are called through the extension")]
            fn call<R>(
                self,
                code: impl FnOnce(&$table, *const bridgehead_abi::Host) -> R,
            ) -> crate::error::Result<R> {
                self.extension.with(code)
            }
        }
    };
}
use extension_handle;

/// The text behind an ABI string that lives as long as the instance; lossy if a host breaks the rules.
fn text_of(text: abi::Str) -> String {
    // SAFETY: the host vouches for pointer and length of every text it hands out.
    String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned()
}
