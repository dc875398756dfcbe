//! What the world consists of, as one message.
//!
//! It is apart from [`crate::host`] because its readers show the world to users or describe it to peers: bridges above
//! all. The host makes it when it is read.

use crate::{Buffer, Host, Status};

abi_struct! {
    /// Extension `bridgehead.description/1`: models, links, joints, sensors and plugins of the world that is loaded,
    /// each sensor and plugin with its XML and with the topics that it publishes or listens to.
    pub struct HostDescription {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Grows whenever a description would say something else than before: with each load and unload, with what
        /// comes and goes, and when a plugin opens a topic. 0 as long as no world was loaded. As cheap as reading a
        /// variable; ask it before every use of a description that was kept.
        /// `[thread: any] [state: any]`
        pub revision: unsafe extern "C" fn(host: *const Host) -> u64,
        /// Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.WorldDescription`, with the revision it is
        /// of; without a world it has nothing but a revision. The caller has a reference of its own, and calls
        /// `release` of the buffer once. All who read one revision share one buffer. Never waits for the simulation.
        /// `[thread: any] [state: any]`
        pub read: unsafe extern "C" fn(host: *const Host, out: *mut *const Buffer) -> Status,
    }
}
