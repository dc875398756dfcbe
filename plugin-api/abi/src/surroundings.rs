//! What a model plugin sees of the world beyond its own links, and how it changes what the world consists of.
//!
//! Each struct named `Host…` is the table of one extension. They stand apart from [`crate::host`] because most
//! plugins never ask for them; the host does the work behind them only for those that do.

use crate::basic::Pose;
use crate::{Host, Status, Str};

/// `Environment::flags`: the world says where on Earth it stands (`<spherical_coordinates>`).
pub const ENVIRONMENT_HAS_ORIGIN: u32 = 1;

abi_struct! {
    /// The physical surroundings of a world. They do not change during a run.
    pub struct Environment {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Bits of the `ENVIRONMENT_` constants.
        pub flags: u32,
        /// Geodetic latitude of the world's origin (WGS 84), radians.
        pub latitude: f64,
        /// Longitude of the world's origin, radians.
        pub longitude: f64,
        /// Height of the world's origin above the ellipsoid, metres.
        pub elevation: f64,
        /// Turn from east to the world's x axis about up, radians, counterclockwise.
        pub heading: f64,
        /// Magnetic flux density, world frame, tesla.
        pub magnetic_field: [f64; 3],
        /// Velocity of the air, world frame, m/s.
        pub wind: [f64; 3],
        /// Gravity, world frame, m/s².
        pub gravity: [f64; 3],
        /// Air temperature at height 0, kelvin.
        pub temperature: f64,
        /// Change of the temperature with height, K/m; negative if it gets colder upwards.
        pub temperature_gradient: f64,
        /// Air pressure at height 0, pascal.
        pub pressure: f64,
    }
}

abi_struct! {
    /// Extension `bridgehead.environment/1`: where the world stands and what fills it.
    pub struct HostEnvironment {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Reads it.
        /// `[thread: any] [state: any]`
        pub read: unsafe extern "C" fn(host: *const Host, out: *mut Environment) -> Status,
    }
}

/// `Entity::flags`: nothing of the model moves.
pub const ENTITY_STATIC: u32 = 1;
/// `Entity::flags`: the model was spawned during the run.
pub const ENTITY_SPAWNED: u32 = 2;

abi_struct! {
    /// A top-level model as it stands in the present phase of the step.
    pub struct Entity {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Bits of the `ENTITY_` constants.
        pub flags: u32,
        /// Its id; never used for another entity in the same run.
        pub id: u64,
        /// Name in the world. Valid until the next step begins.
        pub name: Str,
        /// Pose of the model frame in the world.
        pub pose: Pose,
        /// Velocity of the model frame's origin, world frame, m/s.
        pub linear: [f64; 3],
        /// Angular velocity, world frame, rad/s.
        pub angular: [f64; 3],
        /// Lowest corner of the box around its collisions, model frame, metres; the box keeps the model's axes.
        /// Equal to `box_max` for a model without collisions.
        pub box_min: [f64; 3],
        /// Highest corner of that box.
        pub box_max: [f64; 3],
    }
}

abi_struct! {
    /// Extension `bridgehead.entities/1`: every model of the world, the spawned ones too.
    pub struct HostEntities {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Reads entity number `index`, in document order, spawned ones last; NOT_FOUND beyond the last.
        /// `[thread: sim] [state: started]`
        pub at: unsafe extern "C" fn(host: *const Host, index: u32, out: *mut Entity) -> Status,
        /// Reads the entity of that name; NOT_FOUND without one.
        /// `[thread: sim] [state: started]`
        pub find: unsafe extern "C" fn(host: *const Host, name: Str, out: *mut Entity) -> Status,
        /// Handle of a link by its scoped name in the world (`model::link`, `model::arm::hand`), for
        /// `bridgehead.world/1`; NOT_FOUND without one.
        /// `[thread: sim] [state: started]`
        pub find_link: unsafe extern "C" fn(host: *const Host, name: Str, out: *mut u32) -> Status,
    }
}

abi_struct! {
    /// A collision of the instance's model. Texts stay valid as long as the instance.
    pub struct CollisionInfo {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Handle for `contacts`.
        pub collision: u32,
        /// Link that carries it.
        pub link: u32,
        /// 0.
        pub reserved: u32,
        /// Name in its link.
        pub name: Str,
        /// Name in the world (`car1::chassis::bumper`).
        pub scoped_name: Str,
    }
}

abi_struct! {
    /// One point where a collision touched another one during the last step.
    pub struct Contact {
        /// Handle of the other collision.
        pub other: u32,
        /// 0.
        pub reserved: u32,
        /// World frame, metres.
        pub position: [f64; 3],
        /// Unit vector, world frame, from the other collision towards the one that was asked about.
        pub normal: [f64; 3],
        /// How deep the two overlap, metres; 0 if they only touch.
        pub depth: f64,
        /// What the other collision exerts on the one that was asked about, world frame, newtons: the mean over
        /// the step.
        pub force: [f64; 3],
    }
}

abi_struct! {
    /// Extension `bridgehead.contacts/1`: what touches the instance's model.
    pub struct HostContacts {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Describes collision `index` of the model, in document order; NOT_FOUND beyond the last.
        /// `[thread: any] [state: any]`
        pub collision: unsafe extern "C" fn(host: *const Host, index: u32, out: *mut CollisionInfo) -> Status,
        /// Writes at most `capacity` contacts of a collision into `out`, and into `count` how many there are. The
        /// order depends on the world's history only.
        /// `[thread: sim] [state: started]`
        pub contacts: unsafe extern "C" fn(
            host: *const Host, collision: u32, out: *mut Contact, capacity: u32, count: *mut u32,
        ) -> Status,
        /// Name in the world of any collision, for `Contact::other`. Valid until the next step begins.
        /// `[thread: sim] [state: started]`
        pub name: unsafe extern "C" fn(host: *const Host, collision: u32, out: *mut Str) -> Status,
    }
}

/// `JointFrame::parent_link` of a joint whose parent is the world.
pub const WORLD_LINK: u32 = u32::MAX;

abi_struct! {
    /// Where a joint sits.
    pub struct JointFrame {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Parent link, or [`WORLD_LINK`].
        pub parent_link: u32,
        /// Child link.
        pub child_link: u32,
        /// 0.
        pub reserved: u32,
        /// Pose of the joint frame in the child link.
        pub pose: Pose,
        /// First axis in the joint frame, a unit vector; zero for a joint without one.
        pub axis: [f64; 3],
    }
}

abi_struct! {
    /// What a joint transmits.
    pub struct JointWrench {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Force of the parent on the child through the joint, world frame, newtons: the mean over the step.
        pub force: [f64; 3],
        /// Torque of the parent on the child about the joint's origin, world frame, newton metres.
        pub torque: [f64; 3],
    }
}

abi_struct! {
    /// Extension `bridgehead.joints/1`: frames of joints and the forces in them.
    pub struct HostJoints {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// The joint that carries the sensor, for a `<sensor>` in a `<joint>`; NOT_FOUND for any other instance.
        /// `[thread: any] [state: any]`
        pub attached: unsafe extern "C" fn(host: *const Host, out: *mut u32) -> Status,
        /// Where a joint of the instance's model sits.
        /// `[thread: any] [state: any]`
        pub frame: unsafe extern "C" fn(host: *const Host, joint: u32, out: *mut JointFrame) -> Status,
        /// Asks that the wrench of a joint be computed from the next step on; it costs nothing for the others.
        /// `[thread: sim] [state: started]`
        pub watch: unsafe extern "C" fn(host: *const Host, joint: u32) -> Status,
        /// What a watched joint transmitted during the last step; NOT_FOUND before its first step.
        /// `[thread: sim] [state: started]`
        pub wrench: unsafe extern "C" fn(host: *const Host, joint: u32, out: *mut JointWrench) -> Status,
    }
}

/// `SpawnSpec::flags`: where the name is taken, `_1`, `_2`, … is appended.
pub const SPAWN_RENAME: u32 = 1;

abi_struct! {
    /// A model to add to the world.
    pub struct SpawnSpec {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Bits of the `SPAWN_` constants.
        pub flags: u32,
        /// SDF text: a whole `<sdf>` document with one model, or a `<model>` element alone.
        pub sdf: Str,
        /// Its name; empty for the name in the text.
        pub name: Str,
        /// Pose of the model frame in the world.
        pub pose: Pose,
    }
}

abi_struct! {
    /// Extension `bridgehead.world-edit/1`: changes of what the world consists of, applied before physics of
    /// the next step, in the order of the calls.
    pub struct HostWorldEdit {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Adds a model and writes its entity id. Text that is no model, or a name that is taken, is refused at
        /// once. Plugins and sensors inside the model are made when it comes, and start beside the run.
        /// `[thread: sim] [state: started]`
        pub spawn: unsafe extern "C" fn(host: *const Host, spec: *const SpawnSpec, out: *mut u64) -> Status,
        /// Removes an entity with everything that hangs on it, its plugins and bridges too.
        /// `[thread: sim] [state: started]`
        pub remove: unsafe extern "C" fn(host: *const Host, entity: u64) -> Status,
        /// Fixes two links of different models to each other as they stand when the next step begins, and
        /// writes the number of the bond.
        /// `[thread: sim] [state: started]`
        pub attach: unsafe extern "C" fn(
            host: *const Host, parent_link: u32, child_link: u32, out: *mut u64,
        ) -> Status,
        /// Ends a bond. A reset that restores the state ends every bond.
        /// `[thread: sim] [state: started]`
        pub detach: unsafe extern "C" fn(host: *const Host, bond: u64) -> Status,
    }
}
