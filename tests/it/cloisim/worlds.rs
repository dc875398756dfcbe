//! Robots and worlds that come and go while a client is attached.

use serde_json::json;

use super::msgs::{LaserScan, Sonar, WorldStatistics};
use super::sensors::{robot_with_ir, spawn};
use super::yard::Yard;
use crate::support::{eventually, worlds};

fn models(yard: &Yard) -> Vec<String> {
    yard.devices().as_object().expect("models").keys().cloned().collect()
}

#[test]
fn a_robot_that_is_spawned_is_found_with_ports_of_its_own_and_gone_when_deleted() {
    let yard = Yard::start();
    let before = yard.devices();
    spawn(&yard, "guard", &robot_with_ir("guard"), [3.0, 2.0, 0.0]);
    eventually("it is listed", || models(&yard).contains(&"guard".to_owned()));
    let found = yard.devices();
    for (model, kinds) in before.as_object().expect("models") {
        assert_eq!(&found[model], kinds, "what was there keeps its ports");
    }
    let ports = found["guard"].clone();
    let ear = yard.device("guard", "IR").hear("Data");
    ear.until("a wall", |range: &Sonar| range.range.is_finite());
    yard.ok("delete_entity", json!({ "entity": "guard" }));
    eventually("it is gone", || yard.devices() == before);
    eventually("its ports are silent", || (0..30).all(|_| ear.try_next().is_none()));
    // One of the same name has the same ports, so a client that waits hears it again.
    spawn(&yard, "guard", &robot_with_ir("guard"), [3.0, 2.0, 0.0]);
    eventually("it is listed again", || yard.devices()["guard"] == ports);
    ear.until("a wall", |range: &Sonar| range.range.is_finite());
    // Another has others.
    spawn(&yard, "second", &robot_with_ir("second"), [3.0, -2.0, 0.0]);
    eventually("the second is listed", || models(&yard).contains(&"second".to_owned()));
    assert_ne!(yard.devices()["second"], ports);
    yard.finish().expect_code(0);
}

#[test]
fn an_unloaded_world_leaves_the_service_and_a_load_brings_the_ports_back() {
    let yard = Yard::start();
    let before = yard.devices();
    let ear = yard.device("robot1", "LASER").hear("Data");
    let clock = yard.device("World", "WORLD").hear("Clock");
    ear.next::<LaserScan>();
    yard.ok("unload_world", json!({}));
    // Never an empty list, which a client asks for again at once: the world's own device is always there.
    let nothing = json!({ "World": { "WORLD": before["World"]["WORLD"] } });
    eventually("the robots are gone", || yard.devices() == nothing);
    clock.next::<WorldStatistics>();
    let load = |path: &str| {
        let uri = worlds().join(path).display().to_string();
        yard.ok("load_world", json!({ "world_resource": { "uri": uri, "resource_string": "" } }));
    };
    load("cloisim_yard.sdf");
    eventually("everything has its ports again", || yard.devices() == before);
    yard.set_state(super::answers::PLAYING);
    // On the connection from before.
    ear.until("a wall", |scan: &LaserScan| !scan.ranges.is_empty() && !scan.ranges[90].is_nan());
    clock.until("time goes on", |clock: &WorldStatistics| clock.iterations > 0);
    // Another world in its place, and back.
    load("two_vehicles.sdf");
    eventually("other robots", || !models(&yard).contains(&"robot2".to_owned()));
    load("cloisim_yard.sdf");
    eventually("the ports of the first", || yard.devices() == before);
    yard.finish().expect_code(0);
}
