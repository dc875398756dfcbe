//! Recordings, and `bridgehead view` with clients and a browser.

mod browser;
mod chosen;
mod clients;
mod recorded;

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::http::{Client, scene};
use crate::support::{Finished, Running, Setup};

/// Downward speed of what moves, m/s: the world has no gravity.
const SINKING: f64 = 2.0;

/// Records a paused host with a box that spins and sinks, and a mesh: half a second, half a second with a spawned ball that
/// sinks too, and a quarter without it. Returns the run and the recording.
fn recording() -> (Finished, PathBuf) {
    let setup = Setup::new().plugins(&["logging", "clock"]);
    let path = setup.path("run.mcap");
    let (running, client) = scene::host(setup, &["--record", &path.display().to_string()]);
    let sink = |entity: &str| {
        let twist = json!({ "linear": { "z": -SINKING }, "angular": { "z": 1.0 } });
        let request = json!({ "entity": entity, "state": { "twist": twist }, "set_twist": true });
        client.call("set_entity_state", &request);
    };
    sink("box");
    client.call("step_simulation", &json!({ "steps": 500 }));
    let sdf = "<sdf version='1.9'><model name='ball'><link name='l'><visual name='v'><geometry>
        <sphere><radius>1</radius></sphere></geometry></visual></link></model></sdf>";
    client.call(
        "spawn_entity",
        &json!({ "name": "ball", "entity_resource": { "resource_string": sdf },
        "initial_pose": { "pose": { "position": { "x": 7.0, "z": 9.0 } } } }),
    );
    sink("ball");
    client.call("step_simulation", &json!({ "steps": 500 }));
    client.call("delete_entity", &json!({ "entity": "ball" }));
    client.call("step_simulation", &json!({ "steps": 250 }));
    client.post("/api/quit", "").expect(200);
    (running.finish().expect_code(0), path)
}

/// Starts a view of a recording, and moves it to the end.
fn view(path: &Path) -> (Running, Client) {
    let (running, client) = view_from_the_beginning(path);
    seek(&client, 1e6);
    (running, client)
}

fn view_from_the_beginning(path: &Path) -> (Running, Client) {
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
