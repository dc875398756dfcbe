//! The host as a plugin sees it: one [`Host`] object per library and per instance, and the extensions it
//! offers. A plugin passes the same `host` pointer back with each call, which is how the host knows who
//! calls; there is no process-global state.
//!
//! A function whose body panics, which is a defect of the host, returns PANIC. One without a status returns 0, null or
//! an empty text, and `should_stop` and `interrupted` return 1.

use core::ffi::c_void;

use crate::message::{Buffer, Message, Qos, TypeDesc};
use crate::{Bytes, Status, Str, basic::Pose};

abi_struct! {
    /// The host object handed to a library in `init` and to each instance in `create`.
    pub struct Host {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Looks up an extension by id, null if it is not offered to this caller. The object stays valid
        /// as long as this host object. Must not be called inside `create`.
        /// `[thread: any] [state: any]`
        pub get_extension: unsafe extern "C" fn(host: *const Host, id: Str) -> *const c_void,
        /// Says in words why the call now running will return a failure or a request. The last text given
        /// before the return counts.
        /// `[thread: any] [state: any]`
        pub explain: unsafe extern "C" fn(host: *const Host, text: Str),
    }
}

/// Log level: the run cannot go on as asked.
pub const LOG_ERROR: u32 = 1;
/// Log level: something is wrong and the run goes on.
pub const LOG_WARN: u32 = 2;
/// Log level: what an operator wants to know once.
pub const LOG_INFO: u32 = 3;
/// Log level: what a plugin's author wants to know.
pub const LOG_DEBUG: u32 = 4;
/// Log level: every detail.
pub const LOG_TRACE: u32 = 5;

abi_struct! {
    /// One log line.
    pub struct LogRecord {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// One of the `LOG_` constants.
        pub level: u32,
        /// Module or component inside the plugin; may be empty.
        pub target: Str,
        /// The text, without a trailing newline.
        pub text: Str,
        /// Source file; may be empty.
        pub file: Str,
        /// Source line; 0 when unknown.
        pub line: u32,
        /// 0.
        pub reserved: u32,
    }
}

abi_struct! {
    /// Extension `bridgehead.log/1`. Lines are tagged with the plugin and its vehicle.
    pub struct HostLog {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Whether a line of this level would be written: 1 or 0. Cheap; ask before formatting.
        /// `[thread: any] [state: any]`
        pub enabled: unsafe extern "C" fn(host: *const Host, level: u32) -> u8,
        /// Writes one line.
        /// `[thread: any] [state: any]`
        pub write: unsafe extern "C" fn(host: *const Host, record: *const LogRecord),
    }
}

abi_struct! {
    /// The simulated clock at one instant.
    pub struct ClockReading {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Counts resets.
        pub reset_epoch: u32,
        /// Simulated time in nanoseconds: `step * step_width_ns` since the last reset of time.
        pub time_ns: i64,
        /// Width of one step in nanoseconds.
        pub step_width_ns: i64,
        /// Number of the step in progress or last completed.
        pub step: u64,
        /// Achieved simulated seconds per wall second, averaged over about one second.
        pub real_time_factor: f64,
        /// 1 while the simulation is paused or stopped.
        pub paused: u32,
        /// 0.
        pub reserved: u32,
    }
}

abi_struct! {
    /// Extension `bridgehead.clock/1`.
    pub struct HostClock {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Reads the simulated clock; never blocks.
        /// `[thread: any] [state: any]`
        pub read: unsafe extern "C" fn(host: *const Host, out: *mut ClockReading),
        /// Nanoseconds of a monotonic wall clock, for time-outs towards peers only.
        /// `[thread: any] [state: any]`
        pub monotonic_ns: unsafe extern "C" fn(host: *const Host) -> i64,
    }
}

abi_struct! {
    /// Extension `bridgehead.params/1`: the parameters of this instance, from the world file and the
    /// configuration. A path is a chain of element names: `scan/horizontal/samples`, `wheel[1]/radius` for
    /// the second of several, `@type` at the end for an attribute. The host notes what was asked for, and
    /// after `awake` names parameters that were not read.
    pub struct HostParams {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// The text at `path`, trimmed; NOT_FOUND without it. Valid as long as the instance.
        /// `[thread: any] [state: any]`
        pub get: unsafe extern "C" fn(host: *const Host, path: Str, out: *mut Str) -> Status,
        /// How many elements `path` names; 0 for none.
        /// `[thread: any] [state: any]`
        pub count: unsafe extern "C" fn(host: *const Host, path: Str) -> u64,
        /// Where the value at `path` was written, as `file:line`; empty when unknown. Valid as long as the
        /// instance.
        /// `[thread: any] [state: any]`
        pub location: unsafe extern "C" fn(host: *const Host, path: Str) -> Str,
    }
}

abi_struct! {
    /// Extension `bridgehead.types/1`: the message types known to the host.
    pub struct HostTypes {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Registers a type and gives its id. Registering an equal descriptor again gives the same id;
        /// another descriptor under the same name is SCHEMA, as is one that ROS cannot express.
        /// `[thread: any] [state: any]`
        pub register: unsafe extern "C" fn(host: *const Host, desc: *const TypeDesc, out: *mut u32) -> Status,
        /// Finds a type by its protobuf full name or by its ROS name (`sensor_msgs/msg/Imu`).
        /// `[thread: any] [state: any]`
        pub find: unsafe extern "C" fn(host: *const Host, name: Str, out: *mut TypeDesc) -> Status,
        /// Describes a type by its id.
        /// `[thread: any] [state: any]`
        pub describe: unsafe extern "C" fn(host: *const Host, type_id: u32, out: *mut TypeDesc) -> Status,
    }
}

abi_struct! {
    /// Writable memory of the host for one message, to be filled and committed or abandoned.
    pub struct Loan {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// First writable byte.
        pub data: *mut u8,
        /// Writable bytes.
        pub capacity: usize,
        /// Belongs to the host.
        pub ctx: *mut c_void,
    }
}

abi_struct! {
    /// Extension `bridgehead.bus/1`: topics of the vehicle (or world) the instance is attached to.
    ///
    /// A topic given as `scan` becomes `/vehicle/scan`; one given with a leading slash is taken as it is.
    pub struct HostBus {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Announces a topic. `type_name` is a protobuf full name that was registered before. The publisher
        /// lives until the instance is destroyed.
        /// `[thread: main] [state: awake, starting, started]`
        pub advertise: unsafe extern "C" fn(
            host: *const Host, topic: Str, type_name: Str, qos: *const Qos, out: *mut *mut c_void,
        ) -> Status,
        /// How many listeners the topic has now; with 0 a sensor need not compute anything. A latched topic
        /// always counts one, because its last message is kept.
        /// `[thread: any] [state: any]`
        pub listeners: unsafe extern "C" fn(publisher: *mut c_void) -> u32,
        /// Publishes a payload; the host retains it. Never waits, except in front of a bridge whose queue
        /// is set to `block`, and then only on the simulation thread at the end of the phase.
        /// `[thread: any] [state: started]`
        pub publish: unsafe extern "C" fn(publisher: *mut c_void, stamp_ns: i64, payload: *const Buffer) -> Status,
        /// Borrows host memory of at least `capacity` bytes for one message.
        /// `[thread: any] [state: started]`
        pub loan: unsafe extern "C" fn(publisher: *mut c_void, capacity: usize, out: *mut Loan) -> Status,
        /// Publishes the first `len` bytes of a loan; the loan is used up, also on failure.
        /// `[thread: any] [state: started]`
        pub commit: unsafe extern "C" fn(publisher: *mut c_void, stamp_ns: i64, loan: *mut Loan, len: usize) -> Status,
        /// Gives a loan back unused. As after `commit`, its memory is the host's again.
        /// `[thread: any] [state: any]`
        pub abandon: unsafe extern "C" fn(publisher: *mut c_void, loan: *mut Loan),
        /// Asks for the messages of a topic, from bridges and from other plugins. `depth` of the quality of
        /// service bounds how many wait; the oldest goes first when more come. The subscription lives until
        /// the instance is destroyed.
        /// `[thread: main] [state: awake, starting, started]`
        pub subscribe: unsafe extern "C" fn(
            host: *const Host, topic: Str, type_name: Str, qos: *const Qos, out: *mut *mut c_void,
        ) -> Status,
        /// Takes the next waiting message; NOT_FOUND without one. Messages are latched in once per step, so
        /// every `take` of one step sees the same set. The message is valid until the next `take` on the
        /// same subscription.
        /// `[thread: sim] [state: started]`
        pub take: unsafe extern "C" fn(subscription: *mut c_void, out: *mut Message) -> Status,
    }
}

abi_struct! {
    /// A call of a service that waits for its answer.
    pub struct ServiceRequest {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Names the call in `reply`.
        pub id: u64,
        /// The request message. Valid until the next `take` on the same service.
        pub payload: *const Buffer,
    }
}

abi_struct! {
    /// Extension `bridgehead.services/1`: calls with an answer. Names follow the rule of topics.
    pub struct HostServices {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Announces a service with its request and response types (protobuf full names).
        /// `[thread: main] [state: awake, starting, started]`
        pub advertise: unsafe extern "C" fn(
            host: *const Host, name: Str, request: Str, response: Str, out: *mut *mut c_void,
        ) -> Status,
        /// Takes the next waiting call; NOT_FOUND without one.
        /// `[thread: sim] [state: started]`
        pub take: unsafe extern "C" fn(service: *mut c_void, out: *mut ServiceRequest) -> Status,
        /// Answers a call: `status` OK with a response payload, or a failure without one. Each call is
        /// answered once; calls left open when the instance stops are answered with INTERRUPTED.
        /// `[thread: any] [state: any]`
        pub reply: unsafe extern "C" fn(service: *mut c_void, id: u64, status: Status, payload: Bytes) -> Status,
    }
}

/// `Attachment::parent_link` of an instance that is not attached to a link.
pub const NO_LINK: u32 = u32::MAX;

abi_struct! {
    /// What an instance is attached to. Texts stay valid as long as the instance.
    pub struct Attachment {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Link that carries the sensor, or [`NO_LINK`].
        pub parent_link: u32,
        /// Name of the vehicle; empty for the world.
        pub vehicle: Str,
        /// Scoped name of the model (`car1`, `car1::arm`); empty for the world.
        pub model: Str,
        /// Name of the `<sensor>` or `<plugin>` element.
        pub element: Str,
        /// Unique path of the element (`car1/chassis/front_lidar`), the key of its random numbers.
        pub path: Str,
        /// Frame of the messages it publishes (`car1/chassis/front_lidar`).
        pub frame_id: Str,
        /// The `<topic>` of a sensor element; empty if none is given.
        pub topic: Str,
        /// The element as it stands in the world file; empty if it comes from elsewhere.
        pub xml: Str,
        /// Pose of the sensor in its parent link; of the model in the world for other plugins.
        pub pose: Pose,
        /// Nanoseconds between samples (`1 / update_rate`); 0 means every step.
        pub update_period_ns: i64,
        /// Seed of the run.
        pub seed: u64,
    }
}

abi_struct! {
    /// A link of the instance's model. Texts stay valid as long as the instance.
    pub struct LinkInfo {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Handle for `bridgehead.world/1`.
        pub link: u32,
        /// Name relative to the vehicle (`chassis`, `arm::upper`).
        pub name: Str,
        /// Frame id used in messages (`car1/chassis`).
        pub frame_id: Str,
        /// Pose in the model frame as loaded.
        pub pose: Pose,
        /// Mass in kilograms.
        pub mass: f64,
    }
}

/// `JointInfo::kind`: no motion.
pub const JOINT_FIXED: u32 = 0;
/// `JointInfo::kind`: rotation within limits, radians.
pub const JOINT_REVOLUTE: u32 = 1;
/// `JointInfo::kind`: rotation without limits, radians.
pub const JOINT_CONTINUOUS: u32 = 2;
/// `JointInfo::kind`: translation, metres.
pub const JOINT_PRISMATIC: u32 = 3;
/// `JointInfo::kind`: any other type; it has no single axis.
pub const JOINT_OTHER: u32 = 4;

abi_struct! {
    /// A joint of the instance's model. Texts stay valid as long as the instance.
    pub struct JointInfo {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Handle for `bridgehead.world/1` and `bridgehead.command/1`.
        pub joint: u32,
        /// One of the `JOINT_` constants.
        pub kind: u32,
        /// 0.
        pub reserved: u32,
        /// Name relative to the vehicle.
        pub name: Str,
        /// Lower limit in radians or metres; minus infinity without one.
        pub lower: f64,
        /// Upper limit in radians or metres; infinity without one.
        pub upper: f64,
        /// Largest effort in N·m or N; infinity without a limit.
        pub effort: f64,
        /// Largest speed in rad/s or m/s; infinity without a limit.
        pub velocity: f64,
    }
}

abi_struct! {
    /// Extension `bridgehead.model/1`: what the instance is attached to and what its model consists of.
    pub struct HostModel {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Describes the attachment.
        /// `[thread: any] [state: any]`
        pub attachment: unsafe extern "C" fn(host: *const Host, out: *mut Attachment) -> Status,
        /// Describes link `index` of the model, in document order; NOT_FOUND beyond the last.
        /// `[thread: any] [state: any]`
        pub link: unsafe extern "C" fn(host: *const Host, index: u32, out: *mut LinkInfo) -> Status,
        /// Describes joint `index` of the model, in document order; NOT_FOUND beyond the last.
        /// `[thread: any] [state: any]`
        pub joint: unsafe extern "C" fn(host: *const Host, index: u32, out: *mut JointInfo) -> Status,
    }
}

abi_struct! {
    /// Motion of a link in the world frame.
    pub struct LinkState {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Pose of the link frame.
        pub pose: Pose,
        /// Velocity of the link frame's origin, m/s.
        pub linear: [f64; 3],
        /// Angular velocity, rad/s.
        pub angular: [f64; 3],
    }
}

abi_struct! {
    /// Motion of a joint; all values are NaN if it has not one axis.
    pub struct JointState {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Radians (not wrapped) or metres.
        pub position: f64,
        /// rad/s or m/s.
        pub velocity: f64,
        /// Effort in the last step, N·m or N: all that acts along the axis if the joint is watched, otherwise an
        /// estimate of what the command applies.
        pub effort: f64,
    }
}

abi_struct! {
    /// Rays to be cast in one call, all seen from one frame.
    pub struct RayBatch {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Link whose own shapes are ignored, or [`NO_LINK`].
        pub ignore_link: u32,
        /// The frame of origins and directions, in the world.
        pub frame: Pose,
        /// `count` unit vectors in that frame.
        pub directions: *const [f64; 3],
        /// `count` origins in that frame, or null for its origin.
        pub origins: *const [f64; 3],
        /// Number of rays.
        pub count: usize,
        /// Hits closer than this are passed through, metres.
        pub range_min: f64,
        /// Hits beyond this are none, metres.
        pub range_max: f64,
    }
}

abi_struct! {
    /// What one ray hit.
    pub struct RayHit {
        /// Metres from the ray's origin; infinity for no hit.
        pub distance: f64,
        /// Surface normal in the world frame, towards the ray; zero for no hit.
        pub normal: [f64; 3],
        /// Id of the entity that was hit; 0 for none.
        pub entity: u64,
    }
}

abi_struct! {
    /// Extension `bridgehead.world/1`: the world as it stands in the present phase of the step.
    pub struct HostWorld {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Motion of a link.
        /// `[thread: sim] [state: started]`
        pub link_state: unsafe extern "C" fn(host: *const Host, link: u32, out: *mut LinkState) -> Status,
        /// Motion of a joint.
        /// `[thread: sim] [state: started]`
        pub joint_state: unsafe extern "C" fn(host: *const Host, joint: u32, out: *mut JointState) -> Status,
        /// Casts `batch->count` rays into `hits`.
        /// `[thread: sim] [state: started]`
        pub cast_rays: unsafe extern "C" fn(host: *const Host, batch: *const RayBatch, hits: *mut RayHit) -> Status,
        /// Gravity in the world frame, m/s².
        /// `[thread: any] [state: any]`
        pub gravity: unsafe extern "C" fn(host: *const Host, out: *mut [f64; 3]) -> Status,
    }
}

abi_struct! {
    /// Extension `bridgehead.command/1`: effects on the world, applied before physics of the next step.
    /// A joint command stays in force until the next one.
    pub struct HostCommand {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Drives a joint towards a velocity (rad/s or m/s) with at most `max_effort` (N·m or N; infinity
        /// for the joint's own limit).
        /// `[thread: sim] [state: started]`
        pub joint_velocity: unsafe extern "C" fn(host: *const Host, joint: u32, velocity: f64, max_effort: f64) -> Status,
        /// Drives a joint towards a position with a spring (`stiffness`, effort per unit of position) and a
        /// damper (`damping`, effort per unit of velocity), with at most `max_effort`.
        /// `[thread: sim] [state: started]`
        pub joint_position: unsafe extern "C" fn(
            host: *const Host, joint: u32, position: f64, stiffness: f64, damping: f64, max_effort: f64,
        ) -> Status,
        /// Applies an effort (N·m or N) to a joint until the next command.
        /// `[thread: sim] [state: started]`
        pub joint_effort: unsafe extern "C" fn(host: *const Host, joint: u32, effort: f64) -> Status,
        /// Applies a force (N) and torque (N·m), world frame, at the centre of mass during the next step.
        /// `[thread: sim] [state: started]`
        pub link_wrench: unsafe extern "C" fn(
            host: *const Host, link: u32, force: *const [f64; 3], torque: *const [f64; 3],
        ) -> Status,
        /// Sets the velocity of a link's whole model, world frame: m/s and rad/s.
        /// `[thread: sim] [state: started]`
        pub model_velocity: unsafe extern "C" fn(
            host: *const Host, link: u32, linear: *const [f64; 3], angular: *const [f64; 3],
        ) -> Status,
        /// Places the instance's model: pose of the model frame in the world.
        /// `[thread: sim] [state: started]`
        pub model_pose: unsafe extern "C" fn(host: *const Host, pose: *const Pose) -> Status,
    }
}

abi_struct! {
    /// Extension `bridgehead.lifecycle/1`: what an instance reports and asks for outside its calls.
    pub struct HostLifecycle {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Ends a `start` that returned PENDING: OK, or a failure with a text.
        /// `[thread: any] [state: starting]`
        pub started: unsafe extern "C" fn(host: *const Host, status: Status, text: Str) -> Status,
        /// Asks for something: one of the `REQUEST_` status codes, with a reason.
        /// `[thread: any] [state: any]`
        pub request: unsafe extern "C" fn(host: *const Host, request: Status, reason: Str) -> Status,
        /// Acknowledges a reset notice that returned PENDING.
        /// `[thread: any] [state: any]`
        pub acknowledge: unsafe extern "C" fn(host: *const Host, ticket: u64) -> Status,
        /// Reports a failure that no running call can return: a stable code and a text.
        /// `[thread: any] [state: any]`
        pub report_error: unsafe extern "C" fn(host: *const Host, code: Str, text: Str),
    }
}

abi_struct! {
    /// Extension `bridgehead.lockstep/1`: a bridge that feeds commands for exact steps holds the simulation
    /// until it has delivered them.
    pub struct HostLockstep {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// From now on no step runs beyond the last released one.
        /// `[thread: main] [state: created, disconnected]`
        pub hold: unsafe extern "C" fn(host: *const Host) -> Status,
        /// Everything for steps up to and including `step` has been delivered; `UINT64_MAX` ends the hold.
        /// `[thread: any] [state: any]`
        pub release_through: unsafe extern "C" fn(host: *const Host, step: u64) -> Status,
    }
}

abi_struct! {
    /// What a plugin's thread runs.
    pub struct ThreadBody {
        /// Passed to `run`.
        pub arg: *mut c_void,
        /// The thread's body; returns soon after `should_stop` says so.
        /// `[thread: plugin] [state: any]`
        pub run: unsafe extern "C" fn(arg: *mut c_void),
    }
}

abi_struct! {
    /// Extension `bridgehead.threads/1`: threads of a plugin that the host names, counts and joins before
    /// `stop` or `disconnect` is over. A plugin makes no threads in any other way.
    pub struct HostThreads {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Starts a thread that runs `body`, which is copied.
        /// `[thread: any] [state: any]`
        pub spawn: unsafe extern "C" fn(host: *const Host, name: Str, body: *const ThreadBody) -> Status,
        /// 1 once the instance's threads should end.
        /// `[thread: any] [state: any]`
        pub should_stop: unsafe extern "C" fn(host: *const Host) -> u8,
    }
}
