//! An incoming topic: decodes samples of a reader to protobuf and delivers them to the host.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, Sink};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::CdrPlan;
use bridgehead_plugin_api::{Error, Payload, Result};

use super::sibling::{Convert, sibling};
use super::{plan, plan_of, profile};
use crate::lock::lock;
use crate::topic_type::TopicType;
use crate::transport::Transport;

/// A sample that is not a message of its type.
const MALFORMED: &str = "BH-ROS-008";

/// A type that a topic accepts.
struct AcceptedType {
    plan: CdrPlan,
    /// `None` for the topic's own type.
    convert: Option<Convert>,
}

/// One incoming topic of an instance.
pub(crate) struct Incoming<T: Transport> {
    name: String,
    requested: Qos,
    accepted_types: Vec<Arc<AcceptedType>>,
    sink: Arc<IncomingSink>,
    readers: Mutex<Vec<T::Reader>>,
}

/// Delivers messages until the host withdraws the topic.
struct IncomingSink {
    name: String,
    sink: Mutex<Option<Sink>>,
    has_logged: AtomicBool,
}

/// Held by the host until it withdraws the topic.
pub(crate) struct TopicRegistration<T: Transport>(pub(crate) Arc<Incoming<T>>);

impl<T: Transport> Drop for TopicRegistration<T> {
    fn drop(&mut self) {
        self.0.close();
        // Waits for a delivery in progress.
        *lock(&self.0.sink.sink) = None;
    }
}

impl<T: Transport> Incoming<T> {
    /// Creates a topic that is not connected yet.
    ///
    /// # Errors
    /// Returns an error if its type is not valid in ROS.
    pub(crate) fn new(channel: &Channel<'_>, sink: Sink) -> Result<Arc<Self>> {
        let data = channel.data_type();
        if channel.is_converted() {
            return Err(Error::unsupported(format!(
                "`{}` has a converter for this bridge, which reads every type by its descriptor and supports \
                 no converters",
                data.name
            )));
        }
        let mut accepted_types = vec![AcceptedType { plan: plan(data)?, convert: None }];
        if let Some((schema, convert)) = sibling(data.name) {
            accepted_types.push(AcceptedType { plan: plan_of(&schema)?, convert: Some(convert) });
        }
        let name = channel.topic().to_owned();
        Ok(Arc::new(Incoming {
            requested: channel.qos(),
            accepted_types: accepted_types.into_iter().map(Arc::new).collect(),
            sink: Arc::new(IncomingSink {
                name: name.clone(),
                sink: Mutex::new(Some(sink)),
                has_logged: AtomicBool::new(false),
            }),
            readers: Mutex::default(),
            name,
        }))
    }

    /// Returns its name in the host.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Starts receiving.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create a reader.
    pub(crate) fn open(&self, transport: &T) -> Result {
        let topic = transport.settings().names.resolve(&self.name);
        let qos = profile::incoming(self.requested);
        let open_reader = |accepted: &Arc<AcceptedType>| {
            let (accepted_type, sink) = (Arc::clone(accepted), Arc::clone(&self.sink));
            let kind = TopicType::of(accepted.plan.message_type());
            let take = Box::new(move |body: Result<&[u8]>| sink.receive(&accepted_type, body));
            transport.reader(&topic, &kind, qos, take)
        };
        *lock(&self.readers) = self.accepted_types.iter().map(open_reader).collect::<Result<_>>()?;
        Ok(())
    }

    /// Stops receiving.
    pub(crate) fn close(&self) {
        let readers = std::mem::take(&mut *lock(&self.readers));
        drop(readers);
    }
}

impl IncomingSink {
    fn receive(&self, accepted: &AcceptedType, body: Result<&[u8]>) {
        if let Err(error) = body.and_then(|body| self.deliver(accepted, body))
            && !self.has_logged.swap(true, Ordering::Relaxed)
        {
            log::warn!(
                "[{MALFORMED}] a message on {} is dropped, and so are further ones like it: {error}",
                self.name
            );
        }
    }

    fn deliver(&self, accepted: &AcceptedType, body: &[u8]) -> Result {
        let mut payload = Vec::with_capacity(body.len());
        accepted.plan.decode_body(body, &mut payload).map_err(|error| Error::invalid(error.to_string()))?;
        let payload = match accepted.convert {
            None => payload,
            Some(convert) => convert(&payload).ok_or_else(|| Error::invalid("it cannot be converted"))?,
        };
        match lock(&self.sink).as_ref() {
            Some(sink) => sink.deliver(&Payload::from_vec(payload)),
            None => Ok(()),
        }
    }
}
