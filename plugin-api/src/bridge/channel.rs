//! One topic or service as a bridge sees it, and where its incoming messages go.

use bridgehead_abi as abi;
use bridgehead_abi::bridge as raw;

use crate::error::{Error, Result};
use crate::host::Qos;
use crate::lease::Lease;
use crate::objects::{IncomingMessage, ServiceSinkRef, SinkRef};
use crate::payload::Payload;

/// A message type as the host knows it.
#[derive(Clone, Copy, Debug)]
pub struct TypeInfo<'a> {
    /// The host's number for it.
    pub id: u32,
    /// Protobuf full name.
    pub name: &'a str,
    /// Encoded, self-contained `google.protobuf.FileDescriptorSet`.
    pub descriptor_set: &'a [u8],
}

impl<'a> TypeInfo<'a> {
    /// # Safety
    /// The description's texts and bytes must live for `'a`.
    unsafe fn from_raw(desc: &abi::message::TypeDesc) -> Self {
        // SAFETY: the caller vouches for the description.
        unsafe {
            TypeInfo {
                id: desc.type_id,
                name: desc.name.as_str().unwrap_or(""),
                descriptor_set: desc.descriptor_set.as_slice(),
            }
        }
    }
}

/// One topic or service, while its endpoint is made.
#[derive(Clone, Copy)]
pub struct Channel<'a> {
    raw: &'a raw::Channel,
}

impl<'a> Channel<'a> {
    /// # Safety
    /// The channel's texts and bytes must live for `'a`.
    pub(crate) unsafe fn from_raw(raw: &'a raw::Channel) -> Self {
        Channel { raw }
    }

    /// The struct, for hosts.
    #[doc(hidden)]
    #[must_use]
    pub fn raw(&self) -> &'a raw::Channel {
        self.raw
    }

    /// Vehicle the topic belongs to; empty for the world.
    #[must_use]
    pub fn vehicle(&self) -> &'a str {
        // SAFETY: `from_raw` vouches for the channel's texts.
        unsafe { self.raw.vehicle.as_str() }.unwrap_or("")
    }

    /// Full topic or service name.
    #[must_use]
    pub fn topic(&self) -> &'a str {
        // SAFETY: as above.
        unsafe { self.raw.topic.as_str() }.unwrap_or("")
    }

    /// The type's name on the bridge's side: from `add_type` or a converter, otherwise its ROS name.
    #[must_use]
    pub fn bridge_type(&self) -> &'a str {
        // SAFETY: as above.
        unsafe { self.raw.bridge_type.as_str() }.unwrap_or("")
    }

    /// The message type; of a service, the request.
    #[must_use]
    pub fn data_type(&self) -> TypeInfo<'a> {
        // SAFETY: as above.
        unsafe { TypeInfo::from_raw(&self.raw.data_type) }
    }

    /// The response type of a service; its name is empty for topics.
    #[must_use]
    pub fn response_type(&self) -> TypeInfo<'a> {
        // SAFETY: as above.
        unsafe { TypeInfo::from_raw(&self.raw.response_type) }
    }

    /// Quality of service.
    #[must_use]
    pub fn qos(&self) -> Qos {
        Qos::from_abi(&self.raw.qos)
    }

    /// Whether payloads are in a form of the bridge's own, made by a converter, rather than protobuf.
    #[must_use]
    pub fn is_converted(&self) -> bool {
        self.raw.encoding == abi::message::ENCODING_BRIDGE
    }
}

/// Where the messages of one incoming topic go, until the endpoint it was given to is dropped. Afterwards
/// [`Sink::deliver`] returns an error.
pub struct Sink {
    raw: SinkRef<'static>,
    lease: Lease,
}

impl Sink {
    /// The sink must stay valid until `lease` is closed.
    pub(crate) fn new(raw: SinkRef<'static>, lease: Lease) -> Self {
        Sink { raw, lease }
    }

    /// Hands a message to the simulation; it takes effect in the next step. `[any]`, never blocks.
    ///
    /// # Errors
    /// Returns an error if the payload is not of the topic's type, or the endpoint is gone.
    pub fn deliver(&self, payload: &Payload) -> Result {
        self.deliver_at(raw::NEXT_STEP, raw::STAMP_NOW, payload)
    }

    /// Hands over a message that is meant for step `step`, with a time stamp of its own. `[any]`
    ///
    /// # Errors
    /// As [`Sink::deliver`].
    pub fn deliver_at(&self, step: u64, stamp_ns: i64, payload: &Payload) -> Result {
        let incoming = IncomingMessage { at_step: step, stamp_ns, payload: payload.into() };
        // While it is entered, the endpoint and its sink exist.
        let _entered = self.lease.enter().ok_or_else(withdrawn)?;
        Error::check(self.raw.deliver(incoming), "deliver")
    }
}

/// Why a sink takes nothing any more.
fn withdrawn() -> Error {
    Error::with_status(abi::status::WRONG_STATE, "the endpoint that this sink belongs to is destroyed")
}

/// Where the calls of one service go, until the endpoint it was given to is dropped. Afterwards [`ServiceSink::call`]
/// returns an error.
pub struct ServiceSink {
    raw: ServiceSinkRef<'static>,
    lease: Lease,
}

impl ServiceSink {
    /// The sink must stay valid until `lease` is closed.
    pub(crate) fn new(raw: ServiceSinkRef<'static>, lease: Lease) -> Self {
        ServiceSink { raw, lease }
    }

    /// Starts a call. `reply` runs exactly once, on any thread, also when the run ends first. `[any]`
    ///
    /// # Errors
    /// Returns an error if the call was not accepted, or the endpoint is gone; `reply` has then been dropped without a
    /// call.
    pub fn call(&self, request: &Payload, reply: impl FnOnce(Result<Payload>) + Send + 'static) -> Result {
        // While it is entered, the endpoint and its sink exist.
        let _entered = self.lease.enter().ok_or_else(withdrawn)?;
        let status = self.raw.start(request, |status, response| {
            let outcome = response.filter(|_| status >= 0).ok_or_else(|| {
                let name = abi::status::name(status);
                Error::with_status(status, format!("the call was answered with {name}"))
            });
            crate::boundary::run_unhosted("the reply of a service call", || {
                reply(outcome);
                Ok(())
            });
        });
        Error::check(status, "service call")
    }
}
