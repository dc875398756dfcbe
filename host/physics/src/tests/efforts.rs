//! Efforts and velocities of joints that hold still or are driven, as sensors report them.

use super::*;

/// The torque that holds the first rod of a pendulum out along +x: m g l / 2 for each of two rods.
const HELD: f64 = GRAVITY * (0.5 + 1.5);

/// The pendulum turns about y, so that gravity turns it down by a positive angle and the joint holds with a negative torque.
fn held(command: JointCommand) -> (Physics, AddedModel) {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(2)).unwrap();
    for &joint in &added.joints {
        physics.command_joint(joint, command).unwrap();
    }
    run(&mut physics, 2.0);
    (physics, added)
}

fn positions(physics: &Physics, added: &AddedModel) -> Vec<f64> {
    added.joints.iter().map(|&joint| physics.joint_position(joint).unwrap()).collect()
}

const HOLD_POSITION: JointCommand =
    JointCommand::Position { target: 0.0, stiffness: 1e5, damping: 1e4, max_effort: f64::INFINITY };
const HOLD_SPEED: JointCommand = JointCommand::Velocity { target: 0.0, max_effort: f64::INFINITY };

#[test]
fn a_joint_that_holds_reports_the_weight_and_no_velocity() {
    for command in [HOLD_POSITION, HOLD_SPEED] {
        let (mut physics, added) = held(command);
        physics.watch_joint(added.joints[0]).unwrap();
        run(&mut physics, 0.002);
        let found = physics.joint_effort(added.joints[0]).unwrap();
        let share = found / -HELD;
        assert!((share - 1.0).abs() < 1e-2, "{command:?}: {found} N m of {}", -HELD);
        let (before, after) = (positions(&physics, &added), {
            run(&mut physics, 0.1);
            positions(&physics, &added)
        });
        for (joint, (before, after)) in added.joints.iter().zip(before.into_iter().zip(after)) {
            let (speed, moved) = (physics.joint_velocity(*joint).unwrap(), (after - before) / 0.1);
            assert!((speed - moved).abs() < 5e-3, "{command:?}: {speed} rad/s, moved {moved}");
            assert!(speed.abs() < 1e-6, "{command:?}: {speed} rad/s");
        }
    }
}

#[test]
fn an_estimate_is_within_the_limits() {
    let command = JointCommand::Velocity { target: 1e3, max_effort: 5.0 };
    let mut physics = physics();
    let added = physics.add_model(&pendulum(2)).unwrap();
    physics.command_joint(added.joints[0], command).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.joint_effort(added.joints[0]), Some(5.0));
}

#[test]
fn commanded_efforts_are_cut_and_passive_joints_have_none() {
    let mut physics = physics();
    let added = physics.add_model(&door(JointSpec { effort: 2.0, ..hinge() })).unwrap();
    assert_eq!(physics.joint_effort(added.joints[0]), Some(0.0));
    physics.command_joint(added.joints[0], JointCommand::Effort(3.0)).unwrap();
    assert_eq!(physics.joint_effort(added.joints[0]), Some(2.0));
    let missing = added.joints[0];
    physics.remove_model(added.model).unwrap();
    assert_eq!(physics.joint_effort(missing), None);
}
