//! Topics that are chosen, and measurements in the axes of an autopilot.

use bridgehead_plugin_api::messages::geometry_msgs::{
    Point, Pose, PoseWithCovariance, Quaternion, Twist, TwistWithCovariance,
};

use super::*;

fn source(data_type: &str, topic: &str) -> Source {
    Source { data_type: data_type.to_owned(), topic: topic.to_owned() }
}

#[test]
fn topics_are_the_first_ones_or_those_that_are_named() {
    let sources = [
        source(Imu::FULL_NAME, "/a/imu"),
        source(Imu::FULL_NAME, "/b/imu"),
        source(FluidPressure::FULL_NAME, "/speed"),
        source(FluidPressure::FULL_NAME, "/baro"),
        source(NavSatFix::FULL_NAME, "/gps"),
        source(TwistStamped::FULL_NAME, "/gps/velocity"),
        source(TwistStamped::FULL_NAME, "/other"),
    ];
    let kinds = |named: &[(Kind, &str)]| {
        let named = named.iter().map(|(kind, topic)| (*kind, (*topic).to_owned())).collect();
        let chosen = Chosen::among(&sources, &named);
        sources.iter().map(|source| chosen.kind(source)).collect::<Vec<_>>()
    };
    let gps = [Some(Kind::Fix), Some(Kind::FixVelocity), None];
    assert_eq!(kinds(&[]), [&[Some(Kind::Imu), None, Some(Kind::Pressure), None][..], &gps].concat());
    assert_eq!(
        kinds(&[(Kind::Imu, "/b/imu"), (Kind::AirSpeed, "/speed")]),
        [&[None, Some(Kind::Imu), Some(Kind::AirSpeed), Some(Kind::Pressure)][..], &gps].concat()
    );
    let chosen = Chosen::among(&sources, &Named::from([(Kind::Imu, "/none".to_owned())]));
    assert!(!chosen.has(Kind::Imu) && chosen.has(Kind::Fix));
    assert!(Kind::has_type(TwistStamped::FULL_NAME) && !Kind::has_type(Twist::FULL_NAME));
}

#[test]
fn measurements_have_the_axes_of_an_autopilot_and_are_new_once() {
    let sources = [
        source(Imu::FULL_NAME, "/imu"),
        source(Odometry::FULL_NAME, "/odom"),
        source(MagneticField::FULL_NAME, "/mag"),
    ];
    let chosen = Chosen::among(&sources, &Named::new());
    let mut vehicle = Vehicle::default();
    let imu = Imu {
        angular_velocity: Some(Vector3::new(0.1, 0.2, 0.3)),
        linear_acceleration: Some(Vector3::new(1.0, 2.0, 9.0)),
        ..Imu::default()
    };
    // The nose points to the north, y.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let odometry = Odometry {
        pose: Some(PoseWithCovariance {
            pose: Some(Pose {
                position: Some(Point { x: 3.0, y: 4.0, z: 5.0 }),
                orientation: Some(Quaternion { x: 0.0, y: 0.0, z: half, w: half }),
            }),
            covariance: Vec::new(),
        }),
        twist: Some(TwistWithCovariance {
            twist: Some(Twist {
                linear: Some(Vector3::new(2.0, 1.0, 0.5)),
                angular: Some(Vector3::new(0.1, 0.2, 0.3)),
            }),
            covariance: Vec::new(),
        }),
        ..Odometry::default()
    };
    let field = MagneticField { magnetic_field: Some(Vector3::new(1e-5, 2e-5, -4e-5)), ..Default::default() };
    for (source, bytes) in
        sources.iter().zip([imu.encode_to_vec(), odometry.encode_to_vec(), field.encode_to_vec()])
    {
        vehicle.update(&chosen, source, &bytes).expect("a message");
    }
    let expected = Inertial { gyro: [0.1, -0.2, -0.3], acceleration: [1.0, -2.0, -9.0] };
    assert_eq!(vehicle.inertial.take_new(), Some(expected));
    assert_eq!((vehicle.inertial.take_new(), vehicle.inertial.last), (None, Some(expected)));
    assert_eq!(vehicle.magnetic.take_new(), Some([1e-5, -2e-5, 4e-5]));
    let motion = vehicle.motion.take_new().expect("a motion");
    assert_eq!((motion.position, motion.rates), ([4.0, 3.0, -5.0], [0.1, -0.2, -0.3]));
    // Forward is north, left is west.
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    assert!(motion.velocity.into_iter().zip([2.0, -1.0, -0.5]).all(|(a, b)| near(a, b)), "{motion:?}");
    assert!(near(motion.attitude[0], 1.0), "{motion:?}");
    assert!(vehicle.update(&chosen, &sources[0], &[0xff]).is_err());
    assert_eq!(vehicle.update(&chosen, &source(Imu::FULL_NAME, "/else"), &[0xff]).expect("ignored"), None);
}
