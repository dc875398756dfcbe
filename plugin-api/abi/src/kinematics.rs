//! Links that a plugin moves along a path of its own, such as the cabin of an elevator or an actor that walks to a goal.

use crate::basic::Pose;
use crate::{Host, Status};

abi_struct! {
    /// Extension `bridgehead.kinematics/1`: links whose motion a plugin prescribes.
    pub struct HostKinematics {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Moves a link of any model so that its frame reaches this pose of the world at the end of the next step. It
        /// carries and pushes what it touches; nothing stops it. From the first call on, forces no longer move the link,
        /// also if the model was static; it rests in steps without a call, until the whole run is reset. An actor does
        /// not follow its script in steps in which one of its links is moved. INVALID_ARG if a joint holds the link.
        /// `[thread: sim] [state: started]`
        pub move_link: unsafe extern "C" fn(host: *const Host, link: u32, pose: *const Pose) -> Status,
    }
}
