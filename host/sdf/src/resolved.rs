//! A world with every pose as numbers, from which physics, sensors and entities are built. One entry for each
//! top-level model; nested models are flattened under scoped names such as `arm::hand`. Made by `resolve`;
//! plain values, usable from any thread.

use super::document::Origin;
use super::element::{
    Actor as ActorElement, Battery, Collision, Dynamics, Entity, Environment, Frame as FrameElement,
    Inertial, JointKind, Light, Limit, Mimic, NamedPose, Physics, Plugin, Scene, Sensor, VelocityDecay,
    Visual,
};
use bridgehead_pose::Pose;
use glam::DVec3;

/// A world ready to be built.
#[derive(Clone, Debug)]
pub struct World {
    /// Name of the world.
    pub name: String,
    /// Gravity in the world frame, m/s².
    pub gravity: DVec3,
    /// Magnetic field in the world frame, tesla.
    pub magnetic_field: DVec3,
    /// Geographic location, atmosphere and wind.
    pub environment: Environment,
    /// The physics profile in use.
    pub physics: Physics,
    /// All physics profiles of the file.
    pub profiles: Vec<Physics>,
    /// Ambient light, background and sky.
    pub scene: Scene,
    /// Top-level models in document order.
    pub models: Vec<Model>,
    /// Joints of the world, which connect models.
    pub joints: Vec<WorldJoint>,
    /// Frames of the world, posed in the world.
    pub frames: Vec<WorldFrame>,
    /// Actors, posed in the world.
    pub actors: Vec<Actor>,
    /// Lights of the world, posed in the world.
    pub lights: Vec<Placed<Light>>,
    /// Named poses, in the world.
    pub poses: Vec<Placed<NamedPose>>,
    /// Plugins attached to the world.
    pub plugins: Vec<Plugin>,
    /// The `<world>` element.
    pub origin: Origin,
}

impl World {
    /// Selects the profile with a name.
    ///
    /// # Errors
    /// Returns an error with the available names if the world has no such profile.
    pub fn use_profile(&mut self, name: &str) -> Result<(), NoSuchProfile> {
        let Some(profile) = self.profiles.iter().find(|profile| profile.name == name) else {
            let has = self.profiles.iter().map(|profile| profile.name.clone()).collect();
            return Err(NoSuchProfile { world: self.name.clone(), requested: name.to_owned(), has });
        };
        self.physics = profile.clone();
        self.gravity = self.physics.gravity;
        self.magnetic_field = self.physics.magnetic_field;
        Ok(())
    }
}

/// The requested physics profile does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchProfile {
    /// Name of the world.
    pub world: String,
    /// The requested name.
    pub requested: String,
    /// Names of the profiles that exist, in document order.
    pub has: Vec<String>,
}

/// An element with its pose in the frame of its holder.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    /// Pose in the holder's frame.
    pub pose: Pose,
    /// The element as written.
    pub element: T,
}

/// An actor: its script, and the model that follows it.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The element as written.
    pub element: ActorElement,
    /// Its links as a model whose frame is that of the actor, with the pose of its `<pose>` in the world.
    pub model: Model,
}

/// A top-level model with all models nested in it.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name in the world.
    pub name: String,
    /// Model frame in the world.
    pub pose: Pose,
    /// True if it never moves.
    pub is_static: bool,
    /// True if its links collide with each other, unless a link overrides it.
    pub self_collide: bool,
    /// The frame that the file places, if it is not the model frame.
    pub placement_frame: Option<String>,
    /// True if the engine may put it to sleep.
    pub allow_auto_disable: bool,
    /// Its properties as an entity.
    pub entity: Entity,
    /// The link that carries the model frame, an index into `links`; `None` for a model without links.
    pub canonical_link: Option<usize>,
    /// Links of the model, then those of its nested models.
    pub links: Vec<Link>,
    /// Joints of the model, then those of its nested models.
    pub joints: Vec<Joint>,
    /// Frames of the model, then those of its nested models, posed in the top-level model frame under scoped names.
    pub frames: Vec<Frame>,
    /// The models nested in it, outer ones first.
    pub submodels: Vec<Submodel>,
    /// Plugins attached to the model itself.
    pub plugins: Vec<Plugin>,
    /// The address it was included from, as written.
    pub uri: Option<String>,
    /// The `<model>` element in its own file.
    pub origin: Origin,
    /// The `<include>` element that included it.
    pub include: Option<Origin>,
}

impl Model {
    /// The pose of a link in the world while the model is at `self.pose`.
    #[must_use]
    pub fn link_pose_world(&self, link: &Link) -> Pose {
        self.pose.compose(&link.pose)
    }

    /// Moves the model frame in the world before anything is built, as a spawn does.
    ///
    /// Joints to the world move along: so does their anchor in the world.
    pub fn place_at(&mut self, pose: Pose) {
        self.pose = pose;
        for joint in &mut self.joints {
            let in_world = pose.compose(&joint.pose);
            if joint.parent == Body::World {
                joint.pose_in_parent = in_world;
            }
            if joint.child == Body::World {
                joint.pose_in_child = in_world;
            }
        }
    }

    /// The frame that the file places, in the model frame: the model frame itself by default.
    #[must_use]
    pub fn placement(&self) -> Pose {
        let Some(name) = &self.placement_frame else { return Pose::IDENTITY };
        let frame = self.frames.iter().find(|frame| frame.name == *name).map(|frame| frame.pose);
        let link = || self.link(name).map(|link| link.pose);
        let joint = || self.joint(name).map(|joint| joint.pose);
        let nested = || self.submodels.iter().find(|nested| nested.name == *name).map(|nested| nested.pose);
        frame.or_else(link).or_else(joint).or_else(nested).unwrap_or_default()
    }

    /// The link with a scoped name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The joint with a scoped name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}

/// A model inside a top-level model.
#[derive(Clone, Debug)]
pub struct Submodel {
    /// Name scoped by the models between it and the top-level one, which is omitted: `arm::hand`.
    pub name: String,
    /// Its model frame in the top-level model frame.
    pub pose: Pose,
    /// True if it never moves, because it or an enclosing model is static.
    pub is_static: bool,
    /// True if its links collide with each other, unless a link overrides it.
    pub self_collide: bool,
    /// The frame that the file places, if it is not its own.
    pub placement_frame: Option<String>,
    /// The link that carries its frame, an index into the top-level model's `links`.
    pub canonical_link: Option<usize>,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// Its `<model>` element.
    pub origin: Origin,
}

/// One rigid body.
#[derive(Clone, Debug)]
pub struct Link {
    /// Name scoped below the top-level model: `base` or `arm::hand::finger`.
    pub name: String,
    /// Link frame in the top-level model frame; see [`Model::link_pose_world`] for the pose in the world.
    pub pose: Pose,
    /// True if it never moves, by its own model or one around it.
    pub is_static: bool,
    /// Mass and inertia; its own pose is in the link frame.
    pub inertial: Inertial,
    /// True if gravity pulls it.
    pub gravity: bool,
    /// True if the wind acts on it, by its own setting or that of its model.
    pub enable_wind: bool,
    /// True if its motion is prescribed.
    pub kinematic: bool,
    /// True if it collides with other links of its model, by its own setting or that of its model.
    pub self_collide: bool,
    /// Damping of its free motion.
    pub velocity_decay: VelocityDecay,
    /// Collisions, posed in the link frame.
    pub collisions: Vec<Placed<Collision>>,
    /// Visuals, posed in the link frame.
    pub visuals: Vec<Placed<Visual>>,
    /// Sensors, posed in the link frame.
    pub sensors: Vec<Placed<Sensor>>,
    /// Lights, posed in the link frame.
    pub lights: Vec<Placed<Light>>,
    /// Batteries.
    pub batteries: Vec<Battery>,
    /// The element in its file.
    pub origin: Origin,
}

/// One side of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// The world, which never moves.
    World,
    /// A link, as an index into the `links` of the joint's top-level model.
    Link(usize),
}

/// A joint between two links of one top-level model, or one of them and the world.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name scoped below the top-level model.
    pub name: String,
    /// The type, which decides the motion it allows.
    pub kind: JointKind,
    /// The parent side.
    pub parent: Body,
    /// The child side.
    pub child: Body,
    /// Joint frame in the top-level model frame, at load.
    pub pose: Pose,
    /// Joint frame in the parent's frame: the parent link, or the world for the model pose of the file.
    pub pose_in_parent: Pose,
    /// Joint frame in the child's frame.
    pub pose_in_child: Pose,
    /// First axis.
    pub axis: Option<Axis>,
    /// Second axis.
    pub axis2: Option<Axis>,
    /// The reference body of a gearbox; `None` for other kinds and if the reference cannot be resolved.
    pub gear_reference: Option<Body>,
    /// Sensors of the joint, posed in the joint frame.
    pub sensors: Vec<Placed<Sensor>>,
    /// The element in its file.
    pub origin: Origin,
}

/// A joint axis with its direction as numbers.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Unit direction in the joint frame.
    pub direction: DVec3,
    /// The same direction in the top-level model frame, at load.
    pub direction_in_model: DVec3,
    /// Limits of the motion.
    pub limit: Limit,
    /// Damping, friction and spring.
    pub dynamics: Dynamics,
    /// Another joint this axis follows; its name is as written.
    pub mimic: Option<Mimic>,
    /// The leader; `None` if it cannot be followed.
    pub leader: Option<Leader>,
}

/// The axis that another one follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The joint, an index into the model's `joints`.
    pub joint: usize,
    /// True if its second axis leads.
    pub axis2: bool,
}

/// A joint of the world: its sides are in different models.
#[derive(Clone, Debug)]
pub struct WorldJoint {
    /// The model of the parent link, an index into the world's `models`; `None` if the parent is the world.
    pub parent_model: Option<usize>,
    /// The model of the child link; `None` if the child is the world.
    pub child_model: Option<usize>,
    /// The joint; `Body::Link` counts in the model of that side, and `pose` is in the world.
    pub joint: Joint,
}

/// A frame of the world.
#[derive(Clone, Debug)]
pub struct WorldFrame {
    /// The element as written.
    pub element: FrameElement,
    /// Frame in the world.
    pub pose: Pose,
    /// The link it moves with, as the index of a model and of a link in it; `None` if it is fixed to the
    /// world.
    pub link: Option<(usize, usize)>,
}

/// A frame of a model.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Name scoped below the top-level model.
    pub name: String,
    /// Frame in the top-level model frame.
    pub pose: Pose,
    /// The link it moves with, an index into `links`; `None` if it is fixed to the world.
    pub link: Option<usize>,
    /// The element in its file.
    pub origin: Origin,
}
