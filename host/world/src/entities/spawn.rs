//! Spawning of entities. [`SpawnKit`] reads and parses a model and builds its shapes, on any thread; the simulation
//! thread inserts it between two steps.

use std::path::PathBuf;

use bridgehead_sdf::element::{MAX_NAME, is_token, namespace};
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::Model;
use bridgehead_sdf::{Budget, SearchPath};

pub(super) use super::text::text_of;
pub(crate) use super::text::{ModelError, Parsed, parse_model};

use super::changes::Spawned;
use super::error::SpawnError;
use super::state::{PoseFault, checked_pose, in_world};
use super::text::{NAMELESS, SpawnSource, reading_budget};
use crate::convert::Solids;
use crate::populate::solids_of;
use crate::solid::{Meshes, Solid};
use crate::world::World;

/// An entity to spawn.
#[derive(Clone, Debug)]
pub struct SpawnRequest {
    /// Source of the model.
    pub source: SpawnSource,
    /// Under which name, and where.
    pub placement: Placement,
}

/// Under which name, and where, an entity is spawned.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Its name; empty for that of the model.
    pub name: String,
    /// Allows another name if that one is in use, missing or invalid.
    pub allow_renaming: bool,
    /// Namespace of its topics and services; empty for that of the model.
    pub namespace: String,
    /// Pose of the model frame in `frame`. The quaternion need not be of unit length.
    pub pose: Pose,
    /// Name of an entity; empty or `world` for the world.
    pub frame: String,
}

impl From<ModelError> for SpawnError {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Unreadable(text) => SpawnError::Unreadable(text),
            ModelError::MissingAssets(text) => SpawnError::MissingAssets(text),
        }
    }
}

/// What is needed of a world to prepare models for it on another thread.
#[derive(Clone, Debug)]
pub struct SpawnKit {
    search: SearchPath,
    meshes: Meshes,
}

/// A model that is ready to be inserted: parsed, with the shapes of its collisions.
#[derive(Debug)]
pub struct PreparedModel {
    model: Model,
    is_nameless: bool,
    folder: Option<PathBuf>,
    solids: Solids,
    /// The mesh files that were read for it, and those of the world before.
    meshes: Meshes,
}

impl SpawnKit {
    /// Reads and parses a model and builds its shapes. Usable from any thread.
    ///
    /// # Errors
    /// Returns an error if there is no source, it is not a model, or required files are missing or unusable; and if the
    /// budget does not suffice.
    pub fn prepare(&mut self, source: &SpawnSource, budget: &Budget) -> Result<PreparedModel, SpawnError> {
        let (text, folder) = text_of(source).ok_or(SpawnError::NoResource)?;
        let parsed = parse_model(&text, folder.as_deref(), &self.search, budget)?;
        let Parsed { model, is_nameless, missing, warnings } = parsed;
        if let Some(missing) = missing {
            return Err(SpawnError::MissingAssets(missing));
        }
        if model.canonical_link.is_none() {
            return Err(SpawnError::Unreadable(format!("model `{}` has no link", model.name)));
        }
        let mut problems = Vec::new();
        let mut solids = solids_of(&mut self.meshes, &model, budget, &mut problems);
        if let Some(stopped) = budget.stopped() {
            return Err(SpawnError::Unreadable(stopped.to_string()));
        }
        if let Some(problem) = problems.into_iter().next() {
            return Err(SpawnError::UnsupportedAssets(problem));
        }
        solids.iter_mut().flatten().flatten().for_each(Solid::build);
        warnings.iter().for_each(|warning| log::warn!("{warning}"));
        Ok(PreparedModel { model, is_nameless, folder, solids, meshes: self.meshes.clone() })
    }
}

impl World {
    /// Spawns an entity at once: physics, rays and tables contain it when this returns.
    ///
    /// # Errors
    /// Returns the first of these errors: name, namespace, source or pose are invalid, the source is not a model,
    /// required files are missing, the name is in use, physics rejects it. The world is unchanged then.
    pub fn spawn_now(&mut self, request: &SpawnRequest) -> Result<Spawned, SpawnError> {
        let SpawnRequest { source, placement } = request;
        check_names(placement)?;
        if text_of(source).is_none() {
            return Err(SpawnError::NoResource);
        }
        self.initial_pose(placement)?;
        let prepared = self.spawn_kit().prepare(source, &reading_budget());
        self.insert(placement, prepared)
    }

    /// Returns what is needed to prepare models for this world on another thread.
    #[must_use]
    pub fn spawn_kit(&self) -> SpawnKit {
        SpawnKit { search: self.search.clone(), meshes: self.meshes.clone() }
    }

    /// Checks everything of a placement that needs no model.
    ///
    /// # Errors
    /// Returns the first of these errors: name, namespace or pose are invalid.
    pub fn check_placement(&self, placement: &Placement) -> Result<(), SpawnError> {
        check_names(placement)?;
        self.initial_pose(placement).map(drop)
    }

    /// Inserts a prepared model: physics, rays and tables contain it when this returns.
    ///
    /// # Errors
    /// Returns an error like [`Self::spawn_now`].
    pub fn insert(
        &mut self,
        placement: &Placement,
        prepared: Result<PreparedModel, SpawnError>,
    ) -> Result<Spawned, SpawnError> {
        check_names(placement)?;
        let pose = self.initial_pose(placement)?;
        let PreparedModel { mut model, is_nameless, folder, solids, meshes } = prepared?;
        self.meshes.merge(meshes);
        let own = if is_nameless { "" } else { &model.name };
        model.name = self.spawned_name(placement, own)?;
        if let Some(namespace) = namespace(&placement.namespace).filter(|namespace| !namespace.is_empty()) {
            namespace.clone_into(&mut model.entity.namespace);
        }
        model.place_at(pose);
        self.add_now(model, folder, &solids)
    }

    fn initial_pose(&self, placement: &Placement) -> Result<Pose, SpawnError> {
        let fault = |fault| match fault {
            PoseFault::Invalid(why) => SpawnError::PoseInvalid(why),
            PoseFault::NoFrame(name) => SpawnError::UnknownFrame(name),
        };
        let pose = checked_pose(&placement.pose).map_err(fault)?;
        in_world(self, &placement.frame, &pose).map_err(fault)
    }

    /// Returns the name of the placement or of the model, if it is free.
    fn spawned_name(&self, placement: &Placement, own: &str) -> Result<String, SpawnError> {
        let wanted = match (placement.name.as_str(), own) {
            ("", "") if placement.allow_renaming => NAMELESS.to_owned(),
            ("", "") => return Err(SpawnError::NoName),
            ("", own) if is_name(own) => own.to_owned(),
            ("", own) if placement.allow_renaming => name_like(own),
            ("", own) => return Err(SpawnError::NameInvalid(own.to_owned())),
            (name, _) => name.to_owned(),
        };
        let taken = || SpawnError::NameTaken(wanted.clone());
        self.free_name(&wanted, placement.allow_renaming).ok_or_else(taken)
    }

    fn add_now(
        &mut self,
        model: Model,
        folder: Option<PathBuf>,
        solids: &Solids,
    ) -> Result<Spawned, SpawnError> {
        let index = self.reserve(&model);
        self.note_origin(index, &model, folder);
        let added = self.put_in_place(index, &model, solids, Vec::new());
        if !self.models.get(index).is_some_and(|entity| entity.is_present) {
            self.models.remove(index);
            return Err(SpawnError::Refused(added.problems.join("; ")));
        }
        let sunken =
            self.sunken(self.models.get(index).and_then(|entity| entity.physics).as_slice(), |_| None);
        for problem in added.problems.iter().chain(&sunken) {
            log::warn!("{problem}");
        }
        Ok(Spawned { model: index, slots: self.model_slots(index, &model, added), source: Box::new(model) })
    }

    /// Records the source of a spawned model, for saved worlds and snapshots.
    pub(crate) fn note_origin(&mut self, index: usize, model: &Model, folder: Option<PathBuf>) {
        if let Some(entity) = self.models.get_mut(index) {
            entity.is_spawned = true;
            entity.element = model.include.as_ref().unwrap_or(&model.origin).xml().map(str::to_owned);
            entity.folder = folder;
        }
    }
}

fn check_names(placement: &Placement) -> Result<(), SpawnError> {
    if !placement.name.is_empty() && !is_name(&placement.name) {
        return Err(SpawnError::NameInvalid(placement.name.clone()));
    }
    if namespace(&placement.namespace).is_none() {
        return Err(SpawnError::NamespaceInvalid(placement.namespace.clone()));
    }
    Ok(())
}

/// Returns true for a valid entity name, which becomes a part of the names of its topics and frames.
fn is_name(name: &str) -> bool {
    is_token(name) && name != "world"
}

/// Returns the valid name nearest to an invalid one.
fn name_like(own: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = own.chars().map(letter).take(MAX_NAME - 1).collect();
    if is_name(&name) { name } else { format!("_{name}") }
}
