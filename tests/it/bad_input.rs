//! Worlds, bridges and configurations that are wrong, and what is said about them: a code, the place, what was expected
//! and what to try.

use crate::support::{Finished, Setup, vehicle, world};

/// Runs a world for a moment.
fn run(sdf: &str) -> Finished {
    Setup::new().plugins(&["clock"]).world(sdf).args(["--duration", "0.1s"]).finish()
}

/// Runs it under `--strict`.
fn run_strictly(sdf: &str) -> Finished {
    Setup::new().plugins(&["clock"]).world(sdf).args(["--duration", "0.1s", "--strict"]).finish()
}

/// The problem is a warning and the rest runs; under `--strict` it ends the run before the first step.
#[track_caller]
fn assert_warning(sdf: &str, texts: &[&str]) {
    let finished = run(sdf).expect_code(0).expect_message(texts);
    assert_eq!(finished.result()["steps"], 100, "the rest runs\n{finished}");
    run_strictly(sdf).expect_code(1).expect_message(texts);
}

#[test]
fn a_world_that_is_not_there() {
    let setup = Setup::new();
    let path = setup.path("absent.sdf");
    setup.run(&path).finish().expect_code(1).expect_message(&["BH-SDF-001", "absent.sdf"]);
}

#[test]
fn a_world_that_is_not_xml() {
    let finished = run("<sdf version=\"1.9\">\n  <world name=\"w\">\n  </word>\n</sdf>\n").expect_code(1);
    finished.expect_message(&["BH-SDF-003", "world.sdf:3"]);
}

#[test]
fn a_world_that_is_text() {
    run("hello\n").expect_code(1).expect_message(&["BH-SDF-", "world.sdf"]);
}

#[test]
fn a_world_that_is_not_sdf() {
    run("<mujoco name=\"r\"/>\n").expect_code(1).expect_message(&["BH-SDF-004", "world.sdf:1"]);
}

#[test]
fn a_mesh_that_is_missing() {
    let sdf = world(
        "<model name=\"statue\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry>\n\
         <mesh><uri>statue.stl</uri></mesh>\n</geometry></collision></link></model>",
    );
    assert_warning(&sdf, &["BH-SDF-060", "world.sdf:5", "statue.stl"]);
}

#[test]
fn an_include_that_is_unknown() {
    let sdf = world("<include>\n<uri>model://unicorn</uri>\n</include>");
    assert_warning(&sdf, &["BH-SDF-060", "world.sdf:", "model://unicorn"]);
}

#[test]
fn a_plugin_that_is_unknown() {
    let sdf = world(&vehicle("car1", "<plugin filename=\"warp_drive\" name=\"drive\"/>"));
    assert_warning(&sdf, &["BH-PLG-093", "world.sdf:6", "warp_drive", "clock"]);
}

#[test]
fn names_that_nobody_serves_come_once() {
    let cameras = "<link name=\"mast\">\n<sensor name=\"left\" type=\"camera\"/>\n<sensor name=\"right\" \
                   type=\"camera\"/>\n</link><plugin filename=\"libgz-sim-thruster-system.so\" name=\"t\"/>";
    let sdf = world(&vehicle("car1", cameras));
    assert_warning(&sdf, &["BH-PLG-110", "sensor type `camera`", "2 times, first at", "world.sdf:7"]);
    let unsupported = run(&sdf).result()["unsupported"].clone();
    let names: Vec<_> = unsupported.as_array().into_iter().flatten().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["camera", "gz-sim-thruster-system"]);
}

#[test]
fn a_plugin_with_a_wrong_parameter_is_named_with_its_place() {
    let sdf =
        world("<plugin filename=\"clock\" name=\"clock\">\n<update_rate>often</update_rate>\n</plugin>");
    let finished = run(&sdf).expect_code(0).expect_message(&["clock", "world.sdf:5", "often", "a number"]);
    assert_eq!(finished.result()["steps"], 100);
    run_strictly(&sdf).expect_code(4).expect_message(&["often"]);
}

/// A run with one more argument.
fn run_with(argument: &str) -> Finished {
    let setup = Setup::new().plugins(&["clock", "logging"]).world(&world(&vehicle("car1", "")));
    setup.args(["--duration", "0.1s"]).bridge(argument).finish()
}

#[test]
fn a_bridge_that_is_unknown_lists_what_there_is() {
    run_with("world=loging:run.mcap").expect_code(1).expect_message(&["BH-BRG-020", "loging", "logging"]);
}

#[test]
fn a_connection_string_that_is_wrong_is_explained_by_the_bridge() {
    let finished = run_with("world=logging:run.pdf").expect_code(1);
    finished.expect_message(&["BH-BRG-021", "run.pdf", "BH-BRG-110", ".mcap"]);
}

#[test]
fn a_vehicle_that_is_unknown_lists_what_there_is() {
    run_with("car7=logging:run.mcap").expect_code(1).expect_message(&["BH-BRG-023", "car7", "car1"]);
}

#[test]
fn a_bridge_argument_without_its_parts() {
    run_with("logging").expect_code(1).expect_message(&["BH-CFG-020", "WHERE=NAME:CONNECTION"]);
    run_with("car1=logging").expect_code(1).expect_message(&["BH-CFG-020", "`:`"]);
}

#[test]
fn values_of_flags_that_mean_nothing() {
    for (flag, value, code) in [
        ("--duration", "10", "BH-CFG-010"),
        ("--speed", "0", "BH-CFG-011"),
        ("--seed", "-1", "BH-CFG-014"),
        ("--start", "running", "BH-CFG-012"),
    ] {
        let finished = Setup::new().args(["run", flag, value]).finish().expect_code(1);
        finished.expect_message(&[code, flag]);
    }
    Setup::new()
        .args(["run", "--sped", "1"])
        .finish()
        .expect_code(1)
        .expect_message(&["BH-CFG-001", "--sped"]);
}

#[test]
fn a_configuration_with_an_unknown_key_names_its_line() {
    let finished = Setup::new().world(&world("")).config("[run]\nspeeed = 1\n").finish().expect_code(1);
    finished.expect_message(&["BH-CFG-004", "config.toml:2", "speeed"]);
}

#[test]
fn a_plugin_folder_that_is_not_there() {
    let setup = Setup::new();
    let path = setup.path("absent");
    let setup = setup.world(&world("")).args(["--duration", "0.1s"]).arg("--plugin-path").arg(path);
    setup.finish().expect_code(0).expect_message(&["BH-PLG-001", "absent"]);
}

#[test]
fn a_result_that_could_not_be_written_is_said_before_the_run() {
    let setup = Setup::new().args(["run", "--result", "/nowhere/result.json", "--duration", "1s"]);
    setup.finish().expect_code(1).expect_message(&["BH-CFG-040", "/nowhere"]);
}

#[test]
fn a_model_of_impossible_mass() {
    let sdf = world(
        "<model name=\"ghost\"><link name=\"l\"><inertial>\n<mass>-1</mass>\n</inertial></link></model>",
    );
    assert_warning(&sdf, &["BH-SDF-050", "world.sdf:"]);
}
