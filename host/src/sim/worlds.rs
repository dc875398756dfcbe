//! Loads of worlds: the prepared ones, and the results of the ended ones.
//!
//! A load has two parts. [`Worlds::prepare`] makes all checks that are possible while the old world stays; a refusal
//! there changes nothing. Then the load is requested from the lifecycle; a failure from here on leaves the host without
//! a world, and [`Worlds::take_end`] returns the reason.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_lifecycle::{Interrupt, Refusal, Request, StartIn, WorldRequest};
use bridgehead_sdf::head::about;
use bridgehead_sdf::{self as sdf, Disk, Loaded, SearchPath};
use thiserror::Error;

use super::poses::PoseError;
use super::sensors::SensorError;
use crate::bridge::AttachError;
use crate::config::RunConfig;
use crate::resources::{Fetched, Library, Resource, ResourceError, ResourceKind, Strictness, WorldResource};
use crate::world::{BuildError, RestoreError};

/// Maximum number of waiting loads.
const MOST_WAITING: usize = 16;
/// Maximum number of ended loads that are kept until their results are taken.
const MOST_ENDS: usize = 16;

/// A world to load, and what the request refuses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldLoad {
    /// The world.
    pub resource: Resource,
    /// Elements without effect are refused.
    pub fail_on_unsupported_element: bool,
    /// Files that are missing or unusable are only reported in the log.
    pub ignore_missing_or_unsupported_assets: bool,
}

impl WorldLoad {
    fn strictness(&self) -> Strictness {
        Strictness {
            refuses_elements: self.fail_on_unsupported_element,
            refuses_assets: !self.ignore_missing_or_unsupported_assets,
        }
    }
}

/// Why a world was not loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The resource of the world cannot be used.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// There is no world to reload.
    #[error("[BH-RES-020] no world is loaded that could be loaded again; try: load one")]
    NoWorld,
    /// Too many loads wait.
    #[error("[BH-RES-021] {MOST_WAITING} loads wait already; try: again when they have ended")]
    TooMany,
    /// Physics, plugins, bridges or the configuration do not fit the world; the text begins with its code.
    #[error("{0}")]
    Failed(String),
}

/// Errors with the same result code for clients of the control plane.
macro_rules! failed {
    ($($error:ty),*) => {
        $(impl From<$error> for LoadError {
            fn from(error: $error) -> Self {
                LoadError::Failed(error.to_string())
            }
        })*
    };
}

failed!(AttachError, BuildError, PoseError, RestoreError, SensorError);

/// The end of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// [`WorldRequest::world`] of the request.
    pub key: String,
    /// The world, or why it was not loaded.
    pub result: Result<WorldResource, LoadError>,
}

/// A load that the lifecycle has begun.
pub(super) struct Work {
    /// The request.
    pub(super) load: WorldLoad,
    /// The text; `None` for the world of the command line, which is read when it is loaded.
    pub(super) fetched: Option<Fetched>,
    pub(super) strictness: Strictness,
    /// Whether it is the first load of the process. The configuration refers to that world.
    pub(super) is_first: bool,
}

impl Work {
    /// Returns the file that the world comes from, if any.
    pub(super) fn file(&self) -> Option<PathBuf> {
        match &self.fetched {
            Some(fetched) => fetched.path.clone(),
            None => Some(PathBuf::from(&self.load.resource.uri)),
        }
    }
}

/// The loads of a host.
pub struct Worlds {
    library: Arc<Library>,
    pub(super) prepared: BTreeMap<String, (WorldLoad, Fetched)>,
    pub(super) ends: VecDeque<LoadEnd>,
    /// The file of the world that is loaded or loading.
    pub(super) file: Option<PathBuf>,
    last_key: u64,
    loads: u64,
}

impl Worlds {
    pub(super) fn new(config: &RunConfig) -> Self {
        let search = SearchPath::default().with_environment(|name| std::env::var_os(name));
        Worlds {
            library: Arc::new(Library::new(search, config.worlds.clone())),
            prepared: BTreeMap::new(),
            ends: VecDeque::new(),
            file: config.world.clone(),
            last_key: 0,
            loads: 0,
        }
    }

    pub(super) fn search(&self) -> &SearchPath {
        self.library.search()
    }

    /// Begins a load: the one prepared under that key, or else of that path.
    pub(super) fn begin(&mut self, key: &str) -> Work {
        let is_first = self.loads == 0;
        self.loads += 1;
        let work = match self.prepared.remove(key) {
            Some((load, fetched)) => {
                let strictness = load.strictness();
                Work { load, fetched: Some(fetched), strictness, is_first }
            }
            None => Work {
                load: WorldLoad {
                    resource: Resource::at(absolute(key)),
                    ignore_missing_or_unsupported_assets: true,
                    ..WorldLoad::default()
                },
                fetched: None,
                strictness: Strictness::LENIENT,
                is_first,
            },
        };
        self.file = work.file();
        work
    }

    /// Reads the world of a load.
    ///
    /// # Errors
    /// Returns an error if the file is missing or the text cannot be parsed.
    pub(super) fn read(&self, work: &Work) -> Result<Loaded, LoadError> {
        let Some(fetched) = &work.fetched else {
            let file = work.file().unwrap_or_default();
            return sdf::load(&file, self.search()).map_err(|error| LoadError::Failed(error.to_string()));
        };
        sdf::load_source(&Disk, fetched.source(), self.search()).map_err(|error| {
            let (shown, finding) = (work.load.resource.shown().to_owned(), error.to_string());
            ResourceError::Parse { shown, finding }.into()
        })
    }

    /// Ends a load with success. Returns the description of its world.
    pub(super) fn loaded(&mut self, key: &str, work: &Work, loaded: &Loaded) -> WorldResource {
        let about = about(&loaded.document);
        let about = match &self.file {
            Some(file) => self.library.described(file, about),
            None => about,
        };
        let world = WorldResource {
            name: loaded.world.name.clone(),
            resource: work.load.resource.clone(),
            description: about.description,
            tags: about.tags,
        };
        self.library.set_world(self.file.as_deref());
        self.end(key, Ok(world.clone()));
        world
    }

    pub(super) fn end(&mut self, key: &str, result: Result<WorldResource, LoadError>) {
        if self.ends.len() >= MOST_ENDS {
            self.ends.pop_front();
        }
        self.ends.push_back(LoadEnd { key: key.to_owned(), result });
    }

    /// Forgets the file of the world after it was unloaded.
    pub(super) fn unloaded(&mut self) {
        self.file = None;
        self.library.set_world(None);
    }

    /// Returns the library of worlds and models. Lists should be made outside the simulation thread.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Makes all checks of a world that are possible while the current one stays. Returns the request for the
    /// lifecycle; if it is not submitted, [`Self::forget`] it.
    ///
    /// # Errors
    /// Returns an error if nothing was given, the format is not supported, or the file is missing. The current world is
    /// unchanged.
    pub fn prepare(&mut self, load: WorldLoad, start_in: StartIn) -> Result<WorldRequest, LoadError> {
        let fetched = self.library.fetch(&load.resource, ResourceKind::World)?;
        if self.prepared.len() >= MOST_WAITING {
            return Err(LoadError::TooMany);
        }
        self.last_key += 1;
        let key = format!("{} (load {})", load.resource.shown(), self.last_key);
        self.prepared.insert(key.clone(), (load, fetched));
        Ok(WorldRequest { world: key, start_in })
    }

    /// Forgets a prepared load.
    pub fn forget(&mut self, request: &WorldRequest) {
        self.prepared.remove(&request.world);
    }

    /// Takes the end of a load; `None` if it has not ended, or its end was taken before.
    pub fn take_end(&mut self, request: &WorldRequest) -> Option<LoadEnd> {
        let place = self.ends.iter().position(|end| end.key == request.world)?;
        self.ends.remove(place)
    }

    /// Ends the load of a request that the lifecycle refused.
    pub(super) fn end_refused(&mut self, request: &Request, refusal: &Refusal) {
        let Interrupt::LoadWorld(world) = &request.interrupt else { return };
        if self.prepared.remove(&world.world).is_some() {
            self.end(&world.world, Err(LoadError::Failed(refusal.to_string())));
        }
    }
}

fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}
