//! The tables of data types and services that bridge plugins register, with the converters that other plugins add.
//!
//! Filled on the simulation thread whenever a library is opened.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Host, Status, Str, status};

use crate::bus::Converter;
use crate::call;
use crate::guard::host_call;
use crate::plugin::{Code, Factory, KnownPlugin, Library, LibraryIndex, PluginMetadata, PluginSet, Refusal};
use crate::thread::lock;

/// The data types and services that one bridge supports. Instances of the bridge share the table, so that they see
/// converters of libraries that are opened later.
#[derive(Default)]
pub struct FactoryTable {
    rows: Mutex<Rows>,
}

/// The content of a table. Function pointers and their `user` belong to libraries that are never unloaded.
#[derive(Clone, Default)]
struct Rows {
    /// Names of the types on the bridge's side, by data type.
    types: BTreeMap<String, String>,
    publishers: BTreeMap<String, raw::PublisherCreator>,
    subscribers: BTreeMap<String, raw::SubscriberCreator>,
    services: BTreeMap<(String, String), raw::ServiceCreator>,
    converters_out: BTreeMap<String, (String, Converter)>,
    converters_in: BTreeMap<String, (String, Converter)>,
}

// SAFETY: creators and converters are functions that the ABI allows on the threads they are called from; their
// `user` is only passed back.
unsafe impl Send for Rows {}

/// How a bridge transports a data type.
pub struct TypeMapping<C> {
    /// Creates the endpoint.
    pub creator: C,
    /// Type name on the bridge's side and payload converter, if the bridge has an encoding of its own.
    pub converter: Option<(String, Converter)>,
}

impl FactoryTable {
    /// Returns true if this bridge sends any topics.
    #[must_use]
    pub fn has_publishers(&self) -> bool {
        !lock(&self.rows).publishers.is_empty()
    }

    /// Returns the name of a data type on the bridge's side, if the bridge has registered one.
    #[must_use]
    pub fn bridge_type(&self, data_type: &str) -> Option<String> {
        lock(&self.rows).types.get(data_type).cloned()
    }

    /// Returns how this bridge sends messages of a type; `None` if it does not.
    #[must_use]
    pub fn publisher(&self, data_type: &str) -> Option<TypeMapping<raw::PublisherCreator>> {
        let rows = lock(&self.rows);
        rows.find(&rows.publishers, &rows.converters_out, data_type)
    }

    /// Returns how this bridge receives messages of a type; `None` if it does not.
    #[must_use]
    pub fn subscriber(&self, data_type: &str) -> Option<TypeMapping<raw::SubscriberCreator>> {
        let rows = lock(&self.rows);
        rows.find(&rows.subscribers, &rows.converters_in, data_type)
    }

    /// Returns why a converter for a type that this bridge does not transport does not help; `None` if there is none.
    #[must_use]
    pub fn unused_converter(&self, data_type: &str) -> Option<String> {
        lock(&self.rows).unused_converter(data_type)
    }

    /// Returns how this bridge offers services of these types; `None` if it does not.
    #[must_use]
    pub fn service(&self, request: &str, response: &str) -> Option<raw::ServiceCreator> {
        let key = |request: &str, response: &str| (request.to_owned(), response.to_owned());
        let any = key(raw::ANY_TYPE, raw::ANY_TYPE);
        let rows = lock(&self.rows);
        rows.services.get(&key(request, response)).or_else(|| rows.services.get(&any)).copied()
    }
}

impl Rows {
    /// A converter of another plugin takes precedence over the bridge's own support. It makes the bridge transport the
    /// type as it transports the form that the converter gives it: a creator of that form comes first, then one of a type
    /// that has that form in the bridge, of the type itself, and of every type.
    fn find<C: Copy>(
        &self,
        creators: &BTreeMap<String, C>,
        converters: &BTreeMap<String, (String, Converter)>,
        data_type: &str,
    ) -> Option<TypeMapping<C>> {
        let own = || creators.get(data_type).or_else(|| creators.get(raw::ANY_TYPE));
        if let Some((form, converter)) = converters.get(data_type) {
            let of_form =
                || self.types.iter().filter(|(_, name)| *name == form).find_map(|(of, _)| creators.get(of));
            if let Some(creator) = creators.get(form).or_else(of_form).or_else(own) {
                return Some(TypeMapping { creator: *creator, converter: Some((form.clone(), *converter)) });
            }
        }
        own().map(|creator| TypeMapping { creator: *creator, converter: None })
    }

    /// Why a type that has a converter is not transported all the same.
    fn unused_converter(&self, data_type: &str) -> Option<String> {
        let of = |converters: &BTreeMap<String, (String, Converter)>| {
            converters.get(data_type).map(|(form, _)| form.clone())
        };
        let form = of(&self.converters_out).or_else(|| of(&self.converters_in))?;
        let known: BTreeSet<&str> = self.types.values().map(String::as_str).collect();
        let known = known.into_iter().take(NAMED_FORMS).map(|name| format!("`{name}`")).collect::<Vec<_>>();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Some(format!(
            "a converter to `{form}` is registered for it, which is none of the bridge's types: {known}"
        ))
    }
}

/// How many types of a bridge a message names at most.
const NAMED_FORMS: usize = 8;

/// The tables of the bridge plugins whose libraries are open, by plugin id.
#[derive(Default)]
pub struct BridgeRegistry {
    tables: BTreeMap<String, Arc<FactoryTable>>,
    /// Bridges whose `register` was called, with their libraries.
    called: BTreeMap<String, LibraryIndex>,
    /// Libraries whose converters were requested, for each bridge, by its id and library.
    converted: BTreeSet<(String, LibraryIndex, LibraryIndex)>,
}

impl BridgeRegistry {
    /// Lets the bridges of libraries that were opened since the last call register their types, and every open library
    /// its converters for each bridge. Returns one message for each problem.
    pub fn update(&mut self, plugins: &PluginSet) -> Vec<String> {
        let mut problems = Vec::new();
        for plugin in plugins.plugins() {
            if let Some((Factory::Bridge(factory), library)) = plugin.loaded {
                self.register(plugin, factory, library, &mut problems);
            }
        }
        for plugin in plugins.plugins() {
            let Some((Factory::Bridge(_), own)) = plugin.loaded else { continue };
            if let Some(table) = self.tables.get(&plugin.metadata.id) {
                for (index, library) in plugins.current_libraries() {
                    if self.converted.insert((plugin.metadata.id.clone(), own, index)) {
                        add_converters(library, plugin, table, &mut problems);
                    }
                }
            }
        }
        problems
    }

    /// Returns the table of the bridge with that id.
    #[must_use]
    pub fn table(&self, id: &str) -> Option<Arc<FactoryTable>> {
        self.tables.get(id).cloned()
    }

    /// The instances of an older version of the library keep its table.
    fn register(
        &mut self,
        plugin: &KnownPlugin,
        factory: &raw::BridgeFactory,
        library: LibraryIndex,
        problems: &mut Vec<String>,
    ) {
        let PluginMetadata { id, name, .. } = &plugin.metadata;
        if self.called.insert(id.clone(), library) == Some(library) {
            return;
        }
        self.tables.remove(id);
        match call::during_preparation(name, "register", || table_of(factory)) {
            Ok(table) => drop(self.tables.insert(id.clone(), Arc::new(table))),
            Err(code) => problems.push(format!(
                "[BH-BRG-001] bridge `{name}` failed to register its data types ({}): it is not available",
                status::name(code)
            )),
        }
    }
}

/// A registrar and the rows it fills. The ABI struct is the first field, so that both have the same address.
#[repr(C)]
struct RegistrarCell<R> {
    abi: R,
    rows: RefCell<Rows>,
    /// Host object of the library that registers.
    host: *const Host,
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
        rows: RefCell::default(),
        host: std::ptr::null(),
    };
    // SAFETY: the loader checked the factory; the registrar lives for the call.
    let code = unsafe { (factory.register)((&raw const cell).cast()) };
    if code < 0 { Err(code) } else { Ok(FactoryTable { rows: Mutex::new(cell.rows.into_inner()) }) }
}

/// Adds the converters that a library has for a bridge. The table is not locked while the library runs.
fn add_converters(library: &Library, bridge: &KnownPlugin, table: &FactoryTable, problems: &mut Vec<String>) {
    let Some(converters) = library.converters() else { return };
    let cell = RegistrarCell {
        abi: raw::ConverterRegistrar {
            struct_size: raw::ConverterRegistrar::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            add_publisher: add_converter_out,
            add_subscriber: add_converter_in,
        },
        rows: RefCell::new(lock(&table.rows).clone()),
        host: library.host(),
    };
    let info = raw::BridgeInfo {
        struct_size: raw::BridgeInfo::SIZE,
        reserved: 0,
        id: Str::new(&bridge.metadata.id),
        name: Str::new(&bridge.metadata.name),
    };
    // Of the whole cell: a closure would capture a reference to `abi` alone, which says that the rows stay the same.
    let registrar = (&raw const cell).cast::<raw::ConverterRegistrar>();
    // SAFETY: the loader checked the table; info and registrar live for the call.
    let register = || unsafe { (converters.register)(&raw const info, registrar) };
    let code = call::during_preparation(&library.path().to_string_lossy(), "converters", register);
    if code > 0 && library.is_isolated() {
        let (library, bridge) = (library.path().display(), &bridge.metadata.name);
        let text =
            format!("`{library}` has {code} converters for `{bridge}`, which a worker process cannot offer");
        problems.push(Refusal::new(Code::NotIsolated, text).to_string());
    }
    if code < 0 {
        problems.push(format!(
            "[BH-BRG-002] `{}` failed to register its converters for bridge `{}` ({})",
            library.path().display(),
            bridge.metadata.name,
            status::name(code)
        ));
    }
    *lock(&table.rows) = cell.rows.into_inner();
}

/// Runs `add` on the rows behind a registrar.
///
/// # Safety
/// `registrar` must be the first field of a live `RegistrarCell<R>`.
unsafe fn fill<R>(registrar: *const R, add: impl FnOnce(&mut Rows) -> bool) -> Status {
    // SAFETY: the caller guarantees it.
    let cell = unsafe { &*registrar.cast::<RegistrarCell<R>>() };
    let Ok(mut rows) = cell.rows.try_borrow_mut() else {
        return status::WRONG_STATE;
    };
    if add(&mut rows) { status::OK } else { status::EXISTS }
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
        unsafe { fill(registrar, |rows| insert_new(&mut rows.types, owned(data_type), owned(bridge_type))) }
    })
}

unsafe extern "C" fn add_publisher(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::PublisherCreator,
) -> Status {
    host_call("registrar.add_publisher", status::PANIC, || {
        // SAFETY: as above; the creator is valid for the call.
        unsafe { fill(registrar, |rows| insert_new(&mut rows.publishers, owned(data_type), *creator)) }
    })
}

unsafe extern "C" fn add_subscriber(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::SubscriberCreator,
) -> Status {
    host_call("registrar.add_subscriber", status::PANIC, || {
        // SAFETY: as above.
        unsafe { fill(registrar, |rows| insert_new(&mut rows.subscribers, owned(data_type), *creator)) }
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
            fill(registrar, |rows| {
                insert_new(&mut rows.services, (owned(request), owned(response)), *creator)
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
            let converter = Converter { raw: *converter, host: library_of(registrar) };
            fill(registrar, |rows| {
                insert_new(&mut rows.converters_out, owned(data_type), (owned(bridge_type), converter))
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
            let converter = Converter { raw: *converter, host: library_of(registrar) };
            fill(registrar, |rows| {
                insert_new(&mut rows.converters_in, owned(data_type), (owned(bridge_type), converter))
            })
        }
    })
}

/// Returns the host object of the library that registers converters.
///
/// # Safety
/// `registrar` must be the first field of a live `RegistrarCell`.
unsafe fn library_of(registrar: *const raw::ConverterRegistrar) -> *const Host {
    // SAFETY: the caller guarantees it.
    unsafe { &*registrar.cast::<RegistrarCell<raw::ConverterRegistrar>>() }.host
}

#[cfg(test)]
mod tests;
