//! The plugin in a test host, with clients on sockets.

use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::geometry_msgs::{TransformStamped, Twist, TwistStamped, Vector3};
use bridgehead_plugin_api::messages::std_msgs::{Float64, String as Text};
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::messages::{SetBool, std_srvs};
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TestPublisher};
use serde_json::json;

use super::*;
use crate::test_support::{TestClient, free_port};

mod limits;

type TestedBridge = TestBridge<RosbridgeBridge>;

/// A connected bridge with a client that receives all statuses.
fn stage() -> (TestedBridge, TestClient, u16) {
    let port = free_port();
    let bridge = TestedBridge::connected(TestHost::new(), &format!("127.0.0.1:{port}"));
    let client = client(port);
    (bridge, client, port)
}

fn client(port: u16) -> TestClient {
    let mut client = TestClient::connect(port);
    client.send(&json!({"op": "set_level", "level": "info"}));
    client
}

fn subscribe(client: &mut TestClient, more: &serde_json::Value) {
    let mut request = json!({"op": "subscribe", "topic": "/a", "type": "std_msgs/Float64"});
    let members = more.as_object().expect("members").clone();
    request.as_object_mut().expect("an object").extend(members);
    client.send(&request);
    client.settle();
}

fn publish(bridge: &TestedBridge, publisher: &TestPublisher, data: f64) {
    bridge.publish(publisher, &Float64 { data });
}

#[test]
fn topics_are_received_whether_subscribed_to_before_or_after_they_exist() {
    let (mut bridge, mut early, port) = stage();
    subscribe(&mut early, &json!({}));
    let publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    let mut late = client(port);
    subscribe(&mut late, &json!({"topic": "a", "type": "std_msgs/msg/Float64"}));
    publish(&bridge, &publisher, 0.5);
    let expected = json!({"op": "publish", "topic": "/a", "msg": {"data": 0.5}});
    assert_eq!((early.receive(), late.receive()), (expected.clone(), expected));
    late.send(&json!({"op": "unsubscribe", "topic": "/a"}));
    late.settle();
    publish(&bridge, &publisher, 1.5);
    assert_eq!(early.receive()["msg"]["data"], 1.5);
    late.settle();
    bridge.wait_sent();
    assert_eq!(bridge.counts().rejected, 0);
}

#[test]
fn a_client_that_expects_another_type_receives_nothing() {
    let (mut bridge, mut client, _) = stage();
    subscribe(&mut client, &json!({"type": "std_msgs/String"}));
    let publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    publish(&bridge, &publisher, 0.5);
    bridge.wait_sent();
    client.settle();
}

#[test]
fn a_server_is_shared_and_outlasts_one_instance() {
    let port = free_port();
    let connection = format!("127.0.0.1:{port}");
    let mut first = TestedBridge::connected(TestHost::new(), &connection);
    let mut second = TestedBridge::connected(TestHost::new(), &connection);
    let mut client = client(port);
    let publisher = second.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    subscribe(&mut client, &json!({}));
    first.disconnect().expect_done();
    publish(&second, &publisher, 2.0);
    assert_eq!(client.receive()["msg"]["data"], 2.0);
    let failure =
        TestedBridge::create(TestHost::new()).connect(&format!("{connection};ros=1")).expect_failed();
    assert!(failure.text().contains("[BH-RBR-002]"), "{}", failure.text());
    second.disconnect().expect_done();
    let mut again = TestedBridge::connected(TestHost::new(), &format!("{connection};ros=1"));
    again.disconnect().expect_done();
}

#[test]
fn a_new_subscriber_receives_the_last_message_of_a_latched_topic() {
    let (mut bridge, mut client, _) = stage();
    let publisher = bridge.advertise::<Float64>("/a", Qos::latched()).expect("a publisher");
    publish(&bridge, &publisher, 1.0);
    publish(&bridge, &publisher, 2.0);
    bridge.wait_sent();
    client.send(&json!({"op": "subscribe", "topic": "/a"}));
    assert_eq!(client.receive()["msg"]["data"], 2.0);
}

#[test]
fn a_new_subscriber_receives_all_static_transforms() {
    let (mut bridge, mut client, _) = stage();
    let publisher = bridge.advertise::<TfMessage>("/tf_static", Qos::default()).expect("a publisher");
    for child in ["a", "b", "a"] {
        let transform = TransformStamped { child_frame_id: child.to_owned(), ..TransformStamped::default() };
        bridge.publish(&publisher, &TfMessage { transforms: vec![transform] });
    }
    bridge.wait_sent();
    client.send(&json!({"op": "subscribe", "topic": "/tf_static"}));
    let message = client.receive();
    let transforms = message["msg"]["transforms"].as_array().expect("a list");
    let children: Vec<_> = transforms.iter().map(|transform| &transform["child_frame_id"]).collect();
    assert_eq!(children, ["b", "a"]);
}

#[test]
fn one_client_receives_each_message_once_in_the_greatest_compression() {
    let (mut bridge, mut client, _) = stage();
    let publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    for (id, compression) in [("1", "none"), ("2", "cbor"), ("3", "png")] {
        subscribe(&mut client, &json!({"id": id, "compression": compression}));
    }
    publish(&bridge, &publisher, 0.5);
    let cbor = client.receive_binary();
    assert!(cbor.ends_with(b"\x63msg\xa1\x64data\xfb\x3f\xe0\0\0\0\0\0\0"), "{cbor:x?}");
    client.send(&json!({"op": "unsubscribe", "id": "2", "topic": "/a"}));
    client.settle();
    publish(&bridge, &publisher, 1.5);
    assert_eq!(client.receive()["op"], "png");
}

#[test]
fn a_throttled_subscription_receives_the_last_of_a_burst_if_it_has_a_queue() {
    let (mut bridge, mut client, _) = stage();
    let publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    subscribe(&mut client, &json!({"throttle_rate": 100, "queue_length": 1}));
    for number in 0..10 {
        publish(&bridge, &publisher, f64::from(number));
    }
    bridge.wait_sent();
    let mut last = client.receive();
    while last["msg"]["data"] != 9.0 {
        last = client.receive();
    }
}

#[test]
fn commands_are_delivered_in_both_types() {
    let (mut bridge, mut client, _) = stage();
    let sink = bridge.subscribe::<Twist>("/cmd_vel", Qos::default()).expect("a subscriber");
    let message = json!({"linear": {"x": 1.5}});
    client.send(&json!({"op": "publish", "topic": "cmd_vel", "msg": message}));
    client.send(&json!({"op": "advertise", "topic": "/cmd_vel", "type": "geometry_msgs/TwistStamped"}));
    client.send(&json!({"op": "publish", "topic": "/cmd_vel", "msg": {"twist": message}}));
    client.settle();
    let speed = |index: usize| sink.deliveries()[index].decode::<Twist>().linear.expect("a velocity").x;
    assert_eq!((speed(0).to_bits(), speed(1).to_bits()), (1.5_f64.to_bits(), 1.5_f64.to_bits()));
    let stamped = bridge.subscribe::<TwistStamped>("/stamped", Qos::default()).expect("a subscriber");
    client.send(&json!({"op": "publish", "topic": "/stamped", "msg": message}));
    client.settle();
    let twist = stamped.deliveries()[0].decode::<TwistStamped>().twist.and_then(|twist| twist.linear);
    assert_eq!(twist, Some(Vector3 { x: 1.5, ..Vector3::default() }));
}

#[test]
fn wrong_requests_are_answered_with_a_status_only_if_requested() {
    let (mut bridge, mut client, port) = stage();
    bridge.subscribe::<Twist>("/cmd_vel", Qos::default()).expect("a subscriber");
    let _publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    let publish = |topic: &str, message: serde_json::Value| json!({"op": "publish", "id": "x", "topic": topic, "msg": message});
    for (request, code, part) in [
        (json!({"op": "dance"}), "BH-RBR-107", "`dance` is not an operation"),
        (json!({"topic": "/a"}), "BH-RBR-101", "`op` is missing"),
        (publish("/nowhere", json!({})), "BH-RBR-102", "nothing in the run subscribes"),
        (publish("/a", json!({})), "BH-RBR-102", "publishes this topic"),
        (publish("/cmd_vel", json!({"linear": {"x": "fast"}})), "BH-RBR-104", "linear.x"),
        (json!({"op": "subscribe", "topic": "/nowhere"}), "BH-RBR-102", "no topic `/nowhere`"),
        (
            json!({"op": "subscribe", "topic": "/a", "type": "std_msgs/String"}),
            "BH-RBR-103",
            "std_msgs/msg/Float64",
        ),
        (json!({"op": "subscribe", "topic": "/a", "compression": "zip"}), "BH-RBR-101", "found `zip`"),
        (
            json!({"op": "advertise", "topic": "/cmd_vel", "type": "std_msgs/String"}),
            "BH-RBR-103",
            "geometry_msgs/msg/Twist",
        ),
        (json!({"op": "unsubscribe", "topic": "/b"}), "BH-RBR-102", "no subscription"),
        (json!({"op": "unadvertise", "topic": "/b"}), "BH-RBR-102", "not announced"),
        (json!({"op": "cancel_action_goal", "action": "/b", "id": "1"}), "BH-RBR-102", "no unfinished goal"),
        (
            json!({"op": "fragment", "id": "1", "num": 2, "total": 1, "data": ""}),
            "BH-RBR-105",
            "fragment 2 of 1",
        ),
        (json!({"op": "png", "data": "!"}), "BH-RBR-101", "base64"),
        (json!({"op": "set_level", "level": "loud"}), "BH-RBR-101", "found `loud`"),
        (json!({"op": "service_response", "id": "1"}), "BH-RBR-102", "no call"),
    ] {
        let status = client.ask(&request);
        let text = status["msg"].as_str().expect("a text");
        assert_eq!((status["op"].as_str(), status["level"].as_str()), (Some("status"), Some("error")));
        assert!(text.starts_with(&format!("[{code}] ")) && text.contains(part), "{request}: {text}");
        assert_eq!(status["id"], request["id"]);
    }
    // A client that has not set its level receives none.
    let mut silent = TestClient::connect(port);
    silent.send(&json!({"op": "dance"}));
    silent.settle();
}

#[test]
fn services_are_called_with_named_and_with_listed_arguments() {
    let (mut bridge, mut client, _) = stage();
    let offered = bridge.offer::<SetBool>("/switch", |request: std_srvs::SetBoolRequest| {
        if request.data {
            return Ok(std_srvs::SetBoolResponse { success: true, message: "on".to_owned() });
        }
        Err(Error::new("it stays on"))
    });
    offered.expect("a service");
    for arguments in [json!({"data": true}), json!([true])] {
        let response = client.call("switch", &arguments);
        let expected = json!({"op": "service_response", "id": "1", "service": "switch",
            "values": {"success": true, "message": "on"}, "result": true});
        assert_eq!(response, expected);
    }
    for (service, arguments, part) in [
        ("/switch", json!({"data": false}), "BH-RBR-106"),
        ("/switch", json!({"date": true}), "BH-RBR-104"),
        ("/switch", json!([1, 2]), "at most 1 elements"),
        ("/nothing", json!({}), "BH-RBR-102"),
        ("/rosapi/dance", json!({}), "BH-RBR-107"),
    ] {
        let response = client.call(service, &arguments);
        let text = response["values"].as_str().expect("a text");
        assert!(response["result"] == false && text.contains(part), "{response}");
    }
    let request =
        json!({"op": "call_service", "service": "/switch", "args": {"data": true}, "compression": "cbor"});
    client.send(&request);
    assert!(client.receive_binary().ends_with(b"\x67message\x62on"));
}

#[test]
fn services_of_clients_are_for_other_clients() {
    let (_bridge, mut provider, port) = stage();
    let status = provider.ask(&json!({"op": "advertise_service", "service": "/add", "type": "a/Add"}));
    assert!(status["msg"].as_str().expect("a text").contains("the run cannot"), "{status}");
    let mut caller = client(port);
    let call = json!({"op": "call_service", "id": "c", "service": "add", "args": {"a": 1}});
    caller.send(&call);
    let passed = provider.receive();
    assert_eq!(
        (&passed["op"], &passed["service"], &passed["args"]),
        (&json!("call_service"), &json!("/add"), &json!({"a": 1}))
    );
    provider.send(&json!({"op": "service_response", "id": passed["id"], "service": "/add", "values": {"sum": 2}, "result": true}));
    let expected =
        json!({"op": "service_response", "id": "c", "service": "add", "values": {"sum": 2}, "result": true});
    assert_eq!(caller.receive(), expected);
    let short = json!({"op": "call_service", "id": "c", "service": "add", "timeout": 0.05});
    let response = caller.ask(&short);
    assert!(response["values"].as_str().expect("a text").contains("time-out"), "{response}");
    caller.send(&call);
    provider.receive();
    provider.receive();
    drop(provider);
    let response = caller.receive();
    assert!(response["values"].as_str().expect("a text").contains("disconnected"), "{response}");
    assert!(caller.ask(&call)["values"].as_str().expect("a text").contains("BH-RBR-102"));
}

/// Topics that the run has not, that it receives, and that it publishes; each with the subscriber's forms.
#[test]
fn messages_of_clients_reach_the_clients_that_subscribe() {
    let (mut bridge, mut planner, port) = stage();
    let sink = bridge.subscribe::<Text>("/command", Qos::default()).expect("a subscriber");
    let _publisher = bridge.advertise::<Text>("/answer", Qos::default()).expect("a publisher");
    for (topic, more) in [
        ("/chat", json!({})),
        ("chat", json!({"type": "std_msgs/msg/String"})),
        ("/command", json!({"compression": "cbor"})),
        ("/answer", json!({"queue_length": 3})),
    ] {
        let mut page = client(port);
        let mut subscription = json!({"op": "subscribe", "topic": topic, "type": "std_msgs/String"});
        subscription.as_object_mut().expect("an object").extend(more.as_object().expect("members").clone());
        page.send(&subscription);
        page.settle();
        let text = format!("for {topic}");
        planner.send(
            &json!({"op": "publish", "topic": topic, "type": "std_msgs/String", "msg": {"data": text}}),
        );
        let name = format!("/{}", topic.trim_start_matches('/'));
        let expected = json!({"op": "publish", "topic": name, "msg": {"data": text}});
        assert_eq!(page.receive(), expected, "{topic} {more}");
        planner.settle();
    }
    let texts: Vec<String> =
        sink.deliveries().iter().map(|delivery| delivery.decode::<Text>().data).collect();
    assert_eq!(texts, ["for /command"], "the run receives its topic too");
}

#[test]
fn a_message_of_a_client_reaches_no_client_that_expects_another_type() {
    let (_bridge, mut planner, port) = stage();
    let mut page = client(port);
    page.send(&json!({"op": "subscribe", "topic": "/chat", "type": "std_msgs/Float64"}));
    page.settle();
    planner
        .send(&json!({"op": "publish", "topic": "/chat", "type": "std_msgs/String", "msg": {"data": "x"}}));
    planner.settle();
    page.settle();
    page.send(&json!({"op": "unsubscribe", "topic": "/chat"}));
    page.settle();
    let status = planner.ask(&json!({"op": "publish", "topic": "/chat", "msg": {"data": "x"}}));
    assert!(status["msg"].as_str().expect("a text").contains("BH-RBR-102"), "{status}");
}

#[test]
fn requests_can_be_packed_and_split() {
    let (mut bridge, mut client, _) = stage();
    let sink = bridge.subscribe::<Text>("/text", Qos::default()).expect("a subscriber");
    let request = |text: &str| json!({"op": "publish", "topic": "/text", "msg": {"data": text}}).to_string();
    let both = request("a") + &request("b");
    let (first, rest) = both.split_at(10);
    client.send_text(first);
    client.send_binary(rest.as_bytes().to_vec());
    let image = crate::encode::image::to_image(request("c").as_bytes()).expect("an image");
    let png = json!({"op": "png", "data": image}).to_string();
    for fragment in crate::encode::fragment::split(&png, 30, "f") {
        client.send_text(&fragment);
    }
    client.settle();
    let texts: Vec<String> =
        sink.deliveries().iter().map(|delivery| delivery.decode::<Text>().data).collect();
    assert_eq!(texts, ["a", "b", "c"]);
    client.send_binary(vec![0xff, 0xfe]);
    assert!(client.receive()["msg"].as_str().expect("a text").contains("UTF-8"));
}

#[test]
fn a_run_is_described_below_rosapi() {
    let (mut bridge, mut client, _) = stage();
    let _publisher = bridge.advertise::<Float64>("/a", Qos::default()).expect("a publisher");
    bridge.subscribe::<Twist>("/cmd_vel", Qos::default()).expect("a subscriber");
    bridge.offer::<SetBool>("/switch", |_| Ok(std_srvs::SetBoolResponse::default())).expect("a service");
    let mut ask = |service: &str, arguments: serde_json::Value| {
        let response = client.call(&format!("rosapi/{service}"), &arguments);
        assert_eq!(response["result"], true, "{response}");
        response["values"].clone()
    };
    let topics =
        json!({"topics": ["/a", "/cmd_vel"], "types": ["std_msgs/msg/Float64", "geometry_msgs/msg/Twist"]});
    assert_eq!(ask("topics", json!({})), topics);
    assert_eq!(ask("topics_for_type", json!({"type": "std_msgs/Float64"})), json!({"topics": ["/a"]}));
    assert_eq!(ask("topic_type", json!({"topic": "cmd_vel"})), json!({"type": "geometry_msgs/msg/Twist"}));
    assert_eq!(ask("service_type", json!(["/switch"])), json!({"type": "std_srvs/srv/SetBool"}));
    assert_eq!(
        ask("services_for_type", json!({"type": "std_srvs/SetBool"})),
        json!({"services": ["/switch"]})
    );
    assert_eq!(ask("nodes", json!({})), json!({"nodes": ["/bridgehead"]}));
    assert_eq!(ask("get_param", json!({"name": "x"}))["value"], "null");
    assert!(ask("get_time", json!({}))["time"]["nanosec"].is_number());
    let raw = ask("topics_and_raw_types", json!({}));
    assert_eq!(raw["typedefs_full_text"][0], "float64 data\n");
    let details = ask("message_details", json!({"type": "geometry_msgs/Twist"}));
    assert_eq!(
        details["typedefs"][0]["fieldtypes"],
        json!(["geometry_msgs/Vector3", "geometry_msgs/Vector3"])
    );
    assert_eq!(details["typedefs"][1]["fieldnames"], json!(["x", "y", "z"]));
    let request = ask("service_request_details", json!({"type": "std_srvs/SetBool"}));
    assert_eq!(request["typedefs"][0]["fieldnames"], json!(["data"]));
    for (name, _) in crate::rosapi::SERVICES {
        if !name.ends_with("details") {
            ask(name, json!({}));
        }
    }
}

#[test]
fn a_wrong_connection_string_is_refused_with_the_reason() {
    for connection in ["robot:9090", "ros=3", "0.0.0.0:9090"] {
        let mut bridge = TestedBridge::create(TestHost::new());
        let failure = bridge.connect(connection).expect_failed();
        assert!(failure.text().contains("[BH-RBR-00"), "{connection}: {}", failure.text());
        assert_eq!(bridge.status(), BridgeStatus::Disconnected);
    }
}
