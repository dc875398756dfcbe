//! Drives one bridge through its life: registration, endpoints, loops on threads, notices, disconnect.
//!
//! The test is the simulation and the host in one: it publishes into the transmit queue, and finds in the
//! sinks what the bridge delivered.

mod channel;
mod queue;
mod receive;
mod registrations;
mod sink;

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, Str, status};

use self::channel::TestChannel;
use self::queue::TransmitQueue;
pub use self::queue::{TestPublisher, TxCounts};
use self::receive::ReceiveSide;
pub use self::registrations::Registrations;
pub use self::sink::{Delivery, TestSink};
use super::calls::{Class, InstanceState};
use super::host::TestHost;
use super::outcome::Outcome;
use super::threads::Tracked;
use crate::bridge::{Bridge, BridgeStatus, Notice};
use crate::export;
use crate::host::Qos;
use crate::messages::{Message, Service};
use crate::objects::{BridgeRef, EndpointRef, Offered, bridge_has};
use crate::payload::Payload;

/// A bridge under test.
///
/// Dropping it disconnects and destroys the bridge.
pub struct TestBridge<B: Bridge> {
    host: TestHost,
    registrations: Registrations,
    instance: BridgeRef,
    endpoints: Vec<EndpointRef>,
    sinks: Vec<TestSink>,
    tx: &'static Offered<raw::TxContext, TransmitQueue>,
    rx: &'static Offered<raw::RxContext, ReceiveSide>,
    loops: Vec<(&'static str, Tracked<Outcome>)>,
    bridge: PhantomData<fn() -> B>,
}

impl<B: Bridge> TestBridge<B> {
    /// Registers the bridge and makes an instance for the host's vehicle (or world).
    ///
    /// # Panics
    /// Panics if the registration or the creation fails.
    #[must_use]
    #[track_caller]
    pub fn create(host: TestHost) -> Self {
        let factory = export::bridge_factory::<B>();
        let registrations = match Registrations::of::<B>() {
            Ok(registrations) => registrations,
            Err(outcome) => panic!("the registration {outcome}"),
        };
        host.shared.calls.set_state(InstanceState::Bridge);
        let mut out = MaybeUninit::<raw::BridgeInstance>::uninit();
        // SAFETY: the host lives as long as the process; `out` is writable.
        let created =
            host.call("create", Class::Main, || unsafe { (factory.create)(host.raw(), out.as_mut_ptr()) });
        created.expect_done();
        // SAFETY: `create` succeeded, so it filled `out`.
        let instance = unsafe { BridgeRef::new(out.assume_init()) };
        TestBridge {
            host,
            registrations,
            instance,
            endpoints: Vec::new(),
            sinks: Vec::new(),
            tx: TransmitQueue::leak(host),
            rx: ReceiveSide::leak(host),
            loops: Vec::new(),
            bridge: PhantomData,
        }
    }

    /// Makes an instance in a host of its own and connects it.
    ///
    /// # Panics
    /// Panics if one of these fails.
    #[must_use]
    #[track_caller]
    pub fn connected(host: TestHost, connection: &str) -> Self {
        let mut bridge = Self::create(host);
        bridge.connect(connection).expect_done();
        bridge
    }

    /// Calls [`Bridge::validate`].
    #[track_caller]
    pub fn validate(connection: &str) -> Outcome {
        let host = TestHost::new();
        let factory = export::bridge_factory::<B>();
        let connection = Str::new(connection);
        // SAFETY: host and text live for the call.
        host.call("validate", Class::Main, || unsafe { (factory.validate)(host.raw(), connection) })
    }

    /// What [`Bridge::register`] announced.
    #[must_use]
    pub fn registrations(&self) -> &Registrations {
        &self.registrations
    }

    /// The host, for inspection.
    #[must_use]
    pub fn host(&self) -> TestHost {
        self.host
    }

    /// The C functions, for calls that no host makes.
    #[must_use]
    pub fn raw(&self) -> &raw::BridgeInstance {
        self.instance.raw()
    }

    /// Calls [`Bridge::connect`], and starts the loops the bridge wants.
    #[track_caller]
    pub fn connect(&mut self, connection: &str) -> Outcome {
        let connect = || self.instance.connect(connection.as_bytes());
        let outcome = self.host.call("connect", Class::Main, connect);
        if outcome.is_done() && self.loops.is_empty() {
            self.start_loops();
        }
        outcome
    }

    /// Ends the connection as the host does: the queue is drained, the loops are interrupted and joined,
    /// then [`Bridge::disconnect`] runs, then threads of the bridge's own are joined.
    ///
    /// # Panics
    /// Panics if a loop fails, or does not end within ten seconds.
    #[track_caller]
    pub fn disconnect(&mut self) -> Outcome {
        for (name, outcome) in self.end_loops() {
            assert!(outcome.is_done(), "the {name} loop {outcome}");
        }
        let outcome = self.host.call("disconnect", Class::Main, || self.instance.disconnect());
        self.host.join_threads();
        outcome
    }

    /// Ends the loops and says how each ended, for tests of loops that fail.
    ///
    /// # Panics
    /// Panics if a loop does not end within ten seconds.
    #[track_caller]
    pub fn end_loops(&mut self) -> Vec<(&'static str, Outcome)> {
        self.tx.close();
        self.rx.interrupt();
        self.instance.interrupt();
        let loops = std::mem::take(&mut self.loops);
        let late = || loops.iter().filter(|(_, thread)| !thread.has_ended()).map(|(class, _)| *class);
        let have_ended = self.host.shared.wait(|| late().next().is_none());
        let names: Vec<_> = late().collect();
        assert!(have_ended, "the loops {names:?} still run ten seconds after the interrupt");
        loops.into_iter().map(|(class, thread)| (class, join(thread))).collect()
    }

    /// Calls [`Bridge::status`].
    #[must_use]
    pub fn status(&self) -> BridgeStatus {
        BridgeStatus::from_number(self.instance.status())
    }

    /// Waits until [`Bridge::status`] is the expected one.
    ///
    /// # Panics
    /// After ten seconds.
    #[track_caller]
    pub fn wait_status(&self, expected: BridgeStatus) {
        self.host.wait_until(&format!("the bridge is {expected:?}"), |_| self.status() == expected);
    }

    /// Calls [`Bridge::notice`]; [`crate::Ack::Later`] is [`Outcome::Pending`].
    #[track_caller]
    pub fn notice(&self, notice: &Notice) -> Outcome {
        let now = self.host.now();
        let (kind, scope, reset_epoch, ticket) = numbers(notice, now.reset_epoch);
        let raw = raw::Notice {
            struct_size: raw::Notice::SIZE,
            kind,
            scope,
            reset_epoch,
            time_ns: now.time_ns,
            ticket,
        };
        // Before the call: a thread of the bridge may acknowledge before the call has returned.
        self.host.expect_ticket((kind == raw::NOTICE_RESET).then_some(ticket));
        let outcome = self.host.call("notice", Class::Main, || self.instance.notice(&raw));
        if outcome != Outcome::Pending {
            self.host.expect_ticket(None);
        }
        outcome
    }

    /// Makes the outgoing endpoint of a topic through [`Bridge::publisher`].
    ///
    /// # Errors
    /// How the call ended, where the bridge refuses the topic or announced no publisher for the type.
    #[track_caller]
    pub fn advertise<T: Message>(&mut self, topic: &str, qos: Qos) -> Result<TestPublisher, Outcome> {
        let Some(creator) = self.registrations.publisher(T::FULL_NAME) else {
            return Err(unannounced("publisher", T::FULL_NAME));
        };
        let channel = TestChannel::of::<T>(self, topic, qos);
        let instance = self.instance;
        let endpoint = self.endpoint("publisher", || channel.with(|raw| creator.create(&instance, raw)))?;
        Ok(TestPublisher::new(channel.topic, channel.data_type, endpoint, self.tx.id()))
    }

    /// Makes the incoming endpoint of a topic through [`Bridge::subscriber`].
    ///
    /// # Errors
    /// How the call ended, where the bridge refuses the topic or announced no subscriber for the type.
    #[track_caller]
    pub fn subscribe<T: Message>(&mut self, topic: &str, qos: Qos) -> Result<TestSink, Outcome> {
        let Some(creator) = self.registrations.subscriber(T::FULL_NAME) else {
            return Err(unannounced("subscriber", T::FULL_NAME));
        };
        let channel = TestChannel::of::<T>(self, topic, qos);
        let sink = TestSink::new::<T>(self.host, &channel.topic, channel.message_type());
        let instance = self.instance;
        self.endpoint("subscriber", || channel.with(|raw| creator.create(&instance, raw, sink.raw())))?;
        self.sinks.push(sink);
        Ok(sink)
    }

    /// Offers a service through [`Bridge::service`]; calls of the peers are answered by `handler`.
    ///
    /// # Errors
    /// How the call ended, where the bridge refuses the service or announced none of these types.
    #[track_caller]
    pub fn offer<S: Service>(
        &mut self,
        name: &str,
        handler: impl Fn(S::Request) -> crate::Result<S::Response> + Send + Sync + 'static,
    ) -> Result<(), Outcome> {
        let Some(creator) = self.registrations.service(S::Request::FULL_NAME, S::Response::FULL_NAME) else {
            return Err(unannounced("service", S::Request::FULL_NAME));
        };
        let channel = TestChannel::of_service::<S>(self, name);
        let sink = sink::service::<S>(self.host, handler);
        let instance = self.instance;
        self.endpoint("service", || channel.with(|raw| creator.create(&instance, raw, sink)))?;
        Ok(())
    }

    /// Publishes a message: it waits in the transmit queue.
    ///
    /// # Panics
    /// As [`TestBridge::publish_payload`].
    #[track_caller]
    pub fn publish<T: Message>(&self, publisher: &TestPublisher, message: &T) {
        self.publish_payload(publisher, &Payload::from_vec(message.encode_to_vec()));
    }

    /// Publishes bytes.
    ///
    /// # Panics
    /// Panics if the publisher belongs to another bridge.
    #[track_caller]
    pub fn publish_payload(&self, publisher: &TestPublisher, payload: &Payload) {
        let endpoint = self.endpoints[publisher.endpoint_in(self.tx.id())];
        self.tx.push(publisher, endpoint, self.host.now(), payload.clone());
    }

    /// What became of the messages.
    #[must_use]
    pub fn counts(&self) -> TxCounts {
        self.tx.counts()
    }

    /// Waits until the bridge has asked for a message again after taking the last one.
    ///
    /// # Panics
    /// After ten seconds.
    #[track_caller]
    pub fn wait_sent(&self) {
        self.host.wait_until("the bridge has sent every message", |_| self.tx.is_idle());
    }

    #[track_caller]
    fn endpoint(
        &mut self,
        call: &'static str,
        create: impl FnOnce() -> Result<EndpointRef, Status>,
    ) -> Result<usize, Outcome> {
        let mut made = None;
        let outcome = self.host.call(call, Class::Main, || match create() {
            Ok(endpoint) => {
                made = Some(endpoint);
                status::OK
            }
            Err(code) => code,
        });
        let Some(endpoint) = made.filter(|_| outcome.is_done()) else { return Err(outcome) };
        self.endpoints.push(endpoint);
        Ok(self.endpoints.len() - 1)
    }

    fn start_loops(&mut self) {
        self.tx.open();
        self.rx.open();
        let host = self.host;
        let instance = self.instance;
        if instance.has() & bridge_has::tx_run != 0 {
            let context = self.tx;
            self.spawn("tx", move || {
                let code = instance.tx_run(context.lend());
                context.finish(code >= 0);
                Outcome::from_status("transmit", code, host.shared.calls.take_reason())
            });
        }
        if instance.has() & bridge_has::rx_run != 0 {
            let context = self.rx;
            self.spawn("rx", move || {
                let code = instance.rx_run(context.lend());
                Outcome::from_status("receive", code, host.shared.calls.take_reason())
            });
        }
    }

    fn spawn(&mut self, class: &'static str, body: impl FnOnce() -> Outcome + Send + 'static) {
        let shared = self.host.shared;
        let name = format!("{class}:{}", shared.setup.path);
        match Tracked::spawn(shared, name, body) {
            Ok(thread) => self.loops.push((class, thread)),
            Err(error) => panic!("the system made no thread for the {class} loop: {error}"),
        }
    }
}

impl<B: Bridge> Drop for TestBridge<B> {
    /// Fails the test where the bridge does not end cleanly. A test that fails already leaves it as it is.
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if !self.loops.is_empty() {
            self.disconnect().expect_done();
        }
        self.host.join_threads();
        let endpoints = std::mem::take(&mut self.endpoints);
        let instance = self.instance;
        let host = self.host;
        let destroyed = host.call("destroy", Class::Main, || {
            // SAFETY: endpoints go before the instance; these are the last calls on both.
            unsafe {
                endpoints.iter().for_each(|endpoint| endpoint.destroy());
                instance.destroy();
            }
            // `destroy` has no status: a reason is all that a panic leaves.
            if host.shared.calls.has_reason() { status::PANIC } else { status::OK }
        });
        destroyed.expect_done();
    }
}

fn join(thread: Tracked<Outcome>) -> Outcome {
    thread.join().unwrap_or_else(|_| Outcome::Panicked("unwound out of its thread".to_owned()))
}

fn unannounced(kind: &str, type_name: &str) -> Outcome {
    Outcome::Failed(crate::Error::unsupported(format!("the bridge announced no {kind} for `{type_name}`")))
}

/// Kind, scope, epoch and ticket of a notice.
fn numbers(notice: &Notice, epoch: u32) -> (u32, u32, u32, u64) {
    match *notice {
        Notice::Started => (raw::NOTICE_STARTED, 0, epoch, 0),
        Notice::Paused => (raw::NOTICE_PAUSED, 0, epoch, 0),
        Notice::Resumed => (raw::NOTICE_RESUMED, 0, epoch, 0),
        Notice::Stopped => (raw::NOTICE_STOPPED, 0, epoch, 0),
        Notice::Reset { scope, epoch, ticket } => (raw::NOTICE_RESET, scope.bits(), epoch, ticket),
    }
}
