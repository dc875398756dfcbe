//! Saving the world of a running host, and which files may be overwritten.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use bridgehead_lifecycle::{Interrupt, StartIn, State};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::driver::{Driver, world};
use crate::config::RunConfig;
use crate::resources::Resource;
use crate::sim::{Overwrite, SaveError};

const SAVED: &str = "saved.sdf";
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
    let saved = driver.sim.save_to(Path::new(SAVED), Overwrite::Nothing).expect("saved");
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

/// Saves to a path that must be refused. Returns the code of the error.
#[track_caller]
fn refused(driver: &mut Driver, path: impl AsRef<Path>, overwrite: Overwrite) -> String {
    let error = driver.sim.save_to(path.as_ref(), overwrite).expect_err("refused").to_string();
    error.get(1..11).expect("a code").to_owned()
}

#[test]
fn no_file_is_overwritten_without_request_and_the_source_only_explicitly() {
    let mut driver = paused("");
    let (source, other) = (driver.path("w.sdf"), driver.path("other.sdf"));
    fs::write(&other, world("other", "")).expect("written");
    fs::hard_link(&source, driver.path("link.sdf")).expect("linked");
    let original = fs::read_to_string(&source).expect("a text");
    assert_eq!(refused(&mut driver, "other.sdf", Overwrite::Nothing), "BH-RES-041");
    assert_eq!(refused(&mut driver, "w.sdf", Overwrite::Others), "BH-RES-042");
    assert_eq!(refused(&mut driver, "link.sdf", Overwrite::Others), "BH-RES-042");
    assert_eq!(refused(&mut driver, "no/folder.sdf", Overwrite::Nothing), "BH-SIM-206");
    assert_eq!(fs::read_to_string(&source).expect("a text"), original);
    assert_eq!(fs::read_to_string(&other).expect("a text"), world("other", ""));
    driver.sim.save_to(Path::new("other.sdf"), Overwrite::Others).expect("saved");
    driver.step(100);
    driver.sim.save_to(Path::new("./w.sdf"), Overwrite::Source).expect("saved");
    assert_ne!(fs::read_to_string(&source).expect("a text"), original);
}

#[test]
fn a_world_is_saved_inside_the_output_folder_only() {
    let mut driver = paused("");
    let outside = tempfile::tempdir().expect("a folder");
    let victim = outside.path().join("victim.sdf");
    fs::write(&victim, world("victim", "")).expect("written");
    symlink(outside.path(), driver.path("way_out")).expect("linked");
    symlink(&victim, driver.path("alias.sdf")).expect("linked");
    symlink(outside.path().join("absent.sdf"), driver.path("dangling.sdf")).expect("linked");
    fs::create_dir(driver.path("inner")).expect("a folder");
    symlink(driver.path("inner"), driver.path("way_in")).expect("linked");
    let absolute = driver.path("saved.sdf").display().to_string();
    let long = format!("{}x.sdf", "a/".repeat(3000));
    let paths = [
        victim.to_str().expect("a text"),
        &absolute,
        "../x.sdf",
        "inner/../../x.sdf",
        "inner/../x.sdf",
        "..",
        ".",
        "",
        "/",
        "way_out/x.sdf",
        "way_out/victim.sdf",
        "way_in/../x.sdf",
        "alias.sdf",
        "dangling.sdf",
        "x\0y.sdf",
        &long,
    ];
    for path in paths {
        for overwrite in [Overwrite::Nothing, Overwrite::Others, Overwrite::Source] {
            assert_eq!(refused(&mut driver, path, overwrite), "BH-RES-045", "{path} {overwrite:?}");
        }
    }
    assert_eq!(fs::read_to_string(&victim).expect("a text"), world("victim", ""));
    assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 1, "nothing was written there");
    for path in ["inner/x.sdf", "way_in/y.sdf", "./z.sdf"] {
        driver.sim.save_to(Path::new(path), Overwrite::Nothing).expect("saved");
    }
}

#[test]
fn only_worlds_are_overwritten() {
    let mut driver = paused("");
    let model = "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>";
    let binary: &[u8] = &[0xff, 0xfe, 0];
    let others: [(&str, &[u8]); 5] = [
        ("notes.txt", b"something"),
        ("empty", b""),
        ("binary", binary),
        ("model.sdf", model.as_bytes()),
        ("half.sdf", b"<sdf version='1.9'><world name='w'>"),
    ];
    for (name, content) in others {
        fs::write(driver.path(name), content).expect("written");
        assert_eq!(refused(&mut driver, name, Overwrite::Others), "BH-RES-046", "{name}");
        assert_eq!(refused(&mut driver, name, Overwrite::Nothing), "BH-RES-041", "{name}");
        assert_eq!(fs::read(driver.path(name)).expect("read"), content, "{name}");
    }
    fs::create_dir(driver.path("folder.sdf")).expect("a folder");
    assert_eq!(refused(&mut driver, "folder.sdf", Overwrite::Others), "BH-RES-046");
    driver.write("old.sdf", &world("old", ""));
    driver.sim.save_to(Path::new("old.sdf"), Overwrite::Others).expect("saved");
    assert!(fs::read_to_string(driver.path("old.sdf")).expect("a text").contains("w_box"));
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
    driver.sim.save_to(Path::new(SAVED), Overwrite::Nothing).expect("saved");
    let text = fs::read_to_string(&target).expect("a text");
    assert!(text.contains("<pose>1 2 3 0 0 0</pose>") && text.contains("<point>7 8 0</point>"), "{text}");

    let request = driver.sim.prepare_reload(StartIn::Paused).expect("prepared");
    driver.carry_out(&request).expect("loaded");
    driver.sim.save_to(Path::new(SAVED), Overwrite::Others).expect("saved");
    let text = fs::read_to_string(&target).expect("a text");
    assert!(!text.contains("camera") && !text.contains("<point>7 8 0</point>"), "{text}");
}

#[test]
fn saving_without_a_world_is_refused() {
    let mut driver = paused("");
    driver.ask(Interrupt::UnloadWorld);
    driver.until_state(State::NoWorld);
    let target = driver.path("saved.sdf");
    assert!(matches!(driver.sim.save_to(Path::new(SAVED), Overwrite::Nothing), Err(SaveError::NoWorld)));
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
