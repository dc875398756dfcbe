//! The outgoing endpoint of a topic.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::qos::{Durability, Qos, Reliability};
use bridgehead_ros2_node::transport::Writer;
use bridgehead_ros2_node::wall_clock::unix_nanos;
use zenoh::Wait as _;
use zenoh::matching::MatchingStatus;
use zenoh::qos::CongestionControl;
use zenoh_ext::{AdvancedPublisher, AdvancedPublisherBuilderExt as _, CacheConfig, MissDetectionConfig};

use crate::codes::ENDPOINT;
use crate::graph::Sole;
use crate::session::not_declared;
use crate::shared_node::{Known, SharedNode};
use crate::wire::attachment::Attachment;
use crate::wire::key::{TypePart, key};
use crate::wire::qos;
use crate::wire::token::Kind;

/// Interval of heartbeats after new samples, by which late subscribers notice what they lack.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// The outgoing endpoint of a topic. The order of its parts is that in which it ends.
pub(crate) struct Publisher {
    name: String,
    sole: Mutex<Option<Sole>>,
    known: Known,
    /// The number of the last sample. Held while a sample is put, so that numbers arrive in their order.
    last: Mutex<i64>,
    has_readers: Arc<AtomicBool>,
    publisher: AdvancedPublisher<'static>,
    node: Arc<SharedNode>,
}

impl Publisher {
    /// # Errors
    /// Returns an error if Zenoh does not declare it.
    pub(crate) fn declare(node: &Arc<SharedNode>, name: &str, part: &TypePart, profile: Qos) -> Result<Self> {
        let key = key(node.domain(), name, part);
        let failed = |error: zenoh::Error| not_declared(name, &key, &error);
        // Without additions it is a plain publisher.
        let builder = node.session.declare_publisher(key.clone());
        let mut builder = builder.congestion_control(CongestionControl::Drop).advanced();
        if profile.durability == Durability::TransientLocal {
            let depth = usize::try_from(profile.depth).unwrap_or(usize::MAX);
            builder = builder.cache(CacheConfig::default().max_samples(depth)).publisher_detection();
            if profile.reliability == Reliability::Reliable {
                builder = builder
                    .sample_miss_detection(MissDetectionConfig::default().sporadic_heartbeat(HEARTBEAT));
            }
        }
        let publisher = builder.wait().map_err(failed)?;
        let has_readers = Arc::new(AtomicBool::new(false));
        let matched = Arc::clone(&has_readers);
        let note = move |status: MatchingStatus| matched.store(status.matching(), Ordering::Release);
        publisher.matching_listener().callback(note).background().wait().map_err(failed)?;
        // A subscriber that was there before.
        let status = publisher.matching_status().wait().map_err(failed)?;
        has_readers.fetch_or(status.matching(), Ordering::AcqRel);
        let known = node.make_known(Kind::Publisher, name, part, &qos::text(profile))?;
        Ok(Publisher {
            name: name.to_owned(),
            sole: Mutex::default(),
            known,
            last: Mutex::new(0),
            has_readers,
            publisher,
            node: Arc::clone(node),
        })
    }
}

impl Writer for Publisher {
    fn has_readers(&self) -> bool {
        self.has_readers.load(Ordering::Acquire)
    }

    fn write(&self, message: Vec<u8>) -> Result {
        let mut last = lock(&self.last);
        *last += 1;
        let attachment = Attachment { sequence: *last, time_ns: unix_nanos(), gid: self.known.gid };
        self.publisher.put(message).attachment(attachment.encode()).wait().map_err(|error| {
            let text = format!("[{ENDPOINT}] a message on {} cannot be sent by Zenoh: {error}", self.name);
            Error::with_status(status::IO, text)
        })
    }

    fn warn_of_others(&self, what: String) {
        *lock(&self.sole) = Some(self.node.graph.expect_alone(Kind::Publisher, &self.name, what));
    }
}
