//! Responses of a host, and their lines.

use bridgehead_plugin_api::messages::{JsonPlan, declared_services};
use serde_json::json;

use super::*;

fn ok() -> Value {
    json!({"result": 1, "error_message": ""})
}

#[test]
fn the_status_is_a_list_of_what_is_known() {
    let answer_json = json!({"result": ok(), "status": {
        "state": "StepEnd", "step": 1500, "time_ns": 1_500_000_000_i64, "step_width_ns": 1_000_000,
        "reset_epoch": 1, "target_real_time_factor": 0.0, "real_time_factor": 2.345,
        "achievable_real_time_factor": 0.0, "world": "car", "outcome": "stopped",
        "errors": ["[BH-PLG-095] out"], "allowed": ["pause", "stop"],
    }});
    let expected = "\
state       playing
world       car
step        1500
time        1.5 s
step width  0.001 s
resets      1
speed       2.35 x
aimed at    unlimited
achievable  -
outcome     stopped
errors      1
allowed     pause, stop
  [BH-PLG-095] out
";
    assert_eq!(answer("get_status", &answer_json), expected);
}

#[test]
fn verbs_show_the_state_and_the_rest_that_it_is_done() {
    let verb = json!({"result": ok(), "state": "Pause", "allowed": []});
    assert_eq!(answer("pause", &verb), "paused\n");
    assert_eq!(answer("get_simulation_state", &json!({"state": {"state": 2}})), "paused\n");
    assert_eq!(answer("get_simulation_state", &json!({"state": {"state": 99}})), "?\n");
    assert_eq!(answer("delete_entity", &json!({"result": ok()})), "ok\n");
    let noted = json!({"result": {"result": 1, "error_message": "it was paused already"}});
    assert_eq!(answer("set_simulation_state", &noted), "ok: it was paused already\n");
    assert_eq!(answer("spawn_entity", &json!({"result": ok(), "entity_name": "box_1"})), "box_1\n");
    assert_eq!(answer("add_triggers", &json!({"result": ok(), "ids": [3, 4]})), "3\n4\n");
}

#[test]
fn an_entity_has_metres_and_degrees() {
    let turn = std::f64::consts::FRAC_1_SQRT_2;
    let state = json!({
        "header": {"stamp": {"sec": 2, "nanosec": 500_000_000}, "frame_id": ""},
        "pose": {"position": {"x": 1.0, "y": -0.0, "z": 0.25}, "orientation": {"x": 0.0, "y": 0.0, "z": turn, "w": turn}},
        "twist": {"linear": {"x": 1e-9, "y": 0.0, "z": -9.81}, "angular": {"x": 0.0, "y": 0.0, "z": 0.5}},
    });
    let expected = "\
time          2.5 s
frame         world
pose          1 0 0.25 m, 0 0 90°
velocity      0 0 -9.81 m/s, 0 0 0.5 rad/s
acceleration  0 0 0 m/s², 0 0 0 rad/s²
";
    assert_eq!(answer("get_entity_state", &json!({"state": state})), expected);
    // 5 + 0.262 is 5.2620000000000005 in f64.
    let late = json!({"state": {"header": {"stamp": {"sec": 5, "nanosec": 262_000_000}}}});
    assert!(answer("get_entity_state", &late).starts_with("time          5.262 s\n"));
    let states = json!({"entities": ["a"], "states": [state]});
    let expected = "\
entity    x m    y m    z m  roll °  pitch °   yaw °  vx m/s  vy m/s  vz m/s
a       1.000  0.000  0.250   0.000    0.000  90.000   0.000   0.000  -9.810
";
    assert_eq!(answer("get_entities_states", &states), expected);
}

#[test]
fn volumes_are_named_by_their_form() {
    let bounds = |json: Value| answer("get_entity_bounds", &json!({"bounds": json}));
    let corners = [json!({"x": 1, "y": 2, "z": 3}), json!({"x": -1, "y": -2, "z": 0})];
    assert_eq!(bounds(json!({"type": 1, "points": corners})), "box from -1 -2 0 to 1 2 3 m\n");
    assert_eq!(bounds(json!({"type": 3, "points": corners})), "sphere at 1 2 3 m, radius -1 m\n");
    assert_eq!(bounds(json!({"type": 2, "points": corners})), "convex hull of 2 points\n");
    assert_eq!(bounds(json!({"type": 0})), "empty\n");
}

#[test]
fn lists_are_tables_and_empty_ones_nothing() {
    let bridges = json!({"bridges": [
        {"label": "car1/logging", "connection": "run.mcap", "status": 3, "delivered": 10, "dropped": 0, "lost": 4,
         "missed": 2},
        {"label": "world/zmq", "connection": "tcp://x", "status": 1, "failure": "gone\nfor good"},
    ]});
    let expected = "\
label         connection  status                delivered  dropped  lost  missed
car1/logging  run.mcap    connected                    10        0     4       2
world/zmq     tcp://x     lost: gone\\nfor good          0        0     0       0
";
    assert_eq!(answer("get_bridges", &bridges), expected);
    assert_eq!(endpoints(&bridges), "");
    let endpoint = json!({"address": "tcp://127.0.0.1:49152", "purpose": "car1 IMU imu Data"});
    let bridges =
        json!({"bridges": [{"label": "car1/cloisim", "endpoints": [endpoint]}, {"label": "car2/logging"}]});
    let expected = "\
bridge        address                what is there
car1/cloisim  tcp://127.0.0.1:49152  car1 IMU imu Data
";
    assert_eq!(endpoints(&bridges), expected);
    let topics = json!({"topics": [{"topic": "/clock", "type": "rosgraph_msgs/msg/Clock", "published": 100, "bytes": 2048, "rate": 99.96}]});
    let expected = "\
topic   type                     published    rate     size  dropped
/clock  rosgraph_msgs/msg/Clock        100  100 Hz  2.0 KiB        0
";
    assert_eq!(answer("get_topics", &topics), expected);
    let triggers = json!({"triggers": [{"id": 1, "label": "t", "event": "time 5 s", "action": "stop", "source": "api", "at": -1.0, "sticky": true}]});
    let expected = "\
id  label  event     action  stays   source  due
1   t      time 5 s  stop    sticky  api       -
";
    assert_eq!(answer("get_triggers", &triggers), expected);
    assert_eq!(answer("get_triggers", &json!({"triggers": [], "eta": 2.5})), "the run ends at 2.5 s\n");
    assert_eq!(answer("get_triggers", &json!({"triggers": [], "eta": -1.0})), "");
    assert_eq!(answer("get_bridges", &json!({"bridges": []})), "");
    assert_eq!(answer("get_entities", &json!({"entities": ["a", "b"]})), "a\nb\n");
}

#[test]
fn features_have_names() {
    let features =
        json!({"features": {"features": [0, 40, 999], "spawn_formats": ["sdf", "urdf"], "custom_info": "x"}});
    let expected = "SPAWNING\nWORLD_LOADING\n999\nspawn formats: sdf, urdf\nx\n";
    assert_eq!(answer("get_simulator_features", &features), expected);
}

#[test]
fn statistics_are_a_table_of_phases_and_plugins() {
    let one = json!({"name": "step [ms]", "count": 10, "mean": 1.5, "min": 1.0, "max": 2.0, "p50": 1.5, "p99": 2.0, "std_deviation": 0.1});
    let plugin = json!({"label": "car1/imu", "calls": {"count": 5, "mean": 0.001, "max": "NaN"}});
    let idle = json!({"label": "car1/idle", "calls": {"count": 0}});
    let statistics = json!({"accumulators": [one], "plugins": [plugin, idle], "overruns": 3});
    let expected = "\
what           count     mean   std   min   p50   p99   max
step [ms]         10     1.50  0.10  1.00  1.50  2.00  2.00
car1/imu [ms]      5  1.00e-3  0.00  0.00  0.00  0.00     -
overruns: 3
";
    assert_eq!(answer("get_statistics", &statistics), expected);
}

#[test]
fn a_watched_run_is_one_line() {
    let status =
        json!({"state": "playing", "time_ns": 1_500_000_000_i64, "step": 1500, "real_time_factor": 1.0});
    assert_eq!(live(&status, &Value::Null), "playing  1.5 s  step 1500  1.00 x real time");
    assert_eq!(
        live(&status, &json!({"overruns": 2})),
        "playing  1.5 s  step 1500  1.00 x real time  2 overruns"
    );
    assert_eq!(changed(&status), "playing  1.5 s  step 1500");
}

#[test]
fn services_stand_beside_their_commands() {
    let list = json!({"services": [{"name": "play", "type": "a/srv/Transition"}, {"name": "mine", "type": "b/srv/C"}],
        "actions": [{"name": "simulate_steps", "type": "d/action/S"}]});
    let text = services(&list, super::super::table::command_of);
    let expected = "\
play            play       a/srv/Transition
mine            call mine  b/srv/C
simulate_steps  steps      d/action/S
";
    assert_eq!(text, expected);
}

#[test]
fn every_answer_of_a_service_that_is_empty_can_be_shown() {
    for declared in declared_services() {
        let message = (declared.response)().resolve().expect("a type");
        let mut text = Vec::new();
        JsonPlan::compile(&message).encode(&[], &mut text).expect("JSON");
        let json = serde_json::from_slice(&text).expect("JSON");
        let shown = answer(declared.name, &json);
        assert!(shown.is_empty() || shown.ends_with('\n'), "{}: {shown:?}", declared.name);
        assert_eq!(
            answer(declared.name, &Value::Null).lines().count(),
            shown.lines().count(),
            "{}",
            declared.name
        );
    }
}

#[test]
fn a_description_is_a_table_of_elements_with_a_line_for_each_topic() {
    let topic = |name: &str, is_published: bool| json!({"topic": name, "type": "std_msgs/msg/Bool", "is_published": is_published});
    let element = |path: &str, name: &str, asked: &str, plugin: &str, topics: Value| json!({"path": path, "name": name, "asked": asked, "plugin": plugin, "topics": topics});
    let elements = json!([
        element("car1/base/laser", "laser", "lidar", "lidar", json!([topic("/car1/scan", true)])),
        element("", "LaserPlugin", "libLaserPlugin.so", "lidar", json!([])),
        element("car1/eye", "eye", "camera", "", json!([])),
        element(
            "car1/drive",
            "drive",
            "diff_drive",
            "diff_drive",
            json!([topic("/car1/odom", true), topic("/car1/cmd", false)])
        ),
    ]);
    let json = json!({"result": ok(), "description": {"world": "yard", "revision": 4, "elements": elements}});
    let expected = "\
element          asks for           served by              topic       type
car1/base/laser  lidar              lidar       publishes  /car1/scan  std_msgs/msg/Bool
  LaserPlugin    libLaserPlugin.so  lidar
car1/eye         camera
car1/drive       diff_drive         diff_drive  publishes  /car1/odom  std_msgs/msg/Bool
                                                hears      /car1/cmd   std_msgs/msg/Bool
";
    assert_eq!(answer("get_world_description", &json), expected);
    assert_eq!(answer("get_world_description", &json!({"result": ok(), "description": {}})), "");
}

#[test]
fn links_have_their_poses_beside_them() {
    let poses = json!([0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 1.0, -2.0, 0.25, 0.0, 0.0, 0.5, 0.5]);
    let json = json!({"result": ok(), "links": ["car1::body", "car1::arm::hand"], "poses": poses});
    let expected = "\
link             pose
car1::body       0 0 0.5 m, 0 0 0°
car1::arm::hand  1 -2 0.25 m, 0 0 90°
";
    assert_eq!(answer("get_link_poses", &json), expected);
    assert_eq!(answer("get_link_poses", &json!({"result": ok()})), "");
}
