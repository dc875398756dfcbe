//! The bridge to Foxglove and Lichtblick, with two clients that share no code with it: one in Python with the present
//! subprotocol, and the library `@foxglove/ws-protocol` of npm with the older one. Both execute the same table of
//! operations.

mod client;
mod hostile;
mod images;
mod operations;
mod scene;
mod slow;
mod stage;
mod third_party;
mod vehicles;

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
fn every_service_works_for_a_client_of_the_present_subprotocol() {
    call_every_service(Kind::Python);
}

#[test]
fn every_service_works_for_a_client_of_the_older_subprotocol() {
    call_every_service(Kind::Node);
}
