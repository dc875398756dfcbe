//! Changes of what the world consists of: spawns, removals, and bonds between links of different models.
//!
//! A change is checked and numbered when it is asked for and made before physics of the next step.

use bridgehead_physics::{JointId, PhysicsError};
use bridgehead_plugin_api::rules::CommandFault;
use bridgehead_sdf::SearchPath;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::Model;
use serde::{Deserialize, Serialize};

use super::entities::{Parsed, Spawned, parse_model};
use super::{CommandError, World, WorldCommand};

/// A model to spawn.
#[derive(Clone, Copy, Debug)]
pub struct Spawn<'a> {
    /// SDF text, a document with one model or a `<model>` element; or a URDF.
    pub sdf: &'a str,
    /// Its name; empty for the one in the text.
    pub name: &'a str,
    /// Whether a number may be appended to a name that is taken.
    pub may_rename: bool,
    /// Pose of the model frame in the world.
    pub pose: Pose,
}

/// Two links fixed to each other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Bond {
    number: u64,
    /// Models of parent and child.
    models: [usize; 2],
    /// `None` until the next step, or where physics refused it.
    joint: Option<JointId>,
}

impl World {
    /// Lets spawned models find what they include where the world's own file would.
    pub fn set_search(&mut self, search: SearchPath) {
        self.search = search;
    }

    /// Where models are looked for.
    pub fn search(&self) -> &SearchPath {
        &self.search
    }

    /// Asks for a model; gives its id.
    ///
    /// # Errors
    /// Where the text is no model or the name is taken.
    pub fn spawn(&mut self, spawn: &Spawn<'_>) -> Result<u64, CommandError> {
        if !spawn.pose.is_finite() {
            return Err(CommandFault::NotFinite.into());
        }
        let Parsed { mut model, .. } = parse_model(spawn.sdf, None, &self.search)
            .map_err(|error| CommandError::NoModel(error.into_text()))?;
        let wanted = if spawn.name.is_empty() { model.name.clone() } else { spawn.name.to_owned() };
        let free = self.free_name(&wanted, spawn.may_rename);
        model.name = free.ok_or(CommandError::NameTaken(wanted))?;
        model.place_at(spawn.pose);
        let index = self.reserve(&model);
        self.note_origin(index, &model, None);
        self.commands.push(WorldCommand::Spawn { model: index, source: Box::new(model) });
        Ok(index as u64 + 1)
    }

    /// The name itself where it is free, or one that is made of it where that is allowed.
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

    /// Asks that an entity be taken out.
    ///
    /// # Errors
    /// Where there is none, or it is an actor.
    pub fn remove(&mut self, entity: u64) -> Result<(), CommandError> {
        let none = CommandError::NoSuch { kind: "entity", handle: entity };
        let index = usize::try_from(entity).ok().and_then(|id| id.checked_sub(1));
        let found = index.and_then(|index| Some((index, self.models.get(index)?)));
        let (index, _) = found.filter(|(_, model)| model.is_present).ok_or(none)?;
        self.no_actor(Some(index))?;
        self.commands.push(WorldCommand::Remove { model: index });
        Ok(())
    }

    /// Asks that two links be fixed to each other as they stand when the next step begins; gives the bond's number.
    ///
    /// # Errors
    /// Where a link is not there, or both belong to one model.
    pub fn attach(&mut self, parent: u32, child: u32) -> Result<u64, CommandError> {
        let find = |handle: u32| {
            let none = CommandError::NoSuch { kind: "link", handle: u64::from(handle) };
            self.links.get(handle).ok_or(none)
        };
        let (a, b) = (find(parent)?, find(child)?);
        if a.model == b.model {
            return Err(CommandError::SameModel(a.name.clone(), b.name.clone()));
        }
        let models = [a.model, b.model];
        self.last_bond += 1;
        let number = self.last_bond;
        self.bonds.push(Bond { number, models, joint: None });
        self.commands.push(WorldCommand::Attach { bond: number, parent, child });
        Ok(number)
    }

    /// Asks that a bond end.
    ///
    /// # Errors
    /// Where there is no such bond.
    pub fn detach(&mut self, bond: u64) -> Result<(), CommandError> {
        if !self.bonds.iter().any(|known| known.number == bond) {
            return Err(CommandError::NoSuch { kind: "bond", handle: bond });
        }
        self.commands.push(WorldCommand::Detach { bond });
        Ok(())
    }

    /// Puts a spawned model into its reserved place.
    pub(super) fn fill(&mut self, index: usize, model: &Model) {
        let added = self.populate(index, model);
        for problem in &added.problems {
            log::warn!("{problem}");
        }
        if self.models.get(index).is_some_and(|entity| entity.is_present) {
            let asked = self.asked(index, model, added);
            self.news.arrived.push(Spawned { model: index, asked, source: Box::new(model.clone()) });
        }
    }

    /// Takes out a model that a plugin asked to remove.
    pub(super) fn take_out_by_command(&mut self, index: usize) -> Result<(), PhysicsError> {
        if self.models.get(index).is_some_and(|entity| entity.is_present) {
            self.news.departed.push(index);
        }
        self.take_out(index)
    }

    pub(super) fn tie(&mut self, number: u64, parent: u32, child: u32) -> Result<(), PhysicsError> {
        let id = |handle: u32| self.links.get(handle).map(|link| link.physics);
        let (Some(parent), Some(child)) = (id(parent), id(child)) else { return Ok(()) };
        let joint = self.physics.fix_links(parent, child)?;
        if let Some(bond) = self.bonds.iter_mut().find(|bond| bond.number == number) {
            bond.joint = Some(joint);
        }
        Ok(())
    }

    pub(super) fn untie(&mut self, number: u64) -> Result<(), PhysicsError> {
        self.untie_where(|bond| bond.number == number)
    }

    pub(super) fn untie_all_of(&mut self, model: usize) -> Result<(), PhysicsError> {
        self.untie_where(|bond| bond.models.contains(&model))
    }

    /// Ends every bond that `ends` names, in the order they were made.
    pub(super) fn untie_where(&mut self, ends: impl Fn(&Bond) -> bool) -> Result<(), PhysicsError> {
        let (ended, kept): (Vec<Bond>, Vec<Bond>) = self.bonds.drain(..).partition(ends);
        self.bonds = kept;
        ended.into_iter().filter_map(|bond| bond.joint).try_for_each(|joint| self.physics.remove_joint(joint))
    }

    /// Takes out everything that was spawned.
    ///
    /// # Errors
    /// Where physics refuses.
    pub fn remove_spawned(&mut self) -> Result<(), PhysicsError> {
        self.spawned().into_iter().try_for_each(|index| self.take_out(index))
    }
}
