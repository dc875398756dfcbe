//! A bridge's life in the harness: registration, endpoints, loops, sinks, services, notices.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bridgehead_plugin_api::bridge::{
    Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, Rx, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::{HostHandle, Qos};
use bridgehead_plugin_api::messages::SetBool;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{Outcome, Registrations, TestBridge, TestHost, TxCounts};
use bridgehead_plugin_api::{Error, Payload, Result};

/// Sends what goes out straight back in, doubled for topics it knows both ways; refuses negative numbers.
struct Mirror {
    host: HostHandle,
    queue: (Mutex<Sender<Payload>>, Mutex<Receiver<Payload>>),
    sinks: Mutex<Vec<&'static Sink>>,
    services: Mutex<Vec<&'static ServiceSink>>,
    status: Mutex<BridgeStatus>,
}

const FLOAT: &str = "bridgehead.std_msgs.v1.Float64";

impl Bridge for Mirror {
    type Connection = String;
    type Publisher = String;
    type Subscriber = ();
    const LOOPS: Loops = Loops::BOTH;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_type(FLOAT, "mirror/Number")?;
        registrar.add_publisher(FLOAT)?;
        registrar.add_subscriber("*")?;
        registrar.add_service("*", "*")
    }

    fn validate(connection: &String) -> Result {
        match connection.as_str() {
            "glass" => Ok(()),
            other => Err(Error::invalid(format!("`{other}` is no mirror; try `glass`"))),
        }
    }

    fn create(host: HostHandle) -> Result<Self> {
        let (sender, receiver) = channel();
        let queue = (Mutex::new(sender), Mutex::new(receiver));
        let (sinks, services, status) = Default::default();
        Ok(Mirror { host, queue, sinks, services, status })
    }

    fn connect(&self, connection: String) -> Result {
        Self::validate(&connection)?;
        self.host.lockstep()?.hold()?;
        *self.status.lock().expect("status") = BridgeStatus::Connected;
        Ok(())
    }

    fn disconnect(&self) -> Result {
        *self.status.lock().expect("status") = BridgeStatus::Disconnected;
        self.host.lockstep()?.release()
    }

    fn status(&self) -> BridgeStatus {
        *self.status.lock().expect("status")
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<String> {
        Ok(format!("{} as {}", channel.topic(), channel.bridge_type()))
    }

    fn subscriber(&self, _: &Channel<'_>, sink: Sink) -> Result {
        self.sinks.lock().expect("sinks").push(Box::leak(Box::new(sink)));
        Ok(())
    }

    fn service(&self, _: &Channel<'_>, sink: ServiceSink) -> Result {
        self.services.lock().expect("services").push(Box::leak(Box::new(sink)));
        Ok(())
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        while let Wait::Ready(item) = tx.next(None) {
            assert_eq!(item.publisher(), "/car1/number as mirror/Number");
            // Field 1, wire type 64 bit, then the number; the sign is the highest bit of the last byte.
            match item.bytes().last() {
                Some(byte) if byte & 0x80 != 0 => item.reject(),
                _ => self.queue.0.lock().expect("queue").send(item.payload()).expect("open"),
            }
        }
        Ok(())
    }

    fn receive(&self, rx: &Rx<'_>) -> Result {
        while rx.wait(Some(Duration::from_millis(1))) {
            while let Ok(payload) = self.queue.1.lock().expect("queue").try_recv() {
                for sink in self.sinks.lock().expect("sinks").iter() {
                    sink.deliver_at(7, 42, &payload)?;
                }
            }
        }
        Ok(())
    }

    fn notice(&self, notice: &Notice) -> Result<Ack> {
        match notice {
            Notice::Reset { ticket, .. } => {
                self.host.lifecycle()?.acknowledge(*ticket)?;
                Ok(Ack::Later)
            }
            Notice::Started => {
                let (sender, receiver) = channel();
                let request = Payload::from_vec(vec![0x08, 0x01]);
                for sink in self.services.lock().expect("services").iter() {
                    let sender = sender.clone();
                    sink.call(&request, move |answer| {
                        sender.send(answer.map(|bytes| bytes.to_vec())).expect("open")
                    })?;
                }
                drop(sender);
                let answers: Result<Vec<_>> = receiver.iter().collect();
                log::info!("answers: {:?}", answers?);
                Ok(Ack::Done)
            }
            Notice::Paused | Notice::Resumed | Notice::Stopped => Ok(Ack::Done),
        }
    }
}

fn host() -> TestHost {
    TestHost::builder().vehicle("car1").build()
}

#[test]
fn messages_go_out_and_come_back() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    let number = mirror.advertise::<Float64>("number", Qos::default()).expect("publisher");
    let sink = mirror.subscribe::<Float64>("reflection", Qos::default()).expect("subscriber");
    mirror.connect("glass").expect_done();
    assert_eq!(mirror.status(), BridgeStatus::Connected);
    assert!(mirror.host().is_held());
    for data in [1.5, -2.0, 3.5] {
        mirror.publish(&number, &Float64 { data });
    }
    let back = sink.wait_deliveries(2);
    assert_eq!(back.iter().map(|back| back.decode::<Float64>().data).collect::<Vec<_>>(), [1.5, 3.5]);
    assert_eq!((back[0].at_step, back[0].stamp_ns), (Some(7), Some(42)));
    mirror.disconnect().expect_done();
    assert_eq!(mirror.counts(), TxCounts { delivered: 2, rejected: 1, waiting: 0, dropped: 0 });
    assert_eq!(mirror.status(), BridgeStatus::Disconnected);
    assert!(!mirror.host().is_held());
}

#[test]
fn what_waits_at_the_disconnect_is_still_sent() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    let number = mirror.advertise::<Float64>("number", Qos::default()).expect("publisher");
    for _ in 0..100 {
        mirror.publish(&number, &Float64 { data: 1.0 });
    }
    assert_eq!(mirror.counts(), TxCounts { delivered: 0, rejected: 0, waiting: 100, dropped: 0 });
    mirror.connect("glass").expect_done();
    mirror.disconnect().expect_done();
    assert_eq!(mirror.counts(), TxCounts { delivered: 100, rejected: 0, waiting: 0, dropped: 0 });
}

#[test]
fn a_full_queue_drops_its_oldest_message_as_in_the_host() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    let number = mirror.advertise::<Float64>("number", Qos::default()).expect("publisher");
    for _ in 0..1030 {
        mirror.publish(&number, &Float64 { data: 1.0 });
    }
    assert_eq!(mirror.counts(), TxCounts { waiting: 1024, dropped: 6, ..TxCounts::default() });
}

#[test]
fn a_wrong_connection_string_is_refused_with_a_hint() {
    TestBridge::<Mirror>::validate("glass").expect_done();
    let error = TestBridge::<Mirror>::validate("wall").expect_failed();
    assert_eq!(error, Error::invalid("`wall` is no mirror; try `glass`"));
    assert_eq!(TestBridge::<Mirror>::create(host()).connect("wall").expect_failed(), error);
}

#[test]
fn registrations_are_as_announced() {
    let registrations = Registrations::of::<Mirror>().unwrap_or_else(|outcome| panic!("{outcome}"));
    assert_eq!(registrations.publishers(), [FLOAT]);
    assert_eq!(registrations.subscribers(), ["*"]);
    assert_eq!(registrations.services(), [("*", "*")]);
    assert_eq!(registrations.bridge_type(FLOAT), Some("mirror/Number"));
}

#[test]
fn a_type_that_was_not_announced_has_no_publisher() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    let outcome = mirror.advertise::<SetBoolRequest>("request", Qos::default()).expect_err("refused");
    assert_eq!(
        outcome.reason(),
        "the bridge announced no publisher for `bridgehead.std_srvs.v1.SetBoolRequest`"
    );
}

#[test]
fn a_service_call_of_a_peer_is_answered() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    let handler =
        |request: SetBoolRequest| Ok(SetBoolResponse { success: request.data, message: String::new() });
    mirror.offer::<SetBool>("enable", handler).expect("service");
    mirror.notice(&Notice::Started).expect_done();
    let level = bridgehead_plugin_api::host::Level::Info;
    assert!(mirror.host().has_logged(level, "answers: [[8, 1]]"), "{:?}", mirror.host().log_lines());
}

#[test]
fn a_failed_answer_carries_its_status() {
    let mut mirror = TestBridge::<Mirror>::create(host());
    mirror.offer::<SetBool>("enable", |_| Err(Error::invalid("not now"))).expect("service");
    let error = mirror.notice(&Notice::Started).expect_failed();
    assert_eq!(error, Error::invalid("the call was answered with INVALID_ARG"));
}

#[test]
fn a_reset_may_be_acknowledged_later() {
    let mirror = TestBridge::<Mirror>::connected(host(), "glass");
    let notice = Notice::Reset { scope: ResetScope::ALL, epoch: 1, ticket: 99 };
    assert_eq!(mirror.notice(&notice), Outcome::Pending);
    assert_eq!(mirror.host().acknowledged(), [99]);
}

/// Announces the same type twice.
struct Twice;

impl Bridge for Twice {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: Loops = Loops::TRANSMIT;
    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(FLOAT)?;
        // LGSVL confused the two kinds here; a subscriber of the same type is no duplicate.
        registrar.add_subscriber(FLOAT)?;
        let error = registrar.add_publisher(FLOAT).expect_err("duplicate");
        assert_eq!(error.text(), format!("add_publisher `{FLOAT}` returned EXISTS"));
        registrar.add_type(FLOAT, "a")?;
        registrar.add_type(FLOAT, "b")
    }
    fn create(_: HostHandle) -> Result<Self> {
        Ok(Twice)
    }
    fn connect(&self, _: String) -> Result {
        Ok(())
    }
    fn disconnect(&self) -> Result {
        Ok(())
    }
    fn status(&self) -> BridgeStatus {
        BridgeStatus::Connected
    }
    fn publisher(&self, _: &Channel<'_>) -> Result {
        Ok(())
    }
}

#[test]
fn a_duplicate_registration_is_refused() {
    let outcome = Registrations::of::<Twice>().err().expect("refused");
    assert_eq!(outcome.expect_failed().status(), bridgehead_plugin_api::abi::status::EXISTS);
}

#[test]
fn the_default_transmit_loop_rejects_and_the_default_subscriber_refuses() {
    let mut twice = TestBridge::<Other>::create(host());
    let number = twice.advertise::<Float64>("number", Qos::default()).expect("publisher");
    let refused = twice.subscribe::<Float64>("number", Qos::default()).expect_err("refused");
    assert_eq!(refused.reason(), "this bridge brings in no topics (asked for `/car1/number`)");
    twice.connect("").expect_done();
    twice.publish(&number, &Float64 { data: 1.0 });
    twice.disconnect().expect_done();
    assert_eq!(twice.counts(), TxCounts { delivered: 0, rejected: 1, waiting: 0, dropped: 0 });
}

/// Keeps every default.
struct Other;

impl Bridge for Other {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: Loops = Loops::TRANSMIT;
    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher("*")?;
        registrar.add_subscriber("*")
    }
    fn create(_: HostHandle) -> Result<Self> {
        Ok(Other)
    }
    fn connect(&self, _: String) -> Result {
        Ok(())
    }
    fn disconnect(&self) -> Result {
        Ok(())
    }
    fn status(&self) -> BridgeStatus {
        BridgeStatus::Connected
    }
    fn publisher(&self, _: &Channel<'_>) -> Result {
        Ok(())
    }
}
