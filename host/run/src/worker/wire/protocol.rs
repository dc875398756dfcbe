//! The messages of both sides. Plain values.

use bridgehead_abi::Status;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::bytes::Bytes;
use super::model::{ModelCall, ModelRequest};

/// Whose host object a request is made with.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(in crate::worker) enum Caller {
    /// The library.
    Library,
    /// The instance.
    Instance,
}

/// From the host to the worker, on the lane of a thread.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum ToWorker<'a> {
    /// Make a call.
    Call(#[serde(borrow)] Call<'a>),
    /// The answer to the last request.
    Answer(#[serde(borrow)] Answer<'a>),
}

/// From the worker to the host, on the lane of a thread.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum FromWorker<'a> {
    /// The library was loaded or refused.
    Loaded(#[serde(borrow)] Loaded<'a>),
    /// The plugin calls the host.
    Request(#[serde(borrow)] Request<'a>),
    /// A call has returned.
    Returned(Returned),
}

/// The result of loading the library: the first message of a worker.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Loaded<'a> {
    /// It can be used.
    Ready {
        /// Flags of the factories of its bridges, in the order of its plugins; 0 for other plugins.
        flags: Vec<u32>,
        /// Warnings of the checks, each with its code.
        #[serde(borrow)]
        warnings: Vec<Finding<'a>>,
    },
    /// It was refused.
    Refused(#[serde(borrow)] Finding<'a>),
}

/// A finding about a library.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Finding<'a> {
    /// `BH-PLG-nnn`.
    pub(in crate::worker) code: &'a str,
    /// What was found.
    pub(in crate::worker) text: &'a str,
    /// More lines.
    #[serde(borrow)]
    pub(in crate::worker) details: Vec<&'a str>,
}

/// What a call returned.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Returned {
    /// Status of the plugin.
    pub(in crate::worker) status: Status,
    /// Of `Create`: which optional functions the instance has. Of `Converters`: their number. Otherwise 0.
    pub(in crate::worker) value: u32,
    /// Of `Connect`, `Disconnect` and `Notice`: the status of the connection after the call.
    pub(in crate::worker) connection: Option<Connection>,
}

/// The status of the connection of a bridge, as its worker has read it. Two threads of the host get it: one gets what calls
/// return, the other what changes meanwhile.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(in crate::worker) struct Connection {
    /// Counts the changes; a later one has a higher number.
    pub(in crate::worker) change: u32,
    /// One of the `STATUS_` constants.
    pub(in crate::worker) status: u32,
}

/// A call of the host into the plugin.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Call<'a> {
    /// `register` of a factory.
    Register {
        /// Place of the plugin in its library.
        plugin: u32,
    },
    /// `validate` of a bridge factory.
    Validate {
        /// Place of the plugin in its library.
        plugin: u32,
        /// The connection string.
        connection: &'a str,
    },
    /// Let the library register its converters for a bridge, which are counted and not used.
    Converters {
        /// Id of the bridge.
        id: &'a str,
        /// Name of the bridge.
        name: &'a str,
    },
    /// `create` of a factory.
    Create {
        /// Place of the plugin in its library.
        plugin: u32,
    },
    /// `connect`.
    Connect {
        /// The connection string.
        connection: &'a str,
    },
    /// `disconnect`.
    Disconnect,
    /// `notice`.
    Notice(Notice),
    /// `create` of a creator that `register` has announced.
    CreateEndpoint {
        /// What it is for.
        role: Role,
        /// Number of the creator, in the order of its announcement.
        creator: u32,
        /// Number of the new endpoint.
        endpoint: u32,
        /// What it carries.
        #[serde(borrow)]
        channel: Channel<'a>,
    },
    /// `destroy` of an endpoint.
    DestroyEndpoint {
        /// Its number.
        endpoint: u32,
    },
    /// `tx_run`.
    Transmit,
    /// `rx_run`.
    Receive,
    /// `destroy` of the instance.
    Destroy,
    /// A function of an instance of a model plugin.
    Model(#[serde(borrow)] ModelCall<'a>),
}

impl Call<'_> {
    /// The name of the function, for messages.
    pub(in crate::worker) const fn name(&self) -> &'static str {
        match self {
            Call::Register { .. } => "register",
            Call::Validate { .. } => "validate",
            Call::Converters { .. } => "converters",
            Call::Create { .. } => "create",
            Call::Connect { .. } => "connect",
            Call::Disconnect => "disconnect",
            Call::Notice(_) => "notice",
            Call::CreateEndpoint { role: Role::Publisher, .. } => "create (publisher)",
            Call::CreateEndpoint { role: Role::Subscriber, .. } => "create (subscriber)",
            Call::CreateEndpoint { role: Role::Service, .. } => "create (service)",
            Call::DestroyEndpoint { .. } => "destroy (endpoint)",
            Call::Transmit => "tx_run",
            Call::Receive => "rx_run",
            Call::Destroy => "destroy",
            Call::Model(call) => call.name(),
        }
    }

    /// Whether it may run for any time: loops do, and the host limits the time of a start by itself.
    pub(in crate::worker) const fn is_unlimited(&self) -> bool {
        matches!(self, Call::Transmit | Call::Receive | Call::Model(ModelCall::Awake | ModelCall::Start))
    }
}

/// The purpose of an endpoint.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(in crate::worker) enum Role {
    /// The bridge sends a topic.
    Publisher,
    /// The bridge receives a topic.
    Subscriber,
    /// The bridge offers a service.
    Service,
}

/// A topic or service. Types are named by their ids.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Channel<'a> {
    pub(in crate::worker) vehicle: &'a str,
    pub(in crate::worker) topic: &'a str,
    pub(in crate::worker) bridge_type: &'a str,
    pub(in crate::worker) data_type: u32,
    /// Of a service.
    pub(in crate::worker) response_type: Option<u32>,
    pub(in crate::worker) reliability: u32,
    pub(in crate::worker) durability: u32,
    pub(in crate::worker) depth: u32,
    pub(in crate::worker) encoding: u32,
}

/// A notice of the lifecycle.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Notice {
    pub(in crate::worker) kind: u32,
    pub(in crate::worker) scope: u32,
    pub(in crate::worker) reset_epoch: u32,
    pub(in crate::worker) time_ns: i64,
    pub(in crate::worker) ticket: u64,
}

/// A call of the plugin into the host.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Request<'a> {
    /// A function that is declared in `hosting`, by its number.
    Host {
        caller: Caller,
        function: u16,
        arguments: Bytes<'a>,
    },
    Explain {
        caller: Caller,
        text: &'a [u8],
    },
    ShouldStop,
    /// The status of the connection has changed.
    Status(Connection),
    AddType {
        data_type: &'a str,
        bridge_type: &'a str,
    },
    AddCreator {
        role: Role,
        data_type: &'a str,
        response: &'a str,
        creator: u32,
    },
    Next {
        timeout_ns: i64,
    },
    Reject,
    Pending,
    TxInterrupted,
    /// `interrupt` has returned.
    Interrupted,
    Wait {
        timeout_ns: i64,
    },
    RxInterrupted,
    Deliver {
        endpoint: u32,
        at_step: u64,
        stamp_ns: i64,
        payload: Bytes<'a>,
    },
    CallService {
        endpoint: u32,
        call: u64,
        payload: Bytes<'a>,
    },
    /// What only model plugins ask for.
    Model(#[serde(borrow)] ModelRequest<'a>),
}

/// From the host to the worker, on no thread's lane.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Signal<'a> {
    /// Call `interrupt` of the instance, and send [`Request::Interrupted`].
    Interrupt,
    /// The answer to [`Request::CallService`].
    Reply {
        /// Number of the call.
        call: u64,
        /// Its status.
        status: Status,
        /// The response, if there is one.
        #[serde(borrow)]
        response: Option<&'a [u8]>,
    },
}
