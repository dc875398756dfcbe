//! Changes by plugin commands: spawns, removals, and bonds between links of different models.
//!
//! A change is checked and numbered when it is requested, and applied before the next physics step. Simulation thread
//! only.

use bridgehead_physics::{JointId, PhysicsError};
use bridgehead_plugin_api::rules;
use bridgehead_sdf::element::MAX_NAME;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::Model;
use bridgehead_sdf::{Budget, SearchPath};

use super::command::{CommandError, WorldCommand};
use super::world::World;
use crate::entities::changes::{EntityChanges, Spawned};
use crate::entities::text::{Parsed, parse_model, reading_budget};

/// A model to spawn.
#[derive(Clone, Copy, Debug)]
pub struct Spawn<'a> {
    /// SDF text (a document with one model, or a `<model>` element) or URDF text.
    pub sdf: &'a str,
    /// Its name; empty for the one in the text.
    pub name: &'a str,
    /// Allows a number after a name that is in use.
    pub may_rename: bool,
    /// Pose of the model frame in the world.
    pub pose: Pose,
}

impl World {
    /// Sets the search path of spawned models to that of the world's file.
    pub fn set_search(&mut self, search: SearchPath) {
        self.search = search;
    }

    /// Returns the search path of models.
    pub fn search(&self) -> &SearchPath {
        &self.search
    }

    /// Requests a spawn. Returns the id of the model.
    ///
    /// # Errors
    /// Returns an error if the text is not a model or if the name is in use.
    pub fn spawn(&mut self, spawn: &Spawn<'_>) -> Result<u64, CommandError> {
        rules::check_pose(spawn.pose.position.to_array(), spawn.pose.rotation.to_array())?;
        let Parsed { mut model, is_nameless, .. } =
            parse_model(spawn.sdf, None, &self.search, &reading_budget())
                .map_err(|error| CommandError::NoModel(error.into_text()))?;
        if is_nameless && spawn.name.is_empty() && !spawn.may_rename {
            return Err(CommandError::NoModel("it has no name".to_owned()));
        }
        let wanted = if spawn.name.is_empty() { model.name.clone() } else { spawn.name.to_owned() };
        if wanted.len() > MAX_NAME {
            return Err(CommandError::LongName(wanted));
        }
        let free = self.free_name(&wanted, spawn.may_rename);
        model.name = free.ok_or(CommandError::NameTaken(wanted))?;
        model.place_at(spawn.pose);
        let index = self.reserve(&model);
        self.note_origin(index, &model, None);
        self.commands.push(WorldCommand::Spawn { model: index, source: Box::new(model) });
        Ok(index as u64 + 1)
    }

    /// Returns the name if it is free, or a numbered one if that is allowed.
    pub(super) fn free_name(&self, wanted: &str, may_rename: bool) -> Option<String> {
        let is_pending = |index: usize| {
            self.commands
                .iter()
                .any(|command| matches!(command, WorldCommand::Spawn { model, .. } if *model == index))
        };
        let is_taken = |name: &str| {
            let mut all = self.models.iter();
            all.any(|(index, model)| model.name == name && (model.is_present || is_pending(index)))
        };
        if !is_taken(wanted) {
            return Some(wanted.to_owned());
        }
        let mut names = (1_u64..).map(|number| format!("{wanted}_{number}"));
        names.find(|name| !is_taken(name)).filter(|_| may_rename)
    }

    /// Requests the removal of an entity.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or if it is an actor.
    pub fn remove(&mut self, entity: u64) -> Result<(), CommandError> {
        let none = CommandError::NoSuch { kind: "entity", handle: entity };
        let index = usize::try_from(entity).ok().and_then(|id| id.checked_sub(1));
        let found = index.and_then(|index| Some((index, self.models.get(index)?)));
        let (index, _) = found.filter(|(_, model)| model.is_present).ok_or(none)?;
        self.require_no_actor(Some(index))?;
        self.commands.push(WorldCommand::Remove { model: index });
        Ok(())
    }

    /// Requests a bond that fixes two links at their relative pose at the beginning of the next step. Returns its
    /// number.
    ///
    /// # Errors
    /// Returns an error if a link does not exist, or if both are one link.
    pub fn attach(&mut self, parent: u32, child: u32) -> Result<u64, CommandError> {
        let find = |handle: u32| {
            let none = CommandError::NoSuch { kind: "link", handle: u64::from(handle) };
            self.links.get(handle).ok_or(none)
        };
        let (a, b) = (find(parent)?, find(child)?);
        if parent == child {
            return Err(CommandError::SameLink(a.name.clone()));
        }
        let models = [a.model, b.model];
        let number = self.bonds.add(models);
        self.commands.push(WorldCommand::Attach { bond: number, parent, child });
        Ok(number)
    }

    /// Requests the end of a bond.
    ///
    /// # Errors
    /// Returns an error if there is no such bond.
    pub fn detach(&mut self, bond: u64) -> Result<(), CommandError> {
        if !self.bonds.contains(bond) {
            return Err(CommandError::NoSuch { kind: "bond", handle: bond });
        }
        self.commands.push(WorldCommand::Detach { bond });
        Ok(())
    }

    /// Adds a spawned model at its reserved index.
    pub(super) fn fill(&mut self, index: usize, model: &Model) {
        let added = self.populate(index, model, &Budget::default());
        for problem in &added.problems {
            log::warn!("{problem}");
        }
        if self.models.get(index).is_some_and(|entity| entity.is_present) {
            let slots = self.model_slots(index, model, added);
            self.changes.spawned.push(Spawned { model: index, slots, source: Box::new(model.clone()) });
        }
    }

    /// Removes a model by command of a plugin.
    pub(super) fn take_out_by_command(&mut self, index: usize) -> Result<(), PhysicsError> {
        if self.models.get(index).is_some_and(|entity| entity.is_present) {
            self.changes.removed.push(index);
        }
        self.take_out(index)
    }

    pub(super) fn attach_now(&mut self, number: u64, parent: u32, child: u32) -> Result<(), PhysicsError> {
        let id = |handle: u32| self.links.get(handle).map(|link| link.physics);
        let (Some(parent), Some(child)) = (id(parent), id(child)) else { return Ok(()) };
        let joint = self.physics.fix_links(parent, child)?;
        self.bonds.set_joint(number, joint);
        Ok(())
    }

    pub(super) fn detach_now(&mut self, number: u64) -> Result<(), PhysicsError> {
        let ended = self.bonds.remove(number);
        self.remove_joints(ended)
    }

    pub(super) fn detach_all_of(&mut self, model: usize) -> Result<(), PhysicsError> {
        let ended = self.bonds.remove_of(model);
        self.remove_joints(ended)
    }

    /// Ends all bonds, in order of creation.
    pub(super) fn detach_all(&mut self) -> Result<(), PhysicsError> {
        let ended = self.bonds.remove_all();
        self.remove_joints(ended)
    }

    fn remove_joints(&mut self, joints: Vec<JointId>) -> Result<(), PhysicsError> {
        joints.into_iter().try_for_each(|joint| self.physics.remove_joint(joint))
    }

    /// Removes all spawned models.
    ///
    /// # Errors
    /// Returns an error if physics fails.
    pub fn remove_spawned(&mut self) -> Result<(), PhysicsError> {
        self.spawned().into_iter().try_for_each(|index| self.take_out(index))
    }

    /// Returns true if a command spawned or removed entities since the last [`Self::take_changes`].
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Takes the changes by commands since the last call. Returns `None`, at no cost, if there are none.
    pub fn take_changes(&mut self) -> Option<EntityChanges> {
        (!self.changes.is_empty()).then(|| std::mem::take(&mut self.changes))
    }
}
