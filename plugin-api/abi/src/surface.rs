//! One struct from which every other struct of the ABI can be reached, for the deep layout comparison of
//! Rust plugins. It is never made; only its layout is used.

use crate::{bridge, description, entry, host, model, report, surroundings};

/// Every root of the ABI.
#[repr(C)]
#[cfg_attr(feature = "stable-abi", derive(abi_stable::StableAbi))]
#[derive(Clone, Copy)]
pub struct Surface {
    /// The entry and what it leads to.
    pub entry: *const entry::Entry,
    /// List of plugins.
    pub plugins: *const entry::PluginFactory,
    /// Bridge factories and instances.
    pub bridge: *const bridge::BridgeFactory,
    /// Converters for bridges.
    pub converters: *const bridge::BridgeConverters,
    /// Model factories and instances.
    pub model: *const model::ModelFactory,
    /// Extensions of model instances.
    pub sample_times: *const model::SampleTimes,
    /// Extensions of model instances.
    pub world_save: *const model::WorldSave,
    /// Host extensions.
    pub log: *const host::HostLog,
    /// Host extensions.
    pub clock: *const host::HostClock,
    /// Host extensions.
    pub params: *const host::HostParams,
    /// Host extensions.
    pub types: *const host::HostTypes,
    /// Host extensions.
    pub bus: *const host::HostBus,
    /// Host extensions.
    pub services: *const host::HostServices,
    /// Host extensions.
    pub model_info: *const host::HostModel,
    /// Host extensions.
    pub world: *const host::HostWorld,
    /// Host extensions.
    pub command: *const host::HostCommand,
    /// Host extensions.
    pub lifecycle: *const host::HostLifecycle,
    /// Host extensions.
    pub lockstep: *const host::HostLockstep,
    /// Host extensions.
    pub threads: *const host::HostThreads,
    /// Host extensions.
    pub environment: *const surroundings::HostEnvironment,
    /// Host extensions.
    pub entities: *const surroundings::HostEntities,
    /// Host extensions.
    pub contacts: *const surroundings::HostContacts,
    /// Host extensions.
    pub joints: *const surroundings::HostJoints,
    /// Host extensions.
    pub world_edit: *const surroundings::HostWorldEdit,
    /// Host extensions.
    pub description: *const description::HostDescription,
    /// Host extensions.
    pub report: *const report::HostReport,
}
