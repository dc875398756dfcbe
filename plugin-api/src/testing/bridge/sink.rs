//! Where a bridge under test delivers: sinks that record messages, and sinks that answer calls.

use std::sync::Mutex;

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Buffer, Status, status};

use crate::messages::{Message, MessageType, Service};
use crate::payload::Payload;
use crate::rules;
use crate::testing::host::{TestHost, lock};

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
    shared: &'static SinkRecord,
}

/// Behind the sink that a bridge gets. The sink comes first; never given back.
#[repr(C)]
struct SinkRecord {
    raw: raw::Sink,
    host: TestHost,
    deliveries: Mutex<Vec<Delivery>>,
    type_name: &'static str,
    topic: String,
    data_type: &'static MessageType,
}

// SAFETY: the sink's own pointer is null; everything that changes is behind a lock.
unsafe impl Send for SinkRecord {}
// SAFETY: as above.
unsafe impl Sync for SinkRecord {}

impl TestSink {
    pub(super) fn new<T: Message>(host: TestHost, topic: &str, data_type: &'static MessageType) -> Self {
        let (ctx, struct_size) = (std::ptr::null_mut(), raw::Sink::SIZE);
        let raw = raw::Sink { struct_size, reserved: 0, ctx, deliver };
        let deliveries = Mutex::default();
        let (type_name, topic) = (T::FULL_NAME, topic.to_owned());
        let record = SinkRecord { raw, host, deliveries, type_name, topic, data_type };
        TestSink { shared: Box::leak(Box::new(record)) }
    }

    pub(super) fn raw(self) -> *const raw::Sink {
        std::ptr::from_ref(self.shared).cast()
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

unsafe extern "C" fn deliver(sink: *const raw::Sink, incoming: *const raw::Incoming) -> Status {
    // SAFETY: the message lives for the call.
    let incoming = unsafe { &*incoming };
    if incoming.payload.is_null() {
        return status::INVALID_ARG;
    }
    // SAFETY: the bridge passes back the sink it was given; the payload lives for the call.
    let (record, delivery) = unsafe {
        let delivery = Delivery {
            at_step: (incoming.at_step != raw::NEXT_STEP).then_some(incoming.at_step),
            stamp_ns: (incoming.stamp_ns != raw::STAMP_NOW).then_some(incoming.stamp_ns),
            payload: Payload::retain(incoming.payload),
        };
        (&*sink.cast::<SinkRecord>(), delivery)
    };
    if let Err(error) = record.data_type.check(&delivery.payload) {
        let ros_name = record.data_type.ros_type().to_string();
        record.host.shared.complain(&rules::not_of_type(&record.topic, &ros_name, &error));
        return status::SCHEMA;
    }
    lock(&record.deliveries).push(delivery);
    record.host.shared.announce();
    status::OK
}

/// Answers requests with responses, both encoded.
type Handler = Box<dyn Fn(&[u8]) -> crate::Result<Vec<u8>> + Send + Sync>;

/// Behind the sink of a service. The sink comes first; never given back.
#[repr(C)]
struct ServiceRecord {
    raw: raw::ServiceSink,
    handler: Handler,
}

/// A sink that answers each call at once, on the thread that makes it.
pub(super) fn service<S: Service>(
    handler: impl Fn(S::Request) -> crate::Result<S::Response> + Send + Sync + 'static,
) -> *const raw::ServiceSink {
    let (ctx, struct_size) = (std::ptr::null_mut(), raw::ServiceSink::SIZE);
    let raw = raw::ServiceSink { struct_size, reserved: 0, ctx, call };
    let handler: Handler = Box::new(move |bytes| {
        let response = handler(decode_request(bytes)?)?;
        Ok(encode(&response))
    });
    std::ptr::from_ref::<ServiceRecord>(Box::leak(Box::new(ServiceRecord { raw, handler }))).cast()
}

fn decode_request<T: Message>(bytes: &[u8]) -> crate::Result<T> {
    T::decode(bytes).map_err(|error| {
        crate::Error::with_status(status::SCHEMA, format!("the request is not a {}: {error}", T::FULL_NAME))
    })
}

fn encode<T: Message>(message: &T) -> Vec<u8> {
    message.encode_to_vec()
}

unsafe extern "C" fn call(
    sink: *const raw::ServiceSink,
    request: *const Buffer,
    reply: *const raw::ServiceReply,
) -> Status {
    // SAFETY: the bridge passes back the sink it was given; request and reply live for the call.
    let (record, request, reply) =
        unsafe { (&*sink.cast::<ServiceRecord>(), Payload::retain(request), *reply) };
    let answer = (record.handler)(&request).map(Payload::from_vec);
    let (code, response) = match &answer {
        Ok(payload) => (status::OK, payload.as_raw()),
        Err(error) => (error.status(), std::ptr::null()),
    };
    // SAFETY: called once; the response lives for the call.
    unsafe { (reply.reply)(reply.user, code, response) };
    status::OK
}
