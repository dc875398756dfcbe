//! Tests of robots and worlds that are added and removed while a client is connected.

use serde_json::json;

use super::msgs::{LaserScan, Sonar, WorldStatistics};
use super::sensors::{robot_with_ir, spawn};
use super::yard::Yard;
use crate::support::{PLAYING, eventually, worlds};

fn models(yard: &Yard) -> Vec<String> {
    yard.devices().as_object().expect("models").keys().cloned().collect()
}

#[test]
fn a_spawned_robot_is_listed_with_its_own_ports_until_it_is_deleted() {
    let yard = Yard::start();
    let before = yard.devices();
    spawn(&yard, "guard", &robot_with_ir("guard"), [3.0, 2.0, 0.0]);
    eventually("it is listed", || models(&yard).contains(&"guard".to_owned()));
    let found = yard.devices();
    for (model, kinds) in before.as_object().expect("models") {
        assert_eq!(&found[model], kinds, "existing models keep their ports");
    }
    let ports = found["guard"].clone();
    let subscriber = yard.device("guard", "IR").subscriber("Data");
    subscriber.until("a wall", |range: &Sonar| range.range.is_finite());
    yard.ok("delete_entity", json!({ "entity": "guard" }));
    eventually("it is no longer listed", || yard.devices() == before);
    eventually("its ports are silent", || (0..30).all(|_| subscriber.try_next().is_none()));
    // A robot of the same name gets the same ports, so a waiting client receives its data again.
    spawn(&yard, "guard", &robot_with_ir("guard"), [3.0, 2.0, 0.0]);
    eventually("it is listed again", || yard.devices()["guard"] == ports);
    subscriber.until("a wall", |range: &Sonar| range.range.is_finite());
    // A robot of another name gets other ports.
    spawn(&yard, "second", &robot_with_ir("second"), [3.0, -2.0, 0.0]);
    eventually("the second is listed", || models(&yard).contains(&"second".to_owned()));
    assert_ne!(yard.devices()["second"], ports);
    yard.finish().expect_code(0);
}

#[test]
fn the_service_survives_an_unload_and_a_load_restores_the_ports() {
    let yard = Yard::start();
    let before = yard.devices();
    let subscriber = yard.device("robot1", "LASER").subscriber("Data");
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    subscriber.next::<LaserScan>();
    yard.ok("unload_world", json!({}));
    // The list is never empty, because a client polls an empty list again without a pause: the world's own device is
    // always in it.
    let only_world = json!({ "World": { "WORLD": before["World"]["WORLD"] } });
    eventually("the robots are removed", || yard.devices() == only_world);
    clock.next::<WorldStatistics>();
    let load = |path: &str| {
        let uri = worlds().join(path).display().to_string();
        yard.ok("load_world", json!({ "world_resource": { "uri": uri, "resource_string": "" } }));
    };
    load("cloisim_yard.sdf");
    eventually("all devices have their ports again", || yard.devices() == before);
    yard.set_state(PLAYING);
    // On the connection from before.
    subscriber.until("a wall", |scan: &LaserScan| !scan.ranges.is_empty() && !scan.ranges[90].is_nan());
    clock.until("time advances", |clock: &WorldStatistics| clock.iterations > 0);
    // Another world replaces it, and then the first one again.
    load("two_vehicles.sdf");
    eventually("the robots of the other world are listed", || !models(&yard).contains(&"robot2".to_owned()));
    load("cloisim_yard.sdf");
    eventually("the ports of the first world are listed", || yard.devices() == before);
    yard.finish().expect_code(0);
}
