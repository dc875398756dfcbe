//! Where resources are found: the search path, the folder of the loaded world, and what the configuration names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_sdf::head::Head;
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Disk, SearchPath, locate};

use super::Sources;
use super::cache::{Cache, stamp_of};
use super::scan::Scan;

/// Finds worlds and models. Usable from any thread.
#[derive(Debug)]
pub struct Library {
    search: SearchPath,
    sources: Sources,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The folder of the loaded world.
    folder: Option<PathBuf>,
    heads: Cache<Head>,
    /// The room that models take.
    rooms: Cache<[DVec3; 2]>,
}

impl Library {
    /// A library that finds includes and meshes by `search`, and worlds at `sources`.
    #[must_use]
    pub fn new(search: SearchPath, sources: Sources) -> Self {
        Library { search, sources, state: Mutex::default() }
    }

    /// Where models and meshes are looked up.
    #[must_use]
    pub fn search(&self) -> &SearchPath {
        &self.search
    }

    /// What the configuration says of worlds.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of the loaded world, which relative addresses are seen from.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        self.state().folder.clone()
    }

    /// Another world is loaded, from this file; `None` for one without a file, or none at all.
    pub fn set_world(&self, file: Option<&Path>) {
        let folder = file.and_then(Path::parent).map(|folder| std::path::absolute(folder.join(".")));
        self.state().folder = folder.and_then(Result::ok);
    }

    /// The head of a file.
    pub(super) fn head(&self, path: &Path) -> Option<Head> {
        self.state().heads.head(path)
    }

    /// The room that the model in a file takes, where that is known or `measure` says it, which may take its time.
    pub(super) fn room(
        &self,
        file: &Path,
        measure: impl FnOnce() -> Option<Option<[DVec3; 2]>>,
    ) -> Option<Option<[DVec3; 2]>> {
        let stamp = stamp_of(file)?;
        let known = self.state().rooms.get(file, &stamp);
        if known.is_some() {
            return known;
        }
        // Not under the lock: the simulation asks for the folder of its world.
        let found = measure()?;
        self.state().rooms.keep(file, stamp, found);
        Some(found)
    }

    /// How many heads were read, for tests.
    #[cfg(test)]
    pub(super) fn reads(&self) -> u64 {
        self.state().heads.reads
    }

    /// Adds what somebody named beside the default sources; gives what is no source.
    pub(super) fn add_named(&self, scan: &mut Scan, named: &[String]) -> Vec<String> {
        let folder = self.folder();
        let is_source =
            |scan: &mut Scan, name: &String| match locate(name, folder.as_deref(), &self.search, &Disk) {
                Ok(path) => scan.add(&path),
                Err(_) => !name.is_empty() && !name.contains("://") && scan.add(Path::new(name)),
            };
        named.iter().filter(|name| !is_source(scan, name)).cloned().collect()
    }

    /// Adds the folders of the search path and that of the loaded world. One that is not there is no mistake: the
    /// search path comes from the environment.
    pub(super) fn add_usual(&self, scan: &mut Scan) {
        for folder in self.search.folders() {
            scan.add(folder);
        }
        if let Some(folder) = self.folder() {
            scan.add(&folder);
        }
    }
}

/// A path as an address that is understood again.
pub(super) fn uri_of(path: &Path) -> Option<String> {
    Some(format!("file://{}", std::path::absolute(path).ok()?.to_str()?))
}
