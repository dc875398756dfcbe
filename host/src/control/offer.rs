//! The services of the table on the bus, under the names that were configured.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::Schema;
use thiserror::Error;

use super::desk::{Desk, Offered};
use crate::bus::{Answer, BusError, RegisteredType, TypeError};
use crate::config::ServiceNames;

/// Why the control plane was not set up.
#[derive(Debug, Error)]
pub enum OfferError {
    /// A message type that is refused.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A configured name that is no service name.
    #[error(transparent)]
    Name(#[from] BusError),
    /// Two services of one name.
    #[error("[BH-CTL-001] the service name `{0}` is given twice; choose another in [services]")]
    Taken(String),
    /// No thread for readers.
    #[error("[BH-CTL-002] no thread for readers: {0}")]
    Thread(#[from] std::io::Error),
}

/// Offers the services of the table on the bus.
pub(super) fn offer_all(desk: &Arc<Desk>, names: &ServiceNames) -> Result<(), OfferError> {
    let mut offered = BTreeMap::new();
    for (index, entry) in desk.entries.iter().enumerate() {
        let declared = entry.declared;
        let Some(name) = names.of(declared.name) else { continue };
        // A name that begins with a slash is that of the bus, where all of them do.
        let name = &format!("{}{}", name.trim_start_matches('/'), entry.part);
        let [request, response] = &entry.types;
        let types = [register(desk, request)?, register(desk, response)?];
        let weak = Arc::downgrade(desk);
        let handler = move |request: Payload, answer: Answer| match weak.upgrade() {
            Some(desk) => desk.take(index, request, answer),
            None => answer(status::INTERRUPTED, None),
        };
        let point = desk.shared.services.offer(name, types, Box::new(handler))?;
        let point = point.ok_or_else(|| OfferError::Taken(name.clone()))?;
        offered.insert(name.clone(), Offered { declared, point });
    }
    *desk.offered.write().unwrap_or_else(PoisonError::into_inner) = offered;
    Ok(())
}

fn register(desk: &Desk, schema: &Schema) -> Result<Arc<RegisteredType>, TypeError> {
    desk.shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead")
}
