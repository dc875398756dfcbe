//! Triggers through their C functions.

use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::ros_gz_interfaces::{
    Altimeter, DeleteEntityRequest, SetEntityPoseRequest,
};
use bridgehead_plugin_api::messages::std_msgs::{Bool, Empty};
use bridgehead_plugin_api::messages::std_srvs::TriggerRequest;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::TriggeredPublisher;

fn trigger() -> TestHostBuilder {
    TestHost::builder().params([
        ("output/@type", "gz.msgs.Twist"),
        ("output/@topic", "/cmd_vel"),
        ("output", "linear: {x: 3}"),
    ])
}

fn started(builder: TestHostBuilder) -> (TestHost, TestModel<TriggeredPublisher>) {
    let host = builder.build();
    host.listen("/cmd_vel");
    (host, TestModel::started(host))
}

fn count(host: TestHost) -> usize {
    host.published("/cmd_vel").len()
}

#[test]
fn any_message_triggers_without_a_match() {
    let (host, mut model) =
        started(trigger().params([("input/@type", "gz.msgs.Empty"), ("input/@topic", "/start")]));
    model.step().expect_done();
    assert_eq!(count(host), 0);
    host.send("/start", &Empty {});
    host.send("/start", &Empty {});
    model.step().expect_done();
    assert_eq!(count(host), 2);
    assert_eq!(host.last::<Twist>("/cmd_vel").linear, Some(Vector3::new(3.0, 0.0, 0.0)));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_whole_message_must_match() {
    let input =
        [("input/@type", "std_msgs/Bool"), ("input/@topic", "/touched"), ("input/match", "data: true")];
    let (host, mut model) = started(trigger().params(input));
    host.send("/touched", &Bool { data: false });
    model.step().expect_done();
    assert_eq!(count(host), 0);
    host.send("/touched", &Bool { data: true });
    model.step().expect_done();
    assert_eq!(count(host), 1);
}

#[test]
fn one_field_may_differ_by_its_tolerance_and_the_output_may_be_delayed() {
    let (host, mut model) = started(trigger().params([
        ("input/@type", "gz.msgs.Altimeter"),
        ("input/@topic", "/altimeter"),
        ("input/match", "-7.5"),
        ("input/match/@field", "vertical_position"),
        ("input/match/@tol", "0.2"),
        ("delay_ms", "5"),
    ]));
    for height in [-7.2, -7.71, -7.4] {
        host.send("/altimeter", &Altimeter { vertical_position: height, ..Altimeter::default() });
    }
    model.run(5).expect_done();
    assert_eq!(count(host), 0);
    model.step().expect_done();
    assert_eq!(count(host), 1);
    model.run(10).expect_done();
    assert_eq!(count(host), 1);
}

#[test]
fn nested_fields_and_negative_logic() {
    let (host, mut model) = started(trigger().params([
        ("input/@type", "geometry_msgs/msg/Twist"),
        ("input/@topic", "/in"),
        ("input/match", "1"),
        ("input/match/@field", "angular.z"),
        ("input/match/@logic_type", "negative"),
    ]));
    for z in [1.0, 2.0] {
        host.send("/in", &Twist { linear: None, angular: Some(Vector3::new(0.0, 0.0, z)) });
    }
    model.step().expect_done();
    assert_eq!(count(host), 1);
}

#[test]
fn services_are_called_after_the_delay_with_the_requests_of_their_counterparts() {
    let service = |path: &str, name: &str, kind: &str, text: &str| {
        let of = |attribute: &str, value: &str| (format!("{path}/@{attribute}"), value.to_owned());
        [
            of("name", name),
            of("reqType", kind),
            of("reqMsg", text),
            of("repType", "gz.msgs.Boolean"),
            of("timeout", "3000"),
        ]
    };
    let pose = "name: 'box', id: 8, position: {x: 1, z: 3}";
    let mut builder = TestHost::builder().params([
        ("input/@type", "gz.msgs.Empty"),
        ("input/@topic", "/start"),
        ("delay_ms", "1"),
    ]);
    let services = [
        service("service[0]", "/world/w/set_pose", "gz.msgs.Pose", pose),
        service("service[1]", "world/w/remove", "gz.msgs.Entity", "name: 'box' type: MODEL"),
        service("service[2]", "/world/w/control", "gz.msgs.WorldControl", "pause: true"),
        service("service[3]", "/reset", "std_srvs/srv/Trigger_Request", ""),
        service("service[4]", "/world/w/light", "gz.msgs.Light", "name: 'sun'"),
    ];
    for (path, value) in services.into_iter().flatten() {
        builder = builder.param(&path, value);
    }
    let host = builder.build();
    host.offer_service::<SetEntityPoseRequest>("/world/w/set_pose");
    host.offer_service::<DeleteEntityRequest>("/world/w/remove");
    host.offer_service::<TriggerRequest>("/reset");
    let mut model = TestModel::<TriggeredPublisher>::started(host);
    host.send("/start", &Empty {});
    model.step().expect_done();
    assert_eq!(host.take_service_calls(), []);
    model.step().expect_done();
    let calls = host.take_service_calls();
    let names: Vec<&str> = calls.iter().map(|call| call.service.as_str()).collect();
    assert_eq!(names, ["/world/w/set_pose", "/world/w/remove", "/reset"]);
    let moved = SetEntityPoseRequest::decode(&*calls[0].request).expect("a pose");
    let position = moved.pose.and_then(|pose| pose.position).expect("a position");
    assert_eq!((position.x, position.z), (1.0, 3.0));
    assert_eq!(moved.entity.map(|entity| entity.name).as_deref(), Some("box"));
    let removed =
        DeleteEntityRequest::decode(&*calls[1].request).expect("an entity").entity.expect("an entity");
    assert_eq!((removed.name.as_str(), removed.r#type), ("box", 2));
    assert_eq!(host.unread_params(), Vec::<String>::new());
    // Nobody offers `control`, and `Light` has no counterpart: one line each.
    host.send("/start", &Empty {});
    model.run(3).expect_done();
    let logged = host.log_lines();
    let about = |word: &str| logged.iter().filter(|line| line.text.contains(word)).count();
    assert_eq!((about("/world/w/control"), about("gz.msgs.Light")), (1, 1), "{logged:?}");
}

#[test]
fn a_reset_discards_pending_outputs() {
    let input = [("input/@type", "gz.msgs.Empty"), ("input/@topic", "/start"), ("delay_ms", "5")];
    let (host, mut model) = started(trigger().params(input));
    host.send("/start", &Empty {});
    model.step().expect_done();
    model.reset(ResetScope::ALL).expect_done();
    model.run(10).expect_done();
    assert_eq!(count(host), 0);
}

#[test]
fn invalid_outputs_are_refused() {
    let refusal = |builder: TestHostBuilder| {
        TestModel::<TriggeredPublisher>::create(builder.build()).awake().expect_failed().text().to_owned()
    };
    let input = [("input/@type", "gz.msgs.Empty"), ("input/@topic", "/start")];
    let bad = TestHost::builder()
        .params(input)
        .params([("output/@type", "gz.msgs.Twist"), ("output", "linear: {w: 3}")]);
    let text = refusal(bad);
    assert!(text.contains("[BH-MSG-035] "), "{text}");
    assert!(text.contains("has no field `w`; it has: x, y, z"), "{text}");
    let unknown = TestHost::builder().params([("input/@type", "gz.msgs.Fluid"), ("input/@topic", "/start")]);
    let text = refusal(unknown);
    assert!(text.contains("is `gz.msgs.Fluid`; expected a message type of ROS"), "{text}");
    let with = |attribute: &str, value: &str| {
        let name = format!("input/match/{attribute}");
        refusal(trigger().params(input).params([("input/match", ""), (name.as_str(), value)]))
    };
    let text = with("@logic_type", "negativ");
    assert!(text.contains("`positive` or `negative`"), "{text}");
    let text = with("@tol", "-1");
    assert!(text.contains("a number, 0 or more"), "{text}");
    let text = refusal(TestHost::builder().params(input));
    assert!(text.starts_with("parameter `output` is missing"), "{text}");
}
