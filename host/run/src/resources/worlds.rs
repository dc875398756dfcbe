//! Lists of worlds that can be loaded. Not for the simulation thread: files are read.

use std::path::{Path, PathBuf};

use bridgehead_sdf::head::{About, Content};

use super::library::{Library, uri_of};
use super::resource::Resource;
use super::scan::{Found, Scan};
use super::tags::TagFilter;

/// A world that can be loaded or is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldResource {
    /// Name of the world.
    pub name: String,
    /// Address for loading it.
    pub resource: Resource,
    /// Description by its author.
    pub description: String,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A query for worlds.
#[derive(Clone, Debug, Default)]
pub struct WorldQuery {
    /// Folders and files searched in addition to the default sources.
    pub additional: Vec<String>,
    /// Required tags.
    pub filter: TagFilter,
}

/// Result of a search for worlds.
#[derive(Clone, Debug, Default)]
pub struct WorldList {
    /// The worlds, in the order of the sources, then by path.
    pub worlds: Vec<WorldResource>,
    /// Missing sources of the configuration.
    pub failed: Vec<String>,
    /// Missing sources of the query.
    pub unrecognised: Vec<String>,
    /// Sources that exist but cannot be read, with the reason.
    pub unreadable: Vec<String>,
    /// True if a limit of the search was reached.
    pub is_cut: bool,
}

impl Library {
    /// Returns the worlds of the default sources and of the query. Only the beginning of each changed file is read. May
    /// be slow on large folders: not for the simulation thread.
    #[must_use]
    pub fn worlds(&self, query: &WorldQuery) -> WorldList {
        let mut scan = Scan::new();
        let failed = self.add_default_worlds(&mut scan);
        let unrecognised = self.add_named(&mut scan, &query.additional);
        let unreadable = std::mem::take(&mut scan.unreadable);
        let worlds = scan.found.iter().filter_map(|found| self.world(found));
        let worlds = worlds.filter(|world| query.filter.accepts(&world.tags)).collect();
        WorldList { worlds, failed, unrecognised, unreadable, is_cut: scan.is_cut }
    }

    /// Returns the missing sources.
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

    /// Combines a world's own description with the configured one.
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

    /// Returns the file of the first world of that name.
    pub(super) fn world_named(&self, name: &str) -> Option<PathBuf> {
        let mut scan = Scan::new();
        self.add_default_worlds(&mut scan);
        let is_it = |path: &PathBuf| {
            self.head(path).is_some_and(|head| head.content == Content::World && head.name == name)
        };
        scan.found.into_iter().filter_map(Found::into_file).find(is_it)
    }
}
