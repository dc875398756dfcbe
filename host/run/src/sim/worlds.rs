//! Loads of worlds: the prepared ones, the pending one, and the results of the ended ones.
//!
//! A load has two parts. [`Worlds::prepare`] makes all checks that are possible while the old world stays; a refusal
//! there changes nothing. Then the load is requested from the lifecycle; a failure from here on leaves the host without
//! a world, and [`Worlds::take_end`] returns the reason. From the moment the lifecycle begins the load until the world
//! is there, or until it is interrupted, it is the pending load.

pub(super) mod error;
pub(super) mod values;
pub(super) mod work;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_lifecycle::{Interrupt, Refusal, Request, StartIn, WorldRequest};
use bridgehead_sdf::Loaded;
use bridgehead_sdf::assign::Assignment;
use bridgehead_sdf::head::about;

pub(super) use work::Work;

use super::background::Background;
use super::prepare::PreparedWorld;
use crate::config::RunConfig;
use crate::resources::{Fetched, Library, Resource, ResourceKind, Strictness, WorldResource};
use error::{LoadError, MAX_WAITING};
use values::assignments;
use work::WorldLoad;

/// Maximum number of ended loads that are kept until their results are taken.
const MAX_ENDS: usize = 16;

/// The end of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// [`WorldRequest::world`] of the request.
    pub key: String,
    /// The world, or why it was not loaded.
    pub result: Result<WorldResource, LoadError>,
}

/// The load in progress. If it is dropped, the preparation is cancelled and its world never reaches the run.
pub(super) struct PendingLoad {
    /// [`WorldRequest::world`] of the request.
    pub(super) key: String,
    pub(super) work: Arc<Work>,
    /// Prepares the world.
    pub(super) task: Background<Result<PreparedWorld, LoadError>>,
}

/// The loads of a host.
pub struct Worlds {
    /// The load in progress.
    pub(super) pending: Option<PendingLoad>,
    library: Arc<Library>,
    pub(super) prepared: BTreeMap<String, (WorldLoad, Fetched)>,
    pub(super) ends: VecDeque<LoadEnd>,
    /// The file of the world that is loaded or loading.
    pub(super) file: Option<PathBuf>,
    /// The world with which the host was started, if any.
    start: Option<WorldLoad>,
    /// The world of the configuration, with the values to set in it.
    values: Option<(PathBuf, Vec<Assignment>)>,
    last_key: u64,
    loads: u64,
}

impl Worlds {
    pub(super) fn new(config: &RunConfig) -> Self {
        let search = config.world_search();
        Worlds {
            pending: None,
            library: Arc::new(Library::new(search, config.worlds.clone())),
            prepared: BTreeMap::new(),
            ends: VecDeque::new(),
            file: config.world.clone(),
            start: None,
            values: config.world.as_deref().map(|world| (absolute_path(world), assignments(config))),
            last_key: 0,
            loads: 0,
        }
    }

    /// Begins a load: the one prepared under that key, or else of that path.
    pub(super) fn begin(&mut self, key: &str) -> Work {
        let is_first = self.loads == 0;
        self.loads += 1;
        let work = match self.prepared.remove(key) {
            Some((load, fetched)) => {
                let strictness = load.strictness();
                Work { load, fetched: Some(fetched), strictness, is_first, values: Vec::new() }
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
                values: Vec::new(),
            },
        };
        let work = Work { values: self.values_of(&work), ..work };
        if is_first && work.fetched.is_none() {
            self.start = Some(work.load.clone());
        }
        self.file = work.file();
        work
    }

    fn values_of(&self, work: &Work) -> Vec<Assignment> {
        let Some((world, values)) = &self.values else { return Vec::new() };
        let is_it = work.file().is_some_and(|file| absolute_path(&file) == *world);
        if is_it { values.clone() } else { Vec::new() }
    }

    /// Returns the world with which the host was started; `None` if it was started without one.
    pub(super) fn start(&self) -> Option<&WorldLoad> {
        self.start.as_ref()
    }

    /// Interrupts the load in progress: its world never reaches the run.
    pub(super) fn interrupt(&mut self) {
        if let Some(PendingLoad { key, .. }) = self.pending.take() {
            self.end(&key, Err(LoadError::Interrupted));
        }
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
        if self.ends.len() >= MAX_ENDS {
            self.ends.pop_front();
        }
        self.ends.push_back(LoadEnd { key: key.to_owned(), result });
    }

    /// Forgets the file of the world after it was unloaded.
    pub(super) fn unloaded(&mut self) {
        self.file = None;
        self.library.set_world(None);
    }

    /// Returns the number of the newest load. It identifies the world for work that outlives a turn of the loop.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.loads
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
        self.prepare_fetched(load, fetched, start_in)
    }

    /// Prepares a load like [`Self::prepare`], of a world that another thread has read with [`Library::fetch`].
    ///
    /// # Errors
    /// Returns an error if too many loads wait.
    pub fn prepare_fetched(
        &mut self,
        load: WorldLoad,
        fetched: Fetched,
        start_in: StartIn,
    ) -> Result<WorldRequest, LoadError> {
        if self.prepared.len() >= MAX_WAITING {
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
    absolute_path(Path::new(path)).display().to_string()
}

fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
