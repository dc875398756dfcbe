//! The world against closed forms, and what holds for every world.

use glam::{DQuat, DVec3};
use rapier3d_f64::parry::shape::{HalfSpace, SharedShape};

use crate::*;

mod limits;

const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.8;

fn settings(sleeping: bool) -> Settings {
    Settings { step: STEP, gravity: DVec3::Z * -GRAVITY, overlap_speed: 0.005, sleeping }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn mass(mass: f64, moments: DVec3) -> Mass {
    Mass { mass, moments, heavy: mass, ..Mass::default() }
}

fn collider(body: usize, tag: u32, shape: SharedShape, surface: Surface) -> ColliderSpec {
    let filter = Filter { group: tag, touches_own: false, mask: !0, category: !0, only_feels: false };
    ColliderSpec { body, tag, part: tag, pose: Pose::IDENTITY, shape, surface, filter }
}

fn rough(friction: f64) -> Surface {
    Surface { friction, ..Surface::default() }
}

fn add_ground(world: &mut World, friction: f64) {
    let ground = world.add_fixed(Pose::IDENTITY);
    let plane = SharedShape::new(HalfSpace::new(DVec3::Z));
    world.add_collider(collider(ground, 0, plane, rough(friction)));
}

fn add_box(world: &mut World, tag: u32, pose: Pose, surface: Surface) -> usize {
    let body = world.add_free(pose, mass(1.0, DVec3::splat(1.0 / 24.0)), true);
    world.add_collider(collider(body, tag, SharedShape::cuboid(0.25, 0.25, 0.25), surface));
    body
}

/// A disc of 1 kg m² on a hinge about z in the world.
fn disc(axis: Axis) -> (World, AxisId) {
    disc_of(1.0, axis)
}

fn disc_of(inertia: f64, axis: Axis) -> (World, AxisId) {
    let mut world = World::new(settings(false));
    let link = LinkSpec {
        parent: 0,
        joint: Joint::Revolute,
        anchor: DVec3::ZERO,
        axis: DVec3::Z,
        pose: Pose::IDENTITY,
        mass: mass(1.0, DVec3::splat(inertia)),
    };
    let tree = world.add_tree(&TreeSpec { root: Pose::IDENTITY, mass: None, links: vec![link] }, true);
    let id = AxisId::Tree { tree, freedom: world.freedom_of(tree, 1) };
    *world.axis_mut(id).unwrap() = axis;
    (world, id)
}

fn run(world: &mut World, seconds: f64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    let steps = (seconds / STEP).round() as usize;
    (0..steps).for_each(|_| world.step());
}

/// A disc of 1 kg m² that a constraint holds to the world: by a hinge about z, or on a slide along z.
fn constrained(free: Free, axis: Axis) -> (World, AxisId) {
    let mut world = World::new(settings(false));
    let base = world.add_fixed(Pose::IDENTITY);
    let disc = world.add_free(Pose::IDENTITY, Mass { heavy: 0.0, ..mass(1.0, DVec3::ONE) }, true);
    let frame = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2));
    let spec = ConstraintSpec { bodies: [base, disc], frames: [frame; 2], free };
    let id = AxisId::Constraint(world.add_constraint(spec));
    *world.axis_mut(id).unwrap() = axis;
    (world, id)
}

#[test]
fn a_constant_effort_moves_the_axis_of_a_constraint() {
    for free in [Free::Turning, Free::Sliding] {
        let (mut world, id) = constrained(free, Axis { effort: 2.0, ..Axis::default() });
        run(&mut world, 0.5);
        assert!((world.axis_velocity(id) - 1.0).abs() < 1e-6, "{free:?}: {}", world.axis_velocity(id));
    }
}

#[test]
fn gains_too_small_to_invert_exert_nothing() {
    for stiffness in [f64::MIN_POSITIVE, 5e-324, 1e-300] {
        let motor = Motor::Position { target: 1.0, stiffness, damping: 0.0, most: f64::INFINITY };
        let (mut world, id) = constrained(Free::Turning, Axis { motor, stiffness, ..Axis::default() });
        run(&mut world, 0.1);
        assert!(world.axis_velocity(id).abs() < 1e-200 && world.axis_position(id).is_finite());
    }
}

#[test]
fn what_slides_is_slowed_down_against_its_way() {
    // A flat plate, whose points yield differently along and across, alone and with a link.
    let plate = || SharedShape::cuboid(0.8, 0.2, 0.05);
    let moments = DVec3::new(0.01, 0.2, 0.3);
    let way = DVec3::new(3.0_f64.sqrt(), 1.0, 0.0);
    let tip = LinkSpec {
        parent: 0,
        joint: Joint::Revolute,
        anchor: DVec3::Z * 0.05,
        axis: DVec3::Z,
        pose: at(0.0, 0.0, 0.05),
        mass: mass(1e-6, DVec3::splat(1e-8)),
    };
    for is_tree in [false, true] {
        let mut world = World::new(settings(false));
        add_ground(&mut world, 0.5);
        let (pose, mass) = (at(0.0, 0.0, 0.05), mass(1.0, moments));
        let body = if is_tree {
            let spec = TreeSpec { root: pose, mass: Some(mass), links: vec![tip.clone()] };
            let tree = world.add_tree(&spec, false);
            world.bodies_of(tree)[0]
        } else {
            world.add_free(pose, mass, false)
        };
        world.add_collider(collider(body, 1, plate(), rough(0.5)));
        world.set_velocity(body, way, DVec3::ZERO);
        run(&mut world, 0.3);
        let [velocity, _] = world.velocity(body);
        let across = velocity.cross(way).length() / 2.0;
        assert!(across < 1e-6, "tree {is_tree}: {across} m/s across the way");
        assert!((velocity.length() - (2.0 - 0.5 * GRAVITY * 0.3)).abs() < 1e-3, "tree {is_tree}: {velocity}");
    }
}

#[test]
fn heavy_axes_stop_and_turn_like_light_ones() {
    for size in [1e-6, 1.0, 1e6, 1e12] {
        let of_size = |axis: Axis| {
            let (mut world, id) = disc_of(size, axis);
            run(&mut world, 1.0);
            (world.axis_position(id), world.axis_velocity(id))
        };
        let (position, _) = of_size(Axis { limits: [-0.1, 0.1], effort: size, ..Axis::default() });
        assert!((position - 0.1).abs() < 1e-8, "{size} kg m²: {position} rad");
        let motor = Motor::Velocity { target: 2.0, most: f64::INFINITY };
        let (_, velocity) = of_size(Axis { motor, effort: size, ..Axis::default() });
        assert!((velocity - 2.0).abs() < 1e-7, "{size} kg m²: {velocity} rad/s");
        let (position, _) = of_size(Axis { friction: 2.0 * size, effort: size, ..Axis::default() });
        assert!(position.abs() < 1e-6, "{size} kg m²: {position} rad");
    }
}

#[test]
fn friction_holds_until_its_effort_and_takes_it_away_beyond() {
    let (mut world, id) = disc(Axis { friction: 2.0, effort: 1.9, ..Axis::default() });
    run(&mut world, 1.0);
    assert!(world.axis_velocity(id).abs() < 1e-9, "{} rad/s", world.axis_velocity(id));
    world.axis_mut(id).unwrap().effort = 3.0;
    run(&mut world, 1.0);
    let speed = world.axis_velocity(id);
    assert!((speed - 1.0).abs() < 1e-6, "{speed} rad/s of 1 N m for a second");
    world.axis_mut(id).unwrap().effort = 0.0;
    run(&mut world, 1.0);
    assert!(world.axis_velocity(id).abs() < 1e-9, "it stops after half a second");
}

#[test]
fn a_motor_gives_its_greatest_effort_until_it_has_its_speed() {
    let motor = Motor::Velocity { target: 3.0, most: 2.0 };
    let (mut world, id) = disc(Axis { motor, ..Axis::default() });
    run(&mut world, 1.0);
    assert!((world.axis_velocity(id) - 2.0).abs() < 1e-6 && (world.motor_effort(id) - 2.0).abs() < 1e-6);
    run(&mut world, 1.0);
    assert!((world.axis_velocity(id) - 3.0).abs() < 1e-9, "{} rad/s", world.axis_velocity(id));
    assert!(world.motor_effort(id).abs() < 1e-4, "{} N m", world.motor_effort(id));
}

#[test]
fn a_stop_holds_without_a_velocity_and_lets_go() {
    let (mut world, id) = disc(Axis { limits: [-0.5, 0.5], effort: 5.0, ..Axis::default() });
    run(&mut world, 2.0);
    assert!((world.axis_position(id) - 0.5).abs() < 1e-9 && world.axis_velocity(id).abs() < 1e-9);
    world.axis_mut(id).unwrap().effort = -2.0;
    run(&mut world, 0.1);
    assert!((world.axis_velocity(id) + 0.2).abs() < 1e-9, "{} rad/s", world.axis_velocity(id));
}

#[test]
fn what_rests_is_exactly_at_rest_and_then_sleeps() {
    let mut world = World::new(settings(true));
    add_ground(&mut world, 1.0);
    let boxes: Vec<usize> = (0..5)
        .map(|k| {
            add_box(&mut world, k + 1, at(0.01 * f64::from(k), 0.0, 0.25 + 0.5 * f64::from(k)), rough(1.0))
        })
        .collect();
    run(&mut world, 0.45);
    for body in &boxes {
        let [linear, angular] = world.velocity(*body);
        assert!(linear.length() < 1e-9 && angular.length() < 1e-9, "{linear} m/s and {angular} rad/s");
    }
    run(&mut world, 1.0);
    assert!(boxes.iter().all(|body| world.is_asleep(*body)));
    world.push(boxes[4], DVec3::X, DVec3::ZERO);
    assert!(boxes.iter().all(|body| !world.is_asleep(*body)), "they wake together");
}

#[test]
fn contacts_in_lanes_and_as_rows_give_the_same_motion() {
    // Friction by direction makes rows of a contact.
    let by_direction = |friction: f64| Surface {
        directional: Some(Directional { coefficients: [friction; 2], ..Directional::default() }),
        ..Surface::default()
    };
    let slide = |surface: Surface| {
        let mut world = World::new(settings(false));
        add_ground(&mut world, 1.0);
        let body = add_box(&mut world, 1, at(0.0, 0.0, 0.25), surface);
        world.set_velocity(body, DVec3::X * 2.0, DVec3::ZERO);
        run(&mut world, 0.3);
        (world.pose(body).translation, world.velocity(body)[0])
    };
    let (lanes, rows) = (slide(rough(0.3)), slide(by_direction(0.3)));
    assert!((lanes.0 - rows.0).length() < 1e-6 && (lanes.1 - rows.1).length() < 1e-6, "{lanes:?} {rows:?}");
    let expected = 2.0 - 0.3 * GRAVITY * 0.3;
    assert!((lanes.1.x - expected).abs() < 1e-3, "{} m/s", lanes.1.x);
}

#[test]
fn a_loop_of_four_bars_stays_closed() {
    let mut world = World::new(settings(false));
    // Two bars hang from the world, and a third one joins their ends: a swing.
    let bar = |parent: usize, anchor: DVec3, center: DVec3| LinkSpec {
        parent,
        joint: Joint::Revolute,
        anchor,
        axis: DVec3::Y,
        pose: Pose::from_translation(center),
        mass: mass(1.0, DVec3::splat(0.1)),
    };
    let links = vec![
        bar(0, DVec3::ZERO, DVec3::new(0.3, 0.0, -0.4)),
        bar(0, DVec3::X, DVec3::new(1.3, 0.0, -0.4)),
        bar(1, DVec3::new(0.6, 0.0, -0.8), DVec3::new(1.1, 0.0, -0.8)),
    ];
    let tree = world.add_tree(&TreeSpec { root: Pose::IDENTITY, mass: None, links }, true);
    let bodies = [world.bodies_of(tree)[3], world.bodies_of(tree)[2]];
    let joint =
        Pose::from_parts(DVec3::new(1.6, 0.0, -0.8), DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
    let frames = bodies.map(|body| world.pose(body).inverse() * joint);
    world.add_constraint(ConstraintSpec { bodies, frames, free: Free::Turning });
    let mut apart: f64 = 0.0;
    for _ in 0..3000 {
        world.step();
        let ends = [0, 1].map(|side| (world.pose(bodies[side]) * frames[side]).translation);
        apart = apart.max(ends[0].distance(ends[1]));
    }
    assert!(apart < 1e-4, "the ends are {apart} m apart");
    // The coupler of a parallelogram stays level.
    let level = world.pose(bodies[0]).rotation * DVec3::X;
    assert!(level.z.abs() < 1e-3, "{level}");
}

#[test]
fn a_world_that_was_read_back_continues_bit_by_bit() {
    let mut world = World::new(settings(true));
    add_ground(&mut world, 0.8);
    let mut bodies: Vec<usize> = (0..12)
        .map(|k| {
            let (column, row) = (f64::from(k % 3), f64::from(k / 3));
            let turn = DQuat::from_rotation_z(0.1 * f64::from(k));
            let pose = Pose::from_parts(DVec3::new(0.53 * column, 0.02 * row, 0.3 + 0.6 * row), turn);
            add_box(&mut world, k + 1, pose, rough(0.6))
        })
        .collect();
    let link = |parent: usize, x: f64| LinkSpec {
        parent,
        joint: Joint::Revolute,
        anchor: DVec3::new(x - 0.15, 3.0, 0.5),
        axis: DVec3::Y,
        pose: at(x, 3.0, 0.5),
        mass: mass(0.5, DVec3::splat(0.01)),
    };
    let root = TreeSpec {
        root: at(0.0, 3.0, 0.5),
        mass: Some(mass(1.0, DVec3::splat(0.02))),
        links: vec![link(0, 0.3), link(1, 0.6)],
    };
    let tree = world.add_tree(&root, true);
    for (index, body) in world.bodies_of(tree).to_vec().into_iter().enumerate() {
        let tag = 100 + u32::try_from(index).unwrap();
        world.add_collider(ColliderSpec {
            filter: Filter { group: 100, touches_own: false, mask: !0, category: !0, only_feels: false },
            ..collider(body, tag, SharedShape::ball(0.1), rough(0.5))
        });
        bodies.push(body);
    }
    for seconds in [0.05, 0.3, 2.5] {
        let mut first = world.clone();
        run(&mut first, seconds);
        let mut other: World = postcard::from_bytes(&postcard::to_stdvec(&first).unwrap()).unwrap();
        run(&mut first, 0.4);
        run(&mut other, 0.4);
        for body in &bodies {
            assert_eq!(first.pose(*body), other.pose(*body), "after {seconds} s");
            assert_eq!(first.velocity(*body), other.velocity(*body), "after {seconds} s");
        }
    }
}

/// A trunk with two arms on motors, which falls onto the ground: the rows of a tree, alone and among boxes.
fn add_walker(world: &mut World, pose: Pose) {
    let arm = |side: f64| LinkSpec {
        parent: 0,
        joint: Joint::Revolute,
        anchor: pose.translation + DVec3::X * 0.2 * side,
        axis: DVec3::Y,
        pose: Pose::from_translation(pose.translation + DVec3::X * 0.4 * side),
        mass: mass(1.0, DVec3::splat(0.02)),
    };
    let trunk = mass(5.0, DVec3::new(0.1, 0.2, 0.3));
    let spec = TreeSpec { root: pose, mass: Some(trunk), links: vec![arm(1.0), arm(-1.0)] };
    let tree = world.add_tree(&spec, false);
    for (link, body) in world.bodies_of(tree).to_vec().into_iter().enumerate() {
        world.add_collider(collider(body, 100, SharedShape::cuboid(0.15, 0.1, 0.1), rough(0.6)));
        if link > 0 {
            let motor = Motor::Position { target: 0.3, stiffness: 50.0, damping: 1.0, most: 5.0 };
            let freedom = world.freedom_of(tree, link);
            *world.axis_mut(AxisId::Tree { tree, freedom }).unwrap() = Axis { motor, ..Axis::default() };
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let [best, baseline] = [false, true].map(|is_baseline| {
        let mut world = World::new(settings(false));
        if is_baseline {
            world.solver.use_baseline();
        }
        add_ground(&mut world, 0.7);
        for tag in 1..30 {
            let k = f64::from(tag);
            let turn = DQuat::from_xyzw(0.1 * k, 0.2, 0.03 * k, 1.0).normalize();
            let place = DVec3::new(0.3 * (k % 3.0), 0.2 * (k % 2.0), 0.3 + 0.4 * k);
            let surface = Surface { restitution: 0.1 * (k % 4.0), ..rough(0.1 * (k % 7.0)) };
            add_box(&mut world, tag, Pose::from_parts(place, turn), surface);
        }
        add_walker(&mut world, at(3.0, 0.0, 0.3));
        run(&mut world, 2.0);
        postcard::to_allocvec(&world).unwrap()
    });
    assert!(best == baseline, "the state differs");
}
