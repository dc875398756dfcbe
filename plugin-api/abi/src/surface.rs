//! The roots of the ABI for the deep layout comparison of Rust plugins: every other struct is reached from one of them.
//!
//! Each root is compared for itself, so that a host can have roots that a plugin does not know, and the other way round.

use abi_stable::StableAbi;
use abi_stable::type_layout::TypeLayout;

use crate::{
    actions, bridge, bridges, calls, description, dynamics, encodings, entry, host, kinematics, model,
    report, scene, stepping, surroundings,
};

macro_rules! roots {
    ($($path:path = $name:literal),* $(,)?) => {
        /// Names of all roots.
        pub const ROOTS: &[&str] = &[$($name),*];

        /// The layout of a root; `None` for an unknown name.
        #[must_use]
        pub fn layout_of(name: &str) -> Option<&'static TypeLayout> {
            match name {
                $($name => Some(<$path as StableAbi>::LAYOUT),)*
                _ => None,
            }
        }
    };
}

roots! {
    entry::Entry = "Entry",
    entry::PluginFactory = "PluginFactory",
    bridge::BridgeFactory = "BridgeFactory",
    bridge::BridgeConverters = "BridgeConverters",
    model::ModelFactory = "ModelFactory",
    model::SampleTimes = "SampleTimes",
    model::WorldSave = "WorldSave",
    host::HostLog = "HostLog",
    host::HostClock = "HostClock",
    host::HostParams = "HostParams",
    host::HostTypes = "HostTypes",
    host::HostBus = "HostBus",
    host::HostServices = "HostServices",
    host::HostModel = "HostModel",
    host::HostWorld = "HostWorld",
    host::HostCommand = "HostCommand",
    host::HostLifecycle = "HostLifecycle",
    host::HostLockstep = "HostLockstep",
    host::HostThreads = "HostThreads",
    surroundings::HostEnvironment = "HostEnvironment",
    surroundings::HostEntities = "HostEntities",
    surroundings::HostContacts = "HostContacts",
    surroundings::HostJoints = "HostJoints",
    surroundings::HostWorldEdit = "HostWorldEdit",
    dynamics::HostDynamics = "HostDynamics",
    dynamics::HostSurfaces = "HostSurfaces",
    kinematics::HostKinematics = "HostKinematics",
    calls::HostServiceCalls = "HostServiceCalls",
    description::HostDescription = "HostDescription",
    scene::HostScene = "HostScene",
    actions::HostActions = "HostActions",
    bridges::HostBridges = "HostBridges",
    encodings::HostEncodings = "HostEncodings",
    report::HostReport = "HostReport",
    stepping::HostStepping = "HostStepping",
}
