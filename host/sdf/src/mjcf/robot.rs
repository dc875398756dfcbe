//! The content of an MJCF, as plain values: defaults are applied, angles are in radians, lengths in metres, masses in
//! kilograms. Elements are kept, because findings refer to them.

use crate::document::Element;
use crate::mjcf::inertia::Inertia;
use crate::mjcf::shape::Shape;
use bridgehead_pose::{DVec3, Pose};

/// The index of the world in [`Robot::bodies`].
pub(crate) const WORLD_BODY: usize = 0;

/// A whole file.
pub(crate) struct Robot<'d> {
    /// `model` of `<mujoco>`.
    pub(crate) name: String,
    pub(crate) at: Element<'d>,
    /// m/s².
    pub(crate) gravity: DVec3,
    /// Seconds.
    pub(crate) timestep: f64,
    pub(crate) meshes: Vec<Mesh>,
    /// The world, then each body after its parent.
    pub(crate) bodies: Vec<Body<'d>>,
    /// Pairs of bodies that do not touch each other.
    pub(crate) excludes: Vec<[usize; 2]>,
    /// Joints that follow others.
    pub(crate) follows: Vec<Follow>,
    /// Joints that close loops.
    pub(crate) closures: Vec<Closure>,
    pub(crate) drives: Vec<Drive<'d>>,
    /// Positions of the keyframe `home`: 7 for a free body, 4 for a ball, 1 for a hinge or slide, in order.
    pub(crate) home: Option<Home<'d>>,
    /// The mass that the masses of all bodies are scaled to.
    pub(crate) total_mass: Option<f64>,
}

/// The keyframe that the model begins with.
pub(crate) struct Home<'d> {
    pub(crate) at: Element<'d>,
    pub(crate) qpos: Vec<f64>,
}

/// A mesh of the assets.
pub(crate) struct Mesh {
    /// Address of the file, relative to the main file.
    pub(crate) uri: String,
    pub(crate) scale: DVec3,
    /// Pose of the origin of the mesh in that of the file.
    pub(crate) reference: Pose,
}

/// The world or a `<body>`.
pub(crate) struct Body<'d> {
    /// Empty without one.
    pub(crate) name: &'d str,
    pub(crate) at: Element<'d>,
    /// The body that contains it; the world contains itself.
    pub(crate) parent: usize,
    /// In the frame of the parent.
    pub(crate) pose: Pose,
    /// Joints to the parent, outermost first; none for a free body.
    pub(crate) joints: Vec<Joint<'d>>,
    /// True if nothing connects it to the world.
    pub(crate) is_free: bool,
    pub(crate) geoms: Vec<Geom<'d>>,
    pub(crate) mass: BodyMass,
    /// False if `gravcomp` compensates for gravity.
    pub(crate) has_gravity: bool,
}

/// What is known of the mass of a body.
#[derive(Clone, Copy)]
pub(crate) enum BodyMass {
    /// Nothing has mass.
    None,
    /// In the frame of the body.
    Known(Inertia),
    /// It depends on meshes, which are not read here.
    OfMeshes {
        /// kg, if the file gives it.
        total: Option<f64>,
    },
}

/// A hinge, slide or ball.
pub(crate) struct Joint<'d> {
    /// Empty without one.
    pub(crate) name: &'d str,
    pub(crate) at: Element<'d>,
    pub(crate) kind: JointKind,
    /// In the frame of the body.
    pub(crate) position: DVec3,
    /// Unit direction in the frame of the body.
    pub(crate) axis: DVec3,
    /// Positions as in MJCF, that is with `reference` at the start.
    pub(crate) range: Option<[f64; 2]>,
    /// N·m or N; infinite without a limit.
    pub(crate) effort: f64,
    pub(crate) damping: f64,
    pub(crate) friction: f64,
    pub(crate) stiffness: f64,
    /// Position at which the spring rests, as in MJCF.
    pub(crate) rest: f64,
    /// The position in MJCF that is 0 in SDF.
    pub(crate) reference: f64,
}

/// The type of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointKind {
    Hinge,
    Slide,
    Ball,
}

/// A `<geom>`.
pub(crate) struct Geom<'d> {
    /// Empty without one.
    pub(crate) name: &'d str,
    /// In the frame of the body.
    pub(crate) pose: Pose,
    pub(crate) shape: Shape,
    /// kg/m³; that of a given mass, except for meshes.
    pub(crate) density: f64,
    /// kg, if it is given.
    pub(crate) mass: Option<f64>,
    /// Red, green, blue, alpha, each 0 to 1; `None` if it is not drawn.
    pub(crate) color: Option<[f64; 4]>,
    /// Bits that `conaffinity` of others must have one of.
    pub(crate) contype: u32,
    pub(crate) conaffinity: u32,
    /// Coefficient of sliding friction.
    pub(crate) friction: f64,
}

impl Geom<'_> {
    /// Returns true if it touches anything.
    pub(crate) const fn collides(&self) -> bool {
        self.contype != 0 || self.conaffinity != 0
    }
}

/// A joint, by its body and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JointRef {
    pub(crate) body: usize,
    pub(crate) joint: usize,
}

/// `<equality><joint>`: position = multiplier · leader + offset, both measured from the start.
pub(crate) struct Follow {
    pub(crate) follower: JointRef,
    pub(crate) leader: JointRef,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
}

/// `<equality>` of two bodies: a joint that closes a loop.
pub(crate) struct Closure {
    /// Empty without one.
    pub(crate) name: String,
    /// The type in SDF: `ball` or `fixed`.
    pub(crate) kind: &'static str,
    pub(crate) bodies: [usize; 2],
    /// In the frame of the first body.
    pub(crate) anchor: DVec3,
}

/// An actuator of a joint.
pub(crate) struct Drive<'d> {
    pub(crate) joint: JointRef,
    pub(crate) kind: DriveKind,
    /// N·m or N; infinite without a limit.
    pub(crate) effort: f64,
    pub(crate) at: Element<'d>,
}

/// What a command to an actuator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DriveKind {
    Position,
    Velocity,
    Effort,
}

impl DriveKind {
    /// The name of its interface.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Effort => "effort",
        }
    }
}

impl<'d> Robot<'d> {
    /// The joint.
    pub(crate) fn joint(&self, joint: JointRef) -> &Joint<'d> {
        &self.bodies[joint.body].joints[joint.joint]
    }

    /// All joints in order.
    pub(crate) fn joints(&self) -> impl Iterator<Item = JointRef> {
        let bodies = self.bodies.iter().enumerate();
        bodies.flat_map(|(body, found)| (0..found.joints.len()).map(move |joint| JointRef { body, joint }))
    }
}
