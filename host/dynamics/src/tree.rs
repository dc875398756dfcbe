//! Trees of links in reduced coordinates: their structure, their state, and where their links are.
//!
//! All spatial quantities have world axes and one origin for each tree, the centre of mass of its root at the beginning of
//! the step, so that nothing is transformed between links. The velocity of a free root are the first six coordinates:
//! m/s of its centre of mass and rad/s, both in world axes.

mod dynamics;
mod equations;
mod factor;
mod skeleton;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use rapier3d_f64::math::Pose;
use serde::{Deserialize, Serialize};

use crate::axis::{Axis, Freedom};
use crate::math::{Inertia, Spatial, rotation_about, rotation_by, unit};
pub use equations::{Equations, TreeState};
pub(crate) use skeleton::NONE;
pub use skeleton::{Joint, LinkSpec, Mass, TreeSpec};
use skeleton::{Link, Skeleton};

/// A tree and its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tree {
    pub(crate) skeleton: Arc<Skeleton>,
    /// The bodies of the links.
    pub(crate) bodies: Vec<usize>,
    /// Positions, by degree of freedom; those of a free root and of ball joints are not used.
    pub(crate) positions: Vec<f64>,
    /// Rotations of ball joints, by link.
    turns: Vec<DQuat>,
    /// Velocities by degree of freedom, padded to a multiple of four.
    pub(crate) velocities: Vec<f64>,
    pub(crate) freedoms: Vec<Freedom>,
    /// Poses of the links' centres of mass.
    pub(crate) poses: Vec<Pose>,
    /// The velocity of a root that forces do not move, at its centre, and its change in the last step.
    pub(crate) base: [Spatial; 2],
    /// Not part of the state.
    #[serde(skip)]
    pub(crate) work: Work,
}

/// What is computed from the state of a tree in each step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) origin: DVec3,
    links: Vec<LinkWork>,
    /// The motion of all links beyond a degree of freedom if its velocity is one.
    axes: Vec<Spatial>,
    /// The mass matrix, row by row, of which the columns of the degrees of freedom above are used; then its factors.
    matrix: Vec<f64>,
    inverse: Vec<f64>,
    /// Generalised forces.
    pull: Vec<f64>,
    /// The velocities before the step.
    pub(crate) before: Vec<f64>,
}

/// A link in a step.
#[derive(Clone, Copy, Debug, Default)]
struct LinkWork {
    rotation: DMat3,
    /// At the origin of the tree.
    motion: Spatial,
    acceleration: Spatial,
    /// What the link and all beyond it need for their accelerations.
    force: Spatial,
    /// Of the link and all beyond it.
    inertia: Inertia,
    /// The external force and torque on the centre of mass.
    push: Spatial,
}

impl Tree {
    pub(crate) fn new(spec: &TreeSpec) -> Self {
        let skeleton = Arc::new(Skeleton::new(spec));
        let (links, freedoms, stride) = (skeleton.len(), skeleton.freedoms, skeleton.stride());
        let mut tree = Self {
            skeleton,
            bodies: Vec::new(),
            positions: vec![0.0; freedoms],
            turns: vec![DQuat::IDENTITY; links],
            velocities: vec![0.0; stride],
            freedoms: vec![Freedom::new(Axis::default()); freedoms],
            poses: vec![spec.root; links],
            base: [Spatial::ZERO; 2],
            work: Work::default(),
        };
        tree.update();
        tree.equations(1.0, DVec3::ZERO);
        for (freedom, axis) in tree.freedoms.iter_mut().enumerate() {
            axis.set_inertia(tree.work.matrix[freedom * stride + freedom]);
        }
        tree
    }

    /// Makes room for what is computed in a step, which a tree that was read back lacks. Returns true if it did.
    fn make_room(&mut self) -> bool {
        let (links, freedoms, stride) = (self.skeleton.len(), self.skeleton.freedoms, self.skeleton.stride());
        let work = &mut self.work;
        if work.links.len() == links {
            return false;
        }
        work.links.resize(links, LinkWork::default());
        work.axes.resize(freedoms, Spatial::ZERO);
        work.matrix.resize(freedoms * stride, 0.0);
        work.inverse.resize(freedoms, 0.0);
        work.pull.resize(stride, 0.0);
        work.before.resize(stride, 0.0);
        true
    }

    /// Computes poses, axes and motions of the links from the coordinates.
    pub(crate) fn update(&mut self) {
        self.make_room();
        self.place_links();
        self.move_links();
    }

    /// Does so if the tree was read back.
    pub(crate) fn prepare(&mut self) {
        if self.make_room() {
            self.place_links();
            self.move_links();
        }
    }

    /// Sets the external force and torque on the centre of mass of a link.
    pub(crate) fn push(&mut self, link: usize, push: Spatial) {
        self.work.links[link].push = push;
    }

    /// Computes the poses of the links and the axes of the joints from the coordinates.
    fn place_links(&mut self) {
        let Self { skeleton, work, poses, positions, turns, .. } = self;
        let Work { origin, links, axes, .. } = work;
        *origin = poses[0].translation;
        links[0].rotation = DMat3::from_quat(poses[0].rotation);
        if skeleton.is_free {
            for (freedom, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                axes[freedom] = Spatial::new(DVec3::ZERO, axis);
                axes[freedom + 3] = Spatial::new(axis, DVec3::ZERO);
            }
        }
        for (index, link) in skeleton.links.iter().enumerate().skip(1) {
            let parent = poses[link.parent];
            let anchor = parent.translation + links[link.parent].rotation * link.at_parent;
            let base = parent.rotation * link.turn;
            let position = positions[link.freedom];
            let rotation = match link.joint {
                Joint::Revolute | Joint::Screw(_) => base * rotation_about(link.axis, position),
                Joint::Prismatic => base,
                Joint::Ball => base * turns[index],
            };
            let matrix = DMat3::from_quat(rotation);
            let axis = matrix * link.axis;
            let at = match link.joint {
                Joint::Prismatic => anchor + axis * position,
                Joint::Screw(pitch) => anchor + axis * (position * pitch),
                Joint::Revolute | Joint::Ball => anchor,
            };
            let arm = at - *origin;
            let turning = |axis: DVec3| Spatial::new(axis, arm.cross(axis));
            match link.joint {
                Joint::Revolute => axes[link.freedom] = turning(axis),
                Joint::Prismatic => axes[link.freedom] = Spatial::new(DVec3::ZERO, axis),
                Joint::Screw(pitch) => {
                    axes[link.freedom] = turning(axis) + Spatial::new(DVec3::ZERO, axis * pitch);
                }
                Joint::Ball => {
                    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
                    for (of_joint, axis) in axes[link.freedom..].iter_mut().zip(columns) {
                        *of_joint = turning(axis);
                    }
                }
            }
            poses[index] = Pose::from_parts(at + matrix * link.to_center, rotation);
            links[index].rotation = matrix;
        }
    }

    /// Computes the motions of the links from the velocities.
    pub(crate) fn move_links(&mut self) {
        self.work.links[0].motion = self.root_motion();
        let Self { skeleton, work, velocities, .. } = self;
        for (index, link) in skeleton.links.iter().enumerate().skip(1) {
            let own = link.own_motion(&work.axes, velocities);
            work.links[index].motion = work.links[link.parent].motion + own;
        }
    }

    fn root_motion(&self) -> Spatial {
        if !self.skeleton.is_free {
            return self.base[0];
        }
        let v = &self.velocities;
        Spatial::new(DVec3::new(v[3], v[4], v[5]), DVec3::new(v[0], v[1], v[2]))
    }

    /// The velocity of a link: linear of its centre of mass, and angular.
    pub(crate) fn velocity(&self, link: usize) -> [DVec3; 2] {
        let motion = self.work.links[link].motion;
        let arm = self.poses[link].translation - self.work.origin;
        [motion.linear + motion.angular.cross(arm), motion.angular]
    }

    /// Moves by the velocities.
    pub(crate) fn integrate(&mut self, h: f64) {
        let motion = self.root_motion();
        let Self { skeleton, poses, positions, velocities, turns, .. } = self;
        if skeleton.is_free {
            poses[0].translation += motion.linear * h;
            poses[0].rotation = unit(rotation_by(motion.angular * h) * poses[0].rotation);
        }
        for (index, link) in skeleton.links.iter().enumerate().skip(1) {
            match link.joint {
                Joint::Revolute | Joint::Prismatic | Joint::Screw(_) => {
                    positions[link.freedom] += velocities[link.freedom] * h;
                }
                Joint::Ball => {
                    let v = &velocities[link.freedom..];
                    let turn = rotation_by(DVec3::new(v[0], v[1], v[2]) * h);
                    turns[index] = unit(turns[index] * turn);
                }
            }
        }
        self.place_links();
    }

    /// Returns all joints to position zero, at rest.
    pub(crate) fn reset(&mut self) {
        self.positions.fill(0.0);
        self.turns.fill(DQuat::IDENTITY);
        self.velocities.fill(0.0);
        self.base = [Spatial::ZERO; 2];
        self.freedoms.iter_mut().for_each(Freedom::reset);
    }

    /// Adds the row of a force at a point of a link and a torque on it, times `sign`.
    pub(crate) fn add_wrench_row(
        &self,
        link: usize,
        point: DVec3,
        [force, torque]: [DVec3; 2],
        sign: f64,
        row: &mut [f64],
    ) {
        let wrench = Spatial::new((point - self.work.origin).cross(force) + torque, force) * sign;
        let mut freedom = self.skeleton.last_freedom(link);
        while freedom != NONE {
            row[freedom] += self.work.axes[freedom].dot(wrench);
            freedom = self.skeleton.up[freedom];
        }
    }
}
