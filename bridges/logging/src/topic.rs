//! One outgoing topic, and one message on its way into a file.
//!
//! A topic is made once, when the host asks for a publisher; everything that depends on the type is compiled
//! then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bridgehead_plugin_api::messages::{MessageType, RecordTime, RecordWriter, Schema};
use bridgehead_plugin_api::{Error, Payload, Result};

/// One topic of one vehicle.
pub(crate) struct Topic {
    /// Tells topics apart within this process, cheaper than their names.
    pub(crate) id: u64,
    /// Empty for the world.
    pub(crate) vehicle: String,
    pub(crate) name: String,
    pub(crate) message: MessageType,
    /// Writes its lines, and its messages as JSON.
    pub(crate) writer: RecordWriter,
    has_complained: AtomicBool,
}

impl Topic {
    /// A topic with the type's descriptor as the host knows it.
    ///
    /// # Errors
    /// Where the descriptor cannot be used.
    pub(crate) fn new(vehicle: &str, name: &str, schema: &Schema) -> Result<Arc<Self>> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let message = schema.resolve().map_err(|error| Error::unsupported(error.to_string()))?;
        Ok(Arc::new(Topic {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            vehicle: vehicle.to_owned(),
            name: name.to_owned(),
            writer: RecordWriter::new(vehicle, name, &message),
            message,
            has_complained: AtomicBool::new(false),
        }))
    }

    /// True the first time it is asked: something about this topic is worth one line in the log, not
    /// thousands.
    pub(crate) fn complains_first(&self) -> bool {
        !self.has_complained.swap(true, Ordering::Relaxed)
    }
}

/// One message.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) topic: Arc<Topic>,
    pub(crate) time: RecordTime,
    pub(crate) payload: Payload,
}
