//! Shared by unit tests: topics and messages without a host, and files that can be read while they are written.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{Message, RecordTime};

use crate::topic::{Record, Topic};

/// `/<vehicle>/speed` of type Float64.
pub(crate) fn topic(vehicle: &str) -> Arc<Topic> {
    topic_of::<Float64>(vehicle, "speed")
}

/// `/<vehicle>/<name>` of any type.
pub(crate) fn topic_of<M: Message>(vehicle: &str, name: &str) -> Arc<Topic> {
    Topic::new(vehicle, &format!("/{vehicle}/{name}"), &M::schema()).unwrap()
}

/// A message with the step as its value and a stamp for a step width of 1 ms.
pub(crate) fn record(topic: &Arc<Topic>, epoch: u32, step: u64) -> Record {
    record_of(topic, epoch, step, &Float64 { data: step as f64 })
}

/// A message of any type.
pub(crate) fn record_of(topic: &Arc<Topic>, epoch: u32, step: u64, message: &impl Message) -> Record {
    let stamp_ns = i64::try_from(step * 1_000_000).unwrap();
    Record {
        topic: Arc::clone(topic),
        time: RecordTime { stamp_ns, sequence: step, step, epoch },
        payload: Payload::from_vec(message.encode_to_vec()),
    }
}

/// A target that can be read while it is written, as another program reads a file.
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<Mutex<Vec<u8>>>);

impl Shelf {
    /// Returns the present content.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }

    pub(crate) fn boxed(&self) -> Box<dyn Write + Send> {
        Box::new(self.clone())
    }
}

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
