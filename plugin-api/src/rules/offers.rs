//! Which extension the host offers to whom.

use crate::abi::extension;

/// Whose host object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A library, for registration.
    Library,
    /// A bridge instance.
    Bridge,
    /// A model plugin instance.
    Model,
}

/// Whether the host offers the extension `id` to a caller of that kind.
#[must_use]
pub fn is_offered(caller: Caller, id: &str) -> bool {
    match id {
        extension::LOG | extension::TYPES | extension::ENCODINGS | extension::CLOCK => true,
        extension::PARAMS
        | extension::MODEL
        | extension::DESCRIPTION
        | extension::SCENE
        | extension::ACTIONS
        | extension::LIFECYCLE
        | extension::THREADS
        | extension::REPORT => caller != Caller::Library,
        extension::BUS
        | extension::SERVICES
        | extension::WORLD
        | extension::COMMAND
        | extension::ENVIRONMENT
        | extension::ENTITIES
        | extension::CONTACTS
        | extension::JOINTS
        | extension::WORLD_EDIT
        | extension::DYNAMICS
        | extension::SURFACES
        | extension::KINEMATICS
        | extension::SERVICE_CALLS
        | extension::BRIDGES => caller == Caller::Model,
        extension::LOCKSTEP | extension::STEPPING => caller == Caller::Bridge,
        _ => false,
    }
}
