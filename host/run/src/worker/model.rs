//! An instance of a model plugin that runs in a worker: each of its functions is a call to the worker.
//!
//! If the worker ends, the call that was running fails, and with it the instance, like one that returns an error: the host
//! disables it, and the run continues as `on_failure` says. A world that is loaded again has new instances.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use bridgehead_abi::model::{ModelInstance, StepInfo};
use bridgehead_abi::{Host, Status, extension, model as raw, status};
use bridgehead_plugin_api::objects::{ElementsObject, ModelObject, ModelRef, WriterRef};

use super::dispatcher::Dispatcher;
use super::forward::HostObject;
use super::plugin::{IsolatedPlugin, end};
use super::process::Process;
use super::wire::{Call, Lane, ModelCall, Step};
use crate::api::context::Context;
use crate::api::hosting::host_object;
use crate::guard::host_call;

/// An instance.
struct Isolated {
    label: String,
    /// Which optional functions the plugin has.
    has: u32,
    dispatcher: Arc<Dispatcher>,
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
    let dispatcher = Dispatcher::new(object.clone(), Some(object));
    let (process, returned) = match plugin.start(&context.label, &dispatcher) {
        Ok(started) => started,
        Err(code) => return code,
    };
    let (label, has) = (context.label.clone(), returned.value);
    let instance = Arc::new(Isolated { label, has, dispatcher, process, sample_times: OnceLock::new() });
    // SAFETY: the caller vouches for the memory.
    unsafe { out.write(ModelRef::table_of(instance)) };
    status::OK
}

impl Isolated {
    fn call(&self, call: ModelCall<'_>) -> Status {
        self.process.call(Lane::Main, Call::Model(call)).map_or_else(|code| code, |returned| returned.status)
    }

    /// Makes a call in which the plugin writes bytes.
    fn written(&self, call: ModelCall<'_>, writer: WriterRef<'_>) -> Status {
        self.dispatcher.model.writer.during(writer.as_raw(), || self.call(call))
    }

    fn sample_times(&self) -> *const c_void {
        if self.call(ModelCall::SampleTimes) != status::OK {
            return std::ptr::null();
        }
        let Some((steps_before, period_ns)) = self.dispatcher.model.sample_times() else {
            return std::ptr::null();
        };
        let times = raw::SampleTimes { struct_size: raw::SampleTimes::SIZE, steps_before, period_ns };
        std::ptr::from_ref(self.sample_times.get_or_init(|| times)).cast()
    }

    fn has_elements(&self) -> bool {
        let returned = self.process.call(Lane::Main, Call::Model(ModelCall::HasElements));
        returned.is_ok_and(|returned| returned.value != 0)
    }
}

host_object!(Isolated, |instance| Some(&instance.label));

fn step_of(step: &StepInfo) -> Step {
    Step { reset_epoch: step.reset_epoch, time_ns: step.time_ns, width_ns: step.width_ns, step: step.step }
}

impl ModelObject for Isolated {
    fn awake(&self) -> Status {
        self.call(ModelCall::Awake)
    }

    fn start(&self) -> Status {
        self.call(ModelCall::Start)
    }

    fn all_started(&self) -> Status {
        self.call(ModelCall::AllStarted)
    }

    fn reset(&self, scope: u32) -> Status {
        self.call(ModelCall::Reset { scope })
    }

    fn sample(&self, step: &StepInfo) -> Status {
        self.call(ModelCall::Sample(step_of(step)))
    }

    fn control(&self, step: &StepInfo) -> Status {
        self.call(ModelCall::Control(step_of(step)))
    }

    fn pause(&self) -> Status {
        self.call(ModelCall::Pause)
    }

    fn resume(&self) -> Status {
        self.call(ModelCall::Resume)
    }

    fn stop(&self) -> Status {
        self.call(ModelCall::Stop)
    }

    fn save(&self, writer: WriterRef<'_>) -> Status {
        self.written(ModelCall::Save, writer)
    }

    fn load(&self, state: &[u8]) -> Status {
        self.call(ModelCall::Load { state })
    }

    fn get_extension(&self, id: &[u8]) -> *const c_void {
        match std::str::from_utf8(id) {
            Ok(extension::SAMPLE_TIMES) => self.sample_times(),
            Ok(extension::WORLD_SAVE) if self.has_elements() => Self::world_save(),
            _ => std::ptr::null(),
        }
    }

    fn has(&self) -> u32 {
        self.has
    }

    fn destroy(self: Arc<Self>) {
        host_call("model.destroy", (), || end(&self.process));
    }
}

impl ElementsObject for Isolated {
    fn elements(&self, writer: WriterRef<'_>) -> Status {
        self.written(ModelCall::Elements, writer)
    }
}
