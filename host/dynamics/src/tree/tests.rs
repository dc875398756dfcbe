//! Trees against the mechanics of their links, one by one.

use super::*;
use crate::math::vector_of;

/// Numbers between -1 and 1 that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = u32::try_from(self.0 >> 33).unwrap();
        f64::from(bits) / f64::from(1_u32 << 30) - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn mass(&mut self) -> Mass {
        let mass = 1.5 + self.next();
        let moments = DVec3::new(2.0, 2.0, 2.5) * 0.05 + self.vector() * 0.02;
        Mass { mass, moments, heavy: mass, ..Mass::default() }
    }

    fn pose(&mut self) -> Pose {
        Pose::from_parts(self.vector(), rotation_by(self.vector() * 3.0))
    }
}

/// A tree of all kinds of joints, with branches, in motion.
fn tree(seed: u64, links: usize, is_free: bool) -> Tree {
    let mut random = Random(seed);
    let mut spec = TreeSpec { root: random.pose(), mass: is_free.then(|| random.mass()), links: Vec::new() };
    for index in 0..links {
        let joint = [Joint::Revolute, Joint::Prismatic, Joint::Ball, Joint::Screw(0.3)][index % 4];
        let parent = index / 2;
        let axis = random.vector().normalize();
        let (anchor, pose, mass) = (random.vector(), random.pose(), random.mass());
        spec.links.push(LinkSpec { parent, joint, anchor, axis, pose, mass });
    }
    let mut tree = Tree::new(&spec);
    let freedoms = tree.skeleton.freedoms;
    tree.velocities[..freedoms].iter_mut().for_each(|velocity| *velocity = random.next());
    tree.positions.iter_mut().for_each(|position| *position = random.next());
    tree.turns.iter_mut().for_each(|turn| *turn = rotation_by(random.vector()));
    tree.update();
    begin(&mut tree, STEP);
    tree
}

/// Short, so that what is lost in a step is small.
const STEP: f64 = 1e-6;
const GRAVITY: DVec3 = DVec3::new(0.3, -0.2, -9.8);

fn begin(tree: &mut Tree, step: f64) {
    for index in tree.first_joint_freedom()..tree.skeleton.freedoms {
        let (position, velocity) = (tree.positions[index], tree.velocities[index]);
        tree.freedoms[index].begin(position, velocity, step, false);
    }
}

/// Kinetic energy, linear momentum, and angular momentum about the origin of the world, link by link.
fn motion_of(tree: &Tree) -> (f64, DVec3, DVec3) {
    let (mut energy, mut linear, mut angular) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for link in 0..tree.skeleton.len() {
        let mass = &tree.skeleton.links[link].mass;
        let [velocity, spin] = tree.velocity(link);
        let pose = tree.poses[link];
        let turned = pose.rotation * (mass.moments * (pose.rotation.conjugate() * spin));
        energy += 0.5 * (mass.mass * velocity.length_squared() + spin.dot(turned));
        linear += velocity * mass.mass;
        angular += turned + pose.translation.cross(velocity * mass.mass);
    }
    (energy, linear, angular)
}

/// Potential energy and mass times the centre of mass.
fn place_of(tree: &Tree) -> (f64, DVec3, f64) {
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (link, pose) in tree.skeleton.links.iter().zip(&tree.poses) {
        sum += pose.translation * link.mass.mass;
        total += link.mass.mass;
    }
    (-sum.dot(GRAVITY), sum, total)
}

fn step(tree: &mut Tree) {
    tree.accelerate(STEP, GRAVITY);
    tree.integrate(STEP);
    tree.move_links();
    begin(tree, STEP);
}

#[test]
fn the_mass_matrix_has_the_energy_of_all_links() {
    for is_free in [true, false] {
        for seed in 1..20 {
            let mut tree = tree(seed, 9, is_free);
            tree.equations(STEP, GRAVITY);
            let (freedoms, stride) = (tree.skeleton.freedoms, tree.skeleton.stride());
            let mut energy = 0.0;
            for row in 0..freedoms {
                let v = &tree.velocities;
                energy += 0.5 * v[row] * v[row] * tree.work.matrix[row * stride + row];
                let mut column = tree.skeleton.up[row];
                while column != NONE {
                    energy += v[row] * v[column] * tree.work.matrix[row * stride + column];
                    column = tree.skeleton.up[column];
                }
            }
            let (expected, ..) = motion_of(&tree);
            assert!((energy / expected - 1.0).abs() < 1e-12, "seed {seed}: {energy} J instead of {expected}");
        }
    }
}

#[test]
fn factors_solve_the_mass_matrix() {
    for is_free in [true, false] {
        for seed in 1..20 {
            let mut tree = tree(seed, 9, is_free);
            tree.equations(STEP, GRAVITY);
            let freedoms = tree.skeleton.freedoms;
            let matrix = tree.mass_matrix();
            let expected: Vec<f64> = (0..freedoms).map(|index| (index as f64).sin()).collect();
            let rows = matrix.chunks(freedoms);
            let mut x: Vec<f64> =
                rows.map(|row| row.iter().zip(&expected).map(|(a, b)| a * b).sum()).collect();
            tree.factor();
            tree.solve(&mut x);
            for (found, expected) in x.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9, "seed {seed}: {found} instead of {expected}");
            }
        }
    }
}

#[test]
fn a_free_tree_moves_as_its_weight_and_nothing_else_says() {
    for seed in 1..20 {
        let mut tree = tree(seed, 9, true);
        let ((_, linear, angular), (_, center, mass)) = (motion_of(&tree), place_of(&tree));
        step(&mut tree);
        let (_, linear_after, angular_after) = motion_of(&tree);
        let force = (linear_after - linear) / STEP;
        assert!((force - GRAVITY * mass).length() < 1e-3 * mass, "seed {seed}: {force} N");
        let torque = (angular_after - angular) / STEP;
        assert!((torque - center.cross(GRAVITY)).length() < 1e-3 * mass, "seed {seed}: {torque} N m");
    }
}

#[test]
fn a_tree_on_the_ground_keeps_its_energy() {
    for is_free in [true, false] {
        for seed in 1..20 {
            let mut tree = tree(seed, 9, is_free);
            let energy = |tree: &Tree| motion_of(tree).0 + place_of(tree).0;
            let before = energy(&tree);
            for _ in 0..10 {
                step(&mut tree);
            }
            let power = (energy(&tree) - before) / (10.0 * STEP);
            assert!(power.abs() < 0.02 * before.abs(), "seed {seed}: {power} W");
        }
    }
}

#[test]
fn a_displaced_joint_leaves_the_centre_of_mass_where_it_is() {
    for seed in 1..20 {
        let mut tree = tree(seed, 9, true);
        let (_, before, _) = place_of(&tree);
        let is_ball = |link: &&Link| link.joint == Joint::Ball;
        let skeleton = Arc::clone(&tree.skeleton);
        for link in skeleton.links.iter().filter(|link| !is_ball(link)) {
            tree.displace(link.freedom, 1e-6);
        }
        let (_, after, mass) = place_of(&tree);
        assert!(
            (after - before).length() / mass < 1e-9,
            "seed {seed}: by {} m",
            (after - before).length() / mass
        );
    }
}

#[test]
fn the_rotation_of_a_ball_joint_follows_its_velocity() {
    let mut tree = tree(3, 3, false);
    let link = 3;
    assert_eq!(tree.skeleton.links[link].joint, Joint::Ball);
    let (parent, before) = (tree.skeleton.links[link].parent, tree.poses[link].rotation);
    let relative = |tree: &Tree| tree.velocity(link)[1] - tree.velocity(parent)[1];
    let wanted = relative(&tree);
    let base = tree.poses[parent].rotation;
    tree.integrate(STEP);
    let in_parent = |tree: &Tree| tree.poses[parent].rotation.conjugate() * tree.poses[link].rotation;
    let turned = base * vector_of(in_parent(&tree) * before.conjugate() * base) / STEP;
    assert!((turned - wanted).length() < 1e-3, "{turned} instead of {wanted} rad/s");
}
