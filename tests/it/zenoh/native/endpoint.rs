//! Endpoints of the node: each declares what it sends or receives with, and then its token.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use zenoh::Wait as _;
use zenoh::liveliness::LivelinessToken;
use zenoh::qos::{CongestionControl, Reliability};
use zenoh::query::{ConsolidationMode, Querier, Query, QueryTarget, Reply};
use zenoh::sample::Sample;
use zenoh_ext::{
    AdvancedPublisher, AdvancedPublisherBuilderExt as _, AdvancedSubscriberBuilderExt as _, CacheConfig,
    HistoryConfig, MissDetectionConfig, RecoveryConfig,
};

use super::names::{self, Attachment, Quality};
use super::{Node, lock, types};
use crate::ros2::PATIENCE;
use crate::support::eventually;

/// How often a latched reliable publisher says which message was its last.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How long calls wait; those for results wait for ever.
const CALL: Duration = Duration::from_secs(600);
const FOREVER: Duration = Duration::from_millis(u64::MAX);

/// A token, which ends first, and what it announces.
pub(super) struct Kept {
    _token: LivelinessToken,
    _entity: Box<dyn Send + Sync>,
}

/// What sends the messages of a topic.
enum Sending {
    Volatile(zenoh::pubsub::Publisher<'static>),
    Latched(AdvancedPublisher<'static>),
}

/// A publisher of a topic.
pub(crate) struct Publisher {
    _token: LivelinessToken,
    sending: Sending,
    ros_type: String,
    gid: [u8; 16],
    last: AtomicI64,
}

impl Publisher {
    /// Sends a message, whether there are subscribers or not.
    #[track_caller]
    pub(crate) fn publish(&self, message: &Value) {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let attachment = Attachment { number, gid: self.gid }.bytes();
        let payload = types::encode(&self.ros_type, message);
        match &self.sending {
            Sending::Volatile(publisher) => publisher.put(payload).attachment(attachment).wait(),
            Sending::Latched(publisher) => publisher.put(payload).attachment(attachment).wait(),
        }
        .expect("sent");
    }

    /// Its identity.
    pub(crate) fn gid(&self) -> [u8; 16] {
        self.gid
    }

    /// Waits until there is a subscriber.
    #[track_caller]
    pub(crate) fn await_subscriber(&self) {
        eventually("the topic has a subscriber", || {
            let status = match &self.sending {
                Sending::Volatile(publisher) => publisher.matching_status().wait(),
                Sending::Latched(publisher) => publisher.matching_status().wait(),
            };
            status.expect("a status").matching()
        });
    }
}

/// A message with what came with it.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) message: Value,
    pub(crate) attachment: Attachment,
    pub(crate) cdr: Vec<u8>,
}

/// Messages of a topic, in the order of arrival.
pub(crate) struct Subscription(Receiver<Result<Received, String>>);

impl Subscription {
    /// The next message, which nodes of ROS must be able to read.
    #[track_caller]
    pub(crate) fn next(&self) -> Received {
        self.0.recv_timeout(PATIENCE).expect("a message").unwrap_or_else(|error| panic!("{error}"))
    }

    /// The next message, if one has arrived already.
    pub(crate) fn next_of_now(&self) -> Option<Received> {
        self.0.try_recv().ok()?.ok()
    }
}

/// A client of a service.
pub(super) struct Client {
    _token: LivelinessToken,
    querier: Querier<'static>,
    ros_type: String,
    gid: [u8; 16],
    last: AtomicI64,
}

impl Client {
    fn is_matched(&self) -> bool {
        self.querier.matching_status().wait().expect("a status").matching()
    }

    /// Sends a request; the answer is a line as peers in other processes write it.
    #[track_caller]
    fn send(&self, cdr: Vec<u8>) -> Receiver<Value> {
        let sent = Attachment { number: self.last.fetch_add(1, Ordering::Relaxed) + 1, gid: self.gid };
        let (sender, answer) = channel();
        let ros_type = format!("{}_Response", self.ros_type);
        let receive = move |reply: Reply| {
            let line = match response(&reply, sent, &ros_type) {
                Ok(response) => json!({"response": response}),
                Err(error) => json!({"error": error}),
            };
            // Fails if nobody waits any more.
            drop(sender.send(line));
        };
        let query = self.querier.get().payload(cdr).attachment(sent.bytes());
        query.callback(receive).wait().expect("sent");
        answer
    }
}

/// The response in a reply to a request with this attachment.
fn response(reply: &Reply, sent: Attachment, ros_type: &str) -> Result<Value, String> {
    let sample = reply.result().map_err(|error| format!("the reply is an error: {error:?}"))?;
    let found = Attachment::read(sample.attachment())?;
    if found != sent {
        return Err(format!("{found:?} is not the reply to {sent:?}"));
    }
    types::decode(ros_type, &sample.payload().to_bytes())
}

/// A server of a service.
pub(crate) struct Server {
    _kept: Kept,
    requests: Mutex<Receiver<Query>>,
    key: String,
    ros_type: String,
}

impl Server {
    /// Waits for a request and answers it; returns the request.
    #[track_caller]
    pub(crate) fn answer(&self, response: &Value) -> Value {
        let query = lock(&self.requests).recv_timeout(PATIENCE).expect("a request");
        let attachment = Attachment::read(query.attachment()).expect("an attachment");
        let cdr = query.payload().expect("a payload").to_bytes();
        let request = types::decode(&format!("{}_Request", self.ros_type), &cdr).expect("a request");
        let payload = types::encode(&format!("{}_Response", self.ros_type), response);
        let reply = query.reply(&self.key, payload).attachment(attachment.bytes());
        reply.wait().expect("sent");
        request
    }
}

impl Node {
    /// Declares a publisher.
    #[track_caller]
    pub(crate) fn publisher(&self, topic: &str, ros_type: &str, quality: Quality) -> Publisher {
        let hash = types::hash(ros_type);
        let reliability = if quality.is_reliable { Reliability::Reliable } else { Reliability::BestEffort };
        let builder = self.session.declare_publisher(names::data_key(self.domain, topic, ros_type, &hash));
        let builder = builder.reliability(reliability).congestion_control(CongestionControl::Drop);
        let sending = if quality.is_latched {
            let cache = CacheConfig::default().max_samples(quality.depth);
            let mut builder = builder.cache(cache).publisher_detection();
            if quality.is_reliable {
                let detection = MissDetectionConfig::default().sporadic_heartbeat(HEARTBEAT);
                builder = builder.sample_miss_detection(detection);
            }
            Sending::Latched(builder.wait().expect("a publisher"))
        } else {
            Sending::Volatile(builder.wait().expect("a publisher"))
        };
        let (token, gid) = self.announce(names::PUBLISHER, (topic, ros_type, &hash), quality);
        Publisher { _token: token, sending, ros_type: ros_type.to_owned(), gid, last: AtomicI64::new(0) }
    }

    /// Subscribes to a topic until the node ends.
    #[track_caller]
    pub(crate) fn subscriber(&self, topic: &str, ros_type: &str, quality: Quality) -> Subscription {
        let (sender, received) = channel();
        // Sending fails if the messages are not needed any more.
        self.subscribe_with(topic, ros_type, quality, move |found| drop(sender.send(found)));
        Subscription(received)
    }

    /// Passes the messages of a topic on until the node ends.
    #[track_caller]
    pub(super) fn subscribe_with(
        &self,
        topic: &str,
        ros_type: &str,
        quality: Quality,
        pass: impl Fn(Result<Received, String>) + Send + Sync + 'static,
    ) {
        let (hash, own_type) = (types::hash(ros_type), ros_type.to_owned());
        let key = names::data_key(self.domain, topic, ros_type, &hash);
        let receive = move |sample: Sample| pass(read(&sample, &own_type));
        let entity: Box<dyn Send + Sync> = if quality.is_latched {
            let history = HistoryConfig::default().detect_late_publishers().max_samples(quality.depth);
            let builder = self.session.declare_subscriber(key).history(history);
            let mut builder = builder.subscriber_detection().query_timeout(FOREVER);
            if quality.is_reliable {
                builder = builder.recovery(RecoveryConfig::default().heartbeat());
            }
            Box::new(builder.callback(receive).wait().expect("a subscriber"))
        } else {
            Box::new(self.session.declare_subscriber(key).callback(receive).wait().expect("a subscriber"))
        };
        let (token, _) = self.announce(names::SUBSCRIBER, (topic, ros_type, &hash), quality);
        self.keep(Kept { _token: token, _entity: entity });
    }

    /// Sends a request in CDR, once a server is there. The client is created on first use.
    #[track_caller]
    pub(crate) fn request(&self, service: &str, ros_type: &str, cdr: Vec<u8>) -> Receiver<Value> {
        let client = {
            let mut clients = lock(&self.clients);
            let client = clients.entry(service.to_owned());
            Arc::clone(client.or_insert_with(|| self.client(service, ros_type).into()))
        };
        eventually(&format!("there is a server of {service}"), || {
            self.has_server(service, ros_type) && client.is_matched()
        });
        client.send(cdr)
    }

    #[track_caller]
    fn client(&self, service: &str, ros_type: &str) -> Client {
        let hash = types::service_hash(ros_type);
        let timeout = if service.ends_with("/_action/get_result") { FOREVER } else { CALL };
        let builder = self.session.declare_querier(names::data_key(self.domain, service, ros_type, &hash));
        let builder = builder.target(QueryTarget::AllComplete).consolidation(ConsolidationMode::None);
        let querier = builder.timeout(timeout).wait().expect("a querier");
        let (token, gid) = self.announce(names::CLIENT, (service, ros_type, &hash), Quality::DEFAULT);
        Client { _token: token, querier, ros_type: ros_type.to_owned(), gid, last: AtomicI64::new(0) }
    }

    /// Offers a service.
    #[track_caller]
    pub(crate) fn server(&self, service: &str, ros_type: &str) -> Server {
        let (hash, (sender, requests)) = (types::service_hash(ros_type), channel());
        let key = names::data_key(self.domain, service, ros_type, &hash);
        // Sending fails if the server has ended.
        let receive = move |query| drop(sender.send(query));
        let builder = self.session.declare_queryable(key.clone()).complete(true).callback(receive);
        let entity = Box::new(builder.wait().expect("a server"));
        let (token, _) = self.announce(names::SERVER, (service, ros_type, &hash), Quality::DEFAULT);
        let ros_type = ros_type.to_owned();
        Server { _kept: Kept { _token: token, _entity: entity }, requests: requests.into(), key, ros_type }
    }

    /// Declares the token of an endpoint; returns its identity too.
    #[track_caller]
    fn announce(
        &self,
        kind: &str,
        (name, ros_type, hash): (&str, &str, &str),
        quality: Quality,
    ) -> (LivelinessToken, [u8; 16]) {
        let text = self.token(kind, name, ros_type, hash, &quality);
        let gid = names::gid(&text);
        (self.session.liveliness().declare_token(text).wait().expect("a token"), gid)
    }
}

/// The message in a sample; otherwise says why nodes of ROS drop it.
fn read(sample: &Sample, ros_type: &str) -> Result<Received, String> {
    let cdr = sample.payload().to_bytes().into_owned();
    let (message, attachment) = (types::decode(ros_type, &cdr)?, Attachment::read(sample.attachment())?);
    Ok(Received { message, attachment, cdr })
}
