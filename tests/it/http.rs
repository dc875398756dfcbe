//! Tests of the control plane over HTTP and WebSocket with correct, faulty, slow and disconnected clients.

mod action;
mod calls;
mod client;
mod crowd;
mod refusals;
pub(crate) mod scene;
mod socket;
mod unread;

pub(crate) use client::{Client, Socket};

use crate::support::{Running, Setup, eventually, vehicle, world};

/// A host with a small world that starts paused, and a client of it.
pub(crate) fn paused() -> (Running, Client) {
    started(Setup::new(), &["--start", "paused"])
}

/// A host with a small world, and a client of it.
pub(crate) fn started(setup: Setup, arguments: &[&str]) -> (Running, Client) {
    let sdf = world(&format!("{}{}", vehicle("box_a", ""), vehicle("box_b", "<pose>1 2 3 0 0 0</pose>")));
    let mut setup = setup.world(&sdf).args(["--http", "127.0.0.1:0"]);
    for argument in arguments {
        setup = setup.arg(argument);
    }
    let mut running = setup.start();
    let client = Client::of(&mut running);
    (running, client)
}

/// Waits until the run is in a state.
#[track_caller]
pub(crate) fn wait_for_state(client: &Client, state: &str) {
    eventually(state, || client.get("/api/get_status").expect(200)["status"]["state"] == state);
}
