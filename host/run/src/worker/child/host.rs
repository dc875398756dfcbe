//! The host as the plugin of a worker sees it: two host objects, whose functions ask the real host.

use std::ffi::c_void;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_abi::{Host, Str};
use bridgehead_plugin_api::hosting::{Line, LogHost};
use bridgehead_plugin_api::rules;

use super::objects::{LIBRARY_HOST, WorkerHost, caller_of};
use super::remote::INSTANCE;
use super::{link, tables};
use crate::guard::host_call;
use crate::plugin::{LibraryHosts, Metadata};
use crate::thread::lock;
use crate::worker::wire::{Caller, Request};

const OBJECT: Host =
    Host { struct_size: Host::SIZE, reserved: 0, ctx: std::ptr::null_mut(), get_extension, explain };

pub(super) static INSTANCE_HOST: WorkerHost = WorkerHost { abi: OBJECT };

/// Whether the instance is that of a model plugin, which gets other functions than a bridge.
pub(super) static IS_MODEL: AtomicBool = AtomicBool::new(false);

/// The last explanation of the library: the loader of this process asks for it.
static EXPLANATION: Mutex<Option<String>> = Mutex::new(None);

/// Gives the library its host object.
pub(super) struct WorkerHosts;

impl LibraryHosts for WorkerHosts {
    fn host_for(&mut self, _: &Metadata, _: &Path) -> *const Host {
        library_host()
    }

    fn take_explanation(&mut self, _: *const Host) -> Option<String> {
        lock(&EXPLANATION).take()
    }
}

unsafe extern "C" fn explain(host: *const Host, text: Str) {
    host_call("host.explain", (), || {
        // SAFETY: plugins pass a text valid for this call.
        let text = unsafe { text.as_bytes() };
        if caller_of(host) == Caller::Library {
            *lock(&EXPLANATION) = Some(String::from_utf8_lossy(text).into_owned());
        }
        link().tell(Request::Explain { caller: caller_of(host), text });
    })
}

unsafe extern "C" fn get_extension(host: *const Host, id: Str) -> *const c_void {
    host_call("host.get_extension", std::ptr::null(), || {
        let caller = match caller_of(host) {
            Caller::Library => rules::Caller::Library,
            Caller::Instance if IS_MODEL.load(Ordering::Acquire) => rules::Caller::Model,
            Caller::Instance => rules::Caller::Bridge,
        };
        // SAFETY: plugins pass a text valid for this call.
        let id = unsafe { id.as_str() }.filter(|id| rules::is_offered(caller, id));
        id.map_or(std::ptr::null(), tables::table_of)
    })
}

/// Passes log lines of this process on.
pub(super) struct ForwardingLog;

impl log::Log for ForwardingLog {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = record.args().to_string();
            INSTANCE.write(Line {
                level: record.level() as u32,
                target: record.target().as_bytes(),
                text: text.as_bytes(),
                file: record.file().unwrap_or_default().as_bytes(),
                line: record.line().unwrap_or_default(),
            });
        }
    }

    fn flush(&self) {}
}

/// The host object of the library.
pub(super) fn library_host() -> *const Host {
    &raw const LIBRARY_HOST.get_or_init(|| WorkerHost { abi: OBJECT }).abi
}
