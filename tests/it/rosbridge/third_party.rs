//! A sensor whose type the bridge does not know: it was built outside the workspace, and clients find it with its fields.

use serde_json::{Value, json};

use super::client::Kind;
use super::stage::Stage;
use crate::support::{Outside, Setup, assert_near, eventually, world};

const TOPIC: &str = "/car1/pressure";
/// The type under the name that its author chose.
const TYPE: &str = "example_msgs/msg/Pressure";
/// A barometer at a height of 1000 m with noise of 5 Pa.
const CAR: &str = "<model name='car1'><link name='mast'><pose>0 0 1000 0 0 0</pose>\
    <sensor name='barometer' type='barometer'><topic>pressure</topic><update_rate>10</update_rate>\
    <air_pressure><pressure><noise><stddev>5</stddev></noise></pressure></air_pressure></sensor></link></model>";

/// Fails unless a message has the pressure of the standard atmosphere at this height (ISO 2533), and the variance.
#[track_caller]
fn expect_pressure(message: &Value) {
    let reading = &message["reading"];
    let number = |name: &str| reading[name].as_f64().unwrap_or_else(|| panic!("no {name} in {message}"));
    assert_near(number("pascal"), 89_874.6, 30.0);
    assert_near(number("variance"), 25.0, 0.0);
}

/// What the clients ask about the type.
fn expect_description(stage: &Stage) {
    let mut socket = stage.socket();
    eventually("the topic is listed", || {
        let topics = socket.call("/rosapi/topics")["values"].clone();
        let names = topics["topics"].as_array().expect("a list").clone();
        let at = names.iter().position(|name| name == TOPIC);
        at.is_some_and(|at| topics["types"][at] == TYPE)
    });
    for name in [TYPE, "example_msgs/Pressure"] {
        let details = socket.ask("/rosapi/message_details", &json!({"type": name}));
        let definition = &details["values"]["typedefs"][0];
        assert_eq!(definition["type"], "example_msgs/Pressure", "{details}");
        assert_eq!(definition["fieldnames"], json!(["header", "reading"]));
        assert_eq!(definition["fieldtypes"], json!(["std_msgs/Header", "example_msgs/Reading"]));
    }
    let found = socket.ask("/rosapi/topics_for_type", &json!({"type": TYPE}));
    assert_eq!(found["values"]["topics"], json!([TOPIC]));
    let texts = socket.call("/rosapi/topics_and_raw_types")["values"]["typedefs_full_text"].to_string();
    assert!(texts.contains("float64 pascal\\nfloat64 variance\\n"), "{texts}");
}

#[test]
fn a_type_of_a_plugin_built_outside_the_workspace_has_its_fields() {
    let setup = Setup::new().in_real_time();
    Outside::example("rust-sensor", "libbarometer.so", &setup.plugin_folder());
    let stage = Stage::with(setup.world(&world(CAR)), "");
    expect_description(&stage);
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let command = json!({"topic": TOPIC, "type": "example_msgs/Pressure", "count": 5});
        let messages = client.command("collect", command)["messages"].clone();
        let messages = messages.as_array().expect("a list");
        messages.iter().for_each(expect_pressure);
        assert!(messages.windows(2).all(|pair| pair[0] != pair[1]), "each sample has its own noise");
        if kind == Kind::Node {
            let command = json!({"topic": TOPIC, "type": TYPE, "count": 1, "compression": "cbor"});
            expect_pressure(&client.command("collect", command)["messages"][0]);
        }
    }
    stage.finish();
}
