//! Changes of what the world consists of: spawns, removals, and bonds between links of different models.
//!
//! A change is checked and numbered when it is asked for and made before physics of the next step.

use serde::{Deserialize, Serialize};

use super::{CommandError, World, WorldCommand};
use crate::physics::{JointId, PhysicsError};
use crate::pose::Pose;
use crate::sdf::resolved::Model;
use crate::sdf::{Disk, Document, SearchPath, Severity, Source, load_source};

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
            return Err(CommandError::NotFinite);
        }
        let mut model = parse_model(spawn.sdf, &self.search)?;
        let wanted = if spawn.name.is_empty() { model.name.clone() } else { spawn.name.to_owned() };
        model.name = self.free_name(wanted, spawn.may_rename)?;
        model.place_at(spawn.pose);
        let index = self.reserve(&model);
        if let Some(entity) = self.models.get_mut(index) {
            entity.is_spawned = true;
            entity.element = model.include.as_ref().unwrap_or(&model.origin).xml().map(str::to_owned);
        }
        self.commands.push(WorldCommand::Spawn { model: index, source: Box::new(model) });
        Ok(index as u64 + 1)
    }

    fn free_name(&self, wanted: String, may_rename: bool) -> Result<String, CommandError> {
        let is_pending = |index: usize| {
            self.commands
                .iter()
                .any(|command| matches!(command, WorldCommand::Spawn { model, .. } if *model == index))
        };
        let is_taken = |name: &str| {
            let mut all = self.models.iter().enumerate();
            all.any(|(index, model)| model.name == name && (model.is_present || is_pending(index)))
        };
        if !is_taken(&wanted) {
            return Ok(wanted);
        }
        if !may_rename {
            return Err(CommandError::NameTaken(wanted));
        }
        let mut names = (1_u64..).map(|number| format!("{wanted}_{number}"));
        names.find(|name| !is_taken(name)).ok_or(CommandError::NameTaken(wanted))
    }

    /// Asks that an entity be taken out.
    ///
    /// # Errors
    /// Where there is none, or it has plugins, or it is an actor.
    pub fn remove(&mut self, entity: u64) -> Result<(), CommandError> {
        let none = CommandError::NoSuch { kind: "entity", handle: entity };
        let index = usize::try_from(entity).ok().and_then(|id| id.checked_sub(1));
        let found = index.and_then(|index| Some((index, self.models.get(index)?)));
        let (index, model) = found.filter(|(_, model)| model.is_present).ok_or(none)?;
        self.no_actor(Some(index))?;
        if model.is_vehicle {
            return Err(CommandError::HasPlugins(model.name.clone()));
        }
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
            self.links.get(handle as usize).ok_or(none)
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

    pub(super) fn tie(&mut self, number: u64, parent: u32, child: u32) -> Result<(), PhysicsError> {
        let id = |handle: u32| self.links.get(handle as usize).map(|link| link.physics);
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
        let spawned = |model: &super::ModelEntity| model.is_spawned && model.is_present;
        let all: Vec<usize> = self
            .models
            .iter()
            .enumerate()
            .filter(|(_, model)| spawned(model))
            .map(|(index, _)| index)
            .collect();
        all.into_iter().try_for_each(|index| self.take_out(index))
    }
}

/// The one model in a text.
pub(super) fn parse_model(text: &str, search: &SearchPath) -> Result<Model, CommandError> {
    let text = text.trim();
    // A part of a document is put into one; what is no XML is refused by whoever reads it as one.
    let parsed = Document::parse(Source::from_text("spawned model", text));
    let is_part = parsed.is_ok_and(|document| matches!(document.root().name(), "model" | "include"));
    let document = if is_part { format!("<sdf version='1.12'>{text}</sdf>") } else { text.to_owned() };
    let loaded = load_source(&Disk, Source::from_text("spawned model", document), search)
        .map_err(|error| CommandError::NoModel(error.to_string()))?;
    let error = loaded.diagnostics.iter().find(|finding| finding.severity >= Severity::Error);
    let mut models = loaded.world.models.into_iter();
    match (models.next(), models.next(), error) {
        (Some(model), None, None) => Ok(model),
        (_, _, Some(error)) => Err(CommandError::NoModel(error.to_string())),
        (None, _, None) => Err(CommandError::NoModel("it holds none".to_owned())),
        (Some(_), Some(_), None) => Err(CommandError::NoModel("it holds more than one".to_owned())),
    }
}
