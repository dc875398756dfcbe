//! One loaded library: mapped, its entry and factory list checked against its metadata, initialised.
//!
//! This is the only file that calls the dynamic linker. Libraries are never unloaded, because their threads,
//! thread-locals and texts may outlive all objects known to the host. Runs on the main thread.

use std::error::Error;
use std::ffi::c_void;
use std::path::{Path, PathBuf};

use bridgehead_abi::bridge::{BridgeConverters, BridgeFactory};
use bridgehead_abi::entry::{ENTRY_MAGIC, ENTRY_SYMBOL, Entry, PluginFactory};
use bridgehead_abi::model::ModelFactory;
use bridgehead_abi::{Host, Str, extension, status};
use libloading::os::unix::{Library as Linked, RTLD_LOCAL, RTLD_NOW};
use rustix::fs::StatVfsMountFlags;

use bridgehead_runtime::call;

use super::abi_struct::{AbiStruct, checked_ref};
use super::code::Code;
use super::descriptor;
use super::hosts::LibraryHosts;
use super::metadata::{Kind, Metadata};
use super::refusal::Refusal;

/// The factory object of a plugin, by its kind.
#[derive(Clone, Copy)]
pub enum Factory {
    /// Factory of a bridge plugin.
    Bridge(&'static BridgeFactory),
    /// Factory of a model plugin.
    Model(&'static ModelFactory),
    /// Factory of a plugin of a kind that this host does not know.
    Unknown,
}

impl Factory {
    /// Returns the kind of its plugin.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Factory::Bridge(_) => Kind::Bridge,
            Factory::Model(_) => Kind::Model,
            Factory::Unknown => Kind::Unknown,
        }
    }
}

/// A library that stays loaded until the process ends.
pub struct Library {
    path: PathBuf,
    metadata: Metadata,
    /// `None` for a library that is open in other processes only.
    entry: Option<&'static Entry>,
    host: *const Host,
    converters: Option<&'static BridgeConverters>,
    initialised: bool,
}

// SAFETY: the host object may be used from any thread by the ABI's rules; the other parts are plain data.
unsafe impl Send for Library {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for Library {}

/// Result of loading.
pub struct Linkage {
    /// The library.
    pub library: Library,
    /// Its factories, in the order of the metadata.
    pub factories: Vec<Factory>,
    /// Findings that do not refuse it.
    pub warnings: Vec<Refusal>,
}

impl Library {
    /// Maps `copy`, checks what it exports against `metadata` and calls `init`.
    pub(super) fn load(
        path: &Path,
        copy: &Path,
        metadata: Metadata,
        hosts: &mut dyn LibraryHosts,
    ) -> Result<Linkage, Refusal> {
        let linked = link(path, copy)?;
        let entry = find_entry(linked, &metadata)?;
        let warnings = check_types(entry, &metadata)?;
        let factories = factories(entry, &metadata)?;
        let converters = optional_object::<BridgeConverters>(entry, extension::BRIDGE_CONVERTERS)?;
        let host = hosts.host_for(&metadata, path);
        initialise(path, entry, host, hosts)?;
        let library = Library {
            path: path.to_owned(),
            metadata,
            entry: Some(entry),
            host,
            converters,
            initialised: true,
        };
        Ok(Linkage { library, factories, warnings })
    }

    /// A library whose code runs in other processes only. Its converters are counted, and not used.
    #[must_use]
    pub fn isolated(
        path: PathBuf,
        metadata: Metadata,
        host: *const Host,
        converters: Option<&'static BridgeConverters>,
    ) -> Self {
        Library { path, metadata, entry: None, host, converters, initialised: false }
    }

    /// Returns true if its code runs in other processes only.
    #[must_use]
    pub fn is_isolated(&self) -> bool {
        self.entry.is_none()
    }

    /// Returns the file it was loaded from, not its private copy.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its metadata.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns the host object it was initialised with.
    #[must_use]
    pub fn host(&self) -> *const Host {
        self.host
    }

    /// Returns the extension that registers converters for its message types, if it has one.
    #[must_use]
    pub fn converters(&self) -> Option<&'static BridgeConverters> {
        self.converters
    }

    /// Looks up a factory or library extension by id; null for an unknown one.
    #[must_use]
    pub fn get_factory(&self, id: &str) -> *const c_void {
        self.entry.map_or(std::ptr::null(), |entry| get_factory(entry, id))
    }

    /// Calls `deinit`, once. Every instance must have been destroyed.
    pub fn deinit(&mut self) {
        if std::mem::take(&mut self.initialised)
            && let Some(entry) = self.entry
        {
            // SAFETY: the entry was checked, `init` succeeded, and this is the only call.
            let deinit = || unsafe { (entry.deinit)() };
            call::during_preparation(&self.path.to_string_lossy(), "deinit", deinit);
        }
    }
}

/// Maps the copy and resolves all symbols now, so that a missing symbol is reported here and does not crash a run. Its
/// symbols are not visible to other plugins.
fn link(path: &Path, copy: &Path) -> Result<&'static Linked, Refusal> {
    // SAFETY: constructors of the library run here, and they can do anything; that is what loading a plugin
    // means. Everything that can be checked without running it was checked before.
    let open = || unsafe { Linked::open(Some(copy), RTLD_NOW | RTLD_LOCAL) };
    let linked = call::during_preparation(&path.to_string_lossy(), "constructor", open);
    match linked {
        // Leaked, because libraries are never unloaded, not even one that is refused later: its constructors may have
        // started threads.
        Ok(linked) => Ok(Box::leak(Box::new(linked))),
        Err(error) => Err(link_refusal(path, copy, &linker_text(&error))),
    }
}

/// Returns the message of the dynamic linker, which is the source of the error.
fn linker_text(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

fn link_refusal(path: &Path, copy: &Path, error: &str) -> Refusal {
    let text = error.replace(&*copy.to_string_lossy(), &path.to_string_lossy());
    let mut details = Vec::new();
    if text.contains("cannot open shared object file") {
        details.push(String::from(
            "plugins are loaded from a private copy: a RUNPATH of `$ORIGIN` does not lead back to the folder of the original",
        ));
    }
    if is_noexec(copy) {
        // The linker says "failed to map segment", which has other causes too.
        let folder = std::env::temp_dir();
        return Refusal::new(
            Code::PrivateCopy,
            format!(
                "the private copy in `{}` cannot be executed, as on a disk mounted noexec: {text}",
                folder.display()
            ),
        );
    }
    Refusal::new(Code::Link, text).with_details(details)
}

/// Returns true if a file is on a disk mounted noexec.
fn is_noexec(path: &Path) -> bool {
    rustix::fs::statvfs(path).is_ok_and(|facts| facts.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

/// Finds and checks the exported entry: magic and version first, because only those bytes never change.
fn find_entry(linked: &'static Linked, metadata: &Metadata) -> Result<&'static Entry, Refusal> {
    // SAFETY: the symbol is data; its address is taken here and checked below.
    let symbol = unsafe { linked.get::<*const Entry>(ENTRY_SYMBOL.as_bytes()) };
    let symbol = symbol.map_err(|_| {
        Refusal::new(Code::EntryMissing, format!("the library does not export `{ENTRY_SYMBOL}`"))
    })?;
    let entry: *const Entry = *symbol;
    let invalid = |found: String| {
        Refusal::new(Code::EntryInvalid, format!("`{ENTRY_SYMBOL}` is not an entry: {found}"))
    };
    if entry.is_null() || !entry.is_aligned() {
        return Err(invalid(format!("its address is {entry:p}")));
    }
    // SAFETY: the library exports the symbol as an entry; these bytes are plain integers.
    let (magic, major, minor) = unsafe {
        (
            (&raw const (*entry).magic).read(),
            (&raw const (*entry).abi_major).read(),
            (&raw const (*entry).abi_minor).read(),
        )
    };
    if magic != ENTRY_MAGIC {
        return Err(invalid(format!("it begins with `{}`", magic.escape_ascii())));
    }
    if [major, minor] != metadata.abi {
        let [stated_major, stated_minor] = metadata.abi;
        let text = format!(
            "the entry is of plugin ABI {major}.{minor}, the metadata of {stated_major}.{stated_minor}"
        );
        return Err(Refusal::new(Code::EntryVersion, text));
    }
    // SAFETY: magic, version and layout table say that an `Entry` is there; it is immutable.
    unsafe { checked_ref(entry) }.map_err(|error| invalid(error.to_string()))
}

#[cfg(feature = "stable-abi")]
fn check_types(entry: &Entry, metadata: &Metadata) -> Result<Vec<Refusal>, Refusal> {
    super::stable_abi::check(metadata, |id| get_factory(entry, id)).map(|note| note.into_iter().collect())
}

#[cfg(not(feature = "stable-abi"))]
#[expect(clippy::unnecessary_wraps, reason = "the check that can fail is a feature of this crate")]
fn check_types(_entry: &Entry, _metadata: &Metadata) -> Result<Vec<Refusal>, Refusal> {
    Ok(Vec::new())
}

/// Compares the descriptors with the metadata and returns the factories of all plugins.
fn factories(entry: &Entry, metadata: &Metadata) -> Result<Vec<Factory>, Refusal> {
    let list = optional_object::<PluginFactory>(entry, extension::PLUGIN_FACTORY)?.ok_or_else(|| {
        Refusal::new(Code::FactoryInvalid, format!("the library has no `{}`", extension::PLUGIN_FACTORY))
    })?;
    descriptor::check(list, metadata)?;
    (0..list.count).zip(&metadata.plugins).map(|(index, plugin)| factory(list, index, plugin.kind)).collect()
}

fn factory(list: &PluginFactory, index: u32, kind: Kind) -> Result<Factory, Refusal> {
    // SAFETY: the list was checked and `index` is below its count.
    let object = unsafe { (list.factory)(index) };
    // SAFETY: by the ABI the object is the factory of that kind, immutable until the process ends.
    let factory = unsafe {
        match kind {
            Kind::Bridge => checked_ref(object.cast()).map(Factory::Bridge),
            Kind::Model => checked_ref(object.cast()).map(Factory::Model),
            Kind::Unknown => Ok(Factory::Unknown),
        }
    };
    factory
        .map_err(|found| Refusal::new(Code::FactoryInvalid, format!("factory {index} is invalid: {found}")))
}

/// Returns an optional object of the library.
fn optional_object<T: AbiStruct>(entry: &Entry, id: &str) -> Result<Option<&'static T>, Refusal> {
    let object = get_factory(entry, id);
    if object.is_null() {
        return Ok(None);
    }
    // SAFETY: by the ABI this id gives an object of this type, immutable until the process ends.
    let object = unsafe { checked_ref::<T>(object.cast()) };
    object
        .map(Some)
        .map_err(|found| Refusal::new(Code::FactoryInvalid, format!("`{id}` is invalid: {found}")))
}

fn get_factory(entry: &Entry, id: &str) -> *const c_void {
    // SAFETY: the entry was checked; the text lives for the call.
    unsafe { (entry.get_factory)(Str::new(id)) }
}

fn initialise(
    path: &Path,
    entry: &Entry,
    host: *const Host,
    hosts: &mut dyn LibraryHosts,
) -> Result<(), Refusal> {
    // SAFETY: the entry was checked, the host object lives until the process ends, and a library is loaded
    // from a fresh copy each time, so that this is the only call.
    let init = || unsafe { (entry.init)(host) };
    let result = call::during_preparation(&path.to_string_lossy(), "init", init);
    if result >= status::OK {
        return Ok(());
    }
    let reason = hosts.take_explanation(host).unwrap_or_else(|| String::from("the plugin gave no reason"));
    Err(Refusal::new(Code::InitFailed, format!("`init` returned {}: {reason}", status::name(result))))
}
