//! `bridgehead.encodings/1` in a worker: conversions in this process, by descriptions of the host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::hosting::EncodingsHost;
use bridgehead_plugin_api::messages::{MessageType, Schema};
use bridgehead_plugin_api::rules::TypePlans;

use super::super::wire::Request;
use super::remote::Remote;
use super::{link, types};
use crate::thread::lock;

/// Conversions that a plugin asked for, by the id of their type.
static PLANS: Mutex<Option<HashMap<u32, Arc<TypePlans>>>> = Mutex::new(None);

/// The type with that id; `None` for an unknown one.
fn resolve(type_id: u32) -> Option<MessageType> {
    let described = types::described(type_id).ok()?;
    // SAFETY: descriptions stay valid until the process ends.
    let (name, descriptor_set) = unsafe { (described.name.as_str()?, described.descriptor_set.as_slice()) };
    Schema::new(descriptor_set.to_vec(), name.to_owned()).resolve().ok()
}

impl EncodingsHost for Remote {
    fn plans(&self, type_id: u32) -> Option<Arc<TypePlans>> {
        let mut plans = lock(&PLANS);
        let plans = plans.get_or_insert_default();
        if let Some(known) = plans.get(&type_id) {
            return Some(Arc::clone(known));
        }
        let new = resolve(type_id).map(|message| Arc::new(TypePlans::new(message)));
        plans.extend(new.iter().map(|new| (type_id, Arc::clone(new))));
        new
    }

    fn explain(&self, reason: String) {
        link().tell(Request::Explain { caller: self.caller(), text: reason.as_bytes() });
    }
}
