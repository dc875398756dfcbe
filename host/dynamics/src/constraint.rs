//! Joints between bodies that are not in the coordinates of a tree: those that close loops, and those between trees.

mod rows;

use glam::{DMat3, DVec3};
use rapier3d_f64::math::Pose;
use serde::{Deserialize, Serialize};

use crate::axis::{Axis, Freedom};
use crate::math::vector_of;
use crate::world::World;
pub(crate) use rows::{AxisRows, ConstraintRows};

/// What a constraint lets free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Free {
    /// Nothing.
    Nothing,
    /// Turning about x of the joint.
    Turning,
    /// Sliding along x of the joint.
    Sliding,
    /// Turning about every axis.
    Pivoting,
}

/// A joint between two bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConstraintSpec {
    /// The two bodies; positions are those of the second one relative to the first.
    pub bodies: [usize; 2],
    /// The joint in the frames of both bodies; x is its axis.
    pub frames: [Pose; 2],
    /// What it lets free.
    pub free: Free,
}

/// A constraint with its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Constraint {
    pub(crate) spec: ConstraintSpec,
    pub(crate) freedom: Freedom,
    /// Radians with full turns counted, or metres.
    pub(crate) position: f64,
}

/// A degree of freedom: of a tree, or of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AxisId {
    /// A degree of freedom of a tree.
    Tree {
        /// The tree.
        tree: usize,
        /// The degree of freedom.
        freedom: usize,
    },
    /// The axis of a constraint.
    Constraint(usize),
}

/// Makes the position of one axis `ratio` times that of another, plus `offset`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Coupling {
    /// The axis that leads.
    pub leader: AxisId,
    /// The axis that follows.
    pub follower: AxisId,
    /// Radians or metres for each radian or metre of the leader.
    pub ratio: f64,
    /// The position while the leader is at zero.
    pub offset: f64,
}

/// The joint of a constraint, now.
struct Reading {
    /// The axes of the first body's side, world.
    axes: DMat3,
    /// The origin of the second body's side, world.
    at: DVec3,
    /// How far it is from that of the first, and the turn between the two, in these axes.
    offset: DVec3,
    turn: DVec3,
}

impl Constraint {
    pub(crate) fn new(spec: ConstraintSpec) -> Self {
        let freedom = Freedom::new(Axis::default());
        Self { spec, freedom, position: 0.0 }
    }

    pub(crate) fn reset(&mut self) {
        self.position = 0.0;
        self.freedom.reset();
    }

    fn read(&self, world: &World) -> Reading {
        let poses = [0, 1].map(|side| world.bodies[self.spec.bodies[side]].pose * self.spec.frames[side]);
        let axes = DMat3::from_quat(poses[0].rotation);
        let offset = axes.transpose() * (poses[1].translation - poses[0].translation);
        let turn = match self.spec.free {
            // The turn about x is free, so that only the direction of x counts.
            Free::Turning => axes.transpose() * axes.x_axis.cross(poses[1].rotation * DVec3::X),
            Free::Nothing | Free::Sliding | Free::Pivoting => {
                vector_of(poses[0].rotation.conjugate() * poses[1].rotation)
            }
        };
        Reading { axes, at: poses[1].translation, offset, turn }
    }

    /// The position now, with full turns counted from the last one.
    pub(crate) fn position_now(&self, world: &World) -> f64 {
        match self.spec.free {
            Free::Sliding => self.read(world).offset.x,
            Free::Turning => {
                let poses =
                    [0, 1].map(|side| world.bodies[self.spec.bodies[side]].pose * self.spec.frames[side]);
                let turn = poses[0].rotation.conjugate() * poses[1].rotation;
                let moved = 2.0 * libm::atan2(turn.x, turn.w) - self.position;
                let full = std::f64::consts::TAU;
                self.position + (moved - full * libm::round(moved / full))
            }
            Free::Nothing | Free::Pivoting => 0.0,
        }
    }

    /// The velocity of the free axis, rad/s or m/s.
    pub(crate) fn velocity(&self, world: &World) -> f64 {
        let reading = self.read(world);
        let [one, other] = self.spec.bodies.map(|body| &world.bodies[body]);
        let axis = reading.axes.x_axis;
        match self.spec.free {
            Free::Turning => (other.velocity[1] - one.velocity[1]).dot(axis),
            Free::Sliding => (other.velocity_at(reading.at) - one.velocity_at(reading.at)).dot(axis),
            Free::Nothing | Free::Pivoting => 0.0,
        }
    }

    /// The force and the torque on the second body for one unit of effort along the free axis, and the point of the force.
    pub(crate) fn axis_wrench(&self, world: &World) -> (DVec3, [DVec3; 2]) {
        let reading = self.read(world);
        let axis = reading.axes.x_axis;
        let wrench = match self.spec.free {
            Free::Sliding => [axis, DVec3::ZERO],
            Free::Turning => [DVec3::ZERO, axis],
            Free::Nothing | Free::Pivoting => [DVec3::ZERO; 2],
        };
        (reading.at, wrench)
    }

    /// True if an axis is locked: three along, then three about.
    fn is_locked(&self, axis: usize) -> bool {
        match self.spec.free {
            Free::Nothing => true,
            Free::Turning => axis != 3,
            Free::Sliding => axis != 0,
            Free::Pivoting => axis < 3,
        }
    }

    /// True if a row of it can move something.
    pub(crate) fn is_active(&self, world: &World) -> bool {
        self.spec.bodies.iter().any(|&body| world.bodies[body].is_dynamic() && world.bodies[body].is_awake())
    }
}
