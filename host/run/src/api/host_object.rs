//! The host object of an instance, as the plugin sees it.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::{Host, Str, extension};
use bridgehead_plugin_api::{hosting, rules};

use super::caller::caller;
use super::check::{bytes, text};
use super::context::params::ParamsView;
use super::context::{Context, Owner};
use super::shared::Shared;
use crate::call;
use crate::guard::host_call;
use crate::text::shortened;
use crate::world::Attachment;

/// Longest explanation in characters; longer ones are truncated.
pub(super) const MAX_EXPLANATION: usize = 4096;

pub(super) unsafe extern "C" fn explain(host: *const Host, text: Str) {
    host_call("host.explain", (), || {
        let context = caller!(host, "host.explain", else return);
        // SAFETY: plugins pass a text valid for this call.
        let Ok(bytes) = (unsafe { bytes(&context.label, text, "host.explain") }) else { return };
        let text = String::from_utf8_lossy(bytes);
        context.explain(shortened(&text, MAX_EXPLANATION).into_owned());
    })
}

/// Offers an extension according to whose host object it is.
pub(super) unsafe extern "C" fn get_extension(host: *const Host, id: Str) -> *const c_void {
    host_call("host.get_extension", std::ptr::null(), || {
        let context = caller!(host, "host.get_extension", std::ptr::null());
        // SAFETY: plugins pass a text valid for this call.
        let id = unsafe { text(&context.label, id, "host.get_extension") }.ok();
        let id = id.filter(|id| rules::is_offered(context.caller(), id));
        id.map_or(std::ptr::null(), table_of)
    })
}

/// The table of an extension; null for an unknown one.
pub(super) fn table_of(id: &str) -> *const c_void {
    match id {
        extension::ENCODINGS => table(hosting::encodings_table::<Context>()),
        extension::THREADS => table(hosting::threads_table::<Context>()),
        extension::BUS => table(hosting::bus_table::<Context>(call::is_thorough())),
        extension::SERVICES => table(hosting::services_table::<Context>()),
        _ => hosting::table::<Context>(id).unwrap_or(std::ptr::null()),
    }
}

pub(super) fn table<T>(table: &'static T) -> *const c_void {
    std::ptr::from_ref(table).cast()
}

impl Context {
    /// The context of one instance. It must stay where it is as long as the plugin may call, hence the `Arc`.
    #[must_use]
    pub fn new(
        owner: Owner,
        label: String,
        shared: Arc<Shared>,
        params: ParamsView,
        attachment: Attachment,
    ) -> Arc<Self> {
        let host =
            Host { struct_size: Host::SIZE, reserved: 0, ctx: std::ptr::null_mut(), get_extension, explain };
        Context::with_host(host, owner, label, shared, params, attachment)
    }
}
