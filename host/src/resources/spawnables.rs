//! The models there are to spawn.

use std::fs;
use std::path::{Path, PathBuf};

use super::fetch::file_of_folder;
use super::library::uri_of;
use super::scan::{Found, Scan};
use super::{Library, Resource};
use crate::sdf::head::{Content, Head};
use crate::sdf::{Document, ModelConfig, Source, model_config};

/// A model that can be spawned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spawnable {
    /// Name of the model.
    pub name: String,
    /// What to give to spawn it.
    pub resource: Resource,
    /// What its author says of it.
    pub description: String,
}

/// Models that were found.
#[derive(Clone, Debug, Default)]
pub struct SpawnableList {
    /// The models, in the order of the sources, then by path.
    pub spawnables: Vec<Spawnable>,
    /// Sources that are not there.
    pub unrecognised: Vec<String>,
    /// Whether there was more than is looked at.
    pub is_cut: bool,
}

impl Library {
    /// The models on the search path, in the folder of the loaded world, and at `sources`: folders with a
    /// `model.config`, SDF files with a model outermost, and URDF files. As for worlds, only the beginning of each
    /// file is read, and it is not for the simulation thread.
    #[must_use]
    pub fn spawnables(&self, sources: &[String]) -> SpawnableList {
        let mut scan = Scan::new();
        self.add_usual(&mut scan);
        let unrecognised = self.add_named(&mut scan, sources);
        let spawnables = scan.found.iter().filter_map(|found| self.spawnable(found)).collect();
        SpawnableList { spawnables, unrecognised, is_cut: scan.is_cut }
    }

    fn spawnable(&self, found: &Found) -> Option<Spawnable> {
        let (Found::File(path) | Found::Model(path)) = found;
        let head = self.model_head(found)?;
        let config = match found {
            Found::File(_) => ModelConfig::default(),
            Found::Model(folder) => read_config(folder)?,
        };
        let name = if head.name.is_empty() { config.name } else { head.name };
        Some(Spawnable { name, resource: Resource::at(uri_of(path)?), description: config.description })
    }

    fn model_head(&self, found: &Found) -> Option<Head> {
        let file = match found {
            Found::File(file) => file.clone(),
            Found::Model(folder) => file_of_folder("", folder).ok()?,
        };
        self.head(&file).filter(|head| matches!(head.content, Content::Model | Content::Robot))
    }

    /// The file or folder of the first model of that name.
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
    let text = fs::read_to_string(&path).ok()?;
    Some(model_config(&Document::parse(Source::from_file(&path, text)).ok()?))
}
