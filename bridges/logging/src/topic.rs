//! One outgoing topic, and one message to be written.
//!
//! A topic is created once, when the host requests a publisher; everything that depends on the type is compiled then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bridgehead_plugin_api::messages::{MessageType, RecordTime, RecordWriter, Schema};
use bridgehead_plugin_api::{Error, Payload, Result};

/// One topic of one vehicle.
pub(crate) struct Topic {
    /// Identifies the topic within this process, cheaper than its name.
    pub(crate) id: u64,
    /// Empty for the world.
    pub(crate) vehicle: String,
    pub(crate) name: String,
    pub(crate) message: MessageType,
    /// Encodes its lines, and its messages as JSON.
    pub(crate) writer: RecordWriter,
    has_warned: AtomicBool,
}

impl Topic {
    /// Creates a topic with the type's descriptor from the host.
    ///
    /// # Errors
    /// Returns an error if the descriptor is invalid.
    pub(crate) fn new(vehicle: &str, name: &str, schema: &Schema) -> Result<Arc<Self>> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let message = schema.resolve().map_err(|error| Error::unsupported(error.to_string()))?;
        Ok(Arc::new(Topic {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            vehicle: vehicle.to_owned(),
            name: name.to_owned(),
            writer: RecordWriter::new(vehicle, name, &message),
            message,
            has_warned: AtomicBool::new(false),
        }))
    }

    /// Returns true the first time, so that a warning about this topic is logged once.
    pub(crate) fn is_first_warning(&self) -> bool {
        !self.has_warned.swap(true, Ordering::Relaxed)
    }
}

/// One message.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) topic: Arc<Topic>,
    pub(crate) time: RecordTime,
    pub(crate) payload: Payload,
}
