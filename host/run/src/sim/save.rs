//! Saving the current world: at the end of a run, and on request.

pub(super) mod edits;
pub(super) mod error;
pub(super) mod place;

use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_plugin_api::rules::{check_points, check_pose};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::save::Change;

use super::loaded::LoadedWorld;
use super::simulation::Simulation;
use super::snapshot::is_snapshot;
use super::worlds::Worlds;
use crate::world::save::{NotSaved, write};
use error::SaveError;

/// Which files may be overwritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// None: the file must be new.
    #[default]
    Nothing,
    /// Other worlds, except the file of the world.
    Others,
    /// Worlds, also the file of the world.
    Source,
}

/// A saved world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedWorld {
    /// The file.
    pub path: PathBuf,
    /// Notes about changes that could not be written, and about differences in the file.
    pub notes: Vec<String>,
}

impl LoadedWorld {
    /// Sets the pose of the camera of a user interface for the next time the world is saved.
    ///
    /// # Errors
    /// Returns an error if the pose is not finite.
    pub fn set_camera(&mut self, pose: Pose) -> Result<(), SaveError> {
        if check_pose(pose.position.to_array(), pose.rotation.to_array()).is_err() {
            return Err(SaveError::Position(
                "the pose of the camera is not finite or farther than 1e7 m away",
            ));
        }
        self.edits.camera = Some(pose);
        Ok(())
    }

    /// Sets the points of a road, in metres in the world frame, for the next time the world is saved.
    ///
    /// # Errors
    /// Returns an error if the world has no such road, there are no points, or one is not finite.
    pub fn set_road(&mut self, road: &str, points: Vec<DVec3>) -> Result<(), SaveError> {
        if points.is_empty() {
            return Err(SaveError::Position("a road needs at least one point"));
        }
        if points.iter().any(|point| check_points(&point.to_array()).is_err()) {
            return Err(SaveError::Position("a point of the road is not finite or farther than 1e7 m away"));
        }
        let world = self.source.document.root().child("world");
        let roads = world.into_iter().flat_map(|world| world.children_named("road"));
        let names: Vec<&str> = roads.filter_map(|road| road.attribute("name")).collect();
        if !names.contains(&road) {
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SaveError::NoSuchRoad { road: road.to_owned(), has });
        }
        self.edits.roads.insert(road.to_owned(), points);
        Ok(())
    }

    /// Writes the current world into a file. Returns [`SavedWorld::notes`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; one that existed is unchanged.
    fn save(&mut self, target: &Path) -> Result<Vec<String>, NotSaved> {
        let (contributions, mut notes) = self.models.saved_elements(&self.world);
        let world = self.world.get_mut();
        let mut changes = world.changes();
        changes.extend(contributions.into_iter().map(Change::Contribute));
        changes.extend(self.edits.changes());
        notes.extend(write(&self.source, &changes, target, world.search(), false)?);
        for note in &notes {
            log::warn!("{note}");
        }
        log::info!("the world is saved to `{}`", target.display());
        Ok(notes)
    }
}

impl Simulation {
    /// Saves the current world into a file, with the camera and roads that were set, and with unrelated text of the
    /// source unchanged. The path is relative to the output folder of the run and stays inside it.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, the path leads out of the folder, the file must not be overwritten, or it
    /// cannot be written. A file that existed is unchanged.
    pub fn save_to(&mut self, path: &Path, overwrite: Overwrite) -> Result<SavedWorld, SaveError> {
        let loaded = self.loaded.as_mut().ok_or(SaveError::NoWorld)?;
        let path = place::inside(&self.config.output, path)?;
        match overwrite {
            Overwrite::Nothing if path.exists() => return Err(SaveError::Exists(path)),
            Overwrite::Nothing | Overwrite::Others if self.worlds.is_source(&path) => {
                return Err(SaveError::Source(path));
            }
            Overwrite::Nothing | Overwrite::Others | Overwrite::Source => place::is_replaceable(&path)?,
        }
        if let Some(value) = self.config.values.first() {
            let why = format!("the run sets `{}`, which the file would not have", value.assignment.path);
            return Err(NotSaved::new(&path, why).into());
        }
        let notes = loaded.save(&path)?;
        Ok(SavedWorld { path, notes })
    }

    /// Writes a snapshot into a file. The path is relative to the output folder of the run and stays inside it. Returns
    /// the file.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, the path leads out of the folder, the file must not be overwritten, or it
    /// cannot be written. A file that existed is unchanged.
    pub fn save_snapshot(&mut self, path: &Path, overwrite: bool) -> Result<PathBuf, SaveError> {
        if self.loaded.is_none() {
            return Err(SaveError::NoWorld);
        }
        let path = place::inside(&self.config.output, path)?;
        match fs::symlink_metadata(&path) {
            // Writing the file reports a folder that may not be entered.
            Err(_) => {}
            Ok(_) if !overwrite => return Err(SaveError::Exists(path)),
            Ok(facts) if facts.is_file() && is_snapshot(&path) => {}
            Ok(_) => return Err(SaveError::NotASnapshot(path)),
        }
        match self.write_snapshot(&path) {
            Ok(()) => Ok(path),
            Err(reason) => Err(SaveError::NotWritten { path, reason: reason.to_string() }),
        }
    }

    /// Saves the world at the end of a run, if configured. The file of the world is not overwritten, even if the world
    /// was loaded after the configuration was checked.
    pub(super) fn save_at_end(&mut self) {
        let Some(target) = self.config.save.clone() else { return };
        let saved = match &mut self.loaded {
            _ if self.worlds.is_source(&target) => Err(SaveError::Source(target)),
            Some(loaded) => loaded.save(&target).map_err(SaveError::from),
            None => Err(NotSaved::new(&target, "no world is loaded").into()),
        };
        if let Err(problem) = saved {
            self.record.unwritten(problem.to_string());
        }
    }
}

impl Worlds {
    /// Returns true if a path refers to the file of the world, also through links.
    fn is_source(&self, path: &Path) -> bool {
        self.file.as_deref().is_some_and(|source| is_same_file(source, path))
    }
}

/// Returns true if two paths refer to the same file, also through links.
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &Path| fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()));
    identity(one).is_some_and(|one| identity(other) == Some(one))
}
