//! Limits of positions, speeds and efforts that act together.

use super::*;

/// A frame that swings on a hinge, and a plate that two parallel hinges hold to it, the second one by a constraint.
fn plate_on_two_hinges([first, second]: [Axis; 2]) -> (World, [usize; 2]) {
    let mut world = World::new(settings(false));
    let link = |parent: usize, anchor: DVec3, center: DVec3| LinkSpec {
        parent,
        joint: Joint::Revolute,
        anchor,
        axis: DVec3::Y,
        pose: Pose::from_translation(center),
        mass: mass(1.0, DVec3::splat(0.01)),
    };
    let links = vec![
        link(0, DVec3::new(-1.0, 0.0, 1.0), DVec3::Z),
        link(1, DVec3::new(0.0, 0.0, 1.5), DVec3::new(0.4, 0.0, 1.0)),
    ];
    let tree = world.add_tree(&TreeSpec { root: Pose::IDENTITY, mass: None, links }, true);
    let bodies = [world.bodies_of(tree)[1], world.bodies_of(tree)[2]];
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let joint = Pose::from_parts(DVec3::new(0.0, 0.0, 0.5), turn);
    let frames = bodies.map(|body| world.pose(body).inverse() * joint);
    let hinge = world.add_constraint(ConstraintSpec { bodies, frames, free: Free::Turning });
    *world.axis_mut(AxisId::Constraint(hinge)).unwrap() = second;
    let freedom = world.freedom_of(tree, 2);
    *world.axis_mut(AxisId::Tree { tree, freedom }).unwrap() = first;
    (world, bodies)
}

#[test]
fn locked_loops_at_their_limits_stay_slow() {
    let infinity = f64::INFINITY;
    let ranges =
        [[-infinity, infinity], [-infinity, 0.0], [0.0, infinity], [0.0, 1.5], [-1.5, 0.0], [0.0, 0.5]];
    for one in ranges {
        for other in ranges {
            for speed_limit in [1.0, 4.0, infinity] {
                let axes = [
                    Axis { limits: one, ..Axis::default() },
                    Axis { limits: other, speed_limit, ..Axis::default() },
                ];
                let (mut world, bodies) = plate_on_two_hinges(axes);
                for step in 0..3000 {
                    world.step();
                    let fastest =
                        bodies.map(|body| world.velocity(body)[0].length()).into_iter().fold(0.0, f64::max);
                    // The frame swings.
                    assert!(fastest < 8.0, "{one:?} {other:?} {speed_limit} step {step}: {fastest} m/s");
                }
            }
        }
    }
}

#[test]
fn a_motor_at_its_greatest_effort_keeps_the_speed_limit() {
    for (stiffness, damping) in [(20_000.0, 0.0), (20_000.0, 400.0), (2e6, 0.0)] {
        let mut world = World::new(settings(false));
        let link = |parent, joint, anchor, axis, pose, kg: f64| LinkSpec {
            parent,
            joint,
            anchor,
            axis,
            pose,
            mass: mass(kg, DVec3::splat(0.1 * kg)),
        };
        let links = vec![
            link(0, Joint::Prismatic, DVec3::Z, DVec3::Z, at(0.0, 0.0, 1.0), 20.0),
            link(1, Joint::Revolute, DVec3::Z, DVec3::Y, at(0.4, 0.0, 1.0), 5.0),
        ];
        // The trunk stands on the ground, so that rows of contacts act on the tree.
        let root = mass(60.0, DVec3::splat(2.0));
        let spec = TreeSpec { root: at(0.0, 0.0, 0.2), mass: Some(root), links };
        let tree = world.add_tree(&spec, false);
        add_ground(&mut world, 1.0);
        let trunk = world.bodies_of(tree)[0];
        world.add_collider(collider(trunk, 1, SharedShape::cuboid(0.3, 0.3, 0.2), rough(1.0)));
        let [lift, swing] = [1, 2].map(|link| AxisId::Tree { tree, freedom: world.freedom_of(tree, link) });
        for step in 0..3000 {
            let ramp = (f64::from(step) * STEP).min(1.0);
            let motor = Motor::Position { target: 0.2 * ramp, stiffness, damping, most: 2000.0 };
            *world.axis_mut(lift).unwrap() = Axis { motor, speed_limit: 0.07, ..Axis::default() };
            let motor = Motor::Position { target: 0.8 * ramp, stiffness: 1000.0, damping: 10.0, most: 40.0 };
            *world.axis_mut(swing).unwrap() = Axis { motor, speed_limit: 2.0, ..Axis::default() };
            world.step();
            let speed = world.axis_velocity(lift);
            assert!(speed < 0.07 + 1e-6, "stiffness {stiffness}, step {step}: {speed} m/s");
        }
        assert!((world.axis_position(lift) - 0.2).abs() < 0.02, "{}", world.axis_position(lift));
    }
}

/// A rod on a hinge, with its centre of mass on the axis or beside it.
fn rod(axis: Axis, moment: f64, beside: f64) -> (World, AxisId) {
    let mut world = World::new(settings(false));
    let links = vec![LinkSpec {
        parent: 0,
        joint: Joint::Revolute,
        anchor: DVec3::Z,
        axis: DVec3::Y,
        pose: at(beside, 0.0, 1.0),
        mass: mass(1.0, DVec3::splat(moment)),
    }];
    let tree = world.add_tree(&TreeSpec { root: Pose::IDENTITY, mass: None, links }, true);
    let id = AxisId::Tree { tree, freedom: world.freedom_of(tree, 1) };
    *world.axis_mut(id).unwrap() = axis;
    (world, id)
}

/// The motor of a controller that moves an axis to a position at this speed, and slows down before it.
fn towards(target: f64, position: f64, speed: f64, most: f64) -> Motor {
    Motor::Velocity { target: (10.0 * (target - position)).clamp(-speed, speed), most }
}

/// It has reached its greatest effort when the axis strikes the limit, or while the axis returns from beyond.
#[test]
fn a_motor_pulls_an_axis_off_its_limit() {
    for side in [-1.0, 1.0] {
        for limits in [[0.0, 3.0], [0.5, 3.0], [-3.0, -0.1]] {
            for (most, moment, friction) in
                [(87.5, 0.01, 0.0), (12.0, 0.3, 0.0), (55.0, 0.02, 1.0), (20.0, 0.01, 15.0)]
            {
                let limits = if side > 0.0 { limits } else { [-limits[1], -limits[0]] };
                let axis = Axis { limits, speed_limit: 30.0, friction, ..Axis::default() };
                let (mut world, id) = rod(axis, moment, 0.02);
                let [lower, upper] = limits;
                // The motor can slow down as the controller asks.
                let speed = (0.05 * most / moment).min(30.0);
                for target in [lower - 0.3, lower + 0.2, upper - 0.01, upper + 1.0, upper - 0.3] {
                    for _ in 0..4000 {
                        let motor = towards(target, world.axis_position(id), speed, most);
                        world.axis_mut(id).unwrap().motor = motor;
                        world.step();
                    }
                    let (found, expected) = (world.axis_position(id), target.clamp(lower, upper));
                    let what =
                        format!("{limits:?}, {most} N m, {moment} kg m², friction {friction}, to {target}");
                    assert!((found - expected).abs() < 1e-3, "{what}: {found}");
                }
            }
        }
    }
}
