//! A panic stops at the boundary: it becomes PANIC with its text, ends the instance, and nothing else.

use bridgehead_plugin_api::bridge::{
    Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, Rx, ServiceSink, Sink, Tx,
};
use bridgehead_plugin_api::host::{HostHandle, JointKind, Level, Qos};
use bridgehead_plugin_api::messages::SetBool;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Started, Step};
use bridgehead_plugin_api::testing::{Outcome, Registrations, TestBridge, TestHost, TestModel};
use bridgehead_plugin_api::{Flow, Result};

/// Panics in the call that its parameter names.
struct Fragile {
    call: String,
}

impl Fragile {
    fn enter(&self, call: &str) -> Result<Flow> {
        assert!(self.call != call, "no {call} today");
        Ok(Flow::Continue)
    }
}

impl ModelPlugin for Fragile {
    const PHASES: Phases = Phases::BOTH;
    fn awake(host: HostHandle) -> Result<Self> {
        let fragile = Fragile { call: host.params()?.require("call")? };
        fragile.enter("awake")?;
        Ok(fragile)
    }
    fn start(&mut self) -> Result<Started> {
        self.enter("start")?;
        Ok(Started::Ready)
    }
    fn all_started(&mut self) -> Result<Flow> {
        self.enter("all_started")
    }
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.enter("reset")
    }
    fn sample(&mut self, _: &Step) -> Result<Flow> {
        self.enter("sample")
    }
    fn control(&mut self, _: &Step) -> Result<Flow> {
        self.enter("control")
    }
    fn pause(&mut self) -> Result<Flow> {
        self.enter("pause")
    }
    fn resume(&mut self) -> Result<Flow> {
        self.enter("resume")
    }
    fn stop(&mut self) -> Result<Flow> {
        self.enter("stop")
    }
}

/// Takes the plugin through its life and gives the first outcome that is no success.
fn live(model: &mut TestModel<Fragile>) -> Outcome {
    let steps: [fn(&mut TestModel<Fragile>) -> Outcome; 8] = [
        TestModel::awake,
        TestModel::start,
        |model| model.reset(ResetScope::ALL),
        TestModel::all_started,
        TestModel::step,
        TestModel::pause,
        TestModel::resume,
        TestModel::stop,
    ];
    steps.iter().map(|step| step(model)).find(|outcome| !outcome.is_done()).unwrap_or(Outcome::Done)
}

#[test]
fn a_panic_in_any_call_of_a_model_plugin_ends_that_plugin_only() {
    for call in ["awake", "start", "reset", "all_started", "sample", "control", "pause", "resume", "stop"] {
        let host = TestHost::builder().param("call", call).build();
        let mut model = TestModel::<Fragile>::create(host);
        assert_eq!(live(&mut model), Outcome::Panicked(format!("panicked in `{call}`: no {call} today")));
        let line = host.log_lines().into_iter().find(|line| line.target == "panic").expect("logged");
        assert_eq!((line.level, line.text), (Level::Error, format!("no {call} today")));
        assert!(line.file.ends_with("panics.rs") && line.line > 0, "{}:{}", line.file, line.line);
        let (ctx, reset) = (model.raw().ctx, model.raw().reset);
        // SAFETY: the instance is alive.
        let code = unsafe { reset(ctx, 0) };
        assert_eq!(code, bridgehead_plugin_api::abi::status::PANIC, "later calls are refused");
    }
    let mut healthy = TestModel::<Fragile>::create(TestHost::builder().param("call", "none").build());
    live(&mut healthy).expect_done();
}

#[test]
fn calls_before_awake_are_refused() {
    let model = TestModel::<Fragile>::create(TestHost::new());
    // SAFETY: the instance is alive.
    let code = unsafe { (model.raw().reset)(model.raw().ctx, 0) };
    assert_eq!(code, bridgehead_plugin_api::abi::status::WRONG_STATE);
}

/// Panics when dropped, and its panic carries something that panics when dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("boom");
    }
}

struct Mine;

impl ModelPlugin for Mine {
    const PHASES: Phases = Phases::SAMPLE;
    fn awake(_: HostHandle) -> Result<Self> {
        Ok(Mine)
    }
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }
    fn sample(&mut self, _: &Step) -> Result<Flow> {
        std::panic::panic_any(Bomb)
    }
}

#[test]
fn a_panic_that_carries_a_bomb_is_defused() {
    let mut mine = TestModel::<Mine>::started(TestHost::new());
    assert_eq!(mine.step(), Outcome::Panicked("panicked in `sample`: (no text)".to_owned()));
}

#[test]
#[should_panic(expected = "expected the call to succeed, but it panicked in `destroy`: boom")]
fn a_panic_on_drop_is_contained_and_fails_the_test() {
    struct Holder {
        _bomb: Bomb,
    }
    impl ModelPlugin for Holder {
        const PHASES: Phases = Phases::NONE;
        fn awake(_: HostHandle) -> Result<Self> {
            Ok(Holder { _bomb: Bomb })
        }
        fn reset(&mut self, _: ResetScope) -> Result<Flow> {
            Ok(Flow::Continue)
        }
    }
    drop(TestModel::<Holder>::started(TestHost::new()));
}

#[test]
fn a_panic_on_a_plugin_thread_is_logged_and_ends_the_thread() {
    struct Threaded;
    impl ModelPlugin for Threaded {
        const PHASES: Phases = Phases::NONE;
        fn awake(host: HostHandle) -> Result<Self> {
            host.threads()?.spawn("worker", |_| panic!("tired"))?;
            Ok(Threaded)
        }
        fn reset(&mut self, _: ResetScope) -> Result<Flow> {
            Ok(Flow::Continue)
        }
    }
    let host = TestHost::new();
    let mut model = TestModel::<Threaded>::started(host);
    host.wait_until("the thread ended", |host| host.running_threads().is_empty());
    assert!(host.has_logged(Level::Error, "tired"));
    model.stop().expect_done();
}

/// Panics in the call that its connection string or topic names.
struct FragileBridge {
    call: std::sync::Mutex<String>,
}

impl FragileBridge {
    fn enter(&self, call: &str) {
        let is_this = *self.call.lock().expect("call") == call;
        assert!(!is_this, "no {call} today");
    }
}

impl Bridge for FragileBridge {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: Loops = Loops::BOTH;
    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher("*")?;
        registrar.add_subscriber("*")?;
        registrar.add_service("*", "*")
    }
    fn validate(connection: &String) -> Result {
        assert!(connection != "validate", "no validate today");
        Ok(())
    }
    fn create(_: HostHandle) -> Result<Self> {
        Ok(FragileBridge { call: Default::default() })
    }
    fn connect(&self, connection: String) -> Result {
        *self.call.lock().expect("call") = connection;
        self.enter("connect");
        Ok(())
    }
    fn disconnect(&self) -> Result {
        self.enter("disconnect");
        Ok(())
    }
    fn status(&self) -> BridgeStatus {
        self.enter("status");
        BridgeStatus::Connected
    }
    fn publisher(&self, _: &Channel<'_>) -> Result {
        self.enter("publisher");
        Ok(())
    }
    fn subscriber(&self, _: &Channel<'_>, _: Sink) -> Result {
        self.enter("subscriber");
        Ok(())
    }
    fn service(&self, _: &Channel<'_>, _: ServiceSink) -> Result {
        self.enter("service");
        Ok(())
    }
    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        self.enter("transmit");
        while let bridgehead_plugin_api::bridge::Wait::Ready(_) = tx.next(None) {}
        Ok(())
    }
    fn receive(&self, rx: &Rx<'_>) -> Result {
        self.enter("receive");
        let _ = rx.wait(None);
        Ok(())
    }
    fn interrupt(&self) {
        self.enter("interrupt");
    }
    fn notice(&self, _: &Notice) -> Result<Ack> {
        self.enter("notice");
        Ok(Ack::Done)
    }
}

/// Takes the bridge through its life and gives every outcome that is no success.
fn live_bridge(call: &str, host: TestHost) -> Vec<Outcome> {
    let mut bridge = TestBridge::<FragileBridge>::create(host);
    let mut outcomes = vec![bridge.connect(call)];
    outcomes.extend(bridge.advertise::<Float64>("out", Qos::default()).err());
    outcomes.extend(bridge.subscribe::<Float64>("in", Qos::default()).err());
    outcomes.extend(bridge.offer::<SetBool>("enable", |_| Ok(Default::default())).err());
    let is_healthy = bridge.status() == BridgeStatus::Connected;
    outcomes.push(bridge.notice(&Notice::Started));
    outcomes.extend(bridge.end_loops().into_iter().map(|(_, outcome)| outcome));
    outcomes.push(bridge.disconnect());
    outcomes.retain(|outcome| !outcome.is_done());
    assert!(is_healthy || !outcomes.is_empty(), "a bridge without a status is refused from then on");
    outcomes
}

#[test]
fn a_panic_in_any_call_of_a_bridge_ends_that_bridge_only() {
    let calls =
        ["connect", "publisher", "subscriber", "service", "notice", "transmit", "receive", "disconnect"];
    for call in calls {
        let outcomes = live_bridge(call, TestHost::new());
        let expected = Outcome::Panicked(format!("panicked in `{call}`: no {call} today"));
        assert!(outcomes.contains(&expected), "{call}: {outcomes:?}");
    }
    for call in ["status", "interrupt"] {
        let host = TestHost::new();
        let outcomes = live_bridge(call, host);
        assert!(outcomes.contains(&Outcome::Panicked(String::new())), "{call}: {outcomes:?}");
        assert!(host.has_logged(Level::Error, &format!("no {call} today")));
    }
    assert_eq!(live_bridge("none", TestHost::new()), []);
}

#[test]
fn a_panic_in_validate_is_contained() {
    let outcome = TestBridge::<FragileBridge>::validate("validate");
    assert_eq!(outcome, Outcome::Panicked("panicked in `validate`: no validate today".to_owned()));
}

#[test]
fn a_panic_in_register_or_create_is_contained() {
    struct Unborn;
    impl Bridge for Unborn {
        type Connection = String;
        type Publisher = ();
        type Subscriber = ();
        const LOOPS: Loops = Loops::TRANSMIT;
        fn register(_: &mut Registrar<'_, Self>) -> Result {
            panic!("no register today")
        }
        fn create(_: HostHandle) -> Result<Self> {
            panic!("no create today")
        }
        fn connect(&self, _: String) -> Result {
            Ok(())
        }
        fn disconnect(&self) -> Result {
            Ok(())
        }
        fn status(&self) -> BridgeStatus {
            BridgeStatus::Disconnected
        }
        fn publisher(&self, _: &Channel<'_>) -> Result {
            Ok(())
        }
    }
    let outcome = Registrations::of::<Unborn>().err();
    assert_eq!(outcome, Some(Outcome::Panicked(String::new())));
    let host = TestHost::builder().joint("wheel", JointKind::Continuous).build();
    let factory = bridgehead_plugin_api::export::bridge_factory::<Unborn>();
    let mut out = std::mem::MaybeUninit::uninit();
    // SAFETY: the host lives as long as the process; `out` is writable.
    let code = unsafe { (factory.create)(host.handle().as_raw(), out.as_mut_ptr()) };
    assert_eq!(code, bridgehead_plugin_api::abi::status::PANIC);
    assert!(host.has_logged(Level::Error, "no create today"));
}
