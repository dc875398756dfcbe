//! The tables of data types and services that bridge plugins register, with the converters that other plugins add.
//!
//! Filled on the simulation thread whenever a library is opened.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use bridgehead_abi::bridge::{
    self as raw, ConverterRegistrar, PublisherCreator, Registrar, ServiceCreator, SubscriberCreator,
};
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_plugin_api::objects::{Callback, ConverterRegistrarObject, Offered, RegistrarObject};

use crate::api::hosting::host_object;
use crate::bus::Converter;
use crate::call;
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
    publishers: BTreeMap<String, Callback<PublisherCreator>>,
    subscribers: BTreeMap<String, Callback<SubscriberCreator>>,
    services: BTreeMap<(String, String), Callback<ServiceCreator>>,
    converters_out: BTreeMap<String, (String, Converter)>,
    converters_in: BTreeMap<String, (String, Converter)>,
}

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
    pub fn publisher(&self, data_type: &str) -> Option<TypeMapping<Callback<PublisherCreator>>> {
        let rows = lock(&self.rows);
        rows.find(&rows.publishers, &rows.converters_out, data_type)
    }

    /// Returns how this bridge receives messages of a type; `None` if it does not.
    #[must_use]
    pub fn subscriber(&self, data_type: &str) -> Option<TypeMapping<Callback<SubscriberCreator>>> {
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
    pub fn service(&self, request: &str, response: &str) -> Option<Callback<ServiceCreator>> {
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

/// A registrar and the rows it fills.
struct RegistrarCell {
    rows: RefCell<Rows>,
    /// Host object of the library that registers.
    host: *const Host,
}

host_object!(RegistrarCell, |_| None);

/// What a factory registers.
///
/// # Errors
/// The status of a registration that failed.
pub(super) fn table_of(factory: &raw::BridgeFactory) -> Result<FactoryTable, Status> {
    let cell = RegistrarCell { rows: RefCell::default(), host: std::ptr::null() };
    let registrar = Offered::<Registrar, _>::new(cell);
    // SAFETY: the loader checked the factory; the registrar lives for the call.
    let code = unsafe { (factory.register)(registrar.as_raw()) };
    if code < 0 {
        Err(code)
    } else {
        Ok(FactoryTable { rows: Mutex::new(registrar.into_inner().rows.into_inner()) })
    }
}

/// Adds the converters that a library has for a bridge. The table is not locked while the library runs.
fn add_converters(library: &Library, bridge: &KnownPlugin, table: &FactoryTable, problems: &mut Vec<String>) {
    let Some(converters) = library.converters() else { return };
    let cell = RegistrarCell { rows: RefCell::new(lock(&table.rows).clone()), host: library.host() };
    let registrar = Offered::<ConverterRegistrar, _>::new(cell);
    let info = raw::BridgeInfo {
        struct_size: raw::BridgeInfo::SIZE,
        reserved: 0,
        id: Str::new(&bridge.metadata.id),
        name: Str::new(&bridge.metadata.name),
    };
    // SAFETY: the loader checked the table; info and registrar live for the call.
    let register = || unsafe { (converters.register)(&raw const info, registrar.as_raw()) };
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
    *lock(&table.rows) = registrar.into_inner().rows.into_inner();
}

impl RegistrarCell {
    /// Runs `add` on the rows.
    fn fill(&self, add: impl FnOnce(&mut Rows) -> bool) -> Status {
        let Ok(mut rows) = self.rows.try_borrow_mut() else { return status::WRONG_STATE };
        if add(&mut rows) { status::OK } else { status::EXISTS }
    }

    fn converter(&self, raw: Callback<raw::Converter>, bridge_type: &str) -> (String, Converter) {
        (bridge_type.to_owned(), Converter { raw, host: self.host })
    }
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

impl RegistrarObject for RegistrarCell {
    fn add_type(&self, data_type: &str, bridge_type: &str) -> Status {
        self.fill(|rows| insert_new(&mut rows.types, data_type.to_owned(), bridge_type.to_owned()))
    }

    fn add_publisher(&self, data_type: &str, creator: Callback<PublisherCreator>) -> Status {
        self.fill(|rows| insert_new(&mut rows.publishers, data_type.to_owned(), creator))
    }

    fn add_subscriber(&self, data_type: &str, creator: Callback<SubscriberCreator>) -> Status {
        self.fill(|rows| insert_new(&mut rows.subscribers, data_type.to_owned(), creator))
    }

    fn add_service(&self, request: &str, response: &str, creator: Callback<ServiceCreator>) -> Status {
        let key = (request.to_owned(), response.to_owned());
        self.fill(|rows| insert_new(&mut rows.services, key, creator))
    }
}

impl ConverterRegistrarObject for RegistrarCell {
    fn add_publisher(&self, data_type: &str, bridge_type: &str, raw: Callback<raw::Converter>) -> Status {
        let converter = self.converter(raw, bridge_type);
        self.fill(|rows| insert_new(&mut rows.converters_out, data_type.to_owned(), converter))
    }

    fn add_subscriber(&self, data_type: &str, bridge_type: &str, raw: Callback<raw::Converter>) -> Status {
        let converter = self.converter(raw, bridge_type);
        self.fill(|rows| insert_new(&mut rows.converters_in, data_type.to_owned(), converter))
    }
}

#[cfg(test)]
mod tests;
