//! Where a bridge under test delivers: sinks that record messages, and sinks that answer calls.

use std::sync::Mutex;

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, status};

use crate::messages::{Message, MessageType, Service};
use crate::objects::{
    BorrowedPayload, IncomingMessage, Offered, Reply, ServiceSinkObject, ServiceSinkRef, SinkObject, SinkRef,
};
use crate::payload::Payload;
use crate::rules;
use crate::testing::host::{TestHost, lock, of_test};

/// A message that the bridge delivered.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The step it is meant for; `None` for the next one.
    pub at_step: Option<u64>,
    /// Its time stamp in nanoseconds; `None` if the host is to stamp it.
    pub stamp_ns: Option<i64>,
    /// The bytes.
    pub payload: Payload,
}

impl Delivery {
    /// The message.
    ///
    /// # Panics
    /// Panics if the bytes are not a `T`.
    #[must_use]
    #[track_caller]
    pub fn decode<T: Message>(&self) -> T {
        match T::decode(&*self.payload) {
            Ok(message) => message,
            Err(error) => panic!("the delivered payload is not a {}: {error}", T::FULL_NAME),
        }
    }
}

/// The sink of one incoming topic.
#[derive(Clone, Copy)]
pub struct TestSink {
    shared: &'static Offered<raw::Sink, SinkRecord>,
}

/// Behind the sink that a bridge gets. The sink comes first; never given back.
struct SinkRecord {
    host: TestHost,
    deliveries: Mutex<Vec<Delivery>>,
    type_name: &'static str,
    topic: String,
    data_type: &'static MessageType,
}

of_test!(SinkRecord);

impl TestSink {
    pub(super) fn new<T: Message>(host: TestHost, topic: &str, data_type: &'static MessageType) -> Self {
        let deliveries = Mutex::default();
        let (type_name, topic) = (T::FULL_NAME, topic.to_owned());
        let record = SinkRecord { host, deliveries, type_name, topic, data_type };
        TestSink { shared: Box::leak(Box::new(Offered::new(record))) }
    }

    pub(super) fn raw(self) -> SinkRef<'static> {
        self.shared.lend()
    }

    /// Everything delivered so far.
    #[must_use]
    pub fn deliveries(self) -> Vec<Delivery> {
        lock(&self.shared.deliveries).clone()
    }

    /// Waits until `count` messages are delivered, and gives all there are.
    ///
    /// # Panics
    /// After ten seconds.
    #[must_use]
    #[track_caller]
    pub fn wait_deliveries(self, count: usize) -> Vec<Delivery> {
        let what = format!("{count} messages of {} are delivered", self.shared.type_name);
        self.shared.host.wait_until(&what, |_| self.deliveries().len() >= count);
        self.deliveries()
    }
}

impl std::fmt::Debug for TestSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TestSink({}, {} deliveries)", self.shared.type_name, self.deliveries().len())
    }
}

impl SinkObject for SinkRecord {
    fn deliver(&self, incoming: IncomingMessage<'_>) -> Status {
        let delivery = Delivery {
            at_step: (incoming.at_step != raw::NEXT_STEP).then_some(incoming.at_step),
            stamp_ns: (incoming.stamp_ns != raw::STAMP_NOW).then_some(incoming.stamp_ns),
            payload: incoming.payload.retain(),
        };
        if let Err(error) = self.data_type.check(&delivery.payload) {
            let ros_name = self.data_type.ros_type().to_string();
            self.host.shared.complain(&rules::not_of_type(&self.topic, &ros_name, &error));
            return status::SCHEMA;
        }
        lock(&self.deliveries).push(delivery);
        self.host.shared.announce();
        status::OK
    }
}

/// Answers requests with responses, both encoded.
type Handler = Box<dyn Fn(&[u8]) -> crate::Result<Vec<u8>> + Send + Sync>;

/// Behind the sink of a service. The sink comes first; never given back.
struct ServiceRecord {
    host: TestHost,
    handler: Handler,
}

/// A sink that answers each call at once, on the thread that makes it.
pub(super) fn service<S: Service>(
    host: TestHost,
    handler: impl Fn(S::Request) -> crate::Result<S::Response> + Send + Sync + 'static,
) -> ServiceSinkRef<'static> {
    let handler: Handler = Box::new(move |bytes| {
        let response = handler(decode_request(bytes)?)?;
        Ok(encode(&response))
    });
    Box::leak(Box::new(Offered::<raw::ServiceSink, _>::new(ServiceRecord { host, handler }))).lend()
}

fn decode_request<T: Message>(bytes: &[u8]) -> crate::Result<T> {
    T::decode(bytes).map_err(|error| {
        crate::Error::with_status(status::SCHEMA, format!("the request is not a {}: {error}", T::FULL_NAME))
    })
}

fn encode<T: Message>(message: &T) -> Vec<u8> {
    message.encode_to_vec()
}

of_test!(ServiceRecord);

impl ServiceSinkObject for ServiceRecord {
    fn call(&self, request: BorrowedPayload<'_>, reply: Reply) -> Status {
        match (self.handler)(request.bytes()).map(Payload::from_vec) {
            Ok(response) => reply.send(status::OK, Some((&response).into())),
            Err(error) => reply.send(error.status(), None),
        }
        status::OK
    }
}
