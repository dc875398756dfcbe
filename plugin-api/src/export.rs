//! What a plugin library exports, and the macro that writes it.

mod metadata;

use std::ffi::c_void;
use std::sync::OnceLock;

use bridgehead_abi as abi;
use bridgehead_abi::entry::Descriptor;
use bridgehead_abi::{Host, Status, Str};

pub use self::metadata::{metadata, metadata_len};
pub use crate::boundary::adopt;
pub use crate::bridge::glue::factory as bridge_factory;
use crate::host::HostHandle;
pub use crate::model::glue::{converters, factory as model_factory};
use crate::state::Remembers;

/// One plugin of a library, as its metadata and descriptor say.
#[derive(Clone, Copy, Debug)]
pub struct PluginInfo {
    /// `bridge` or `model`.
    pub kind: Kind,
    /// Reverse-domain id.
    pub id: &'static str,
    /// Short name.
    pub name: &'static str,
    /// Version of the plugin.
    pub version: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// SPDX licence expression.
    pub license: &'static str,
    /// Host extensions it cannot do without.
    pub requires: &'static [&'static str],
    /// Message types it registers.
    pub provides: &'static [&'static str],
    /// What it remembers, for a model plugin.
    pub remembers: Option<Remembers>,
}

/// Kind of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Carries messages out of and into the host.
    Bridge,
    /// Attached to a model, a sensor or the world.
    Model,
}

impl Kind {
    /// The kind's name in the metadata.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bridge => "bridge",
            Kind::Model => "model",
        }
    }
}

/// The descriptor that says the same as the metadata.
#[must_use]
pub const fn descriptor(info: &PluginInfo) -> Descriptor {
    Descriptor {
        struct_size: Descriptor::SIZE,
        kind: match info.kind {
            Kind::Bridge => abi::entry::KIND_BRIDGE,
            Kind::Model => abi::entry::KIND_MODEL,
        },
        id: Str::new(info.id),
        name: Str::new(info.name),
        version: Str::new(info.version),
        vendor: Str::new(info.vendor),
        license: Str::new(info.license),
    }
}

/// The layout table with its length in the type, as a section needs it.
#[must_use]
pub const fn layout_table() -> [abi::LayoutRow; abi::LAYOUT.len()] {
    let mut rows = [abi::LAYOUT[0]; abi::LAYOUT.len()];
    let mut index = 0;
    while index < rows.len() {
        rows[index] = abi::LAYOUT[index];
        index += 1;
    }
    rows
}

/// Host object of the library, for calls that come without one.
static LIBRARY: OnceLock<HostHandle> = OnceLock::new();

/// `init` of the entry.
///
/// # Safety
/// Called by the host with the library's host object.
pub unsafe extern "C" fn init(host: *const Host) -> Status {
    // SAFETY: the host passes the library's host object, which lives until the process ends.
    unsafe {
        LIBRARY.get_or_init(|| HostHandle::from_raw(host));
        adopt(host)
    }
}

/// `deinit` of the entry.
///
/// # Safety
/// Called by the host when the process ends.
pub unsafe extern "C" fn deinit() {}

/// The library's host object.
#[must_use]
pub fn library() -> Option<HostHandle> {
    LIBRARY.get().copied()
}

/// abi_stable's descriptions of the roots of the ABI, for `bridgehead.stable-abi-layout/2`.
#[cfg(feature = "layout-check")]
#[must_use]
pub fn stable_abi_layout() -> *const c_void {
    unsafe extern "C" fn layout(name: Str) -> Option<&'static abi_stable::type_layout::TypeLayout> {
        // SAFETY: the host passes a valid text.
        let name = std::str::from_utf8(unsafe { name.as_bytes() }).ok()?;
        abi::surface::layout_of(name)
    }
    layout as *const c_void
}

/// Without the feature a library carries no description.
#[cfg(not(feature = "layout-check"))]
#[must_use]
pub fn stable_abi_layout() -> *const c_void {
    std::ptr::null()
}

/// Whether an extension id equals a known one.
///
/// # Safety
/// `id` must be a valid text.
#[must_use]
pub unsafe fn is_id(id: Str, known: &str) -> bool {
    // SAFETY: the caller vouches for the text.
    unsafe { id.as_bytes() == known.as_bytes() }
}

/// Exports bridges and model plugins of this library. To be written once, at the root of a `cdylib` crate.
///
/// ```text
/// bridgehead_plugin_api::export_plugin! {
///     bridge UdpBridge { id: "org.example.bridge.udp", name: "udp", vendor: "Example" }
///     model Barometer { id: "org.example.sensor.barometer", name: "barometer", vendor: "Example",
///                       provides: ["org.example.v1.Pressure"] }
/// }
/// ```
///
/// `requires: [...]` names host extensions without which a plugin cannot work (it is refused before loading
/// where the host lacks one); `provides: [...]` names message types of its own. Version and licence are the
/// crate's.
#[macro_export]
macro_rules! export_plugin {
    ($(
        $kind:ident $type:ty {
            id: $id:literal, name: $name:literal, vendor: $vendor:literal
            $(, requires: [$($requires:literal),* $(,)?])?
            $(, provides: [$($provides:literal),* $(,)?])?
            $(,)?
        }
    )+) => {
        #[doc(hidden)]
        #[allow(unsafe_code, reason = "this is the one place where a plugin library crosses the boundary")]
        mod __bridgehead_export {
            use super::*;
            use $crate::abi;
            use $crate::export::{self, PluginInfo};

            const PLUGINS: &[PluginInfo] = &[$(
                PluginInfo {
                    kind: $crate::__plugin_kind!($kind),
                    id: $id,
                    name: $name,
                    version: env!("CARGO_PKG_VERSION"),
                    vendor: $vendor,
                    license: env!("CARGO_PKG_LICENSE"),
                    requires: &[$($($requires),*)?],
                    provides: &[$($($provides),*)?],
                    remembers: $crate::__plugin_remembers!($kind $type),
                },
            )+];

            const METADATA_LEN: usize = export::metadata_len(PLUGINS, cfg!(panic = "abort"));

            #[used]
            #[unsafe(link_section = ".bridgehead.meta")]
            static METADATA: [u8; METADATA_LEN] = export::metadata::<METADATA_LEN>(PLUGINS, cfg!(panic = "abort"));

            #[used]
            #[unsafe(link_section = ".bridgehead.layout")]
            static LAYOUT: [abi::LayoutRow; abi::LAYOUT.len()] = export::layout_table();

            static DESCRIPTORS: [abi::entry::Descriptor; PLUGINS.len()] = {
                let mut all = [export::descriptor(&PLUGINS[0]); PLUGINS.len()];
                let mut index = 0;
                while index < PLUGINS.len() {
                    all[index] = export::descriptor(&PLUGINS[index]);
                    index += 1;
                }
                all
            };

            unsafe extern "C" fn descriptor(index: u32) -> *const abi::entry::Descriptor {
                DESCRIPTORS.get(index as usize).map_or(std::ptr::null(), std::ptr::from_ref)
            }

            unsafe extern "C" fn factory(index: u32) -> *const std::ffi::c_void {
                let factories = [$( $crate::__plugin_factory!($kind $type) ),+];
                factories.get(index as usize).copied().unwrap_or(std::ptr::null())
            }

            static FACTORY: abi::entry::PluginFactory = abi::entry::PluginFactory {
                struct_size: abi::entry::PluginFactory::SIZE,
                count: PLUGINS.len() as u32,
                descriptor,
                factory,
            };

            unsafe extern "C" fn converters(
                bridge: *const abi::bridge::BridgeInfo,
                registrar: *const abi::bridge::ConverterRegistrar,
            ) -> abi::Status {
                let Some(library) = export::library() else {
                    return abi::status::WRONG_STATE;
                };
                let mut outcome = abi::status::OK;
                $(
                    // SAFETY: the host's pointers are passed on for this call.
                    let status = unsafe { $crate::__plugin_converters!($kind $type, library, bridge, registrar) };
                    outcome = outcome.min(status);
                )+
                outcome
            }

            static CONVERTERS: abi::bridge::BridgeConverters = abi::bridge::BridgeConverters {
                struct_size: abi::bridge::BridgeConverters::SIZE,
                reserved: 0,
                register: converters,
            };

            unsafe extern "C" fn get_factory(id: abi::Str) -> *const std::ffi::c_void {
                // SAFETY: the host passes a valid text.
                let is = |known| unsafe { export::is_id(id, known) };
                if is(abi::extension::PLUGIN_FACTORY) {
                    std::ptr::from_ref(&FACTORY).cast()
                } else if is(abi::extension::BRIDGE_CONVERTERS) {
                    std::ptr::from_ref(&CONVERTERS).cast()
                } else if is(abi::extension::STABLE_ABI_LAYOUT) {
                    export::stable_abi_layout()
                } else {
                    std::ptr::null()
                }
            }

            #[used]
            #[unsafe(export_name = "bridgehead_plugin_entry")]
            static ENTRY: abi::Entry = abi::Entry {
                magic: abi::entry::ENTRY_MAGIC,
                struct_size: abi::Entry::SIZE,
                abi_major: abi::ABI_MAJOR,
                abi_minor: abi::ABI_MINOR,
                reserved: 0,
                init: export::init,
                deinit: export::deinit,
                get_factory,
            };
        }
    };
}

/// Maps the word in front of a plugin type to its kind.
#[doc(hidden)]
#[macro_export]
macro_rules! __plugin_kind {
    (bridge) => {
        $crate::export::Kind::Bridge
    };
    (model) => {
        $crate::export::Kind::Model
    };
}

/// What a plugin remembers; bridges have no such answer.
#[doc(hidden)]
#[macro_export]
macro_rules! __plugin_remembers {
    (bridge $type:ty) => {
        None
    };
    (model $type:ty) => {
        Some(<$type as $crate::model::ModelPlugin>::REMEMBERS)
    };
}

/// The address of a plugin's factory.
#[doc(hidden)]
#[macro_export]
macro_rules! __plugin_factory {
    (bridge $type:ty) => {{
        static FACTORY: $crate::abi::bridge::BridgeFactory = $crate::export::bridge_factory::<$type>();
        std::ptr::from_ref(&FACTORY).cast::<std::ffi::c_void>()
    }};
    (model $type:ty) => {{
        static FACTORY: $crate::abi::model::ModelFactory = $crate::export::model_factory::<$type>();
        std::ptr::from_ref(&FACTORY).cast::<std::ffi::c_void>()
    }};
}

/// Registers the converters of one plugin; bridges have none.
#[doc(hidden)]
#[macro_export]
macro_rules! __plugin_converters {
    (bridge $type:ty, $library:expr, $bridge:expr, $registrar:expr) => {{
        let _ = ($library, $bridge, $registrar);
        $crate::abi::status::OK
    }};
    (model $type:ty, $library:expr, $bridge:expr, $registrar:expr) => {
        $crate::export::converters::<$type>($library, $bridge, $registrar)
    };
}
