//! What crosses the boundary besides calls: parameters, types, requests, payloads, converters, threads.

use std::time::Duration;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{BridgeInfo, ConverterRegistrar};
use bridgehead_plugin_api::host::{Durability, HostHandle, Level, Pose, Qos, Reliability};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ActionDescription, ElementDescription, WorldDescription,
};
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Started, Step};
use bridgehead_plugin_api::testing::{InstanceState, Outcome, TestConverters, TestHost, TestModel, encode};
use bridgehead_plugin_api::{Error, Flow, Payload, Request, Result};

#[test]
fn a_wrong_parameter_names_place_path_text_and_expectation() {
    let host = TestHost::builder().param("scan/samples", "many").build();
    let line = line!() - 1;
    let error = host.handle().params().expect("params").require::<u32>("scan/samples").expect_err("refused");
    let expected = format!(
        "{}:{line}: parameter `scan/samples` is `many`; expected a whole number that fits u32",
        file!()
    );
    assert_eq!((error.status(), error.text()), (status::INVALID_ARG, expected.as_str()));
}

#[test]
fn a_missing_parameter_says_what_was_expected() {
    let params = TestHost::new().handle().params().expect("params");
    let error = params.require::<f64>("mass").expect_err("refused");
    assert_eq!(error.text(), "parameter `mass` is missing; expected a number");
    assert_eq!(params.get_or("mass", 2.0), Ok(2.0));
    assert_eq!(params.get::<bool>("mass"), Ok(None));
}

#[test]
fn parameters_are_found_by_path_index_and_attribute() {
    let host = TestHost::builder()
        .params([
            ("wheel/radius", " 0.1 "),
            ("wheel[1]/radius", "0.2"),
            ("@type", "drive"),
            ("wheel[1]/@joint", "r"),
            ("wheel[1]/colour", "red"),
        ])
        .param("is_on", "TRUE")
        .build();
    let params = host.handle().params().expect("params");
    assert_eq!(params.count("wheel"), 2);
    assert_eq!(params.count("axle"), 0);
    assert_eq!(params.require("wheel[0]/radius"), Ok(0.1));
    assert_eq!(params.require("wheel[1]/radius"), Ok(0.2));
    assert_eq!(params.text("@type").as_deref(), Some("drive"));
    assert_eq!(params.require("is_on"), Ok(true));
    assert_eq!(host.unread_params(), ["wheel/colour"]);
}

#[test]
fn quality_of_service_crosses_the_boundary_unchanged() {
    let host = TestHost::new();
    let wanted = [
        Qos::default(),
        Qos::sensor_data(),
        Qos::latched(),
        Qos { reliability: Reliability::BestEffort, durability: Durability::Latched, depth: 77 },
    ];
    host.on_main(|handle| {
        for (index, qos) in wanted.iter().enumerate() {
            handle.bus().expect("bus").advertise::<Bool>(&format!("topic{index}"), *qos).expect("publisher");
        }
    });
    assert_eq!(host.topics().iter().map(|topic| topic.qos).collect::<Vec<_>>(), wanted);
}

#[test]
fn only_a_latched_topic_has_listeners_from_the_start() {
    let host = TestHost::new();
    let count = |topic: &str, qos| {
        let publisher =
            host.on_main(|handle| handle.bus()?.advertise::<Bool>(topic, qos)).expect("publisher");
        publisher.has_listeners()
    };
    assert!(!count("plain", Qos::default()));
    assert!(count("kept", Qos::latched()));
}

#[test]
fn a_malformed_topic_is_refused_with_its_name() {
    let host = TestHost::new();
    let outcome = host.on_main(|handle| handle.bus()?.advertise::<Bool>("front//wheel", Qos::default()));
    let error = outcome.err().expect("refused");
    assert_eq!(error.status(), status::INVALID_ARG);
    assert_eq!(error.text(), "advertising `front//wheel` (bridgehead.std_msgs.v1.Bool) returned INVALID_ARG");
    let why = "[BH-MSG-060] `front//wheel` is not a topic name: a part between slashes is empty";
    assert!(host.has_logged(Level::Warn, why));
}

#[test]
fn a_conflicting_type_is_refused_by_name() {
    let handle = TestHost::new().handle();
    let id = handle.register::<Float64>().expect("registered");
    assert_eq!(handle.register::<Float64>(), Ok(id), "an equal registration gives the same number");
    let error = handle.register_type(Float64::FULL_NAME, b"no descriptor").expect_err("refused");
    assert_eq!(error.status(), status::SCHEMA);
    assert_eq!(error.text(), "type `bridgehead.std_msgs.v1.Float64`: types.register returned SCHEMA");
}

#[test]
fn a_payload_is_shared_and_not_copied() {
    let host = TestHost::new();
    let payload = Payload::from_vec(encode(&Float64 { data: 1.0 }));
    let publisher = host.on_main(|handle| {
        handle.register::<Float64>()?;
        handle.bus()?.advertise_raw("number", Float64::FULL_NAME, Qos::default())
    });
    let publisher = publisher.expect("publisher");
    let address = payload.as_ptr();
    std::thread::scope(|scope| {
        scope.spawn(|| host.on_sim(|_| publisher.publish(5, &payload)).expect("published"));
    });
    drop(payload);
    let published = host.published("number");
    assert_eq!(published[0].payload.as_ptr(), address);
    assert_eq!(published[0].decode::<Float64>().data, 1.0);
    let seen =
        std::thread::scope(|scope| scope.spawn(|| published[0].payload.clone()).join().expect("thread"));
    drop(published);
    assert_eq!(seen.as_ptr(), address);
}

#[test]
fn a_panic_while_a_loan_is_filled_gives_the_loan_back() {
    struct Spiller(bridgehead_plugin_api::host::RawPublisher);
    impl ModelPlugin for Spiller {
        const PHASES: Phases = Phases::SAMPLE;
        fn awake(host: HostHandle) -> Result<Self> {
            host.register::<Float64>()?;
            Ok(Spiller(host.bus()?.advertise_raw("number", Float64::FULL_NAME, Qos::default())?))
        }
        fn reset(&mut self, _: ResetScope) -> Result<Flow> {
            Ok(Flow::Continue)
        }
        fn sample(&mut self, step: &Step) -> Result<Flow> {
            self.0.publish_with(step.time_ns, 100, |_| panic!("spilt"))?;
            Ok(Flow::Continue)
        }
    }
    let mut spiller = TestModel::<Spiller>::started(TestHost::new());
    assert_eq!(spiller.step(), Outcome::Panicked("panicked in `sample`: spilt".to_owned()));
    assert!(spiller.host().published("number").is_empty());
}

/// Starts in the background, and asks for what its parameter says.
struct Slow {
    host: HostHandle,
}

impl ModelPlugin for Slow {
    const PHASES: Phases = Phases::CONTROL;
    fn register(library: HostHandle) -> Result {
        library.register::<Bool>().map(|_| ())
    }
    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        registrar.add_publisher(Bool::FULL_NAME, bridge.name, |input, output| {
            output.extend(input.iter().rev());
            Ok(())
        })?;
        registrar.add_subscriber(Bool::FULL_NAME, bridge.name, |_, _| Err(Error::invalid("one way only")))?;
        registrar.add_subscriber(Float64::FULL_NAME, "trap", |_, _| panic!("no conversion today"))?;
        // A data type has one form on the side of the bridge.
        match bridge.name {
            "twice" => registrar.add_subscriber(Bool::FULL_NAME, "other", |_, _| Ok(())),
            _ => Ok(()),
        }
    }
    fn awake(host: HostHandle) -> Result<Self> {
        Ok(Slow { host })
    }
    fn start(&mut self) -> Result<Started> {
        let host = self.host;
        host.threads()?.spawn("starter", move |threads| {
            log::info!("warming up");
            let outcome = match host.params().and_then(|params| params.get::<String>("broken")) {
                Ok(None) => Ok(()),
                _ => Err(Error::new("it does not warm up")),
            };
            let reported = host.lifecycle().and_then(|lifecycle| lifecycle.started(outcome));
            assert!(reported.is_ok(), "{reported:?}");
            while !threads.should_stop() {
                std::thread::yield_now();
            }
        })?;
        Ok(Started::Pending)
    }
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }
    fn control(&mut self, step: &Step) -> Result<Flow> {
        let requests = [Request::Stop, Request::Succeed, Request::Fail, Request::Reset, Request::Abort];
        match requests.get(usize::try_from(step.number).unwrap_or(usize::MAX) - 1) {
            Some(request) => Ok(Flow::Ask(*request, format!("because of step {}", step.number))),
            None => Ok(Flow::Continue),
        }
    }
}

#[test]
fn every_request_crosses_the_boundary_with_its_reason() {
    let mut slow = TestModel::<Slow>::started(TestHost::new());
    let reason = |step| format!("because of step {step}");
    assert_eq!(slow.step(), Outcome::Asked(Request::Stop, reason(1)));
    assert_eq!(slow.step(), Outcome::Asked(Request::Succeed, reason(2)));
    assert_eq!(slow.step(), Outcome::Asked(Request::Fail, reason(3)));
    assert_eq!(slow.step(), Outcome::Asked(Request::Reset, reason(4)));
    assert_eq!(slow.step(), Outcome::Asked(Request::Abort, reason(5)));
    assert_eq!(slow.step(), Outcome::Done);
}

#[test]
fn a_start_in_the_background_ends_with_its_report() {
    let host = TestHost::new();
    let mut slow = TestModel::<Slow>::create(host);
    slow.awake().expect_done();
    assert_eq!(slow.start(), Outcome::Pending);
    slow.wait_started().expect_done();
    assert_eq!(slow.state(), InstanceState::Started);
    assert_eq!(host.running_threads(), ["starter"]);
    slow.stop().expect_done();
    assert!(host.running_threads().is_empty());
    let line = host.log_lines().into_iter().find(|line| line.text == "warming up").expect("logged");
    assert_eq!((line.level, line.target.as_str()), (Level::Info, "boundary"));
}

#[test]
fn a_start_in_the_background_may_fail() {
    let mut slow = TestModel::<Slow>::create(TestHost::builder().param("broken", "yes").build());
    slow.awake().expect_done();
    assert_eq!(slow.start(), Outcome::Pending);
    assert_eq!(slow.wait_started().expect_failed(), Error::new("it does not warm up"));
}

#[test]
fn log_lines_belong_to_the_instance_that_wrote_them() {
    let hosts = [TestHost::new(), TestHost::new()];
    let models = hosts.map(TestModel::<Slow>::started);
    drop(models);
    for host in hosts {
        assert_eq!(host.log_lines().iter().filter(|line| line.text == "warming up").count(), 1);
    }
}

#[test]
fn a_converter_is_called_again_with_the_room_it_needs() {
    let converters = TestConverters::of::<Slow>("org.example.bridge.b", "b").expect("converters");
    assert_eq!(converters.publishers(), [(Bool::FULL_NAME, "b")]);
    for capacity in [0, 2, 3, 100] {
        let converted = converters.to_bridge(Bool::FULL_NAME, "b", &[1, 2, 3], capacity).expect("converted");
        assert_eq!(converted, [3, 2, 1], "room for {capacity}");
    }
    assert_eq!(converters.to_bridge(Bool::FULL_NAME, "b", &[], 0).expect("converted"), []);
}

#[test]
fn a_converter_may_fail_or_panic() {
    let converters = TestConverters::of::<Slow>("org.example.bridge.b", "b").expect("converters");
    let failed = converters.from_bridge(Bool::FULL_NAME, "b", &[1], 10).expect_err("refused");
    assert_eq!(failed.status(), status::INVALID_ARG);
    let panicked = converters.from_bridge(Float64::FULL_NAME, "trap", &[1], 10).expect_err("contained");
    assert_eq!(panicked.status(), status::PANIC);
    let unknown = converters.to_bridge(Bool::FULL_NAME, "c", &[1], 10).expect_err("unknown");
    assert_eq!(unknown.status(), status::NOT_FOUND);
}

#[test]
fn a_converter_registered_twice_is_refused() {
    let outcome = TestConverters::of::<Slow>("org.example.bridge.twice", "twice").err().expect("refused");
    let error = outcome.expect_failed();
    assert_eq!(error.status(), status::EXISTS);
    assert_eq!(error.text(), "converter `other` to `bridgehead.std_msgs.v1.Bool` returned EXISTS");
}

#[test]
fn an_attachment_crosses_the_boundary_unchanged() {
    let pose = Pose { position: [1.0, 2.0, 3.0], orientation: [0.0, 0.0, 1.0, 0.0] };
    let host = TestHost::builder()
        .vehicle("car1")
        .link("chassis")
        .link("mast")
        .parent_link("mast")
        .element("lidar")
        .topic("scan")
        .xml("<sensor/>")
        .pose(pose)
        .update_period(Duration::from_millis(100))
        .seed(9)
        .build();
    let attachment = host.handle().model().and_then(|model| model.attachment()).expect("attachment");
    assert_eq!((attachment.vehicle.as_str(), attachment.model.as_str()), ("car1", "car1"));
    assert_eq!(
        (attachment.path.as_str(), attachment.frame_id.as_str()),
        ("car1/mast/lidar", "car1/mast/lidar")
    );
    assert_eq!(attachment.parent_link, Some(host.link("mast").id));
    assert_eq!((attachment.topic.as_deref(), attachment.xml.as_str()), (Some("scan"), "<sensor/>"));
    assert_eq!((attachment.pose, attachment.update_period), (pose, Duration::from_millis(100)));
    assert_eq!((attachment.element.as_str(), attachment.seed), ("lidar", 9));
}

#[test]
fn an_extension_that_is_not_offered_is_named() {
    let host = TestHost::builder().without("bridgehead.world/1").build();
    let error = host.handle().world().err().expect("not offered");
    assert_eq!(error, Error::unsupported("the host offers no `bridgehead.world/1` to this plugin"));
}

#[test]
fn a_model_plugin_gets_no_lockstep() {
    let error = TestHost::new().handle().lockstep().err().expect("not offered");
    assert_eq!(error, Error::unsupported("the host offers no `bridgehead.lockstep/1` to this plugin"));
}

#[test]
fn a_description_is_read_again_when_its_revision_has_grown() {
    let element = |path: &str| ElementDescription { path: path.to_owned(), ..ElementDescription::default() };
    let world = |elements| WorldDescription { world: "yard".to_owned(), elements, ..Default::default() };
    let host = TestHost::builder().description(world(vec![element("car1/lidar")])).build();
    let description = host.handle().description().expect("offered");
    assert_eq!(description.revision(), 1);
    let first = description.read().expect("described");
    assert_eq!((first.revision, first.elements[0].path.as_str()), (1, "car1/lidar"));
    host.set_description(world(Vec::new()));
    assert_eq!((description.revision(), description.read().expect("described").elements.len()), (2, 0));
    assert_eq!(description.read_bytes().expect("bytes").len(), first.world.len() + 2 + 2);
}

#[test]
fn an_action_is_found_by_the_service_that_accepts_its_goals() {
    let host = TestHost::new();
    let find = |service: &str| host.handle().action_of_service(service).expect("read");
    assert_eq!(find("/lift/_action/send_goal"), None);
    let [lift, turn] = ["/lift", "/turn"].map(|name| ActionDescription {
        name: name.to_owned(),
        send_goal: format!("{name}/_action/send_goal"),
        ..ActionDescription::default()
    });
    host.set_actions(vec![lift, turn.clone()]);
    assert_eq!(find("/turn/_action/send_goal"), Some(turn));
    assert_eq!(find("/turn/_action/get_result"), None);
    assert_eq!(host.handle().actions().expect("offered").read().expect("described").len(), 2);
}

#[test]
fn what_a_bridge_says_of_itself_is_kept_by_address() {
    let host = TestHost::new();
    let report = host.handle().report().expect("offered");
    report.lost(2);
    report.lost(3);
    report.endpoint("tcp://127.0.0.1:1", "car1 IMU");
    report.endpoint("tcp://127.0.0.1:2", "car1 GPS");
    report.endpoint("tcp://127.0.0.1:1", "car1 IMU, closed");
    report.endpoint("tcp://127.0.0.1:2", "");
    let endpoints: Vec<_> = host.endpoints().into_iter().collect();
    assert_eq!(host.lost(), 5);
    assert_eq!(endpoints, [("tcp://127.0.0.1:1".to_owned(), "car1 IMU, closed".to_owned())]);
}

#[test]
fn a_host_that_never_had_a_world_describes_nothing() {
    let description = TestHost::new().handle().description().expect("offered");
    assert_eq!((description.revision(), description.read()), (0, Ok(WorldDescription::default())));
}
