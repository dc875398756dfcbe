//! The host as plugin code sees it: safe handles over the extensions of `bridgehead_abi::host`.
//!
//! Each handle is a pair of pointers, cheap to copy and usable from any thread; which of its methods may be
//! called where is said at the method. Handles stay valid until the instance they were given to is
//! destroyed; keep them in the instance, and let threads come from [`Threads`], which are joined before that.

mod bus;
mod clock;
mod description;
mod lifecycle;
mod log;
mod model;
mod params;
mod report;
mod service;
mod surroundings;
mod threads;
mod world;

use std::ffi::c_void;

use bridgehead_abi as abi;

pub(crate) use self::bus::empty_message;
pub use self::bus::{
    Bus, Durability, Publisher, Qos, RawPublisher, RawSubscription, Received, Reliability, Subscription,
};
pub use self::clock::{Clock, ClockReading};
pub use self::description::Description;
pub use self::lifecycle::{Lifecycle, Lockstep};
pub(crate) use self::log::is_left_out;
pub use self::log::{Level, Log, quieten};
pub use self::model::{Attachment, Joint, JointId, JointKind, Link, LinkId, Model};
pub use self::params::{FromParam, Params, SAVED};
pub use self::report::Report;
pub use self::service::{Service, ServiceCall, Services};
pub use self::surroundings::{
    Bond, Collision, CollisionId, Contact, Contacts, Entities, Entity, EntityId, Environment, JointFrame,
    JointWrench, Joints, Origin, Spawn, Surroundings, WorldEdit,
};
pub use self::threads::Threads;
pub use self::world::{Command, JointState, LinkState, Pose, RayBatch, RayHit, World};
use crate::error::{Error, Result};

/// The host object of one instance (or of the library, during registration).
#[derive(Clone, Copy)]
pub struct HostHandle {
    raw: *const abi::Host,
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
        HostHandle { raw }
    }

    /// The pointer, for calls of extensions this crate does not wrap.
    #[must_use]
    pub fn as_raw(self) -> *const abi::Host {
        self.raw
    }

    /// Looks up an extension of the host.
    #[must_use]
    pub fn extension(self, id: &str) -> Option<*const c_void> {
        // SAFETY: `raw` is a live host object (contract of `from_raw`).
        let found = unsafe { ((*self.raw).get_extension)(self.raw, abi::Str::new(id)) };
        (!found.is_null()).then_some(found)
    }

    /// The extension's function table.
    ///
    /// # Safety
    /// `T` must be the struct that the ABI documents for `id`.
    unsafe fn table<T>(self, id: &'static str) -> Result<&'static T> {
        let Some(found) = self.extension(id) else {
            return Err(Error::unsupported(format!("the host offers no `{id}` to this plugin")));
        };
        // SAFETY: the host keeps extension tables as long as the host object, and the caller names the type.
        Ok(unsafe { &*found.cast::<T>() })
    }

    /// Says why the present call will return a failure or a request.
    pub fn explain(self, text: &str) {
        // SAFETY: `raw` is a live host object.
        unsafe { ((*self.raw).explain)(self.raw, abi::Str::new(text)) }
    }

    /// The log.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn log(self) -> Result<Log> {
        Log::new(self)
    }

    /// The simulated clock.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn clock(self) -> Result<Clock> {
        Clock::new(self)
    }

    /// The instance's parameters.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn params(self) -> Result<Params> {
        Params::new(self)
    }

    /// Topics.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn bus(self) -> Result<Bus> {
        Bus::new(self)
    }

    /// Services.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn services(self) -> Result<Services> {
        Services::new(self)
    }

    /// The model the instance is attached to.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn model(self) -> Result<Model> {
        Model::new(self)
    }

    /// The moving world.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn world(self) -> Result<World> {
        World::new(self)
    }

    /// Commands to the world.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn command(self) -> Result<Command> {
        Command::new(self)
    }

    /// Where the world stands and what fills it.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn environment(self) -> Result<Environment> {
        Environment::new(self)
    }

    /// Every model of the world.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn entities(self) -> Result<Entities> {
        Entities::new(self)
    }

    /// What touches the model.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn contacts(self) -> Result<Contacts> {
        Contacts::new(self)
    }

    /// Frames of joints and the forces in them.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn joints(self) -> Result<Joints> {
        Joints::new(self)
    }

    /// Changes of what the world consists of.
    ///
    /// # Errors
    /// Where the host offers none: bridges do not get it.
    pub fn world_edit(self) -> Result<WorldEdit> {
        WorldEdit::new(self)
    }

    /// What the world consists of.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn description(self) -> Result<Description> {
        Description::new(self)
    }

    /// Where a bridge says what only it can know.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn report(self) -> Result<Report> {
        Report::new(self)
    }

    /// Reports and requests.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn lifecycle(self) -> Result<Lifecycle> {
        Lifecycle::new(self)
    }

    /// Exact feeding of commands.
    ///
    /// # Errors
    /// Where the host offers none: only bridges get it.
    pub fn lockstep(self) -> Result<Lockstep> {
        Lockstep::new(self)
    }

    /// Threads that the host names and joins.
    ///
    /// # Errors
    /// Where the host offers none.
    pub fn threads(self) -> Result<Threads> {
        Threads::new(self)
    }

    /// Registers a message type of the plugin's own and gives its id.
    ///
    /// # Errors
    /// Where the descriptor is malformed, cannot be expressed in ROS, or conflicts with a type of that name.
    pub fn register_type(self, full_name: &str, descriptor_set: &[u8]) -> Result<u32> {
        // SAFETY: TYPES is documented as HostTypes.
        let table: &abi::host::HostTypes = unsafe { self.table(abi::extension::TYPES)? };
        let desc = abi::message::TypeDesc {
            struct_size: abi::message::TypeDesc::SIZE,
            type_id: 0,
            name: abi::Str::new(full_name),
            descriptor_set: abi::Bytes::new(descriptor_set),
        };
        let mut id = 0;
        // SAFETY: texts and bytes are borrowed for the call; `id` is writable.
        let status = unsafe { (table.register)(self.raw, &raw const desc, &raw mut id) };
        Error::check(status, format_args!("registering type `{full_name}`"))?;
        Ok(id)
    }

    /// Registers a message type of this crate or of the plugin's own.
    ///
    /// # Errors
    /// As [`HostHandle::register_type`].
    pub fn register<T: crate::messages::Message>(self) -> Result<u32> {
        self.register_type(T::FULL_NAME, T::DESCRIPTOR_SET)
    }
}

/// Declares a handle over one extension table.
macro_rules! extension_handle {
    ($(#[$meta:meta])* $name:ident, $table:ty, $id:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name {
            host: crate::host::HostHandle,
            table: &'static $table,
        }

        impl $name {
            pub(in crate::host) fn new(host: crate::host::HostHandle) -> crate::error::Result<Self> {
                // SAFETY: the id is documented with this table type in `bridgehead_abi`.
                Ok($name { host, table: unsafe { host.table($id)? } })
            }
        }
    };
}
use extension_handle;

/// The text behind an ABI string that lives as long as the instance; lossy where a host breaks the rules.
fn text_of(text: abi::Str) -> String {
    // SAFETY: the host vouches for pointer and length of every text it hands out.
    String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned()
}
