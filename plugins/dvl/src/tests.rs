//! A log that moves over a plane, against the closed form.

use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::*;

/// A log whose four beams tilt by 30°.
fn log() -> TestHostBuilder {
    TestHost::builder().vehicle("auv").link("hull").parent_link("hull").params([
        ("gz:dvl/type", "phased_array"),
        ("gz:dvl/arrangement/@degrees", "true"),
        ("gz:dvl/arrangement/beam[0]/@id", "1"),
        ("gz:dvl/arrangement/beam[0]/aperture", "2"),
        ("gz:dvl/arrangement/beam[0]/rotation", "45"),
        ("gz:dvl/arrangement/beam[0]/tilt", "30"),
        ("gz:dvl/arrangement/beam[1]/rotation", "135"),
        ("gz:dvl/arrangement/beam[1]/tilt", "30"),
        ("gz:dvl/arrangement/beam[2]/rotation", "-45"),
        ("gz:dvl/arrangement/beam[2]/tilt", "30"),
        ("gz:dvl/arrangement/beam[3]/rotation", "-135"),
        ("gz:dvl/arrangement/beam[3]/tilt", "30"),
        ("gz:dvl/maximum_range", "100"),
        ("gz:dvl/minimum_range", "0.1"),
    ])
}

/// Returns the measurement of a log at rest in roll and pitch with this yaw, at a height over a plane.
fn measure(builder: TestHostBuilder, height: f64, yaw: f64, linear: [f64; 3]) -> DvlVelocityTracking {
    let host = builder.build();
    let (sin, cos) = (yaw / 2.0).sin_cos();
    let pose = Pose { position: [0.0, 0.0, height], orientation: [0.0, 0.0, sin, cos] };
    let mut model = TestModel::<Dvl>::started(host);
    assert_eq!(host.unread_params(), Vec::<String>::new());
    host.set_link_state("hull", LinkState { pose, linear, angular: [0.0; 3] });
    host.set_ray_caster(move |ray| (ray.direction[2] < 0.0).then(|| ray.origin[2] / -ray.direction[2]));
    host.listen("dvl/velocity");
    model.step().expect_done();
    host.last("dvl/velocity")
}

fn near(found: Option<&Vector3>, expected: [f64; 3]) {
    let found = found.expect("a vector");
    let differences = [found.x - expected[0], found.y - expected[1], found.z - expected[2]];
    assert!(differences.iter().all(|part| part.abs() < 1e-9), "{found:?}, expected {expected:?}");
}

/// The slant range is h / cos 30°, and the velocity is the one of the hull in its own axes.
#[test]
fn velocity_and_ranges_over_a_plane_are_those_of_the_closed_form() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let found = measure(log(), 12.0, quarter, [1.0, 2.0, -0.5]);
    assert!(found.is_locked);
    near(found.velocity.as_ref(), [2.0, -1.0, -0.5]);
    let slant = 12.0 / (quarter / 3.0).cos();
    assert!((found.range - slant).abs() < 1e-9, "{}", found.range);
    assert_eq!(found.beams.iter().map(|beam| beam.id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    // sin 30° in the direction of 45°, and cos 30° down.
    let (away, down) = (0.5 * 0.5_f64.sqrt(), -(quarter / 3.0).cos());
    near(found.beams[0].direction.as_ref(), [away, away, down]);
    // The speed along the first beam: (2 - 1) away - 0.5 down.
    assert!((found.beams[0].velocity - (away - 0.5 * down)).abs() < 1e-9, "{:?}", found.beams[0]);
}

#[test]
fn beyond_the_range_nothing_is_locked() {
    let found = measure(log(), 90.0, 0.0, [1.0, 0.0, 0.0]);
    assert!(!found.is_locked && found.beams.iter().all(|beam| !beam.is_locked && beam.range == 0.0));
    near(found.velocity.as_ref(), [0.0; 3]);
}

/// The frame of the measurements is turned by -90°, as in Gazebo's example.
#[test]
fn the_reference_frame_turns_velocity_and_beams() {
    let turned = log().param("gz:dvl/reference_frame", "0 0 0 0 0 -1.5707963267948966");
    let found = measure(turned, 5.0, 0.0, [1.0, 0.0, 0.0]);
    near(found.velocity.as_ref(), [0.0, 1.0, 0.0]);
}

#[test]
fn tracking_can_be_off_and_too_few_beams_are_refused() {
    let off = log().param("gz:dvl/tracking/bottom_mode/when", "never");
    let found = measure(off, 5.0, 0.0, [1.0, 0.0, 0.0]);
    assert!(!found.is_locked && found.beams.iter().all(|beam| beam.is_locked));
    let host = TestHost::builder().vehicle("auv").link("hull").parent_link("hull");
    let host = host.param("gz:dvl/arrangement/beam/tilt", "0.5").build();
    let error = TestModel::<Dvl>::create(host).awake().expect_failed();
    assert!(
        error.text().contains("`gz:dvl/arrangement/beam` is `1`; expected three beams or more"),
        "{error}"
    );
}
