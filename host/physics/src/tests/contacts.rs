//! Which collisions touch, and the reported contacts.

use super::*;

/// How far the upper of two cubes that start one above the other has come down after a second.
fn upper_falls(change: impl Fn(&mut LinkSpec, &mut LinkSpec), one_model: bool) -> f64 {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let (mut lower, mut upper) = (cube("lower", 0.5), cube("upper", 1.5));
    change(&mut lower, &mut upper);
    let link = if one_model {
        physics.add_model(&model("pair", vec![lower, upper], Vec::new())).unwrap().links[1]
    } else {
        physics.add_model(&model("first", vec![lower], Vec::new())).unwrap();
        physics.add_model(&model("second", vec![upper], Vec::new())).unwrap().links[0]
    };
    run(&mut physics, 1.0);
    1.5 - physics.link_pose(link).unwrap().position.z
}

#[test]
fn links_of_one_model_pass_through_each_other_unless_asked_not_to() {
    assert!((upper_falls(|_, _| {}, true) - 1.0).abs() < 1e-3);
    assert!(upper_falls(|_, upper| upper.self_collide = true, true) < 1e-3);
    assert!(upper_falls(|_, _| {}, false) < 1e-3);
}

#[test]
fn collisions_without_a_common_bit_pass_through_each_other() {
    let masks = |lower: &mut LinkSpec, upper: &mut LinkSpec| {
        let (lower, upper) = (&mut lower.collisions[0].surface, &mut upper.collisions[0].surface);
        (lower.collide_bitmask, lower.category_bitmask) = (0x01, 0x01);
        (upper.collide_bitmask, upper.category_bitmask) = (0x02, 0x02);
    };
    assert!((upper_falls(masks, false) - 1.0).abs() < 1e-3);
}

#[test]
fn a_category_is_for_those_that_collide_with_it_alone() {
    let categories = |lower: &mut LinkSpec, upper: &mut LinkSpec, mask: u16| {
        let (lower, upper) = (&mut lower.collisions[0].surface, &mut upper.collisions[0].surface);
        (lower.collide_bitmask, lower.category_bitmask) = (0x01, 0x02);
        (upper.collide_bitmask, upper.category_bitmask) = (mask, 0x04);
    };
    assert!(upper_falls(|lower, upper| categories(lower, upper, 0x02), false) < 1e-3);
    assert!((upper_falls(|lower, upper| categories(lower, upper, 0x01), false) - 1.0).abs() < 1e-3);
}

#[test]
fn contacts_without_force_do_not_push() {
    let (mut physics, ball, collision) =
        ball_above_ground_with(0.01, |surface| surface.without_contact = true);
    run(&mut physics, 0.1);
    // It is through the ground by about 39 mm, as if there were none.
    let height = physics.link_pose(ball.links[0]).unwrap().position.z;
    assert!((height - (0.26 - 9.8 * 0.1 * 0.1 / 2.0)).abs() < 1e-3, "{height}");
    let mut contacts = Vec::new();
    assert!(physics.contacts_of(collision, &mut contacts));
    assert_eq!(contacts.len(), 1);
    assert_eq!((contacts[0].force, contacts[0].friction), (0.0, DVec3::ZERO));
    assert!((contacts[0].depth - 0.039).abs() < 1e-3, "{:?}", contacts[0]);
}

#[test]
fn contacts_carry_the_weight() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    let ground = add_ground(&mut physics, 1.0, 0.0);
    let mut link = cube("crate", 0.5);
    link.inertial.mass = 20.0;
    let added = physics.add_model(&model("crate", vec![link], Vec::new())).unwrap();
    run(&mut physics, 2.0);
    let contacts = physics.contacts();
    assert_eq!(contacts.len(), 4);
    let pair = [ground.collisions[0][0], added.collisions[0][0]];
    for contact in &contacts {
        assert_eq!(contact.collisions, pair);
        assert!((contact.normal - DVec3::Z).length() < 1e-6, "{}", contact.normal);
        assert!(
            contact.point.z.abs() < 1e-3 && (contact.point.x.abs() - 0.5).abs() < 1e-3,
            "{}",
            contact.point
        );
    }
    let force: f64 = contacts.iter().map(|contact| contact.force).sum();
    assert!((force - 20.0 * GRAVITY).abs() < 1.0, "{force} N");
    assert_eq!(physics.link_of(pair[1]), Some(added.links[0]));
}

#[test]
fn links_that_share_a_joint_do_not_touch() {
    let mut physics = weightless();
    let links = vec![cube("base", 0.0), LinkSpec { self_collide: true, ..cube("arm", 0.2) }];
    let joint = JointSpec::new("joint", JointKind::Continuous, Some(0), 1, Pose::IDENTITY, DVec3::Z);
    let spec = model("robot", links, vec![joint]);
    physics.add_model(&spec).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.contacts(), []);
}

#[test]
fn every_shape_rests_at_its_height() {
    let shapes = [
        (CollisionShape::Box { size: DVec3::new(0.4, 0.4, 0.6) }, 0.3),
        (CollisionShape::Sphere { radius: 0.4 }, 0.4),
        (CollisionShape::Cylinder { radius: 0.3, length: 0.8 }, 0.4),
        (CollisionShape::Capsule { radius: 0.3, length: 0.8 }, 0.7),
        (CollisionShape::Cone { radius: 0.3, length: 0.8 }, 0.4),
        (CollisionShape::Ellipsoid { radii: DVec3::new(0.5, 0.4, 0.3) }, 0.3),
        (CollisionShape::Hull { points: octahedron(0.5) }, 0.5),
    ];
    for (shape, height) in shapes {
        let (z, hash) = rest(shape.clone(), height + 0.01);
        assert!((z - height).abs() < 2e-3, "{shape:?} rests at {z} instead of {height}");
        let built = shape.built().expect("it can be simulated");
        assert_eq!(
            rest(built, height + 0.01),
            (z, hash),
            "{shape:?} behaves like the same shape built before"
        );
    }
}

/// Drops a shape onto the ground. Returns the height at which it comes to rest, and the hash of the state.
fn rest(shape: CollisionShape, height: f64) -> (f64, u64) {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let mut link = LinkSpec::new("link", at(0.0, 0.0, height));
    link.collisions.push(collision(shape, 1.0));
    let added = physics.add_model(&model("thing", vec![link], Vec::new())).unwrap();
    run(&mut physics, 0.2);
    (physics.link_pose(added.links[0]).unwrap().position.z, physics.state_hash())
}

fn octahedron(radius: f64) -> Vec<DVec3> {
    DVec3::AXES.iter().flat_map(|axis| [*axis * radius, *axis * -radius]).collect()
}

#[test]
fn sphere_rests_on_a_mesh() {
    let mut physics = physics();
    let points = vec![DVec3::new(-5.0, -5.0, 1.0), DVec3::new(5.0, -5.0, 1.0), DVec3::new(0.0, 5.0, 1.0)];
    let shape = CollisionShape::Mesh { points, triangles: vec![[0, 1, 2]] };
    let link = LinkSpec { collisions: vec![collision(shape, 1.0)], ..LinkSpec::new("link", Pose::IDENTITY) };
    physics.add_model(&ModelSpec { is_static: true, ..model("floor", vec![link], Vec::new()) }).unwrap();
    let mut ball = LinkSpec::new("ball", at(0.0, 0.0, 1.3));
    ball.collisions.push(collision(CollisionShape::Sphere { radius: 0.25 }, 1.0));
    let added = physics.add_model(&model("ball", vec![ball], Vec::new())).unwrap();
    run(&mut physics, 1.0);
    let z = physics.link_pose(added.links[0]).unwrap().position.z;
    assert!((z - 1.25).abs() < 1e-3, "{z}");
}

#[test]
fn ball_bounces_by_its_restitution() {
    let rebound = rebound(0.0);
    assert!((rebound - 0.64).abs() < 0.02, "rebounds to {rebound} of the height");
}

#[test]
fn a_ball_that_comes_too_slowly_does_not_bounce() {
    // It meets the floor at 5.86 m/s.
    let (above, below) = (rebound(7.0), rebound(5.0));
    assert!(above < 0.01 && (below - 0.64).abs() < 0.02, "{above} and {below}");
}

/// To which part of its height a ball comes back that falls by 1.75 m onto a floor.
fn rebound(bounce_threshold: f64) -> f64 {
    let mut physics = physics();
    let bouncy = Surface { restitution: 0.8, bounce_threshold, ..Surface::default() };
    let floor =
        CollisionSpec { surface: bouncy, ..collision(CollisionShape::Plane { normal: DVec3::Z }, 1.0) };
    let link = LinkSpec { collisions: vec![floor], ..LinkSpec::new("link", Pose::IDENTITY) };
    physics.add_model(&ModelSpec { is_static: true, ..model("floor", vec![link], Vec::new()) }).unwrap();
    let mut ball = LinkSpec::new("ball", at(0.0, 0.0, 2.0));
    ball.collisions
        .push(CollisionSpec { surface: bouncy, ..collision(CollisionShape::Sphere { radius: 0.25 }, 1.0) });
    let added = physics.add_model(&model("ball", vec![ball], Vec::new())).unwrap();
    let mut highest: f64 = 0.0;
    run(&mut physics, 0.7);
    for _ in 0..600 {
        physics.step().expect("sound");
        highest = highest.max(physics.link_pose(added.links[0]).unwrap().position.z);
    }
    (highest - 0.25) / 1.75
}

/// A ball of radius 0.25 m whose lowest point is `gap` above the ground, never asleep, and its collision.
fn ball_above_ground(gap: f64) -> (Physics, AddedModel, CollisionId) {
    ball_above_ground_with(gap, |_| {})
}

fn ball_above_ground_with(gap: f64, change: impl Fn(&mut Surface)) -> (Physics, AddedModel, CollisionId) {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    let mut ball = LinkSpec::new("ball", at(0.0, 0.0, 0.25 + gap));
    ball.inertial.mass = 2.0;
    ball.collisions.push(collision(CollisionShape::Sphere { radius: 0.25 }, 1.0));
    change(&mut ball.collisions[0].surface);
    let added = physics.add_model(&model("ball", vec![ball], Vec::new())).unwrap();
    let collision = added.collisions[0][0];
    (physics, added, collision)
}

fn touches(physics: &Physics, collision: CollisionId) -> bool {
    let mut contacts = Vec::new();
    physics.contacts_of(collision, &mut contacts) && !contacts.is_empty()
}

#[test]
fn a_dropped_ball_touches_at_the_step_of_the_parabola() {
    for gap in [0.01, 0.1, 1.0, 5.0] {
        let (mut physics, _, ball) = ball_above_ground(gap);
        let expected = (2.0 * gap / GRAVITY).sqrt() / physics.settings().step;
        let mut steps = 0.0;
        while !touches(&physics, ball) && steps < 2.0 * expected {
            physics.step().expect("sound");
            steps += 1.0;
        }
        assert!(
            (steps - expected).abs() <= 1.0 + 0.5,
            "from {gap} m after {steps} steps instead of {expected}"
        );
    }
}

#[test]
fn a_ball_that_leaves_has_no_contact_from_that_step_on() {
    let (mut physics, added, ball) = ball_above_ground(0.0);
    run(&mut physics, 0.5);
    assert!(touches(&physics, ball));
    physics.set_model_velocity(added.model, DVec3::Z, DVec3::ZERO).unwrap();
    physics.step().expect("sound");
    assert!(!touches(&physics, ball));
}

#[test]
fn a_ball_that_was_put_elsewhere_has_no_contact_before_and_after_the_next_step() {
    let (mut physics, added, ball) = ball_above_ground(0.0);
    run(&mut physics, 0.5);
    assert!(touches(&physics, ball));
    physics.set_link_pose(added.links[0], at(0.0, 0.0, 5.0)).unwrap();
    physics.refresh();
    assert!(!touches(&physics, ball));
    physics.step().expect("sound");
    assert!(!touches(&physics, ball));
}

#[test]
fn a_ball_that_sleeps_still_touches_with_its_weight() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&model("crate", vec![cube("crate", 0.5)], Vec::new())).unwrap();
    run(&mut physics, 5.0);
    assert_eq!(physics.is_sleeping(added.links[0]), Some(true));
    let mut contacts = Vec::new();
    assert!(physics.contacts_of(added.collisions[0][0], &mut contacts));
    let force: DVec3 = contacts.iter().map(|contact| -contact.force_on_first()).sum();
    assert!((force - DVec3::Z * GRAVITY).length() < 0.01 * GRAVITY, "{force}");
}

#[test]
fn contacts_of_a_collision_are_those_of_the_world_that_it_takes_part_in() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    let ground = add_ground(&mut physics, 1.0, 0.0);
    let crates =
        [0.5, 1.5].map(|z| physics.add_model(&model("crate", vec![cube("crate", z)], Vec::new())).unwrap());
    run(&mut physics, 1.0);
    let [lower, upper] = crates.map(|added| added.collisions[0][0]);
    let mut contacts = Vec::new();
    for (collision, count) in [(ground.collisions[0][0], 4), (lower, 8), (upper, 4)] {
        assert!(physics.contacts_of(collision, &mut contacts));
        assert_eq!(contacts.len(), count);
        let all = physics.contacts();
        let own: Vec<Contact> = all.into_iter().filter(|one| one.collisions.contains(&collision)).collect();
        assert_eq!(contacts, own);
    }
    physics.remove_model(crates_model(&physics, upper)).unwrap();
    assert!(!physics.contacts_of(upper, &mut contacts) && contacts.is_empty());
}

fn crates_model(physics: &Physics, collision: CollisionId) -> ModelId {
    physics.link_of(collision).and_then(|link| physics.model_of(link)).unwrap()
}

/// A cube of a metre that begins in the ground.
fn sunk_cube(settings: Settings, depth: f64) -> (Physics, LinkId) {
    let mut physics = Physics::new(settings).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&model("cube", vec![cube("cube", 0.5 - depth)], Vec::new())).unwrap();
    (physics, added.links[0])
}

#[test]
fn a_body_that_begins_in_another_leaves_it_at_the_set_speed() {
    for speed in [OVERLAP_SPEED, 0.1, 1.0] {
        let settings = Settings { overlap_speed: speed, ..Settings::default() };
        let (mut physics, cube) = sunk_cube(settings, 0.2);
        let mut height = 0.3;
        for _ in 0..1000 {
            physics.step().unwrap();
            let now = physics.link_pose(cube).unwrap().position.z;
            assert!(
                now - height < speed * 0.001 * 1.01 + 1e-9,
                "{speed} m/s: by {} m in a step",
                now - height
            );
            height = now;
        }
        let expected = (0.3 + speed).min(0.5);
        assert!((height - expected).abs() < 0.05 * speed + 1e-3, "{speed} m/s: {height} m after a second");
    }
}

#[test]
fn an_overlap_speed_must_be_positive() {
    for overlap_speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Physics::new(Settings { overlap_speed, ..Settings::default() }).unwrap_err();
        assert!(refused.to_string().contains("the overlap speed"), "{refused}");
    }
}

#[test]
fn a_pile_does_not_sink_while_another_model_is_placed_in_every_step() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let light = physics.add_model(&model("light", vec![cube("light", 0.5)], Vec::new())).unwrap();
    let heavy = box_link("heavy", at(0.0, 0.0, 1.5), DVec3::ONE, 1000.0);
    physics.add_model(&model("heavy", vec![heavy], Vec::new())).unwrap();
    let far = box_link("far", at(10.0, 0.0, 0.45), DVec3::ONE, 1.0);
    let far = physics.add_model(&model("far", vec![far], Vec::new())).unwrap();
    for _ in 0..2000 {
        physics.set_link_pose(far.links[0], at(10.0, 0.0, 0.45)).unwrap();
        physics.step().unwrap();
    }
    let height = physics.link_pose(light.links[0]).unwrap().position.z;
    assert!((height - 0.5).abs() < 1e-3, "{height}");
}

#[test]
fn a_model_that_is_put_into_the_ground_leaves_it_gently_and_one_that_is_taken_out_forgets_it() {
    let (mut physics, cube) = sunk_cube(Settings::default(), 0.0);
    run(&mut physics, 0.1);
    physics.set_link_pose(cube, at(0.0, 0.0, 0.4)).unwrap();
    run(&mut physics, 1.0);
    let height = physics.link_pose(cube).unwrap().position.z;
    assert!((height - 0.405).abs() < 5e-4, "{height}");
    physics.set_link_pose(cube, at(0.0, 0.0, 0.6)).unwrap();
    run(&mut physics, 1.0);
    let height = physics.link_pose(cube).unwrap().position.z;
    assert!((height - 0.5).abs() < 1e-3, "{height}");
}

#[test]
fn overlaps_survive_a_restore_and_a_reset() {
    let (mut first, cube) = sunk_cube(Settings::default(), 0.1);
    let beginning = first.clone();
    run(&mut first, 0.5);
    let mut other = restored(&first);
    run(&mut first, 0.5);
    run(&mut other, 0.5);
    assert_eq!(first.state_hash(), other.state_hash());
    assert!((first.link_pose(cube).unwrap().position.z - 0.405).abs() < 5e-4);
    other.return_to(&beginning);
    run(&mut other, 1.0);
    assert_eq!(first.state_hash(), other.state_hash());
}
