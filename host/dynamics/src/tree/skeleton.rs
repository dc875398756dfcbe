//! What does not change about a tree: its links, their joints and masses.

use glam::{DQuat, DVec3};
use rapier3d_f64::math::Pose;
use serde::{Deserialize, Serialize};

use crate::math::{Spatial, unit};

/// No degree of freedom.
pub(crate) const NONE: usize = usize::MAX;

/// How a link moves relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Joint {
    /// Turns about the axis.
    Revolute,
    /// Slides along the axis.
    Prismatic,
    /// Turns about the axis and slides along it by this many metres per radian.
    Screw(f64),
    /// Turns about every axis.
    Ball,
}

impl Joint {
    pub(super) fn freedoms(self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic | Self::Screw(_) => 1,
            Self::Ball => 3,
        }
    }
}

/// Mass and principal moments of a rigid body, whose frame is at its centre of mass along its principal axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mass {
    /// Kilograms. Zero only for links between two axes.
    pub mass: f64,
    /// kg m².
    pub moments: DVec3,
    /// The part of the mass on which gravity acts, kilograms.
    pub heavy: f64,
    /// Its centre in the frame of the body.
    pub heavy_center: DVec3,
    /// The share of the linear and angular velocity lost per second.
    pub decay: [f64; 2],
}

/// A link that is added to a tree, at position zero of its joint.
#[derive(Clone, Debug)]
pub struct LinkSpec {
    /// The index of the parent; the root is 0.
    pub parent: usize,
    /// How it moves.
    pub joint: Joint,
    /// A point on the axis, in the world.
    pub anchor: DVec3,
    /// The axis in the world, of length one.
    pub axis: DVec3,
    /// The frame of its mass, in the world.
    pub pose: Pose,
    /// Its mass.
    pub mass: Mass,
}

/// A tree that is added to a world.
#[derive(Clone, Debug)]
pub struct TreeSpec {
    /// The pose of the root: the frame of its mass if it is free.
    pub root: Pose,
    /// The mass of the root; `None` if forces do not move it.
    pub mass: Option<Mass>,
    /// The links below the root, parents first; the first one has index 1.
    pub links: Vec<LinkSpec>,
}

/// What does not change about a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Link {
    pub(super) parent: usize,
    pub(super) joint: Joint,
    /// Its first degree of freedom.
    pub(super) freedom: usize,
    /// The anchor in the frame of the parent.
    pub(super) at_parent: DVec3,
    /// The rotation of the link in its parent at position zero.
    pub(super) turn: DQuat,
    /// The axis in the frame of the link.
    pub(super) axis: DVec3,
    /// From the anchor to the centre of mass, in the frame of the link.
    pub(super) to_center: DVec3,
    pub(super) mass: Mass,
}

/// What does not change about a tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Skeleton {
    pub(super) links: Vec<Link>,
    pub(crate) is_free: bool,
    /// Degrees of freedom.
    pub(crate) freedoms: usize,
    /// The next degree of freedom towards the root, or [`NONE`].
    pub(super) up: Vec<usize>,
    /// True if gravity acts on the whole mass of all links.
    pub(super) is_heavy: bool,
}

impl Link {
    /// The motion relative to the parent.
    #[inline(always)]
    pub(super) fn own_motion(&self, axes: &[Spatial], velocities: &[f64]) -> Spatial {
        match self.joint {
            Joint::Revolute | Joint::Prismatic | Joint::Screw(_) => {
                axes[self.freedom] * velocities[self.freedom]
            }
            Joint::Ball => {
                let pairs = axes[self.freedom..].iter().zip(&velocities[self.freedom..]).take(3);
                pairs.fold(Spatial::ZERO, |sum, (axis, velocity)| sum + *axis * *velocity)
            }
        }
    }
}

impl Skeleton {
    pub(super) fn new(spec: &TreeSpec) -> Self {
        let is_free = spec.mass.is_some();
        let root = Link {
            parent: NONE,
            joint: Joint::Ball,
            freedom: 0,
            at_parent: DVec3::ZERO,
            turn: DQuat::IDENTITY,
            axis: DVec3::Z,
            to_center: DVec3::ZERO,
            mass: spec.mass.unwrap_or_default(),
        };
        let mut skeleton = Self { links: vec![root], is_free, freedoms: 0, up: Vec::new(), is_heavy: true };
        if is_free {
            skeleton.freedoms = 6;
            skeleton.up = (0..6).map(|freedom: usize| freedom.checked_sub(1).unwrap_or(NONE)).collect();
        }
        for link in &spec.links {
            skeleton.add(spec, link);
        }
        skeleton.is_heavy = skeleton
            .links
            .iter()
            .all(|link| link.mass.heavy == link.mass.mass && link.mass.heavy_center == DVec3::ZERO);
        skeleton
    }

    fn add(&mut self, spec: &TreeSpec, link: &LinkSpec) {
        let parent = match link.parent.checked_sub(1) {
            Some(index) => spec.links[index].pose,
            None => spec.root,
        };
        let first = self.freedoms;
        let above = self.last_freedom(link.parent);
        for freedom in 0..link.joint.freedoms() {
            self.up.push(if freedom == 0 { above } else { first + freedom - 1 });
        }
        self.freedoms += link.joint.freedoms();
        let rotation = link.pose.rotation;
        self.links.push(Link {
            parent: link.parent,
            joint: link.joint,
            freedom: first,
            at_parent: parent.inverse_transform_point(link.anchor),
            turn: unit(parent.rotation.conjugate() * rotation),
            axis: (rotation.conjugate() * link.axis).normalize(),
            to_center: rotation.conjugate() * (link.pose.translation - link.anchor),
            mass: link.mass,
        });
    }

    /// The degree of freedom of a link that is farthest from the root, or [`NONE`] if the link cannot move.
    pub(crate) fn last_freedom(&self, link: usize) -> usize {
        match (link, self.is_free) {
            (0, true) => 5,
            (0, false) => NONE,
            _ => self.links[link].freedom + self.links[link].joint.freedoms() - 1,
        }
    }

    pub(crate) fn first_freedom(&self, link: usize) -> usize {
        self.links[link].freedom
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// The length of a row of velocities.
    pub(crate) fn stride(&self) -> usize {
        self.freedoms.next_multiple_of(4)
    }
}
