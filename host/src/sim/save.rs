//! Saving the world as it stands: at the end of a run, and whenever somebody asks.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::save::Change;
use thiserror::Error;

use super::Simulation;
use crate::world::save::{NotSaved, write};

/// Which file may be written over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// None: the file must be new.
    #[default]
    Nothing,
    /// Any but the one the world came from.
    Others,
    /// Any, also the one the world came from.
    Source,
}

/// A world that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedWorld {
    /// The file.
    pub path: PathBuf,
    /// What could not be written back, and what is different there.
    pub notes: Vec<String>,
}

/// Why a world was not saved, or what to save was not taken in. Nothing has changed then.
#[derive(Debug, Error)]
pub enum SaveError {
    /// There is no world.
    #[error("[BH-RES-040] no world is loaded that could be saved; try: load one")]
    NoWorld,
    /// There is a file of that name.
    #[error("[BH-RES-041] `{}` is there already; try: another name, or ask for it to be written over", .0.display())]
    Exists(PathBuf),
    /// It is the file the world came from.
    #[error(
        "[BH-RES-042] `{}` is the file that the world comes from; try: another name, or ask for the source to be \
         written over",
        .0.display()
    )]
    Source(PathBuf),
    /// No such road.
    #[error("[BH-RES-043] the world has no road `{road}`; it has: {has}")]
    NoSuchRoad {
        /// What was asked for.
        road: String,
        /// Those there are.
        has: String,
    },
    /// A number that is no place, or no numbers at all.
    #[error("[BH-RES-044] {0}")]
    NoPlace(&'static str),
    /// The text or the file cannot be written.
    #[error(transparent)]
    NotSaved(#[from] NotSaved),
}

/// What somebody has set in the loaded world that simulation knows nothing of, for the next time it is saved.
#[derive(Debug, Default)]
pub(super) struct View {
    camera: Option<Pose>,
    roads: BTreeMap<String, Vec<DVec3>>,
}

impl View {
    fn changes(&self) -> impl Iterator<Item = Change> {
        let camera = self.camera.iter().map(|pose| Change::PlaceCamera { pose: *pose });
        let road = |(road, points): (&String, &Vec<DVec3>)| Change::SetRoad {
            road: road.clone(),
            points: points.clone(),
        };
        camera.chain(self.roads.iter().map(road))
    }
}

impl Simulation {
    /// Writes the world as it stands into a file, with what its author wrote kept, and with the camera and the roads
    /// that were set. A relative path is in the output folder of the run.
    ///
    /// # Errors
    /// There is no world, the file may not be written over, or it cannot be written; one that was there is unchanged.
    pub fn save_to(&mut self, path: &Path, overwrite: Overwrite) -> Result<SavedWorld, SaveError> {
        if self.loaded.is_none() {
            return Err(SaveError::NoWorld);
        }
        let path = self.config.output.join(path);
        let is_source = self.worlds.file.as_deref().is_some_and(|source| is_same_file(source, &path));
        match overwrite {
            Overwrite::Nothing if path.exists() => return Err(SaveError::Exists(path)),
            Overwrite::Nothing | Overwrite::Others if is_source => return Err(SaveError::Source(path)),
            Overwrite::Nothing | Overwrite::Others | Overwrite::Source => {}
        }
        let notes = self.save_world(&path)?;
        Ok(SavedWorld { path, notes })
    }

    /// The camera of a user interface looks from there when the world is saved.
    ///
    /// # Errors
    /// There is no world, or the pose is not finite.
    pub fn set_camera(&mut self, pose: Pose) -> Result<(), SaveError> {
        self.loaded.as_ref().ok_or(SaveError::NoWorld)?;
        if !pose.is_finite() {
            return Err(SaveError::NoPlace("the pose of the camera is not finite"));
        }
        self.worlds.view.camera = Some(pose);
        Ok(())
    }

    /// A road leads along these points, in metres and in the world, when the world is saved.
    ///
    /// # Errors
    /// There is no world or no such road, there are no points, or one is not finite.
    pub fn set_road(&mut self, road: &str, points: Vec<DVec3>) -> Result<(), SaveError> {
        let loaded = self.loaded.as_ref().ok_or(SaveError::NoWorld)?;
        if points.is_empty() {
            return Err(SaveError::NoPlace("a road without points leads nowhere"));
        }
        if !points.iter().all(|point| point.is_finite()) {
            return Err(SaveError::NoPlace("a point of the road is not finite"));
        }
        let world = loaded.document.root().child("world");
        let roads = world.into_iter().flat_map(|world| world.children_named("road"));
        let names: Vec<&str> = roads.filter_map(|road| road.attribute("name")).collect();
        if !names.contains(&road) {
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SaveError::NoSuchRoad { road: road.to_owned(), has });
        }
        self.worlds.view.roads.insert(road.to_owned(), points);
        Ok(())
    }

    /// Writes the world as it stands into a file; gives what is worth knowing about it.
    ///
    /// # Errors
    /// Where there is no world, or the file cannot be written; one that was there is then unchanged.
    fn save_world(&mut self, target: &Path) -> Result<Vec<String>, NotSaved> {
        let (Some(world), Some(loaded)) = (&self.world, &self.loaded) else {
            return Err(NotSaved::new(target, "there is none"));
        };
        let (contributions, mut notes) = self.models.saved_elements(world);
        let world = world.borrow();
        let mut changes = world.changes();
        changes.extend(contributions.into_iter().map(Change::Contribute));
        changes.extend(self.worlds.view.changes());
        notes.extend(write(loaded, &changes, target, world.search(), false)?);
        for note in &notes {
            log::warn!("{note}");
        }
        log::info!("the world is saved to `{}`", target.display());
        Ok(notes)
    }

    /// Writes the world at the end of a run, where that was asked for. The file of a world that was loaded later than
    /// the configuration was checked is left alone too.
    pub(super) fn save_at_end(&mut self) {
        let Some(target) = self.config.save.clone() else { return };
        let is_source = self.worlds.file.as_deref().is_some_and(|source| is_same_file(source, &target));
        let saved = if is_source {
            Err(SaveError::Source(target))
        } else {
            self.save_world(&target).map_err(SaveError::from)
        };
        if let Err(problem) = saved {
            self.note_error(problem.to_string());
        }
    }
}

/// Whether two paths lead to one file, by whatever links.
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &Path| fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()));
    identity(one).is_some_and(|one| identity(other) == Some(one))
}
