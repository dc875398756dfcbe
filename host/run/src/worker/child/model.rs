//! The instance of a model plugin in a worker: makes the calls that the host sends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use bridgehead_abi::model::{ModelFactory, ModelInstance, SampleTimes, StateWriter, StepInfo};
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::objects::{ModelRef, Offered, WriterObject};

use super::host::{INSTANCE_HOST, IS_MODEL, library_host};
use super::remote::with_world;
use super::{link, threads};
use crate::api::hosting::host_object;
use crate::call;
use crate::call::{Owner, StepCall};
use crate::plugin::{CreateError, create_instance};
use crate::worker::wire;
use crate::worker::wire::{ModelCall, ModelRequest, Request, Returned};

/// How long threads of the plugin may take to end.
const THREADS_DEADLINE: Duration = Duration::from_secs(2);

/// The one instance of the process, if it is that of a model plugin.
#[derive(Default)]
pub(super) struct Model {
    /// All its functions are called on the main thread.
    instance: OnceLock<(ModelRef, Owner)>,
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
        // SAFETY: the struct is checked, and the instance is destroyed last.
        let raw = unsafe { ModelRef::new(raw) };
        let value = raw.has();
        self.instance.set((raw, Owner::new(name))).ok()?;
        Some(Returned { status: status::OK, value, connection: None })
    }

    fn instance(&self) -> Option<(&ModelRef, &Owner)> {
        let (raw, name) = self.instance.get()?;
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
        call::during(name, "destroy", || unsafe { raw.destroy() });
    }
}

fn make(raw: &ModelRef, call: &ModelCall<'_>) -> Returned {
    let writer = WRITER.lend();
    match call {
        ModelCall::Awake => raw.awake(),
        ModelCall::Start => raw.start(),
        ModelCall::AllStarted => raw.all_started(),
        ModelCall::Pause => raw.pause(),
        ModelCall::Resume => raw.resume(),
        ModelCall::Stop => raw.stop(),
        ModelCall::Reset { scope } => raw.reset(*scope),
        ModelCall::Sample(step) => raw.sample(&info_of(step)),
        ModelCall::Control(step) => raw.control(&info_of(step)),
        ModelCall::Save => raw.save(writer),
        ModelCall::Load { state } => raw.load(state),
        ModelCall::SampleTimes => tell_sample_times(raw),
        ModelCall::HasElements => {
            let value = u32::from(raw.has_elements());
            return Returned { status: status::OK, value, connection: None };
        }
        ModelCall::Elements => raw.elements(writer).unwrap_or(status::OK),
    }
    .into()
}

fn info_of(step: &wire::Step) -> StepInfo {
    StepInfo {
        struct_size: StepInfo::SIZE,
        reset_epoch: step.reset_epoch,
        time_ns: step.time_ns,
        width_ns: step.width_ns,
        step: step.step,
    }
}

/// Tells the host in which steps the plugin samples. NOT_FOUND if it has not said that.
fn tell_sample_times(raw: &ModelRef) -> Status {
    let Some(SampleTimes { steps_before, period_ns, .. }) = raw.sample_times().copied() else {
        return status::NOT_FOUND;
    };
    let request = Request::Model(ModelRequest::SampleTimes { steps_before, period_ns });
    link().ask(request, |answer| answer.status())
}

/// The writer of states and elements.
struct Writer;

host_object!(Writer, |_| None);

static WRITER: LazyLock<Offered<StateWriter, Writer>> = LazyLock::new(|| Offered::new(Writer));

impl WriterObject for Writer {
    fn write(&self, bytes: &[u8]) -> Status {
        link().ask(Request::Model(ModelRequest::Write { bytes }), |answer| answer.status())
    }
}
