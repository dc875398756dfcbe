//! The world: what it owns, and what can be read of it. Simulation thread only.

use std::sync::Arc;

use bridgehead_physics::table::Table;
use bridgehead_physics::{Contact, Physics};
use bridgehead_sdf::SearchPath;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::bond::Bonds;
use super::command::WorldCommand;
use super::entity::{Collisions, EntityState, JointEntity, LinkEntity, ModelEntity};
use super::sight::Sight;
use super::solid::Meshes;
use super::surroundings::Surroundings;
use crate::actor::script::ScriptedActor;
use crate::entities::acceleration::Watch;
use crate::entities::changes::EntityChanges;
use crate::entities::named_pose::NamedPose;
use crate::names::style::NameStyle;

/// Motion of a link, world frame.
#[derive(Clone, Copy, Debug)]
pub struct LinkState {
    /// Pose of the link frame.
    pub pose: Pose,
    /// Velocity of its origin, m/s.
    pub linear: DVec3,
    /// Angular velocity, rad/s.
    pub angular: DVec3,
}

/// Motion of a joint; all values are NaN if it has no single axis.
#[derive(Clone, Copy, Debug)]
pub struct JointState {
    /// Radians or metres.
    pub position: f64,
    /// rad/s or m/s.
    pub velocity: f64,
    /// N·m or N: of all that acts along the axis while the joint's wrench is watched, otherwise an estimate of what the
    /// command applies.
    pub effort: f64,
}

/// A contact point of a collision.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// The other collision.
    pub other: u32,
    /// World frame, metres.
    pub position: DVec3,
    /// Normal from the other collision towards the queried one, world frame.
    pub normal: DVec3,
    /// Penetration depth, metres.
    pub depth: f64,
    /// Force of the other collision on the queried one, world frame, newtons.
    pub force: DVec3,
}

/// The world.
pub struct World {
    /// Name of the world.
    pub name: String,
    /// How its topics are named.
    pub(super) names: NameStyle,
    /// Gravity, field, atmosphere and place on Earth.
    pub surroundings: Surroundings,
    pub(super) physics: Physics,
    /// Physics before the first step.
    pub(super) beginning: Option<Box<Physics>>,
    pub(super) sight: Sight,
    pub(super) models: Table<usize, ModelEntity>,
    pub(super) links: Table<u32, LinkEntity>,
    pub(super) joints: Table<u32, JointEntity>,
    pub(super) collisions: Collisions,
    pub(super) actors: Vec<ScriptedActor>,
    /// Models of which plugins move links in the coming step.
    pub(super) led_models: Vec<usize>,
    /// Steps since the start or the last state reset: the clock of the actors.
    pub(super) steps: u64,
    pub(super) meshes: Meshes,
    pub(super) bonds: Bonds,
    /// Search path for spawned models.
    pub(super) search: SearchPath,
    pub(super) commands: Vec<WorldCommand>,
    /// Entities spawned and removed by command since the last [`World::take_changes`].
    pub(super) changes: EntityChanges,
    /// Velocities of the last step, if accelerations are wanted.
    pub(super) watch: Option<Watch>,
    /// Named poses.
    pub(super) poses: Vec<NamedPose>,
    /// Replaced with every change of the set of entities or of their infos.
    pub(super) entity_revision: Arc<()>,
    contact_buffer: Vec<Contact>,
}

impl World {
    /// Names topics of models that are spawned from now on in this style.
    pub fn set_names(&mut self, style: NameStyle) {
        self.names = style;
    }

    pub(super) fn new(name: String, surroundings: Surroundings, physics: Physics) -> Self {
        World {
            name,
            names: NameStyle::default(),
            surroundings,
            physics,
            beginning: None,
            sight: Sight::new(),
            models: Table::new(),
            links: Table::new(),
            joints: Table::new(),
            collisions: Collisions::default(),
            actors: Vec::new(),
            led_models: Vec::new(),
            steps: 0,
            meshes: Meshes::default(),
            bonds: Bonds::default(),
            search: SearchPath::default(),
            commands: Vec::new(),
            changes: EntityChanges::default(),
            watch: None,
            poses: Vec::new(),
            entity_revision: Arc::default(),
            contact_buffer: Vec::new(),
        }
    }

    /// Length of a step, seconds.
    #[must_use]
    pub fn step_width(&self) -> f64 {
        self.physics.settings().step
    }

    /// The top-level models in document order, then the actors, spawned ones last; by index.
    #[must_use]
    pub fn models(&self) -> &Table<usize, ModelEntity> {
        &self.models
    }

    /// Pose of a model frame, which its canonical link carries.
    #[must_use]
    pub fn model_pose(&self, model: usize) -> Option<Pose> {
        let (link, in_link) = self.models.get(model)?.canonical?;
        Some(self.link_state(link)?.pose * in_link)
    }

    /// The physics, for benchmarks that step it without the rest of the world.
    pub fn physics_mut(&mut self) -> &mut Physics {
        &mut self.physics
    }

    /// The models in the world, with their current states.
    pub fn entities(&self) -> impl Iterator<Item = EntityState<'_>> {
        self.models.iter().filter_map(|(index, model)| self.entity_of(index, model))
    }

    /// The current state of a model; `None` if it is not in the world.
    #[must_use]
    pub fn entity(&self, index: usize) -> Option<EntityState<'_>> {
        self.entity_of(index, self.models.get(index)?)
    }

    fn entity_of<'a>(&'a self, index: usize, model: &'a ModelEntity) -> Option<EntityState<'a>> {
        let (link, in_link) = model.canonical.filter(|_| model.is_present)?;
        let link = self.link_state(link)?;
        let arm = link.pose.rotation * in_link.position;
        Some(EntityState {
            id: index as u64 + 1,
            model,
            pose: link.pose * in_link,
            linear: link.linear + link.angular.cross(arm),
            angular: link.angular,
            bounds: model.bounds,
        })
    }

    /// Returns the handle of the link of that scoped name.
    #[must_use]
    pub fn find_link(&self, name: &str) -> Option<u32> {
        let stands = |link: &LinkEntity| self.models.get(link.model).is_some_and(|model| model.is_present);
        self.links.iter().find(|(_, link)| link.name == name && stands(link)).map(|(handle, _)| handle)
    }

    /// Returns the handle of the joint of that scoped name.
    #[must_use]
    pub fn find_joint(&self, name: &str) -> Option<u32> {
        let stands = |joint: &JointEntity| self.physics.joint_command(joint.physics).is_some();
        self.joints.iter().find(|(_, joint)| joint.name == name && stands(joint)).map(|(handle, _)| handle)
    }

    /// Returns true if a joint slides, so that its position is a length and not an angle.
    #[must_use]
    pub fn joint_slides(&self, joint: u32) -> bool {
        self.joints.get(joint).is_some_and(|joint| self.physics.joint_slides(joint.physics))
    }

    /// The scoped names of all joints.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.joints.values().map(|joint| joint.name.as_str())
    }

    /// Name in the world of a collision.
    #[must_use]
    pub fn collision_name(&self, collision: u32) -> Option<&str> {
        self.collisions.name(collision)
    }

    /// Passes each contact point of a collision in the last step to `take`. Returns `None` if there is no such
    /// collision.
    pub fn contacts(&mut self, collision: u32, mut take: impl FnMut(ContactPoint)) -> Option<()> {
        let id = self.collisions.physics(collision)?;
        if !self.physics.contacts_of(id, &mut self.contact_buffer) {
            return None;
        }
        for contact in &self.contact_buffer {
            let [first, second] = contact.collisions;
            let (other, sign) = if first == id { (second, -1.0) } else { (first, 1.0) };
            let Some(other) = self.collisions.handle(other) else { continue };
            take(ContactPoint {
                other,
                position: contact.point,
                normal: contact.normal * sign,
                depth: contact.depth.max(0.0),
                force: contact.force_on_first() * -sign,
            });
        }
        Some(())
    }

    /// Computes the wrench of a joint from the next step on. Returns true if the joint exists.
    pub fn watch_joint(&mut self, joint: u32) -> bool {
        let Some(joint) = self.joints.get(joint) else { return false };
        self.physics.watch_joint(joint.physics).is_ok()
    }

    /// The wrench of a watched joint in the last step: force and torque of the parent on the child, world frame,
    /// newtons and newton metres about the joint's origin.
    #[must_use]
    pub fn joint_wrench(&self, joint: u32) -> Option<(DVec3, DVec3)> {
        self.physics.joint_wrench(self.joints.get(joint)?.physics)
    }

    /// Motion of a link.
    #[must_use]
    #[inline]
    pub fn link_state(&self, link: u32) -> Option<LinkState> {
        let (pose, linear, angular) = self.physics.link_motion(self.links.get(link)?.physics)?;
        Some(LinkState { pose, linear, angular })
    }

    /// Motion of a joint.
    #[must_use]
    pub fn joint_state(&self, joint: u32) -> Option<JointState> {
        let joint = self.joints.get(joint)?.physics;
        self.physics.joint_command(joint)?;
        Some(JointState {
            position: self.physics.joint_position(joint).unwrap_or(f64::NAN),
            velocity: self.physics.joint_velocity(joint).unwrap_or(f64::NAN),
            effort: self.physics.joint_effort(joint).unwrap_or(f64::NAN),
        })
    }

    /// Returns a hash of all poses and velocities.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.physics.state_hash()
    }

    /// Returns the index of the entity of that name, if it is in the world.
    #[must_use]
    pub fn find_entity(&self, name: &str) -> Option<usize> {
        self.models.iter().find(|(_, model)| model.is_present && model.name == name).map(|(index, _)| index)
    }
}
