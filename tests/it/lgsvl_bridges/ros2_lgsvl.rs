//! The client of ros2-lgsvl-bridge: operations 1 subscribe, 2 publish, 3 message, and bodies without padding.

use super::Dialect;
use super::peer::Link;

const ROS2_LGSVL: Dialect = Dialect {
    bridge: "ros2_lgsvl",
    example: "ros2-lgsvl-bridge",
    register: None,
    publish: 3,
    add_writer: 2,
    topics: &[
        (2, "/car1/imu", "sensor_msgs/Imu"),
        (2, "/car1/echo", "example_msgs/Pressure"),
        (2, "/car1/can_bus", "lgsvl_msgs/CanBusData"),
        (1, "/car1/pressure_in", "example_msgs/Pressure"),
        (1, "/car1/vehicle_control", "lgsvl_msgs/VehicleControlData"),
    ],
    pressure: |pascal| pascal.to_le_bytes().to_vec(),
};

/// The body of the message of an IMU at rest without gravity, at a time.
fn resting_imu(stamp: &[u8], frame: &str) -> Vec<u8> {
    let numbers = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let covariance = [&9_u32.to_le_bytes()[..], &numbers(&[0.0; 9])].concat();
    let length = u32::try_from(frame.len()).expect("a short name").to_le_bytes();
    let rotation = numbers(&[0.0, 0.0, 0.0, 1.0]);
    let vector = numbers(&[0.0; 3]);
    let parts = [stamp, &length, frame.as_bytes(), &rotation, &covariance, &vector, &covariance, &vector];
    [&parts.concat()[..], &covariance].concat()
}

/// Returns the throttle of a `lgsvl_msgs/CanBusData`: the second number after the header.
fn throttle(body: &[u8]) -> Option<&[u8]> {
    let frame = u32::from_le_bytes(body.get(8..12)?.try_into().ok()?);
    body.get(12 + usize::try_from(frame).ok()?..)?.get(4..8)
}

fn expect_messages(link: &mut Link) {
    let publish = ROS2_LGSVL.publish;
    let imu = link.message(publish, "/car1/imu");
    assert_eq!(imu, resting_imu(&imu[..8], "car1/mast/imu"), "{}", String::from_utf8_lossy(&imu));
    let nanoseconds = u32::from_le_bytes(imu[4..8].try_into().expect("four bytes"));
    assert_eq!(nanoseconds % 100_000_000, 0, "a sample each tenth of a second");
    ROS2_LGSVL.expect_echo(link, 98_765.432_1);

    // Time and frame, throttle, brake, angle, rate, gear.
    let control = [&[0; 12][..], &0.5_f32.to_le_bytes(), &[0; 12], &[1]].concat();
    link.send(publish, "/car1/vehicle_control", &control);
    link.message_that(publish, "/car1/can_bus", |body| throttle(body) == Some(&0.5_f32.to_le_bytes()));
}

#[test]
fn a_client_of_ros2_lgsvl_bridge_sends_receives_and_survives_its_peer() {
    let (peer, running) = ROS2_LGSVL.start();
    let mut link = peer.accept();
    ROS2_LGSVL.expect_topics(&mut link, |_, _| {});
    expect_messages(&mut link);
    ROS2_LGSVL.expect_survival(&peer, link, running);
}
