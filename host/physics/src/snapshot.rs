//! The whole physics as bytes and back. A restored one continues bit by bit like the saved one.

use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::geometry::ColliderHandle;
use rapier3d_f64::pipeline::PhysicsWorld;
use serde::{Deserialize, Serialize};

use super::body::Link;
use super::directional::Directional;
use super::id::{CollisionId, JointId, LinkId, ModelId};
use super::joint::Joint;
use super::kinematic::KinematicTarget;
use super::overlap::Overlaps;
use super::reaction::Watch;
use super::settings::Settings;
use super::world::{Model, Physics, Push};
use crate::table::Table;

/// Everything except what lives within a step.
#[derive(Serialize)]
struct Saved<'a> {
    rapier: &'a PhysicsWorld,
    settings: &'a Settings,
    models: &'a Table<ModelId, Model>,
    links: &'a Table<LinkId, Link>,
    joints: &'a Table<JointId, Joint>,
    collisions: &'a Table<CollisionId, (LinkId, ColliderHandle)>,
    topology: u64,
    watches: &'a [Watch],
    pushes: &'a [Push],
    kinematic_targets: &'a [KinematicTarget],
    apart: &'a [[RigidBodyHandle; 2]],
    overlaps: &'a Overlaps,
    directional: &'a Directional,
    lost: Option<LinkId>,
    has_unstepped: bool,
    steps_since_look: u32,
}

/// The same, as read back.
#[derive(Deserialize)]
struct Restored {
    rapier: PhysicsWorld,
    settings: Settings,
    models: Table<ModelId, Model>,
    links: Table<LinkId, Link>,
    joints: Table<JointId, Joint>,
    collisions: Table<CollisionId, (LinkId, ColliderHandle)>,
    topology: u64,
    watches: Vec<Watch>,
    pushes: Vec<Push>,
    kinematic_targets: Vec<KinematicTarget>,
    apart: Vec<[RigidBodyHandle; 2]>,
    overlaps: Overlaps,
    directional: Directional,
    lost: Option<LinkId>,
    has_unstepped: bool,
    steps_since_look: u32,
}

/// Valid between steps only.
impl Clone for Physics {
    fn clone(&self) -> Self {
        Self {
            rapier: copy(&self.rapier),
            settings: self.settings.clone(),
            models: self.models.clone(),
            links: self.links.clone(),
            joints: self.joints.clone(),
            collisions: self.collisions.clone(),
            topology: self.topology,
            watches: self.watches.clone(),
            pushes: self.pushes.clone(),
            apart: self.apart.clone(),
            overlaps: self.overlaps.clone(),
            directional: self.directional.clone(),
            pushed: Vec::new(),
            kinematic_targets: self.kinematic_targets.clone(),
            velocities: None,
            lost: self.lost,
            has_unstepped: self.has_unstepped,
            steps_since_look: self.steps_since_look,
            failure: self.failure.clone(),
        }
    }
}

/// Everything except the engine's workspaces, which it fills again in each step.
fn copy(rapier: &PhysicsWorld) -> PhysicsWorld {
    PhysicsWorld {
        gravity: rapier.gravity,
        integration_parameters: rapier.integration_parameters,
        islands: rapier.islands.clone(),
        broad_phase: rapier.broad_phase.clone(),
        narrow_phase: rapier.narrow_phase.clone(),
        bodies: rapier.bodies.clone(),
        colliders: rapier.colliders.clone(),
        impulse_joints: rapier.impulse_joints.clone(),
        multibody_joints: rapier.multibody_joints.clone(),
        soft_bodies: rapier.soft_bodies.clone(),
        ..PhysicsWorld::default()
    }
}

impl Physics {
    /// Restores the state that `beginning` was cloned from. Ids issued since then are invalid, and are not
    /// issued again.
    pub fn return_to(&mut self, beginning: &Physics) {
        let ended = std::mem::replace(self, beginning.clone());
        self.models.skip_ids_of(&ended.models);
        self.links.skip_ids_of(&ended.links);
        self.joints.skip_ids_of(&ended.joints);
        self.collisions.skip_ids_of(&ended.collisions);
    }
}

/// Valid between steps only.
impl Serialize for Physics {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = Saved {
            rapier: &self.rapier,
            settings: &self.settings,
            models: &self.models,
            links: &self.links,
            joints: &self.joints,
            collisions: &self.collisions,
            topology: self.topology,
            watches: &self.watches,
            pushes: &self.pushes,
            kinematic_targets: &self.kinematic_targets,
            apart: &self.apart,
            overlaps: &self.overlaps,
            directional: &self.directional,
            lost: self.lost,
            has_unstepped: self.has_unstepped,
            steps_since_look: self.steps_since_look,
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Physics {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let restored = Restored::deserialize(deserializer)?;
        Ok(Physics {
            rapier: restored.rapier,
            settings: restored.settings,
            models: restored.models,
            links: restored.links,
            joints: restored.joints,
            collisions: restored.collisions,
            topology: restored.topology,
            watches: restored.watches,
            pushes: restored.pushes,
            apart: restored.apart,
            overlaps: restored.overlaps,
            directional: restored.directional,
            pushed: Vec::new(),
            kinematic_targets: restored.kinematic_targets,
            velocities: None,
            lost: restored.lost,
            has_unstepped: restored.has_unstepped,
            steps_since_look: restored.steps_since_look,
            failure: None,
        })
    }
}
