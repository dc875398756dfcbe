//! The receiver at known positions on Earth.

use bridgehead_plugin_api::host::{Level, LinkState, Origin, Pose, Surroundings};
use bridgehead_plugin_api::messages::geometry_msgs::TwistStamped;
use bridgehead_plugin_api::messages::sensor_msgs::{NavSatFix, NavSatStatus};
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::NavSat;

fn receiver() -> TestHostBuilder {
    TestHost::builder().vehicle("car").link("base").parent_link("base")
}

/// A receiver in a world at 47.4 N, 8.5 E, 432 m, whose x axis points `heading` degrees north of east.
fn stands(builder: TestHostBuilder, heading: f64, position: [f64; 3], linear: [f64; 3]) -> TestHost {
    let host = builder.build();
    let origin = Origin {
        latitude: 47.4_f64.to_radians(),
        longitude: 8.5_f64.to_radians(),
        elevation: 432.0,
        heading: heading.to_radians(),
    };
    host.set_surroundings(Surroundings { origin: Some(origin), ..Surroundings::default() });
    let pose = Pose { position, ..Pose::IDENTITY };
    host.set_link_state("base", LinkState { pose, linear, angular: [0.0; 3] });
    host.listen("fix");
    host.listen("fix/velocity");
    TestModel::<NavSat>::started(host).step().expect_done();
    host
}

/// Metres per degree of latitude and longitude at 47.4 N on WGS 84, 432 m up: (M + h) and (N + h) cos(lat), with the
/// radii of curvature M and N there.
fn metres_per_degree() -> [f64; 2] {
    let (a, e2) = (6_378_137.0_f64, 0.006_694_379_990_141);
    let (sin, cos) = 47.4_f64.to_radians().sin_cos();
    let root = (1.0 - e2 * sin * sin).sqrt();
    let (meridian, normal) = (a * (1.0 - e2) / root.powi(3), a / root);
    [meridian + 432.0, (normal + 432.0) * cos].map(f64::to_radians)
}

#[test]
fn a_hundred_metres_north_and_east_give_the_right_degrees() {
    let [north, east] = metres_per_degree();
    let fix: NavSatFix = stands(receiver(), 0.0, [100.0, 200.0, 5.0], [0.0; 3]).last("fix");
    assert!((fix.latitude - (47.4 + 200.0 / north)).abs() < 2e-8, "{fix:?}");
    assert!((fix.longitude - (8.5 + 100.0 / east)).abs() < 6e-8, "{fix:?}");
    // The plane leaves the ellipsoid: 224 m away it is 4 mm higher.
    assert!((fix.altitude - 437.004).abs() < 0.001, "{fix:?}");
    assert_eq!(fix.status.expect("status").status, NavSatStatus::STATUS_FIX);
}

#[test]
fn heading_turns_the_world_relative_to_east() {
    let [north, _] = metres_per_degree();
    let host = stands(receiver(), 90.0, [100.0, 0.0, 0.0], [3.0, 0.0, 1.0]);
    let fix: NavSatFix = host.last("fix");
    assert!((fix.latitude - (47.4 + 100.0 / north)).abs() < 1e-8, "{fix:?}");
    assert!((fix.longitude - 8.5).abs() < 1e-12, "{fix:?}");
    let twist = host.last::<TwistStamped>("fix/velocity").twist.expect("a twist");
    let velocity = twist.linear.expect("a velocity");
    assert!(velocity.x.abs() < 1e-12 && (velocity.y - 3.0).abs() < 1e-12 && (velocity.z - 1.0).abs() < 1e-12);
}

#[test]
fn noise_is_in_metres_and_affects_every_direction() {
    let host = stands(
        receiver().params([
            ("navsat/position_sensing/horizontal/noise/mean", "10"),
            ("navsat/position_sensing/horizontal/noise/stddev", "0"),
            ("navsat/position_sensing/vertical/noise/mean", "-2"),
            ("navsat/velocity_sensing/horizontal/noise/mean", "0.5"),
            ("navsat/velocity_sensing/vertical/noise/mean", "0.25"),
        ]),
        0.0,
        [0.0; 3],
        [0.0; 3],
    );
    let [north, east] = metres_per_degree();
    let fix: NavSatFix = host.last("fix");
    assert!(((fix.latitude - 47.4) * north - 10.0).abs() < 0.01, "{fix:?}");
    assert!(((fix.longitude - 8.5) * east - 10.0).abs() < 0.01, "{fix:?}");
    assert!((fix.altitude - 430.0).abs() < 0.001, "{fix:?}");
    let twist = host.last::<TwistStamped>("fix/velocity").twist.expect("a twist");
    let velocity = twist.linear.expect("a velocity");
    assert!((velocity.x - 0.5).abs() < 1e-12 && (velocity.z - 0.25).abs() < 1e-12, "{velocity:?}");
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_world_without_a_position_on_earth_has_no_fix() {
    let host = receiver().build();
    host.listen("fix");
    TestModel::<NavSat>::started(host).step().expect_done();
    let fix: NavSatFix = host.last("fix");
    assert_eq!(fix.status.expect("status").status, NavSatStatus::STATUS_NO_FIX);
    assert!(fix.latitude.is_nan() && fix.altitude.is_nan());
    assert!(host.has_logged(Level::Warn, "the world has no <spherical_coordinates>"));
}
