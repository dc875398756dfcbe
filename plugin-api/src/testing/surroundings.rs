//! The world beyond the plugin's own links, of a test: surroundings, entities, contacts and joints that the test
//! sets, and the changes of the world that the plugin asked for.

mod answers;
mod dynamics;
mod kinematics;

use std::collections::BTreeMap;

use super::host::{TestHost, lock};
use crate::host::{
    Body, Bond, CollisionId, Contact, Entity, EntityId, JointFrame, JointId, JointWrench, LinkId, Pose,
    Surroundings, Volume,
};

/// Ids start apart from those of links and joints, so that a plugin that mixes them fails its test.
const FIRST_COLLISION: u32 = 300;
const FIRST_SPAWNED: u64 = 400;
const FIRST_BOND: u64 = 500;

/// A change of the world that the plugin asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum TestEdit {
    /// A model to add.
    Spawn {
        /// The id it was given.
        entity: EntityId,
        /// SDF text.
        sdf: String,
        /// Its name; empty for the name in the text.
        name: String,
        /// Whether it may be renamed.
        may_rename: bool,
        /// Pose in the world.
        pose: Pose,
    },
    /// An entity to remove.
    Remove(EntityId),
    /// Two links to fix to each other.
    Attach {
        /// The number it was given.
        bond: Bond,
        /// Parent.
        parent: LinkId,
        /// Child.
        child: LinkId,
    },
    /// A bond to end.
    Detach(Bond),
}

/// A collision of the plugin's model, or of another one.
struct TestCollision {
    link: LinkId,
    /// Texts live as long as the process, as the ABI promises them for as long as the instance.
    name: &'static str,
    scoped_name: &'static str,
    is_own: bool,
    contacts: Vec<Contact>,
}

/// Answers which part of a link is below the plane of a normal and a height.
type VolumeBelow = Box<dyn Fn([f64; 3], f64) -> Volume + Send + Sync>;

/// What the test said of the world.
#[derive(Default)]
pub(super) struct SurroundingsState {
    environment: Surroundings,
    entities: Vec<(Entity, &'static str)>,
    links: BTreeMap<String, LinkId>,
    collisions: Vec<TestCollision>,
    attached: Option<JointId>,
    frames: BTreeMap<u32, JointFrame>,
    wrenches: BTreeMap<u32, JointWrench>,
    bodies: BTreeMap<u32, (Body, &'static str)>,
    volumes: BTreeMap<u32, VolumeBelow>,
    watched: Vec<JointId>,
    edits: Vec<TestEdit>,
    refusal: Option<String>,
}

impl TestHost {
    /// Sets where the world stands and what fills it.
    pub fn set_surroundings(self, surroundings: Surroundings) {
        lock(&self.shared.surroundings).environment = surroundings;
    }

    /// Adds a model to the world, or changes the one of that name.
    pub fn set_entity(self, entity: Entity) {
        let mut state = lock(&self.shared.surroundings);
        let name: &'static str = entity.name.clone().leak();
        match state.entities.iter_mut().find(|(known, _)| known.name == entity.name) {
            Some(known) => known.0 = entity,
            None => state.entities.push((entity, name)),
        }
    }

    /// Takes a model out of the world.
    pub fn remove_entity(self, name: &str) {
        lock(&self.shared.surroundings).entities.retain(|(entity, _)| entity.name != name);
    }

    /// Makes a link findable by its scoped name in the world.
    pub fn set_world_link(self, scoped_name: &str, link: LinkId) {
        lock(&self.shared.surroundings).links.insert(scoped_name.to_owned(), link);
    }

    /// Adds a collision to a link of the plugin's model.
    ///
    /// # Panics
    /// Panics if the test gave no such link.
    #[track_caller]
    pub fn add_collision(self, link: &str, name: &str) -> CollisionId {
        let scoped = format!("{}::{link}::{name}", self.shared.setup.vehicle);
        self.push_collision(self.link(link).id, name, scoped, true)
    }

    /// Adds a collision of another model by its scoped name, for [`Contact::other`].
    pub fn add_other_collision(self, scoped_name: &str) -> CollisionId {
        let name = scoped_name.rsplit("::").next().unwrap_or(scoped_name).to_owned();
        self.push_collision(LinkId(u32::MAX - 1), &name, scoped_name.to_owned(), false)
    }

    fn push_collision(self, link: LinkId, name: &str, scoped_name: String, is_own: bool) -> CollisionId {
        let mut state = lock(&self.shared.surroundings);
        let id = FIRST_COLLISION + u32::try_from(state.collisions.len()).unwrap_or(u32::MAX);
        let name: &'static str = name.to_owned().leak();
        let collision =
            TestCollision { link, name, scoped_name: scoped_name.leak(), is_own, contacts: Vec::new() };
        state.collisions.push(collision);
        CollisionId(id)
    }

    /// Sets what touches a collision from now on.
    ///
    /// # Panics
    /// Panics if the test gave no such collision.
    #[track_caller]
    pub fn set_contacts(self, collision: CollisionId, contacts: Vec<Contact>) {
        let mut state = lock(&self.shared.surroundings);
        let found = state.collision_mut(collision.0).map(|collision| collision.contacts = contacts);
        assert!(found.is_some(), "there is no collision {collision:?}");
    }

    /// Lets the plugin be a sensor of a joint.
    ///
    /// # Panics
    /// Panics if the test gave no such joint.
    #[track_caller]
    pub fn set_attached_joint(self, joint: &str) {
        let joint = self.joint(joint).id;
        lock(&self.shared.surroundings).attached = Some(joint);
    }

    /// Says where a joint sits.
    ///
    /// # Panics
    /// Panics if the test gave no such joint.
    #[track_caller]
    pub fn set_joint_frame(self, joint: &str, frame: JointFrame) {
        let joint = self.joint(joint).id;
        lock(&self.shared.surroundings).frames.insert(joint.0, frame);
    }

    /// Says what a joint transmits.
    ///
    /// # Panics
    /// Panics if the test gave no such joint.
    #[track_caller]
    pub fn set_joint_wrench(self, joint: &str, wrench: JointWrench) {
        let joint = self.joint(joint).id;
        lock(&self.shared.surroundings).wrenches.insert(joint.0, wrench);
    }

    /// The joints whose wrench the plugin asked for.
    #[must_use]
    pub fn watched_joints(self) -> Vec<JointId> {
        lock(&self.shared.surroundings).watched.clone()
    }

    /// The changes of the world since the last time, in order.
    #[must_use]
    pub fn take_edits(self) -> Vec<TestEdit> {
        std::mem::take(&mut lock(&self.shared.surroundings).edits)
    }

    /// Refuses the next change of the world with that text.
    pub fn refuse_next_edit(self, text: &str) {
        lock(&self.shared.surroundings).refusal = Some(text.to_owned());
    }
}

impl SurroundingsState {
    fn collision(&self, id: u32) -> Option<&TestCollision> {
        self.collisions.get(id.checked_sub(FIRST_COLLISION)? as usize)
    }

    fn collision_mut(&mut self, id: u32) -> Option<&mut TestCollision> {
        self.collisions.get_mut(id.checked_sub(FIRST_COLLISION)? as usize)
    }
}
