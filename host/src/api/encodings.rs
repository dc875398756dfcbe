//! `bridgehead.encodings/1`: payloads in other encodings, and their fields.

use std::sync::Arc;

use bridgehead_abi::encodings::HostEncodings;
use bridgehead_abi::{Host, Status, status};
use bridgehead_plugin_api::rules::{self, EncodingsHost, TypePlans};

use super::caller::context;
use crate::guard::host_call;

pub(super) static TABLE: HostEncodings = rules::encodings_table::<Offer>();

/// The host as one that offers the extension.
struct Offer;

impl EncodingsHost for Offer {
    fn plans(
        function: &'static str,
        host: *const Host,
        type_id: u32,
    ) -> Result<Option<Arc<TypePlans>>, Status> {
        // SAFETY: plugins pass back their host pointer.
        let context = unsafe { context(host, function) }?;
        Ok(context.shared.types.get(type_id).map(|known| known.plans()))
    }

    fn explain(host: *const Host, reason: String) {
        // SAFETY: as above.
        if let Ok(context) = unsafe { context(host, "encodings") } {
            context.explain(reason);
        }
    }

    fn guarded(name: &'static str, body: impl FnOnce() -> Status) -> Status {
        host_call(name, status::PANIC, body)
    }
}
