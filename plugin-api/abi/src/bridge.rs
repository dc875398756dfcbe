//! Bridge plugins: a factory that registers types and creators, and one instance per vehicle or world.

use core::ffi::c_void;

use crate::message::{Buffer, Message, Qos, TypeDesc};
use crate::{Host, Status, Str};

/// Not connected, by request or not yet.
pub const STATUS_DISCONNECTED: u32 = 0;
/// The peer went away.
pub const STATUS_UNEXPECTEDLY_DISCONNECTED: u32 = 1;
/// `connect` was accepted and goes on.
pub const STATUS_CONNECTING: u32 = 2;
/// Messages flow.
pub const STATUS_CONNECTED: u32 = 3;
/// `disconnect` was accepted and goes on.
pub const STATUS_DISCONNECTING: u32 = 4;

/// Flag of [`BridgeFactory`]: unless configured otherwise, the simulation waits rather than lose a message
/// in front of this bridge.
pub const BRIDGE_LOSSLESS: u32 = 1;

/// Data type that stands for every registered type in [`Registrar`]: for bridges driven by descriptors.
pub const ANY_TYPE: &str = "*";

abi_struct! {
    /// The factory of a bridge plugin, one object per process.
    pub struct BridgeFactory {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// A sum of `BRIDGE_` constants.
        pub flags: u32,
        /// Announces the types this bridge carries and how it makes publishers, subscribers and services
        /// for them. Called once.
        /// `[thread: main] [state: any]`
        pub register: unsafe extern "C" fn(registrar: *const Registrar) -> Status,
        /// Checks a connection string without connecting; explains a refusal through `host`.
        /// `[thread: any] [state: any]`
        pub validate: unsafe extern "C" fn(host: *const Host, connection: Str) -> Status,
        /// Makes an instance and fills `out`. Calls no host function; the instance may use `host` from its
        /// first call on, until it is destroyed.
        /// `[thread: main] [state: any]`
        pub create: unsafe extern "C" fn(host: *const Host, out: *mut BridgeInstance) -> Status,
    }
}

// SAFETY: a factory is immutable and holds function pointers only.
unsafe impl Sync for BridgeFactory {}

abi_struct! {
    /// How a bridge makes endpoints that carry messages out.
    pub struct PublisherCreator {
        /// Passed back as `user`.
        pub user: *mut c_void,
        /// Makes one endpoint; `instance` is the `ctx` of the [`BridgeInstance`].
        /// `[thread: main] [state: any]`
        pub create: unsafe extern "C" fn(
            user: *mut c_void, instance: *mut c_void, channel: *const Channel, out: *mut Endpoint,
        ) -> Status,
    }
}

abi_struct! {
    /// How a bridge makes endpoints that bring messages in.
    pub struct SubscriberCreator {
        /// Passed back as `user`.
        pub user: *mut c_void,
        /// Makes one endpoint that calls `sink` for each message it receives; the sink stays valid until the
        /// endpoint is destroyed.
        /// `[thread: main] [state: any]`
        pub create: unsafe extern "C" fn(
            user: *mut c_void, instance: *mut c_void, channel: *const Channel, sink: *const Sink, out: *mut Endpoint,
        ) -> Status,
    }
}

abi_struct! {
    /// How a bridge makes endpoints that offer a service to its peers.
    pub struct ServiceCreator {
        /// Passed back as `user`.
        pub user: *mut c_void,
        /// Makes one endpoint that calls `sink` for each request; the sink stays valid until the endpoint is
        /// destroyed.
        /// `[thread: main] [state: any]`
        pub create: unsafe extern "C" fn(
            user: *mut c_void,
            instance: *mut c_void,
            channel: *const Channel,
            sink: *const ServiceSink,
            out: *mut Endpoint,
        ) -> Status,
    }
}

abi_struct! {
    /// Where a factory announces what its bridge can carry. Valid during `register` only. A second
    /// registration of the same kind for the same type is EXISTS.
    pub struct Registrar {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Names a data type (protobuf full name) on the bridge's side.
        /// `[thread: main] [state: any]`
        pub add_type: unsafe extern "C" fn(registrar: *const Registrar, data_type: Str, bridge_type: Str) -> Status,
        /// Registers how publishers of a data type are made; `*` for every type.
        /// `[thread: main] [state: any]`
        pub add_publisher: unsafe extern "C" fn(
            registrar: *const Registrar,
            data_type: Str,
            creator: *const PublisherCreator,
        ) -> Status,
        /// Registers how subscribers of a data type are made; `*` for every type.
        /// `[thread: main] [state: any]`
        pub add_subscriber: unsafe extern "C" fn(
            registrar: *const Registrar,
            data_type: Str,
            creator: *const SubscriberCreator,
        ) -> Status,
        /// Registers how services with these request and response types are made; `*` for every type.
        /// `[thread: main] [state: any]`
        pub add_service: unsafe extern "C" fn(
            registrar: *const Registrar,
            request: Str,
            response: Str,
            creator: *const ServiceCreator,
        ) -> Status,
    }
}

abi_struct! {
    /// One topic or service as a bridge sees it. Texts are borrowed for the call.
    pub struct Channel {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Vehicle the topic belongs to; empty for the world.
        pub vehicle: Str,
        /// Full topic or service name.
        pub topic: Str,
        /// The type's name on the bridge's side: from `add_type` or a converter, otherwise its ROS name.
        pub bridge_type: Str,
        /// The data type (of a service: the request). `type_id` and `descriptor_set` are filled.
        pub data_type: TypeDesc,
        /// The response type of a service; its name is empty for topics.
        pub response_type: TypeDesc,
        /// Quality of service.
        pub qos: Qos,
        /// One of the `ENCODING_` constants: how payloads of this channel are encoded.
        pub encoding: u32,
        /// 0.
        pub reserved2: u32,
    }
}

abi_struct! {
    /// What a creator made.
    pub struct Endpoint {
        /// Comes back with every message ([`TxMessage::endpoint`]) and in `destroy`.
        pub ctx: *mut c_void,
        /// Takes the endpoint down: the topic is withdrawn or the instance goes away.
        /// `[thread: main] [state: any]`
        pub destroy: unsafe extern "C" fn(ctx: *mut c_void),
    }
}

/// `Incoming::at_step`: the message is for the next step that latches commands.
pub const NEXT_STEP: u64 = u64::MAX;
/// `Incoming::stamp_ns`: the host stamps the message with the simulated time.
pub const STAMP_NOW: i64 = i64::MIN;

abi_struct! {
    /// A message that came from a peer.
    pub struct Incoming {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// The step it is meant for, or [`NEXT_STEP`].
        pub at_step: u64,
        /// Its time stamp in nanoseconds, or [`STAMP_NOW`].
        pub stamp_ns: i64,
        /// The bytes, encoded as the channel says; the host retains them.
        pub payload: *const Buffer,
    }
}

abi_struct! {
    /// Where a subscriber endpoint delivers.
    pub struct Sink {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Hands a message to the simulation; never blocks. SCHEMA if the payload is not of the type.
        /// `[thread: any] [state: any]`
        pub deliver: unsafe extern "C" fn(sink: *const Sink, incoming: *const Incoming) -> Status,
    }
}

abi_struct! {
    /// Where the answer of a service call goes.
    pub struct ServiceReply {
        /// Passed back as `user`.
        pub user: *mut c_void,
        /// Called exactly once: `status` OK and a response, or a failure and a null response.
        /// `[thread: any] [state: any]`
        pub reply: unsafe extern "C" fn(user: *mut c_void, status: Status, response: *const Buffer),
    }
}

abi_struct! {
    /// Where a service endpoint hands in calls.
    pub struct ServiceSink {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Starts a call and copies `reply`, which is called exactly once, also when the run ends first.
        /// `[thread: any] [state: any]`
        pub call: unsafe extern "C" fn(
            sink: *const ServiceSink, request: *const Buffer, reply: *const ServiceReply,
        ) -> Status,
    }
}

abi_struct! {
    /// A message on its way to a peer.
    pub struct TxMessage {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// `ctx` of the publisher endpoint it goes through.
        pub endpoint: *mut c_void,
        /// The message; borrowed until the next `next`.
        pub message: Message,
    }
}

abi_struct! {
    /// The transmit side of an instance: a bounded queue that the simulation fills.
    pub struct TxContext {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Takes the next message, waiting at most `timeout_ns` (negative: without limit). TIMEOUT when none
        /// came, INTERRUPTED when the loop should end: the queue is then empty or is not to be drained.
        /// Taking the next message confirms the one before as delivered.
        /// `[thread: tx] [state: connecting, connected]`
        pub next: unsafe extern "C" fn(tx: *const TxContext, timeout_ns: i64, out: *mut TxMessage) -> Status,
        /// Counts the message last taken as dropped instead of delivered. A text given to `explain` before is the reason.
        /// `[thread: tx] [state: connecting, connected]`
        pub reject: unsafe extern "C" fn(tx: *const TxContext),
        /// Messages waiting now.
        /// `[thread: tx] [state: any]`
        pub pending: unsafe extern "C" fn(tx: *const TxContext) -> u64,
        /// 1 once the loop should end.
        /// `[thread: any] [state: any]`
        pub interrupted: unsafe extern "C" fn(tx: *const TxContext) -> u8,
    }
}

abi_struct! {
    /// The receive side of an instance.
    pub struct RxContext {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Waits at most `timeout_ns` (negative: without limit): OK when the time is over, INTERRUPTED when
        /// the loop should end.
        /// `[thread: rx] [state: connecting, connected]`
        pub wait: unsafe extern "C" fn(rx: *const RxContext, timeout_ns: i64) -> Status,
        /// 1 once the loop should end.
        /// `[thread: any] [state: any]`
        pub interrupted: unsafe extern "C" fn(rx: *const RxContext) -> u8,
    }
}

/// Every plugin has started; the first step follows.
pub const NOTICE_STARTED: u32 = 1;
/// The simulation is paused.
pub const NOTICE_PAUSED: u32 = 2;
/// The simulation goes on.
pub const NOTICE_RESUMED: u32 = 3;
/// A reset is about to run; acknowledge with OK, or PENDING and `acknowledge(ticket)` before the deadline.
pub const NOTICE_RESET: u32 = 4;
/// The run has stopped; `disconnect` or another start follows.
pub const NOTICE_STOPPED: u32 = 5;

/// Reset scope: what the host does by default, the same as [`SCOPE_ALL`].
pub const SCOPE_DEFAULT: u32 = 0;
/// Reset scope bit: simulated time.
pub const SCOPE_TIME: u32 = 1;
/// Reset scope bit: states of entities.
pub const SCOPE_STATE: u32 = 2;
/// Reset scope bit: spawned entities are removed.
pub const SCOPE_SPAWNED: u32 = 4;
/// Reset scope: everything.
pub const SCOPE_ALL: u32 = 255;

abi_struct! {
    /// The lifecycle as it happens.
    pub struct Notice {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// One of the `NOTICE_` constants.
        pub kind: u32,
        /// Reset scope bits; 0 for other notices.
        pub scope: u32,
        /// Reset epoch after the notice.
        pub reset_epoch: u32,
        /// Simulated time in nanoseconds.
        pub time_ns: i64,
        /// Names a reset in `acknowledge`.
        pub ticket: u64,
    }
}

abi_struct! {
    /// One bridge of a vehicle or of the world. Filled by `create`; its functions get `ctx` first.
    pub struct BridgeInstance {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the plugin.
        pub ctx: *mut c_void,
        /// Starts to connect and returns at once if that can take long; progress shows in `status`. The
        /// string arrives byte for byte as the user wrote it.
        /// `[thread: main] [state: created, disconnected]`
        pub connect: unsafe extern "C" fn(ctx: *mut c_void, connection: Str) -> Status,
        /// Ends the connection. Called after `tx_run` and `rx_run` have returned, or were given up after their
        /// deadline.
        /// `[thread: main] [state: connecting, connected]`
        pub disconnect: unsafe extern "C" fn(ctx: *mut c_void) -> Status,
        /// One of the `STATUS_` constants. Cheap; asked every step.
        /// `[thread: any] [state: any]`
        pub status: unsafe extern "C" fn(ctx: *mut c_void) -> u32,
        /// Takes messages with `tx->next` and sends them until INTERRUPTED; null for a bridge that sends
        /// nothing. May block and keep time.
        /// `[thread: tx] [state: connecting, connected]`
        pub tx_run: Option<unsafe extern "C" fn(ctx: *mut c_void, tx: *const TxContext) -> Status>,
        /// Receives from the peer and delivers into sinks until interrupted; null for a bridge that receives
        /// nothing.
        /// `[thread: rx] [state: connecting, connected]`
        pub rx_run: Option<unsafe extern "C" fn(ctx: *mut c_void, rx: *const RxContext) -> Status>,
        /// Wakes `tx_run` and `rx_run` from whatever they block on outside the host's own waits; null where
        /// they block nowhere else.
        /// `[thread: any] [state: any]`
        pub interrupt: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
        /// Hears the lifecycle; null for a bridge that does not care.
        /// `[thread: main] [state: any]`
        pub notice: Option<unsafe extern "C" fn(ctx: *mut c_void, notice: *const Notice) -> Status>,
        /// Looks up an extension of the instance by id; null for an unknown id.
        /// `[thread: any] [state: any]`
        pub get_extension: unsafe extern "C" fn(ctx: *mut c_void, id: Str) -> *const c_void,
        /// Ends the instance after its endpoints are destroyed and its threads have ended.
        /// `[thread: main] [state: disconnected]`
        pub destroy: unsafe extern "C" fn(ctx: *mut c_void),
    }
}

abi_struct! {
    /// A bridge plugin, as shown to plugins that bring converters for it.
    pub struct BridgeInfo {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Reverse-domain id.
        pub id: Str,
        /// Short name.
        pub name: Str,
    }
}

abi_struct! {
    /// Converts payloads between a data type and a bridge's own type.
    pub struct Converter {
        /// Passed back as `user`.
        pub user: *mut c_void,
        /// Writes at most `capacity` bytes to `out` and their number to `len`; returns WOULD_BLOCK with the
        /// number it needs in `len` where `capacity` is too small. A failure is explained through the host object of
        /// the library. Runs on TX and RX threads, several at once.
        /// `[thread: tx, rx] [state: any]`
        pub convert: unsafe extern "C" fn(
            user: *mut c_void, message: *const Message, out: *mut u8, capacity: usize, len: *mut usize,
        ) -> Status,
    }
}

abi_struct! {
    /// Where a plugin registers converters between its own types and a bridge's. Valid during the call.
    pub struct ConverterRegistrar {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Belongs to the host.
        pub ctx: *mut c_void,
        /// Messages of `data_type` reach the bridge as `bridge_type`. The converter is copied.
        /// `[thread: main] [state: any]`
        pub add_publisher: unsafe extern "C" fn(
            registrar: *const ConverterRegistrar,
            data_type: Str,
            bridge_type: Str,
            converter: *const Converter,
        ) -> Status,
        /// What the bridge receives as `bridge_type` reaches subscribers as `data_type`.
        /// `[thread: main] [state: any]`
        pub add_subscriber: unsafe extern "C" fn(
            registrar: *const ConverterRegistrar,
            data_type: Str,
            bridge_type: Str,
            converter: *const Converter,
        ) -> Status,
    }
}

abi_struct! {
    /// Extension `bridgehead.bridge-converters/1` of a library with types of its own. Called once for each
    /// bridge plugin that the run uses, also for those opened later.
    pub struct BridgeConverters {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Registers what this library has for the given bridge; OK where it has nothing.
        /// `[thread: main] [state: any]`
        pub register: unsafe extern "C" fn(bridge: *const BridgeInfo, registrar: *const ConverterRegistrar) -> Status,
    }
}

// SAFETY: immutable, function pointers only.
unsafe impl Sync for BridgeConverters {}
