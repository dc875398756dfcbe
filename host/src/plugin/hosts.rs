//! What the loader needs from the rest of the host: an ABI host object for each library.
//!
//! The loader knows neither bus nor log; whoever calls it brings an implementation of [`LibraryHosts`].

use std::ffi::c_void;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bridgehead_abi::{Host, Str};

use super::metadata::Metadata;
use crate::guard::host_call;

/// Makes the host object that a library gets in `init`. Called on the main thread.
pub trait LibraryHosts {
    /// The host object for a library that is about to be initialised. It stays valid until the process ends,
    /// because a library is never unloaded and may keep it.
    fn host_for(&mut self, library: &Metadata, file: &Path) -> *const Host;

    /// The last text that a plugin gave to `explain` of this object, taken out of it.
    fn take_explanation(&mut self, host: *const Host) -> Option<String>;
}

/// Host objects that offer no extension and remember explanations: enough to load, create and destroy.
#[derive(Debug, Default)]
pub struct BareHosts;

/// What stands behind a bare host object; the ABI part comes first, so that both have one address.
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
            explain: remember,
        };
        // Leaked: the library may use it until the process ends.
        let host: &'static BareHost = Box::leak(Box::new(BareHost { abi, explanation: Mutex::new(None) }));
        std::ptr::from_ref(host).cast()
    }

    fn take_explanation(&mut self, host: *const Host) -> Option<String> {
        // SAFETY: the loader passes pointers that `host_for` made.
        let host = unsafe { host.cast::<BareHost>().as_ref()? };
        host.explanation.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

unsafe extern "C" fn offer_nothing(_host: *const Host, _id: Str) -> *const c_void {
    host_call("host.get_extension", std::ptr::null(), || std::ptr::null())
}

unsafe extern "C" fn remember(host: *const Host, text: Str) {
    host_call("host.explain", (), || {
        // SAFETY: plugins pass back the pointer that `host_for` made, and a text valid for this call.
        let (host, text) = unsafe { (host.cast::<BareHost>().as_ref(), text.as_bytes()) };
        if let Some(host) = host {
            let text = String::from_utf8_lossy(text).into_owned();
            *host.explanation.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
    })
}
