//! Loads that succeed, in different orders, and their state and memory afterwards.

use std::fs;
use std::process::Command;

use bridgehead_lifecycle::{Interrupt, Outcome, ResetRequest, ResetScope, StartIn, State};

use super::driver::{Driver, world};
use crate::config::RunConfig;
use crate::resources::{Resource, WorldQuery};
use crate::sim::{LoadError, WorldLoad};

const TAGS: &str = "<bridgehead:world><description>A hall.</description><tag>indoor</tag></bridgehead:world>";

#[test]
fn a_host_without_a_world_waits_loads_one_and_quits_with_success() {
    let mut driver = Driver::new();
    for _ in 0..5 {
        driver.rest();
    }
    assert_eq!(driver.state(), State::NoWorld);
    assert!(driver.current_world().is_none());
    let uri = driver.write("one.sdf", &world("one", TAGS));
    let loaded = driver.load(Resource::at(uri.clone()), StartIn::Stopped).expect("loaded");
    assert_eq!(driver.state(), State::Stopped);
    assert_eq!((loaded.name.as_str(), loaded.description.as_str()), ("one", "A hall."));
    assert_eq!(loaded.tags, ["indoor"]);
    assert_eq!(loaded.resource, Resource::at(uri));
    assert_eq!(driver.current_world(), Some(&loaded));
    assert_eq!(driver.models(), ["one_box"]);

    driver.ask(Interrupt::UnloadWorld);
    driver.until_state(State::NoWorld);
    assert!(driver.current_world().is_none() && driver.models().is_empty());
    driver.ask(Interrupt::Quit);
    driver.until_state(State::Quitting);
    assert_eq!(driver.sim.result().outcome, Outcome::Stopped);
    assert_eq!(driver.sim.result().exit_code, 0);
}

#[test]
fn another_world_replaces_one_that_is_playing() {
    let mut driver = Driver::new();
    let one = driver.write("one.sdf", &world("one", ""));
    let two = driver.write("two.sdf", &world("two", ""));
    driver.load(Resource::at(one), StartIn::Playing).expect("loaded");
    driver.until(|sim| sim.now().step > 20);
    let loaded = driver.load(Resource::at(two.clone()), StartIn::Stopped).expect("loaded");
    assert_eq!(driver.models(), ["two_box"]);
    assert_eq!(loaded.resource.uri, two);
    assert_eq!((driver.sim.now().step, driver.sim.now().time_ns), (0, 0), "time begins at 0 again");
    assert_eq!(driver.sim.now().reset_epoch, 1, "a new epoch");
    // By the name from a list, while a world is loaded.
    for world in driver.sim.worlds.library().worlds(&WorldQuery::default()).worlds {
        let by_name = driver.load(Resource::at(world.name.clone()), StartIn::Stopped).expect("loaded");
        assert_eq!(by_name.name, world.name);
    }
    let relative = driver.load(Resource::at("one.sdf"), StartIn::Stopped).expect("beside the loaded world");
    assert_eq!(relative.name, "one");
}

#[test]
fn a_world_given_as_text_is_loaded_and_reloaded() {
    let mut driver = Driver::new();
    let text = world("told", "");
    let loaded = driver.load(Resource::of_text(text.clone()), StartIn::Paused).expect("loaded");
    assert_eq!(loaded.resource.text, text);
    driver.step(10);
    let again = driver.sim.prepare_reload(StartIn::Stopped).expect("prepared");
    assert_eq!(driver.carry_out(&again).expect("loaded"), loaded);
}

#[test]
fn a_reload_reads_the_file_again() {
    let mut driver = Driver::new();
    let uri = driver.write("w.sdf", &world("before", ""));
    driver.load(Resource::at(uri.clone()), StartIn::Paused).expect("loaded");
    driver.write("w.sdf", &world("after", TAGS));
    let request = driver.sim.prepare_reload(StartIn::Paused).expect("prepared");
    let loaded = driver.carry_out(&request).expect("loaded");
    assert_eq!((loaded.name.as_str(), loaded.resource.uri.as_str()), ("after", uri.as_str()));
    assert_eq!(driver.models(), ["after_box"]);
    // A missing file is noticed while the world is still loaded.
    fs::remove_file(driver.path("w.sdf")).expect("removed");
    let error = driver.sim.prepare_reload(StartIn::Paused).expect_err("refused");
    assert!(error.to_string().starts_with("[BH-RES-003]"), "{error}");
    assert_eq!(driver.models(), ["after_box"]);
    driver.ask(Interrupt::UnloadWorld);
    driver.until_state(State::NoWorld);
    assert_eq!(driver.sim.prepare_reload(StartIn::Paused), Err(LoadError::NoWorld));
}

#[test]
fn the_world_of_the_command_line_is_reloaded_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.sdf");
    fs::write(&path, world("w", "")).expect("written");
    let config = RunConfig {
        world: Some(path.clone()),
        start: StartIn::Paused,
        keep_alive: true,
        ..RunConfig::default()
    };
    let mut driver = Driver::with(config);
    driver.until_state(State::Pause);
    let uri = path.display().to_string();
    assert_eq!(driver.current_world().expect("a world").resource, Resource::at(uri));
    driver.step(50);
    let first = driver.hash();
    let request = driver.sim.prepare_reload(StartIn::Paused).expect("prepared");
    driver.carry_out(&request).expect("loaded");
    driver.step(50);
    assert_eq!(driver.hash(), first, "the same steps of the same world");
}

/// Returns the number of bytes of this process in memory.
fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").expect("Linux");
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number") * 4096
}

/// Environment variable that is set if a test has the process to itself.
const ALONE: &str = "BRIDGEHEAD_TEST_ALONE";

/// Runs a test in a separate process, because the memory of a process is that of all tests in it.
#[track_caller]
fn run_alone(test: &str) {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).args(["--exact", test]).env(ALONE, "1").output().expect("a process");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && report.contains("1 passed"), "{report}");
}

#[test]
fn a_thousand_loads_and_unloads_do_not_leak_memory() {
    if std::env::var_os(ALONE).is_none() {
        return run_alone("sim::tests::loads::a_thousand_loads_and_unloads_do_not_leak_memory");
    }
    let mut driver = Driver::new();
    let uris = ["one", "two"].map(|name| driver.write(&format!("{name}.sdf"), &world(name, "")));
    let mut hashes = [None; 2];
    let mut before = 0;
    for round in 0..1000_usize {
        let which = round % 2;
        let resource = Resource::at(uris[which].clone());
        driver.load(resource, StartIn::Paused).expect("loaded");
        driver.step(3);
        assert_eq!(driver.hash(), *hashes[which].get_or_insert(driver.hash()), "round {round}");
        if round % 5 == 0 {
            driver.ask(Interrupt::UnloadWorld);
            driver.until_state(State::NoWorld);
        }
        if round % 7 == 0 {
            let broken = driver.load(Resource::of_text("<sdf version='1.9'><world"), StartIn::Paused);
            assert!(broken.is_err(), "round {round}");
        }
        if round == 200 {
            before = resident();
        }
    }
    // If the topics, results and errors of each world were kept, they would need more than this.
    let grown = resident().saturating_sub(before);
    assert!(grown < 8 << 20, "{} KiB more after 800 loads", grown >> 10);
    assert!(driver.sim.worlds.prepared.is_empty());
    assert!(driver.sim.errors().len() <= 1000);
}

#[test]
fn load_unload_load_reset_save_stop() {
    let mut driver = Driver::new();
    let uri = driver.write("w.sdf", &world("w", ""));
    driver.load(Resource::at(uri.clone()), StartIn::Playing).expect("loaded");
    driver.ask(Interrupt::UnloadWorld);
    driver.until_state(State::NoWorld);
    driver.load(Resource::at(uri), StartIn::Paused).expect("loaded");
    let fresh = driver.hash();
    driver.step(10);
    assert_ne!(driver.hash(), fresh);
    driver.ask(Interrupt::Reset(ResetRequest::standard(ResetScope::ALL)));
    driver.until_state(State::Stopped);
    assert_eq!(driver.hash(), fresh, "as it was loaded");
    driver.ask(Interrupt::Play);
    driver.until(|sim| sim.now().step > 5);
    driver.ask(Interrupt::Quit);
    driver.until_state(State::Quitting);
    assert_eq!(driver.sim.result().exit_code, 0);
}

#[test]
fn the_urgency_of_a_stop_does_not_outlast_the_run() {
    let mut driver = Driver::new();
    driver.load(Resource::of_text(world("w", "")), StartIn::Playing).expect("loaded");
    driver.ask(Interrupt::Stop);
    assert!(driver.shared().requests.is_end_requested());
    driver.until_state(State::Stopped);
    driver.rest();
    assert!(!driver.shared().requests.is_end_requested() && !driver.shared().requests.is_urgent());
    // A host that was started without a world continues to run after an abort too.
    driver.ask(Interrupt::Play);
    driver.until_state(State::StepEnd);
    driver.ask(Interrupt::Abort);
    driver.until_state(State::NoWorld);
    driver.rest();
    assert!(!driver.shared().requests.is_urgent());
    driver.load(Resource::of_text(world("w", "")), StartIn::Playing).expect("loaded");
}

#[test]
fn a_withdrawn_load_is_not_kept() {
    let mut driver = Driver::new();
    let load = WorldLoad { resource: Resource::of_text(world("w", "")), ..WorldLoad::default() };
    let request = driver.sim.worlds.prepare(load.clone(), StartIn::Stopped).expect("prepared");
    driver.sim.worlds.forget(&request);
    assert!(driver.sim.worlds.prepared.is_empty());
    for _ in 0..16 {
        driver.sim.worlds.prepare(load.clone(), StartIn::Stopped).expect("prepared");
    }
    assert_eq!(driver.sim.worlds.prepare(load, StartIn::Stopped), Err(LoadError::TooMany));
}
