//! The incoming endpoint of a topic.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::qos::{Durability, Qos, Reliability};
use bridgehead_ros2_node::transport::Take;
use zenoh::Wait as _;
use zenoh::sample::{Locality, Sample, SampleKind};
use zenoh_ext::{AdvancedSubscriber, AdvancedSubscriberBuilderExt as _, HistoryConfig, RecoveryConfig};

use crate::ros2::shared_node::{Known, SharedNode};
use crate::ros2::wire::attachment::Attachment;
use crate::ros2::wire::key::{TypePart, bytes_key, key};
use crate::ros2::wire::token::{BYTES_IN_MEMORY, Kind};
use crate::ros2::wire::{payload, qos};
use crate::session::not_declared;

/// The longest time that Zenoh knows, for queries about earlier samples.
const FOR_EVER: Duration = Duration::from_millis(u64::MAX);

/// The incoming endpoint of a topic. The order of its parts is that in which it ends.
pub(crate) struct Subscriber {
    #[expect(dead_code, reason = "withdraws the endpoint when it is dropped")]
    known: Known,
    /// `None` once the endpoint ends.
    take: Arc<Mutex<Option<Take>>>,
    #[expect(dead_code, reason = "samples arrive as long as it lives")]
    subscriber: AdvancedSubscriber<()>,
    #[expect(dead_code, reason = "samples with bytes arrive as long as it lives")]
    of_bytes: Option<zenoh::pubsub::Subscriber<()>>,
    #[expect(dead_code, reason = "the session outlasts the endpoint")]
    node: Arc<SharedNode>,
}

impl Subscriber {
    /// With `has_bytes_key` samples may also arrive at a second key, if none are kept for late subscribers: a publisher sends
    /// each at one of the two.
    ///
    /// # Errors
    /// Returns an error if Zenoh does not declare it.
    pub(crate) fn declare(
        node: &Arc<SharedNode>,
        name: &str,
        part: &TypePart,
        profile: Qos,
        has_bytes_key: bool,
        take: Take,
    ) -> Result<Self> {
        let key = key(node.domain(), name, part);
        let take = Arc::new(Mutex::new(Some(take)));
        let receive = || {
            let taking = Arc::clone(&take);
            move |sample: Sample| {
                if sample.kind() == SampleKind::Put
                    && let Some(take) = &mut *lock(&taking)
                {
                    during("a message", None, || receive(&sample, take));
                }
            }
        };
        // What the run publishes itself is not received. Without additions it is a plain subscriber.
        let builder = node.session.declare_subscriber(key.clone()).allowed_origin(Locality::Remote);
        let mut builder = builder.callback(receive()).advanced();
        if profile.durability == Durability::TransientLocal {
            let depth = usize::try_from(profile.depth).unwrap_or(usize::MAX);
            let history = HistoryConfig::default().detect_late_publishers().max_samples(depth);
            builder = builder.history(history).subscriber_detection().query_timeout(FOR_EVER);
            if profile.reliability == Reliability::Reliable {
                builder = builder.recovery(RecoveryConfig::default().heartbeat());
            }
        }
        let subscriber = builder.wait().map_err(|error| not_declared(name, &key, &error))?;
        let mut qos = qos::text(profile);
        let has_bytes_key = has_bytes_key && profile.durability != Durability::TransientLocal;
        let of_bytes = has_bytes_key.then(|| {
            qos.push_str(BYTES_IN_MEMORY);
            let key = bytes_key(&key);
            let builder = node.session.declare_subscriber(key.clone()).allowed_origin(Locality::Remote);
            let subscriber = builder.callback(receive()).wait();
            subscriber.map_err(|error| not_declared(name, &key, &error))
        });
        let of_bytes = of_bytes.transpose()?;
        let known = node.make_known(Kind::Subscription, name, part, &qos)?;
        Ok(Subscriber { known, take, subscriber, of_bytes, node: Arc::clone(node) })
    }
}

impl Drop for Subscriber {
    /// Waits until nothing is being taken.
    fn drop(&mut self) {
        *lock(&self.take) = None;
    }
}

/// Takes a sample, unless it is none of a node of ROS.
fn receive(sample: &Sample, take: &mut Take) {
    let attachment = sample.attachment().map(|attachment| attachment.to_bytes());
    match Attachment::decode(attachment.as_deref()) {
        Ok(_) => take(payload::body(&sample.payload().to_bytes())),
        Err(fault) => take(Err(Error::invalid(fault.to_string()))),
    }
}
