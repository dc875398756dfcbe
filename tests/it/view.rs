//! Recordings, and `bridgehead view` with clients and a browser.

mod browser;
mod clients;
mod recorded;

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::http::{Client, scene};
use crate::support::{Finished, Running, Setup};

/// Records a paused host with a spinning box and a mesh: half a second, a spawned model, half a second, and a quarter
/// without it. Returns the run and the recording.
fn recording() -> (Finished, PathBuf) {
    let setup = Setup::new().plugins(&["logging", "clock"]);
    let path = setup.path("run.mcap");
    let (running, client) = scene::host(setup.arg("--record").arg(&path));
    let spin = json!({ "twist": { "angular": { "z": 1.0 } } });
    client.call("set_entity_state", &json!({ "entity": "box", "state": spin, "set_twist": true }));
    client.call("step_simulation", &json!({ "steps": 500 }));
    let sdf = "<sdf version='1.9'><model name='ball'><pose>7 0 9 0 0 0</pose><link name='l'><visual name='v'><geometry>
        <sphere><radius>1</radius></sphere></geometry></visual></link></model></sdf>";
    client.call("spawn_entity", &json!({ "name": "ball", "entity_resource": { "resource_string": sdf } }));
    client.call("step_simulation", &json!({ "steps": 500 }));
    client.call("delete_entity", &json!({ "entity": "ball" }));
    client.call("step_simulation", &json!({ "steps": 250 }));
    client.post("/api/quit", "").expect(200);
    (running.finish().expect_code(0), path)
}

/// Starts a view of a recording.
fn view(path: &Path) -> (Running, Client) {
    let mut running = Setup::new().args(["view", "--http", "127.0.0.1:0"]).arg(path).start();
    let client = Client::of(&mut running);
    (running, client)
}

fn end(running: Running) -> Finished {
    running.signal(libc::SIGINT);
    running.finish().expect_code(0)
}

/// Moves a view, in simulated seconds.
fn seek(client: &Client, seconds: f64) {
    #[expect(clippy::cast_possible_truncation, reason = "short recordings")]
    let time_ns = (seconds * 1e9) as i64;
    client.call("seek", &json!({ "time_ns": time_ns }));
}
