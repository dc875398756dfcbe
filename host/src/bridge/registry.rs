//! The tables of data types and services that bridge plugins register, with the converters that other plugins add.
//!
//! Filled once on the simulation thread while the plugins are loaded, read-only afterwards.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, Str, status};

use crate::crash;
use crate::guard::host_call;
use crate::plugin::{LoadedPlugin, PluginSet};

/// The data types and services that one bridge supports. Function pointers and their `user` belong to libraries that
/// are never unloaded.
#[derive(Default)]
pub struct FactoryTable {
    /// Names of the types on the bridge's side, by data type.
    pub types: BTreeMap<String, String>,
    publishers: BTreeMap<String, raw::PublisherCreator>,
    subscribers: BTreeMap<String, raw::SubscriberCreator>,
    services: BTreeMap<(String, String), raw::ServiceCreator>,
    converters_out: BTreeMap<String, (String, raw::Converter)>,
    converters_in: BTreeMap<String, (String, raw::Converter)>,
}

// SAFETY: creators and converters are functions that the ABI allows on the threads they are called from; their
// `user` is only passed back.
unsafe impl Send for FactoryTable {}
// SAFETY: as above; a shared table does not change.
unsafe impl Sync for FactoryTable {}

/// How a bridge transports a data type.
pub struct TypeMapping<C> {
    /// Creates the endpoint.
    pub creator: C,
    /// Type name on the bridge's side and payload converter, if the bridge has an encoding of its own.
    pub converter: Option<(String, raw::Converter)>,
}

impl FactoryTable {
    /// Returns true if this bridge sends any topics.
    #[must_use]
    pub fn has_publishers(&self) -> bool {
        !self.publishers.is_empty()
    }

    /// Returns how this bridge sends messages of a type; `None` if it does not.
    #[must_use]
    pub fn publisher(&self, data_type: &str) -> Option<TypeMapping<raw::PublisherCreator>> {
        find(&self.publishers, &self.converters_out, data_type)
    }

    /// Returns how this bridge receives messages of a type; `None` if it does not.
    #[must_use]
    pub fn subscriber(&self, data_type: &str) -> Option<TypeMapping<raw::SubscriberCreator>> {
        find(&self.subscribers, &self.converters_in, data_type)
    }

    /// Returns how this bridge offers services of these types; `None` if it does not.
    #[must_use]
    pub fn service(&self, request: &str, response: &str) -> Option<raw::ServiceCreator> {
        let key = |request: &str, response: &str| (request.to_owned(), response.to_owned());
        let any = key(raw::ANY_TYPE, raw::ANY_TYPE);
        self.services.get(&key(request, response)).or_else(|| self.services.get(&any)).copied()
    }
}

/// A converter of another plugin takes precedence over the bridge's own support, and an exact creator over the one for
/// every type.
fn find<C: Copy>(
    creators: &BTreeMap<String, C>,
    converters: &BTreeMap<String, (String, raw::Converter)>,
    data_type: &str,
) -> Option<TypeMapping<C>> {
    let any = creators.get(raw::ANY_TYPE);
    if let Some((bridge_type, converter)) = converters.get(data_type)
        && let Some(creator) = creators.get(bridge_type).or_else(|| creators.get(data_type)).or(any)
    {
        return Some(TypeMapping { creator: *creator, converter: Some((bridge_type.clone(), *converter)) });
    }
    creators.get(data_type).or(any).map(|creator| TypeMapping { creator: *creator, converter: None })
}

/// The tables of all bridge plugins, by plugin id.
#[derive(Default)]
pub struct BridgeRegistry {
    tables: BTreeMap<String, Arc<FactoryTable>>,
}

impl BridgeRegistry {
    /// Lets every bridge register its types, and every other library its converters for each bridge. Returns the tables
    /// and one message for each problem.
    #[must_use]
    pub fn collect(plugins: &PluginSet) -> (Self, Vec<String>) {
        let (mut registry, mut problems) = (Self::default(), Vec::new());
        for plugin in plugins.plugins() {
            let Some((plugin, factory)) = plugins.bridge(&plugin.metadata.id) else {
                continue;
            };
            let Some(table) = register(plugin, factory, &mut problems) else {
                continue;
            };
            let table = add_converters(plugins, plugin, table, &mut problems);
            registry.tables.insert(plugin.metadata.id.clone(), Arc::new(table));
        }
        (registry, problems)
    }

    /// Returns the table of the bridge with that id.
    #[must_use]
    pub fn table(&self, id: &str) -> Option<Arc<FactoryTable>> {
        self.tables.get(id).cloned()
    }
}

/// A registrar and the table it fills. The ABI struct is the first field, so that both have the same address.
#[repr(C)]
struct RegistrarCell<R> {
    abi: R,
    table: RefCell<FactoryTable>,
}

/// What a factory registers.
///
/// # Errors
/// The status of a registration that failed.
pub(super) fn table_of(factory: &raw::BridgeFactory) -> Result<FactoryTable, Status> {
    let cell = RegistrarCell {
        abi: raw::Registrar {
            struct_size: raw::Registrar::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            add_type,
            add_publisher,
            add_subscriber,
            add_service,
        },
        table: RefCell::default(),
    };
    // SAFETY: the loader checked the factory; the registrar lives for the call.
    let code = unsafe { (factory.register)(&raw const cell.abi) };
    if code < 0 { Err(code) } else { Ok(cell.table.into_inner()) }
}

fn register(
    plugin: &LoadedPlugin,
    factory: &raw::BridgeFactory,
    problems: &mut Vec<String>,
) -> Option<FactoryTable> {
    let registered = crash::during(&plugin.metadata.name, "register", || table_of(factory));
    let refuse = |code| {
        let name = &plugin.metadata.name;
        problems.push(format!(
            "[BH-BRG-001] bridge `{name}` failed to register its data types ({}): it is not available",
            status::name(code)
        ));
    };
    registered.map_err(refuse).ok()
}

fn add_converters(
    plugins: &PluginSet,
    bridge: &LoadedPlugin,
    table: FactoryTable,
    problems: &mut Vec<String>,
) -> FactoryTable {
    let cell = RegistrarCell {
        abi: raw::ConverterRegistrar {
            struct_size: raw::ConverterRegistrar::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            add_publisher: add_converter_out,
            add_subscriber: add_converter_in,
        },
        table: RefCell::new(table),
    };
    let info = raw::BridgeInfo {
        struct_size: raw::BridgeInfo::SIZE,
        reserved: 0,
        id: Str::new(&bridge.metadata.id),
        name: Str::new(&bridge.metadata.name),
    };
    for library in plugins.libraries() {
        let Some(converters) = library.converters() else {
            continue;
        };
        // SAFETY: the loader checked the table; info and registrar live for the call.
        let register = || unsafe { (converters.register)(&raw const info, &raw const cell.abi) };
        let code = crash::during(&library.path().to_string_lossy(), "converters", register);
        if code < 0 {
            problems.push(format!(
                "[BH-BRG-002] `{}` failed to register its converters for bridge `{}` ({})",
                library.path().display(),
                bridge.metadata.name,
                status::name(code)
            ));
        }
    }
    cell.table.into_inner()
}

/// Runs `add` on the table behind a registrar.
///
/// # Safety
/// `registrar` must be the first field of a live `RegistrarCell<R>`.
unsafe fn fill<R>(registrar: *const R, add: impl FnOnce(&mut FactoryTable) -> bool) -> Status {
    // SAFETY: the caller guarantees it.
    let cell = unsafe { &*registrar.cast::<RegistrarCell<R>>() };
    let Ok(mut table) = cell.table.try_borrow_mut() else {
        return status::WRONG_STATE;
    };
    if add(&mut table) { status::OK } else { status::EXISTS }
}

/// Copies a text of a registration.
///
/// # Safety
/// The text must be valid for the call.
unsafe fn owned(text: Str) -> String {
    // SAFETY: the caller guarantees it.
    String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned()
}

/// Inserts a value unless the key exists. Returns true if it was inserted.
fn insert_new<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V) -> bool {
    match map.entry(key) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(value);
            true
        }
        std::collections::btree_map::Entry::Occupied(_) => false,
    }
}

unsafe extern "C" fn add_type(registrar: *const raw::Registrar, data_type: Str, bridge_type: Str) -> Status {
    host_call("registrar.add_type", status::PANIC, || {
        // SAFETY: the plugin passes back its registrar and texts valid for the call.
        unsafe { fill(registrar, |table| insert_new(&mut table.types, owned(data_type), owned(bridge_type))) }
    })
}

unsafe extern "C" fn add_publisher(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::PublisherCreator,
) -> Status {
    host_call("registrar.add_publisher", status::PANIC, || {
        // SAFETY: as above; the creator is valid for the call.
        unsafe { fill(registrar, |table| insert_new(&mut table.publishers, owned(data_type), *creator)) }
    })
}

unsafe extern "C" fn add_subscriber(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::SubscriberCreator,
) -> Status {
    host_call("registrar.add_subscriber", status::PANIC, || {
        // SAFETY: as above.
        unsafe { fill(registrar, |table| insert_new(&mut table.subscribers, owned(data_type), *creator)) }
    })
}

unsafe extern "C" fn add_service(
    registrar: *const raw::Registrar,
    request: Str,
    response: Str,
    creator: *const raw::ServiceCreator,
) -> Status {
    host_call("registrar.add_service", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            fill(registrar, |table| {
                insert_new(&mut table.services, (owned(request), owned(response)), *creator)
            })
        }
    })
}

unsafe extern "C" fn add_converter_out(
    registrar: *const raw::ConverterRegistrar,
    data_type: Str,
    bridge_type: Str,
    converter: *const raw::Converter,
) -> Status {
    host_call("converter_registrar.add_publisher", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            fill(registrar, |table| {
                insert_new(&mut table.converters_out, owned(data_type), (owned(bridge_type), *converter))
            })
        }
    })
}

unsafe extern "C" fn add_converter_in(
    registrar: *const raw::ConverterRegistrar,
    data_type: Str,
    bridge_type: Str,
    converter: *const raw::Converter,
) -> Status {
    host_call("converter_registrar.add_subscriber", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            fill(registrar, |table| {
                insert_new(&mut table.converters_in, owned(data_type), (owned(bridge_type), *converter))
            })
        }
    })
}

/// Converts the payload of `message` into `scratch`, which grows as needed. Returns the length of the result.
///
/// # Errors
/// Returns the status of the converter if the conversion fails.
pub(super) fn convert(
    converter: &raw::Converter,
    message: &bridgehead_abi::Message,
    scratch: &mut Vec<u8>,
) -> Result<usize, Status> {
    let mut len = 0;
    for _ in 0..2 {
        // SAFETY: the converter belongs to a library that is never unloaded; the buffers live for the call.
        let code = unsafe {
            let out = scratch.as_mut_ptr();
            (converter.convert)(converter.user, message, out, scratch.len(), &raw mut len)
        };
        match code {
            status::WOULD_BLOCK if len > scratch.len() => scratch.resize(len, 0),
            code if code < 0 => return Err(code),
            _ => return Ok(len.min(scratch.len())),
        }
    }
    Err(status::WOULD_BLOCK)
}
