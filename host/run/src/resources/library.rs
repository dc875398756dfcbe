//! The places of resources: the search path, the folder of the loaded world, and the sources of the configuration.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use bridgehead_sdf::head::Head;
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Disk, NotFound, SearchPath, file_uri, locate};

use super::cache::Cache;
use super::scan::Scan;
use super::sources::Sources;
use crate::file_stamp::FileStamp;
use crate::thread::lock;

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
    /// Bounding boxes of models.
    rooms: Cache<[DVec3; 2]>,
}

impl Library {
    /// Creates a library that finds includes and meshes by `search`, and worlds at `sources`.
    #[must_use]
    pub fn new(search: SearchPath, sources: Sources) -> Self {
        Library { search, sources, state: Mutex::default() }
    }

    /// The search path of models and meshes.
    #[must_use]
    pub fn search(&self) -> &SearchPath {
        &self.search
    }

    /// The configured worlds.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The folder of the loaded world; relative addresses refer to it.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        self.state().folder.clone()
    }

    /// Sets the file of the loaded world; `None` for a world without a file, or without a world.
    pub fn set_world(&self, file: Option<&Path>) {
        let folder = file.and_then(Path::parent).map(|folder| std::path::absolute(folder.join(".")));
        self.state().folder = folder.and_then(Result::ok);
    }

    /// Returns the head of a file.
    pub(super) fn head(&self, path: &Path) -> Option<Head> {
        self.state().heads.head(path)
    }

    /// Returns the bounding box of the model in a file: the cached one, or the result of `measure`, which may be slow.
    pub(super) fn room(
        &self,
        file: &Path,
        measure: impl FnOnce() -> Option<Option<[DVec3; 2]>>,
    ) -> Option<Option<[DVec3; 2]>> {
        let stamp = FileStamp::of(file)?;
        let known = self.state().rooms.get(file, &stamp);
        if known.is_some() {
            return known;
        }
        // Without the lock, because the simulation thread queries the folder of its world.
        let found = measure()?;
        self.state().rooms.keep(file, stamp, found);
        Some(found)
    }

    /// Number of heads read, for tests.
    #[cfg(test)]
    pub(super) fn reads(&self) -> u64 {
        self.state().heads.reads
    }

    /// Adds sources in addition to the default ones. Returns those that do not exist.
    pub(super) fn add_named(&self, scan: &mut Scan, named: &[String]) -> Vec<String> {
        let folder = self.folder();
        let is_source =
            |scan: &mut Scan, name: &String| match locate(name, folder.as_deref(), &self.search, &Disk) {
                Ok(path) => scan.add(&path),
                Err(NotFound::Refused(path, kind)) => scan.refuse(&path, &kind),
                Err(NotFound::Network | NotFound::Nowhere(_)) => {
                    !name.is_empty() && !name.contains("://") && scan.add(Path::new(name))
                }
            };
        let most = usize::try_from(Limit::Sources.most()).unwrap_or(usize::MAX);
        scan.is_cut |= named.len() > most;
        named.iter().take(most).filter(|name| !is_source(scan, name)).cloned().collect()
    }

    /// Adds the folders of the search path and that of the loaded world. A missing folder is no error, because the
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

/// Returns a path as an address that the library accepts.
pub(super) fn uri_of(path: &Path) -> Option<String> {
    file_uri(&std::path::absolute(path).ok()?)
}
