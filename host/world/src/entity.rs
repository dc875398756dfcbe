//! Models, links, joints and collisions of the world, in tables by handle.
//!
//! Handles are never reused in a run, so that the handle of a removed part finds nothing. Simulation thread only.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use bridgehead_physics::rays::FrameId;
use bridgehead_physics::table::Table;
use bridgehead_physics::{CollisionId, Inertial, JointId, LinkId, ModelId};
use bridgehead_sdf::element::EntityInfo;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Link;
use serde::{Deserialize, Serialize};

use super::convert::link_inertial;
use super::enclosed::Enclosed;
use super::solid::Solid;

/// A top-level model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelEntity {
    /// Name in the world.
    pub name: String,
    /// True if none of its links moves.
    pub is_static: bool,
    /// True if a sensor or plugin is attached to it: a vehicle.
    pub is_vehicle: bool,
    /// True if it follows a script.
    pub is_actor: bool,
    /// True if it was spawned during the run.
    pub is_spawned: bool,
    /// True if it is in the world: after it was spawned and before it is removed.
    pub is_present: bool,
    /// True if it was removed.
    pub is_removed: bool,
    /// Namespace of its topics and services; empty for none.
    pub namespace: String,
    /// Category, description and tags.
    pub info: EntityInfo,
    /// True if they were changed since it was loaded or spawned.
    pub(super) is_info_new: bool,
    /// The element it was spawned from.
    pub(super) element: Option<String>,
    /// Base folder of relative addresses in that element.
    pub(super) folder: Option<PathBuf>,
    /// Handles of its links, joints and collisions.
    pub(super) places: [Range<u32>; 3],
    /// Handle of the link that carries the model frame, with the pose of the model frame in that link.
    pub(super) canonical: Option<(u32, Pose)>,
    pub(super) physics: Option<ModelId>,
    /// Bounding box of its collisions in the model frame, as loaded.
    pub(super) bounds: [DVec3; 2],
}

impl ModelEntity {
    /// Creates an entry for a model that is not in the world yet.
    pub(super) fn reserved(name: &str) -> Self {
        ModelEntity {
            name: name.to_owned(),
            is_static: false,
            is_vehicle: false,
            is_actor: false,
            is_spawned: false,
            is_present: false,
            is_removed: false,
            namespace: String::new(),
            info: EntityInfo::default(),
            is_info_new: false,
            element: None,
            folder: None,
            places: Default::default(),
            canonical: None,
            physics: None,
            bounds: [DVec3::ZERO; 2],
        }
    }
}

/// A model with its current state.
#[derive(Clone, Copy, Debug)]
pub struct EntityState<'a> {
    /// Its id: its index + 1, so that 0 is no id.
    pub id: u64,
    /// The model.
    pub model: &'a ModelEntity,
    /// Pose of the model frame in the world.
    pub pose: Pose,
    /// Velocity of its origin, world frame, m/s.
    pub linear: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular: DVec3,
    /// Lowest and highest corner of the bounding box of its collisions, model frame.
    pub bounds: [DVec3; 2],
}

/// A link in the table of handles.
#[derive(Debug)]
pub(super) struct LinkEntity {
    /// `model::link`.
    pub(super) name: String,
    pub(super) physics: LinkId,
    pub(super) model: usize,
    pub(super) frame: FrameId,
    /// The first link of the rigid body that it belongs to.
    pub(super) rigid: u32,
    pub(super) moves: bool,
    /// True if a plugin prescribes its motion.
    pub(super) is_led: bool,
    pub(super) body: LinkBody,
}

/// A joint in the table of handles.
#[derive(Debug)]
pub(super) struct JointEntity {
    pub(super) name: String,
    pub(super) physics: JointId,
}

/// The collisions of the world.
#[derive(Debug, Default)]
pub(super) struct Collisions {
    /// Name in the world and physics id, by handle.
    entities: Table<u32, (String, CollisionId)>,
    handles: BTreeMap<CollisionId, u32>,
}

impl Collisions {
    /// Adds a collision and returns its handle.
    pub(super) fn add(&mut self, scoped_name: String, physics: CollisionId) -> u32 {
        let handle = self.entities.push((scoped_name, physics));
        self.handles.insert(physics, handle);
        handle
    }

    /// Returns the name in the world; `None` for removed ones too.
    pub(super) fn name(&self, handle: u32) -> Option<&str> {
        self.entities.get(handle).map(|(name, _)| name.as_str())
    }

    /// Returns all collisions, by handle.
    pub(super) fn all(&self) -> &Table<u32, (String, CollisionId)> {
        &self.entities
    }

    /// Returns all collisions, by handle.
    pub(super) fn all_mut(&mut self) -> &mut Table<u32, (String, CollisionId)> {
        &mut self.entities
    }

    /// Removes the collisions with these handles, which are not reused.
    pub(super) fn forget(&mut self, handles: Range<u32>) {
        for (_, id) in handles.filter_map(|handle| self.entities.remove(handle)) {
            self.handles.remove(&id);
        }
    }

    /// Assigns another physics collision to every handle.
    pub(super) fn rebind(&mut self, entities: Table<u32, (String, CollisionId)>) {
        self.handles = entities.iter().map(|(handle, (_, id))| (*id, handle)).collect();
        self.entities = entities;
    }

    pub(super) fn physics(&self, handle: u32) -> Option<CollisionId> {
        self.entities.get(handle).map(|(_, id)| *id)
    }

    pub(super) fn handle(&self, id: CollisionId) -> Option<u32> {
        self.handles.get(&id).copied()
    }
}

/// What the dynamics of a link depend on, besides its motion.
#[derive(Clone, Debug)]
pub(super) struct LinkBody {
    pub(super) inertial: Inertial,
    pub(super) is_in_wind: bool,
    pub(super) has_gravity: bool,
    pub(super) is_kinematic: bool,
    pub(super) enclosed: Vec<Enclosed>,
}

impl LinkBody {
    pub(super) fn new(link: &Link, solids: &[Option<Solid>]) -> Self {
        let enclosed = link.collisions.iter().zip(solids).filter_map(|(placed, solid)| {
            let (shape, turned) = &solid.as_ref()?.seen;
            Enclosed::new(shape, placed.pose * *turned)
        });
        LinkBody {
            inertial: link_inertial(link, solids),
            is_in_wind: link.enable_wind,
            has_gravity: link.gravity,
            is_kinematic: link.kinematic,
            enclosed: enclosed.collect(),
        }
    }
}
