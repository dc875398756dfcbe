//! Offers the services of the table on the bus, under the configured names.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::Schema;
use thiserror::Error;

use super::handle::{ControlHandle, Offered};
use crate::bus::{Answer, BusError, RegisteredType, TypeError};
use crate::config::ServiceNames;

/// Why the control plane was not set up.
#[derive(Debug, Error)]
pub enum OfferError {
    /// A message type is refused.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A configured name is malformed.
    #[error(transparent)]
    Name(#[from] BusError),
    /// Two services have one name.
    #[error("[BH-CTL-001] the service name `{0}` is given twice; choose another in [services]")]
    Taken(String),
    /// The thread for readers cannot be started.
    #[error("[BH-CTL-002] no thread for readers: {0}")]
    Thread(#[from] std::io::Error),
}

/// Offers the services of the table on the bus.
pub(super) fn offer_all(handle: &Arc<ControlHandle>, names: &ServiceNames) -> Result<(), OfferError> {
    let mut offered = BTreeMap::new();
    for (index, entry) in handle.entries.iter().enumerate() {
        let declared = entry.declared;
        let Some(name) = names.of(declared.name) else { continue };
        // A configured name may begin with a slash, as names on the bus do.
        let name = &format!("{}{}", name.trim_start_matches('/'), entry.part);
        let [request, response] = &entry.types;
        let types = [register(handle, request)?, register(handle, response)?];
        let weak = Arc::downgrade(handle);
        let handler = move |request: Payload, answer: Answer| match weak.upgrade() {
            Some(handle) => handle.take(index, request, answer),
            None => answer(status::INTERRUPTED, None),
        };
        let point = handle.shared.services.offer(name, types, Box::new(handler))?;
        let point = point.ok_or_else(|| OfferError::Taken(name.clone()))?;
        offered.insert(name.clone(), Offered { declared, point, reads_files: entry.reads_files });
    }
    *handle.offered.write().unwrap_or_else(PoisonError::into_inner) = offered;
    Ok(())
}

fn register(handle: &ControlHandle, schema: &Schema) -> Result<Arc<RegisteredType>, TypeError> {
    handle.shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead")
}
