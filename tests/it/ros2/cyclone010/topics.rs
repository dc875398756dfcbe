//! What the older Cyclone receives of a run: the topics of the demo world with their rates and values, and large clouds
//! without loss.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Cyclone010;
use crate::ros2::topics::{expect_period, expect_samples, nanos, number, of_header, two_vehicles};
use crate::ros2::{Domain, Messages};
use crate::support::{Served, Setup, assert_all_near, assert_near, eventually, is_loaded, vehicle, world};

#[track_caller]
fn numbers<const N: usize>(message: &Value, pointers: [&str; N]) -> [f64; N] {
    pointers.map(|pointer| number(message, pointer))
}

/// The flat lidar of the first car, ten centimetres before its origin at (0, 1), with noise of a centimetre.
#[track_caller]
fn expect_scan(scan: &Value) {
    assert_eq!(scan["header"]["frame_id"], "car1/chassis/lidar");
    let settings = ["/angle_min", "/angle_max", "/angle_increment", "/range_min", "/range_max"];
    let degree = 1_f64.to_radians();
    assert_all_near(numbers(scan, settings), [-180.0 * degree, 179.0 * degree, degree, 0.1, 12.0], 1e-6);
    assert_eq!(scan["ranges"].as_array().map(Vec::len), Some(360));
    // There is nothing behind the car; the distances of the column and the boulder are those of rays to two circles.
    assert_eq!(scan["ranges"][0], "Infinity");
    assert_all_near(numbers(scan, ["/ranges/204", "/ranges/115"]), [3.316, 3.843], 0.06);
}

/// The imu of the second car, which is at rest and rotated by fifteen degrees.
#[track_caller]
fn expect_imu(imu: &Value) {
    assert_eq!(imu["header"]["frame_id"], "car2/chassis/imu");
    let (sin, cos) = 7.5_f64.to_radians().sin_cos();
    let turned = ["/orientation/x", "/orientation/y", "/orientation/z", "/orientation/w"];
    assert_all_near(numbers(imu, turned), [0.0, 0.0, sin, cos], 2e-3);
    let turning = ["/angular_velocity/x", "/angular_velocity/y", "/angular_velocity/z"];
    assert_all_near(numbers(imu, turning), [0.0; 3], 0.05);
    let pull = ["/linear_acceleration/x", "/linear_acceleration/y", "/linear_acceleration/z"];
    assert_all_near(numbers(imu, pull), [0.0, 0.0, 9.8], 0.05);
    assert_eq!(imu["orientation_covariance"].as_array().map(Vec::len), Some(9));
}

/// The transforms of each car arrive at the car's own rate, without a gap.
#[track_caller]
fn expect_transforms(tf: &Messages) {
    let mut stamps = BTreeMap::<String, Vec<i64>>::new();
    while stamps.len() < 2 || stamps.values().any(|stamps| stamps.len() < 20) {
        let transform = &tf.next()["transforms"][0];
        let child = transform["child_frame_id"].as_str().expect("a frame").to_owned();
        stamps.entry(child).or_default().push(of_header(transform));
    }
    for (child, period_ns) in [("car1/chassis", 20_000_000), ("car2/chassis", 50_000_000)] {
        let stamps = &stamps[child];
        assert!(stamps.windows(2).all(|pair| pair[1] - pair[0] == period_ns), "{child}: {stamps:?}");
    }
}

/// Drives the second car, and returns two successive odometry messages of it.
#[track_caller]
fn driven(host: &Served, odometry: &Messages, speed: f64) -> [Value; 2] {
    let command = json!({"linear": {"x": speed}}).to_string();
    let mut last = odometry.next();
    eventually("the car drives", || {
        // Commands time out after half a second.
        host.ok("publish_message", json!({"topic": "/car2/cmd_vel", "json": command}));
        last = odometry.next();
        while let Some(next) = odometry.next_of_now() {
            last = next;
        }
        (number(&last, "/twist/twist/linear/x") - speed).abs() < 0.01
    });
    [last, odometry.next()]
}

#[track_caller]
fn expect_drive([before, after]: &[Value; 2], speed: f64) {
    assert_eq!(
        (&after["header"]["frame_id"], &after["child_frame_id"]),
        (&json!("car2/odom"), &json!("car2/chassis"))
    );
    let x = |message: &Value| number(message, "/pose/pose/position/x");
    assert_near(x(after) - x(before), speed * 0.05, 1e-3);
    assert!(x(after) > 0.0, "{after}");
    let others = ["/pose/pose/position/y", "/pose/pose/position/z", "/twist/twist/linear/y"];
    assert_all_near(numbers(after, others), [0.0; 3], 0.01);
    assert_near(number(after, "/pose/pose/orientation/w"), 1.0, 1e-3);
    let zeros = json!(vec![0; 36]);
    assert_eq!((&after["pose"]["covariance"], &after["twist"]["covariance"]), (&zeros, &zeros));
}

#[test]
fn the_older_cyclone_receives_topics_with_their_rates_and_values() {
    let domain = Domain::free();
    let topics = [
        ("Clock", "rt/clock", false),
        ("LaserScan", "rt/car1/scan", false),
        ("Imu", "rt/car2/imu", false),
        ("TFMessage", "rt/tf", true),
        ("Odometry", "rt/car2/odom", true),
    ];
    let Some((_client, [clock, scan, imu, tf, odometry])) = Cyclone010::start(&domain, topics) else {
        return;
    };
    let host = two_vehicles(&domain, "");
    expect_samples(&clock, 20_000_000, |message| nanos(&message["clock"]));
    expect_samples(&imu, 5_000_000, of_header);
    expect_samples(&scan, 100_000_000, of_header);
    expect_period(&odometry, 50_000_000, of_header);
    expect_transforms(&tf);
    expect_scan(&scan.next());
    expect_imu(&imu.next());
    let reports = driven(&host, &odometry, 0.3);
    expect_drive(&reports, 0.3);
    // The transform with the same stamp has the same values.
    let report = &reports[1];
    let is_of_report = |transform: &Value| {
        transform["child_frame_id"] == "car2/chassis" && of_header(transform) == of_header(report)
    };
    let mut transforms = std::iter::repeat_with(|| tf.next()["transforms"][0].take());
    let transform = transforms.find(is_of_report).expect("an endless iterator");
    let pose = &report["pose"]["pose"];
    assert_eq!(
        (&transform["transform"]["translation"], &transform["transform"]["rotation"]),
        (&pose["position"], &pose["orientation"])
    );
}

/// A vehicle that publishes clouds of this size.
fn camera(name: &str, bytes: usize, rate_hz: u32) -> String {
    let plugin = format!(
        "<plugin filename='cloud' name='cloud'><bytes>{bytes}</bytes><update_rate>{rate_hz}</update_rate>\
         <reliable>true</reliable></plugin>"
    );
    vehicle(name, &plugin)
}

#[track_caller]
fn start(domain: &Domain, cameras: &str) -> Served {
    let setup = Setup::new().in_real_time().plugins(&["ros2"]).fixtures(&["cloud"]);
    let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
    Served::start(setup.world(&world(cameras)).bridge(bridge))
}

/// Checks that a cloud is complete. Returns its number and stamp.
#[track_caller]
fn complete(cloud: &Value, bytes: usize) -> (u64, i64) {
    assert_eq!(
        (&cloud["bytes"], &cloud["right"], &cloud["height"], &cloud["fields"]),
        (&json!(bytes), &json!(bytes), &json!(1), &json!(0)),
        "{cloud}"
    );
    assert_eq!(
        (&cloud["is_dense"], &cloud["header"]["frame_id"]),
        (&json!(true), &json!("cloud")),
        "{cloud}"
    );
    (cloud["width"].as_u64().expect("a number"), of_header(cloud))
}

#[test]
fn a_megabyte_thirty_times_a_second_arrives_without_loss_at_the_older_cyclone() {
    const BYTES: usize = 1_000_000;
    // A client that gets a small part of the processor cannot read thirty.
    let rate_hz = if is_loaded() { 10 } else { 30 };
    let domain = Domain::free();
    let topics = [("PointCloud2", "rt/camera/points", true)];
    let Some((_client, [clouds])) = Cyclone010::start(&domain, topics) else { return };
    let _host = start(&domain, &camera("camera", BYTES, rate_hz));
    let received: Vec<_> = (0..90).map(|_| complete(&clouds.next(), BYTES)).collect();
    for pair in received.windows(2) {
        let ((number, stamp), (next, next_stamp)) = (pair[0], pair[1]);
        assert_eq!(next, number + 1, "none is missing");
        // A step is one millisecond; a period at 30 Hz is 33 and a third.
        let (passed_ms, period_ms) = ((next_stamp - stamp) / 1_000_000, 1000 / i64::from(rate_hz));
        let is_right = passed_ms == period_ms || 1000 % rate_hz != 0 && passed_ms == period_ms + 1;
        assert!(is_right, "{stamp} {next_stamp}");
    }
}

#[test]
fn large_clouds_of_any_length_arrive_at_the_older_cyclone() {
    // This version drops fragmented samples whose length is not a multiple of four, unless they are padded.
    let lengths = [1_000_000, 1_000_001, 1_000_002, 1_000_003];
    let domain = Domain::free();
    let names = ["rt/a/points", "rt/b/points", "rt/c/points", "rt/d/points"];
    let Some((_client, received)) = Cyclone010::start(&domain, names.map(|name| ("PointCloud2", name, true)))
    else {
        return;
    };
    let cameras = ["a", "b", "c", "d"].iter().zip(lengths).map(|(name, bytes)| camera(name, bytes, 5));
    let _host = start(&domain, &cameras.collect::<String>());
    for (clouds, bytes) in received.iter().zip(lengths) {
        let numbers: Vec<_> = (0..5).map(|_| complete(&clouds.next(), bytes).0).collect();
        assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{bytes} bytes: {numbers:?}");
    }
}
