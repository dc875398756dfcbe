//! A two-wheel robot against the kinematics of its wheels.

use super::*;

const WHEEL_RADIUS: f64 = 0.1;
const TRACK: f64 = 0.4;

fn wheel(name: &str, y: f64) -> LinkSpec {
    // Standing upright: the cylinder's z is turned into the axle, y.
    let pose = Pose::from_rpy(DVec3::new(0.0, y, WHEEL_RADIUS), -std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let (mass, width) = (0.5, 0.02);
    let across = mass * (3.0 * WHEEL_RADIUS * WHEEL_RADIUS + width * width) / 12.0;
    let moments = DVec3::new(across, across, mass * WHEEL_RADIUS * WHEEL_RADIUS / 2.0);
    let shape = CollisionShape::Cylinder { radius: WHEEL_RADIUS, length: width };
    LinkSpec {
        inertial: Inertial { mass, moments, ..Inertial::default() },
        collisions: vec![collision(shape, 1.0)],
        ..LinkSpec::new(name, pose)
    }
}

pub(super) fn two_wheel_robot() -> ModelSpec {
    let mut chassis = box_link("chassis", at(0.0, 0.0, 0.12), DVec3::new(0.5, 0.3, 0.1), 5.0);
    for x in [-0.2, 0.2] {
        // Casters that slide: spheres without friction, a millimetre above the ground so that the wheels carry.
        let caster = collision(CollisionShape::Sphere { radius: 0.05 }, 0.0);
        chassis.collisions.push(CollisionSpec { pose: at(x, 0.0, -0.069), ..caster });
    }
    let (left, right) = (TRACK / 2.0, -TRACK / 2.0);
    let joint = |name: &str, child: usize, y: f64| {
        let anchor = at(0.0, y, WHEEL_RADIUS);
        JointSpec {
            effort: 20.0,
            ..JointSpec::new(name, JointKind::Continuous, Some(0), child, anchor, DVec3::Y)
        }
    };
    let links = vec![chassis, wheel("left_wheel", left), wheel("right_wheel", right)];
    let joints = vec![joint("left", 1, left), joint("right", 2, right)];
    model("robot", links, joints)
}

fn drive(left: f64, right: f64, seconds: f64) -> Pose {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&two_wheel_robot()).unwrap();
    for (&joint, target) in added.joints.iter().zip([left, right]) {
        physics.command_joint(joint, JointCommand::Velocity { target, max_effort: f64::INFINITY }).unwrap();
    }
    run(&mut physics, seconds);
    physics.link_pose(added.links[0]).unwrap()
}

#[test]
fn robot_drives_straight_as_far_as_its_wheels_roll() {
    let position = drive(4.0, 4.0, 5.0).position;
    let expected = 4.0 * WHEEL_RADIUS * 5.0;
    assert!((position.x / expected - 1.0).abs() < 0.02, "drove {} m", position.x);
    assert!(position.y.abs() < 0.02, "drifted {} m", position.y);
    assert!((position.z - 0.12).abs() < 1e-3, "{} m high", position.z);
}

#[test]
fn robot_turns_by_the_difference_of_its_wheels() {
    let [_, _, yaw] = drive(3.6, 4.0, 5.0).rpy();
    let expected = 0.4 * WHEEL_RADIUS / TRACK * 5.0;
    assert!((yaw / expected - 1.0).abs() < 0.2, "turned {yaw} rad instead of {expected}");
}
