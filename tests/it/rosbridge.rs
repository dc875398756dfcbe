//! The bridge for rosbridge, with clients that share no code with it: roslibpy of PyPI and roslib of npm, which execute the
//! same table of operations, a rosbridge server in Python, and plain WebSockets.

mod bulk;
mod client;
mod hostile;
mod operations;
mod remote;
mod socket;
mod stage;

use client::Kind;
use stage::Stage;

use crate::service_calls::{Caller as _, of_all, own};

#[track_caller]
fn call_every_service(kind: Kind) {
    let stage = Stage::of_w1();
    let Some(client) = stage.client(kind) else { return };
    for call in [own(client.name()), of_all()].into_iter().flatten() {
        call.make(&client);
    }
    // Without a world the server still answers.
    let response = client.call("get_simulation_state", "", &serde_json::json!({}));
    assert_eq!(response["state"]["state"], 4, "{response}");
    stage.finish();
}

#[test]
fn every_service_works_for_roslibpy() {
    call_every_service(Kind::Python);
}

#[test]
fn every_service_works_for_roslib() {
    call_every_service(Kind::Node);
}
