//! The imu through its C functions, with motions of known readings.

use std::time::Duration;

use bridgehead_plugin_api::host::{Level, LinkState, Pose};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::sensor_msgs;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::Imu;

/// SDF's default gravity, m/s².
const G: f64 = 9.8;

/// Width of a step, s.
const STEP: f64 = 0.001;

fn sensor() -> TestHostBuilder {
    TestHost::builder().vehicle("car1").link("base").parent_link("base").element("imu")
}

fn started(host: TestHost) -> TestModel<Imu> {
    host.listen("imu");
    TestModel::started(host)
}

fn last(host: TestHost) -> sensor_msgs::Imu {
    host.last("imu")
}

fn about_y(angle: f64) -> [f64; 4] {
    [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()]
}

fn about_z(angle: f64) -> [f64; 4] {
    [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()]
}

fn at_rest(orientation: [f64; 4]) -> LinkState {
    moving(orientation, [0.0; 3], [0.0; 3])
}

fn moving(orientation: [f64; 4], linear: [f64; 3], angular: [f64; 3]) -> LinkState {
    LinkState { pose: Pose { position: [0.0; 3], orientation }, linear, angular }
}

#[track_caller]
fn assert_vector(vector: Option<&Vector3>, expected: [f64; 3]) {
    let vector = vector.expect("a vector");
    let found = [vector.x, vector.y, vector.z];
    let distance = (0..3).map(|axis| (found[axis] - expected[axis]).abs()).fold(0.0, f64::max);
    assert!(distance < 1e-9, "{found:?} is not {expected:?}");
}

#[test]
fn a_tilted_sensor_at_rest_measures_gravity_in_its_own_axes() {
    let host = sensor().build();
    let tilt = 30.0_f64.to_radians();
    host.set_link_state("base", at_rest(about_y(tilt)));
    started(host).run(2).expect_done();
    let imu = last(host);
    // Nose down: the reaction to gravity points backwards and up.
    assert_vector(imu.linear_acceleration.as_ref(), [-G * tilt.sin(), 0.0, G * tilt.cos()]);
    assert_vector(imu.angular_velocity.as_ref(), [0.0; 3]);
    let orientation = imu.orientation.expect("orientation");
    assert!((orientation.y - (tilt / 2.0).sin()).abs() < 1e-12);
    assert!((orientation.w - (tilt / 2.0).cos()).abs() < 1e-12);
    let header = imu.header.expect("header");
    assert_eq!((header.stamp_nanos(), header.frame_id.as_str()), (2_000_000, "car1/base/imu"));
}

#[test]
fn the_mounting_turns_the_axes_too() {
    let tilt = 30.0_f64.to_radians();
    let host = sensor().pose(Pose { position: [0.0; 3], orientation: about_y(-tilt) }).build();
    host.set_link_state("base", at_rest(about_y(tilt)));
    started(host).step().expect_done();
    assert_vector(last(host).linear_acceleration.as_ref(), [0.0, 0.0, G]);
}

#[test]
fn a_circular_drive_shows_the_centripetal_acceleration_on_the_left() {
    let (radius, rate) = (4.0, 2.0);
    let host = sensor().build();
    let state = |time: f64| {
        let heading = rate * time;
        let speed = rate * radius;
        moving(about_z(heading), [speed * heading.cos(), speed * heading.sin(), 0.0], [0.0, 0.0, rate])
    };
    host.set_link_state("base", state(0.0));
    let mut model = started(host);
    for step in 1..=5 {
        host.set_link_state("base", state(f64::from(step) * STEP));
        model.step().expect_done();
        // The mean over the last step, exactly; it differs from v²/r by the turn within half a step.
        let turn = rate * STEP;
        let mean = [(1.0 - turn.cos()) * rate * radius / STEP, turn.sin() * rate * radius / STEP, G];
        let imu = last(host);
        assert_vector(imu.linear_acceleration.as_ref(), mean);
        assert_vector(imu.angular_velocity.as_ref(), [0.0, 0.0, rate]);
        assert!((imu.linear_acceleration.expect("force").y - rate * rate * radius).abs() < 1e-4);
    }
}

#[test]
fn a_sensor_off_the_axis_measures_the_centripetal_acceleration() {
    let (arm, rate) = (0.5, 3.0);
    let host = sensor().pose(Pose { position: [arm, 0.0, 0.0], ..Pose::IDENTITY }).build();
    let state = |time: f64| moving(about_z(rate * time), [0.0; 3], [0.0, 0.0, rate]);
    host.set_link_state("base", state(0.0));
    let mut model = started(host);
    host.set_link_state("base", state(STEP));
    model.step().expect_done();
    let turn = rate * STEP;
    let mean = [-turn.sin() * rate * arm / STEP, (1.0 - turn.cos()) * rate * arm / STEP, G];
    assert_vector(last(host).linear_acceleration.as_ref(), mean);
}

#[test]
fn acceleration_is_that_of_the_last_step_at_any_sampling_rate() {
    let host = sensor().update_period(Duration::from_millis(10)).build();
    let mut model = started(host);
    let speed = |step: i32| f64::from(step * step) * 1e-4;
    for step in 1..=10 {
        host.set_link_state("base", moving(about_z(0.0), [speed(step), 0.0, 0.0], [0.0; 3]));
        model.step().expect_done();
    }
    assert_eq!(host.published("imu").len(), 1);
    assert_vector(last(host).linear_acceleration.as_ref(), [(speed(10) - speed(9)) / STEP, 0.0, G]);
}

#[test]
fn a_late_subscriber_gets_a_correct_first_sample() {
    let host = sensor().build();
    let mut model = TestModel::<Imu>::started(host);
    for step in 1..=5 {
        if step == 5 {
            host.listen("imu");
        }
        host.set_link_state("base", moving(about_z(0.0), [0.0, f64::from(step) * STEP, 0.0], [0.0; 3]));
        model.step().expect_done();
    }
    assert_vector(last(host).linear_acceleration.as_ref(), [0.0, 1.0, G]);
}

#[test]
fn a_fall_is_weightless_from_its_first_step() {
    let host = sensor().build();
    let mut model = started(host);
    host.set_link_state("base", moving(about_z(0.0), [0.0, 0.0, -G * STEP], [0.0; 3]));
    model.step().expect_done();
    assert_vector(last(host).linear_acceleration.as_ref(), [0.0; 3]);
}

#[test]
fn a_reset_causes_no_acceleration_peak() {
    let host = sensor().build();
    let mut model = started(host);
    host.set_link_state("base", moving(about_z(0.0), [20.0, 0.0, 0.0], [0.0; 3]));
    model.step().expect_done();
    host.set_link_state("base", at_rest(about_z(0.0)));
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_vector(last(host).linear_acceleration.as_ref(), [0.0, 0.0, G]);
}

fn noisy(seed: u64) -> TestHost {
    sensor()
        .seed(seed)
        .params([
            ("imu/angular_velocity/z/noise/@type", "gaussian"),
            ("imu/angular_velocity/z/noise/stddev", "0.02"),
            ("imu/linear_acceleration/x/noise/@type", "gaussian"),
            ("imu/linear_acceleration/x/noise/stddev", "0.1"),
            ("imu/linear_acceleration/x/noise/bias_mean", "3"),
        ])
        .build()
}

/// Returns the x accelerations of 2000 samples.
fn x_readings(seed: u64) -> Vec<f64> {
    let host = noisy(seed);
    started(host).run(2000).expect_done();
    let samples = host.decoded::<sensor_msgs::Imu>("imu");
    samples.into_iter().map(|imu| imu.linear_acceleration.expect("acceleration").x).collect()
}

#[test]
fn noise_has_its_deviation_around_a_bias_and_repeats_with_the_seed() {
    let readings = x_readings(1);
    let mean = readings.iter().sum::<f64>() / 2000.0;
    let deviation = (readings.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2000.0).sqrt();
    assert!((mean.abs() - 3.0).abs() < 0.01, "mean {mean}");
    assert!((deviation - 0.1).abs() < 0.006, "deviation {deviation}");
    assert_eq!(readings, x_readings(1));
    assert_ne!(readings, x_readings(2));
}

#[test]
fn covariances_hold_the_variances_of_the_noise() {
    let host = noisy(0);
    started(host).step().expect_done();
    let imu = last(host);
    let diagonal = |covariance: &[f64]| [covariance[0], covariance[4], covariance[8]];
    assert_eq!(diagonal(&imu.angular_velocity_covariance), [0.0, 0.0, 0.02 * 0.02]);
    assert_eq!(diagonal(&imu.linear_acceleration_covariance), [0.1 * 0.1, 0.0, 0.0]);
    assert_eq!(imu.orientation_covariance, [0.0; 9]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn orientation_can_be_switched_off() {
    let host = sensor().param("imu/enable_orientation", "false").build();
    host.set_link_state("base", at_rest(about_z(1.0)));
    started(host).step().expect_done();
    let imu = last(host);
    assert_eq!(imu.orientation_covariance[0].to_bits(), (-1.0_f64).to_bits());
    assert_eq!(imu.orientation.expect("orientation").z.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn orientation_can_be_given_against_north_west_up() {
    let host = sensor().param("imu/orientation_reference_frame/localization", "NWU").build();
    // Facing north, which is the world's y axis.
    host.set_link_state("base", at_rest(about_z(std::f64::consts::FRAC_PI_2)));
    started(host).step().expect_done();
    let orientation = last(host).orientation.expect("orientation");
    assert!(orientation.z.abs() < 1e-12 && (orientation.w.abs() - 1.0).abs() < 1e-12, "{orientation:?}");
}

/// The heading that an imu whose sensor faces 1.0 rad to the left reports against axes that are turned by 0.4 rad.
fn custom_heading(parent: Option<&str>) -> f64 {
    let frame = "imu/orientation_reference_frame";
    let custom = format!("{frame}/custom_rpy");
    let params = [(format!("{frame}/localization"), "CUSTOM"), (custom.clone(), "0 0 0.4")];
    let parent = parent.map(|parent| (format!("{custom}/@parent_frame"), parent));
    let params = params.into_iter().chain(parent);
    let builder = params.fold(sensor().link("mast"), |host, (path, text)| host.param(&path, text));
    let host = builder.build();
    host.set_link_state("base", at_rest(about_z(0.7)));
    host.set_link_state("mast", at_rest(about_z(-0.2)));
    let mut model = started(host);
    model.step().expect_done();
    host.set_link_state("base", at_rest(about_z(1.0)));
    model.step().expect_done();
    assert_eq!(host.unread_params(), Vec::<String>::new());
    let orientation = last(host).orientation.expect("orientation");
    2.0 * orientation.z.atan2(orientation.w)
}

#[test]
fn orientation_can_be_given_against_axes_that_are_turned() {
    for (parent, expected) in [
        (Some("world"), 0.6),
        // The start of the sensor.
        (None, -0.1),
        (Some(""), -0.1),
        (Some("mast"), 0.8),
        (Some("car1::mast"), 0.8),
    ] {
        let found = custom_heading(parent);
        assert!((found - expected).abs() < 1e-12, "{parent:?}: {found}");
    }
}

#[test]
fn axes_of_an_unknown_frame_are_refused() {
    let frame = "imu/orientation_reference_frame";
    let host = sensor()
        .param(&format!("{frame}/localization"), "CUSTOM")
        .param(&format!("{frame}/custom_rpy/@parent_frame"), "moon")
        .build();
    let error = TestModel::<Imu>::create(host).awake().expect_failed();
    let text = "is `moon`; expected `world`, a link of the model, or nothing for the start of the sensor";
    assert!(error.text().ends_with(text), "{error}");
}

#[test]
fn an_unsupported_reference_is_a_warning() {
    let host = sensor().param("imu/orientation_reference_frame/localization", "GRAV_UP").build();
    started(host).step().expect_done();
    assert!(host.has_logged(
        Level::Warn,
        "is `GRAV_UP`; expected ENU, NED, NWU or CUSTOM; orientation is given in ENU"
    ));
}

#[test]
fn an_imu_without_a_link_is_refused_with_its_right_place() {
    let error = TestModel::<Imu>::create(TestHost::new()).awake().expect_failed();
    let text = "sensor `plugin` measures at a link; put its <sensor> element into a <link>";
    assert_eq!(error.text(), text);
}

#[test]
fn a_negative_deviation_is_refused() {
    let host = sensor().param("imu/linear_acceleration/y/noise/stddev", -0.1).build();
    let error = TestModel::<Imu>::create(host).awake().expect_failed();
    let text = "parameter `imu/linear_acceleration/y/noise/stddev` is `-0.1`; expected 0 or more";
    assert!(error.text().ends_with(text), "{error}");
}
