//! Puts a [`ModelPlugin`] behind the C functions of `bridgehead_abi::model`.
//!
//! Every function runs the method of the trait inside [`crate::boundary::run`].

use std::cell::{RefCell, UnsafeCell};
use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi as abi;
use bridgehead_abi::model::{ModelFactory, ModelInstance, StepInfo};
use bridgehead_abi::{Host, Status, status};

use super::{ModelPlugin, ResetScope, Started, Step};
use crate::boundary;
use crate::bridge::{BridgeInfo, ConverterRegistrar};
use crate::error::{Error, Result};
use crate::host::HostHandle;
use crate::hosting::{Breach, Checked};
use crate::objects::{
    ConverterRegistrarRef, ElementsObject, ModelObject, ModelRef, Object, WriterRef, model_has,
};
use crate::schedule::SampleTimes;
use crate::state::{StateReader, StateWriter};

/// The factory of `P`, for the export macro.
#[must_use]
pub const fn factory<P: ModelPlugin>() -> ModelFactory {
    ModelFactory {
        struct_size: ModelFactory::SIZE,
        reserved: 0,
        register: register::<P>,
        create: create::<P>,
    }
}

/// Registers the converters of `P` for a bridge, for the export macro.
///
/// # Safety
/// The pointers are those the host passed to `bridgehead.bridge-converters/1`.
pub unsafe fn converters<P: ModelPlugin>(
    library: HostHandle,
    bridge: *const abi::bridge::BridgeInfo,
    registrar: *const abi::bridge::ConverterRegistrar,
) -> Status {
    boundary::run(library, "converters", || {
        // SAFETY: both structs are valid for the call.
        let (info, raw) = unsafe { (BridgeInfo::from_raw(&*bridge), ConverterRegistrarRef::of(registrar)) };
        let raw = raw.ok_or_else(|| Error::invalid("there is no registrar"))?;
        P::converters(&info, &mut ConverterRegistrar::new(raw))
    })
}

/// One instance.
///
/// What every call reads comes first: a plugin may be large, and its end far from what it needs itself.
#[repr(C)]
struct Cell<P> {
    host: HostHandle,
    /// Written by `awake`. The host reads it afterwards, and keeps the address.
    times: UnsafeCell<abi::model::SampleTimes>,
    /// A call within a call, which the ABI does not allow, finds it borrowed.
    state: RefCell<State<P>>,
}

/// `plugin` is empty before `awake`, and stays empty if `awake` failed.
#[repr(C)]
struct State<P> {
    is_poisoned: bool,
    plugin: Option<P>,
}

unsafe extern "C" fn register<P: ModelPlugin>(host: *const Host) -> Status {
    // SAFETY: the library's host object lives until the process ends.
    let host = unsafe { HostHandle::from_raw(host) };
    boundary::run(host, "register", || P::register(host))
}

unsafe extern "C" fn create<P: ModelPlugin>(host: *const Host, out: *mut ModelInstance) -> Status {
    // SAFETY: the host object outlives the instance, and `destroy` closes the handle.
    let host = unsafe { HostHandle::open(host) };
    let times = UnsafeCell::new(SampleTimes::EVERY_STEP.to_abi());
    let state = RefCell::new(State { is_poisoned: false, plugin: None });
    let cell: Arc<Cell<P>> = Arc::new(Cell { host, times, state });
    // SAFETY: `out` is writable.
    unsafe { out.write(ModelRef::table_of(cell)) };
    status::OK
}

impl<P: ModelPlugin> Cell<P> {
    /// Runs `code` on the state; refuses after a panic.
    fn with_state<T: boundary::IntoStatus>(
        &self,
        call: &str,
        code: impl FnOnce(&mut Option<P>) -> Result<T>,
    ) -> Status {
        let Ok(mut state) = self.state.try_borrow_mut() else { return status::WRONG_STATE };
        if state.is_poisoned {
            return status::PANIC;
        }
        let result = boundary::run(self.host, call, || code(&mut state.plugin));
        state.is_poisoned = result == status::PANIC;
        result
    }

    /// Runs `code` on the plugin; refuses if there is none or after a panic.
    fn with<T: boundary::IntoStatus>(&self, call: &str, code: impl FnOnce(&mut P) -> Result<T>) -> Status {
        let Ok(mut state) = self.state.try_borrow_mut() else { return status::WRONG_STATE };
        if state.is_poisoned {
            return status::PANIC;
        }
        let Some(plugin) = state.plugin.as_mut() else { return status::WRONG_STATE };
        let result = boundary::run(self.host, call, || code(plugin));
        state.is_poisoned = result == status::PANIC;
        result
    }
}

impl<P: ModelPlugin> Checked for Cell<P> {
    // The host is trusted.
    const IS_GUARDED: bool = false;

    fn breach(&self, _: Breach, text: &str) {
        self.host.explain(&format!("the host {text}"));
    }
}

impl<P: ModelPlugin> Object for Cell<P> {
    fn guarded<R>(&self, _: &'static str, _: R, body: impl FnOnce() -> R) -> R {
        // Each function runs the plugin in `with`.
        body()
    }
}

impl<P: ModelPlugin> ModelObject for Cell<P> {
    fn awake(&self) -> Status {
        self.with_state("awake", |slot| {
            let times = slot.insert(P::awake(self.host)?).sample_times().to_abi();
            // SAFETY: the host reads the times when `awake` is over, and calls it once.
            unsafe { self.times.get().write(times) };
            Ok(())
        })
    }

    fn start(&self) -> Status {
        self.with("start", |plugin| {
            Ok(match plugin.start()? {
                Started::Ready => status::OK,
                Started::Pending => status::PENDING,
            })
        })
    }

    fn all_started(&self) -> Status {
        self.with("all_started", P::all_started)
    }

    fn reset(&self, scope: u32) -> Status {
        self.with("reset", |plugin| plugin.reset(ResetScope::from_bits(scope)))
    }

    fn sample(&self, step: &StepInfo) -> Status {
        self.with("sample", |plugin| plugin.sample(&read_step(step)?))
    }

    fn control(&self, step: &StepInfo) -> Status {
        self.with("control", |plugin| plugin.control(&read_step(step)?))
    }

    fn pause(&self) -> Status {
        self.with("pause", P::pause)
    }

    fn resume(&self) -> Status {
        self.with("resume", P::resume)
    }

    fn stop(&self) -> Status {
        self.with("stop", P::stop)
    }

    fn save(&self, writer: WriterRef<'_>) -> Status {
        self.with("save", |plugin| {
            let mut state = StateWriter::new(P::REMEMBERS.version().unwrap_or_default());
            plugin.save(&mut state)?;
            write_all(writer, state.bytes())
        })
    }

    fn load(&self, bytes: &[u8]) -> Status {
        self.with("load", |plugin| {
            let known = P::REMEMBERS.version().unwrap_or_default();
            let mut state = StateReader::new(bytes, known)?;
            plugin.load(&mut state)?;
            state.finish()
        })
    }

    fn get_extension(&self, id: &[u8]) -> *const c_void {
        match std::str::from_utf8(id) {
            // Only the address is taken: the host reads it when `awake` is over.
            Ok(abi::extension::SAMPLE_TIMES) => self.times.get().cast_const().cast(),
            Ok(abi::extension::WORLD_SAVE) => Self::world_save(),
            _ => std::ptr::null(),
        }
    }

    fn has(&self) -> u32 {
        let always = model_has::start | model_has::all_started | model_has::pause | model_has::resume;
        let sample = if P::PHASES.sample { model_has::sample } else { 0 };
        let control = if P::PHASES.control { model_has::control } else { 0 };
        let saves = P::REMEMBERS.version().is_some();
        let state = if saves { model_has::save | model_has::load } else { 0 };
        always | model_has::stop | sample | control | state
    }

    fn destroy(self: Arc<Self>) {
        boundary::run_last(self.host, "destroy", move || drop(self));
    }
}

impl<P: ModelPlugin> ElementsObject for Cell<P> {
    fn elements(&self, writer: WriterRef<'_>) -> Status {
        self.with("saved_elements", |plugin| match plugin.saved_elements()? {
            Some(xml) => write_all(writer, xml.as_bytes()),
            None => Ok(()),
        })
    }
}

/// Hands bytes to the host.
fn write_all(writer: WriterRef<'_>, bytes: &[u8]) -> Result {
    Error::check(writer.write(bytes), "the writer of the host")
}

fn read_step(raw: &StepInfo) -> Result<Step> {
    if raw.struct_size < StepInfo::SIZE {
        return Err(Error::invalid("the host's StepInfo is smaller than this plugin's"));
    }
    Ok(Step { number: raw.step, time_ns: raw.time_ns, width_ns: raw.width_ns, reset_epoch: raw.reset_epoch })
}
