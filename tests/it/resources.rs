//! Memory, file descriptors and threads while vehicles come and go, and what happens if the operating system refuses
//! more.

mod crowd;
mod limits;
mod memory;

use serde_json::{Value, json};

use crate::support::{Served, Setup, eventually, world};

/// A vehicle with an imu, a lidar, and a drive with commands and odometry.
const VEHICLE: &str = "<sdf version='1.9'><model name='car'><pose>0 0 1 0 0 0</pose>\
    <link name='base'><inertial><mass>10</mass></inertial>\
    <collision name='c'><geometry><box><size>0.5 0.4 0.2</size></box></geometry></collision>\
    <sensor name='imu' type='imu'><update_rate>20</update_rate></sensor>\
    <sensor name='lidar' type='gpu_lidar'><update_rate>10</update_rate><ray><scan><horizontal><samples>36</samples>\
    <resolution>1</resolution><min_angle>-3</min_angle><max_angle>3</max_angle></horizontal></scan>\
    <range><min>0.1</min><max>10</max></range></ray></sensor></link>\
    <plugin filename='velocity_control' name='velocity'/>\
    </model></sdf>";

/// The plugins of [`VEHICLE`].
const PLUGINS: [&str; 3] = ["imu", "lidar", "velocity_control"];

/// A recording whose message is never due, so that the replay bridge stays connected.
pub(crate) const NEVER_DUE: &str = "{\"topic\":\"/guest0/cmd_vel\",\"step\":1000000000000,\"message\":{}}\n";

/// A host in real time with an empty world and a bridge for everything, which serves HTTP.
#[track_caller]
fn served(setup: Setup, bridge: &str) -> Served {
    let name = bridge.split(':').next().unwrap_or_default();
    let setup = setup.in_real_time().plugins(&PLUGINS).plugins(&[name]).world(&world(""));
    let host = Served::start(setup.bridge(format!("*={bridge}")));
    eventually("the run begins", || host.status("time_ns") > 0);
    host
}

/// Returns the response to a request to spawn [`VEHICLE`].
#[track_caller]
pub(crate) fn spawn(host: &Served, name: &str) -> Value {
    let request = json!({
        "name": name, "allow_renaming": false, "entity_resource": {"resource_string": VEHICLE},
    });
    host.call("spawn_entity", request)
}

/// Waits until the bridges of a vehicle are connected and `number` of them are attached.
#[track_caller]
pub(crate) fn await_bridges(host: &Served, vehicle: &str, number: usize) {
    const CONNECTED: u64 = 3;
    eventually("the bridges of the vehicle are connected", || {
        let bridges = host.ok("get_bridges", json!({}));
        let bridges = bridges["bridges"].as_array().expect("a list");
        let is_connected = |bridge: &&Value| bridge["vehicle"] == vehicle && bridge["status"] == CONNECTED;
        bridges.iter().filter(is_connected).count() == number
    });
}

#[track_caller]
pub(crate) fn delete(host: &Served, name: &str) {
    host.ok("delete_entity", json!({"entity": name}));
}
