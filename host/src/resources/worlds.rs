//! The worlds there are to load.

use std::path::{Path, PathBuf};

use bridgehead_sdf::head::{About, Content};

use super::library::uri_of;
use super::scan::{Found, Scan};
use super::{Library, Resource, TagFilter};

/// A world that can be loaded, or is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldResource {
    /// Name of the world.
    pub name: String,
    /// What to give to load it.
    pub resource: Resource,
    /// What its author says of it.
    pub description: String,
    /// Its tags.
    pub tags: Vec<String>,
}

/// Which worlds are wanted.
#[derive(Clone, Debug, Default)]
pub struct WorldQuery {
    /// Folders and files to look at beside the default sources.
    pub additional: Vec<String>,
    /// Tags that are wanted.
    pub filter: TagFilter,
}

/// Worlds that were found.
#[derive(Clone, Debug, Default)]
pub struct WorldList {
    /// The worlds, in the order of the sources, then by path.
    pub worlds: Vec<WorldResource>,
    /// Sources of the configuration that are not there.
    pub failed: Vec<String>,
    /// Sources of the query that are not there.
    pub unrecognised: Vec<String>,
    /// Whether there was more than is looked at.
    pub is_cut: bool,
}

impl Library {
    /// The worlds of the default sources and those of the query. Only the beginning of each file is read, and that
    /// only where the file has changed. May take a while on large folders: not for the simulation thread.
    #[must_use]
    pub fn worlds(&self, query: &WorldQuery) -> WorldList {
        let mut scan = Scan::new();
        let failed = self.add_default_worlds(&mut scan);
        let unrecognised = self.add_named(&mut scan, &query.additional);
        let worlds = scan.found.iter().filter_map(|found| self.world(found));
        let worlds = worlds.filter(|world| query.filter.accepts(&world.tags)).collect();
        WorldList { worlds, failed, unrecognised, is_cut: scan.is_cut }
    }

    /// Gives the sources that are not there.
    fn add_default_worlds(&self, scan: &mut Scan) -> Vec<String> {
        let places = &self.sources().places;
        let mut failed = Vec::new();
        if places.is_empty() {
            self.add_usual(scan);
        }
        let described = self.sources().described.iter().map(|world| &world.path);
        for place in places.iter().chain(described) {
            if !scan.add(place) {
                failed.push(place.display().to_string());
            }
        }
        failed
    }

    fn world(&self, found: &Found) -> Option<WorldResource> {
        let Found::File(path) = found else { return None };
        let head = self.head(path).filter(|head| head.content == Content::World)?;
        let about = self.described(path, head.about);
        let resource = Resource::at(uri_of(path)?);
        Some(WorldResource { name: head.name, resource, description: about.description, tags: about.tags })
    }

    /// What a world says of itself, with what the configuration says of it.
    #[must_use]
    pub fn described(&self, path: &Path, mut about: About) -> About {
        let described = &self.sources().described;
        if described.is_empty() {
            return about;
        }
        let real = path.canonicalize().ok();
        for world in described.iter().filter(|world| world.path.canonicalize().ok() == real) {
            if !world.description.is_empty() {
                about.description.clone_from(&world.description);
            }
            for tag in &world.tags {
                if !about.tags.contains(tag) {
                    about.tags.push(tag.clone());
                }
            }
        }
        about
    }

    /// The file of the first world of that name.
    pub(super) fn world_named(&self, name: &str) -> Option<PathBuf> {
        let mut scan = Scan::new();
        self.add_default_worlds(&mut scan);
        let is_it = |path: &PathBuf| {
            self.head(path).is_some_and(|head| head.content == Content::World && head.name == name)
        };
        scan.found.into_iter().filter_map(Found::into_file).find(is_it)
    }
}
