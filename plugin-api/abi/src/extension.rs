//! Ids of everything that is looked up by name: `name/revision`. A third party's own extensions use a
//! reverse-domain prefix.

/// Offered by a library: [`crate::entry::PluginFactory`].
pub const PLUGIN_FACTORY: &str = "bridgehead.plugin-factory/1";
/// Offered by a Rust library: a function `unsafe extern "C" fn(name: Str) -> Option<&'static TypeLayout>` with the
/// `TypeLayout` of `abi_stable`, giving the layout of a root of the ABI by its name (`HostBus`), null for an unknown one.
/// Revision 1, of ABI 0.3, gave one layout of all roots, which cannot grow.
pub const STABLE_ABI_LAYOUT: &str = "bridgehead.stable-abi-layout/2";
/// Offered by a library with model plugins: [`crate::bridge::BridgeConverters`].
pub const BRIDGE_CONVERTERS: &str = "bridgehead.bridge-converters/1";
/// Offered by an instance of a model plugin: [`crate::model::SampleTimes`].
pub const SAMPLE_TIMES: &str = "bridgehead.sample-times/1";
/// Offered by an instance of a model plugin: [`crate::model::WorldSave`].
pub const WORLD_SAVE: &str = "bridgehead.world-save/1";

/// Offered by the host: [`crate::host::HostLog`].
pub const LOG: &str = "bridgehead.log/1";
/// Offered by the host: [`crate::host::HostClock`].
pub const CLOCK: &str = "bridgehead.clock/1";
/// Offered by the host: [`crate::host::HostParams`].
pub const PARAMS: &str = "bridgehead.params/1";
/// Offered by the host: [`crate::host::HostTypes`].
pub const TYPES: &str = "bridgehead.types/1";
/// Offered by the host: [`crate::host::HostBus`].
pub const BUS: &str = "bridgehead.bus/1";
/// Offered by the host: [`crate::host::HostServices`].
pub const SERVICES: &str = "bridgehead.services/1";
/// Offered by the host: [`crate::host::HostModel`].
pub const MODEL: &str = "bridgehead.model/1";
/// Offered by the host to model plugins: [`crate::host::HostWorld`].
pub const WORLD: &str = "bridgehead.world/1";
/// Offered by the host to model plugins: [`crate::host::HostCommand`].
pub const COMMAND: &str = "bridgehead.command/1";
/// Offered by the host: [`crate::host::HostLifecycle`].
pub const LIFECYCLE: &str = "bridgehead.lifecycle/1";
/// Offered by the host to bridges: [`crate::host::HostLockstep`].
pub const LOCKSTEP: &str = "bridgehead.lockstep/1";
/// Offered by the host to bridges: [`crate::stepping::HostStepping`].
pub const STEPPING: &str = "bridgehead.stepping/1";
/// Offered by the host: [`crate::host::HostThreads`].
pub const THREADS: &str = "bridgehead.threads/1";
/// Offered by the host to model plugins: [`crate::surroundings::HostEnvironment`].
pub const ENVIRONMENT: &str = "bridgehead.environment/1";
/// Offered by the host to model plugins: [`crate::surroundings::HostEntities`].
pub const ENTITIES: &str = "bridgehead.entities/1";
/// Offered by the host to model plugins: [`crate::surroundings::HostContacts`].
pub const CONTACTS: &str = "bridgehead.contacts/1";
/// Offered by the host to model plugins: [`crate::surroundings::HostJoints`].
pub const JOINTS: &str = "bridgehead.joints/1";
/// Offered by the host to model plugins: [`crate::surroundings::HostWorldEdit`].
pub const WORLD_EDIT: &str = "bridgehead.world-edit/1";
/// Offered by the host to model plugins: [`crate::dynamics::HostDynamics`].
pub const DYNAMICS: &str = "bridgehead.dynamics/1";
/// Offered by the host to model plugins: [`crate::dynamics::HostSurfaces`].
pub const SURFACES: &str = "bridgehead.surfaces/1";
/// Offered by the host to model plugins: [`crate::kinematics::HostKinematics`].
pub const KINEMATICS: &str = "bridgehead.kinematics/1";
/// Offered by the host to model plugins: [`crate::calls::HostServiceCalls`].
pub const SERVICE_CALLS: &str = "bridgehead.service-calls/1";
/// Offered by the host: [`crate::description::HostDescription`].
pub const DESCRIPTION: &str = "bridgehead.description/1";
/// Offered by the host: [`crate::scene::HostScene`].
pub const SCENE: &str = "bridgehead.scene/1";
/// Offered by the host: [`crate::actions::HostActions`].
pub const ACTIONS: &str = "bridgehead.actions/1";
/// Offered by the host to model plugins: [`crate::bridges::HostBridges`].
pub const BRIDGES: &str = "bridgehead.bridges/1";
/// Offered by the host: [`crate::encodings::HostEncodings`].
pub const ENCODINGS: &str = "bridgehead.encodings/1";
/// Offered by the host: [`crate::report::HostReport`].
pub const REPORT: &str = "bridgehead.report/1";

/// Every extension this version of the host offers to instances; a plugin that requires another one is
/// refused before it is loaded.
pub const OFFERED: &[&str] = &[
    LOG,
    CLOCK,
    PARAMS,
    TYPES,
    BUS,
    SERVICES,
    MODEL,
    WORLD,
    COMMAND,
    LIFECYCLE,
    LOCKSTEP,
    STEPPING,
    THREADS,
    ENVIRONMENT,
    ENTITIES,
    CONTACTS,
    JOINTS,
    WORLD_EDIT,
    DYNAMICS,
    SURFACES,
    KINEMATICS,
    SERVICE_CALLS,
    DESCRIPTION,
    SCENE,
    ACTIONS,
    REPORT,
    ENCODINGS,
    BRIDGES,
];
