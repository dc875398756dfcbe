//! Robots that stand and drive on light feet, wheels and casters.

use super::*;

/// A sphere that carries, with the friction of most descriptions.
fn ball(radius: f64, place: DVec3) -> CollisionSpec {
    let pose = Pose::from_position(place);
    CollisionSpec { pose, ..collision(CollisionShape::Sphere { radius }, 1.0) }
}

fn inertial(mass: f64, moments: DVec3, place: DVec3) -> Inertial {
    Inertial { mass, moments, pose: Pose::from_position(place), ..Inertial::default() }
}

/// A foot: a sphere of a radius of 2 cm with the moments of a solid one.
fn foot(name: &str, mass: f64, place: DVec3) -> LinkSpec {
    let inertial = inertial(mass, DVec3::splat(0.4 * mass * 0.02 * 0.02), DVec3::ZERO);
    let collisions = vec![ball(0.02, DVec3::ZERO)];
    LinkSpec { inertial, collisions, ..LinkSpec::new(name, Pose::from_position(place)) }
}

/// A body of 1.1 kg on two feet of its own and on a third one that a joint holds, all on the ground.
fn on_a_foot(mass: f64, kind: JointKind) -> ModelSpec {
    let mut base = LinkSpec::new("base", at(0.0, 0.0, 0.02));
    base.inertial = inertial(1.1, DVec3::splat(0.02), DVec3::new(-0.03, 0.0, 0.05));
    base.collisions = [0.08, -0.08].map(|y| ball(0.02, DVec3::Y * y)).to_vec();
    let place = DVec3::new(-0.08, 0.0, 0.02);
    let joint = JointSpec::new("joint", kind, Some(0), 1, Pose::from_position(place), DVec3::Z);
    let joint = JointSpec { limits: [-0.01, 0.0], ..joint };
    model("body", vec![base, foot("foot", mass, place)], vec![joint])
}

/// The greatest rate of turn of a link in a time, rad/s.
fn fastest_turn(physics: &mut Physics, link: LinkId, seconds: f64) -> f64 {
    let mut fastest = 0.0_f64;
    for _ in 0..steps_in(physics, seconds) {
        physics.step().expect("sound");
        fastest = fastest.max(physics.link_velocity(link).unwrap().1.length());
    }
    fastest
}

/// The ground without sleep, which would hide a body that trembles.
fn ground_awake() -> Physics {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    physics
}

#[test]
fn a_body_stands_still_on_a_light_foot() {
    for mass in [0.005, 0.02, 0.1, 1.0] {
        for kind in [JointKind::Fixed, JointKind::Ball, JointKind::Continuous, JointKind::Prismatic] {
            let mut physics = ground_awake();
            let added = physics.add_model(&on_a_foot(mass, kind)).unwrap();
            run(&mut physics, 1.0);
            let before = physics.link_pose(added.links[0]).unwrap();
            let turn = fastest_turn(&mut physics, added.links[0], 4.0);
            assert!(turn < 1e-3, "{mass} kg, {kind:?}: turns at {turn} rad/s");
            let after = physics.link_pose(added.links[0]).unwrap();
            let way = after.position.distance(before.position);
            assert!(way < 1e-3, "{mass} kg, {kind:?}: went {way} m");
            assert!(
                (after.position.z - 0.02).abs() < 2e-4,
                "{mass} kg, {kind:?}: {} m high",
                after.position.z
            );
        }
    }
}

const RADIUS: f64 = 0.033;
const TRACK: f64 = 0.16;

/// A wheel of 0.1 kg whose axle is the z axis of its link.
fn wheel(name: &str, y: f64) -> LinkSpec {
    let pose = Pose::from_rpy(DVec3::new(0.0, y, RADIUS), -std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let inertial = inertial(0.1, DVec3::new(5.4e-5, 5.4e-5, 1.1e-4), DVec3::ZERO);
    let shape = CollisionShape::Cylinder { radius: RADIUS, length: 0.018 };
    LinkSpec { inertial, collisions: vec![collision(shape, 1.0)], ..LinkSpec::new(name, pose) }
}

/// Two driven wheels, a caster of 5 g on a ball joint, and a sensor on a link that a fixed joint holds.
fn two_wheels_and_caster() -> ModelSpec {
    let mut body = LinkSpec::new("body", at(0.0, 0.0, 0.01));
    body.inertial = inertial(0.83, DVec3::splat(0.02), DVec3::new(-0.06, 0.0, 0.07));
    let shape = CollisionShape::Box { size: DVec3::splat(0.14) };
    body.collisions = vec![CollisionSpec { pose: at(-0.03, 0.0, 0.07), ..collision(shape, 1.0) }];
    let mut sensor = LinkSpec::new("sensor", at(0.0, 0.0, 0.01));
    sensor.inertial = inertial(0.05, DVec3::splat(1e-4), DVec3::ZERO);
    let mut caster = LinkSpec::new("caster", at(-0.08, 0.0, 0.005));
    caster.inertial = inertial(0.005, DVec3::splat(1e-5), DVec3::ZERO);
    caster.collisions = vec![ball(0.005, DVec3::ZERO)];
    let links = vec![body, sensor, wheel("left", TRACK / 2.0), wheel("right", -TRACK / 2.0), caster];
    let joint = |name: &str, kind: JointKind, child: usize| {
        let pose = links[child].pose;
        JointSpec { effort: 20.0, ..JointSpec::new(name, kind, Some(0), child, pose, DVec3::Y) }
    };
    let joints = vec![
        joint("left", JointKind::Continuous, 2),
        joint("right", JointKind::Continuous, 3),
        joint("mount", JointKind::Fixed, 1),
        joint("swivel", JointKind::Ball, 4),
    ];
    model("robot", links, joints)
}

/// Brings the wheels to speeds in rad/s within half a second, and drives for 5 s; returns the way of the body in that time.
fn drive(speeds: [f64; 2]) -> Pose {
    let mut physics = ground_awake();
    let added = physics.add_model(&two_wheels_and_caster()).unwrap();
    let hold = |physics: &mut Physics, speeds: [f64; 2]| {
        for (joint, target) in added.joints.iter().zip(speeds) {
            let command = JointCommand::Velocity { target, max_effort: f64::INFINITY };
            physics.command_joint(*joint, command).unwrap();
        }
    };
    hold(&mut physics, speeds);
    run(&mut physics, 0.5);
    let start = physics.link_pose(added.links[0]).unwrap();
    run(&mut physics, 5.0);
    physics.link_pose(added.links[0]).unwrap().relative_to(&start)
}

#[test]
fn two_wheels_and_a_light_caster_stand_still() {
    let mut physics = ground_awake();
    let added = physics.add_model(&two_wheels_and_caster()).unwrap();
    run(&mut physics, 1.0);
    let start = physics.link_pose(added.links[0]).unwrap();
    let turn = fastest_turn(&mut physics, added.links[0], 10.0);
    assert!(turn < 1e-3, "turns at {turn} rad/s");
    let way = physics.link_pose(added.links[0]).unwrap().relative_to(&start).position.length();
    assert!(way < 1e-3, "went {way} m in 10 s");
    let held = drive([0.0; 2]).position.length();
    assert!(held < 1e-4, "went {held} m with held wheels");
}

#[test]
fn two_wheels_and_a_light_caster_drive_as_far_as_their_wheels_roll() {
    let pose = drive([0.2 / RADIUS; 2]);
    assert!((pose.position.x - 1.0).abs() < 0.01 && pose.position.y.abs() < 0.01, "{}", pose.position);
    assert!(pose.rpy()[2].abs() < 0.01, "turned by {} rad", pose.rpy()[2]);
}

#[test]
fn two_wheels_and_a_light_caster_turn_as_far_as_their_wheels_roll() {
    let rim = 0.5 * TRACK / 2.0 / RADIUS;
    let pose = drive([-rim, rim]);
    let turned = pose.rpy()[2].to_degrees();
    assert!((turned - 143.2).abs() < 2.0, "turned by {turned} degrees");
    assert!(pose.position.length() < 0.02, "{}", pose.position);
}

#[test]
fn a_robot_stays_one_body_with_all_its_fixed_links() {
    // Forty links of 10 g, each held by the one before, and a foot on the last: a chain of springs would tremble.
    let mut spec = on_a_foot(0.02, JointKind::Fixed);
    for index in 0..40 {
        let mut link = LinkSpec::new(&format!("sensor_{index}"), at(0.0, 0.0, 0.1));
        link.inertial = inertial(0.01, DVec3::splat(1e-6), DVec3::ZERO);
        spec.links.push(link);
        let (parent, child) = (if index == 0 { 0 } else { spec.links.len() - 2 }, spec.links.len() - 1);
        let name = format!("mount_{index}");
        spec.joints.push(JointSpec::new(
            &name,
            JointKind::Fixed,
            Some(parent),
            child,
            Pose::IDENTITY,
            DVec3::Z,
        ));
    }
    let mut physics = ground_awake();
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 1.0);
    let last = *added.links.last().unwrap();
    let turn = fastest_turn(&mut physics, last, 1.0);
    assert!(turn < 1e-3, "turns at {turn} rad/s");
    let [base, last] = [added.links[0], last].map(|link| physics.link_pose(link).unwrap());
    let error = last.relative_to(&base).position.distance(DVec3::Z * 0.08);
    assert!(error < 1e-12, "{error} m");
}
