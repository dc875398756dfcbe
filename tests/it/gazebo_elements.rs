//! Elements of Gazebo's worlds that the present release of Gazebo accepts: flat lidars, systems of nested models, joints
//! within one model, the Moon, and the message types of triggered publishers.

use std::fs;

use serde_json::json;

use crate::support::{Line, Served, Setup, assert_near, eventually, shared, vehicle, world, worlds};

/// Inertia of a small box.
const INERTIAL: &str =
    "<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>";

#[test]
fn a_lidar_with_one_row_accepts_any_vertical_resolution() {
    let rows = "<vertical><samples>1</samples><resolution>0.01</resolution></vertical>";
    let scan = format!(
        "<scan><horizontal><samples>180</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal>{rows}</scan>"
    );
    let sensor = format!(
        "<sensor name=\"s\" type=\"gpu_lidar\"><update_rate>10</update_rate><lidar>{scan}<range><min>0.1</min><max>10</max></range></lidar></sensor>"
    );
    let model = format!("<model name=\"m\"><static>true</static><link name=\"l\">{sensor}</link></model>");
    let setup = Setup::new().plugins(&["lidar", "logging"]).world(&world(&model));
    let finished =
        setup.args(["--duration", "0.2s"]).bridge("*=logging:out/run.jsonl").finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let scan = lines.iter().find(|line| line.text("topic") == "/m/scan").expect("a scan");
    assert_eq!(scan["message"]["ranges"].as_array().map(Vec::len), Some(180), "{finished}");
}

#[test]
fn the_flat_lidar_of_a_user_runs() {
    let Some(folder) = shared("repro") else { return };
    let setup = Setup::new().plugins(&["lidar"]).run(&folder.join("lidar_vertical_resolution.sdf"));
    setup.args(["--strict", "--duration", "0.1s"]).finish().expect_code(0);
}

/// The smallest vehicle of this project as a model inside another one, which has the plugins.
fn nested() -> String {
    let own = fs::read_to_string(worlds().join("minimal_vehicle.sdf")).expect("the world");
    let outer = "<model name=\"outer\"><link name=\"tag\"><pose>0 0 0.3 0 0 0</pose><inertial><mass>0.01</mass></inertial></link>\
                 <joint name=\"hold\" type=\"fixed\"><parent>robot::chassis</parent><child>tag</child></joint>\
                 <model name=\"robot\">";
    own.replace("<model name=\"robot\">", outer)
        .replace("    </model>\n\n  </world>", "    </model></model>\n\n  </world>")
        .replace("<plugin filename=\"diff_drive\" name=\"drive\">", "<plugin filename=\"gz-sim-diff-drive-system\" name=\"gz::sim::systems::DiffDrive\"><topic>cmd</topic>")
}

#[test]
fn a_drive_of_a_nested_model_finds_the_joints_of_that_model() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu"]).world(&nested());
    let host = Served::start(setup.arg("--strict"));
    let place = || {
        let (_, answer) = host.post("get_entity_state", &json!({"entity": "outer"}));
        answer["state"]["pose"]["position"]["x"].as_f64()
    };
    eventually("the robot drives", || {
        drop(host.post("publish_message", &json!({"topic": "/cmd", "json": r#"{"linear": {"x": 0.4}}"#})));
        place().is_some_and(|x| x > 0.2)
    });
    host.ok("quit", json!({}));
    host.finish().expect_silence("warning");
}

#[test]
fn a_detachable_joint_holds_a_link_of_its_own_model() {
    let joint = "<plugin filename=\"gz-sim-detachable-joint-system\" name=\"gz::sim::systems::DetachableJoint\">\
                 <parent_link>base</parent_link><child_model>__model__</child_model><child_link>load</child_link></plugin>";
    let body = format!(
        "<gravity>0 0 -10</gravity><model name=\"crane\"><link name=\"base\"><pose>0 0 10 0 0 0</pose>{INERTIAL}</link>\
         <link name=\"load\"><pose>0 0 9 0 0 0</pose>{INERTIAL}\
         <sensor name=\"height\" type=\"altimeter\"><update_rate>10</update_rate></sensor></link>\
         <joint name=\"fixed\" type=\"fixed\"><parent>world</parent><child>base</child></joint>{joint}</model>"
    );
    let sdf = world(&body).replacen("<gravity>0 0 0</gravity>\n", "", 1);
    let setup = Setup::new().plugins(&["world_edit", "environment", "logging", "replay"]).world(&sdf);
    let commands = "{\"topic\":\"/crane/detachable_joint/detach\",\"step\":1000,\"message\":{}}\n";
    let commands = setup.file("commands.jsonl", commands);
    let setup = setup.bridge(format!("*=replay:{}", commands.display())).bridge("*=logging:out/run.jsonl");
    let finished = setup.args(["--strict", "--duration", "1.5s"]).finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let fallen = |step: u64| {
        let is_it = |line: &&Line| line.is_topic("/crane/altimeter") && line.count("step") == step;
        lines.iter().find(is_it).expect("a sample").number("/message/vertical_position")
    };
    assert_near(fallen(900), 0.0, 1e-4);
    // Half a second of free fall, within the steps in which the joint is removed.
    assert_near(fallen(1500), -0.5 * 10.0 * 0.25, 0.02);
}

/// Returns the latitudes of two receivers, the second one this far north of the first one.
fn latitudes(surface: &str, metres: f64) -> [f64; 2] {
    let receiver = |name: &str, y: f64| {
        format!(
            "<model name=\"{name}\"><static>true</static><pose>0 {y} 0 0 0 0</pose><link name=\"l\"><sensor name=\"gps\" type=\"navsat\"><update_rate>10</update_rate></sensor></link></model>"
        )
    };
    let place = "<latitude_deg>20</latitude_deg><longitude_deg>30</longitude_deg><elevation>0</elevation><heading_deg>0</heading_deg>";
    let body = format!(
        "<spherical_coordinates>{surface}{place}</spherical_coordinates>{}{}",
        receiver("a", 0.0),
        receiver("b", metres)
    );
    let setup = Setup::new().plugins(&["navsat", "logging"]).world(&world(&body));
    let finished = setup
        .args(["--strict", "--duration", "0.2s"])
        .bridge("*=logging:out/run.jsonl")
        .finish()
        .expect_code(0);
    let lines = finished.log("out/run.jsonl");
    ["/a/fix", "/b/fix"].map(|topic| {
        let fix = lines.iter().find(|line| line.text("topic") == topic).expect(topic);
        fix["message"]["latitude"].as_f64().expect("a number")
    })
}

/// The radius of curvature of a meridian, metres.
fn meridian(equatorial: f64, polar: f64, latitude: f64) -> f64 {
    let e2 = 1.0 - (polar / equatorial).powi(2);
    equatorial * (1.0 - e2) / (1.0 - e2 * latitude.sin().powi(2)).powf(1.5)
}

#[test]
fn a_receiver_on_the_moon_measures_latitudes_of_the_moon() {
    let custom = "<surface_model>CUSTOM_SURFACE</surface_model><surface_axis_equatorial>3396190</surface_axis_equatorial><surface_axis_polar>3376200</surface_axis_polar>";
    for (surface, [equatorial, polar]) in [
        ("", [6_378_137.0, 6_356_752.314_245]),
        ("<surface_model>EARTH_WGS84</surface_model>", [6_378_137.0, 6_356_752.314_245]),
        ("<surface_model>MOON_SCS</surface_model>", [1_738_100.0, 1_736_000.0]),
        (custom, [3_396_190.0, 3_376_200.0]),
    ] {
        let [first, second] = latitudes(surface, 100.0);
        assert_near(first, 20.0, 1e-9);
        let expected = (100.0 / meridian(equatorial, polar, 20_f64.to_radians())).to_degrees();
        // The world is a plane, 100 m of which differ from an arc by less than a millionth.
        assert_near((second - first) / expected, 1.0, 1e-5);
    }
}

#[test]
fn triggered_publishers_understand_further_messages_of_gazebo() {
    let trigger = |name: &str, input: &str, matches: &str, output: &str| {
        format!(
            "<plugin filename=\"gz-sim-triggered-publisher-system\" name=\"{name}\"><input {input}>{matches}</input>{output}</plugin>"
        )
    };
    let body = [
        trigger("a", "type=\"gz.msgs.Pose\" topic=\"/pose\"", "<match field=\"position.x\" tol=\"0.1\">2</match>", "<output type=\"gz.msgs.Int32_V\" topic=\"/numbers\">data: [1, 2]</output>"),
        trigger("b", "type=\"gz.msgs.Int32_V\" topic=\"/numbers\"", "<match>data: [1, 2]</match>", "<output type=\"gz.msgs.Header\" topic=\"/header\">stamp { sec: 3 nsec: 4 } data { key: \"seq\" value: \"7\" }</output>"),
        trigger("c", "type=\"gz.msgs.Header\" topic=\"/header\"", "<match field=\"stamp.nsec\">4</match>", "<output type=\"gz.msgs.Vector2d\" topic=\"/vector\">x: 1 y: -2</output>"),
        trigger("d", "type=\"gz.msgs.Vector2d\" topic=\"/vector\"", "<match>x: 1 y: -2</match>", "<output type=\"gz.msgs.Pose\" topic=\"/done\">name: \"box\" id: 8 position { z: 5 } orientation { w: 1 }</output>"),
    ]
    .concat();
    let setup = Setup::new().plugins(&["triggered_publisher", "logging", "replay"]).world(&world(&body));
    let command = "{\"topic\":\"/pose\",\"step\":10,\"message\":{\"position\":{\"x\":2.05}}}\n";
    let commands = setup.file("commands.jsonl", command);
    let setup = setup.bridge(format!("*=replay:{}", commands.display())).bridge("*=logging:out/run.jsonl");
    let finished = setup.args(["--strict", "--duration", "0.1s"]).finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let done = lines.iter().find(|line| line.text("topic") == "/done").expect("the last message");
    assert_eq!(done["message"]["position"]["z"], 5.0);
}

#[test]
fn a_plugin_for_all_models_is_not_attached_to_the_world() {
    let models = [vehicle("a", ""), vehicle("b", "")].concat();
    let setup = Setup::new().plugins(&["velocity_control"]).world(&world(&models));
    let config = "[[plugin]]\nattach = \"*\"\nplugin = \"velocity_control\"\n";
    let finished = setup.config(config).args(["--strict", "--duration", "0.1s"]).finish().expect_code(0);
    let result = finished.result();
    let labels: Vec<&str> = result["plugins"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|plugin| plugin["label"].as_str())
        .collect();
    assert_eq!(labels, ["a/velocity_control", "b/velocity_control"], "{finished}");
}
