//! Handles that are kept for longer than what they belong to: they answer, and touch nothing.

use std::cell::RefCell;
use std::sync::Mutex;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, ServiceSink, Sink,
};
use bridgehead_plugin_api::host::{HostHandle, JointKind, Level, Publisher, Qos, Service, Subscription};
use bridgehead_plugin_api::messages::SetBool;
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope};
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TestModel};
use bridgehead_plugin_api::{Flow, Payload, Result};

/// What the plugin under test leaves behind.
struct Kept {
    host: HostHandle,
    publisher: Publisher<Bool>,
    subscription: Subscription<Bool>,
    service: Service<SetBoolRequest, SetBoolResponse>,
}

/// A plugin that hands out all it has.
struct Leaky;

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

impl ModelPlugin for Leaky {
    const PHASES: Phases = Phases::NONE;
    fn awake(host: HostHandle) -> Result<Self> {
        let kept = Kept {
            host,
            publisher: host.bus()?.advertise("out", Qos::default())?,
            subscription: host.bus()?.subscribe("in", Qos::default())?,
            service: host.services()?.advertise("enable")?,
        };
        *KEPT.lock().expect("kept") = Some(kept);
        Ok(Leaky)
    }
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }
}

#[test]
fn a_handle_outlives_its_instance_and_answers() {
    let test =
        TestHost::builder().param("radius", 1).link("chassis").joint("wheel", JointKind::Continuous).build();
    test.listen("out");
    let model = TestModel::<Leaky>::started(test);
    let mut kept = KEPT.lock().expect("kept").take().expect("awake ran");
    let host = kept.host;
    let handles =
        || -> Result<_> { Ok((host.params()?, host.model()?, host.log()?, host.clock()?, host.threads()?)) };
    let (params, model_of, log, clock, threads) = handles().expect("offered");
    let (world, description) = (host.world().expect("offered"), host.description().expect("offered"));
    assert!(kept.publisher.has_listeners() && params.count("radius") == 1 && model_of.links().len() == 1);
    kept.publisher.publish(0, &Bool { data: true }).expect("the instance is there");
    drop(model);

    let error = kept.publisher.publish(0, &Bool { data: true }).expect_err("the instance is gone");
    assert_eq!(error.status(), status::WRONG_STATE);
    assert_eq!(
        error.text(),
        "the instance that this handle belongs to is destroyed; let threads end before it, or use `Threads`"
    );
    assert!(handles().is_err() && host.extension("bridgehead.log/1").is_none());
    assert!(
        !kept.publisher.has_listeners()
            && kept.subscription.take().is_none()
            && kept.service.take().is_none()
    );
    assert_eq!((params.count("radius"), params.text("radius"), model_of.links().len()), (0, None, 0));
    assert!(model_of.attachment().is_err() && world.gravity().is_err() && description.read_bytes().is_err());
    assert!(!log.enabled(Level::Error) && clock.read().is_paused && threads.should_stop());
    assert!(threads.spawn("late", |_| panic!("runs")).is_err());
    log.write(Level::Error, "", "from beyond", "", 0);
    host.explain("from beyond");
    assert!(!test.has_logged(Level::Error, "from beyond"));
    assert_eq!(test.published("out").len(), 1);
}

/// A bridge that keeps its sinks outside of its endpoints.
#[derive(Default)]
struct Hoarder;

thread_local! {
    /// The last sinks that a [`Hoarder`] got from the test of this thread; other tests have theirs.
    static SINKS: RefCell<(Option<Sink>, Option<ServiceSink>)> = const { RefCell::new((None, None)) };
}

impl Bridge for Hoarder {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: Loops = Loops { transmit: false, receive: false };

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }
    fn create(_: HostHandle) -> Result<Self> {
        Ok(Hoarder)
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
    fn subscriber(&self, _: &Channel<'_>, sink: Sink) -> Result {
        SINKS.with_borrow_mut(|sinks| sinks.0 = Some(sink));
        Ok(())
    }
    fn service(&self, _: &Channel<'_>, sink: ServiceSink) -> Result {
        SINKS.with_borrow_mut(|sinks| sinks.1 = Some(sink));
        Ok(())
    }
}

#[test]
fn a_sink_outlives_its_endpoint_and_refuses() {
    let mut bridge = TestBridge::<Hoarder>::create(TestHost::new());
    let delivered = bridge.subscribe::<Bool>("in", Qos::default()).expect("an endpoint");
    bridge.offer::<SetBool>("enable", |_| Ok(SetBoolResponse::default())).expect("an endpoint");
    let (sink, service) = SINKS.take();
    let (sink, service) = (sink.expect("a sink"), service.expect("a sink"));
    let payload = Payload::from_vec(Vec::new());
    sink.deliver(&payload).expect("the endpoint is there");
    service.call(&payload, |_| ()).expect("the endpoint is there");
    drop(bridge);

    let error = sink.deliver(&payload).expect_err("the endpoint is gone");
    assert_eq!(error.status(), status::WRONG_STATE);
    assert_eq!(error.text(), "the endpoint that this sink belongs to is destroyed");
    let refused = service.call(&payload, |_| panic!("no reply to a refused call"));
    assert_eq!(refused.expect_err("the endpoint is gone"), error);
    assert_eq!(delivered.deliveries().len(), 1);
}

#[test]
#[should_panic(expected = "the publisher of `/out` belongs to another bridge")]
fn a_publisher_of_the_test_belongs_to_one_bridge() {
    let [mut one, mut other] = [(); 2].map(|()| TestBridge::<Hoarder>::create(TestHost::new()));
    other.subscribe::<Bool>("in", Qos::default()).expect("an endpoint");
    let publisher = one.advertise::<Bool>("out", Qos::default()).expect("an endpoint");
    other.publish(&publisher, &Bool { data: true });
}
