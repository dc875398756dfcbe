//! The physics world: the tables of models, links, joints and collisions, stepping, and reading the state.
//!
//! Adding models is in `add`, commands are in `motor`, teleports in `teleport`. Runs on the simulation thread.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bridgehead_dynamics::World;
use bridgehead_pose::{DVec3, Pose};
use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::{CollisionId, JointId, LinkId, ModelId};
use super::joint::Joint;
use super::kinematic::KinematicTarget;
use super::link::Link;
use super::reaction::Watch;
use super::settings::Settings;
use super::velocity::Velocities;
use crate::table::Table;

/// The ids of an added model, in the order of its specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedModel {
    /// The model.
    pub model: ModelId,
    /// One per link.
    pub links: Vec<LinkId>,
    /// One per joint, for its first axis if it has two; empty for a static model.
    pub joints: Vec<JointId>,
    /// One per joint: its second axis, if that has its own position.
    pub second_axes: Vec<Option<JointId>>,
    /// The collisions of each link.
    pub collisions: Vec<Vec<CollisionId>>,
}

/// A model in the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) name: String,
    pub(super) links: Vec<LinkId>,
    pub(super) joints: Vec<JointId>,
    pub(super) collisions: Vec<CollisionId>,
    /// What is placed to place the model: single bodies, and the roots of its trees.
    pub(super) roots: Vec<Root>,
}

/// A single body, or a tree with its root.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Root {
    pub(super) body: usize,
    pub(super) tree: Option<usize>,
    /// The pose of the body when the model was added.
    pub(super) initial: Pose,
    /// True if it represents the world in the joints of the model.
    pub(super) is_anchor: bool,
    /// True if it can have a velocity.
    pub(super) moves: bool,
}

/// A collision in the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Collision {
    pub(super) link: LinkId,
    /// One for each convex part.
    pub(super) colliders: Vec<usize>,
    /// The first direction of friction in the frame of a body, for friction that depends on the direction only later.
    pub(super) first: Option<(usize, DVec3)>,
}

/// An external force on a link, in the world.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Push {
    pub(super) link: LinkId,
    pub(super) force: DVec3,
    pub(super) torque: DVec3,
    /// The point of application; `None` is the centre of mass of the link.
    pub(super) point: Option<DVec3>,
}

/// A world of rigid bodies. Copies and bytes of it are valid between steps only; they continue bit by bit like the
/// original.
#[derive(Clone, Serialize, Deserialize)]
pub struct Physics {
    pub(super) world: World,
    pub(super) settings: Settings,
    pub(super) models: Table<ModelId, Model>,
    pub(super) links: Table<LinkId, Link>,
    pub(super) joints: Table<JointId, Joint>,
    pub(super) collisions: Table<CollisionId, Collision>,
    /// Counts changes of the joint graph.
    pub(super) topology: u64,
    /// Joints whose wrench is computed.
    pub(super) watches: Vec<Watch>,
    /// External forces, until the end of the step.
    pub(super) pushes: Vec<Push>,
    /// Targets of kinematic bodies, until the end of the step.
    pub(super) kinematic_targets: Vec<KinematicTarget>,
    /// Velocities before and after the last step, if they are kept.
    #[serde(skip)]
    pub(super) velocities: Option<Velocities>,
    /// The message of a panic in a step, after which the state is invalid.
    #[serde(skip)]
    failure: Option<String>,
}

impl std::fmt::Debug for Physics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Physics")
            .field("settings", &self.settings)
            .field("models", &self.models)
            .finish_non_exhaustive()
    }
}

impl Physics {
    /// Creates an empty world.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub fn new(settings: Settings) -> Result<Self, PhysicsError> {
        settings.check()?;
        Ok(Self {
            world: World::new(settings.of_world()),
            settings,
            models: Table::new(),
            links: Table::new(),
            joints: Table::new(),
            collisions: Table::new(),
            topology: 0,
            watches: Vec::new(),
            pushes: Vec::new(),
            kinematic_targets: Vec::new(),
            velocities: None,
            failure: None,
        })
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The dynamics, for benchmarks that step them directly: nothing of this type is updated then.
    pub fn dynamics_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Restores the state that `beginning` was cloned from. Ids issued since then are invalid, and are not
    /// issued again.
    pub fn return_to(&mut self, beginning: &Physics) {
        let ended = std::mem::replace(self, beginning.clone());
        self.velocities = None;
        self.models.skip_ids_of(&ended.models);
        self.links.skip_ids_of(&ended.links);
        self.joints.skip_ids_of(&ended.joints);
        self.collisions.skip_ids_of(&ended.collisions);
    }

    /// Advances by one step of the settings.
    ///
    /// # Errors
    /// Returns an error if the state of a link is not finite, or if a step panicked, now or earlier.
    pub fn step(&mut self) -> Result<(), PhysicsError> {
        if self.failure.is_none() {
            self.failure =
                catch_unwind(AssertUnwindSafe(|| self.advance())).err().map(|panic| text_of(&*panic));
        }
        if let Some(reason) = &self.failure {
            return Err(PhysicsError::EngineFailed { reason: reason.clone() });
        }
        if self.record_and_check() { Ok(()) } else { self.check_finite() }
    }

    fn advance(&mut self) {
        self.begin_watching();
        for substep in 1..=self.settings.substeps {
            self.lead_kinematic_bodies(substep);
            self.apply_pushes();
            self.approach_offsets();
            self.world.step();
            self.watch_contacts();
        }
        self.end_watching();
        self.pushes.clear();
        self.kinematic_targets.clear();
    }

    /// Adds a force in newtons at a point of the world, for the next step; wakes the link.
    ///
    /// # Errors
    /// Returns an error if the link was removed.
    pub fn push_link(&mut self, id: LinkId, force: DVec3, point: DVec3) -> Result<(), PhysicsError> {
        self.push(Push { link: id, force, torque: DVec3::ZERO, point: Some(point) })
    }

    /// Adds a force in newtons and a torque in newton metres at the centre of mass, both in the world, for the next
    /// step; wakes the link.
    ///
    /// # Errors
    /// Returns an error if the link was removed.
    pub fn apply_wrench(&mut self, id: LinkId, force: DVec3, torque: DVec3) -> Result<(), PhysicsError> {
        self.push(Push { link: id, force, torque, point: None })
    }

    fn push(&mut self, push: Push) -> Result<(), PhysicsError> {
        let body = self.link(push.link).ok_or(PhysicsError::NoSuchLink(push.link))?.body;
        self.world.wake(body);
        self.pushes.push(push);
        Ok(())
    }

    fn apply_pushes(&mut self) {
        for push in &self.pushes {
            let Some(link) = self.links.get(push.link) else { continue };
            let pose = self.world.pose(link.body);
            let point = push.point.unwrap_or_else(|| pose.transform_point(link.center_in_body()));
            let torque = push.torque + (point - pose.translation).cross(push.force);
            self.world.push(link.body, push.force, torque);
        }
    }

    /// The pose of the link frame in the world.
    pub fn link_pose(&self, id: LinkId) -> Option<Pose> {
        Some(self.link(id)?.pose(&self.world))
    }

    /// The velocities of a link in the world: of the origin of its frame, m/s, and angular, rad/s.
    pub fn link_velocity(&self, id: LinkId) -> Option<(DVec3, DVec3)> {
        let [linear, angular] = self.link(id)?.velocity(&self.world);
        Some((linear, angular))
    }

    /// Returns pose and velocities of a link with one look-up: [`Self::link_pose`] and
    /// [`Self::link_velocity`].
    pub fn link_motion(&self, id: LinkId) -> Option<(Pose, DVec3, DVec3)> {
        let link = self.link(id)?;
        let [linear, angular] = link.velocity(&self.world);
        Some((link.pose(&self.world), linear, angular))
    }

    /// Returns the position of a joint, radians (full turns counted) or metres; `None` if it has no single
    /// position.
    pub fn joint_position(&self, id: JointId) -> Option<f64> {
        let joint = self.joint(id).filter(|joint| joint.spec.kind.has_position())?;
        Some(joint.axis().map_or(0.0, |axis| self.world.axis_position(axis)))
    }

    /// Returns the velocity of a joint, rad/s or m/s; `None` if it has no single position.
    pub fn joint_velocity(&self, id: JointId) -> Option<f64> {
        let joint = self.joint(id).filter(|joint| joint.spec.kind.has_position())?;
        Some(joint.axis().map_or(0.0, |axis| self.world.axis_velocity(axis)))
    }

    /// The link that a collision belongs to.
    pub fn link_of(&self, id: CollisionId) -> Option<LinkId> {
        self.collisions.get(id).map(|collision| collision.link)
    }

    /// The model that a link belongs to.
    pub fn model_of(&self, id: LinkId) -> Option<ModelId> {
        self.link(id).map(|link| link.model)
    }

    /// Returns whether a link sleeps, that is, is not simulated until it is touched or commanded.
    pub fn is_sleeping(&self, id: LinkId) -> Option<bool> {
        self.link(id).map(|link| self.world.is_asleep(link.body))
    }

    /// Wakes every link of a model and the bodies it rests on.
    ///
    /// # Errors
    /// Returns an error if the model was removed.
    pub fn wake_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for body in self.bodies_of(id)? {
            self.world.wake(body);
        }
        Ok(())
    }

    /// Checks that every pose and velocity is finite.
    ///
    /// # Errors
    /// Returns an error that names the first link for which it is not.
    pub fn check_finite(&self) -> Result<(), PhysicsError> {
        let Some(body) = self.world.lost() else { return Ok(()) };
        let Some(link) = self.links.values().find(|link| link.body == body) else { return Ok(()) };
        Err(PhysicsError::Diverged { model: self.model_name(link.model).to_owned(), link: link.name.clone() })
    }

    /// Updates the contacts after poses were set, without advancing time.
    pub fn refresh(&mut self) {
        self.world.collide();
    }

    pub(super) fn model(&self, id: ModelId) -> Option<&Model> {
        self.models.get(id)
    }

    pub(super) fn model_name(&self, id: ModelId) -> &str {
        self.model(id).map_or("", |model| &model.name)
    }

    pub(super) fn link(&self, id: LinkId) -> Option<&Link> {
        self.links.get(id)
    }

    pub(super) fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(id)
    }

    /// The bodies of the links of a model.
    pub(super) fn bodies_of(&self, id: ModelId) -> Result<Vec<usize>, PhysicsError> {
        let model = self.model(id).ok_or(PhysicsError::NoSuchModel(id))?;
        let mut bodies: Vec<usize> =
            model.links.iter().filter_map(|&link| self.link(link)).map(|link| link.body).collect();
        bodies.sort_unstable();
        bodies.dedup();
        Ok(bodies)
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
