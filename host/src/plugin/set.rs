//! All plugins of this process: loads the files of a search, resolves duplicates, and finds plugins by name.
//!
//! Loading runs on the main thread; lookups are allowed on any thread.

use std::path::{Path, PathBuf};

use bridgehead_abi::bridge::BridgeFactory;
use bridgehead_abi::model::ModelFactory;

use crate::clock;

use super::code::Code;
use super::discover::{Candidate, Origin, SearchPath, discover};
use super::hosts::LibraryHosts;
use super::inspect::{Inspected, inspect};
use super::library::{Factory, Library, Linkage};
use super::metadata::{Kind, Metadata, PluginMetadata};
use super::private_copy::PrivateFolder;
use super::refusal::{Refusal, quoted_list};
use super::report::{FileReport, FileState, Report};
use super::writable;

/// Default maximum size of a plugin file, in bytes: far above an unstripped debug build.
pub const DEFAULT_SIZE_LIMIT: u64 = 512 << 20;

/// Options for loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Turns warnings into refusals: a duplicate, a plugin built with `panic = "abort"`, a library that every user may
    /// write.
    pub strict: bool,
    /// Maximum size of a file in bytes.
    pub size_limit: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions { strict: false, size_limit: DEFAULT_SIZE_LIMIT }
    }
}

/// Index of a library in [`PluginSet::libraries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryIndex(usize);

/// A plugin that can be used.
pub struct LoadedPlugin {
    /// Its metadata.
    pub metadata: PluginMetadata,
    /// The factory of its instances.
    pub factory: Factory,
    /// Its library.
    pub library: LibraryIndex,
}

/// The plugins, libraries and reports of a process.
#[derive(Default)]
pub struct PluginSet {
    options: LoadOptions,
    folder: Option<PrivateFolder>,
    libraries: Vec<Library>,
    plugins: Vec<LoadedPlugin>,
    files: Vec<FileReport>,
    warnings: Vec<Refusal>,
}

impl PluginSet {
    /// Searches and loads plugins. Never fails as a whole: unusable files are in the reports.
    #[must_use]
    pub fn load(search: &SearchPath, options: LoadOptions, hosts: &mut dyn LibraryHosts) -> Self {
        let mut set = PluginSet { options, ..PluginSet::default() };
        let found = discover(search);
        set.warnings = found.warnings;
        set.warnings.extend(writable::folders(search, &found.candidates));
        for candidate in found.candidates {
            let report = set.load_candidate(candidate, hosts);
            set.files.push(report);
        }
        set
    }

    /// Loads one more file, as if it was named on the command line, and returns its report.
    pub fn load_file(&mut self, path: &Path, hosts: &mut dyn LibraryHosts) -> FileReport {
        let report =
            self.load_candidate(Candidate { path: path.to_owned(), origin: Origin::CommandLine }, hosts);
        self.files.push(report.clone());
        report
    }

    /// Returns a plugin by kind, and by name or id.
    #[must_use]
    pub fn find(&self, kind: Kind, name_or_id: &str) -> Option<&LoadedPlugin> {
        let of_kind = || self.plugins.iter().filter(|plugin| plugin.metadata.kind == kind);
        of_kind()
            .find(|plugin| plugin.metadata.name == name_or_id)
            .or_else(|| of_kind().find(|plugin| plugin.metadata.id == name_or_id))
    }

    /// Returns the factory of a bridge plugin by name or id.
    #[must_use]
    pub fn bridge(&self, name_or_id: &str) -> Option<(&LoadedPlugin, &'static BridgeFactory)> {
        let plugin = self.find(Kind::Bridge, name_or_id)?;
        match plugin.factory {
            Factory::Bridge(factory) => Some((plugin, factory)),
            Factory::Model(_) => None,
        }
    }

    /// Returns the factory of a model plugin by name or id.
    #[must_use]
    pub fn model(&self, name_or_id: &str) -> Option<(&LoadedPlugin, &'static ModelFactory)> {
        let plugin = self.find(Kind::Model, name_or_id)?;
        match plugin.factory {
            Factory::Model(factory) => Some((plugin, factory)),
            Factory::Bridge(_) => None,
        }
    }

    /// Returns the message for a missing plugin: the available ones, and a refused file that contains a plugin of that
    /// name.
    #[must_use]
    pub fn explain_missing(&self, kind: Kind, name_or_id: &str) -> String {
        let mut names: Vec<&str> = self
            .plugins
            .iter()
            .filter(|plugin| plugin.metadata.kind == kind)
            .map(|plugin| plugin.metadata.name.as_str())
            .collect();
        names.sort_unstable();
        let text = format!("no {kind} plugin `{name_or_id}`; available: {}", quoted_list(names));
        match self.refused(kind, name_or_id) {
            Some((path, refusal)) => {
                format!("{text}; `{}` contains it but was refused: {refusal}", path.display())
            }
            None => text,
        }
    }

    /// Returns every usable plugin in search order.
    #[must_use]
    pub fn plugins(&self) -> &[LoadedPlugin] {
        &self.plugins
    }

    /// Returns every loaded library, in the order of loading.
    #[must_use]
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Returns one library.
    #[must_use]
    pub fn library(&self, index: LibraryIndex) -> Option<&Library> {
        self.libraries.get(index.0)
    }

    /// Returns the results for all files and folders.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        Report { warnings: &self.warnings, files: &self.files }
    }

    /// Calls `deinit` of every library, the last one first. Every instance must have been destroyed; further calls have
    /// no effect.
    pub fn deinit(&mut self) {
        self.libraries.iter_mut().rev().for_each(Library::deinit);
    }

    /// Uses `folder` for private copies instead of creating one.
    pub(super) fn with_private_folder(folder: PrivateFolder, options: LoadOptions) -> Self {
        PluginSet { options, folder: Some(folder), ..PluginSet::default() }
    }

    /// Returns the folder of the private copies, if there are any.
    #[cfg(test)]
    pub(super) fn private_folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(PrivateFolder::path)
    }

    fn refused(&self, kind: Kind, name_or_id: &str) -> Option<(&Path, &Refusal)> {
        let is_requested = |plugin: &PluginMetadata| {
            plugin.kind == kind && (plugin.name == name_or_id || plugin.id == name_or_id)
        };
        let file = self.files.iter().find(|file| file.plugins.iter().any(is_requested))?;
        Some((&file.path, file.state.refusal()?))
    }

    fn load_candidate(&mut self, candidate: Candidate, hosts: &mut dyn LibraryHosts) -> FileReport {
        let began = clock::now();
        let mut report = FileReport::new(candidate.path, candidate.origin, FileState::Loaded);
        if let Err(state) = self.try_load(&mut report, hosts) {
            report.state = state;
        }
        report.duration = began.elapsed();
        log::debug!("plugin file `{}`: {}", report.path.display(), report.state.name());
        report
    }

    fn try_load(&mut self, report: &mut FileReport, hosts: &mut dyn LibraryHosts) -> Result<(), FileState> {
        let Inspected { bytes, metadata } = inspect(&report.path, self.options.size_limit)
            .map_err(|refusal| judge_refusal(refusal, report.origin))?;
        report.describe(&metadata);
        report.warnings.extend(writable::library(&report.path));
        report.warnings.extend(metadata.warning());
        let usable = self.without_duplicates(&metadata, report)?;
        if self.options.strict
            && let Some(warning) = report.warnings.pop()
        {
            return Err(FileState::Refused { refusal: warning });
        }
        let linkage = self.link(&report.path, &bytes, metadata, hosts);
        let linkage = linkage.map_err(|refusal| FileState::Refused { refusal })?;
        report.warnings.extend(linkage.warnings.iter().cloned());
        self.add(linkage, &usable);
        Ok(())
    }

    /// Returns the plugins of a file that no earlier file contains. If there are none, its code is not run.
    fn without_duplicates(
        &self,
        metadata: &Metadata,
        report: &mut FileReport,
    ) -> Result<Vec<bool>, FileState> {
        let mut usable = Vec::with_capacity(metadata.plugins.len());
        for plugin in &metadata.plugins {
            let duplicate = self.duplicate_of(plugin);
            usable.push(duplicate.is_none());
            report.warnings.extend(duplicate);
        }
        match report.warnings.last() {
            Some(last) if !usable.contains(&true) => {
                let refusal = last.clone();
                report.warnings.retain(|warning| warning.code != Code::Duplicate);
                Err(if self.options.strict {
                    FileState::Refused { refusal }
                } else {
                    FileState::Duplicate { refusal }
                })
            }
            _ => Ok(usable),
        }
    }

    fn duplicate_of(&self, plugin: &PluginMetadata) -> Option<Refusal> {
        let first = self.plugins.iter().find(|loaded| loaded.metadata.clashes_with(plugin))?;
        let path = self.library(first.library).map(Library::path).unwrap_or(Path::new(""));
        let text = format!(
            "{} plugin `{}` ({}) is already there as `{}` ({}) from `{}`, which is used",
            plugin.kind,
            plugin.name,
            plugin.id,
            first.metadata.name,
            first.metadata.id,
            path.display()
        );
        Some(Refusal::new(Code::Duplicate, text))
    }

    fn link(
        &mut self,
        path: &Path,
        bytes: &[u8],
        metadata: Metadata,
        hosts: &mut dyn LibraryHosts,
    ) -> Result<Linkage, Refusal> {
        let copy = self.private_copy(path, bytes).map_err(|error| {
            Refusal::new(
                Code::PrivateCopy,
                format!("no private copy in `{}`: {error}", std::env::temp_dir().display()),
            )
        })?;
        Library::load(path, &copy, metadata, hosts)
    }

    fn private_copy(&mut self, path: &Path, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let folder = match &mut self.folder {
            Some(folder) => folder,
            empty => empty.insert(PrivateFolder::create()?),
        };
        folder.copy(path, bytes)
    }

    fn add(&mut self, linkage: Linkage, usable: &[bool]) {
        let index = LibraryIndex(self.libraries.len());
        let plugins = linkage.library.metadata().plugins.iter().zip(linkage.factories).zip(usable);
        self.plugins.extend(plugins.filter(|(_, usable)| **usable).map(|((metadata, factory), _)| {
            LoadedPlugin { metadata: metadata.clone(), factory, library: index }
        }));
        self.libraries.push(linkage.library);
    }
}

/// Classifies a refusal: other libraries are normal in the folder of the executable, but reported in a named folder.
fn judge_refusal(refusal: Refusal, origin: Origin) -> FileState {
    match (refusal.code, origin) {
        (Code::NotAPlugin, Origin::BesideBinary) => FileState::NotAPlugin,
        _ => FileState::Refused { refusal },
    }
}
