//! Bridge plugins: what carries messages between the host and other programs, as one trait.
//!
//! A bridge type `B` stands for both of LGSVL's roles: its associated functions are the factory, its values
//! are the instances, one per vehicle or world that the configuration attaches the bridge to.

mod channel;
mod convert;
mod flow;
pub(crate) mod glue;

use std::str::FromStr;

pub use self::channel::{Channel, ServiceSink, Sink, TypeInfo};
pub use self::convert::{BridgeInfo, Convert, ConverterRegistrar};
pub use self::flow::{Rx, Tx, TxItem, Wait};
use bridgehead_abi::bridge::{PublisherCreator, ServiceCreator, SubscriberCreator};

use crate::error::{Error, Result};
use crate::host::HostHandle;
use crate::model::ResetScope;
use crate::objects::{Callback, RegistrarRef};

/// Where a connection stands. The numbers are LGSVL's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum BridgeStatus {
    /// Not connected, by request or not yet.
    #[default]
    Disconnected = bridgehead_abi::bridge::STATUS_DISCONNECTED,
    /// The peer went away.
    UnexpectedlyDisconnected = bridgehead_abi::bridge::STATUS_UNEXPECTEDLY_DISCONNECTED,
    /// `connect` was accepted and goes on.
    Connecting = bridgehead_abi::bridge::STATUS_CONNECTING,
    /// Messages flow.
    Connected = bridgehead_abi::bridge::STATUS_CONNECTED,
    /// `disconnect` was accepted and goes on.
    Disconnecting = bridgehead_abi::bridge::STATUS_DISCONNECTING,
}

impl BridgeStatus {
    /// From the number of the ABI; an unknown one counts as disconnected.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        match number {
            bridgehead_abi::bridge::STATUS_UNEXPECTEDLY_DISCONNECTED => Self::UnexpectedlyDisconnected,
            bridgehead_abi::bridge::STATUS_CONNECTING => Self::Connecting,
            bridgehead_abi::bridge::STATUS_CONNECTED => Self::Connected,
            bridgehead_abi::bridge::STATUS_DISCONNECTING => Self::Disconnecting,
            _ => Self::Disconnected,
        }
    }
}

/// The lifecycle as it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Every plugin has started; the first step follows.
    Started,
    /// The simulation is paused.
    Paused,
    /// The simulation goes on.
    Resumed,
    /// A reset is about to run.
    Reset {
        /// What it covers.
        scope: ResetScope,
        /// The epoch that begins.
        epoch: u32,
        /// For [`crate::host::Lifecycle::acknowledge`].
        ticket: u64,
    },
    /// The run has stopped.
    Stopped,
}

/// Answer to a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ack {
    /// Done.
    Done,
    /// A reset will be acknowledged with its ticket before the deadline.
    Later,
}

/// Which threads a bridge wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loops {
    /// [`Bridge::transmit`].
    pub transmit: bool,
    /// [`Bridge::receive`].
    pub receive: bool,
}

impl Loops {
    /// Sends only.
    pub const TRANSMIT: Loops = Loops { transmit: true, receive: false };
    /// Receives only.
    pub const RECEIVE: Loops = Loops { transmit: false, receive: true };
    /// Both.
    pub const BOTH: Loops = Loops { transmit: true, receive: true };
}

/// A bridge plugin.
///
/// `[main]` calls of one instance never overlap each other, but run at the same time as its `transmit` and
/// `receive` loops: hence `&self` everywhere, and `Sync`.
pub trait Bridge: Sized + Send + Sync + 'static {
    /// A parsed connection string, which [`Bridge::connect`] receives. A wrong string fails before anything starts. Its
    /// error says what is wrong with the string and what a right one looks like: see [`connection`](crate::connection).
    ///
    /// Parsing connects to nothing. It happens for each check and for each connection, on any thread, in any state.
    type Connection: FromStr<Err: Into<Error>>;
    /// What [`Bridge::publisher`] makes: one outgoing topic.
    type Publisher: Send + Sync + 'static;
    /// What [`Bridge::subscriber`] and [`Bridge::service`] make: kept until the topic is withdrawn.
    type Subscriber: Send + Sync + 'static;

    /// The threads this bridge wants.
    const LOOPS: Loops;

    /// Whether the simulation should wait rather than lose a message in front of this bridge, unless
    /// configured otherwise: for recorders, not for peers on a network.
    const IS_LOSSLESS: bool = false;

    /// Announces the types this bridge carries. Called once per process.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure refuses the plugin.
    fn register(registrar: &mut Registrar<'_, Self>) -> Result;

    /// Checks a connection beyond its form, without connecting, before anything starts.
    ///
    /// `[thread: any] [state: any]`
    ///
    /// # Errors
    /// Says what is wrong and what to try.
    fn validate(connection: &Self::Connection) -> Result {
        let _ = connection;
        Ok(())
    }

    /// Makes an instance. Must not call the host yet.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure leaves the vehicle without this bridge.
    fn create(host: HostHandle) -> Result<Self>;

    /// Connects to the peer. May block until the `connect_timeout` of the bridge, 5 s by default; a call that takes longer is
    /// given up, and the instance with it. If connecting can take long, start it, return, and let [`Bridge::status`] be
    /// [`Connecting`](BridgeStatus::Connecting) until it is done.
    ///
    /// `[thread: main] [state: created, disconnected]`
    ///
    /// # Errors
    /// Returns an error if the connection cannot be established; the host reports it, and tries again after a pause unless
    /// it is configured not to. It does not call [`Bridge::disconnect`] then.
    fn connect(&self, connection: Self::Connection) -> Result;

    /// Ends the connection. What was taken from the queue before is delivered first.
    ///
    /// `[thread: main] [state: connecting, connected]`
    ///
    /// # Errors
    /// Returns an error if something that was accepted could not be delivered.
    fn disconnect(&self) -> Result;

    /// Where the connection stands. Cheap: asked every step, on the simulation thread. If it is no longer
    /// [`Connected`](BridgeStatus::Connected), the host ends the loops, disconnects, and connects again after a pause.
    ///
    /// `[thread: any] [state: any]`
    fn status(&self) -> BridgeStatus;

    /// Makes the outgoing endpoint of a topic.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure is a warning: the topic does not go through this bridge.
    fn publisher(&self, channel: &Channel<'_>) -> Result<Self::Publisher>;

    /// Makes the incoming endpoint of a topic: messages from the peer go into `sink`.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure is a warning: the topic does not come through this bridge.
    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Self::Subscriber> {
        let _ = sink;
        Err(Error::unsupported(format!("this bridge brings in no topics (asked for `{}`)", channel.topic())))
    }

    /// Offers a service to the peers: calls go into `sink`.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure is a warning: the service is not offered through this bridge.
    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Self::Subscriber> {
        let _ = sink;
        Err(Error::unsupported(format!("this bridge offers no services (asked for `{}`)", channel.topic())))
    }

    /// Takes messages from `tx` and sends them until [`Wait::Interrupted`]. Only with [`Loops::transmit`].
    ///
    /// `[thread: tx] [state: connecting, connected]`
    ///
    /// # Errors
    /// A failure ends the loop and is reported; the host counts what waits as dropped.
    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        while let Wait::Ready(item) = tx.next(None) {
            item.reject();
        }
        Ok(())
    }

    /// Receives from the peer until interrupted. Only with [`Loops::receive`].
    ///
    /// `[thread: rx] [state: connecting, connected]`
    ///
    /// # Errors
    /// A failure ends the loop and is reported.
    fn receive(&self, rx: &Rx<'_>) -> Result {
        let _ = rx;
        Ok(())
    }

    /// Wakes the loops from whatever they block on outside the host's own waits. Called before the queued messages are
    /// sent, and once more after that, so it leaves the connection open.
    ///
    /// `[thread: any] [state: any]`
    fn interrupt(&self) {}

    /// Hears the lifecycle.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure is logged; for a reset it counts as acknowledged.
    fn notice(&self, notice: &Notice) -> Result<Ack> {
        let _ = notice;
        Ok(Ack::Done)
    }
}

/// Where [`Bridge::register`] announces types.
pub struct Registrar<'a, B> {
    raw: RegistrarRef<'a>,
    bridge: std::marker::PhantomData<fn() -> B>,
}

impl<B: Bridge> Registrar<'_, B> {
    /// Names a data type on the bridge's side, if that is not its ROS name.
    ///
    /// # Errors
    /// Returns an error if the type has a name already.
    pub fn add_type(&mut self, data_type: &str, bridge_type: &str) -> Result {
        Error::check(self.raw.add_type(data_type, bridge_type), format_args!("add_type `{data_type}`"))
    }

    /// This bridge carries `data_type` out, through [`Bridge::publisher`]; `*` for every type.
    ///
    /// # Errors
    /// Returns an error if it was announced before.
    pub fn add_publisher(&mut self, data_type: &str) -> Result {
        let status = self.raw.add_publisher(data_type, Callback::<PublisherCreator>::of::<glue::Cell<B>>(0));
        Error::check(status, format_args!("add_publisher `{data_type}`"))
    }

    /// This bridge brings `data_type` in, through [`Bridge::subscriber`]; `*` for every type.
    ///
    /// # Errors
    /// Returns an error if it was announced before.
    pub fn add_subscriber(&mut self, data_type: &str) -> Result {
        let status =
            self.raw.add_subscriber(data_type, Callback::<SubscriberCreator>::of::<glue::Cell<B>>(0));
        Error::check(status, format_args!("add_subscriber `{data_type}`"))
    }

    /// This bridge offers services of these types, through [`Bridge::service`]; `*` for every type.
    ///
    /// # Errors
    /// Returns an error if it was announced before.
    pub fn add_service(&mut self, request: &str, response: &str) -> Result {
        let status =
            self.raw.add_service(request, response, Callback::<ServiceCreator>::of::<glue::Cell<B>>(0));
        Error::check(status, "add_service")
    }
}

/// The data type that stands for every type in a [`Registrar`].
pub const ANY_TYPE: &str = bridgehead_abi::bridge::ANY_TYPE;
