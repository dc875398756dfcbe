//! A library in a worker as the loader sees it: factories whose functions lead to the worker.
//!
//! A factory has no context pointer, so that each plugin in a worker gets functions of its own: [`Functions`] with its
//! number. The numbers of a process are limited; they are given away once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use bridgehead_abi::bridge::{
    BridgeConverters, BridgeFactory, BridgeInfo, BridgeInstance, ConverterRegistrar, Registrar,
};
use bridgehead_abi::model::{ModelFactory, ModelInstance};
use bridgehead_abi::{Host, Status, Str, status};

use super::dispatcher::Dispatcher;
use super::forward::{HostObject, text_of};
use super::launch::{Image, Runtime, WorkerLimits};
use super::plugin::{IsolatedLibrary, IsolatedPlugin};
use super::process::Process;
use super::wire::{Call, Lane};
use super::{bridge, model};
use crate::guard::host_call;
use crate::plugin::{Code, Factory, Kind, Library, LibraryHosts, Linkage, Metadata, Refusal};

/// The plugins by the numbers of their functions.
static PLUGINS: [OnceLock<IsolatedPlugin>; LIMIT] = [const { OnceLock::new() }; LIMIT];
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Opens a library in a worker. `host` is its host object.
///
/// # Errors
/// Returns an error if the library is refused, crashes or hangs while it loads, or needs what a worker cannot give.
///
/// # Safety
/// `host` must be valid until the process ends.
pub unsafe fn open(
    (path, copy): (&Path, &Path),
    metadata: Metadata,
    host: *const Host,
    limits: WorkerLimits,
) -> Result<Linkage, Refusal> {
    let name = metadata.plugins.first().map_or_else(String::new, |plugin| plugin.name.clone());
    let image = Image { runtime: Runtime::of(path)?, path: path.to_owned(), copy: copy.to_owned(), limits };
    // SAFETY: the caller vouches for the host object.
    let dispatcher = Dispatcher::new(unsafe { HostObject::of_library(host) }, None);
    let (process, loaded) = Process::start(&image, &name, Arc::clone(&dispatcher))?;
    let library = Arc::new(IsolatedLibrary { image, name, dispatcher, worker: Mutex::new(Some(process)) });
    let mut factories = Vec::new();
    let mut converters = None;
    for (place, plugin) in (0..).zip(&metadata.plugins) {
        if plugin.kind == Kind::Unknown {
            factories.push(Factory::Unknown);
            continue;
        }
        let flags = loaded.flags.get(place as usize).copied().unwrap_or_default();
        let functions = functions_of(IsolatedPlugin { library: Arc::clone(&library), place })?;
        factories.push(factory(functions, plugin.kind, flags));
        converters.get_or_insert(functions.converters);
    }
    // Leaked, because tables of libraries live until the process ends.
    let converters = converters.map(|register| {
        &*Box::leak(Box::new(BridgeConverters { struct_size: BridgeConverters::SIZE, reserved: 0, register }))
    });
    let library = Library::isolated(PathBuf::from(path), metadata, host, converters);
    Ok(Linkage { library, factories, warnings: loaded.warnings })
}

/// Opens a script in a worker, closes it again, and returns a library without factories: its plugins cannot be used.
///
/// # Errors
/// Returns an error if it cannot be opened.
pub fn try_script(
    (path, copy): (&Path, &Path),
    metadata: Metadata,
    hosts: &mut dyn LibraryHosts,
    limits: WorkerLimits,
) -> Result<Linkage, Refusal> {
    let image = Image { runtime: Runtime::of(path)?, path: path.to_owned(), copy: copy.to_owned(), limits };
    let name = metadata.plugins.first().map_or_else(String::new, |plugin| plugin.name.clone());
    let host = hosts.host_for(&metadata, path);
    // SAFETY: host objects of libraries live until the process ends.
    let dispatcher = Dispatcher::new(unsafe { HostObject::of_library(host) }, None);
    let (process, loaded) = Process::start(&image, &name, dispatcher)?;
    process.close();
    let factories = metadata.plugins.iter().map(|_| Factory::Unknown).collect();
    let library = Library::isolated(PathBuf::from(path), metadata, host, None);
    Ok(Linkage { library, factories, warnings: loaded.warnings })
}

/// Gives a plugin functions of its own.
fn functions_of(plugin: IsolatedPlugin) -> Result<FactoryFunctions, Refusal> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let (Some(place), Some(functions)) = (PLUGINS.get(number), FUNCTIONS.get(number)) else {
        return Err(Refusal::new(Code::NotIsolated, format!("at most {LIMIT} plugins can run in workers")));
    };
    drop(place.set(plugin));
    Ok(*functions)
}

fn factory(functions: FactoryFunctions, kind: Kind, flags: u32) -> Factory {
    // Leaked, because factories live until the process ends.
    match kind {
        Kind::Model => Factory::Model(Box::leak(Box::new(ModelFactory {
            struct_size: ModelFactory::SIZE,
            reserved: 0,
            register: functions.register_types,
            create: functions.create_model,
        }))),
        _ => Factory::Bridge(Box::leak(Box::new(BridgeFactory {
            struct_size: BridgeFactory::SIZE,
            flags,
            register: functions.register,
            validate: functions.validate,
            create: functions.create_bridge,
        }))),
    }
}

/// The functions of one factory, of which a plugin uses those of its kind.
#[derive(Clone, Copy)]
struct FactoryFunctions {
    register: unsafe extern "C" fn(*const Registrar) -> Status,
    validate: unsafe extern "C" fn(*const Host, Str) -> Status,
    create_bridge: unsafe extern "C" fn(*const Host, *mut BridgeInstance) -> Status,
    register_types: unsafe extern "C" fn(*const Host) -> Status,
    create_model: unsafe extern "C" fn(*const Host, *mut ModelInstance) -> Status,
    /// Of the whole library.
    converters: unsafe extern "C" fn(*const BridgeInfo, *const ConverterRegistrar) -> Status,
}

/// Functions of the plugin with this number.
struct Functions<const N: usize>;

impl<const N: usize> Functions<N> {
    const ALL: FactoryFunctions = FactoryFunctions {
        register: Self::register,
        validate: Self::validate,
        create_bridge: Self::create_bridge,
        register_types: Self::register_types,
        create_model: Self::create_model,
        converters: Self::converters,
    };

    unsafe extern "C" fn register(registrar: *const Registrar) -> Status {
        host_call("worker.register", status::PANIC, || register(N, registrar))
    }

    unsafe extern "C" fn validate(host: *const Host, connection: Str) -> Status {
        host_call("worker.validate", status::PANIC, || {
            // SAFETY: the host passes its object and a text, both valid for the call.
            unsafe { validate(N, HostObject::of_instance(host), connection) }
        })
    }

    unsafe extern "C" fn create_bridge(host: *const Host, out: *mut BridgeInstance) -> Status {
        host_call("worker.create_bridge", status::PANIC, || {
            let Some(plugin) = PLUGINS.get(N).and_then(OnceLock::get) else { return status::WRONG_STATE };
            // SAFETY: the host passes its object, which is valid until the instance is destroyed, and memory for the result.
            unsafe { bridge::create(plugin, host, out) }
        })
    }

    unsafe extern "C" fn register_types(_: *const Host) -> Status {
        // The object of the library, which the worker uses.
        host_call("worker.register_types", status::PANIC, || register(N, std::ptr::null()))
    }

    unsafe extern "C" fn create_model(host: *const Host, out: *mut ModelInstance) -> Status {
        host_call("worker.create_model", status::PANIC, || {
            let Some(plugin) = PLUGINS.get(N).and_then(OnceLock::get) else { return status::WRONG_STATE };
            // SAFETY: as above.
            unsafe { model::create(plugin, host, out) }
        })
    }

    unsafe extern "C" fn converters(bridge: *const BridgeInfo, _: *const ConverterRegistrar) -> Status {
        host_call("worker.converters", status::PANIC, || {
            // SAFETY: the host passes a bridge whose texts are valid for the call.
            unsafe { converters(N, &*bridge) }
        })
    }
}

macro_rules! functions {
    ($($number:literal)*) => {
        /// Most plugins that run in workers.
        const LIMIT: usize = [$($number),*].len();
        static FUNCTIONS: [FactoryFunctions; LIMIT] = [$(Functions::<$number>::ALL),*];
    };
}

functions! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
}

/// `registrar` is that of a bridge; null for a model plugin, which registers types only.
fn register(number: usize, registrar: *const Registrar) -> Status {
    let Some(plugin) = PLUGINS.get(number).and_then(OnceLock::get) else { return status::WRONG_STATE };
    let process = match plugin.library.worker() {
        Ok(process) => process,
        Err(refusal) => {
            log::error!("{refusal}");
            return status::FATAL;
        }
    };
    let call = || process.call(Lane::Main, Call::Register { plugin: plugin.place });
    match plugin.library.dispatcher.announced.during(registrar, call) {
        Ok(returned) => returned.status,
        Err(code) => code,
    }
}

/// Returns the number of converters that the library has for a bridge, which cannot be used, as a positive status.
///
/// # Safety
/// The texts of `bridge` must be valid for the call.
unsafe fn converters(number: usize, bridge: &BridgeInfo) -> Status {
    let Some(plugin) = PLUGINS.get(number).and_then(OnceLock::get) else { return status::WRONG_STATE };
    let Ok(process) = plugin.library.worker() else { return status::FATAL };
    // SAFETY: the caller vouches for them.
    let (id, name) = unsafe { (text_of(bridge.id), text_of(bridge.name)) };
    match process.call(Lane::Main, Call::Converters { id, name }) {
        Ok(returned) if returned.status >= status::OK => {
            Status::try_from(returned.value).unwrap_or(Status::MAX)
        }
        Ok(returned) => returned.status,
        Err(code) => code,
    }
}

/// # Safety
/// `connection` must be valid for the call.
unsafe fn validate(number: usize, host: HostObject, connection: Str) -> Status {
    let Some(plugin) = PLUGINS.get(number).and_then(OnceLock::get) else { return status::WRONG_STATE };
    // SAFETY: the caller vouches for it.
    let Some(connection) = (unsafe { connection.as_str() }) else { return status::INVALID_ARG };
    let process = match plugin.library.worker() {
        Ok(process) => process,
        Err(refusal) => {
            host.explain(&refusal.to_string());
            return status::FATAL;
        }
    };
    // The reason is given to the object of the caller.
    plugin.library.dispatcher.speak_for(Some(host));
    let returned = process.call(Lane::Main, Call::Validate { plugin: plugin.place, connection });
    plugin.library.dispatcher.speak_for(None);
    returned.map_or_else(|code| code, |returned| returned.status)
}
