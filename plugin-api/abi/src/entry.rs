//! What a plugin library exports: one entry symbol and two ELF sections that are read without running it.

use core::ffi::c_void;

use crate::{Host, Status, Str};

/// Name of the one exported data symbol, of type [`Entry`].
pub const ENTRY_SYMBOL: &str = "bridgehead_plugin_entry";

/// First bytes of [`Entry`].
pub const ENTRY_MAGIC: [u8; 8] = *b"BRIDGEHD";

/// ELF section with the metadata, a JSON text. See [`Metadata format`](#metadata-format) below.
///
/// # Metadata format
///
/// ```json
/// {"schema":1, "abi":[1,0], "sdk":"bridgehead-plugin-api 0.1.0", "abi_stable":"0.11.3", "panic":"unwind",
///  "plugins":[{"id":"org.example.bridge.udp", "kind":"bridge", "name":"udp", "version":"1.0.0",
///              "vendor":"Example", "license":"MIT", "requires":["bridgehead.bus/1"], "provides":[]}]}
/// ```
///
/// Unknown fields are ignored, and so are a later `schema`, unknown words for `panic`, and plugins of an unknown `kind`.
/// `abi_stable` is absent where the library carries no `StableAbi` layout (C plugins); `panic` is `unwind`,
/// `abort` or `none`; a model plugin also has `state`: `saved` where its `save` and `load` keep what it remembers,
/// `nothing` where there is nothing to keep, and `unsaved`, also where the field is absent, where a restored run finds it
/// as after a reset; `requires` lists host extensions without which the plugin cannot work; `provides`
/// lists the full names of message types it registers. The host opens a library with such types when it starts, because
/// others can use them without naming the plugin, and any other library when one of its plugins is used.
pub const METADATA_SECTION: &str = ".bridgehead.meta";

/// ELF section with the [`LayoutRow`](crate::LayoutRow)s of the library.
pub const LAYOUT_SECTION: &str = ".bridgehead.layout";

/// Value of `schema` in the metadata this crate describes.
pub const METADATA_SCHEMA: u32 = 1;

/// A plugin that carries messages out of and into the host.
pub const KIND_BRIDGE: u32 = 1;
/// A plugin attached to a model, a sensor or the world: sensor, actuator, controller, world plugin.
pub const KIND_MODEL: u32 = 2;

abi_struct! {
    /// The exported entry of a library. Its first 24 bytes never change, whatever the ABI version.
    pub struct Entry {
        /// [`ENTRY_MAGIC`].
        pub magic: [u8; 8],
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// [`crate::ABI_MAJOR`] the library was built for.
        pub abi_major: u32,
        /// [`crate::ABI_MINOR`] the library was built for.
        pub abi_minor: u32,
        /// 0.
        pub reserved: u32,
        /// Called once per process, before any factory is used. `host` is the library's own host object, valid
        /// until the process ends; its log extension may be used from here on.
        /// `[thread: main] [state: any]`
        pub init: unsafe extern "C" fn(host: *const Host) -> Status,
        /// Called once when the process ends, after every instance was destroyed.
        /// `[thread: main] [state: any]`
        pub deinit: unsafe extern "C" fn(),
        /// Looks up a factory or library extension by id; null for an unknown id. Known ids are in
        /// [`crate::extension`]. The object stays valid until `deinit`.
        /// `[thread: any] [state: any]`
        pub get_factory: unsafe extern "C" fn(id: Str) -> *const c_void,
    }
}

// SAFETY: an entry is immutable and holds function pointers only.
unsafe impl Sync for Entry {}

abi_struct! {
    /// What one plugin of a library is. Must say the same as the metadata section.
    pub struct Descriptor {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// One of the `KIND_` constants.
        pub kind: u32,
        /// Reverse-domain id, unique in the world: `org.example.bridge.udp`.
        pub id: Str,
        /// Short name used on the command line and in world files: `udp`.
        pub name: Str,
        /// Version of the plugin itself.
        pub version: Str,
        /// Who makes it.
        pub vendor: Str,
        /// SPDX licence expression.
        pub license: Str,
    }
}

// SAFETY: a descriptor is immutable and its texts live as long as the library.
unsafe impl Sync for Descriptor {}

abi_struct! {
    /// The library's list of plugins, extension [`crate::extension::PLUGIN_FACTORY`].
    pub struct PluginFactory {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Number of plugins in this library.
        pub count: u32,
        /// Describes plugin `index`; null beyond `count`. Valid until the process ends.
        /// `[thread: any] [state: any]`
        pub descriptor: unsafe extern "C" fn(index: u32) -> *const Descriptor,
        /// The factory object of plugin `index`: a [`crate::bridge::BridgeFactory`] or a
        /// [`crate::model::ModelFactory`] according to its kind. Valid until the process ends.
        /// `[thread: any] [state: any]`
        pub factory: unsafe extern "C" fn(index: u32) -> *const c_void,
    }
}

// SAFETY: a factory list is immutable and holds function pointers only.
unsafe impl Sync for PluginFactory {}
