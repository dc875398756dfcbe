//! `--set` and `[[value]]`: values of a world that a run sets by their paths.

use std::fs;

use crate::support::{Finished, Setup};

const WORLD: &str = "<sdf version='1.9'><world name='w'>\n<model name='box'><pose>0 0 1 0 0 0</pose><link name='b'/></model>\n\
                     <include><name>car</name><uri>car.sdf</uri></include>\n</world></sdf>\n";
const CAR: &str = "<sdf version='1.9'><model name='m'><link name='b'><inertial><mass>2</mass></inertial></link></model></sdf>\n";

fn setup(world: &str, car: &str) -> Setup {
    let setup = Setup::new();
    setup.file("car.sdf", car);
    setup.world(world).args(["--duration", "100ms"])
}

fn hash(finished: Finished) -> String {
    let result = finished.expect_code(0).result();
    result["state_hash"].as_str().expect("a hash").to_owned()
}

#[test]
fn a_set_value_acts_like_one_in_the_file() {
    let plain = hash(setup(WORLD, CAR).finish());
    let pose = hash(setup(WORLD, CAR).args(["--set", "world.model[box].pose=0 0 3 0 0 0"]).finish());
    let in_file = hash(setup(&WORLD.replace("0 0 1 ", "0 0 3 "), CAR).finish());
    assert_eq!(pose, in_file);
    assert_ne!(pose, plain);
    let config = "[[value]]\npath = 'world.model[box].pose'\nvalue = '0 0 3 0 0 0'\n";
    assert_eq!(hash(setup(WORLD, CAR).config(config).finish()), in_file);
}

#[test]
fn a_value_of_an_included_model_is_set_and_no_file_changes() {
    let pose = "<model name='m'><pose>0 0 5 0 0 0</pose>";
    let placed = CAR.replace("<model name='m'>", pose);
    let in_file = hash(setup(WORLD, &placed.replace("0 0 5 ", "0 0 7 ")).finish());
    let finished = setup(WORLD, &placed).args(["--set", "world.model[car].pose=0 0 7 0 0 0"]).finish();
    assert_eq!(fs::read_to_string(finished.path("car.sdf")).expect("the model"), placed);
    assert_eq!(fs::read_to_string(finished.path("world.sdf")).expect("the world"), WORLD);
    let names = fs::read_dir(finished.path("")).expect("a folder");
    assert!(!names.flatten().any(|entry| entry.file_name().to_string_lossy().contains("assigned")));
    assert_eq!(hash(finished), in_file);
}

#[test]
fn a_path_that_matches_nothing_ends_the_run_before_it_begins() {
    let nowhere =
        setup(WORLD, CAR).args(["--set", "world.model[bux].pose=0 0 3 0 0 0"]).finish().expect_code(1);
    nowhere.expect_message(&["BH-SDF-079", "world.model[bux].pose", "`model[box]`", "`include[car]`"]);
    let malformed = setup(WORLD, CAR).args(["--set", "world..pose=1"]).finish().expect_code(1);
    malformed.expect_message(&["BH-CFG-025", "world..pose"]);
}

/// A value that the reader would replace by a default, in the world and in an included model, in each command that sets
/// it.
#[test]
fn a_value_that_cannot_be_used_is_an_error() {
    let sized = WORLD.replace(
        "<link name='b'/>",
        "<link name='b'><inertial><mass>1</mass></inertial><collision name='c'><geometry><box><size>1 1 1</size></box>\
         </geometry></collision></link>",
    );
    for value in [
        "world.model[box].link[b].inertial.mass=heavy",
        "world.model[box].link[b].inertial.mass=-1",
        "world.model[box].link[b].collision[c].geometry.box.size=1 1",
        "world.model[box].pose=0 0",
        "world.model[car].link[b].inertial.mass=0",
    ] {
        let finished = setup(&sized, CAR).args(["--set", value]).finish().expect_code(1);
        drop(finished.expect_message(&["BH-SDF-081", value]));
        let (path, text) = value.split_once('=').expect("a value");
        let setup = Setup::new();
        setup.file("car.sdf", CAR);
        setup.file("w.sdf", &sized);
        let config = format!("[run]\nworld = 'w.sdf'\n[[value]]\npath = '{path}'\nvalue = '{text}'\n");
        setup.file("run.toml", config);
        drop(setup.args(["check", "run.toml"]).finish().expect_code(1).expect_message(&["BH-SDF-081"]));
        let setup = Setup::new();
        setup.file("car.sdf", CAR);
        setup.file("w.sdf", &sized);
        setup.file(
            "c.toml",
            format!("[campaign]\nduration = '1ms'\n[matrix]\nworld = 'w.sdf'\n'{path}' = '{text}'\n"),
        );
        let planned = setup.args(["campaign", "run", "c.toml"]).finish().expect_code(1);
        drop(planned.expect_message(&["BH-CAM-009", "BH-SDF-081", value]));
    }
    // A fault that the file has without the value is not the value's.
    let faulty = sized.replace("<mass>1</mass>", "<mass>heavy</mass>");
    drop(setup(&faulty, CAR).args(["--set", "world.model[box].pose=0 0 3 0 0 0"]).finish().expect_code(0));
}

#[test]
fn a_run_that_sets_values_does_not_save_its_world() {
    let arguments = ["--set", "world.model[box].pose=0 0 3 0 0 0", "--save", "saved.sdf"];
    let finished = setup(WORLD, CAR).args(arguments).finish().expect_code(1);
    let finished = finished.expect_message(&["BH-CFG-040", "saved.sdf", "world.model[box].pose"]);
    assert!(!finished.path("saved.sdf").exists());
}

#[test]
fn the_dumped_configuration_has_the_values() {
    let setup = Setup::new();
    let world = setup.file("world.sdf", WORLD);
    let setup = setup.arg("dump").arg(world).args(["--set", "world.model[box].pose=0 0 3 0 0 0"]);
    let dumped = setup.finish().expect_code(0).stdout();
    assert!(dumped.contains("[[value]]") && dumped.contains("value = \"0 0 3 0 0 0\""), "{dumped}");
}
