//! An instance of a model plugin that runs in a worker: the functions of [`ModelInstance`], each of which is a call to the
//! worker.
//!
//! If the worker ends, the call that was running fails, and with it the instance, like one that returns an error: the host
//! disables it, and the run continues as `on_failure` says. A world that is loaded again has new instances.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use bridgehead_abi::model::{self as raw, ModelInstance, StateWriter, StepInfo};
use bridgehead_abi::{Bytes, Host, Status, Str, extension, status};

use super::desk::Desk;
use super::forward::HostObject;
use super::library::IsolatedPlugin;
use super::process::Process;
use super::wire::{Call, HasModel, Lane, ModelCall, Step};
use crate::api::Context;
use crate::guard::host_call;

/// An instance.
struct Isolated {
    desk: Arc<Desk>,
    process: Arc<Process>,
    /// What the plugin has said about its steps.
    sample_times: OnceLock<raw::SampleTimes>,
}

/// Makes an instance in a worker of its own.
///
/// # Safety
/// `host` must be valid until the instance is destroyed, and `out` memory for the result.
pub(super) unsafe fn create(plugin: &IsolatedPlugin, host: *const Host, out: *mut ModelInstance) -> Status {
    // SAFETY: the caller vouches for the object.
    let (context, object) = unsafe { (Context::from_host(host), HostObject::of_instance(host)) };
    let desk = Desk::new(object.clone(), Some(object));
    let (process, returned) = match plugin.start(&context.label, &desk) {
        Ok(started) => started,
        Err(code) => return code,
    };
    let has = |bit: u32| returned.value & bit != 0;
    let instance = Box::new(Isolated { desk, process, sample_times: OnceLock::new() });
    let functions = ModelInstance {
        struct_size: ModelInstance::SIZE,
        reserved: 0,
        ctx: Box::into_raw(instance).cast(),
        awake,
        start: has(HasModel::START).then_some(start),
        all_started: has(HasModel::ALL_STARTED).then_some(all_started),
        reset,
        sample: has(HasModel::SAMPLE).then_some(sample),
        control: has(HasModel::CONTROL).then_some(control),
        pause: has(HasModel::PAUSE).then_some(pause),
        resume: has(HasModel::RESUME).then_some(resume),
        stop: has(HasModel::STOP).then_some(stop),
        save: has(HasModel::SAVE).then_some(save),
        load: has(HasModel::LOAD).then_some(load),
        get_extension,
        destroy,
    };
    // SAFETY: the caller vouches for the memory.
    unsafe { out.write(functions) };
    status::OK
}

impl Isolated {
    /// # Safety
    /// `ctx` must be that of an instance that is alive.
    unsafe fn of<'a>(ctx: *mut c_void) -> &'a Self {
        // SAFETY: the caller vouches for it.
        unsafe { &*ctx.cast::<Isolated>() }
    }

    fn call(&self, call: ModelCall<'_>) -> Status {
        self.process.call(Lane::Main, Call::Model(call)).map_or_else(|code| code, |returned| returned.status)
    }

    /// Makes a call in which the plugin writes bytes.
    fn write(&self, call: ModelCall<'_>, writer: *const StateWriter) -> Status {
        self.desk.model.while_writing(writer, || self.call(call))
    }

    fn sample_times(&self) -> *const c_void {
        if self.call(ModelCall::SampleTimes) != status::OK {
            return std::ptr::null();
        }
        let Some((steps_before, period_ns)) = self.desk.model.sample_times() else { return std::ptr::null() };
        let times = raw::SampleTimes { struct_size: raw::SampleTimes::SIZE, steps_before, period_ns };
        std::ptr::from_ref(self.sample_times.get_or_init(|| times)).cast()
    }

    fn world_save(&self) -> *const c_void {
        static WORLD_SAVE: raw::WorldSave =
            raw::WorldSave { struct_size: raw::WorldSave::SIZE, reserved: 0, elements };
        match self.process.call(Lane::Main, Call::Model(ModelCall::HasElements)) {
            Ok(returned) if returned.value != 0 => std::ptr::from_ref(&WORLD_SAVE).cast(),
            Ok(_) | Err(_) => std::ptr::null(),
        }
    }
}

/// Functions without arguments.
macro_rules! plain {
    ($($name:ident = $call:ident),*) => {$(
        unsafe extern "C" fn $name(ctx: *mut c_void) -> Status {
            host_call(concat!("worker.", stringify!($name)), status::PANIC, || {
                // SAFETY: the host passes its instance.
                unsafe { Isolated::of(ctx) }.call(ModelCall::$call)
            })
        }
    )*};
}

plain! { awake = Awake, start = Start, all_started = AllStarted, pause = Pause, resume = Resume, stop = Stop }

unsafe extern "C" fn reset(ctx: *mut c_void, scope: u32) -> Status {
    host_call("worker.reset", status::PANIC, || {
        // SAFETY: the host passes its instance.
        unsafe { Isolated::of(ctx) }.call(ModelCall::Reset { scope })
    })
}

/// # Safety
/// `step` must point to a step.
unsafe fn step_of(step: *const StepInfo) -> Step {
    // SAFETY: the caller vouches for it.
    let step = unsafe { &*step };
    Step { reset_epoch: step.reset_epoch, time_ns: step.time_ns, width_ns: step.width_ns, step: step.step }
}

unsafe extern "C" fn sample(ctx: *mut c_void, step: *const StepInfo) -> Status {
    host_call("worker.sample", status::PANIC, || {
        // SAFETY: the host passes its instance, and a step valid for the call.
        unsafe { Isolated::of(ctx).call(ModelCall::Sample(step_of(step))) }
    })
}

unsafe extern "C" fn control(ctx: *mut c_void, step: *const StepInfo) -> Status {
    host_call("worker.control", status::PANIC, || {
        // SAFETY: as above.
        unsafe { Isolated::of(ctx).call(ModelCall::Control(step_of(step))) }
    })
}

unsafe extern "C" fn save(ctx: *mut c_void, writer: *const StateWriter) -> Status {
    host_call("worker.save", status::PANIC, || {
        // SAFETY: the host passes its instance; the writer lives for the call.
        unsafe { Isolated::of(ctx) }.write(ModelCall::Save, writer)
    })
}

unsafe extern "C" fn elements(ctx: *mut c_void, writer: *const StateWriter) -> Status {
    host_call("worker.saved_elements", status::PANIC, || {
        // SAFETY: as above.
        unsafe { Isolated::of(ctx) }.write(ModelCall::Elements, writer)
    })
}

unsafe extern "C" fn load(ctx: *mut c_void, bytes: Bytes) -> Status {
    host_call("worker.load", status::PANIC, || {
        // SAFETY: the host passes its instance, and bytes valid for the call.
        let (instance, state) = unsafe { (Isolated::of(ctx), bytes.as_slice()) };
        instance.call(ModelCall::Load { state })
    })
}

unsafe extern "C" fn get_extension(ctx: *mut c_void, id: Str) -> *const c_void {
    host_call("worker.get_extension", std::ptr::null(), || {
        // SAFETY: the host passes its instance, and a text valid for the call.
        let (instance, id) = unsafe { (Isolated::of(ctx), id.as_str()) };
        match id {
            Some(extension::SAMPLE_TIMES) => instance.sample_times(),
            Some(extension::WORLD_SAVE) => instance.world_save(),
            _ => std::ptr::null(),
        }
    })
}

unsafe extern "C" fn destroy(ctx: *mut c_void) {
    host_call("worker.destroy", (), || {
        // SAFETY: the host destroys the instance that `create` gave away, once.
        let Isolated { process, .. } = *unsafe { Box::from_raw(ctx.cast::<Isolated>()) };
        if !process.has_ended() {
            // A failure has been reported.
            _ = process.call(Lane::Main, Call::Destroy);
        }
        process.close();
    })
}
