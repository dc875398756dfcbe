//! `bridgehead.encodings/1` in a worker: conversions in this process, by descriptions of the host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bridgehead_abi::encodings::HostEncodings;
use bridgehead_abi::{Host, Status, status};
use bridgehead_plugin_api::messages::{MessageType, Schema};
use bridgehead_plugin_api::rules::{self, EncodingsHost, TypePlans};

use super::super::wire::Request;
use super::host::caller_of;
use super::{link, types};
use crate::guard::host_call;
use crate::thread::lock;

pub(super) static TABLE: HostEncodings = rules::encodings_table::<Offer>();

/// Conversions that a plugin asked for, by the id of their type.
static PLANS: Mutex<Option<HashMap<u32, Arc<TypePlans>>>> = Mutex::new(None);

struct Offer;

/// The type with that id; `None` for an unknown one.
fn resolve(type_id: u32) -> Option<MessageType> {
    let described = types::described(type_id).ok()?;
    // SAFETY: descriptions stay valid until the process ends.
    let (name, descriptor_set) = unsafe { (described.name.as_str()?, described.descriptor_set.as_slice()) };
    Schema::new(descriptor_set.to_vec(), name.to_owned()).resolve().ok()
}

impl EncodingsHost for Offer {
    fn plans(_: &'static str, _: *const Host, type_id: u32) -> Result<Option<Arc<TypePlans>>, Status> {
        let mut plans = lock(&PLANS);
        let plans = plans.get_or_insert_default();
        if let Some(known) = plans.get(&type_id) {
            return Ok(Some(Arc::clone(known)));
        }
        let new = resolve(type_id).map(|message| Arc::new(TypePlans::new(message)));
        plans.extend(new.iter().map(|new| (type_id, Arc::clone(new))));
        Ok(new)
    }

    fn explain(host: *const Host, reason: String) {
        link().tell(Request::Explain { caller: caller_of(host), text: reason.as_bytes() });
    }

    fn guarded(name: &'static str, body: impl FnOnce() -> Status) -> Status {
        host_call(name, status::PANIC, body)
    }
}
