//! One outgoing topic, and one message to be written.
//!
//! A topic is created once, when the host requests a publisher; everything that depends on the type is compiled then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::SceneAsset;
use bridgehead_plugin_api::messages::sensor_msgs::{CompressedImage, Image};
use bridgehead_plugin_api::messages::{Message, MessageType, RecordTime, RecordWriter, Schema};
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
    /// What a new part repeats of it.
    pub(crate) repeats: Repeats,
    has_warned: AtomicBool,
}

/// Which earlier messages of a topic a new part begins with, so that it can be read alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Repeats {
    #[default]
    Nothing,
    /// The last one, because the topic is latched.
    Last,
    /// All of them: they are files that other messages name.
    All,
}

impl Topic {
    /// Creates a topic with the type's descriptor from the host.
    ///
    /// # Errors
    /// Returns an error if the descriptor is invalid.
    pub(crate) fn new(
        vehicle: &str,
        name: &str,
        schema: &Schema,
        durability: Durability,
    ) -> Result<Arc<Self>> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let message = schema.resolve().map_err(|error| Error::unsupported(error.to_string()))?;
        Ok(Arc::new(Topic {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            vehicle: vehicle.to_owned(),
            name: name.to_owned(),
            writer: RecordWriter::new(vehicle, name, &message),
            repeats: match durability {
                _ if message.full_name() == SceneAsset::FULL_NAME => Repeats::All,
                Durability::Latched => Repeats::Last,
                Durability::Volatile => Repeats::Nothing,
            },
            message,
            has_warned: AtomicBool::new(false),
        }))
    }

    /// Returns true if its messages are images that are not compressed.
    pub(crate) fn is_raw_image(&self) -> bool {
        self.message.full_name() == Image::FULL_NAME
    }

    /// Returns true if its messages are compressed images.
    pub(crate) fn is_compressed_image(&self) -> bool {
        self.message.full_name() == CompressedImage::FULL_NAME
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
