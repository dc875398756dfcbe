//! Model plugins: sensors, actuators, controllers and world plugins.

use core::ffi::c_void;

use crate::{Bytes, Host, Status};

abi_struct! {
    /// The factory of a model plugin, one object per process.
    pub struct ModelFactory {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Registers the library's own message types through the library's host object. Called once.
        /// `[thread: main] [state: any]`
        pub register: unsafe extern "C" fn(host: *const Host) -> Status,
        /// Makes an instance and fills `out`. Calls no host function; the instance may use `host` from its
        /// first call on, until it is destroyed.
        /// `[thread: main] [state: any]`
        pub create: unsafe extern "C" fn(host: *const Host, out: *mut ModelInstance) -> Status,
    }
}

// SAFETY: a factory is immutable and holds function pointers only.
unsafe impl Sync for ModelFactory {}

abi_struct! {
    /// The step a call belongs to.
    pub struct StepInfo {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Counts resets.
        pub reset_epoch: u32,
        /// Simulated time at the end of the physics step, nanoseconds.
        pub time_ns: i64,
        /// Width of the step, nanoseconds.
        pub width_ns: i64,
        /// Number of the step since the last reset of time, from 1: `time_ns` is `step * width_ns`.
        pub step: u64,
    }
}

abi_struct! {
    /// Extension `bridgehead.sample-times/1` of an instance: the steps in which its `sample` has something to do. The
    /// host looks it up once the instance has started, and need not call `sample` in other steps; it may.
    pub struct SampleTimes {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// How many steps before each of them `sample` is wanted too: 1 if it measures a change over one step.
        pub steps_before: u32,
        /// Something is to be done in the first step that ends at or after each multiple of this simulated time,
        /// nanoseconds; 0 for every step.
        pub period_ns: i64,
    }
}

abi_struct! {
    /// Extension `bridgehead.world-save/1` of an instance: elements of its own in a saved world. The host looks it up
    /// each time a world is saved.
    pub struct WorldSave {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Writes XML elements as UTF-8 text, `ctx` being that of the instance. They become the content of the element
        /// [`SAVED_ELEMENT`] in the instance's own element, in place of what an earlier save wrote there, and are among
        /// the parameters of the next run. Writing no bytes takes that element out; not writing at all leaves the file
        /// as it is.
        /// `[thread: main] [state: started]`
        pub elements: unsafe extern "C" fn(ctx: *mut c_void, writer: *const StateWriter) -> Status,
    }
}

/// Name of the element, inside the element of a plugin, that holds what [`WorldSave`] contributed.
pub const SAVED_ELEMENT: &str = "bridgehead:saved";

abi_struct! {
    /// Takes the bytes of a saved state, or the text of saved elements.
    pub struct StateWriter {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Appends bytes; keeps a copy of them.
        /// `[thread: main] [state: any]`
        pub write: unsafe extern "C" fn(writer: *const StateWriter, bytes: Bytes) -> Status,
    }
}

abi_struct! {
    /// One model plugin on a model, a sensor or the world. Filled by `create`; its functions get `ctx`
    /// first. Optional functions are null if the plugin has nothing to do. Any call may return a
    /// `REQUEST_` status with a reason given to `explain`.
    pub struct ModelInstance {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the plugin.
        pub ctx: *mut c_void,
        /// Reads parameters, advertises topics and looks up links and joints.
        /// `[thread: main] [state: created]`
        pub awake: unsafe extern "C" fn(ctx: *mut c_void) -> Status,
        /// Gets ready to run; may return PENDING and report through `bridgehead.lifecycle/1`. Null where
        /// `awake` was enough.
        /// `[thread: main] [state: awake, stopped]`
        pub start: Option<unsafe extern "C" fn(ctx: *mut c_void) -> Status>,
        /// Every plugin of the world has started. Null if that does not matter.
        /// `[thread: main] [state: started]`
        pub all_started: Option<unsafe extern "C" fn(ctx: *mut c_void) -> Status>,
        /// Back to the state after `start`, within the scope bits. Also called once before the first step.
        /// `[thread: sim] [state: started]`
        pub reset: unsafe extern "C" fn(ctx: *mut c_void, scope: u32) -> Status,
        /// After physics: sensors look at the world and publish.
        /// `[thread: sim] [state: started]`
        pub sample: Option<unsafe extern "C" fn(ctx: *mut c_void, step: *const StepInfo) -> Status>,
        /// After all samples, with the commands of this step latched in: controllers read them and command
        /// the actuators.
        /// `[thread: sim] [state: started]`
        pub control: Option<unsafe extern "C" fn(ctx: *mut c_void, step: *const StepInfo) -> Status>,
        /// The simulation is paused.
        /// `[thread: main] [state: started]`
        pub pause: Option<unsafe extern "C" fn(ctx: *mut c_void) -> Status>,
        /// The simulation goes on.
        /// `[thread: main] [state: started]`
        pub resume: Option<unsafe extern "C" fn(ctx: *mut c_void) -> Status>,
        /// The run ends; `start` may follow, or `destroy`.
        /// `[thread: main] [state: started]`
        pub stop: Option<unsafe extern "C" fn(ctx: *mut c_void) -> Status>,
        /// Writes the plugin's state for a snapshot, a version of its own first. Null if a plugin remembers nothing
        /// or cannot give it away; the metadata field `state` says which (`saved`, `nothing`, `unsaved`).
        /// `[thread: main] [state: started]`
        pub save: Option<unsafe extern "C" fn(ctx: *mut c_void, writer: *const StateWriter) -> Status>,
        /// Restores what `save` wrote, after a `reset`; refuses bytes it does not know and is then reset again. The bytes
        /// live for the call.
        /// `[thread: main] [state: started]`
        pub load: Option<unsafe extern "C" fn(ctx: *mut c_void, bytes: Bytes) -> Status>,
        /// Looks up an extension of the instance by id; null for an unknown id.
        /// `[thread: any] [state: any]`
        pub get_extension: unsafe extern "C" fn(ctx: *mut c_void, id: crate::Str) -> *const c_void,
        /// Ends the instance.
        /// `[thread: main] [state: any]`
        pub destroy: unsafe extern "C" fn(ctx: *mut c_void),
    }
}
