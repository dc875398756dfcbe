//! Samples: bits, units and axes, compared with closed forms.

use bridgehead_plugin_api::messages::sensor_msgs::{NavSatFix, NavSatStatus};

use super::*;
use bridgehead_autopilot::vehicle::{Inertial, Measured, Motion};

fn measured<T>(value: T) -> Measured<T> {
    Measured { last: Some(value), is_new: true }
}

#[test]
fn bits_are_those_of_sensors_that_have_measured() {
    let mut vehicle = Vehicle::default();
    assert_eq!(sensor(&mut vehicle, 0).fields_updated, 0);
    vehicle.inertial = measured(Inertial { gyro: [0.1, -0.2, -0.3], acceleration: [0.5, -0.25, -9.8125] });
    let first = sensor(&mut vehicle, 4000);
    assert_eq!((first.time_usec, first.fields_updated), (4000, 0x3f));
    assert_eq!((first.gyro, first.acceleration), ([0.1, -0.2, -0.3], [0.5, -0.25, -9.8125]));
    vehicle.magnetic = measured([0.21e-4, 0.0, 0.42e-4]);
    vehicle.pressure = measured(101_325.0);
    let second = sensor(&mut vehicle, 8000);
    assert_eq!(second.fields_updated, 0x1bc0, "the imu is old");
    assert_eq!((second.magnetic, second.abs_pressure), ([0.21, 0.0, 0.42], 1013.25));
    assert_eq!((second.pressure_alt, second.temperature), (0.0, 15.0));
    vehicle.air_speed = measured(250.0);
    let third = sensor(&mut vehicle, 12_000);
    assert_eq!((third.fields_updated, third.diff_pressure), (0x400, 2.5));
}

#[test]
fn the_altitude_of_a_pressure_is_that_of_the_standard_atmosphere() {
    // Heights and pressures of ISO 2533.
    for (metres, pascals) in [(0.0, 101_325.0), (1000.0, 89_874.6), (5000.0, 54_019.9)] {
        assert!((pressure_altitude(pascals) - metres).abs() < 0.5, "{metres}");
    }
    assert!((temperature(1000.0) - 8.5).abs() < 1e-12);
}

#[test]
fn a_fix_is_sent_once_with_its_errors() {
    let mut vehicle = Vehicle::default();
    assert_eq!(gps(&mut vehicle, 0), None);
    let fix = NavSatFix {
        status: Some(NavSatStatus { status: 0, service: 1 }),
        latitude: 47.397_741_8,
        longitude: 8.545_593_9,
        altitude: 488.0,
        ..NavSatFix::default()
    };
    vehicle.fix = measured(fix.clone());
    vehicle.fix_velocity = measured([3.0, 4.0, -1.0]);
    let sent = gps(&mut vehicle, 4000).expect("a fix");
    assert_eq!((sent.lat, sent.lon, sent.alt), (473_977_418, 85_455_939, 488_000));
    assert_eq!((sent.eph, sent.epv, sent.fix_type, sent.satellites_visible), (30, 40, 3, 10));
    assert_eq!((sent.vel, sent.velocity, sent.cog), (500, [300, 400, -100], 5313));
    assert_eq!(gps(&mut vehicle, 8000), None, "once");

    let covariance = vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 4.0];
    vehicle.fix = measured(NavSatFix { position_covariance: covariance, ..fix });
    let noisy = gps(&mut vehicle, 0).expect("a fix");
    assert_eq!((noisy.eph, noisy.epv), (100, 200));
    vehicle.fix = measured(NavSatFix::default());
    let none = gps(&mut vehicle, 0).expect("a message");
    assert_eq!((none.fix_type, none.satellites_visible, none.lat), (0, 0, 0));
}

#[test]
fn the_truth_is_that_of_the_odometry() {
    let mut vehicle = Vehicle::default();
    assert_eq!(truth(&vehicle, 0), None);
    vehicle.motion = measured(Motion {
        position: [1.0, 2.0, -3.0],
        velocity: [0.0, 3.0, -4.0],
        attitude: [1.0, 0.0, 0.0, 0.0],
        rates: [0.1, 0.2, 0.3],
    });
    vehicle.inertial = measured(Inertial { gyro: [0.0; 3], acceleration: [0.0, 0.0, -9.806] });
    let sent = truth(&vehicle, 4000).expect("a truth");
    assert_eq!((sent.time_usec, sent.attitude, sent.rates), (4000, [1.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.3]));
    assert_eq!((sent.velocity, sent.true_airspeed, sent.acceleration), ([0, 300, -400], 500, [0, 0, -9806]));
}
