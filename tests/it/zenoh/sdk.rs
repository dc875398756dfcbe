//! A client that others made for robots on `rmw_zenoh`: zenoh-ros2-sdk, whose programs need no ROS. See `sdk_client.py`.

use bridgehead_plugin_api::messages::all_schemas;
use bridgehead_plugin_api::messages::ros::{RosInterface, full_msg_text};
use serde_json::{Value, json};

use super::native::{hash, message_type, service_hash};
use super::{CLOCK, STATE, quit, two_vehicles};
use crate::ros2::{Domain, Stage, Wire};
use crate::service_calls::{Caller, make_all};
use crate::support::{JsonProgram, PLAYING, Python, eventually};

const ODOMETRY: &str = "nav_msgs/msg/Odometry";
const TWIST: &str = "geometry_msgs/msg/Twist";

/// The only message with a bounded sequence of messages, for which SDK 0.1.8 computes another hash than ROS.
const HASHED_DIFFERENTLY: &str = "rcl_interfaces/msg/ParameterDescriptor";

/// A program with the SDK. Killed when it goes out of scope.
struct Sdk(JsonProgram);

impl Sdk {
    /// `None` without the SDK.
    #[track_caller]
    fn start(domain: &Domain) -> Option<Self> {
        let mut command = Python::with("zenoh_ros2_sdk")?.script("zenoh/sdk_client.py");
        command.args([domain.endpoint().expect("a domain of Zenoh"), &domain.number().to_string()]);
        Some(Sdk(JsonProgram::start(command)))
    }

    #[track_caller]
    fn subscribe(&self, topic: &str, ros_type: &str) {
        let mut line = described(ros_type);
        line["topic"] = json!(topic);
        self.0.command("subscribe", line);
    }

    #[track_caller]
    fn publish(&self, topic: &str, ros_type: &str, message: &Value) {
        let mut line = described(ros_type);
        (line["topic"], line["message"]) = (json!(topic), message.clone());
        self.0.command("publish", line);
    }

    /// The next message of a topic to which it has subscribed.
    #[track_caller]
    fn next(&self, topic: &str) -> Value {
        self.0.command("next", json!({"topic": topic}))
    }
}

impl Caller for Sdk {
    fn name(&self) -> &'static str {
        "sdk"
    }

    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let definition = |half: &str| full_msg_text(&message_type(&format!("{ros_type}_{half}")));
        let line = json!({
            "service": format!("/{service}"), "type": ros_type, "hash": service_hash(ros_type), "request": request,
            "request_definition": definition("Request"), "response_definition": definition("Response"),
        });
        self.0.command("call", line)
    }
}

/// The definition of a message and its hash, which the SDK would load from the network.
#[track_caller]
fn described(ros_type: &str) -> Value {
    json!({"type": ros_type, "definition": full_msg_text(&message_type(ros_type)), "hash": hash(ros_type)})
}

#[test]
fn it_computes_the_hashes_of_all_messages_from_our_definitions() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let Some(sdk) = Sdk::start(&domain) else { return };
    let types = all_schemas().map(|schema| schema.resolve().expect("a type"));
    let messages: Vec<String> = types
        .filter(|of| of.ros_type().interface() == RosInterface::Msg)
        .map(|of| of.ros_type().to_string())
        .collect();
    assert!(messages.len() > 100, "{}", messages.len());
    for name in messages {
        let mut line = described(&name);
        let expected = line.as_object_mut().and_then(|line| line.remove("hash")).expect("a hash");
        let is_equal = sdk.0.command("hash", line) == expected;
        assert_eq!(is_equal, name != HASHED_DIFFERENTLY, "{name}");
    }
}

#[test]
fn it_finds_the_topics_drives_a_vehicle_and_hears_of_its_motion() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let Some(sdk) = Sdk::start(&domain) else { return };
    let host = two_vehicles(&domain.bridge(""));
    for (kind, name, types) in [
        ("topics", "/clock", json!([CLOCK])),
        ("topics", "/car1/odom", json!([ODOMETRY])),
        ("topics", "/car2/cmd_vel", json!([TWIST, "geometry_msgs/msg/TwistStamped"])),
        ("services", "/get_simulation_state", json!([STATE])),
    ] {
        // It waits for half a second for tokens.
        eventually(&format!("the SDK finds {name}"), || {
            let list = sdk.0.command(kind, json!({}));
            list.as_array().expect("a list").contains(&json!([name, types]))
        });
    }
    sdk.subscribe("/clock", CLOCK);
    sdk.subscribe("/car1/odom", ODOMETRY);
    host.ok("set_simulation_state", json!({"state": {"state": PLAYING}}));
    assert!(sdk.next("/clock")["clock"]["nanosec"].is_u64());
    // Published until it is matched.
    let mut speed = 0.0;
    eventually("the vehicle drives", || {
        sdk.publish("/car1/cmd_vel", TWIST, &json!({"linear": {"x": 0.5}}));
        let odometry = sdk.next("/car1/odom");
        speed = odometry["twist"]["twist"]["linear"]["x"].as_f64().expect("a number");
        assert_eq!(odometry["pose"]["covariance"].as_array().map(Vec::len), Some(36), "{odometry}");
        speed > 0.4
    });
    assert!(speed < 0.6, "{speed}");
    quit(host);
}

#[test]
fn it_calls_every_service() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    let Some(sdk) = Sdk::start(&stage.domain) else { return };
    make_all(&sdk);
}
