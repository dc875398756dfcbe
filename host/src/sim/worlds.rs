//! The world of a running host: what is prepared to be loaded, what is loaded, and how loads have ended.
//!
//! A load has two parts. What can be checked while the old world stands is checked by [`Simulation::prepare_load`];
//! a refusal there changes nothing. Then the lifecycle is asked for the load; what fails from here on leaves the host
//! without a world, and [`Simulation::take_load_end`] has the reason.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_lifecycle::{Cause, Interrupt, Refusal, Request, StartIn, WorldRequest};
use bridgehead_sdf::head::about;
use bridgehead_sdf::{Loaded, SearchPath};
use thiserror::Error;

use super::Simulation;
use super::save::View;
use crate::config::RunConfig;
use crate::resources::{Fetched, Library, Resource, ResourceError, ResourceKind, Strictness, WorldResource};

/// Loads that may wait at once.
const MOST_WAITING: usize = 16;
/// Ends of loads that are kept for those who asked.
const MOST_ENDS: usize = 16;

/// A world to load, and what its asker does not put up with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldLoad {
    /// The world.
    pub resource: Resource,
    /// Elements without effect are refused.
    pub fail_on_unsupported_element: bool,
    /// Files that are missing or cannot be used are only named in the log.
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
    /// The world itself is to blame.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// There is no world to load again.
    #[error("[BH-RES-020] no world is loaded that could be loaded again; try: load one")]
    NoWorld,
    /// Others asked before, and wait.
    #[error("[BH-RES-021] {MOST_WAITING} loads wait already; try: ask again when they have ended")]
    TooMany,
    /// What the host was to make of it could not be made; the text begins with its code.
    #[error("{0}")]
    Failed(String),
}

/// How a load has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// [`WorldRequest::world`] of the request.
    pub key: String,
    /// The world, or why there is none.
    pub result: Result<WorldResource, LoadError>,
}

/// A load that the lifecycle has begun.
pub(super) struct Work {
    /// What was asked for, and how.
    pub(super) load: WorldLoad,
    /// Its text; `None` for the world of the command line, which is read when it is loaded.
    pub(super) fetched: Option<Fetched>,
    pub(super) strictness: Strictness,
    /// Whether it is the first of this process: only that one is what the configuration is about.
    pub(super) is_first: bool,
}

impl Work {
    /// The file, where the world comes from one.
    pub(super) fn file(&self) -> Option<PathBuf> {
        match &self.fetched {
            Some(fetched) => fetched.path.clone(),
            None => Some(PathBuf::from(&self.load.resource.uri)),
        }
    }
}

/// Everything about worlds that outlives one of them.
pub(super) struct Worlds {
    library: Arc<Library>,
    pub(super) prepared: BTreeMap<String, (WorldLoad, Fetched)>,
    pub(super) ends: VecDeque<LoadEnd>,
    current: Option<(WorldLoad, WorldResource)>,
    /// The file of the world that is loaded or loading.
    pub(super) file: Option<PathBuf>,
    /// What is set for the next time it is saved.
    pub(super) view: View,
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
            current: None,
            file: config.world.clone(),
            view: View::default(),
            last_key: 0,
            loads: 0,
        }
    }

    pub(super) fn search(&self) -> &SearchPath {
        self.library.search()
    }

    /// Begins a load: what was prepared under that key, or else a path.
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

    /// Keeps what was loaded.
    pub(super) fn loaded(&mut self, key: &str, work: Work, loaded: &Loaded) {
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
        self.current = Some((work.load, world));
    }

    pub(super) fn end(&mut self, key: &str, result: Result<WorldResource, LoadError>) {
        if self.ends.len() >= MOST_ENDS {
            self.ends.pop_front();
        }
        self.ends.push_back(LoadEnd { key: key.to_owned(), result });
    }

    /// The world is gone.
    pub(super) fn unloaded(&mut self) {
        self.current = None;
        self.file = None;
        self.view = View::default();
        self.library.set_world(None);
    }
}

fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

impl Simulation {
    /// Where worlds and models are found. Lists are to be made outside the simulation thread.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.worlds.library
    }

    /// Checks what can be checked of a world while the present one stands, and gives the request to ask the lifecycle
    /// for. A load that is then not asked for is to be forgotten with [`Simulation::forget_load`].
    ///
    /// # Errors
    /// Nothing was given, the format is not read, or there is no such file; the present world is untouched.
    pub fn prepare_load(&mut self, load: WorldLoad, start_in: StartIn) -> Result<WorldRequest, LoadError> {
        let fetched = self.worlds.library.fetch(&load.resource, ResourceKind::World)?;
        self.prepare_fetched(load, fetched, start_in)
    }

    /// The same for a world whose text is there already. A name may have to be looked for in many folders, which a
    /// thread of its own does better: that takes the [`Library`] and hands over what it found.
    ///
    /// # Errors
    /// Too many loads wait already; the present world is untouched.
    pub fn prepare_fetched(
        &mut self,
        load: WorldLoad,
        fetched: Fetched,
        start_in: StartIn,
    ) -> Result<WorldRequest, LoadError> {
        if self.worlds.prepared.len() >= MOST_WAITING {
            return Err(LoadError::TooMany);
        }
        self.worlds.last_key += 1;
        let key = format!("{} (load {})", load.resource.shown(), self.worlds.last_key);
        self.worlds.prepared.insert(key.clone(), (load, fetched));
        Ok(WorldRequest { world: key, start_in })
    }

    /// Prepares to load the present world again from where it came: its file is read anew.
    ///
    /// # Errors
    /// There is no world, or its file is gone; nothing has changed then.
    pub fn prepare_reload(&mut self, start_in: StartIn) -> Result<WorldRequest, LoadError> {
        let load = self.worlds.current.as_ref().map(|(load, _)| load.clone()).ok_or(LoadError::NoWorld)?;
        self.prepare_load(load, start_in)
    }

    /// Forgets a load that was prepared and is not wanted any more.
    pub fn forget_load(&mut self, request: &WorldRequest) {
        self.worlds.prepared.remove(&request.world);
    }

    /// How a load has ended; `None` while it has not, or once that was taken.
    pub fn take_load_end(&mut self, request: &WorldRequest) -> Option<LoadEnd> {
        let place = self.worlds.ends.iter().position(|end| end.key == request.world)?;
        self.worlds.ends.remove(place)
    }

    /// The world that is loaded.
    #[must_use]
    pub fn current_world(&self) -> Option<&WorldResource> {
        self.worlds.current.as_ref().map(|(_, world)| world)
    }

    /// A request that the lifecycle refused: a load that is not to be is forgotten, and its asker told.
    pub(super) fn forget_refused(&mut self, request: &Request, refusal: &Refusal) {
        let Interrupt::LoadWorld(world) = &request.interrupt else { return };
        if self.worlds.prepared.remove(&world.world).is_some() {
            self.worlds.end(&world.world, Err(LoadError::Failed(refusal.to_string())));
        }
    }

    /// Asks for the world of the configuration.
    pub(super) fn ask_for_first_world(&mut self) {
        let Some(world) = &self.config.world else { return };
        let request =
            WorldRequest { world: world.to_string_lossy().into_owned(), start_in: self.config.start };
        self.lifecycle.ask(Request::new(Interrupt::LoadWorld(request), Cause::CommandLine));
    }
}
