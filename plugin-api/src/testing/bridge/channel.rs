//! One topic or service of a bridge under test, in the form that crosses the boundary.

use bridgehead_abi::bridge as raw;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Str};

use super::TestBridge;
use crate::bridge::Bridge;
use crate::host::Qos;
use crate::messages::{Message, MessageType, Service};
use crate::testing::host::{TestHost, lock};
use crate::testing::types::describe_type;

/// A channel with texts of its own.
pub(super) struct TestChannel {
    host: TestHost,
    pub(super) topic: String,
    bridge_type: String,
    pub(super) data_type: u32,
    response_type: u32,
    qos: Qos,
}

impl TestChannel {
    #[track_caller]
    pub(super) fn of<T: Message>(bridge: &TestBridge<impl Bridge>, topic: &str, qos: Qos) -> Self {
        Self::new(bridge, topic, type_id::<T>(bridge.host), 0, qos)
    }

    #[track_caller]
    pub(super) fn of_service<S: Service>(bridge: &TestBridge<impl Bridge>, name: &str) -> Self {
        let (request, response) = (type_id::<S::Request>(bridge.host), type_id::<S::Response>(bridge.host));
        Self::new(bridge, name, request, response, Qos::default())
    }

    fn new(
        bridge: &TestBridge<impl Bridge>,
        topic: &str,
        data_type: u32,
        response_type: u32,
        qos: Qos,
    ) -> Self {
        let host = bridge.host;
        let known = lock(&host.shared.types).get(data_type);
        let (full, ros) = known.map_or_else(Default::default, |known| {
            (known.full_name().to_owned(), known.ros_type().to_string())
        });
        let bridge_type = bridge.registrations.bridge_type(&full).map_or(ros, str::to_owned);
        TestChannel { host, topic: host.shared.full_topic(topic), bridge_type, data_type, response_type, qos }
    }

    /// The type of its messages.
    ///
    /// # Panics
    /// Never: a channel is made of a registered type.
    #[track_caller]
    pub(super) fn message_type(&self) -> &'static MessageType {
        lock(&self.host.shared.types).get(self.data_type).expect("the type of a channel is registered")
    }

    /// Lends the channel in the form that crosses the boundary.
    pub(super) fn with<T>(&self, code: impl FnOnce(&raw::Channel) -> T) -> T {
        let describe = |id| {
            let known = lock(&self.host.shared.types).get(id);
            known.map_or_else(no_type, |known| describe_type(id, known))
        };
        let raw = raw::Channel {
            struct_size: raw::Channel::SIZE,
            reserved: 0,
            vehicle: Str::new(&self.host.shared.setup.vehicle),
            topic: Str::new(&self.topic),
            bridge_type: Str::new(&self.bridge_type),
            data_type: describe(self.data_type),
            response_type: describe(self.response_type),
            qos: self.qos.to_abi(),
            encoding: bridgehead_abi::message::ENCODING_PROTOBUF,
            reserved2: 0,
        };
        code(&raw)
    }
}

fn no_type() -> TypeDesc {
    TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: 0,
        name: Str::EMPTY,
        descriptor_set: Bytes::EMPTY,
        reserved: [0; 2],
    }
}

#[track_caller]
fn type_id<T: Message>(host: TestHost) -> u32 {
    match lock(&host.shared.types).register(T::FULL_NAME, T::DESCRIPTOR_SET, "the test") {
        Ok(id) => id,
        Err(reason) => panic!("the type `{}` is refused: {reason}", T::FULL_NAME),
    }
}
