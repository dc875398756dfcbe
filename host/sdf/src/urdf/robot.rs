//! The content of a URDF file, as plain values. Lengths in metres, angles in radians, masses in kilograms.
//! Elements are kept if findings may refer to them, or if they are copied unchanged.

use crate::document::Element;

/// A whole robot.
pub(crate) struct Robot<'d> {
    pub(crate) name: String,
    /// `<origin>` of the robot, an extension of libsdformat.
    pub(crate) origin: Option<Origin>,
    pub(crate) links: Vec<Link<'d>>,
    pub(crate) joints: Vec<Joint<'d>>,
    pub(crate) extension: ModelExtension<'d>,
    pub(crate) controls: Vec<Control<'d>>,
    /// Those of files of parameters; `None` if no file names any.
    pub(crate) controllers: Option<Vec<Controller>>,
    pub(crate) at: Element<'d>,
}

/// The `<ros2_control>` elements whose commands and states have the same topics.
pub(crate) struct Control<'d> {
    pub(crate) name: &'d str,
    pub(crate) at: Element<'d>,
    /// `None` for hardware without topics: those of the plugins.
    pub(crate) command_topic: Option<String>,
    pub(crate) state_topic: Option<String>,
    pub(crate) joints: Vec<ControlledJoint>,
}

impl Control<'_> {
    pub(crate) fn has_topics_of(&self, other: &Self) -> bool {
        self.command_topic == other.command_topic && self.state_topic == other.state_topic
    }
}

/// A joint of a `<ros2_control>`.
pub(crate) struct ControlledJoint {
    /// Its index in the robot.
    pub(crate) joint: usize,
    /// What commands may drive; nothing for a joint that only reports its state.
    pub(crate) drives: Vec<Drive>,
    /// Where it begins, rad or m.
    pub(crate) position: Option<f64>,
    /// How fast it begins, rad/s or m/s.
    pub(crate) velocity: Option<f64>,
}

/// A controller of a file of parameters.
pub(crate) struct Controller {
    pub(crate) name: String,
    pub(crate) kind: ControllerKind,
    /// Parameters of the plugin that stands for it.
    pub(crate) settings: Vec<(&'static str, String)>,
}

/// What a controller moves; joints by their indices in the robot.
pub(crate) enum ControllerKind {
    Trajectories { joints: Vec<usize> },
    Commands { joints: Vec<usize>, drive: Drive },
    Gripper { joints: [usize; 1] },
    Drive(Vehicle),
}

/// A drive of a vehicle.
pub(crate) struct Vehicle {
    pub(crate) plugin: &'static str,
    /// Parameter of the plugin, and the joint.
    pub(crate) joints: Vec<(&'static str, usize)>,
    /// Last parts of the topics.
    pub(crate) command: &'static str,
    pub(crate) odometry: &'static str,
}

/// What a command drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Drive {
    Position,
    Velocity,
    Effort,
}

impl Drive {
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Position, Self::Velocity, Self::Effort].into_iter().find(|drive| drive.name() == name)
    }

    /// The name of its interface.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Effort => "effort",
        }
    }
}

/// A `<link>`.
pub(crate) struct Link<'d> {
    pub(crate) name: String,
    pub(crate) at: Element<'d>,
    /// `None` also if the mass is not positive.
    pub(crate) inertial: Option<Inertial>,
    pub(crate) visuals: Vec<Visual<'d>>,
    pub(crate) collisions: Vec<Shape<'d>>,
    pub(crate) extension: LinkExtension<'d>,
}

/// An `<inertial>` that is physically possible.
#[derive(Clone, Copy)]
pub(crate) struct Inertial {
    /// Above 0.
    pub(crate) mass: f64,
    /// Centre of mass and orientation of the moments, in the link frame.
    pub(crate) origin: Origin,
    /// ixx, ixy, ixz, iyy, iyz, izz in kg·m².
    pub(crate) moments: [f64; 6],
}

/// Position and orientation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Origin {
    pub(crate) xyz: [f64; 3],
    pub(crate) rotation: Rotation,
}

/// An orientation as it was written.
#[derive(Clone, Copy)]
pub(crate) enum Rotation {
    /// Roll, pitch, yaw about fixed axes, as in SDF.
    Rpy([f64; 3]),
    /// x, y, z, w; URDF 1.1.
    Quaternion([f64; 4]),
}

impl Default for Rotation {
    fn default() -> Self {
        Self::Rpy([0.0; 3])
    }
}

/// The shape of a collision or visual.
pub(crate) struct Shape<'d> {
    /// As written; may be empty.
    pub(crate) name: &'d str,
    pub(crate) origin: Origin,
    pub(crate) geometry: Geometry<'d>,
}

/// A `<visual>`.
pub(crate) struct Visual<'d> {
    pub(crate) shape: Shape<'d>,
    pub(crate) material: Material<'d>,
}

/// A `<material>`; without colour and texture it leaves both to the viewer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Material<'d> {
    /// Red, green, blue, alpha, each 0 to 1.
    pub(crate) color: Option<[f64; 4]>,
    /// Address of an image.
    pub(crate) texture: Option<&'d str>,
}

impl Material<'_> {
    pub(crate) const fn is_empty(&self) -> bool {
        self.color.is_none() && self.texture.is_none()
    }
}

/// A `<geometry>`.
pub(crate) enum Geometry<'d> {
    Box { size: [f64; 3] },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Sphere { radius: f64 },
    Mesh { uri: &'d str, scale: Option<[f64; 3]> },
}

/// A `<joint>`.
pub(crate) struct Joint<'d> {
    pub(crate) name: String,
    pub(crate) at: Element<'d>,
    pub(crate) kind: JointKind,
    pub(crate) origin: Origin,
    /// Name of the parent link.
    pub(crate) parent: &'d str,
    /// Name of the child link.
    pub(crate) child: &'d str,
    /// Direction in the joint frame, not zero.
    pub(crate) axis: [f64; 3],
    pub(crate) limit: Limit,
    /// N·m·s/rad or N·s/m.
    pub(crate) damping: Option<f64>,
    /// N·m or N.
    pub(crate) friction: Option<f64>,
    pub(crate) mimic: Option<Mimic<'d>>,
    pub(crate) extension: JointExtension<'d>,
}

/// The type of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointKind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    /// `spherical`, which some tools write; SDF has it as `ball`.
    Ball,
    Floating,
    Planar,
}

impl JointKind {
    /// The name in SDF; `None` if the child is not constrained.
    pub(crate) const fn sdf(self) -> Option<&'static str> {
        match self {
            Self::Fixed => Some("fixed"),
            Self::Revolute => Some("revolute"),
            Self::Continuous => Some("continuous"),
            Self::Prismatic => Some("prismatic"),
            Self::Ball => Some("ball"),
            Self::Floating | Self::Planar => None,
        }
    }

    /// Returns true if it has one position that may be commanded, limited and mimicked.
    pub(crate) const fn has_axis(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

/// A `<limit>`; `None` without a limit. Radians, N·m and rad/s, or metres, N and m/s.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limit {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) effort: Option<f64>,
    pub(crate) velocity: Option<f64>,
}

/// A `<mimic>`: position = multiplier · leader + offset.
#[derive(Clone, Copy)]
pub(crate) struct Mimic<'d> {
    pub(crate) joint: &'d str,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
    pub(crate) at: Element<'d>,
}

/// Settings by their names in SDF; a later one replaces an earlier one.
#[derive(Default)]
pub(crate) struct Settings(Vec<(&'static str, String)>);

impl Settings {
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.0.retain(|(found, _)| *found != name);
        self.0.push((name, value));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

/// `<gazebo reference="link">`.
#[derive(Default)]
pub(crate) struct LinkExtension<'d> {
    /// For `<link>` itself.
    pub(crate) link: Settings,
    /// For `<velocity_decay>`, per second.
    pub(crate) decay: Option<f64>,
    /// For `<surface><friction><ode>` of each collision.
    pub(crate) friction: Settings,
    /// For `<surface><contact><ode>` of each collision.
    pub(crate) contact: Settings,
    /// For each `<collision>` itself.
    pub(crate) collision: Settings,
    /// Name of a Gazebo material for each visual.
    pub(crate) material: Option<String>,
    /// Children of `<collision>` and `<visual>`, copied into each.
    pub(crate) into_collisions: Vec<Element<'d>>,
    pub(crate) into_visuals: Vec<Element<'d>>,
    /// Everything else: sensors, lights and other SDF elements; copied into the link.
    pub(crate) rest: Vec<Element<'d>>,
    /// The location of the settings of the link, for findings.
    pub(crate) at: Option<Element<'d>>,
}

/// `<gazebo reference="joint">`.
#[derive(Default)]
pub(crate) struct JointExtension<'d> {
    /// For `<axis><dynamics>`.
    pub(crate) dynamics: Settings,
    /// For `<physics>`.
    pub(crate) physics: Settings,
    /// For `<physics><ode>`.
    pub(crate) ode: Settings,
    /// For `<physics><ode><limit>`.
    pub(crate) ode_limit: Settings,
    /// Everything else, copied into the joint.
    pub(crate) rest: Vec<Element<'d>>,
    /// The location, for findings.
    pub(crate) at: Option<Element<'d>>,
}

/// `<gazebo>` without a reference.
#[derive(Default)]
pub(crate) struct ModelExtension<'d> {
    pub(crate) model: Settings,
    /// Plugins and other SDF elements; copied into the model.
    pub(crate) rest: Vec<Element<'d>>,
}
