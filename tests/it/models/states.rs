//! Worlds of models that are saved, and snapshots of them.

use serde_json::{Value, json};

use super::{MODELS, step};
use crate::support::{Served, Setup, worlds};

/// A world that is written unchanged runs as the file in the repository does.
#[test]
fn saved_worlds_run_alike() {
    for model in MODELS {
        let hash = |setup: Setup| {
            let finished = setup.args(["--duration", "2s", "--speed", "unlimited", "--seed", "1"]).finish();
            finished.expect_code(0).result()["state_hash"].clone()
        };
        let setup = Setup::new().plugins(super::PLUGINS);
        let copy = setup.path("copy.sdf");
        let file = worlds().join(format!("{}.sdf", model.name));
        let setup = setup.args(["world", "save"]).arg(&file).arg("--output").arg(&copy);
        let saved = setup.finish().expect_code(0);
        let text = std::fs::read_to_string(&copy).expect("the copy");
        let of_copy = {
            // Its models are found beside the original.
            let setup =
                Setup::new().plugins(super::PLUGINS).env("BRIDGEHEAD_RESOURCE_PATH", worlds().join("models"));
            let copy = setup.file("copy.sdf", text);
            hash(setup.run(&copy))
        };
        let setup = Setup::new().plugins(super::PLUGINS).run(&file);
        assert_eq!(of_copy, hash(setup), "{}", model.name);
        drop(saved);
    }
}

/// Poses and velocities of all entities, to the last digit.
fn states(host: &Served) -> Value {
    host.ok("get_entities_states", json!({}))
}

/// A run that returns to a snapshot goes on as before.
#[test]
fn snapshots_go_on_alike() {
    for model in MODELS {
        let host = model.start();
        step(&host, 1000);
        host.ok("save_snapshot", json!({"path": "at_1s.snapshot"}));
        step(&host, 500);
        let first = states(&host);
        host.ok("restore_snapshot", json!({"path": "at_1s.snapshot"}));
        assert_ne!(states(&host)["states"], Value::Null);
        step(&host, 500);
        assert_eq!(states(&host), first, "{}", model.name);
    }
}
