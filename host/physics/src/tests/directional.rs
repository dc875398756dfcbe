//! Friction by direction, slip and torsion against closed forms.

use super::*;

/// Nothing but a coefficient along the axes of the world.
fn along_axes(coefficients: [f64; 2]) -> DirectionalFriction {
    DirectionalFriction { first: None, coefficients, slips: [0.0; 2], torsion: None }
}

/// A flat block of ten kilograms on the ground, with this friction and gravity sideways.
fn block(directional: DirectionalFriction, sideways: [f64; 2], yaw: f64) -> (Physics, LinkId) {
    let (physics, added) = block_model(directional, sideways, yaw);
    (physics, added.links[0])
}

fn block_model(directional: DirectionalFriction, sideways: [f64; 2], yaw: f64) -> (Physics, AddedModel) {
    let gravity = DVec3::new(sideways[0], sideways[1], -GRAVITY);
    let mut physics = Physics::new(Settings { gravity, ..Settings::default() }).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    let pose = Pose::from_rpy(DVec3::new(0.0, 0.0, 0.1), 0.0, 0.0, yaw);
    let mut link = box_link("block", pose, DVec3::new(1.0, 1.0, 0.2), 10.0);
    link.collisions[0].surface.directional = Some(directional);
    let added = physics.add_model(&model("block", vec![link], Vec::new())).unwrap();
    (physics, added)
}

fn velocity(physics: &Physics, link: LinkId) -> DVec3 {
    physics.link_velocity(link).unwrap().0
}

#[track_caller]
fn assert_near(found: DVec3, expected: DVec3, tolerance: f64) {
    assert!((found - expected).length() < tolerance, "{found} instead of {expected}");
}

#[test]
fn each_direction_has_its_own_coefficient() {
    for (sideways, expected) in [
        ([2.0, 0.0], [2.0 - 0.1 * GRAVITY, 0.0]),
        ([0.0, 2.0], [0.0, 0.0]),
        ([3.0, 4.5], [3.0 - 0.1 * GRAVITY, 4.5 - 0.4 * GRAVITY]),
    ] {
        let (mut physics, link) = block(along_axes([0.1, 0.4]), sideways, 0.0);
        run(&mut physics, 1.0);
        let expected = DVec3::new(expected[0], expected[1], 0.0);
        assert_near(velocity(&physics, link), expected, 0.005);
    }
}

#[test]
fn the_first_direction_turns_with_its_link() {
    for yaw in [0.0, 0.5, std::f64::consts::FRAC_PI_2, 2.0] {
        let first = Some((0, DVec3::Y));
        let (mut physics, link) =
            block(DirectionalFriction { first, ..along_axes([0.05, 1.0]) }, [1.0, 2.0], yaw);
        run(&mut physics, 0.5);
        let direction = DVec3::new(-yaw.sin(), yaw.cos(), 0.0);
        let force = DVec3::new(1.0, 2.0, 0.0).dot(direction);
        let expected = direction * (force.abs() - 0.05 * GRAVITY).max(0.0).copysign(force) * 0.5;
        assert_near(velocity(&physics, link), expected, 0.01);
    }
}

#[test]
fn a_block_that_friction_holds_does_not_creep() {
    let (mut physics, link) = block(along_axes([0.5, 0.3]), [2.0, 2.0], 0.0);
    run(&mut physics, 0.5);
    let before = physics.link_pose(link).unwrap().position;
    run(&mut physics, 1.0);
    let way = physics.link_pose(link).unwrap().position - before;
    assert!(way.length() < 1e-5, "{way}");
}

#[test]
fn the_smaller_coefficient_of_a_pair_applies() {
    let (mut physics, link) = block(along_axes([2.0, 2.0]), [12.0, 0.0], 0.0);
    run(&mut physics, 0.2);
    // The ground has 1.
    assert_near(velocity(&physics, link), DVec3::X * (12.0 - GRAVITY) * 0.2, 0.02);
}

#[test]
fn slip_is_a_speed_in_proportion_to_the_force() {
    let slips = [0.04, 0.0];
    let (mut physics, link) = block(DirectionalFriction { slips, ..along_axes([1.0, 1.0]) }, [1.0, 1.0], 0.0);
    run(&mut physics, 5.0);
    // Ten newtons, however many corners there are.
    assert_near(velocity(&physics, link), DVec3::new(0.04 * 10.0, 0.0, 0.0), 0.001);
}

#[test]
fn torsion_slows_down_a_turn_on_the_spot() {
    let torsion = Some(Torsion { coefficient: 0.5, patch: Patch::Radius(0.2) });
    let directional = DirectionalFriction { torsion, ..along_axes([0.0, 0.0]) };
    let (mut physics, added) = block_model(directional, [0.0, 0.0], 0.0);
    let link = added.links[0];
    run(&mut physics, 0.1);
    physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::Z * 5.0).unwrap();
    run(&mut physics, 1.0);
    let torque = 3.0 * std::f64::consts::PI / 16.0 * 0.5 * 0.2 * 10.0 * GRAVITY;
    let inertia = 10.0 * 2.0 / 12.0;
    let spin = physics.link_velocity(link).unwrap().1.z;
    let expected = 5.0 - torque / inertia;
    assert!((spin - expected).abs() < 0.02, "{spin} instead of {expected}");
}

#[test]
fn contacts_report_the_force() {
    let (mut physics, _) = block(along_axes([0.5, 0.5]), [2.0, 0.0], 0.0);
    run(&mut physics, 0.5);
    let force = physics.contacts().iter().map(Contact::force_on_first).sum::<DVec3>();
    // The ground is the first, and is pulled along.
    assert_near(force, DVec3::new(20.0, 0.0, -10.0 * GRAVITY), 0.1);
}

#[test]
fn a_copy_continues_bit_by_bit() {
    let slips = [0.02, 0.01];
    let (mut physics, link) = block(DirectionalFriction { slips, ..along_axes([0.2, 0.6]) }, [3.0, 1.0], 0.3);
    run(&mut physics, 0.3);
    let mut copy = physics.clone();
    run(&mut physics, 0.3);
    run(&mut copy, 0.3);
    assert_eq!(physics.state_hash(), copy.state_hash());
    assert_eq!(velocity(&physics, link), velocity(&copy, link));
}

#[test]
fn a_model_that_is_removed_takes_its_friction_along() {
    let (mut physics, _) = block(along_axes([0.2, 0.6]), [0.0, 0.0], 0.0);
    let mut other = box_link("other", at(3.0, 0.0, 0.1), DVec3::new(1.0, 1.0, 0.2), 1.0);
    other.collisions[0].surface.directional = Some(along_axes([0.1, 0.1]));
    let added = physics.add_model(&model("other", vec![other], Vec::new())).unwrap();
    run(&mut physics, 0.1);
    physics.remove_model(added.model).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.contacts().len(), 4);
}

/// A vehicle of ten kilograms with four driven wheels at x = ±0.2 and y = ±0.15, whose axles are their z axes.
fn rover(friction: DirectionalFriction) -> ModelSpec {
    let base = Inertial { mass: 8.0, moments: DVec3::new(0.1, 0.2, 0.25), ..Inertial::default() };
    let mut links = vec![LinkSpec { inertial: base, ..LinkSpec::new("base", at(0.0, 0.0, RADIUS)) }];
    let mut joints = Vec::new();
    for (x, y) in [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)] {
        let index = links.len();
        let name = format!("wheel_{index}");
        let pose = Pose::from_rpy(DVec3::new(x, y, RADIUS), -std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        let moments = DVec3::new(0.002, 0.002, 0.0025);
        let inertial = Inertial { mass: 0.5, moments, ..Inertial::default() };
        let mut tyre = collision(CollisionShape::Sphere { radius: RADIUS }, 1.0);
        let first = friction.first.map(|(_, direction)| (index, direction));
        tyre.surface.directional = Some(DirectionalFriction { first, ..friction });
        links.push(LinkSpec { inertial, collisions: vec![tyre], ..LinkSpec::new(&name, pose) });
        joints.push(JointSpec::new(&name, JointKind::Continuous, Some(0), index, at(x, y, RADIUS), DVec3::Y));
    }
    model("rover", links, joints)
}

const RADIUS: f64 = 0.1;

/// Drives the wheels of the left and the right side with these speeds, rad/s. Returns velocity and spin after two seconds.
fn driven(friction: DirectionalFriction, speeds: [f64; 2]) -> (DVec3, DVec3) {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&rover(friction)).unwrap();
    for (index, joint) in added.joints.iter().enumerate() {
        let command = JointCommand::Velocity { target: speeds[index % 2], max_effort: f64::INFINITY };
        physics.command_joint(*joint, command).unwrap();
    }
    run(&mut physics, 2.0);
    physics.link_velocity(added.links[0]).unwrap()
}

#[test]
fn a_vehicle_with_four_fixed_wheels_turns_as_slip_allows() {
    let [along_axle, rolling] = [0.05, 0.001];
    let first = Some((0, DVec3::Z));
    let slips = [along_axle, rolling];
    let (_, spin) = driven(DirectionalFriction { first, slips, ..along_axes([1.0, 1.0]) }, [-2.0, 3.0]);
    // The torque about the vertical of forces along the axles balances that of forces along the wheels:
    // 4 · 0.2² w / along_axle = 4 · 0.15 (v - 0.15 w) / rolling, where v is half of the difference of the wheels' speeds.
    let half = (3.0 + 2.0) / 2.0 * RADIUS;
    let expected = (0.15 * half / rolling) / (0.2 * 0.2 / along_axle + 0.15 * 0.15 / rolling);
    assert!((spin.z - expected).abs() < 0.002 * expected, "{} instead of {expected}", spin.z);
}

#[test]
fn a_vehicle_with_rollers_at_an_angle_moves_sideways() {
    // The rollers of a mecanum wheel leave one direction free, at 45° to the axle and the same one of the vehicle.
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let mut spec = rover(along_axes([1.0, 0.0]));
    let held = [[1.0, -1.0], [1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
    for (link, [x, y]) in spec.links[1..].iter_mut().zip(held) {
        let first = Some((0, DVec3::new(x, y, 0.0)));
        link.collisions[0].surface.directional =
            Some(DirectionalFriction { first, ..along_axes([1.0, 0.0]) });
    }
    let added = physics.add_model(&spec).unwrap();
    for (joint, target) in added.joints.iter().zip([-2.0, 2.0, 2.0, -2.0]) {
        physics.command_joint(*joint, JointCommand::Velocity { target, max_effort: f64::INFINITY }).unwrap();
    }
    run(&mut physics, 1.0);
    let (velocity, spin) = physics.link_velocity(added.links[0]).unwrap();
    assert_near(velocity, DVec3::Y * 2.0 * RADIUS, 0.002);
    assert!(spin.length() < 0.005, "{spin}");
}
