//! Sensors of the models at known places, against closed forms.

use serde_json::{Value, json};

use super::{CREATE3, HUSKY, MODELS, RACECAR, TURTLEBOT3, listen, number, read, step, vector};
use crate::support::{Served, assert_all_near, assert_near};

/// Subscribes to a topic, and returns its first message after at most this many steps.
#[track_caller]
fn after(host: &Served, topic: &str, steps: u64) -> Value {
    listen(host, topic);
    step(host, steps);
    read(host, topic)
}

#[test]
fn imus_measure_gravity() {
    for model in MODELS {
        let Some(topic) = model.imu else { continue };
        let host = model.start();
        step(&host, 2000);
        let message = after(&host, &format!("/{}/{topic}", model.name), 100);
        // The base of the round robot stands on springs, a little inclined.
        assert_all_near(vector(&message["linear_acceleration"]), [0.0, 0.0, 9.8], 3e-5);
    }
}

/// Topic and number of rays of a lidar, and the ranges of some of them.
type Scan<'a> = (super::Model, &'a str, usize, &'a [(usize, f64)]);

#[test]
fn scans_show_the_walls_of_the_worlds() {
    let scans: [Scan<'_>; 3] = [
        (TURTLEBOT3, "scan", 360, &[(0, 2.032), (90, 1.5), (180, 0.968), (270, 1.5)]),
        (HUSKY, "sensors/lidar2d_0/scan", 541, &[(270, 5.73), (290, 5.73 / 0.984_807_753_012_208)]),
        (RACECAR, "scan", 1081, &[(540, 4.73), (180, 1.0), (900, 1.0)]),
    ];
    for (model, topic, rays, expected) in scans {
        let host = model.start();
        let scan = after(&host, &format!("/{}/{topic}", model.name), 250);
        let ranges = scan["ranges"].as_array().expect("ranges");
        assert_eq!(ranges.len(), rays, "{}", model.name);
        let last = number(&scan["angle_min"]) + number(&scan["angle_increment"]) * (rays - 1) as f64;
        assert_near(last, number(&scan["angle_max"]), 1e-5);
        for (ray, range) in expected {
            assert_near(number(&ranges[*ray]), *range, 1e-4);
        }
    }
}

/// A cliff sensor looks down at 80° from 19.2 mm; above the edge of the table there is nothing.
#[test]
fn cliff_sensors_see_the_floor_and_its_end() {
    let host = CREATE3.start();
    let names = ["side_left", "front_left", "front_right", "side_right"];
    let topic = |name: &str| format!("/create3_like/_internal/cliff_{name}/scan");
    let range = |name: &str| read(&host, &topic(name))["ranges"][0].as_f64();
    for name in names {
        listen(&host, &topic(name));
    }
    step(&host, 2000);
    let floor = 0.0192 / 80.0_f64.to_radians().sin();
    for name in names {
        assert_near(range(name).expect("the floor"), floor, 1e-6);
    }
    let state = json!({"pose": {"position": {"x": 0.0, "y": 1.07, "z": 0.0}, "orientation": {"w": 1.0}}});
    host.ok("set_entity_state", json!({"entity": "create3_like", "state": state}));
    step(&host, 40);
    assert_eq!(range("side_left"), None, "infinite");
    for name in &names[1..] {
        assert_near(range(name).expect("the floor"), floor, 1e-4);
    }
}
