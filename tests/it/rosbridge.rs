//! The bridge for rosbridge, with clients that share no code with it: roslibpy of PyPI and roslib of npm, which execute the
//! same table of operations, a rosbridge server in Python, and plain WebSockets.

mod bulk;
mod client;
mod hostile;
mod isolated;
mod operations;
mod remote;
mod socket;
mod stage;
mod third_party;
mod trajectory;

use client::Kind;
use stage::Stage;

use crate::service_calls::make_all;

#[track_caller]
fn call_every_service(kind: Kind) {
    let stage = Stage::of_w1();
    let Some(client) = stage.client(kind) else { return };
    make_all(&client);
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
