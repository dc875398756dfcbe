//! The whole physics as bytes and back: a restored one goes on bit by bit as the one that was saved.

use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::geometry::ColliderHandle;
use rapier3d_f64::pipeline::PhysicsWorld;
use serde::{Deserialize, Serialize};

use super::body::Link;
use super::id::LinkId;
use super::joint::Joint;
use super::reaction::Watch;
use super::settings::Settings;
use super::world::{Model, Physics, Push};

/// Everything but what lives within a step.
#[derive(Serialize)]
struct Saved<'a> {
    rapier: &'a PhysicsWorld,
    settings: &'a Settings,
    models: &'a [Option<Model>],
    links: &'a [Option<Link>],
    joints: &'a [Option<Joint>],
    collisions: &'a [Option<(LinkId, ColliderHandle)>],
    topology: u64,
    watches: &'a [Watch],
    pushes: &'a [Push],
    apart: &'a [[RigidBodyHandle; 2]],
    lost: Option<LinkId>,
    has_unstepped: bool,
}

/// The same, read.
#[derive(Deserialize)]
struct Restored {
    rapier: PhysicsWorld,
    settings: Settings,
    models: Vec<Option<Model>>,
    links: Vec<Option<Link>>,
    joints: Vec<Option<Joint>>,
    collisions: Vec<Option<(LinkId, ColliderHandle)>>,
    topology: u64,
    watches: Vec<Watch>,
    pushes: Vec<Push>,
    apart: Vec<[RigidBodyHandle; 2]>,
    lost: Option<LinkId>,
    has_unstepped: bool,
}

/// To be taken between steps.
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
            apart: &self.apart,
            lost: self.lost,
            has_unstepped: self.has_unstepped,
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
            pushed: Vec::new(),
            leads: Vec::new(),
            lost: restored.lost,
            has_unstepped: restored.has_unstepped,
            failure: None,
        })
    }
}
