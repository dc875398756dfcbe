//! Words of Gazebo and CLOiSim on the command line, and worlds that are found by their names.

use std::fs;

use crate::support::{Finished, Setup};

const WORLD: &str = "<sdf version=\"1.9\"><world name=\"w\"><physics name=\"p\" type=\"ode\">\
                     <max_step_size>0.002</max_step_size></physics></world></sdf>";

#[track_caller]
fn refused(arguments: &[&str], texts: &[&str]) {
    let setup = arguments.iter().fold(Setup::new(), |setup, argument| setup.arg(argument));
    setup.finish().expect_code(1).expect_message(texts);
}

#[test]
fn commands_of_gazebo_are_answered_with_ours() {
    let translated = "try: bridgehead run -v --iterations 1000 w.sdf";
    refused(&["sim", "-s", "-r", "-v", "4", "--iterations", "1000", "w.sdf"], &["BH-CFG-001", "`sim`"]);
    refused(&["sim", "-s", "-r", "-v", "4", "--iterations", "1000", "w.sdf"], &[translated]);
    refused(&["model", "--list"], &["try: bridgehead ctl entities"]);
    refused(&["sdf", "-k", "w.sdf"], &["try: bridgehead world check w.sdf"]);
    refused(&["sdf", "-p", "w.sdf"], &["try: bridgehead world print --sdf w.sdf"]);
}

#[test]
fn commands_of_ros_and_words_without_their_command_are_answered() {
    refused(&["node", "list"], &["`node` is a command of ROS 2", "try: bridgehead ctl plugins"]);
    refused(&["bag", "record", "-a"], &["try: bridgehead run world.sdf --record run.mcap"]);
    refused(&["bag", "play", "a.mcap"], &["try: bridgehead view a.mcap"]);
    refused(&["param", "list"], &["`param` is a command of ROS 2"]);
    refused(&["interface", "show", "std_msgs/msg/Bool"], &["`interface` is a command of ROS 2"]);
    refused(&["launch", "a", "b.launch.py"], &["try: bridgehead run world.sdf --config run.toml"]);
    refused(&["pause"], &["`pause` is a command of `bridgehead ctl`", "try: bridgehead ctl pause"]);
    refused(&["status", "--json"], &["try: bridgehead ctl status --json"]);
    refused(&["hz", "/clock"], &["try: bridgehead topic hz /clock"]);
    refused(&["version"], &["try: bridgehead --version"]);
    refused(&["help"], &["try: bridgehead --help"]);
}

#[test]
fn flags_of_gazebo_and_cloisim_are_answered_with_ours() {
    refused(&["run", "-r", "w.sdf"], &["`-r` is a flag of Gazebo", "plays at once"]);
    refused(&["run", "-s", "w.sdf", "-v", "4"], &["try: bridgehead run w.sdf -v"]);
    refused(&["run", "-world", "w.world"], &["`-world` is a flag of CLOiSim"]);
}

#[test]
fn iterations_are_steps_of_the_world() {
    let setup = Setup::new();
    let world = setup.file("w.sdf", WORLD);
    let finished = setup.run(&world).args(["--iterations", "25"]).finish().expect_code(0);
    assert_eq!(finished.result()["steps"], 25);
    let setup = Setup::new();
    let world = setup.file("w.sdf", WORLD);
    let finished = setup.run(&world).args(["--steps", "25", "--duration", "20ms"]).finish().expect_code(0);
    assert_eq!(finished.result()["steps"], 10, "the earlier limit ends the run");
}

/// A world in a folder beside that of the run.
fn stored(name: &str) -> Setup {
    let setup = Setup::new();
    fs::create_dir_all(setup.path("store")).expect("a folder");
    setup.file(&format!("store/{name}"), WORLD);
    setup
}

#[track_caller]
fn expect_steps(finished: &Finished) {
    assert_eq!(finished.result()["steps"], 5);
}

#[test]
fn worlds_are_found_in_the_folders_of_the_variables() {
    for (variable, name) in
        [("GZ_SIM_RESOURCE_PATH", "w.sdf"), ("SDF_PATH", "w.sdf"), ("CLOISIM_WORLD_PATH", "w.world")]
    {
        let setup = stored(name);
        let store = setup.path("store");
        let run = setup.run(name.as_ref()).args(["--steps", "5"]).env(variable, &store);
        expect_steps(&run.finish().expect_code(0).expect_message(&["the world `w.", "store/w."]));
        for command in [&["check"][..], &["world", "check"], &["world", "print"]] {
            let setup = stored(name);
            let store = setup.path("store");
            let setup = command.iter().fold(setup, |setup, word| setup.arg(word)).arg(name);
            setup.env(variable, &store).finish().expect_code(0);
        }
    }
}

#[test]
fn a_world_that_is_nowhere_is_reported_with_the_searched_places() {
    let setup = stored("other.sdf");
    let store = setup.path("store");
    let run = setup.run("w.sdf".as_ref()).env("SDF_PATH", &store);
    let finished = run.finish().expect_code(1).expect_message(&["BH-RES-003", "`w.sdf`", "store/w.sdf"]);
    assert!(finished.result()["errors"][0].as_str().is_some_and(|text| text.contains("BH-RES-003")));
    let setup = stored("other.sdf");
    let store = setup.path("store");
    let check = setup.args(["world", "check", "w.sdf"]).env("SDF_PATH", &store);
    check.finish().expect_code(1).expect_message(&["`w.sdf` was not found", "store/w.sdf"]);
}

#[test]
fn an_address_of_fuel_reads_the_cache_or_says_how_to_fill_it() {
    const ADDRESS: &str = "https://fuel.gazebosim.org/1.0/OpenRobotics/worlds/Shapes";
    let setup = Setup::new().run(ADDRESS.as_ref());
    let finished = setup.finish().expect_code(1);
    let finished = finished.expect_message(&["BH-RES-003", ADDRESS]);
    finished.expect_message(&["try: `gz fuel download -u https://fuel.gazebosim.org"]);

    let setup = Setup::new();
    let folder = setup.path("home/.gz/fuel/fuel.gazebosim.org/openrobotics/worlds/shapes/2");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("shapes.sdf"), WORLD).expect("a file");
    expect_steps(&setup.run(ADDRESS.as_ref()).args(["--steps", "5"]).finish().expect_code(0));
}
