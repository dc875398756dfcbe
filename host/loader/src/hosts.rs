//! The interface through which the loader gets an ABI host object for each library.
//!
//! The loader depends on neither bus nor log; its caller implements [`LibraryHosts`]. Main thread only.

use std::ffi::c_void;
use std::path::Path;
use std::sync::Mutex;

use bridgehead_abi::{Host, Str};

use super::library::Linkage;
use super::metadata::Metadata;
use super::refusal::Refusal;
use bridgehead_runtime::guard::host_call;
use bridgehead_runtime::thread::lock;

/// Creates the host object that a library gets in `init`. Called on the main thread.
pub trait LibraryHosts {
    /// Returns the host object for a library that is about to be initialised. It must stay valid until the process
    /// ends, because libraries are never unloaded and may keep it.
    fn host_for(&mut self, library: &Metadata, file: &Path) -> *const Host;

    /// Takes the last text that a plugin passed to `explain` of this object.
    fn take_explanation(&mut self, host: *const Host) -> Option<String>;

    /// Opens a library in another process, if it is to run there: `copy` is its private copy. `None` if it is to be opened
    /// in this process.
    fn isolated(
        &mut self,
        _file: &Path,
        _copy: &Path,
        _library: &Metadata,
    ) -> Option<Result<Linkage, Refusal>> {
        None
    }
}

/// Host objects without extensions that store explanations: sufficient to load, create and destroy.
#[derive(Debug, Default)]
pub struct BareHosts;

/// A bare host object. The ABI struct is the first field, so that both have the same address.
#[repr(C)]
struct BareHost {
    abi: Host,
    explanation: Mutex<Option<String>>,
}

impl LibraryHosts for BareHosts {
    fn host_for(&mut self, _library: &Metadata, _file: &Path) -> *const Host {
        let abi = Host {
            struct_size: Host::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            get_extension: offer_nothing,
            explain: store_explanation,
        };
        // Leaked: the library may use it until the process ends.
        let host: &'static BareHost = Box::leak(Box::new(BareHost { abi, explanation: Mutex::new(None) }));
        std::ptr::from_ref(host).cast()
    }

    fn take_explanation(&mut self, host: *const Host) -> Option<String> {
        // SAFETY: the loader passes pointers that `host_for` made.
        let host = unsafe { host.cast::<BareHost>().as_ref()? };
        lock(&host.explanation).take()
    }
}

unsafe extern "C" fn offer_nothing(_host: *const Host, _id: Str) -> *const c_void {
    host_call("host.get_extension", std::ptr::null(), std::ptr::null)
}

unsafe extern "C" fn store_explanation(host: *const Host, text: Str) {
    host_call("host.explain", (), || {
        // SAFETY: plugins pass back the pointer that `host_for` made, and a text valid for this call.
        let (host, text) = unsafe { (host.cast::<BareHost>().as_ref(), text.as_bytes()) };
        if let Some(host) = host {
            let text = String::from_utf8_lossy(text).into_owned();
            *lock(&host.explanation) = Some(text);
        }
    })
}
