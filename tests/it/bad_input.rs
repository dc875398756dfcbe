//! Tests of invalid worlds, bridges and configurations: the error contains a code, the place, what was expected and
//! what to try.

use crate::support::{Finished, Setup, vehicle, world};

/// Runs a world for 0.1 s.
fn run(sdf: &str) -> Finished {
    Setup::new().plugins(&["clock"]).world(sdf).args(["--duration", "0.1s"]).finish()
}

/// Runs it with `--strict`.
fn run_strictly(sdf: &str) -> Finished {
    Setup::new().plugins(&["clock"]).world(sdf).args(["--duration", "0.1s", "--strict"]).finish()
}

/// Checks that the problem is a warning and the rest runs; with `--strict` it ends the run before the first step.
#[track_caller]
fn assert_warning(sdf: &str, texts: &[&str]) {
    let finished = run(sdf).expect_code(0).expect_message(texts);
    assert_eq!(finished.result()["steps"], 100, "the rest runs\n{finished}");
    run_strictly(sdf).expect_code(1).expect_message(texts);
}

/// Checks that the problem is an error, that the rest runs and the run is a failure, unless losses are ignored; with
/// `--strict` it ends the run before the first step.
#[track_caller]
fn assert_loss(sdf: &str, texts: &[&str]) {
    let finished = run(sdf).expect_code(9).expect_message(texts);
    let result = finished.result();
    assert_eq!((&result["steps"], &result["outcome"]), (&100.into(), &"failure".into()), "{finished}");
    assert!(texts.iter().all(|text| result["errors"].to_string().contains(text)), "{finished}");
    let setup =
        Setup::new().plugins(&["clock"]).world(sdf).args(["--duration", "0.1s", "--on-loss", "ignore"]);
    drop(setup.finish().expect_code(0).expect_message(texts));
    run_strictly(sdf).expect_code(1).expect_message(texts);
}

#[test]
fn a_missing_world_is_an_error() {
    let setup = Setup::new();
    let path = setup.path("absent.sdf");
    setup.run(&path).finish().expect_code(1).expect_message(&["BH-SDF-001", "absent.sdf"]);
}

#[test]
fn a_world_with_invalid_xml_is_an_error() {
    let finished = run("<sdf version=\"1.9\">\n  <world name=\"w\">\n  </word>\n</sdf>\n").expect_code(1);
    finished.expect_message(&["BH-SDF-003", "world.sdf:3"]);
}

#[test]
fn a_world_of_plain_text_is_an_error() {
    run("hello\n").expect_code(1).expect_message(&["BH-SDF-", "world.sdf"]);
}

#[test]
fn a_world_in_another_format_is_an_error() {
    run("<OpenDRIVE name=\"r\"/>\n").expect_code(1).expect_message(&["BH-SDF-004", "world.sdf:1"]);
}

#[test]
fn a_missing_mesh_of_a_collision_is_a_loss() {
    let sdf = world(
        "<model name=\"statue\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry>\n\
         <mesh><uri>statue.stl</uri></mesh>\n</geometry></collision></link></model>",
    );
    assert_loss(&sdf, &["BH-SDF-060", "world.sdf:5", "statue.stl"]);
}

#[test]
fn a_tree_of_too_many_screws_is_a_loss() {
    let link = |number: usize| {
        let inertial = "<inertial><mass>1</mass></inertial>";
        format!("<link name=\"l{number}\"><pose>{number} 0 0 0 0 0</pose>{inertial}</link>\n")
    };
    let joint = |number: usize| {
        let (parent, child) = (format!("l{number}"), format!("l{}", number + 1));
        let ends = format!("<parent>{parent}</parent><child>{child}</child>");
        format!("<joint name=\"j{number}\" type=\"screw\">{ends}<axis><xyz>0 1 0</xyz></axis></joint>\n")
    };
    let parts: String = (0..3000).map(link).chain((0..2999).map(joint)).collect();
    let sdf = world(&format!("<model name=\"chain\">\n{parts}</model>"));
    assert_loss(&sdf, &["BH-PHY-029", "2999 joints of model `chain`", "at most 300"]);
    let setup = Setup::new();
    let file = setup.file("world.sdf", &sdf);
    setup.arg("check").arg(file).finish().expect_message(&["BH-PHY-029"]);
}

#[test]
fn an_unknown_include_is_an_error_of_the_run_and_the_rest_runs() {
    let sdf = world("<include>\n<uri>model://unicorn</uri>\n</include>");
    let texts = ["error[BH-SDF-060]", "world.sdf:", "model://unicorn"];
    let finished = run(&sdf).expect_code(9).expect_message(&texts);
    let result = finished.result();
    assert_eq!(result["steps"], 100, "the rest runs\n{finished}");
    let errors = result["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), 1, "{finished}");
    assert!(errors[0].as_str().is_some_and(|error| error.contains("model://unicorn")), "{finished}");
    run_strictly(&sdf).expect_code(1).expect_message(&texts);
    let setup = Setup::new();
    let file = setup.file("world.sdf", &sdf);
    setup.arg("check").arg(file).finish().expect_code(1).expect_message(&["world.sdf: INVALID"]);
}

#[test]
fn an_unknown_plugin_is_a_warning() {
    let sdf = world(&vehicle("car1", "<plugin filename=\"warp_drive\" name=\"drive\"/>"));
    assert_warning(&sdf, &["BH-PLG-093", "world.sdf:6", "warp_drive", "clock"]);
}

#[test]
fn unsupported_names_are_each_reported_once() {
    let tags = "<link name=\"mast\">\n<sensor name=\"left\" type=\"rfid\"/>\n<sensor name=\"right\" \
                   type=\"rfid\"/>\n</link><plugin filename=\"libgz-sim-lens-flare-system.so\" name=\"t\"/>";
    let sdf = world(&vehicle("car1", tags));
    assert_warning(&sdf, &["BH-PLG-110", "sensor type `rfid`", "2 times, first at", "world.sdf:7"]);
    let unsupported = run(&sdf).result()["unsupported"].clone();
    let names: Vec<_> = unsupported.as_array().into_iter().flatten().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["rfid", "gz-sim-lens-flare-system"]);
}

#[test]
fn the_error_about_a_wrong_parameter_names_the_plugin_and_its_place() {
    let sdf =
        world("<plugin filename=\"clock\" name=\"clock\">\n<update_rate>often</update_rate>\n</plugin>");
    let finished = run(&sdf).expect_code(0).expect_message(&["clock", "world.sdf:5", "often", "a number"]);
    assert_eq!(finished.result()["steps"], 100);
    run_strictly(&sdf).expect_code(4).expect_message(&["often"]);
}

/// Runs a world with one vehicle and this argument of `--bridge`.
fn run_with(argument: &str) -> Finished {
    let setup = Setup::new().plugins(&["clock", "logging"]).world(&world(&vehicle("car1", "")));
    setup.args(["--duration", "0.1s"]).bridge(argument).finish()
}

#[test]
fn the_error_about_an_unknown_bridge_lists_all_bridges() {
    run_with("world=loging:run.mcap").expect_code(1).expect_message(&["BH-BRG-020", "loging", "logging"]);
}

#[test]
fn the_bridge_explains_an_invalid_connection_string() {
    let finished = run_with("world=logging:run.pdf").expect_code(1);
    finished.expect_message(&["BH-BRG-021", "run.pdf", "BH-BRG-110", ".mcap"]);
}

#[test]
fn the_error_about_an_unknown_vehicle_lists_all_vehicles() {
    run_with("car7=logging:run.mcap").expect_code(1).expect_message(&["BH-BRG-023", "car7", "car1"]);
}

#[test]
fn the_error_about_an_incomplete_bridge_argument_shows_its_form() {
    run_with("logging").expect_code(1).expect_message(&["BH-CFG-020", "WHERE=NAME:CONNECTION"]);
    run_with("car1=logging").expect_code(1).expect_message(&["BH-CFG-020", "`:`"]);
}

#[test]
fn invalid_values_of_flags_and_unknown_flags_are_errors() {
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
fn the_error_about_an_unknown_configuration_key_names_its_line() {
    let finished = Setup::new().world(&world("")).config("[run]\nspeeed = 1\n").finish().expect_code(1);
    finished.expect_message(&["BH-CFG-004", "config.toml:2", "speeed"]);
}

#[test]
fn a_missing_plugin_folder_is_reported_and_the_run_succeeds() {
    let setup = Setup::new();
    let path = setup.path("absent");
    let setup = setup.world(&world("")).args(["--duration", "0.1s"]).arg("--plugin-path").arg(path);
    setup.finish().expect_code(0).expect_message(&["BH-PLG-001", "absent"]);
}

#[test]
fn an_unwritable_result_file_ends_the_start() {
    let setup = Setup::new().args(["run", "--result", "/nowhere/result.json", "--duration", "1s"]);
    setup.finish().expect_code(1).expect_message(&["BH-CFG-040", "/nowhere"]);
}

#[test]
fn a_negative_mass_is_a_warning() {
    let sdf = world(
        "<model name=\"ghost\"><link name=\"l\"><inertial>\n<mass>-1</mass>\n</inertial></link></model>",
    );
    assert_warning(&sdf, &["BH-SDF-050", "world.sdf:"]);
}

/// Names that a terminal would carry out, or that begin a line of their own, on standard output.
#[test]
fn names_of_files_cannot_forge_the_output() {
    const FORGED: &str = "w&#27;[2J&#155;31m&#13;&#10;error: FAKE";
    let world = format!(
        "<?xml version='1.1'?><sdf version='1.9'><world name='{FORGED}'><model name='{FORGED}'><pose>{FORGED}</pose>
         <link name='{FORGED}'/><plugin name='{FORGED}' filename='{FORGED}'/></model></world></sdf>"
    );
    for words in [
        &["check", "w.sdf"][..],
        &["world", "check", "w.sdf"],
        &["world", "print", "w.sdf"],
        &["plugin", "list"],
    ] {
        let setup = Setup::new();
        setup.file("w.sdf", &world);
        let library = setup.plugin_folder().join("lib\u{1b}[31m\nerror: FAKE.so");
        std::fs::write(&library, "no library").expect("written");
        let folder = setup.plugin_folder();
        let finished =
            words.iter().fold(setup, |setup, word| setup.arg(word)).arg("--plugin-path").arg(folder);
        let finished = if words[0] == "world" {
            let setup = Setup::new();
            setup.file("w.sdf", &world);
            words.iter().fold(setup, |setup, word| setup.arg(word)).finish()
        } else {
            finished.finish()
        };
        let shown = finished.stdout();
        assert!(!shown.chars().any(|letter| letter.is_control() && letter != '\n'), "{words:?}: {shown:?}");
        assert!(!shown.lines().any(|line| line.starts_with("error: FAKE")), "{words:?}: {shown}");
    }
}
