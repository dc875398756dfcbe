//! A model that is alone in its file stands on a floor.

use serde_json::{Value, json};

use crate::support::{PAUSED, Served, Setup, assert_near, eventually};

const BOX: &str = "<sdf version='1.9'><model name='crate'><link name='l'><collision name='c'><geometry><box>\
    <size>1 1 1</size></box></geometry></collision></link></model></sdf>";

fn started(setup: Setup) -> Served {
    let host = Served::start(setup.args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    host
}

/// Starts a host with a text as its file.
fn start(name: &str, text: &str) -> Served {
    let setup = Setup::new();
    let file = setup.file(name, text);
    started(setup.run(&file))
}

fn names(host: &Served) -> Value {
    host.ok("get_entities", json!({}))["entities"].clone()
}

fn height(host: &Served) -> f64 {
    let state = host.ok("get_entity_state", json!({"entity": "crate"}));
    state["state"]["pose"]["position"]["z"].as_f64().expect("a number")
}

#[test]
fn a_model_alone_stands_and_the_run_says_on_what() {
    let host = start("crate.sdf", BOX);
    assert_eq!(names(&host), json!(["crate", "ground_plane"]));
    host.ok("step_simulation", json!({"steps": 3000}));
    assert_near(height(&host), 0.0, 1e-3);
    host.ok("save_snapshot", json!({"path": "at_3s.snapshot"}));
    host.ok("step_simulation", json!({"steps": 100}));
    let after = host.ok("get_entities_states", json!({}));
    host.ok("restore_snapshot", json!({"path": "at_3s.snapshot"}));
    host.ok("step_simulation", json!({"steps": 100}));
    assert_eq!(host.ok("get_entities_states", json!({})), after);
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    drop(finished.expect_message(&["a model and no world around it", "a floor at z = -0.5 m"]));
}

#[test]
fn a_saved_model_is_the_model_alone() {
    let setup = Setup::new();
    let file = setup.file("crate.sdf", BOX);
    let saved = setup.path("out/saved.sdf");
    let host = started(setup.run(&file));
    host.ok("set_entity_state", json!({"entity": "crate", "state": {"pose": {"position": {"x": 2.0}}}}));
    host.ok("save_world", json!({"path": "saved.sdf"}));
    let text = std::fs::read_to_string(&saved).expect("the file");
    assert!(text.contains("crate") && !text.contains("ground_plane"), "{text}");
    let again = start("crate.sdf", &text);
    again.ok("step_simulation", json!({"steps": 1000}));
    assert_near(height(&again), 0.0, 1e-3);
}

#[test]
fn a_model_in_a_world_falls_if_nothing_is_below_it() {
    let inside = BOX.replace("<model", "<world name='w'><model").replace("</model>", "</model></world>");
    let host = start("world.sdf", &inside);
    assert_eq!(names(&host), json!(["crate"]));
    host.ok("step_simulation", json!({"steps": 1000}));
    assert!(height(&host) < -4.0);
}
