//! Lists of models that can be spawned. Not for the simulation thread: files are read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bridgehead_sdf::head::{Content, Head};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Disk, Document, Files as _, ModelConfig, Source, model_config};

use super::fetch::file_of_folder;
use super::library::{Library, uri_of};
use super::resource::Resource;
use super::scan::{Found, Scan};
use crate::clock;
use crate::world::entities::{SpawnSource, bounds_of_source};

/// A model that can be spawned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spawnable {
    /// Name of the model.
    pub name: String,
    /// Address for spawning it.
    pub resource: Resource,
    /// Description by its author.
    pub description: String,
    /// Lowest and highest corner of the bounding box of its collisions, in the model frame; `None` if it has only
    /// unbounded collisions, if it cannot be spawned, and before [`Library::measure`].
    pub room: Option<[DVec3; 2]>,
    /// The file whose stamp detects changes.
    file: PathBuf,
}

/// Result of a search for models.
#[derive(Clone, Debug, Default)]
pub struct SpawnableList {
    /// The models, in the order of the sources, then by path.
    pub spawnables: Vec<Spawnable>,
    /// Missing sources.
    pub unrecognised: Vec<String>,
    /// Sources that exist but cannot be read, with the reason.
    pub unreadable: Vec<String>,
    /// True if a limit of the search was reached.
    pub is_cut: bool,
    /// Number of models that are not measured yet.
    pub unmeasured: usize,
}

impl Library {
    /// Returns the models on the search path, in the folder of the loaded world, and at `sources`: folders with a
    /// `model.config`, SDF files with `<model>` outermost, and URDF files. Only the beginning of each file is read. Not
    /// for the simulation thread.
    #[must_use]
    pub fn spawnables(&self, sources: &[String]) -> SpawnableList {
        let mut scan = Scan::new();
        self.add_usual(&mut scan);
        let unrecognised = self.add_named(&mut scan, sources);
        let unreadable = std::mem::take(&mut scan.unreadable);
        let spawnables: Vec<Spawnable> =
            scan.found.iter().filter_map(|found| self.spawnable(found)).collect();
        let unmeasured = spawnables.len();
        SpawnableList { spawnables, unrecognised, unreadable, is_cut: scan.is_cut, unmeasured }
    }

    /// Measures the models of a list, each once until its file changes. This reads all models with their meshes, so it
    /// ends after `patience`; the next call continues. Not for the simulation thread.
    pub fn measure(&self, list: &mut SpawnableList, patience: Duration) {
        let begin = clock::now();
        for spawnable in &mut list.spawnables {
            let source = SpawnSource::File(spawnable.resource.uri.clone());
            let measure = || (begin.elapsed() < patience).then(|| bounds_of_source(&source, self.search()));
            if let Some(room) = self.room(&spawnable.file, measure) {
                spawnable.room = room;
                list.unmeasured -= 1;
            }
        }
    }

    fn spawnable(&self, found: &Found) -> Option<Spawnable> {
        let (Found::File(path) | Found::Model(path)) = found;
        let (head, file) = self.model_head(found)?;
        let config = match found {
            Found::File(_) => ModelConfig::default(),
            Found::Model(folder) => read_config(folder)?,
        };
        let name = if head.name.is_empty() { config.name } else { head.name };
        let resource = Resource::at(uri_of(path)?);
        Some(Spawnable { name, resource, description: config.description, room: None, file })
    }

    fn model_head(&self, found: &Found) -> Option<(Head, PathBuf)> {
        let file = match found {
            Found::File(file) => file.clone(),
            Found::Model(folder) => file_of_folder("", folder).ok()?,
        };
        let head = self.head(&file)?;
        matches!(head.content, Content::Model | Content::Robot).then_some((head, file))
    }

    /// Returns the file or folder of the first model of that name.
    pub(super) fn spawnable_named(&self, name: &str) -> Option<PathBuf> {
        let mut scan = Scan::new();
        self.add_usual(&mut scan);
        let is_it = |found: &Found| self.spawnable(found).is_some_and(|spawnable| spawnable.name == name);
        scan.found.into_iter().find(is_it).map(|found| match found {
            Found::File(path) | Found::Model(path) => path,
        })
    }
}

fn read_config(folder: &Path) -> Option<ModelConfig> {
    let path = folder.join("model.config");
    let text = Disk.read(&path, Limit::Head.most()).ok()?;
    Some(model_config(&Document::parse(Source::from_file(&path, text)).ok()?))
}
