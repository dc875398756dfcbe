//! Puts a [`ModelPlugin`] behind the C functions of `bridgehead_abi::model`.
//!
//! Every function here is a thin `extern "C"` shell: it finds the instance behind `ctx` and runs the trait
//! method inside [`crate::boundary::run`].

use std::ffi::c_void;

use bridgehead_abi as abi;
use bridgehead_abi::model::{ModelFactory, ModelInstance, StepInfo};
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::{ModelPlugin, ResetScope, Started, Step};
use crate::boundary;
use crate::bridge::{BridgeInfo, ConverterRegistrar};
use crate::error::{Error, Result};
use crate::host::HostHandle;
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
        let info = unsafe { BridgeInfo::from_raw(&*bridge) };
        // SAFETY: as above.
        let mut registrar = unsafe { ConverterRegistrar::from_raw(&*registrar) };
        P::converters(&info, &mut registrar)
    })
}

/// One instance. `plugin` is empty before `awake`, and stays empty if `awake` failed.
///
/// What every call reads comes first: a plugin may be large, and its end far from what it needs itself.
#[repr(C)]
struct Cell<P> {
    is_poisoned: bool,
    host: HostHandle,
    times: abi::model::SampleTimes,
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
    let times = SampleTimes::EVERY_STEP.to_abi();
    let cell: Box<Cell<P>> = Box::new(Cell { is_poisoned: false, host, times, plugin: None });
    let instance = ModelInstance {
        struct_size: ModelInstance::SIZE,
        reserved: 0,
        ctx: Box::into_raw(cell).cast::<c_void>(),
        awake: awake::<P>,
        start: Some(start::<P>),
        all_started: Some(all_started::<P>),
        reset: reset::<P>,
        sample: if P::PHASES.sample { Some(sample::<P>) } else { None },
        control: if P::PHASES.control { Some(control::<P>) } else { None },
        pause: Some(pause::<P>),
        resume: Some(resume::<P>),
        stop: Some(stop::<P>),
        save: if P::REMEMBERS.version().is_some() { Some(save::<P>) } else { None },
        load: if P::REMEMBERS.version().is_some() { Some(load::<P>) } else { None },
        get_extension: get_extension::<P>,
        destroy: destroy::<P>,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(instance) };
    status::OK
}

/// Runs `code` on the plugin behind `ctx`; refuses when there is none or when it panicked before.
///
/// # Safety
/// `ctx` must come from `create::<P>` and no other call on it may be running.
unsafe fn with<P: ModelPlugin, T: boundary::IntoStatus>(
    ctx: *mut c_void,
    call: &str,
    code: impl FnOnce(&mut P) -> Result<T>,
) -> Status {
    // SAFETY: the caller vouches for `ctx` and for exclusiveness.
    let cell = unsafe { &mut *ctx.cast::<Cell<P>>() };
    if cell.is_poisoned {
        return status::PANIC;
    }
    let Some(plugin) = cell.plugin.as_mut() else {
        return status::WRONG_STATE;
    };
    let result = boundary::run(cell.host, call, || code(plugin));
    cell.is_poisoned = result == status::PANIC;
    result
}

unsafe extern "C" fn awake<P: ModelPlugin>(ctx: *mut c_void) -> Status {
    // SAFETY: `ctx` comes from `create::<P>`; [main] calls of one instance do not overlap.
    let cell = unsafe { &mut *ctx.cast::<Cell<P>>() };
    if cell.is_poisoned {
        return status::PANIC;
    }
    let host = cell.host;
    let (slot, times) = (&mut cell.plugin, &mut cell.times);
    let result = boundary::run(host, "awake", || {
        *times = slot.insert(P::awake(host)?).sample_times().to_abi();
        Ok(())
    });
    cell.is_poisoned = result == status::PANIC;
    result
}

unsafe extern "C" fn start<P: ModelPlugin>(ctx: *mut c_void) -> Status {
    // SAFETY: as the ABI promises for [main] calls.
    unsafe {
        with::<P, _>(ctx, "start", |plugin| {
            Ok(match plugin.start()? {
                Started::Ready => status::OK,
                Started::Pending => status::PENDING,
            })
        })
    }
}

/// Shells for the calls without arguments.
macro_rules! plain_calls {
    ($($name:ident),*) => { $(
        unsafe extern "C" fn $name<P: ModelPlugin>(ctx: *mut c_void) -> Status {
            // SAFETY: as the ABI promises for calls on one instance.
            unsafe { with::<P, _>(ctx, stringify!($name), P::$name) }
        }
    )* };
}
plain_calls!(all_started, pause, resume, stop);

unsafe extern "C" fn reset<P: ModelPlugin>(ctx: *mut c_void, scope: u32) -> Status {
    // SAFETY: as the ABI promises for [sim] calls.
    unsafe { with::<P, _>(ctx, "reset", |plugin| plugin.reset(ResetScope::from_bits(scope))) }
}

unsafe extern "C" fn save<P: ModelPlugin>(
    ctx: *mut c_void,
    writer: *const abi::model::StateWriter,
) -> Status {
    // SAFETY: as the ABI promises for [main] calls; `writer` is valid for the call.
    unsafe {
        with::<P, _>(ctx, "save", |plugin| {
            let mut state = StateWriter::new(P::REMEMBERS.version().unwrap_or_default());
            plugin.save(&mut state)?;
            write_all(writer, state.bytes())
        })
    }
}

unsafe extern "C" fn load<P: ModelPlugin>(ctx: *mut c_void, bytes: Bytes) -> Status {
    // SAFETY: as the ABI promises for [main] calls; `bytes` are valid for the call.
    unsafe {
        with::<P, _>(ctx, "load", |plugin| {
            let known = P::REMEMBERS.version().unwrap_or_default();
            let mut state = StateReader::new(bytes.as_slice(), known)?;
            plugin.load(&mut state)?;
            state.finish()
        })
    }
}

unsafe extern "C" fn elements<P: ModelPlugin>(
    ctx: *mut c_void,
    writer: *const abi::model::StateWriter,
) -> Status {
    // SAFETY: as the ABI promises for [main] calls; `writer` is valid for the call.
    unsafe {
        with::<P, _>(ctx, "saved_elements", |plugin| match plugin.saved_elements()? {
            Some(xml) => write_all(writer, xml.as_bytes()),
            None => Ok(()),
        })
    }
}

/// Hands bytes to the host.
///
/// # Safety
/// `writer` must be valid.
unsafe fn write_all(writer: *const abi::model::StateWriter, bytes: &[u8]) -> Result {
    // SAFETY: the caller vouches for the writer; the bytes live for the call.
    Error::check(unsafe { ((*writer).write)(writer, Bytes::new(bytes)) }, "the writer of the host")
}

/// Shells for the calls of a step.
macro_rules! step_calls {
    ($($name:ident),*) => { $(
        unsafe extern "C" fn $name<P: ModelPlugin>(ctx: *mut c_void, step: *const StepInfo) -> Status {
            // SAFETY: as the ABI promises for [sim] calls; `step` is valid for the call.
            unsafe { with::<P, _>(ctx, stringify!($name), |plugin| plugin.$name(&read_step(&*step)?)) }
        }
    )* };
}
step_calls!(sample, control);

fn read_step(raw: &StepInfo) -> Result<Step> {
    if raw.struct_size < StepInfo::SIZE {
        return Err(Error::invalid("the host's StepInfo is smaller than this plugin's"));
    }
    Ok(Step { number: raw.step, time_ns: raw.time_ns, width_ns: raw.width_ns, reset_epoch: raw.reset_epoch })
}

unsafe extern "C" fn get_extension<P: ModelPlugin>(ctx: *mut c_void, id: Str) -> *const c_void {
    // SAFETY: the text lives for the call.
    match unsafe { id.as_str() } {
        // SAFETY: `ctx` comes from `create::<P>`. Only the address is taken: the host reads it when `awake` is over.
        Some(abi::extension::SAMPLE_TIMES) => unsafe { (&raw const (*ctx.cast::<Cell<P>>()).times).cast() },
        Some(abi::extension::WORLD_SAVE) => std::ptr::from_ref(&Offers::<P>::WORLD_SAVE).cast(),
        _ => std::ptr::null(),
    }
}

/// Extensions that are the same for all instances of one plugin.
struct Offers<P>(std::marker::PhantomData<P>);

impl<P: ModelPlugin> Offers<P> {
    const WORLD_SAVE: abi::model::WorldSave = abi::model::WorldSave {
        struct_size: abi::model::WorldSave::SIZE,
        reserved: 0,
        elements: elements::<P>,
    };
}

unsafe extern "C" fn destroy<P: ModelPlugin>(ctx: *mut c_void) {
    // SAFETY: `ctx` comes from `create::<P>`, and this is the last call on it.
    let cell = unsafe { Box::from_raw(ctx.cast::<Cell<P>>()) };
    let host = cell.host;
    boundary::run_last(host, "destroy", move || drop(cell));
}
