//! The physics world: the tables of models, links, joints and collisions, stepping, and reading the state.
//!
//! Adding models is in `add`, commands are in `motor`, teleports in `teleport`. Runs on the simulation thread.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBody, RigidBodyBuilder, RigidBodyHandle};
use rapier3d_f64::geometry::ColliderHandle;
use rapier3d_f64::pipeline::PhysicsWorld;

use serde::{Deserialize, Serialize};

use super::body::{Link, from_rapier};
use super::directional::Directional;
use super::error::PhysicsError;
use super::filter::Filter;
use super::id::{CollisionId, JointId, LinkId, ModelId};
use super::joint::Joint;
use super::kinematic::KinematicTarget;
use super::overlap::Overlaps;
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
    /// Fixed bodies that represent the world in its joints.
    pub(super) anchors: Vec<RigidBodyHandle>,
}

/// An external force on a body, in the world.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Push {
    pub(super) body: RigidBodyHandle,
    pub(super) force: DVec3,
    pub(super) torque: DVec3,
    /// The point of application; `None` is the centre of mass.
    pub(super) point: Option<DVec3>,
}

/// A world of rigid bodies.
pub struct Physics {
    pub(super) rapier: PhysicsWorld,
    pub(super) settings: Settings,
    pub(super) models: Table<ModelId, Model>,
    pub(super) links: Table<LinkId, Link>,
    pub(super) joints: Table<JointId, Joint>,
    /// The link of each collision, with its collider.
    pub(super) collisions: Table<CollisionId, (LinkId, ColliderHandle)>,
    /// Counts changes of the joint graph.
    pub(super) topology: u64,
    /// Joints whose wrench is computed.
    pub(super) watches: Vec<Watch>,
    /// External forces, until the end of the step.
    pub(super) pushes: Vec<Push>,
    /// Bodies with a force, until the end of the substep.
    pub(super) pushed: Vec<RigidBodyHandle>,
    /// Targets of kinematic bodies, until the end of the step.
    pub(super) kinematic_targets: Vec<KinematicTarget>,
    /// Pairs of bodies that do not touch because they share a joint that the engine does not know as one.
    /// Both the pairs and the bodies within a pair are sorted.
    pub(super) apart: Vec<[RigidBodyHandle; 2]>,
    /// Pairs of collisions that may overlap.
    pub(super) overlaps: Overlaps,
    /// Friction that rapier does not know.
    pub(super) directional: Directional,
    /// Velocities before and after the last step, if they are kept.
    pub(super) velocities: Option<Velocities>,
    /// The first link whose state became non-finite.
    pub(super) lost: Option<LinkId>,
    /// True if a model was added or removed since the last step.
    pub(super) has_unstepped: bool,
    /// Steps since the last look for bodies that rest.
    pub(super) steps_since_look: u32,
    /// The message of a panic of the engine, after which its state is invalid.
    pub(super) failure: Option<String>,
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
        let rapier = PhysicsWorld {
            gravity: settings.gravity,
            integration_parameters: settings.parameters(),
            ..PhysicsWorld::default()
        };
        Ok(Self {
            rapier,
            settings,
            models: Table::new(),
            links: Table::new(),
            joints: Table::new(),
            collisions: Table::new(),
            topology: 0,
            watches: Vec::new(),
            pushes: Vec::new(),
            pushed: Vec::new(),
            kinematic_targets: Vec::new(),
            apart: Vec::new(),
            overlaps: Overlaps::default(),
            directional: Directional::default(),
            velocities: None,
            lost: None,
            has_unstepped: false,
            steps_since_look: 0,
            failure: None,
        })
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The engine, for benchmarks that step it directly: efforts, external forces and joint positions are not
    /// updated then.
    pub fn engine_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.rapier
    }

    /// Advances by one step of the settings.
    ///
    /// # Errors
    /// Returns an error if the state of a link is not finite, or if the engine panicked, now or earlier.
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
        self.keep_moving_awake();
        for substep in 1..=self.settings.substeps {
            self.move_kinematic_bodies(substep);
            self.apply_pushes();
            self.apply_efforts();
            self.approach_offsets();
            self.update_servos();
            self.step_engine();
            self.clear_forces();
            self.update_multibody_velocities();
            self.limit_joint_speeds();
            self.update_directional_friction();
            self.watch_contacts();
            self.record_lost();
        }
        self.end_watching();
        self.has_unstepped = false;
        self.pushes.clear();
        self.kinematic_targets.clear();
        self.follow_joints();
    }

    fn step_engine(&mut self) {
        let filter = Filter { apart: &self.apart, overlaps: self.overlaps.in_step() };
        self.rapier.step_with_events(&filter, &());
        if !filter.overlaps.is_idle() {
            let found = filter.overlaps.into_found();
            self.overlaps.reduce(found, self.settings.overlap_speed * self.settings.substep());
        }
    }

    /// Adds a force in newtons at a point of the world, for the next step; wakes the link.
    ///
    /// # Errors
    /// Returns an error if the link was removed.
    pub fn push_link(&mut self, id: LinkId, force: DVec3, point: DVec3) -> Result<(), PhysicsError> {
        self.push(id, force, DVec3::ZERO, Some(point))
    }

    /// Adds a force in newtons and a torque in newton metres at the centre of mass, both in the world, for the next
    /// step; wakes the link.
    ///
    /// # Errors
    /// Returns an error if the link was removed.
    pub fn apply_wrench(&mut self, id: LinkId, force: DVec3, torque: DVec3) -> Result<(), PhysicsError> {
        self.push(id, force, torque, None)
    }

    fn push(
        &mut self,
        id: LinkId,
        force: DVec3,
        torque: DVec3,
        point: Option<DVec3>,
    ) -> Result<(), PhysicsError> {
        let body = self.link(id).ok_or(PhysicsError::NoSuchLink(id))?.body;
        self.rapier.wake_up(body, true);
        self.pushes.push(Push { body, force, torque, point });
        Ok(())
    }

    /// The pose of the link frame in the world.
    pub fn link_pose(&self, id: LinkId) -> Option<Pose> {
        Some(self.link(id)?.pose(self.body(id)?))
    }

    /// The velocities of a link in the world: of the origin of its frame, m/s, and angular, rad/s.
    pub fn link_velocity(&self, id: LinkId) -> Option<(DVec3, DVec3)> {
        let link = self.link(id)?;
        let body = self.rapier.bodies.get(link.body)?;
        Some((link.origin_velocity(body), body.angvel()))
    }

    /// Returns pose and velocities of a link with one look-up: [`Self::link_pose`] and
    /// [`Self::link_velocity`].
    pub fn link_motion(&self, id: LinkId) -> Option<(Pose, DVec3, DVec3)> {
        let link = self.link(id)?;
        let body = self.rapier.bodies.get(link.body)?;
        Some((link.pose(body), link.origin_velocity(body), body.angvel()))
    }

    /// Returns the position of a joint, radians (full turns counted) or metres; `None` if it has no single
    /// position.
    pub fn joint_position(&self, id: JointId) -> Option<f64> {
        self.joint(id).filter(|joint| joint.spec.kind.has_position()).map(|joint| joint.position)
    }

    /// Returns the velocity of a joint, rad/s or m/s; `None` if it has no single position.
    pub fn joint_velocity(&self, id: JointId) -> Option<f64> {
        self.joint(id)?.velocity(&self.rapier.bodies)
    }

    /// The link that a collision belongs to.
    pub fn link_of(&self, id: CollisionId) -> Option<LinkId> {
        self.collisions.get(id).map(|(link, _)| *link)
    }

    pub(super) fn collider(&self, id: CollisionId) -> Option<ColliderHandle> {
        self.collisions.get(id).map(|(_, collider)| *collider)
    }

    /// The model that a link belongs to.
    pub fn model_of(&self, id: LinkId) -> Option<ModelId> {
        self.link(id).map(|link| link.model)
    }

    /// Returns whether a link sleeps, that is, is not simulated until it is touched or commanded.
    pub fn is_sleeping(&self, id: LinkId) -> Option<bool> {
        self.body(id).map(RigidBody::is_sleeping)
    }

    /// Wakes every link of a model and the bodies it rests on.
    ///
    /// # Errors
    /// Returns an error if the model was removed.
    pub fn wake_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for body in self.bodies_of(id)? {
            self.rapier.wake_up(body, true);
        }
        Ok(())
    }

    /// Checks that every pose and velocity is finite.
    ///
    /// # Errors
    /// Returns an error that names the first link for which it is not.
    pub fn check_finite(&self) -> Result<(), PhysicsError> {
        let mut links = self.links.iter();
        let lost = self.lost.or_else(|| links.find(|(_, link)| !self.is_finite(link)).map(|(id, _)| id));
        let Some(id) = lost else { return Ok(()) };
        let Some(link) = self.link(id) else { return Ok(()) };
        Err(PhysicsError::Diverged { model: self.model_name(link.model).to_owned(), link: link.name.clone() })
    }

    fn is_finite(&self, link: &Link) -> bool {
        self.rapier.bodies.get(link.body).is_none_or(|body| {
            from_rapier(body.position()).is_finite() && body.linvel().is_finite() && body.angvel().is_finite()
        })
    }

    /// Records a link whose body rapier quarantined because it was not finite: its state looks valid
    /// afterwards.
    fn record_lost(&mut self) {
        let bodies = self.rapier.quarantine().bodies();
        if bodies.is_empty() || self.lost.is_some() {
            return;
        }
        self.lost = self.links.iter().find(|(_, link)| bodies.contains(&link.body)).map(|(id, _)| id);
    }

    fn apply_pushes(&mut self) {
        for push in &self.pushes {
            if let Some(body) = self.rapier.bodies.get_mut(push.body) {
                match push.point {
                    Some(point) => body.add_force_at_point(push.force, point, true),
                    None => body.add_force(push.force, true),
                }
                body.add_torque(push.torque, true);
                self.pushed.push(push.body);
            }
        }
    }

    fn clear_forces(&mut self) {
        for handle in self.pushed.drain(..) {
            if let Some(body) = self.rapier.bodies.get_mut(handle) {
                body.reset_forces(false);
                body.reset_torques(false);
            }
        }
    }

    pub(super) fn follow_joints(&mut self) {
        for joint in self.joints.values_mut() {
            joint.follow(&self.rapier.bodies);
        }
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

    pub(super) fn body(&self, id: LinkId) -> Option<&RigidBody> {
        self.rapier.bodies.get(self.link(id)?.body)
    }

    /// The bodies of the links of a model.
    pub(super) fn bodies_of(&self, id: ModelId) -> Result<Vec<RigidBodyHandle>, PhysicsError> {
        let model = self.model(id).ok_or(PhysicsError::NoSuchModel(id))?;
        Ok(model.links.iter().filter_map(|&link| self.link(link)).map(|link| link.body).collect())
    }

    pub(super) fn add_anchor(&mut self, pose: &Pose) -> RigidBodyHandle {
        self.rapier.insert_body(RigidBodyBuilder::fixed().pose(super::body::to_rapier(pose)))
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
