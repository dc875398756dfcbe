//! Loads that are refused while the old world stays, and loads that fail after it was unloaded.

use bridgehead_lifecycle::{Interrupt, StartIn, State};

use super::driver::{Driver, world};
use crate::config::RunConfig;
use crate::resources::{Resource, ResourceError};
use crate::sim::{LoadError, WorldLoad};

/// Returns a host that plays the world `old`.
fn playing() -> Driver {
    let mut driver = Driver::new();
    driver.load(Resource::of_text(world("old", "")), StartIn::Playing).expect("loaded");
    driver
}

fn refusal(result: Result<crate::resources::WorldResource, LoadError>) -> ResourceError {
    match result {
        Err(LoadError::Resource(error)) => error,
        other => panic!("not refused for the world: {other:?}"),
    }
}

#[test]
fn a_load_that_is_refused_at_once_keeps_the_old_world() {
    let mut driver = playing();
    type IsRight = fn(&ResourceError) -> bool;
    let cases: [(&str, IsRight); 4] = [
        ("", |error| *error == ResourceError::NoResource),
        ("world.docx", |error| matches!(error, ResourceError::UnsupportedFormat { .. })),
        ("missing.sdf", |error| matches!(error, ResourceError::NotFound { .. })),
        ("/no/such/world.sdf", |error| matches!(error, ResourceError::NotFound { .. })),
    ];
    for (uri, is_right) in cases {
        let error = refusal(driver.load(Resource::at(uri), StartIn::Stopped));
        assert!(is_right(&error), "{uri}: {error}");
        driver.turn();
        assert_eq!(driver.models(), ["old_box"], "{uri}");
        assert_eq!(driver.current_world().expect("a world").name, "old");
    }
    assert!(driver.state().is_step(), "it is still playing");
}

#[test]
fn a_load_that_fails_later_leaves_no_world_and_returns_the_reason() {
    let text = "<sdf version='1.9'>\n<world name='w'>\n<model";
    let mut driver = playing();
    let error = refusal(driver.load(Resource::of_text(text), StartIn::Stopped));
    let ResourceError::Parse { finding, .. } = &error else { panic!("{error}") };
    assert!(finding.contains("the text given:3:"), "{finding}");
    assert_eq!(driver.state(), State::NoWorld);
    assert!(driver.models().is_empty() && driver.current_world().is_none());

    let mut driver = playing();
    let uri = driver.write("broken.sdf", text);
    let error = refusal(driver.load(Resource::at(uri.clone()), StartIn::Stopped));
    assert!(error.to_string().contains(&format!("{uri}:3:")), "{error}");
    // The host continues to run, and can load another world.
    driver.load(Resource::of_text(world("new", "")), StartIn::Paused).expect("loaded");
    assert_eq!(driver.models(), ["new_box"]);
}

#[test]
fn only_a_bad_first_load_ends_a_host_without_keep_alive() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.sdf");
    std::fs::write(&path, world("w", "")).expect("written");
    let mut driver = Driver::with(RunConfig { world: Some(path), ..RunConfig::default() });
    driver.until_state(State::StepEnd);
    driver.load(Resource::of_text("<sdf/>"), StartIn::Stopped).expect_err("refused");
    assert_eq!(driver.state(), State::NoWorld);
    driver.load(Resource::of_text(world("new", "")), StartIn::Paused).expect("loaded");
    // If the first world of the process is bad, the host ends.
    let missing = Some(folder.path().join("missing.sdf"));
    let mut driver = Driver::with(RunConfig { world: missing, ..RunConfig::default() });
    driver.until_state(State::Quitting);
    assert_eq!(driver.sim.result().exit_code, 1);
}

/// Writes a world with a missing include, and one with a mesh of an unsupported format.
fn with_assets(driver: &Driver) -> [String; 2] {
    let include = world("w", "<include><uri>model://nowhere</uri></include>");
    driver.write("shape.blend", "not a mesh");
    let mesh = "<model name='m'><static>true</static><link name='l'><collision name='c'><geometry><mesh>\
                <uri>shape.blend</uri></mesh></geometry></collision></link></model>";
    [driver.write("missing.sdf", &include), driver.write("unusable.sdf", &world("w", mesh))]
}

#[test]
fn assets_are_refused_unless_they_are_to_be_ignored() {
    let mut driver = Driver::new();
    let [missing, unusable] = with_assets(&driver);
    let error = refusal(driver.load(Resource::at(missing.clone()), StartIn::Stopped));
    assert!(matches!(&error, ResourceError::MissingAssets { .. }), "{error}");
    assert!(error.to_string().contains("model://nowhere"), "{error}");
    let error = refusal(driver.load(Resource::at(unusable.clone()), StartIn::Stopped));
    assert!(matches!(&error, ResourceError::UnsupportedAssets { .. }), "{error}");
    assert!(error.to_string().contains("shape.blend"), "{error}");
    for uri in [missing, unusable] {
        let load = WorldLoad {
            resource: Resource::at(uri),
            ignore_missing_or_unsupported_assets: true,
            ..WorldLoad::default()
        };
        driver.load_as(load, StartIn::Stopped).expect("loaded");
    }
}

#[test]
fn elements_without_effect_are_refused_only_on_request() {
    let mut driver = Driver::new();
    for more in ["<gui/>", "<tyop/>", "<plugin filename='nobody' name='p'/>"] {
        let resource = Resource::of_text(world("w", more));
        driver.load(resource.clone(), StartIn::Stopped).expect("loaded");
        let load = WorldLoad { resource, fail_on_unsupported_element: true, ..WorldLoad::default() };
        let error = refusal(driver.load_as(load, StartIn::Stopped));
        assert!(matches!(&error, ResourceError::UnsupportedElements { .. }), "{more}: {error}");
        assert_eq!(driver.state(), State::NoWorld);
    }
    let about = "<bridgehead:world><tag>t</tag></bridgehead:world>";
    let load = WorldLoad {
        resource: Resource::of_text(world("w", about)),
        fail_on_unsupported_element: true,
        ..WorldLoad::default()
    };
    driver.load_as(load, StartIn::Stopped).expect("our own elements have an effect");
}

#[test]
fn a_load_that_the_lifecycle_refuses_ends_with_the_refusal() {
    let mut driver = playing();
    let load = WorldLoad { resource: Resource::of_text(world("late", "")), ..WorldLoad::default() };
    let request = driver.sim.worlds.prepare(load, StartIn::Stopped).expect("prepared");
    driver.ask(Interrupt::Quit);
    driver.until_state(State::Quitting);
    driver.ask(Interrupt::LoadWorld(request.clone()));
    driver.turn();
    let end = driver.sim.worlds.take_end(&request).expect("an end");
    assert!(matches!(end.result, Err(LoadError::Failed(_))), "{end:?}");
    assert_eq!(driver.sim.worlds.take_end(&request), None);
}
