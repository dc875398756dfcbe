//! Saving the world of a running host, and which files may be overwritten.

use std::fs;

use bridgehead_lifecycle::{Interrupt, StartIn, State};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::driver::{Driver, world};
use crate::config::RunConfig;
use crate::resources::Resource;
use crate::sim::{Overwrite, SaveError};

const ROAD: &str = "<!-- kept --><road name='lane'><width>3</width><point>0 0 0</point></road>";

fn paused(more: &str) -> Driver {
    let mut driver = Driver::new();
    let uri = driver.write("w.sdf", &world("w", more));
    driver.load(Resource::at(uri), StartIn::Paused).expect("loaded");
    driver
}

#[test]
fn a_saved_world_is_loaded_in_its_saved_state() {
    let mut driver = paused(ROAD);
    driver.step(200);
    let target = driver.path("saved.sdf");
    let saved = driver.sim.save_to(&target, Overwrite::Nothing).expect("saved");
    assert_eq!((&saved.path, saved.notes.len()), (&target, 0), "{:?}", saved.notes);
    assert!(fs::read_to_string(&target).expect("a text").contains("<!-- kept -->"));
    let height = |driver: &Driver| {
        let world = driver.sim.world().expect("a world");
        world.model_pose(0).expect("a pose").position.z
    };
    let before = height(&driver);
    assert!(before < 4.9, "it has fallen: {before}");
    driver.load(Resource::at("saved.sdf"), StartIn::Paused).expect("loaded");
    assert!((height(&driver) - before).abs() < 1e-9);
}

#[test]
fn no_file_is_overwritten_without_request_and_the_source_only_explicitly() {
    let mut driver = paused("");
    let (source, other) = (driver.path("w.sdf"), driver.path("other.sdf"));
    fs::write(&other, "something").expect("written");
    let link = driver.path("link.sdf");
    fs::hard_link(&source, &link).expect("linked");
    let original = fs::read_to_string(&source).expect("a text");
    let refused =
        |driver: &mut Driver, path, overwrite| driver.sim.save_to(path, overwrite).expect_err("refused");
    assert!(matches!(refused(&mut driver, &other, Overwrite::Nothing), SaveError::Exists(_)));
    assert!(matches!(refused(&mut driver, &source, Overwrite::Others), SaveError::Source(_)));
    assert!(matches!(refused(&mut driver, &link, Overwrite::Others), SaveError::Source(_)));
    let nowhere = driver.path("no/folder.sdf");
    assert!(matches!(refused(&mut driver, &nowhere, Overwrite::Nothing), SaveError::NotSaved(_)));
    assert_eq!(fs::read_to_string(&source).expect("a text"), original);
    assert_eq!(fs::read_to_string(&other).expect("a text"), "something");
    driver.sim.save_to(&other, Overwrite::Others).expect("saved");
    driver.step(100);
    driver.sim.save_to(&source, Overwrite::Source).expect("saved");
    assert_ne!(fs::read_to_string(&source).expect("a text"), original);
}

#[test]
fn camera_and_roads_are_kept_for_the_next_save_of_this_world_only() {
    let mut driver = paused(ROAD);
    driver.loaded().set_camera(Pose::from_rpy(DVec3::new(1.0, 2.0, 3.0), 0.0, 0.0, 0.0)).expect("set");
    driver.loaded().set_road("lane", vec![DVec3::ZERO, DVec3::new(7.0, 8.0, 0.0)]).expect("set");
    let error = driver.loaded().set_road("other", vec![DVec3::ZERO]).expect_err("refused").to_string();
    assert!(error.contains("`other`") && error.contains("lane"), "{error}");
    assert!(matches!(driver.loaded().set_road("lane", vec![]), Err(SaveError::Position(_))));
    assert!(matches!(driver.loaded().set_road("lane", vec![DVec3::NAN]), Err(SaveError::Position(_))));
    let lost = Pose::from_rpy(DVec3::INFINITY, 0.0, 0.0, 0.0);
    assert!(matches!(driver.loaded().set_camera(lost), Err(SaveError::Position(_))));
    let target = driver.path("saved.sdf");
    driver.sim.save_to(&target, Overwrite::Nothing).expect("saved");
    let text = fs::read_to_string(&target).expect("a text");
    assert!(text.contains("<pose>1 2 3 0 0 0</pose>") && text.contains("<point>7 8 0</point>"), "{text}");

    let request = driver.sim.prepare_reload(StartIn::Paused).expect("prepared");
    driver.carry_out(&request).expect("loaded");
    driver.sim.save_to(&target, Overwrite::Others).expect("saved");
    let text = fs::read_to_string(&target).expect("a text");
    assert!(!text.contains("camera") && !text.contains("<point>7 8 0</point>"), "{text}");
}

#[test]
fn saving_without_a_world_is_refused() {
    let mut driver = paused("");
    driver.ask(Interrupt::UnloadWorld);
    driver.until_state(State::NoWorld);
    let target = driver.path("saved.sdf");
    assert!(matches!(driver.sim.save_to(&target, Overwrite::Nothing), Err(SaveError::NoWorld)));
    assert!(driver.sim.loaded_mut().is_none());
    assert!(!target.exists());
}

#[test]
fn the_end_of_a_run_does_not_overwrite_a_world_that_was_loaded_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("end.sdf");
    let original = world("later", "");
    fs::write(&target, &original).expect("written");
    let mut driver = Driver::with(RunConfig { save: Some(target.clone()), ..RunConfig::default() });
    driver.load(Resource::at(target.display().to_string()), StartIn::Paused).expect("loaded");
    driver.step(50);
    driver.ask(Interrupt::Quit);
    driver.until_state(State::Quitting);
    assert_eq!(fs::read_to_string(&target).expect("a text"), original);
    assert!(
        driver.sim.errors().iter().any(|error| error.starts_with("[BH-RES-042]")),
        "{:?}",
        driver.sim.errors()
    );
}
