//! Reading and setting the state of bodies and axes.

use glam::DVec3;
use rapier3d_f64::math::Pose;

use crate::axis::{Axis, Freedom};
use crate::body::Owner;
use crate::constraint::{AxisId, Free};
use crate::math::Spatial;
use crate::tree::Mass;
use crate::world::World;

impl World {
    /// The pose of a body.
    #[must_use]
    pub fn pose(&self, body: usize) -> Pose {
        self.bodies[body].pose
    }

    /// The velocity of a body: of its origin, m/s, and angular, rad/s; world.
    #[must_use]
    pub fn velocity(&self, body: usize) -> [DVec3; 2] {
        self.bodies[body].velocity
    }

    /// The mass of a body.
    #[must_use]
    pub fn mass(&self, body: usize) -> &Mass {
        &self.bodies[body].mass
    }

    /// True if forces move a body.
    #[must_use]
    pub fn is_dynamic(&self, body: usize) -> bool {
        self.bodies[body].is_dynamic()
    }

    /// True if a body sleeps.
    #[must_use]
    pub fn is_asleep(&self, body: usize) -> bool {
        !self.bodies[body].is_awake()
    }

    /// The angular momentum of a body about its centre of mass, world.
    #[must_use]
    pub fn spin(&self, body: usize) -> DVec3 {
        self.bodies[body].spin()
    }

    /// Adds a force and a torque on the centre of mass of a body for the next step, and wakes it.
    pub fn push(&mut self, body: usize, force: DVec3, torque: DVec3) {
        self.wake(body);
        let body = &mut self.bodies[body];
        body.push = body.push + Spatial::new(torque, force);
    }

    /// Sets the pose that a body which forces do not move reaches at the end of the next step.
    pub fn set_target(&mut self, body: usize, target: Pose) {
        self.bodies[body].target = Some(target);
    }

    /// Makes a single body one that forces do not move.
    pub fn hold(&mut self, body: usize) {
        self.wake(body);
        let body = &mut self.bodies[body];
        if body.owner == Owner::Forces {
            body.owner = Owner::Caller;
            (body.velocity, body.roots) = ([DVec3::ZERO; 2], (0.0, DVec3::ZERO));
            self.structure += 1;
        }
    }

    /// Places a body elsewhere: a single one, or the root of a tree, whose links follow.
    pub fn place(&mut self, body: usize, pose: Pose) {
        self.wake(body);
        self.bodies[body].pose = pose;
        self.bodies[body].target = None;
        self.note_jump(body, true);
        self.bodies[body].restart_rest();
        if let Some(tree) = self.tree_with_root(body) {
            self.trees[tree].poses[0] = pose;
            self.place_tree(tree);
        }
    }

    /// The tree of which a body is the root.
    fn tree_with_root(&self, body: usize) -> Option<usize> {
        match self.bodies[body].owner {
            Owner::Tree { tree, link } => (link == 0).then_some(tree),
            Owner::Forces => None,
            Owner::Caller => {
                self.trees.iter().find(|(_, tree)| tree.bodies[0] == body).map(|(index, _)| index)
            }
        }
    }

    /// Returns the joints of a tree to position zero, at rest.
    pub fn reset_tree(&mut self, tree: usize) {
        self.trees[tree].reset();
        self.place_tree(tree);
    }

    /// Sets the velocity of a single body, or of the root of a tree, whose joints then rest. A body that forces do not move
    /// keeps it until it has a target.
    pub fn set_velocity(&mut self, body: usize, linear: DVec3, angular: DVec3) {
        match self.bodies[body].owner {
            Owner::Caller => {
                self.bodies[body].velocity = [linear, angular];
                self.bodies[body].drift = [linear, angular];
            }
            Owner::Forces => self.bodies[body].velocity = [linear, angular],
            Owner::Tree { tree, .. } => {
                let found = &mut self.trees[tree];
                found.velocities.fill(0.0);
                if found.skeleton.is_free {
                    found.velocities[..3].copy_from_slice(&linear.to_array());
                    found.velocities[3..6].copy_from_slice(&angular.to_array());
                }
                found.update();
                self.read_tree(tree);
            }
        }
        if linear != DVec3::ZERO || angular != DVec3::ZERO {
            self.wake(body);
        }
        self.bodies[body].note_way(0.0);
        if self.bodies[body].owner == Owner::Caller && self.bodies[body].speed > 0.0 {
            self.wake_touching(body);
        }
    }

    /// Brings the links of a tree to where its coordinates say.
    fn place_tree(&mut self, tree: usize) {
        self.trees[tree].update();
        self.read_tree(tree);
        for body in self.trees[tree].bodies.clone() {
            self.wake(body);
            self.note_jump(body, true);
        }
    }

    /// Copies poses and velocities of a tree to its bodies.
    pub(crate) fn read_tree(&mut self, tree: usize) {
        let tree = &self.trees[tree];
        for (link, &body) in tree.bodies.iter().enumerate() {
            let body = &mut self.bodies[body];
            if body.is_dynamic() {
                (body.pose, body.velocity) = (tree.poses[link], tree.velocity(link));
            }
        }
    }

    /// What acts along an axis.
    #[must_use]
    pub fn axis(&self, axis: AxisId) -> &Axis {
        &self.freedom(axis).axis
    }

    /// Changes what acts along an axis. The caller wakes the body if that matters.
    pub fn axis_mut(&mut self, axis: AxisId) -> Option<&mut Axis> {
        self.freedom_mut(axis).map(|freedom| &mut freedom.axis)
    }

    fn freedom(&self, axis: AxisId) -> &Freedom {
        match axis {
            AxisId::Tree { tree, freedom } => &self.trees[tree].freedoms[freedom],
            AxisId::Constraint(index) => &self.constraints[index].freedom,
        }
    }

    pub(crate) fn freedom_mut(&mut self, axis: AxisId) -> Option<&mut Freedom> {
        match axis {
            AxisId::Tree { tree, freedom } => self.trees.get_mut(tree)?.freedoms.get_mut(freedom),
            AxisId::Constraint(index) => Some(&mut self.constraints.get_mut(index)?.freedom),
        }
    }

    /// The position of an axis, radians with full turns counted, or metres.
    #[must_use]
    pub fn axis_position(&self, axis: AxisId) -> f64 {
        match axis {
            AxisId::Tree { tree, freedom } => self.trees[tree].positions[freedom],
            AxisId::Constraint(index) => self.constraints[index].position,
        }
    }

    /// The velocity of an axis, rad/s or m/s.
    #[must_use]
    pub fn axis_velocity(&self, axis: AxisId) -> f64 {
        match axis {
            AxisId::Tree { tree, freedom } => self.trees[tree].velocities[freedom],
            AxisId::Constraint(index) => self.constraints[index].velocity(self),
        }
    }

    /// The mean effort of the motor of an axis in the last step, N m or N.
    #[must_use]
    pub fn motor_effort(&self, axis: AxisId) -> f64 {
        self.freedom(axis).motor_impulse() / self.settings.step
    }

    /// Moves an axis of a tree without a velocity; a free root recoils.
    pub fn shift(&mut self, axis: AxisId, way: f64) {
        if let AxisId::Tree { tree, freedom } = axis {
            self.trees[tree].displace(freedom, way);
            self.read_tree(tree);
            for body in self.trees[tree].bodies.clone() {
                self.note_jump(body, false);
            }
        }
    }

    /// Forgets the motion of a constraint: its position is zero.
    pub fn reset_constraint(&mut self, index: usize) {
        self.constraints[index].reset();
    }

    /// Reads the positions of all constraints whose bodies were placed elsewhere.
    pub fn follow_constraints(&mut self) {
        for index in 0..self.constraints.end() {
            let Some(constraint) = self.constraints.get(index) else { continue };
            if matches!(constraint.spec.free, Free::Turning | Free::Sliding) {
                let position = constraint.position_now(self);
                self.constraints[index].position = position;
            }
        }
    }
}
