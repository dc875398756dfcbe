//! The instance of a model plugin in a worker: makes the calls that the host sends.

use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridgehead_abi::model::{self as raw, ModelFactory, ModelInstance, StateWriter, StepInfo};
use bridgehead_abi::{Bytes, Status, Str, extension, status};

use super::super::wire::{self, HasModel, ModelCall, ModelRequest, Request, Returned};
use super::host::{INSTANCE_HOST, IS_MODEL};
use super::remote::with_world;
use super::{library_host, link, threads};
use crate::call::{self, Owner, StepCall};
use crate::guard::host_call;
use crate::plugin::{CreateError, create_instance};

/// How long threads of the plugin may take to end.
const THREADS_DEADLINE: Duration = Duration::from_secs(2);

/// The functions of the instance, all of which are called on the main thread.
struct Instance(ModelInstance);

// SAFETY: `ctx` is only passed back, on one thread.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

/// The one instance of the process, if it is that of a model plugin.
#[derive(Default)]
pub(super) struct Model {
    instance: OnceLock<(Instance, Owner)>,
    is_destroyed: AtomicBool,
}

impl Model {
    /// Lets a factory register its types.
    pub(super) fn register(factory: &ModelFactory, name: &str) -> Returned {
        // SAFETY: the loader has checked the factory; the host object is static.
        call::during(name, "register", || unsafe { (factory.register)(library_host()) }).into()
    }

    /// Lets a factory make the instance. Returns which functions it has.
    pub(super) fn create(&self, factory: &ModelFactory, name: &str) -> Option<Returned> {
        let registered = Model::register(factory, name);
        if registered.status < status::OK {
            return Some(registered);
        }
        IS_MODEL.store(true, Ordering::Release);
        let host = &raw const INSTANCE_HOST.abi;
        // SAFETY: the loader has checked the factory, whose `create` fills in its argument or fails.
        let created: Result<ModelInstance, _> =
            unsafe { create_instance(name, &std::sync::Arc::new(()), |out| (factory.create)(host, out)) };
        let raw = match created {
            Ok(raw) => raw,
            Err(CreateError::Failed(code)) => return Some(code.into()),
            Err(error) => {
                let text = error.to_string();
                link().tell(Request::Explain { caller: wire::Caller::Instance, text: text.as_bytes() });
                return Some(status::INVALID_ARG.into());
            }
        };
        let has = [
            (raw.start.is_some(), HasModel::START),
            (raw.all_started.is_some(), HasModel::ALL_STARTED),
            (raw.sample.is_some(), HasModel::SAMPLE),
            (raw.control.is_some(), HasModel::CONTROL),
            (raw.pause.is_some(), HasModel::PAUSE),
            (raw.resume.is_some(), HasModel::RESUME),
            (raw.stop.is_some(), HasModel::STOP),
            (raw.save.is_some(), HasModel::SAVE),
            (raw.load.is_some(), HasModel::LOAD),
        ];
        let value = has.iter().filter(|(has, _)| *has).map(|(_, bit)| bit).sum();
        self.instance.set((Instance(raw), Owner::new(name))).ok()?;
        Some(Returned { status: status::OK, value, connection: None })
    }

    fn instance(&self) -> Option<(&ModelInstance, &Owner)> {
        let (Instance(raw), name) = self.instance.get()?;
        (!self.is_destroyed.load(Ordering::Acquire)).then_some((raw, name))
    }

    /// Makes a call of the host.
    pub(super) fn make(&self, call: &ModelCall<'_>) -> Option<Returned> {
        let (raw, name) = self.instance()?;
        if matches!(call, ModelCall::Stop) {
            threads::join(THREADS_DEADLINE);
        }
        let make = || match call {
            ModelCall::Reset { .. }
            | ModelCall::Sample(_)
            | ModelCall::Control(_)
            | ModelCall::Save
            | ModelCall::Load { .. } => with_world(|| make(raw, call)),
            _ => make(raw, call),
        };
        Some(match call {
            ModelCall::Sample(_) => call::in_step(name, StepCall::Sample, make),
            ModelCall::Control(_) => call::in_step(name, StepCall::Control, make),
            _ => call::during(name, call.name(), make),
        })
    }

    /// Destroys the instance, if that was not done yet.
    pub(super) fn destroy(&self) {
        let Some((raw, name)) = self.instance() else { return };
        self.is_destroyed.store(true, Ordering::Release);
        threads::join(THREADS_DEADLINE);
        // SAFETY: the last call of the instance: its threads have ended.
        call::during(name, "destroy", || unsafe { (raw.destroy)(raw.ctx) });
    }
}

type PlainCall = unsafe extern "C" fn(*mut c_void) -> Status;
type StepFunction = unsafe extern "C" fn(*mut c_void, *const StepInfo) -> Status;

fn make(raw: &ModelInstance, call: &ModelCall<'_>) -> Returned {
    let ctx = raw.ctx;
    // SAFETY: the functions are those of the instance, which is alive; arguments live for the call.
    let plain =
        |function: Option<PlainCall>| function.map_or(status::OK, |function| unsafe { function(ctx) });
    let step = |function: Option<StepFunction>, step: &wire::Step| {
        let info = StepInfo {
            struct_size: StepInfo::SIZE,
            reset_epoch: step.reset_epoch,
            time_ns: step.time_ns,
            width_ns: step.width_ns,
            step: step.step,
        };
        // SAFETY: as above.
        function.map_or(status::OK, |function| unsafe { function(ctx, &raw const info) })
    };
    match call {
        ModelCall::Awake => plain(Some(raw.awake)),
        ModelCall::Start => plain(raw.start),
        ModelCall::AllStarted => plain(raw.all_started),
        ModelCall::Pause => plain(raw.pause),
        ModelCall::Resume => plain(raw.resume),
        ModelCall::Stop => plain(raw.stop),
        // SAFETY: as above.
        ModelCall::Reset { scope } => unsafe { (raw.reset)(ctx, *scope) },
        ModelCall::Sample(info) => step(raw.sample, info),
        ModelCall::Control(info) => step(raw.control, info),
        ModelCall::Save => {
            // SAFETY: as above.
            raw.save.map_or(status::OK, |save| unsafe { save(ctx, &raw const WRITER.0) })
        }
        ModelCall::Load { state } => {
            // SAFETY: as above.
            raw.load.map_or(status::OK, |load| unsafe { load(ctx, Bytes::new(state)) })
        }
        ModelCall::SampleTimes => tell_sample_times(raw),
        ModelCall::HasElements => {
            let value = u32::from(world_save(raw).is_some());
            return Returned { status: status::OK, value, connection: None };
        }
        ModelCall::Elements => {
            // SAFETY: as above.
            world_save(raw).map_or(status::OK, |table| unsafe { (table.elements)(ctx, &raw const WRITER.0) })
        }
    }
    .into()
}

/// An extension of the instance.
///
/// # Safety
/// The id must be documented with this struct.
unsafe fn extension_of<'a, T>(raw: &'a ModelInstance, id: &str) -> Option<&'a T> {
    // SAFETY: the ABI allows this call on any thread; the caller vouches for the struct, which lives as long as the instance.
    unsafe { (raw.get_extension)(raw.ctx, Str::new(id)).cast::<T>().as_ref() }
}

fn world_save(raw: &ModelInstance) -> Option<&raw::WorldSave> {
    // SAFETY: the id is documented with this struct.
    let found = unsafe { extension_of::<raw::WorldSave>(raw, extension::WORLD_SAVE) };
    found.filter(|table| table.struct_size >= raw::WorldSave::SIZE)
}

/// Tells the host in which steps the plugin samples. NOT_FOUND if it has not said that.
fn tell_sample_times(raw: &ModelInstance) -> Status {
    // SAFETY: the id is documented with this struct.
    let found = unsafe { extension_of::<raw::SampleTimes>(raw, extension::SAMPLE_TIMES) };
    match found.filter(|times| times.struct_size >= raw::SampleTimes::SIZE) {
        Some(times) => {
            let (steps_before, period_ns) = (times.steps_before, times.period_ns);
            link().ask(Request::Model(ModelRequest::SampleTimes { steps_before, period_ns }), |answer| {
                answer.status()
            })
        }
        None => status::NOT_FOUND,
    }
}

/// The writer of states and elements.
struct Writer(StateWriter);

// SAFETY: it is immutable.
unsafe impl Sync for Writer {}

static WRITER: Writer =
    Writer(StateWriter { struct_size: StateWriter::SIZE, reserved: 0, ctx: std::ptr::null_mut(), write });

unsafe extern "C" fn write(_: *const StateWriter, bytes: Bytes) -> Status {
    host_call("state_writer.write", status::PANIC, || {
        // SAFETY: plugins pass bytes valid for the call.
        let bytes = unsafe { bytes.as_slice() };
        link().ask(Request::Model(ModelRequest::Write { bytes }), |answer| answer.status())
    })
}
