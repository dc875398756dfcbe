//! A topic that the run receives.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, Sink};
use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::log_limiter::{LogLimiter, more};
use bridgehead_ros2_node::topic::sibling::{Convert, sibling};
use bridgehead_ros2_node::wall_clock;
use zenoh::Wait as _;
use zenoh::pubsub::Subscriber;
use zenoh::sample::{Locality, Sample, SampleKind};

use crate::codes::IGNORED;
use crate::plain::codec::{Codec, Encoding};
use crate::plain::key::Prefix;
use crate::plain::outgoing::refuse_converter;
use crate::session::not_declared;

/// A topic, which outlasts connections.
pub(crate) struct Incoming {
    taken: Arc<Taken>,
    open: Mutex<Option<(String, Subscriber<()>)>>,
}

/// What takes its messages, on a thread of Zenoh.
struct Taken {
    name: String,
    codec: Codec,
    /// Another type that is accepted if a message is not of the topic's own.
    sibling: Option<(Codec, Convert)>,
    /// `None` once the host has withdrawn the topic.
    sink: Mutex<Option<Sink>>,
    log_limiter: Mutex<LogLimiter>,
}

impl Incoming {
    /// # Errors
    /// Returns an error if ROS cannot express its type.
    pub(crate) fn new(channel: &Channel<'_>, sink: Sink) -> Result<Self> {
        refuse_converter(channel)?;
        let sibling = sibling(channel.data_type().name);
        let sibling: Result<Option<_>> =
            sibling.map(|(schema, convert)| Ok((Codec::new(&schema)?, convert))).transpose();
        let taken = Taken {
            name: channel.topic().to_owned(),
            codec: Codec::of(channel.data_type())?,
            sibling: sibling?,
            sink: Mutex::new(Some(sink)),
            log_limiter: Mutex::default(),
        };
        Ok(Incoming { taken: Arc::new(taken), open: Mutex::default() })
    }

    /// Subscribes. What the run publishes itself is not received.
    ///
    /// # Errors
    /// Returns an error if Zenoh cannot express its name, or does not declare the subscriber.
    pub(crate) fn open(&self, session: &zenoh::Session, prefix: &Prefix, encoding: Encoding) -> Result {
        let (key, taken) = (prefix.topic_key(&self.taken.name)?, Arc::clone(&self.taken));
        let receive = move |sample: Sample| {
            if sample.kind() == SampleKind::Put {
                during("a message", None, || taken.receive(&sample, encoding));
            }
        };
        let subscriber = session.declare_subscriber(key.clone()).allowed_origin(Locality::Remote);
        let subscriber = subscriber.callback(receive).wait();
        let subscriber = subscriber.map_err(|error| not_declared(&self.taken.name, &key, &error))?;
        *lock(&self.open) = Some((key, subscriber));
        Ok(())
    }

    pub(crate) fn close(&self) {
        drop(lock(&self.open).take());
    }

    /// Takes no further messages. Waits for one that is being delivered.
    pub(crate) fn end(&self) {
        self.close();
        *lock(&self.taken.sink) = None;
    }

    /// Returns its key, if the bridge is connected.
    pub(crate) fn key(&self) -> Option<String> {
        lock(&self.open).as_ref().map(|(key, _)| key.clone())
    }

    pub(crate) fn codec(&self) -> &Codec {
        &self.taken.codec
    }
}

impl Taken {
    fn receive(&self, sample: &Sample, default: Encoding) {
        let delivered = self.read(sample, default).and_then(|payload| match lock(&self.sink).as_ref() {
            Some(sink) => sink.deliver(&Payload::from_vec(payload)),
            None => Ok(()),
        });
        if let Err(error) = delivered
            && let Some(suppressed) = lock(&self.log_limiter).admit(wall_clock::now())
        {
            let (name, more) = (&self.name, more(suppressed, "about this topic"));
            log::warn!("[{IGNORED}] a message on {name} is ignored: {error}{more}");
        }
    }

    fn read(&self, sample: &Sample, default: Encoding) -> Result<Vec<u8>> {
        let read = |codec: &Codec| codec.decode(sample.encoding(), sample.payload(), default);
        let error = match read(&self.codec) {
            Ok((payload, _)) => return Ok(payload),
            Err(error) => error,
        };
        let Some((codec, convert)) = &self.sibling else { return Err(error) };
        let Ok((payload, _)) = read(codec) else { return Err(error) };
        convert(&payload).ok_or_else(|| Error::invalid("it cannot be converted"))
    }
}
