//! The ranger and objects at known positions.

use bridgehead_plugin_api::messages::geometry_msgs::{Point, PoseStamped};
use bridgehead_plugin_api::messages::sensor_msgs::Range;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::Sonar;

fn ranger() -> TestHostBuilder {
    TestHost::builder().vehicle("car").link("base").parent_link("base").params([
        ("sonar/min", "0.2"),
        ("sonar/max", "4"),
        ("sonar/radius", "1"),
    ])
}

/// Returns the range to a wall at x metres that covers only y above `from`.
fn before_a_wall(builder: TestHostBuilder, x: f64, from: f64) -> Range {
    let host = builder.build();
    host.set_ray_caster(move |ray| {
        let distance = x / ray.direction[0];
        (ray.direction[1] * distance >= from).then_some(distance)
    });
    host.listen("range");
    TestModel::<Sonar>::started(host).step().expect_done();
    assert_eq!(host.unread_params(), Vec::<String>::new());
    host.last("range")
}

#[test]
fn the_range_to_a_wall_is_that_of_its_nearest_point() {
    let reading = before_a_wall(ranger(), 2.0, -100.0);
    assert!((reading.range - 2.0).abs() < 1e-6, "{reading:?}");
    assert!((reading.field_of_view - 2.0 * 0.25_f32.atan()).abs() < 1e-6, "{reading:?}");
    assert_eq!((reading.radiation_type, reading.min_range, reading.max_range), (Range::ULTRASOUND, 0.2, 4.0));
}

#[test]
fn the_edge_of_the_cone_sees_more_than_the_axis() {
    // At 2 m the cone extends half a metre to the side.
    let reading = before_a_wall(ranger(), 2.0, 0.49);
    assert!(reading.range > 2.05 && reading.range < 2.07, "{reading:?}");
    assert!(before_a_wall(ranger(), 2.0, 0.51).range.is_infinite());
}

#[test]
fn ranges_outside_the_limits_are_infinite() {
    assert_eq!(before_a_wall(ranger(), 0.1, -100.0).range.to_bits(), f32::NEG_INFINITY.to_bits());
    assert_eq!(before_a_wall(ranger(), 4.1, -100.0).range.to_bits(), f32::INFINITY.to_bits());
}

#[test]
fn noise_stays_within_the_limits_and_infrared_is_reported() {
    let reading = before_a_wall(
        ranger().params([("sonar/noise/mean", "3"), ("sonar/radiation", "infrared")]),
        2.0,
        -100.0,
    );
    assert_eq!((reading.range.to_bits(), reading.radiation_type), (4.0_f32.to_bits(), Range::INFRARED));
}

#[test]
fn the_pose_in_the_world_is_published_only_if_it_is_asked_for() {
    let host = ranger().param("world_pose", true).build();
    host.listen("range");
    host.listen("range/world_pose");
    TestModel::<Sonar>::started(host).step().expect_done();
    let pose: PoseStamped = host.last("range/world_pose");
    assert_eq!(pose.header.map(|header| header.frame_id).as_deref(), Some("world"));
    assert_eq!(pose.pose.and_then(|pose| pose.position), Some(Point { x: 0.0, y: 0.0, z: 0.0 }));
    let host = ranger().build();
    drop(TestModel::<Sonar>::started(host));
    assert_eq!(host.topics().len(), 1);
}

#[test]
fn contradictory_limits_are_refused() {
    let host =
        TestHost::builder().vehicle("car").link("base").parent_link("base").param("sonar/min", 2).build();
    let error = TestModel::<Sonar>::create(host).awake().expect_failed();
    assert!(error.text().ends_with("`sonar/min` is `2`; expected less than <max>, 1"), "{error}");
}
