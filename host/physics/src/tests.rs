//! The physics against closed forms and against the promises of its interface.

mod axes;
mod bodies;
mod commands;
mod contacts;
mod determinism;
mod directional;
mod efforts;
mod extremes;
mod gears;
mod impact;
mod into_limits;
mod joint_speed;
mod joints;
mod light_links;
mod mimics;
mod reaction;
mod refusals;
mod rest;
mod robots;
mod runtime_joints;
mod soft_stops;
mod space;
mod surface_motion;
mod threads;
mod velocities;

use bridgehead_pose::{DVec3, Pose};

use super::*;

const GRAVITY: f64 = 9.8;

fn physics() -> Physics {
    Physics::new(Settings::default()).unwrap()
}

fn weightless() -> Physics {
    Physics::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap()
}

/// Without gravity or sleep: a slowly turning body without a shape would fall asleep otherwise.
fn sleepless() -> Physics {
    Physics::new(Settings { gravity: DVec3::ZERO, sleeping: false, ..Settings::default() }).unwrap()
}

/// The number of steps in a time.
fn steps_in(physics: &Physics, seconds: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let steps = (seconds / physics.settings().step).round() as usize;
    steps
}

fn run(physics: &mut Physics, seconds: f64) {
    for _ in 0..steps_in(physics, seconds) {
        physics.step().expect("sound");
    }
    physics.check_finite().unwrap();
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

fn collision(shape: CollisionShape, friction: f64) -> CollisionSpec {
    let surface = Surface { friction, ..Surface::default() };
    CollisionSpec { name: "collision".into(), pose: Pose::IDENTITY, shape, surface }
}

/// A box of one material with the inertia that goes with it.
fn box_link(name: &str, pose: Pose, size: DVec3, mass: f64) -> LinkSpec {
    let s = size * size;
    let moments = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
    let inertial = Inertial { mass, moments, ..Inertial::default() };
    let collisions = vec![collision(CollisionShape::Box { size }, 1.0)];
    LinkSpec { inertial, collisions, ..LinkSpec::new(name, pose) }
}

fn model(name: &str, links: Vec<LinkSpec>, joints: Vec<JointSpec>) -> ModelSpec {
    ModelSpec { name: name.into(), links, joints, ..ModelSpec::default() }
}

/// The half space below z = 0, turned by `pitch` about y so that it falls along +x.
fn add_ground(physics: &mut Physics, friction: f64, pitch: f64) -> AddedModel {
    let pose = Pose::from_rpy(DVec3::ZERO, 0.0, pitch, 0.0);
    let collisions = vec![collision(CollisionShape::Plane { normal: DVec3::Z }, friction)];
    let link = LinkSpec { collisions, ..LinkSpec::new("link", pose) };
    physics.add_model(&ModelSpec { is_static: true, ..model("ground", vec![link], Vec::new()) }).unwrap()
}

fn cube(name: &str, z: f64) -> LinkSpec {
    box_link(name, at(0.0, 0.0, z), DVec3::ONE, 1.0)
}

/// A rod along -z under each joint, joints about y, the first one on the world at the origin.
fn pendulum(count: usize) -> ModelSpec {
    let mut links = Vec::new();
    let mut joints = Vec::new();
    for index in 0..count {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let x = index as f64;
        // Held out along +x at the start.
        let mut link =
            box_link(&format!("rod_{index}"), at(x + 0.5, 0.0, 0.0), DVec3::new(1.0, 0.05, 0.05), 1.0);
        link.collisions.clear();
        links.push(link);
        let parent = index.checked_sub(1);
        joints.push(JointSpec::new(
            &format!("joint_{index}"),
            JointKind::Continuous,
            parent,
            index,
            at(x, 0.0, 0.0),
            DVec3::Y,
        ));
    }
    model("pendulum", links, joints)
}

/// One box on a hinge along z at the origin, free of gravity's pull.
fn door(joint: JointSpec) -> ModelSpec {
    let mut link = box_link("door", at(0.5, 0.0, 0.0), DVec3::new(1.0, 0.05, 1.0), 3.0);
    link.collisions.clear();
    model("door", vec![link], vec![joint])
}

fn hinge() -> JointSpec {
    JointSpec::new("hinge", JointKind::Revolute, None, 0, Pose::IDENTITY, DVec3::Z)
}

/// The moment of inertia of the door about its hinge: m (l² + w²) / 12 + m (l / 2)².
const DOOR_INERTIA: f64 = 3.0 * (1.0 + 0.0025) / 12.0 + 3.0 * 0.25;

/// A body with these principal moments about its centre of mass, which is its origin.
fn rotor(name: &str, pose: Pose, mass: f64, moments: DVec3) -> LinkSpec {
    LinkSpec { inertial: Inertial { mass, moments, ..Inertial::default() }, ..LinkSpec::new(name, pose) }
}

/// The physics as it comes back from its bytes.
fn restored(physics: &Physics) -> Physics {
    postcard::from_bytes(&postcard::to_stdvec(physics).unwrap()).unwrap()
}

/// What holds for every joint: a restored physics continues bit by bit, a reset and a second run equal the
/// first one, and a removed model leaves the others unchanged.
fn check_joint_invariants(spec: &ModelSpec, drive: impl Fn(&mut Physics, &AddedModel)) {
    let build = || {
        let mut physics = physics();
        let added = physics.add_model(spec).unwrap();
        drive(&mut physics, &added);
        (physics, added)
    };
    let (mut first, added) = build();
    run(&mut first, 0.3);
    let mut other = restored(&first);
    run(&mut first, 0.3);
    run(&mut other, 0.3);
    assert_eq!(first.state_hash(), other.state_hash(), "{}: restored", spec.name);
    let (mut again, _) = build();
    run(&mut again, 0.6);
    assert_eq!(first.state_hash(), again.state_hash(), "{}: run again", spec.name);

    first.reset_model(added.model).unwrap();
    for (id, link) in added.links.iter().zip(&spec.links) {
        let pose = first.link_pose(*id).unwrap();
        assert!((pose.position - link.pose.position).length() < 1e-9, "{}: {} reset", spec.name, link.name);
        assert!(pose.rotation.dot(link.pose.rotation).abs() > 1.0 - 1e-12, "{}: {}", spec.name, link.name);
    }
    for &id in added.joints.iter().chain(added.second_axes.iter().flatten()) {
        assert!(first.joint_position(id).is_none_or(|position| position.abs() < 1e-9), "{}", spec.name);
    }
    drive(&mut first, &added);
    run(&mut first, 0.6);
    for id in &added.links {
        let (after, before) = (first.link_pose(*id).unwrap(), again.link_pose(*id).unwrap());
        assert!((after.position - before.position).length() < 1e-6, "{}: reset and run", spec.name);
    }

    let neighbour = LinkSpec::new("neighbour", at(50.0, 0.0, 0.0));
    let neighbour = first.add_model(&model("neighbour", vec![neighbour], Vec::new())).unwrap();
    first.remove_model(added.model).unwrap();
    run(&mut first, 0.1);
    assert!(added.joints.iter().all(|&id| first.joint_position(id).is_none()));
    assert_eq!(first.links.len(), 1, "{}: only the neighbour is left", spec.name);
    assert!(first.link_pose(neighbour.links[0]).unwrap().position.z < -0.04);
}
