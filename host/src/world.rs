//! The world of a run: its entities by name, physics, and what sensors see.
//!
//! It is built once from a resolved SDF world and lives on the simulation thread. Plugins reach it through
//! `api`; what they command is queued here and applied before the next physics step, in the order of the
//! plugins, so that the result does not depend on threads.

mod actor;
mod attachment;
mod auto_inertia;
mod bounds;
mod build;
mod command;
mod convert;
mod convex_cache;
mod edit;
pub mod entities;
mod entity;
mod joint;
mod joint_facts;
mod listing;
mod markers;
pub mod names;
mod populate;
pub mod save;
mod slot;
mod snapshot;
mod solid;
mod surroundings;

use std::num::NonZeroUsize;
use std::sync::Arc;

pub(crate) use actor::model_of as actor_model;
pub use attachment::{Attachment, CollisionFacts, JointFacts, LinkFacts};
pub use build::{BuildError, Built, build};
pub use command::{CommandError, WorldCommand};
pub use edit::Spawn;
pub use entity::{EntityState, ModelEntity};
pub use listing::{Asked, period_ns};
pub use markers::SceneMarkers;
pub(crate) use markers::of_model as markers_of;
pub use slot::{PluginSlot, SlotKind};
pub use snapshot::RestoreError;
pub use surroundings::Surroundings;

use bridgehead_physics::rays::{Hit, Query, Ray, RayScene};
use bridgehead_physics::table::Table;
use bridgehead_physics::{Contact, JointCommand, Physics, PhysicsError};
use bridgehead_sdf::SearchPath;
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

/// Motion of a joint; NaN where a value is not known.
#[derive(Clone, Copy, Debug)]
pub struct JointState {
    /// Radians or metres.
    pub position: f64,
    /// rad/s or m/s.
    pub velocity: f64,
    /// N·m or N; of a joint with a velocity or position command known only while its wrench is watched.
    pub effort: f64,
}

/// Where a collision was touched.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The other collision.
    pub other: u32,
    /// World frame, metres.
    pub position: DVec3,
    /// From the other collision towards the one that was asked about, world frame.
    pub normal: DVec3,
    /// How deep the two overlap, metres.
    pub depth: f64,
    /// Force of the other on the one that was asked about, world frame, newtons.
    pub force: DVec3,
}

/// Rays seen from one frame.
pub struct RayQuery<'a> {
    /// Frame of directions and origins, in the world.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [[f64; 3]],
    /// Origins in that frame; `None` for its origin.
    pub origins: Option<&'a [[f64; 3]]>,
    /// Nearest and farthest distance that counts, metres.
    pub range: [f64; 2],
    /// Link whose own shapes are not seen.
    pub ignore: Option<u32>,
}

/// The world.
pub struct World {
    /// Name of the world.
    pub name: String,
    /// Where it stands and what fills it.
    pub surroundings: Surroundings,
    physics: Physics,
    /// Physics as it was before the first step.
    beginning: Option<Box<Physics>>,
    rays: RayScene,
    models: Table<usize, ModelEntity>,
    links: Table<u32, LinkEntity>,
    joints: Table<u32, JointEntity>,
    collisions: Collisions,
    actors: Vec<actor::Led>,
    /// Steps since the world began or its state was reset: the clock of the actors.
    steps: u64,
    meshes: solid::Meshes,
    bonds: Vec<Bond>,
    /// Number of the newest bond.
    last_bond: u64,
    /// Where spawned models find what they include.
    search: SearchPath,
    commands: Vec<WorldCommand>,
    /// What came and went since somebody looked.
    news: entities::News,
    /// Whether somebody wants accelerations.
    watch: Option<entities::Watch>,
    /// Poses that have a name.
    poses: Vec<entities::NamedPose>,
    /// Another one with every change of who is there.
    roster: Arc<()>,
    /// Whether the ray scene stands where the links stand.
    rays_are_fresh: bool,
    ray_buffer: Vec<Ray>,
    hit_buffer: Vec<Hit>,
    contact_buffer: Vec<Contact>,
    ray_threads: NonZeroUsize,
}

impl World {
    fn new(name: String, surroundings: Surroundings, physics: Physics) -> Self {
        World {
            name,
            surroundings,
            physics,
            beginning: None,
            rays: RayScene::new(),
            models: Table::new(),
            links: Table::new(),
            joints: Table::new(),
            collisions: Collisions::default(),
            actors: Vec::new(),
            steps: 0,
            meshes: solid::Meshes::default(),
            bonds: Vec::new(),
            last_bond: 0,
            search: SearchPath::default(),
            commands: Vec::new(),
            news: entities::News::default(),
            watch: None,
            poses: Vec::new(),
            roster: Arc::default(),
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

    /// Where a model frame stands: carried by the canonical link.
    #[must_use]
    pub fn model_pose(&self, model: usize) -> Option<Pose> {
        let (link, in_link) = self.models.get(model)?.canonical?;
        Some(self.link_state(link)?.pose * in_link)
    }

    /// The physics underneath, for benchmarks that step it without the rest of the world.
    pub fn physics_mut(&mut self) -> &mut Physics {
        &mut self.physics
    }

    /// Counts a model as a vehicle: a plugin was attached to it from outside of the world file.
    pub fn make_vehicle(&mut self, model: usize) {
        if let Some(model) = self.models.get_mut(model) {
            model.is_vehicle = true;
        }
    }

    /// The models that stand in the world, as they stand.
    pub fn entities(&self) -> impl Iterator<Item = EntityState<'_>> {
        self.models.iter().filter_map(|(index, model)| self.entity_of(index, model))
    }

    /// One model as it stands; `None` where it does not.
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

    /// Handle of the link of that scoped name.
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

    /// Shows `take` what touched a collision during the last step; `None` where there is no such collision.
    pub fn contacts(&mut self, collision: u32, mut take: impl FnMut(Touch)) -> Option<()> {
        let id = self.collisions.physics(collision)?;
        if !self.physics.contacts_of(id, &mut self.contact_buffer) {
            return None;
        }
        for contact in &self.contact_buffer {
            let [first, second] = contact.collisions;
            let (other, sign) = if first == id { (second, -1.0) } else { (first, 1.0) };
            let Some(other) = self.collisions.handle(other) else { continue };
            take(Touch {
                other,
                position: contact.point,
                normal: contact.normal * sign,
                depth: contact.depth.max(0.0),
                force: contact.force_on_first() * -sign,
            });
        }
        Some(())
    }

    /// Asks that the wrench of a joint be computed from the next step on; whether there is such a joint.
    pub fn watch_joint(&mut self, joint: u32) -> bool {
        let Some(joint) = self.joints.get(joint) else { return false };
        self.physics.watch_joint(joint.physics).is_ok()
    }

    /// What a watched joint transmitted during the last step: force and torque of the parent on the child, world
    /// frame, newtons and newton metres about the joint's origin.
    #[must_use]
    pub fn joint_wrench(&self, joint: u32) -> Option<(DVec3, DVec3)> {
        self.physics.joint_wrench(self.joints.get(joint)?.physics)
    }

    /// Motion of a link.
    #[must_use]
    pub fn link_state(&self, link: u32) -> Option<LinkState> {
        let (pose, linear, angular) = self.physics.link_motion(self.links.get(link)?.physics)?;
        Some(LinkState { pose, linear, angular })
    }

    /// Motion of a joint.
    #[must_use]
    pub fn joint_state(&self, joint: u32) -> Option<JointState> {
        let joint = self.joints.get(joint)?.physics;
        Some(JointState {
            position: self.physics.joint_position(joint).unwrap_or(f64::NAN),
            velocity: self.physics.joint_velocity(joint).unwrap_or(f64::NAN),
            effort: match self.physics.joint_command(joint)? {
                JointCommand::Passive => 0.0,
                JointCommand::Effort(effort) => effort,
                JointCommand::Velocity { .. } | JointCommand::Position { .. } => {
                    self.physics.joint_effort(joint).unwrap_or(f64::NAN)
                }
            },
        })
    }

    /// Casts rays and shows each hit to `take`, in order.
    pub fn cast_rays(&mut self, query: &RayQuery<'_>, mut take: impl FnMut(usize, &Hit)) {
        self.freshen_rays();
        self.ray_buffer.clear();
        self.ray_buffer.extend(query.directions.iter().enumerate().map(|(index, direction)| Ray {
            origin: match query.origins.and_then(|origins| origins.get(index)) {
                Some(origin) => query.frame.transform_point(DVec3::from_array(*origin)),
                None => query.frame.position,
            },
            direction: query.frame.rotation * DVec3::from_array(*direction),
        }));
        self.hit_buffer.resize(self.ray_buffer.len(), Hit::NONE);
        let ignore = query.ignore.and_then(|link| Some(self.links.get(link)?.frame));
        let [from, to] = query.range;
        let settings = Query { from, to, ignore, normals: true, ..Query::up_to(to) };
        self.rays.caster().cast_batch(&self.ray_buffer, &settings, &mut self.hit_buffer, self.ray_threads);
        self.hit_buffer.iter().enumerate().for_each(|(index, hit)| take(index, hit));
    }

    /// Moves the ray scene to where the links are; only when somebody casts.
    fn freshen_rays(&mut self) {
        if self.rays_are_fresh {
            return;
        }
        for link in self.links.values().filter(|link| link.moves) {
            if let Some(pose) = self.physics.link_pose(link.physics) {
                self.rays.set_pose(link.frame, pose);
            }
        }
        self.rays_are_fresh = true;
    }

    /// Applies what was commanded, and advances physics by one step.
    ///
    /// # Errors
    /// Where a state is not finite any more, with the entity's name, or the engine failed.
    pub fn step(&mut self) -> Result<(), PhysicsError> {
        self.keep_motion();
        self.apply_commands();
        self.rays_are_fresh = false;
        self.lead_actors()?;
        self.steps += 1;
        self.physics.step()
    }

    /// Places a model: physics, contacts and rays agree when this returns.
    ///
    /// # Errors
    /// Where physics refuses the pose.
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

    /// Puts every model back to where it was loaded or spawned, at rest and without commands or bonds; actors begin
    /// their scripts again.
    ///
    /// # Errors
    /// Where physics refuses.
    pub fn reset_state(&mut self) -> Result<(), PhysicsError> {
        self.commands.clear();
        self.untie_where(|_| true)?;
        for model in self.models.values().filter_map(|model| model.physics) {
            self.physics.reset_model(model)?;
        }
        self.steps = 0;
        self.forget_motion(None);
        self.physics.refresh();
        self.rays_are_fresh = false;
        Ok(())
    }

    /// A hash of all poses and velocities.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.physics.state_hash()
    }
}

#[cfg(test)]
mod tests;
