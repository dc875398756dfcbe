//! Plugin libraries of a run: what is known of `.so` files, which libraries are open, and the host objects that they
//! get.
//!
//! A library is opened when the run names one of its plugins for the first time. Opening it runs its constructors, its
//! `init`, and the `register` of its plugins. Simulation thread only.

use std::cell::{Ref, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use bridgehead_abi::status;

use super::error::SimError;
use super::problems::log_problem;
use crate::api::context::params::ParamsView;
use crate::api::context::{Context, Owner};
use crate::api::shared::Shared;
use crate::bridge::BridgeRegistry;
use crate::config::{BridgeRequest, RunConfig};
use crate::plugin::watch::FileWatch;
use crate::plugin::{
    Code, Factory, FileFinding, FileNews, Kind, KnownPlugin, LibraryHosts, LibraryIndex, Linkage,
    LoadOptions, Metadata, PluginSet, Refusal, is_script,
};
use crate::report::Versions;
use crate::worker::WorkerLimits;
use crate::{call, worker};

/// The plugins of a run. Opened libraries stay loaded until the process ends.
pub struct Libraries {
    shared: Arc<Shared>,
    isolation: Isolation,
    strict: bool,
    /// Borrowed mutably only while a library is opened, which no function of the host for plugins does.
    open: RefCell<OpenLibraries>,
    /// Reports changed files, from the first opened library on.
    watch: RefCell<Option<FileWatch>>,
}

/// The plugins, and what their libraries have registered.
#[derive(Default)]
pub(super) struct OpenLibraries {
    pub(super) plugins: PluginSet,
    pub(super) registry: BridgeRegistry,
    /// Ids of the model plugins whose `register` was called, with their libraries.
    registered: BTreeSet<(String, LibraryIndex)>,
    findings: OpeningFindings,
}

/// The findings about libraries that were opened, or refused when they were opened.
#[derive(Default)]
struct OpeningFindings {
    /// All of them, in order.
    problems: Vec<String>,
    /// The first one about the temporary folder, which concerns every plugin.
    unusable: Option<String>,
}

impl Libraries {
    /// Finds the plugins of the search path, and opens the libraries with message types of their own, because clients and
    /// other plugins can use such types without naming a plugin. Also returns the problems that did not end the run.
    ///
    /// # Errors
    /// Returns an error if the temporary folder cannot be used, or if the run is strict and there is a problem.
    pub(super) fn load(config: &RunConfig, shared: &Arc<Shared>) -> Result<(Self, Vec<String>), SimError> {
        register_standard_types(shared);
        let options = LoadOptions { strict: config.strict, ..LoadOptions::default() };
        let plugins = PluginSet::search(&config.search, options);
        let isolation = Isolation::of(config);
        isolation.check(config, &plugins)?;
        let findings = OpeningFindings { problems: file_problems(&plugins), unusable: None };
        // The first one ends a strict run, as an error.
        let told = findings.problems.iter().skip(usize::from(config.strict));
        told.for_each(|problem| log_problem(problem, config.strict));
        let open = OpenLibraries { plugins, findings, ..OpenLibraries::default() };
        let libraries = Libraries {
            shared: Arc::clone(shared),
            isolation,
            strict: config.strict,
            open: RefCell::new(open),
            watch: RefCell::default(),
        };
        libraries.open_providers();
        let problems = libraries.take_problems().map_err(SimError::Plugins)?;
        Ok((libraries, problems))
    }

    /// Opens the libraries with message types of their own.
    fn open_providers(&self) {
        let provides = |plugin: &&KnownPlugin| !plugin.metadata.provides.is_empty();
        let identify = |plugin: &KnownPlugin| (plugin.metadata.kind, plugin.metadata.id.clone());
        let providers: Vec<(Kind, String)> = self.plugins().iter().filter(provides).map(identify).collect();
        for (kind, id) in providers {
            self.open(kind, &id);
        }
    }

    /// Reads the plugin files again that are new or have changed, for a world that is being loaded. Its plugins are
    /// those that the files contain then; bridges that stay attached keep the version they have.
    pub(super) fn refresh(&self) {
        let news = self.open.borrow_mut().refresh();
        if news {
            self.open_providers();
        }
        self.watch_files();
    }

    /// Leaves out the bridges whose plugins do not exist. For the safe mode, in which those of third parties do not.
    pub(super) fn leave_out_unknown(&self, bridges: &mut Vec<BridgeRequest>) {
        let open = self.open.borrow();
        bridges.retain(|request| {
            let exists = open.plugins.find(Kind::Bridge, &request.name).is_some();
            if !exists {
                let (name, attach) = (&request.name, &request.attach);
                log::warn!("[BH-BRG-026] safe mode: the bridge `{name}` of `{attach}` is left out");
            }
            exists
        });
    }

    /// Opens the library of a plugin, unless it is open, and lets its plugins register. Returns true if the plugin can be
    /// used.
    pub(super) fn open(&self, kind: Kind, name_or_id: &str) -> bool {
        let is_open =
            |open: &OpenLibraries| open.plugins.find(kind, name_or_id).map(|found| found.loaded.is_some());
        let found = is_open(&self.open.borrow());
        if found != Some(false) {
            return found == Some(true);
        }
        let mut open = self.open.borrow_mut();
        open.open(
            kind,
            name_or_id,
            &mut LibraryContexts { shared: &self.shared, isolation: &self.isolation },
        );
        let is_open = is_open(&open) == Some(true);
        drop(open);
        self.watch_files();
        is_open
    }

    fn watch_files(&self) {
        let files = self.open.borrow().plugins.opened_files();
        let mut watch = self.watch.borrow_mut();
        if watch.is_none() && !files.is_empty() {
            match FileWatch::start() {
                Ok(started) => *watch = Some(started),
                Err(error) => log::debug!("changes of plugin files are not reported: {error}"),
            }
        }
        if let Some(watch) = &*watch {
            watch.set(files);
        }
    }

    /// Returns the plugins, and what the open libraries have registered.
    pub(super) fn borrow(&self) -> Ref<'_, OpenLibraries> {
        self.open.borrow()
    }

    /// Returns every plugin that can be used, in search order.
    #[must_use]
    pub fn plugins(&self) -> Ref<'_, [KnownPlugin]> {
        Ref::map(self.open.borrow(), |open| open.plugins.plugins())
    }

    /// Takes the findings about libraries that were opened since the last call. They are in the log already.
    ///
    /// # Errors
    /// Returns an error if the temporary folder cannot be used, which concerns every plugin, or if the run is strict and
    /// there is a finding.
    pub(super) fn take_problems(&self) -> Result<Vec<String>, String> {
        let OpeningFindings { problems, unusable } = std::mem::take(&mut self.open.borrow_mut().findings);
        if let Some(unusable) = unusable {
            return Err(unusable);
        }
        match problems.first() {
            Some(problem) if self.strict => Err(format!("{problem} (an error because of --strict)")),
            Some(_) | None => Ok(problems),
        }
    }

    pub(super) fn versions(&self) -> Versions {
        Versions::of(&self.plugins())
    }

    /// Calls `deinit` of every open library, the last one first.
    pub(super) fn deinit(&mut self) {
        self.open.get_mut().plugins.deinit();
    }
}

impl OpenLibraries {
    /// Reads changed and new files. Returns true if there are any.
    fn refresh(&mut self) -> bool {
        let news = self.plugins.refresh();
        for (path, change) in &news {
            let path = path.display();
            match change {
                FileNews::Added => log::info!("plugin file `{path}` is new"),
                FileNews::Changed => log::info!("plugin file `{path}` has changed: its new version is used"),
                FileNews::Refused(refusal) => {
                    let problem = format!("{path}: {refusal}; the run keeps the version it has");
                    log::warn!("{problem}");
                    self.findings.problems.push(problem);
                }
            }
        }
        !news.is_empty()
    }

    fn open(&mut self, kind: Kind, name_or_id: &str, hosts: &mut LibraryContexts<'_>) {
        let found = self.plugins.open(kind, name_or_id, hosts);
        let is_unusable = |(_, refusal): &&FileFinding| refusal.code == Code::PrivateCopy;
        let text = |(path, finding): &FileFinding| format!("{}: {finding}", path.display());
        self.findings.unusable = self.findings.unusable.take().or(found.iter().find(is_unusable).map(text));
        let mut problems: Vec<String> = found.iter().map(text).collect();
        problems.extend(self.registry.update(&self.plugins));
        problems.extend(self.register_models());
        problems.iter().for_each(|problem| log::warn!("{problem}"));
        self.findings.problems.extend(problems);
    }

    /// Calls `register` of the model plugins whose libraries were opened since the last call; it registers their message
    /// types. Returns the problems.
    fn register_models(&mut self) -> Vec<String> {
        let mut problems = Vec::new();
        for plugin in self.plugins.plugins() {
            let name = &plugin.metadata.name;
            let Some((Factory::Model(factory), index)) = plugin.loaded else { continue };
            let Some(library) = self.plugins.library(index) else { continue };
            if !self.registered.insert((plugin.metadata.id.clone(), index)) {
                continue;
            }
            // SAFETY: the loader checked the factory; the library's host object lives until the process ends.
            let register = || unsafe { (factory.register)(library.host()) };
            let code = call::during_preparation(name, "register", register);
            if code < 0 {
                let reason = status::name(code);
                problems
                    .push(format!("[BH-PLG-096] plugin `{name}` could not register its types ({reason})"));
            }
        }
        problems
    }
}

/// Creates the host objects that libraries register with.
struct LibraryContexts<'a> {
    shared: &'a Arc<Shared>,
    isolation: &'a Isolation,
}

/// Which plugins run in worker processes.
pub(super) struct Isolation {
    /// Names or ids that `isolate` lists.
    named: BTreeSet<String>,
    /// Names or ids of bridges that ask for it.
    of_bridges: BTreeSet<String>,
    /// What each worker may use.
    limits: WorkerLimits,
}

impl Isolation {
    fn of(config: &RunConfig) -> Self {
        let named = config.isolate.as_deref().unwrap_or_default().split(',').map(str::trim);
        let named = named.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let bridges = config.bridges.iter().filter(|bridge| bridge.is_isolated);
        let of_bridges = bridges.map(|bridge| bridge.name.clone()).collect();
        let limits = WorkerLimits {
            time: config.call_timeout,
            loading: config.start_timeout.max(config.call_timeout),
            memory: config.isolate_memory,
            descriptors: config.isolate_files,
        };
        Isolation { named, of_bridges, limits }
    }

    /// Checks that every listed plugin exists.
    fn check(&self, config: &RunConfig, plugins: &PluginSet) -> Result<(), SimError> {
        let exists =
            |name: &str| [Kind::Bridge, Kind::Model].iter().any(|kind| plugins.find(*kind, name).is_some());
        match self.named.iter().find(|name| !exists(name)) {
            None => Ok(()),
            Some(name) if config.safe_mode => {
                log::info!("safe mode: there is no plugin `{name}` to run in a worker");
                Ok(())
            }
            Some(name) => {
                let [bridges, models] =
                    [Kind::Bridge, Kind::Model].map(|kind| plugins.explain_missing(kind, name));
                let text = format!("`isolate`: {bridges}; {models}");
                Err(SimError::Plugins(Refusal::new(Code::IsolatedUnknown, text).to_string()))
            }
        }
    }

    /// Whether a library is opened in workers: if one of its plugins is.
    fn includes(&self, library: &Metadata) -> bool {
        let is_named = |name: &str| self.named.contains(name) || self.of_bridges.contains(name);
        library.plugins.iter().any(|plugin| is_named(&plugin.name) || is_named(&plugin.id))
    }
}

impl LibraryHosts for LibraryContexts<'_> {
    fn host_for(&mut self, library: &Metadata, _: &Path) -> *const bridgehead_abi::Host {
        let label = library.plugins.first().map_or_else(String::new, |plugin| plugin.name.clone());
        let context = Context::new(
            Owner::Library,
            label,
            Arc::clone(self.shared),
            ParamsView::default(),
            Default::default(),
        );
        let host = context.host();
        // A library is never unloaded and may use its host object until the process ends.
        #[expect(clippy::mem_forget, reason = "lives until the process ends")]
        std::mem::forget(context);
        host
    }

    fn take_explanation(&mut self, host: *const bridgehead_abi::Host) -> Option<String> {
        // SAFETY: the loader passes pointers that `host_for` made, and those live until the process ends.
        unsafe { Context::from_host(host) }.take_explanation()
    }

    fn isolated(&mut self, file: &Path, copy: &Path, library: &Metadata) -> Option<Result<Linkage, Refusal>> {
        (is_script(file) || self.isolation.includes(library)).then(|| {
            let host = self.host_for(library, file);
            // SAFETY: host objects of libraries live until the process ends.
            unsafe { worker::open((file, copy), library.clone(), host, self.isolation.limits) }
        })
    }
}

/// Registers the message types of the host, so that a plugin in C can name them without providing their descriptors.
fn register_standard_types(shared: &Shared) {
    for schema in bridgehead_plugin_api::messages::all_schemas() {
        if let Err(error) = shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead") {
            log::error!("{error}");
        }
    }
}

/// Warnings of the search, and findings about files that were read.
fn file_problems(plugins: &PluginSet) -> Vec<String> {
    let report = plugins.report();
    let of_files = report
        .files
        .iter()
        .flat_map(|file| file.findings().map(|finding| format!("{}: {finding}", file.path.display())));
    report.warnings.iter().map(ToString::to_string).chain(of_files).collect()
}
