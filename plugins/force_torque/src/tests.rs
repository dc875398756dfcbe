//! The sensor with given wrenches of the joint.

use bridgehead_plugin_api::host::{JointFrame, JointKind, JointWrench, LinkState, Pose};
use bridgehead_plugin_api::messages::geometry_msgs::{Vector3, WrenchStamped};
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::ForceTorque;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A quarter turn about z.
const TURNED: Pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, HALF, HALF] };

fn sensor() -> TestHostBuilder {
    TestHost::builder().vehicle("arm").link("base").link("hand").joint("wrist", JointKind::Revolute)
}

/// Returns the wrench that a sensor in the wrist reports if the base holds the hand with 10 N along x and 2 N m about
/// x; the hand is turned by 90 degrees about z, the joint in the hand by another 90.
fn reading(builder: TestHostBuilder) -> ([f64; 3], [f64; 3]) {
    let host = builder.build();
    let (base, hand) = (host.link("base").id, host.link("hand").id);
    host.set_attached_joint("wrist");
    host.set_joint_frame(
        "wrist",
        JointFrame { parent: Some(base), child: hand, pose: TURNED, axis: [0.0, 0.0, 1.0] },
    );
    host.set_link_state("hand", LinkState { pose: TURNED, linear: [0.0; 3], angular: [0.0; 3] });
    host.set_joint_wrench("wrist", JointWrench { force: [10.0, 0.0, 0.0], torque: [2.0, 0.0, 0.0] });
    host.listen("force_torque");
    TestModel::<ForceTorque>::started(host).step().expect_done();
    assert_eq!(host.watched_joints(), [host.joint("wrist").id]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
    let wrench = host.last::<WrenchStamped>("force_torque").wrench.expect("a wrench");
    let vector = |vector: Option<Vector3>| {
        vector.map(|v| [v.x, v.y, v.z].map(|value| value.round())).expect("a vector")
    };
    (vector(wrench.force), vector(wrench.torque))
}

#[test]
fn by_default_the_child_acts_on_the_parent_in_the_childs_axes() {
    // World x is minus y of the hand; the child pushes back.
    assert_eq!(reading(sensor()), ([0.0, 10.0, 0.0], [0.0, 2.0, 0.0]));
}

#[test]
fn direction_and_frame_can_be_chosen() {
    let chosen =
        |frame: &str| {
            reading(sensor().params([
                ("force_torque/frame", frame),
                ("force_torque/measure_direction", "parent_to_child"),
            ]))
        };
    assert_eq!(chosen("child"), ([0.0, -10.0, 0.0], [0.0, -2.0, 0.0]));
    assert_eq!(chosen("parent"), ([10.0, 0.0, 0.0], [2.0, 0.0, 0.0]));
    assert_eq!(chosen("sensor"), ([-10.0, 0.0, 0.0], [-2.0, 0.0, 0.0]));
}

#[test]
fn noise_is_read_per_axis() {
    let with = sensor()
        .params([("force_torque/force/z/noise/mean", "7"), ("force_torque/torque/x/noise/mean", "-3")]);
    assert_eq!(reading(with), ([0.0, 10.0, 7.0], [-3.0, 2.0, 0.0]));
}

#[test]
fn a_sensor_outside_of_a_joint_is_refused_with_its_right_place() {
    let error = TestModel::<ForceTorque>::create(sensor().build()).awake().expect_failed();
    assert!(error.text().ends_with("into a <joint> of a model that is not static"), "{error}");
}

#[test]
fn an_unknown_frame_is_refused_with_the_known_ones() {
    let host = sensor().param("force_torque/frame", "world").build();
    host.set_attached_joint("wrist");
    host.set_joint_frame(
        "wrist",
        JointFrame { parent: None, child: host.link("hand").id, pose: TURNED, axis: [0.0; 3] },
    );
    let error = TestModel::<ForceTorque>::create(host).awake().expect_failed();
    assert!(error.text().ends_with("is `world`; expected `child`, `parent` or `sensor`"), "{error}");
}
