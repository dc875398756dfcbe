//! What a ground station gets, compared with closed forms.

use bridgehead_plugin_api::messages::sensor_msgs::{NavSatFix, NavSatStatus};

use super::*;
use bridgehead_autopilot::vehicle::Measured;

fn measured<T>(value: T) -> Measured<T> {
    Measured { last: Some(value), is_new: true }
}

#[test]
fn a_vehicle_without_an_odometry_is_nowhere() {
    assert_eq!(messages(&Vehicle::default(), 0), []);
}

#[test]
fn messages_have_the_axes_and_units_of_ground_stations() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let motion = Motion {
        position: [10.0, -2.0, -3.5],
        velocity: [1.0, -2.0, 0.5],
        // The nose to the east.
        attitude: [half, 0.0, 0.0, half],
        rates: [0.1, 0.2, 0.3],
    };
    let mut vehicle = Vehicle { motion: measured(motion), ..Vehicle::default() };
    let sent = messages(&vehicle, 2_500_000);
    let [Message::Attitude(attitude), Message::LocalPositionNed(local)] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((attitude.time_boot_ms, attitude.roll, attitude.pitch), (2500, 0.0, 0.0));
    assert!((f64::from(attitude.yaw) - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    assert_eq!((attitude.roll_speed, attitude.pitch_speed, attitude.yaw_speed), (0.1, 0.2, 0.3));
    assert_eq!((local.position, local.velocity), ([10.0, -2.0, -3.5], [1.0, -2.0, 0.5]));

    vehicle.fix = measured(NavSatFix {
        status: Some(NavSatStatus { status: 0, service: 1 }),
        latitude: 1.5,
        longitude: -2.25,
        altitude: 100.0,
        ..NavSatFix::default()
    });
    vehicle.battery = measured(BatteryState {
        voltage: 12.3,
        temperature: f32::NAN,
        current: -4.0,
        charge: 1.5,
        capacity: 2.0,
        percentage: 0.75,
        ..BatteryState::default()
    });
    let sent = messages(&vehicle, 0);
    let [_, _, Message::GlobalPositionInt(global), Message::BatteryStatus(battery)] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((global.lat, global.lon, global.alt), (15_000_000, -22_500_000, 100_000));
    assert_eq!((global.relative_alt, global.velocity, global.hdg), (3500, [100, -200, 50], 9000));
    assert_eq!((battery.voltages[0], battery.voltages[1], battery.current), (12_300, u16::MAX, 400));
    assert_eq!((battery.remaining, battery.current_consumed, battery.temperature), (75, 500, i16::MAX));
}

#[test]
fn angles_are_those_of_an_autopilot() {
    let (sin, cos) = 0.1_f64.sin_cos();
    for (quaternion, expected) in [
        ([cos, sin, 0.0, 0.0], [0.2, 0.0, 0.0]),
        ([cos, 0.0, sin, 0.0], [0.0, 0.2, 0.0]),
        ([cos, 0.0, 0.0, -sin], [0.0, 0.0, -0.2]),
    ] {
        let found = angles(quaternion);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }
}
