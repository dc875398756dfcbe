//! The world of a run: its entities by name, physics, and what sensors see.
//!
//! It is built once from a resolved SDF world and belongs to the simulation thread. Plugins access it through `api`.
//! Their commands are queued here and applied before the next physics step, in the order of the plugins, so that the
//! result does not depend on threads.

mod actor;
mod attachment;
mod auto_inertia;
mod bounds;
mod build;
mod command;
mod convert;
mod convex_cache;
mod drawn_shapes;
mod dynamics;
mod edit;
mod enclosed;
pub mod entities;
mod entity;
mod joint;
mod joint_facts;
mod link_poses;
mod listing;
mod markers;
mod moved_link;
pub mod names;
mod plausible;
mod populate;
mod rigid;
pub mod save;
mod sight;
mod slot;
mod snapshot;
mod solid;
mod surroundings;

use std::num::NonZeroUsize;
use std::sync::Arc;

pub use actor::model_of as actor_model;
pub use attachment::{Attachment, CollisionFacts, JointFacts, LinkFacts};
pub use build::{BuildError, BuildOptions, Built, build, build_within};
pub use command::{CommandError, WorldCommand};
pub use dynamics::BodyFacts;
pub use edit::Spawn;
pub use enclosed::{Level, Part as VolumePart};
pub use entity::{EntityState, ModelEntity};
pub use listing::{ModelSlots, OPTICAL_FRAME, period_ns};
pub use markers::SceneMarkers;
pub use markers::of_model as markers_of;
pub use sight::RayQuery;
pub use slot::{PluginSlot, RAYS, SlotKind, VISUALS};

/// Returns a budget of reading whose time begins now.
#[must_use]
pub fn reading_budget() -> Budget {
    let begin = clock::now();
    Budget::default().timed(move || begin.elapsed())
}
pub use snapshot::{RestoreError, Snapshot};
pub use surroundings::Surroundings;

use bridgehead_physics::rays::{Hit, Ray, RayScene};
use bridgehead_physics::table::Table;
use bridgehead_physics::{Contact, Physics, PhysicsError};
use bridgehead_sdf::{Budget, SearchPath};

use bridgehead_runtime::clock;
use bridgehead_sdf::pose::{DVec3, Pose};
use edit::Bond;
use entity::{Collisions, JointEntity, LinkEntity};

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
    names: names::NameStyle,
    /// Gravity, field, atmosphere and place on Earth.
    pub surroundings: Surroundings,
    physics: Physics,
    /// Physics before the first step.
    beginning: Option<Box<Physics>>,
    rays: RayScene,
    drawn: drawn_shapes::DrawnShapes,
    models: Table<usize, ModelEntity>,
    links: Table<u32, LinkEntity>,
    joints: Table<u32, JointEntity>,
    collisions: Collisions,
    actors: Vec<actor::ScriptedActor>,
    /// Models of which plugins move links in the coming step.
    led_models: Vec<usize>,
    /// Steps since the start or the last state reset: the clock of the actors.
    steps: u64,
    meshes: solid::Meshes,
    bonds: Vec<Bond>,
    /// Number of the newest bond.
    last_bond: u64,
    /// Search path for spawned models.
    search: SearchPath,
    commands: Vec<WorldCommand>,
    /// Entities spawned and removed by command since the last [`World::take_changes`].
    changes: entities::EntityChanges,
    /// Velocities of the last step, if accelerations are wanted.
    watch: Option<entities::Watch>,
    /// Named poses.
    poses: Vec<entities::NamedPose>,
    /// Replaced with every change of the set of entities or of their infos.
    entity_revision: Arc<()>,
    /// True if the ray scene has the current poses of the links.
    rays_are_fresh: bool,
    ray_buffer: Vec<Ray>,
    hit_buffer: Vec<Hit>,
    contact_buffer: Vec<Contact>,
    ray_threads: NonZeroUsize,
}

impl World {
    /// Names topics of models that are spawned from now on in this style.
    pub fn set_names(&mut self, style: names::NameStyle) {
        self.names = style;
    }

    fn new(name: String, surroundings: Surroundings, physics: Physics) -> Self {
        World {
            name,
            names: names::NameStyle::default(),
            surroundings,
            physics,
            beginning: None,
            rays: RayScene::new(),
            drawn: drawn_shapes::DrawnShapes::default(),
            models: Table::new(),
            links: Table::new(),
            joints: Table::new(),
            collisions: Collisions::default(),
            actors: Vec::new(),
            led_models: Vec::new(),
            steps: 0,
            meshes: solid::Meshes::default(),
            bonds: Vec::new(),
            last_bond: 0,
            search: SearchPath::default(),
            commands: Vec::new(),
            changes: entities::EntityChanges::default(),
            watch: None,
            poses: Vec::new(),
            entity_revision: Arc::default(),
            rays_are_fresh: false,
            ray_buffer: Vec::new(),
            hit_buffer: Vec::new(),
            contact_buffer: Vec::new(),
            ray_threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
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

    /// Applies the queued commands, and advances physics by one step.
    ///
    /// # Errors
    /// Returns an error if a state became non-finite, with the entity's name, or if the engine failed.
    pub fn step(&mut self) -> Result<(), PhysicsError> {
        self.keep_motion();
        self.apply_commands();
        self.rays_are_fresh = false;
        self.move_actors()?;
        self.led_models.clear();
        self.steps += 1;
        self.physics.step()
    }

    /// Places a model. Physics, contacts and rays are consistent when this returns.
    ///
    /// # Errors
    /// Returns an error if physics rejects the pose.
    pub fn place_model(&mut self, model: usize, pose: Pose) -> Result<(), PhysicsError> {
        let Some((link, in_link)) = self.models.get(model).and_then(|model| model.canonical) else {
            return Ok(());
        };
        let Some(link) = self.links.get(link) else { return Ok(()) };
        self.physics.set_link_pose(link.physics, pose * in_link.inverse())?;
        self.physics.refresh();
        self.rays_are_fresh = false;
        Ok(())
    }

    /// Moves every model to its initial pose, at rest and without commands or bonds. Actors restart their scripts.
    ///
    /// # Errors
    /// Returns an error if physics fails.
    pub fn reset_state(&mut self) -> Result<(), PhysicsError> {
        self.commands.clear();
        self.detach_where(|_| true)?;
        self.physics.reset_models(self.models.values().filter_map(|model| model.physics))?;
        self.steps = 0;
        self.forget_motion(None);
        self.physics.refresh();
        self.rays_are_fresh = false;
        Ok(())
    }

    /// Returns a hash of all poses and velocities.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.physics.state_hash()
    }
}

#[cfg(test)]
mod tests;
