//! The quadrotor: thrust against weight, and a flight with velocities.

use serde_json::json;

use super::{X500, listen, number, pose, publish, step};
use crate::support::{Served, assert_near};

/// Total mass, kg, gravity, m/s², and thrust of a rotor per square of its speed, N s²/rad², of the file.
const MASS: f64 = 2.064_307_7;
const GRAVITY: f64 = 9.8;
const THRUST: f64 = 8.548_58e-6;

/// Speed of four rotors that carry the vehicle, rad/s.
fn hover() -> f64 {
    (MASS * GRAVITY / 4.0 / THRUST).sqrt()
}

fn spin(host: &Served, share: f64, steps: u64) {
    let message = json!({"velocity": vec![share * hover(); 4]});
    publish(host, "/x500_like/command/motor_speed", &message);
    step(host, steps);
}

#[test]
fn rotors_at_the_speed_of_hovering_carry_the_weight() {
    let host = X500.start();
    step(&host, 2000);
    let ground = pose(&host, "x500_like").0[2];
    spin(&host, 0.995, 1000);
    assert_near(pose(&host, "x500_like").0[2], ground, 1e-3);
    spin(&host, 1.1, 300);
    listen(&host, "/x500_like/imu");
    step(&host, 200);
    let felt = number(&X500.read(&host, "imu")["linear_acceleration"]["z"]);
    // What the imu feels is the thrust per mass.
    assert_near(felt, 1.1 * 1.1 * GRAVITY, 0.01 * GRAVITY);
}

#[test]
fn the_quadrotor_climbs_and_holds_its_place() {
    let host = X500.start();
    let drive = |z: f64, steps: u64| {
        for _ in 0..steps / 100 {
            publish(&host, "/x500_like/cmd_vel", &json!({"linear": {"z": z}}));
            step(&host, 100);
        }
    };
    drive(1.0, 4000);
    drive(0.0, 5000);
    let before = pose(&host, "x500_like").0;
    assert!(before[2] > 3.0, "{before:?}");
    drive(0.0, 10_000);
    let after = pose(&host, "x500_like").0;
    for (one, other) in before.iter().zip(after) {
        assert_near(*one, other, 1e-3);
    }
}
