//! Descriptions of message types, which the host gives once for each type.

use std::collections::HashMap;
use std::sync::Mutex;

use bridgehead_abi::Status;
use bridgehead_abi::message::TypeDesc;
use bridgehead_plugin_api::hosting::TypesHost;

use super::remote::INSTANCE;
use crate::thread::lock;

/// Descriptions of types, valid until the process ends, by id.
static KNOWN: Mutex<Option<HashMap<u32, Known>>> = Mutex::new(None);

/// A description, whose text and bytes are never freed.
#[derive(Clone, Copy)]
struct Known(TypeDesc);

// SAFETY: text and bytes are never changed.
unsafe impl Send for Known {}

/// Describes a type by its id.
pub(super) fn described(id: u32) -> Result<TypeDesc, Status> {
    if let Some(known) = lock(&KNOWN).as_ref().and_then(|known| known.get(&id)) {
        return Ok(known.0);
    }
    let described = INSTANCE.describe(id)?;
    lock(&KNOWN).get_or_insert_default().insert(id, Known(described));
    Ok(described)
}
