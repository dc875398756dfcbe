//! Saving worlds into files: with `world save`, and at the end of a run.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Finished, Setup, worlds};

const WORLD: &str = r#"<?xml version="1.0"?>
<!-- a yard,   with care for blanks -->
<sdf version="1.9">
  <world name="yard">
    <frame name="pad"><pose>1 0 0 0 0 0</pose></frame>
    <model name='box'   >  <!-- falls -->
      <pose relative_to="pad" degrees="true">0 0 100   0 0 90</pose>
      <link name="body"><collision name="hull"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
    </model>
    <model name="post"><static>true</static><pose>5 0 0.5 0 0 0</pose>
      <link name="body"><collision name="hull"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
    </model>
  </world>
</sdf>
"#;

/// The output of `world print` for the world in a file.
fn print(path: &Path) -> Value {
    let finished = Setup::new().args(["world", "print", "--json"]).arg(path).finish();
    let text = finished.stdout();
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{finished}"));
    file["worlds"][0].clone()
}

fn position(world: &Value, model: &str) -> [f64; 3] {
    let models = world["models"].as_array().unwrap_or_else(|| panic!("no models in {world:#}"));
    let found =
        models.iter().find(|entry| entry["name"] == model).unwrap_or_else(|| panic!("no {model}: {world:#}"));
    [0, 1, 2].map(|axis| found["pose_world"][axis].as_f64().unwrap_or_else(|| panic!("no pose in {found:#}")))
}

fn save(setup: Setup, world: &Path, rest: &[&str]) -> Finished {
    let target = setup.path("saved.sdf");
    let setup = setup.args(["world", "save"]).arg(world).arg("--output").arg(target);
    rest.iter().fold(setup, |setup, argument| setup.arg(argument)).finish()
}

fn expect_near(found: [f64; 3], wanted: [f64; 3], tolerance: f64) {
    let is_near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= tolerance);
    assert!(is_near, "{found:?} instead of {wanted:?}");
}

#[test]
fn an_unchanged_world_is_saved_byte_for_byte() {
    let world = worlds().join("two_vehicles.sdf");
    let finished = save(Setup::new(), &world, &[]).expect_code(0);
    assert_eq!(fs::read(finished.path("saved.sdf")).unwrap(), fs::read(&world).unwrap());
}

#[test]
fn a_file_is_overwritten_only_with_the_flag() {
    let setup = Setup::new();
    let world = setup.file("world.sdf", WORLD);
    setup.file("saved.sdf", "precious");
    let finished = save(setup, &world, &[]).expect_code(1).expect_message(&["BH-SIM-206", "--overwrite"]);
    assert_eq!(fs::read_to_string(finished.path("saved.sdf")).unwrap(), "precious");

    let setup = Setup::new();
    setup.file("saved.sdf", "old");
    let finished = save(setup, &world_in(&finished), &["--overwrite"]).expect_code(0);
    assert_eq!(fs::read_to_string(finished.path("saved.sdf")).unwrap(), WORLD);
}

fn world_in(finished: &Finished) -> std::path::PathBuf {
    finished.path("world.sdf")
}

#[test]
fn models_are_moved_made_static_and_removed() {
    let setup = Setup::new();
    let world = setup.file("world.sdf", WORLD);
    let changes = ["--place", "box=3 -4 5 0 0 0", "--static", "box", "--remove", "post"];
    let finished = save(setup, &world, &changes).expect_code(0);
    let saved = print(&finished.path("saved.sdf"));
    expect_near(position(&saved, "box"), [3.0, -4.0, 5.0], 1e-9);
    let text = fs::read_to_string(finished.path("saved.sdf")).unwrap();
    assert!(text.contains("<!-- a yard,   with care for blanks -->") && !text.contains("post"), "{text}");
    assert!(text.contains("<pose relative_to=\"pad\" degrees=\"true\">2 -4 5 0 0 0</pose>"), "{text}");
    assert!(text.contains("<static>true</static>"), "{text}");
}

#[test]
fn an_invalid_change_is_an_error_and_no_file_is_written() {
    for (change, texts) in [
        (["--place", "absent=0 0 0 0 0 0"], ["BH-SDF-075", "absent"]),
        (["--place", "box=0 0 0"], ["BH-CFG-001", "X Y Z ROLL PITCH YAW"]),
        (["--place", "box=0 0 nan 0 0 0"], ["BH-CFG-001", "six numbers"]),
        (["--remove", "pad"], ["BH-SDF-075", "pad"]),
    ] {
        let setup = Setup::new();
        let world = setup.file("world.sdf", WORLD);
        let finished = save(setup, &world, &change).expect_code(1).expect_message(&texts);
        assert!(!finished.path("saved.sdf").exists(), "{finished}");
    }
    let setup = Setup::new();
    let model = setup.file("model.sdf", "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>");
    let finished = save(setup, &model, &["--camera", "1 2 3 0 0 0"]);
    finished.expect_code(1).expect_message(&["BH-SDF-077", "no `<world>`"]);
}

#[test]
fn a_run_saves_the_final_poses_of_the_world() {
    let setup = Setup::new().world(WORLD);
    let target = setup.path("saved.sdf");
    let finished = setup.args(["--duration", "1s", "--save"]).arg(&target).finish().expect_code(0);
    let saved = print(&finished.path("saved.sdf"));
    // A step of h = 1 ms updates velocities first: g·t·(t + h)/2 below the start.
    expect_near(position(&saved, "box"), [1.0, 0.0, 100.0 - 9.8 * 1.001 / 2.0], 1e-9);
    let text = fs::read_to_string(finished.path("saved.sdf")).unwrap();
    let changed: Vec<(&str, &str)> =
        WORLD.lines().zip(text.lines()).filter(|(old, new)| old != new).collect();
    assert_eq!((changed.len(), WORLD.lines().count()), (1, text.lines().count()), "{changed:?}");
    assert!(changed[0].1.starts_with("      <pose relative_to=\"pad\" degrees=\"true\">"), "{changed:?}");
}

#[test]
fn spawned_models_are_in_the_saved_world_and_the_next_run_continues_from_there() {
    let world = WORLD.replace(
        "</world>",
        "<model name='drone'><pose>0 9 0 0 0 0</pose><link name='l'/>
         <plugin filename='gz-sim-breadcrumbs-system' name='gz::sim::systems::Breadcrumbs'>
           <topic>/drop</topic><max_deployments>3</max_deployments>
           <breadcrumb><sdf version='1.9'><model name='crumb'><pose>0 2 1 0 0 0</pose>
             <link name='l'><collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
           </model></sdf></breadcrumb></plugin></model></world>",
    );
    let message = |step: u64| {
        format!(
            "{{\"vehicle\":\"drone\",\"topic\":\"/drop\",\"type\":\"std_msgs/msg/Empty\",\"step\":{step},\"message\":{{}}}}\n"
        )
    };
    let run = |world: &str| {
        let setup = Setup::new().plugins(&["world_edit", "replay"]);
        setup.file("drops.jsonl", message(10) + &message(20));
        let setup = setup.world(world).bridge("drone=replay:drops.jsonl");
        let target = setup.path("saved.sdf");
        let finished = setup.args(["--duration", "0.1s", "--save"]).arg(&target).finish().expect_code(0);
        finished.expect_silence("BH-PHY-054");
        let saved = finished.path("saved.sdf");
        let models = print(&saved)["models"].as_array().unwrap().clone();
        let names: Vec<String> =
            models.iter().filter_map(|model| model["name"].as_str()).map(str::to_owned).collect();
        let check = Setup::new().args(["world", "check"]).arg(&saved).finish();
        check.expect_code(0);
        (fs::read_to_string(saved).unwrap(), names)
    };
    let (saved, names) = run(&world);
    assert_eq!(names, ["box", "post", "drone", "crumb_0", "crumb_1"], "{saved}");
    let (again, names) = run(&saved);
    assert_eq!(names, ["box", "post", "drone", "crumb_0", "crumb_1", "crumb_2"], "{again}");
    assert!(again.contains("<bridgehead:saved><deployed>3</deployed></bridgehead:saved>"), "{again}");
}

#[test]
fn a_run_does_not_overwrite_its_own_world_file() {
    let setup = Setup::new().world(WORLD);
    let world = setup.path("world.sdf");
    let finished = setup.args(["--duration", "1s", "--save"]).arg(&world).finish();
    let finished = finished.expect_code(1).expect_message(&["BH-CFG-040", "the run loads it from this file"]);
    assert_eq!(fs::read_to_string(finished.path("world.sdf")).unwrap(), WORLD);
}

#[test]
fn the_camera_and_roads_can_be_changed() {
    let setup = Setup::new();
    let road = "<road name='lane'><width>3</width><point>0 0 0</point></road></world>";
    let world = setup.file("world.sdf", WORLD.replace("</world>", road));
    let changes = ["--camera", "1 2 3 0 0 0", "--road", "lane=0 1 0, -5 1 0"];
    let finished = save(setup, &world, &changes).expect_code(0);
    let text = fs::read_to_string(finished.path("saved.sdf")).unwrap();
    assert!(
        text.contains("<gui><camera name='user_camera'><pose>1 2 3 0 0 0</pose></camera></gui>"),
        "{text}"
    );
    assert!(text.contains("<point>0 1 0</point><point>-5 1 0</point></road>"), "{text}");
    for wrong in [["--camera", "1 2 3"], ["--road", "lane=1 2"], ["--road", "lane"]] {
        let setup = Setup::new();
        let world = setup.file("world.sdf", WORLD);
        save(setup, &world, &wrong).expect_code(1).expect_message(&["BH-CFG-001", wrong[0]]);
    }
}

#[test]
fn a_battery_continues_with_its_saved_charge() {
    let battery = "<model name='cart'><link name='l'/>
        <plugin filename='gz-sim-linearbatteryplugin-system' name='gz::sim::systems::LinearBatteryPlugin'>
        <battery_name>cell</battery_name><voltage>12</voltage><capacity>1</capacity><power_load>43200</power_load>
        <start_draining>true</start_draining><smooth_current_tau>0.000001</smooth_current_tau></plugin></model></world>";
    // 43,200 W at 12 V are 3,600 A: one ampere hour in a second.
    let charges = |world: &str| {
        let setup = Setup::new().plugins(&["battery", "logging"]).world(world);
        let setup =
            setup.args(["--duration", "0.25s", "--save", "saved.sdf"]).bridge("*=logging:messages.jsonl");
        let finished = setup.finish().expect_code(0);
        finished.expect_silence("warning");
        let lines = finished.log("messages.jsonl");
        let states = lines.iter().filter(|line| line.is_topic("/cart/battery/cell/state"));
        let charges: Vec<f64> = states.map(|line| line.number("/message/charge")).collect();
        (fs::read_to_string(finished.path("saved.sdf")).unwrap(), charges)
    };
    let (saved, first) = charges(&WORLD.replace("</world>", battery));
    assert!(saved.contains("<bridgehead:saved><charge>0.7"), "{saved}");
    let (again, second) = charges(&saved);
    assert_eq!(saved.matches("bridgehead:saved").count(), again.matches("bridgehead:saved").count());
    assert!((second[0] - (first[0] - 0.25)).abs() < 2e-3, "{first:?} {second:?}");
}

#[test]
fn a_world_is_saved_even_if_a_plugin_fails_to_return_its_elements() {
    for (fails, message) in [("saved_elements", "BH-SIM-209"), ("malformed", "BH-SDF-")] {
        let plugin = format!(
            "<model name='cart'><link name='l'/><plugin filename='forgetful' name='tally'><fails>{fails}</fails>\
             </plugin></model></world>"
        );
        let setup = Setup::new().fixtures(&["forgetful"]).world(&WORLD.replace("</world>", &plugin));
        let finished = setup.args(["--duration", "0.1s", "--save", "saved.sdf"]).finish().expect_code(0);
        let finished = finished.expect_message(&[message, "cart/tally"]);
        let text = fs::read_to_string(finished.path("saved.sdf")).unwrap();
        assert!(text.contains("cart") && !text.contains("bridgehead:saved"), "{text}");
    }
}
