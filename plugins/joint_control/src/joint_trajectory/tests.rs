//! The trajectory controller through its C functions.

use super::*;
use bridgehead_plugin_api::host::{JointKind, JointState, Level};
use bridgehead_plugin_api::messages::builtin_interfaces::Duration;
use bridgehead_plugin_api::messages::trajectory_msgs::JointTrajectoryPoint;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

const MS: i64 = 1_000_000;

fn arm() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("arm")
        .joint("mount", JointKind::Fixed)
        .joint("shoulder", JointKind::Revolute)
        .joint("elbow", JointKind::Revolute)
}

fn trajectory(names: &[&str], points: &[(i64, [f64; 2])]) -> trajectory_msgs::JointTrajectory {
    let point = |(due, positions): &(i64, [f64; 2])| JointTrajectoryPoint {
        positions: positions.to_vec(),
        time_from_start: Some(Duration::from_nanos(*due)),
        ..JointTrajectoryPoint::default()
    };
    trajectory_msgs::JointTrajectory {
        joint_names: names.iter().map(|&name| name.to_owned()).collect(),
        points: points.iter().map(point).collect(),
        ..Default::default()
    }
}

/// Returns the efforts of the last step, by joint.
fn efforts(host: TestHost) -> Vec<f64> {
    let effort = |command: &TestCommand| match command {
        TestCommand::JointEffort { effort, .. } => *effort,
        other => panic!("an effort, not {other:?}"),
    };
    let commands = host.take_commands();
    commands[commands.len() - 2..].iter().map(effort).collect()
}

#[test]
fn joints_move_towards_each_point_until_its_time() {
    let host = arm().params([("position_p_gain[0]", "2"), ("position_p_gain[1]", "1")]).build();
    host.listen("joint_trajectory_progress");
    let mut model = TestModel::<JointTrajectory>::started(host);
    model.step().expect_done();
    assert_eq!(efforts(host), [0.0, 0.0]);
    // The names are in another order than the joints.
    let course = trajectory(&["elbow", "shoulder"], &[(2 * MS, [0.5, 1.0]), (4 * MS, [-1.0, -2.0])]);
    host.send("joint_trajectory", &course);
    model.step().expect_done();
    assert_eq!(efforts(host), [2.0, 0.5]);
    model.step().expect_done();
    assert_eq!(efforts(host), [2.0, 0.5]);
    model.step().expect_done();
    assert_eq!(efforts(host), [-4.0, -1.0]);
    model.run(10).expect_done();
    assert_eq!(efforts(host), [-4.0, -1.0]);
    let told: Vec<f32> =
        host.decoded::<Float32>("joint_trajectory_progress").into_iter().map(|one| one.data).collect();
    assert_eq!(told, [0.5, 1.0]);
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(efforts(host), [0.0, 0.0]);
}

#[test]
fn an_initial_position_is_held_and_efforts_are_added() {
    let host = arm()
        .params([("joint_name[0]", "shoulder"), ("joint_name[1]", "elbow"), ("topic", "/go")])
        .params([("initial_position[0]", "0.5"), ("position_p_gain[0]", "4")])
        .build();
    let mut model = TestModel::<JointTrajectory>::started(host);
    model.step().expect_done();
    assert_eq!(efforts(host), [2.0, 0.0]);
    let mut course = trajectory(&["elbow"], &[(5 * MS, [0.0; 2])]);
    course.points[0].positions.clear();
    course.points[0].effort = vec![7.0];
    host.send("/go", &course);
    model.step().expect_done();
    assert_eq!(efforts(host), [2.0, 7.0]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn invalid_trajectories_are_refused_and_the_present_one_continues() {
    let host = arm().param("position_p_gain[0]", 1).build();
    let mut model = TestModel::<JointTrajectory>::started(host);
    host.send("joint_trajectory", &trajectory(&["shoulder", "elbow"], &[(100 * MS, [1.0, 1.0])]));
    model.step().expect_done();
    for (bad, text) in [
        (
            trajectory(&["wrist", "elbow"], &[(1, [0.0; 2])]),
            "it names joint `wrist`; this controller drives shoulder, elbow",
        ),
        (trajectory(&["elbow"], &[(1, [0.0; 2])]), "point 0 has 2 positions for 1 joints"),
        (
            trajectory(&["shoulder", "elbow"], &[(2, [0.0; 2]), (2, [0.0; 2])]),
            "point 1 is not later than the one before it",
        ),
        (
            trajectory(&["shoulder", "elbow"], &[(2, [f64::NAN, 0.0])]),
            "point 0 has invalid positions: [BH-PHY-051] a command holds a number that is not finite",
        ),
        (
            trajectory(&["shoulder", "elbow"], &[(2, [1e300, 0.0])]),
            "point 0 has invalid positions: [BH-PHY-051] 1e300 as positions of a command is too large",
        ),
        (trajectory(&[], &[]), "it has no joints or no points"),
    ] {
        host.send("joint_trajectory", &bad);
        model.step().expect_done();
        assert!(host.has_logged(Level::Warn, &format!("a trajectory was refused: {text}")), "{text}");
        assert_eq!(efforts(host)[0].to_bits(), 1.0_f64.to_bits());
    }
}

#[test]
fn values_that_a_point_leaves_out_are_kept() {
    let host = arm()
        .params([("initial_position[0]", "0.5"), ("position_p_gain[0]", "4"), ("velocity_p_gain[0]", "3")])
        .build();
    let mut model = TestModel::<JointTrajectory>::started(host);
    host.set_joint_state("shoulder", JointState { position: 0.0, velocity: 0.25, effort: 0.0 });
    // Before the first command, a velocity gain damps.
    model.step().expect_done();
    assert_eq!(efforts(host)[0].to_bits(), (2.0_f64 - 0.75).to_bits());
    let mut course = trajectory(&["shoulder"], &[(5 * MS, [0.0; 2])]);
    course.points[0].positions.clear();
    course.points[0].velocities = vec![1.25];
    host.send("joint_trajectory", &course);
    model.step().expect_done();
    assert_eq!(efforts(host)[0].to_bits(), (2.0_f64 + 3.0).to_bits());
}

#[test]
fn without_clamps_an_integral_grows_without_limit() {
    let host = arm().param("velocity_i_gain[0]", 1000).build();
    let mut model = TestModel::<JointTrajectory>::started(host);
    host.set_joint_state("shoulder", JointState { position: 0.0, velocity: -2.0, effort: 0.0 });
    model.run(10).expect_done();
    assert!((efforts(host)[0] - 20.0).abs() < 1e-9, "{:?}", efforts(host));
}
