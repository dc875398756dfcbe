//! Saves a running world: collects its changes since loading, and writes the file with them. Simulation thread only.

use std::fmt;
use std::path::Path;

use bridgehead_runtime::atomic_file;
use bridgehead_sdf::element::{Entity, EntityInfo};
use bridgehead_sdf::save::Change;
use bridgehead_sdf::{Disk, Loaded, SearchPath, save};

use super::entity::ModelEntity;
use super::world::World;

/// Why a world was not saved; nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("[BH-SIM-206] the world is not saved to `{target}`: {reason}")]
pub struct NotSaved {
    target: String,
    reason: String,
}

impl NotSaved {
    /// Creates the error for `target`.
    pub fn new(target: &Path, reason: impl fmt::Display) -> Self {
        NotSaved { target: target.display().to_string(), reason: reason.to_string() }
    }
}

/// Writes the file of a world with its changes. Returns notes about the new file.
///
/// # Errors
/// Returns an error if the changes cannot be applied to the text, or if the file cannot be written. With
/// `all_or_nothing` it also returns an error if a single change could not be applied, which is otherwise a note.
pub fn write(
    loaded: &Loaded,
    changes: &[Change],
    target: &Path,
    search: &SearchPath,
    all_or_nothing: bool,
) -> Result<Vec<String>, NotSaved> {
    let saved = save::save(loaded, changes, &Disk, search).map_err(|error| NotSaved::new(target, error))?;
    let mut notes: Vec<String> = saved.findings.iter().map(ToString::to_string).collect();
    if let (true, Some(finding)) = (all_or_nothing, notes.first()) {
        return Err(NotSaved::new(target, finding));
    }
    atomic_file::write(target, saved.text.as_bytes()).map_err(|error| NotSaved::new(target, error))?;
    if !save::means_the_same(&saved, loaded, target, &Disk, search).is_ok_and(|same| same) {
        notes.push(format!(
            "[BH-SIM-207] `{}` is read as another world in that folder, because it refers to files by relative paths; \
             save it into the folder of the original world, or set the search path",
            target.display()
        ));
    }
    Ok(notes)
}

impl World {
    /// Returns the current state of every model, including spawned and removed ones.
    ///
    /// Joint positions are not included, because SDF cannot express them.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let moved = self.models.iter().filter_map(|(index, model)| self.change(index, model));
        let infos = self
            .models
            .values()
            .filter(|model| model.is_info_new && model.is_present && !model.is_spawned && !model.is_actor);
        let infos =
            infos.map(|model| Change::SetInfo { model: model.name.clone(), info: model.info.clone() });
        moved.chain(infos).collect()
    }

    fn change(&self, index: usize, model: &ModelEntity) -> Option<Change> {
        // The pose of an actor follows from its script, also after the file is read again.
        if model.is_actor {
            return None;
        }
        let name = model.name.clone();
        if model.is_removed && !model.is_spawned {
            return Some(Change::Remove { model: name });
        }
        // A model that physics rejected is at the pose of the file.
        let pose = self.model_pose(index).filter(|_| model.is_present)?;
        match (&model.element, model.is_spawned) {
            (Some(xml), true) => {
                let (info, namespace) = (model.info.clone(), model.namespace.clone());
                let is_plain = info == EntityInfo::default() && namespace.is_empty() && !model.is_info_new;
                let entity = (!is_plain).then_some(Entity { info, namespace });
                Some(Change::Add { xml: xml.clone(), name, pose, entity })
            }
            (None, true) => None,
            (_, false) => Some(Change::Place { model: name, pose }),
        }
    }
}
