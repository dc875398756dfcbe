//! One step of the world.
//!
//! 1. find what touches;
//! 2. advance velocities by forces, each tree with its own mass matrix, in which springs, dampers and motors are;
//! 3. make rows of contacts, constraints and what has reached a limit, and sweep over them until they hold;
//! 4. move by the velocities;
//! 5. if positions were corrected, sweep again without, so that the corrections leave no velocity.

use glam::{DMat3, DVec3};

use crate::body::Owner;
use crate::constraint::AxisId;
use crate::math::Spatial;
use crate::rows::{Pass, stretch_of_body};
use crate::solver::{Awake, Solver};
use crate::tree::NONE;
use crate::world::World;

/// The most times that a step is solved because a servo or a limit became a row in it.
const ROUNDS: usize = 6;

impl World {
    /// Advances the world by one step.
    pub fn step(&mut self) {
        self.head_for_targets();
        self.bring_back();
        self.collide();
        self.exert_efforts();
        let mut solver = std::mem::take(&mut self.solver);
        solver.awake.find(self);
        self.begin(&solver.awake);
        self.allow_overlaps(&mut solver);
        for round in 1..=ROUNDS {
            if round > 1 {
                self.accelerate_again(&solver.awake);
            }
            solver.prepare(self);
            solver.sweep(Pass::Correct);
            self.store_velocities(&solver);
            if round == ROUNDS || !self.find_new_rows(&solver) {
                break;
            }
        }
        solver.keep(self);
        self.integrate(&solver);
        if solver.corrects {
            solver.sweep(Pass::Relax);
            self.store_velocities(&solver);
        }
        self.finish(&solver);
        self.solver = solver;
    }

    fn head_for_targets(&mut self) {
        let step = self.settings.step;
        for (_, body) in self.bodies.iter_mut().filter(|(_, body)| body.owner == Owner::Caller) {
            body.head_for_target(step);
            body.note_way(0.0);
        }
        for index in 0..self.trees.end() {
            let Some(tree) = self.trees.get(index) else { continue };
            if tree.skeleton.is_free {
                continue;
            }
            let [linear, angular] = self.bodies[tree.bodies[0]].velocity;
            let tree = &mut self.trees[index];
            let base = Spatial::new(angular, linear);
            tree.base = [base, base - tree.base[0]];
        }
    }

    /// Displaces the axes that are beyond their limits, because they began there, by a part of the way back.
    fn bring_back(&mut self) {
        for index in 0..self.trees.end() {
            if !self.is_tree_awake(index) {
                continue;
            }
            let tree = &self.trees[index];
            for freedom in tree.first_joint_freedom()..tree.skeleton.freedoms {
                let tree = &self.trees[index];
                if let Some(way) =
                    tree.freedoms[freedom].way_back(tree.positions[freedom], self.settings.step)
                {
                    self.shift(AxisId::Tree { tree: index, freedom }, way);
                }
            }
        }
    }

    /// Turns the constant efforts of constraints into forces on both bodies; those of trees act on their freedoms.
    fn exert_efforts(&mut self) {
        for index in 0..self.constraints.end() {
            let Some(constraint) = self.constraints.get(index).filter(|one| one.is_active(self)) else {
                continue;
            };
            let effort = constraint.freedom.axis.effort;
            if effort == 0.0 {
                continue;
            }
            let (at, [force, torque]) = constraint.axis_wrench(self);
            for (body, effort) in constraint.spec.bodies.into_iter().zip([-effort, effort]) {
                let body = &mut self.bodies[body];
                let lever = at - body.pose.translation;
                body.push = body.push + Spatial::new((torque + lever.cross(force)) * effort, force * effort);
            }
        }
    }

    /// Prepares the servos, and applies forces to single bodies and trees.
    fn begin(&mut self, awake: &Awake) {
        let (step, gravity) = (self.settings.step, self.settings.gravity);
        for &index in &awake.callers {
            let body = &mut self.bodies[index];
            body.axes = DMat3::from_quat(body.pose.rotation);
        }
        for &index in &awake.singles {
            let body = &mut self.bodies[index];
            body.axes = DMat3::from_quat(body.pose.rotation);
            body.accelerate(step, gravity);
        }
        for index in 0..self.constraints.end() {
            let Some(constraint) = self.constraints.get(index).filter(|one| one.is_active(self)) else {
                continue;
            };
            let (position, velocity) = (constraint.position, constraint.velocity(self));
            self.constraints[index].freedom.begin(position, velocity, step, true);
        }
        for &index in &awake.trees {
            let tree = &mut self.trees[index];
            tree.prepare();
            for link in 0..tree.bodies.len() {
                tree.push(link, self.bodies[tree.bodies[link]].push);
            }
            tree.begin(step);
            tree.accelerate(step, gravity);
        }
    }

    fn allow_overlaps(&mut self, solver: &mut Solver) {
        let way = self.settings.overlap_speed * self.settings.step;
        solver.allowed.clear();
        solver.allowed.resize(self.pairs.end(), 0.0);
        for (index, pair) in self.pairs.iter_mut() {
            if pair.touches.is_empty() || !(pair.is_placed || pair.allowed > 0.0) {
                continue;
            }
            let bodies = pair.colliders.map(|collider| &self.bodies[self.colliders[collider].body]);
            if bodies.iter().all(|body| !body.is_awake() || !body.is_dynamic()) {
                continue;
            }
            let depth = pair.touches.iter().flat_map(|touch| {
                let placed = touch.manifold.at(&bodies[0].pose, &bodies[1].pose);
                placed.distances.into_iter().take(touch.manifold.count).map(|distance| -distance)
            });
            let depth = depth.fold(0.0, f64::max);
            solver.allowed[index] = pair.allow(depth, way);
        }
    }

    /// Applies forces to trees once more, from the velocities before the step: a row was added.
    fn accelerate_again(&mut self, awake: &Awake) {
        let (step, gravity) = (self.settings.step, self.settings.gravity);
        for &index in &awake.trees {
            let tree = &mut self.trees[index];
            tree.velocities.copy_from_slice(&tree.work.before);
            tree.accelerate(step, gravity);
        }
    }

    /// Makes rows of servos and limits that the velocities exceed. Returns true if any were found.
    fn find_new_rows(&mut self, solver: &Solver) -> bool {
        let mut any = false;
        for &index in &solver.awake.trees {
            // What has no rows is as it was when it was accelerated.
            any |= solver.rows.trees[index] != NONE && self.trees[index].correct_axes();
        }
        if any {
            // Takes back what the solver did to single bodies.
            for &index in &solver.awake.singles {
                let body = &mut self.bodies[index];
                body.velocity = body.free_velocity;
            }
        }
        any
    }

    /// Copies solved velocities to bodies and trees.
    fn store_velocities(&mut self, solver: &Solver) {
        let rows = &solver.rows;
        for &index in &solver.awake.singles {
            let body = &mut self.bodies[index];
            let from = stretch_of_body(index);
            let [x, y, z, _] = rows.velocities[from].to_array();
            let [a, b, c, _] = rows.velocities[from + 1].to_array();
            let (root, roots) = body.roots;
            body.velocity = [DVec3::new(x, y, z) * root, body.axes * (DVec3::new(a, b, c) * roots)];
        }
        for &index in solver.awake.trees.iter().filter(|&&index| rows.trees[index] != NONE) {
            let tree = &mut self.trees[index];
            rows.read_tree(index, &mut tree.velocities);
        }
    }

    fn integrate(&mut self, solver: &Solver) {
        let step = self.settings.step;
        for &index in &solver.awake.callers {
            let body = &mut self.bodies[index];
            match body.target.take() {
                Some(target) => body.pose = target,
                None if body.speed > 0.0 => body.integrate(step),
                None => {}
            }
        }
        for &index in &solver.awake.singles {
            self.bodies[index].integrate(step);
        }
        for &index in &solver.awake.trees {
            let root = self.bodies[self.trees[index].bodies[0]].pose;
            let tree = &mut self.trees[index];
            if !tree.skeleton.is_free {
                tree.poses[0] = root;
            }
            tree.integrate(step);
            if solver.rows.trees[index] == NONE {
                // No row changes its velocity any more.
                self.finish_tree(index);
            }
        }
    }

    /// Reads the trees, and notes ways and rest.
    fn finish(&mut self, solver: &Solver) {
        let step = self.settings.step;
        for &index in solver.awake.trees.iter().filter(|&&index| solver.rows.trees[index] != NONE) {
            self.finish_tree(index);
        }
        for &index in &solver.awake.callers {
            let body = &mut self.bodies[index];
            body.push = Spatial::ZERO;
            if body.speed > 0.0 {
                body.note_way(step);
            }
        }
        for &index in &solver.awake.singles {
            let body = &mut self.bodies[index];
            body.push = Spatial::ZERO;
            body.note_way(step);
        }
        self.follow_constraints();
        self.rest();
    }

    fn finish_tree(&mut self, tree: usize) {
        self.trees[tree].move_links();
        self.read_tree(tree);
        for &body in self.trees[tree].bodies.iter().skip(usize::from(!self.trees[tree].skeleton.is_free)) {
            let body = &mut self.bodies[body];
            body.push = Spatial::ZERO;
            body.note_way(self.settings.step);
        }
    }
}
