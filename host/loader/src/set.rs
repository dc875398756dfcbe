//! All plugins of this process: finds the files of a search, opens the libraries of the plugins that are used, and finds
//! plugins by name.
//!
//! Files are found, and libraries are opened, on the main thread; lookups are allowed on any thread.

mod refresh;

use std::fs::File;
use std::io::{self, Read as _, Take};
use std::path::{Path, PathBuf};

use bridgehead_abi::bridge::BridgeFactory;
use bridgehead_abi::model::ModelFactory;

use bridgehead_runtime::clock;
use bridgehead_runtime::nearest::nearest;

use super::code::Code;
use super::discover::{Candidate, Origin, SearchPath, discover};
use super::hosts::LibraryHosts;
use super::inspect::{inspect_as, open};
use super::known::{KnownFile, KnownPlugin};
use super::library::{Factory, Library, Linkage};
use super::metadata::{Kind, Metadata, PluginMetadata};
use super::private_copy::PrivateFolder;
use super::refusal::{Refusal, quoted_list};
use super::report::{FileReport, Report};
use super::script::is_script;
use super::writable;
use bridgehead_runtime::file_stamp::FileStamp;

pub use refresh::FileNews;

/// Default maximum size of a plugin file, in bytes: far above an unstripped debug build.
pub const DEFAULT_SIZE_LIMIT: u64 = 512 << 20;

/// Number of plugins up to which a message lists them all.
const LISTED: usize = 8;

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

/// Identifies a library in [`PluginSet::library`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryIndex(usize);

/// The plugins, libraries and reports of a process.
#[derive(Default)]
pub struct PluginSet {
    options: LoadOptions,
    /// Where plugins are searched again.
    search: SearchPath,
    folder: Option<PrivateFolder>,
    libraries: Vec<Library>,
    /// The usable plugins, in search order.
    plugins: Vec<KnownPlugin>,
    files: Vec<KnownFile>,
    warnings: Vec<Refusal>,
}

/// A finding about a file whose library was opened, or refused when it was opened.
pub type FileFinding = (PathBuf, Refusal);

impl PluginSet {
    /// Searches plugins and checks their files, without running them. Never fails as a whole: unusable files are in the
    /// reports.
    #[must_use]
    pub fn search(search: &SearchPath, options: LoadOptions) -> Self {
        let found = discover(search);
        let mut warnings = found.warnings;
        warnings.extend(writable::folders(search, &found.candidates));
        let read = |candidate| KnownFile::read(candidate, options.size_limit);
        let mut set = PluginSet {
            options,
            search: search.clone(),
            files: found.candidates.into_iter().map(read).collect(),
            warnings,
            ..PluginSet::default()
        };
        set.index();
        for file in &set.files {
            log::debug!("plugin file `{}`: {}", file.report.path.display(), file.report.state.name());
        }
        set
    }

    /// Opens the library of a plugin, found by kind, and by name or id, unless it is open. If a library is refused, the
    /// next one in search order that contains such a plugin is opened instead. Returns the findings about the libraries
    /// that were opened or refused.
    pub fn open(&mut self, kind: Kind, name_or_id: &str, hosts: &mut dyn LibraryHosts) -> Vec<FileFinding> {
        let mut findings = Vec::new();
        // Each turn opens a library or refuses a file.
        for _ in 0..self.files.len() {
            let Some(plugin) = self.find(kind, name_or_id).filter(|plugin| plugin.loaded.is_none()) else {
                break;
            };
            let file = plugin.file;
            findings.extend(self.open_file(file, hosts));
        }
        findings
    }

    /// Opens one more file, as if it was named on the command line, and returns its report.
    pub fn load_file(&mut self, path: &Path, hosts: &mut dyn LibraryHosts) -> FileReport {
        let candidate = Candidate { path: path.to_owned(), origin: Origin::CommandLine };
        let (file, known) = (self.files.len(), KnownFile::read(candidate, self.options.size_limit));
        let unopened = known.report.clone();
        self.files.push(known);
        self.index();
        if self.plugins.iter().any(|plugin| plugin.file == file) {
            self.open_file(file, hosts);
        }
        self.files.get(file).map_or(unopened, |known| known.report.clone())
    }

    /// Returns a plugin by kind, and by name or id.
    #[must_use]
    pub fn find(&self, kind: Kind, name_or_id: &str) -> Option<&KnownPlugin> {
        let of_kind = || self.plugins.iter().filter(|plugin| plugin.metadata.kind == kind);
        of_kind()
            .find(|plugin| plugin.metadata.name == name_or_id)
            .or_else(|| of_kind().find(|plugin| plugin.metadata.id == name_or_id))
    }

    /// Returns the factory of a bridge plugin by name or id, if its library is open.
    #[must_use]
    pub fn bridge(&self, name_or_id: &str) -> Option<(&KnownPlugin, &'static BridgeFactory)> {
        let plugin = self.find(Kind::Bridge, name_or_id)?;
        match plugin.loaded? {
            (Factory::Bridge(factory), _) => Some((plugin, factory)),
            (Factory::Model(_) | Factory::Unknown, _) => None,
        }
    }

    /// Returns the factory of a model plugin by name or id, if its library is open.
    #[must_use]
    pub fn model(&self, name_or_id: &str) -> Option<(&KnownPlugin, &'static ModelFactory)> {
        let plugin = self.find(Kind::Model, name_or_id)?;
        match plugin.loaded? {
            (Factory::Model(factory), _) => Some((plugin, factory)),
            (Factory::Bridge(_) | Factory::Unknown, _) => None,
        }
    }

    /// Returns the message for a missing plugin: the available ones, or if there are many the one with the most similar
    /// name, and a refused file that contains a plugin of that name.
    #[must_use]
    pub fn explain_missing(&self, kind: Kind, name_or_id: &str) -> String {
        let mut names: Vec<&str> = self
            .plugins
            .iter()
            .filter(|plugin| plugin.metadata.kind == kind)
            .map(|plugin| plugin.metadata.name.as_str())
            .collect();
        names.sort_unstable();
        let text = match (names.len(), nearest(name_or_id, &names)) {
            (0..=LISTED, _) => format!("no {kind} plugin `{name_or_id}`; available: {}", quoted_list(names)),
            (count, Some(near)) => format!(
                "no {kind} plugin `{name_or_id}`; did you mean `{near}`? `bridgehead plugin list` shows all {count}"
            ),
            (count, None) => format!(
                "no {kind} plugin `{name_or_id}`; `bridgehead plugin list` shows the {count} that there are"
            ),
        };
        match self.refused(kind, name_or_id) {
            Some((path, refusal)) => {
                format!("{text}; `{}` contains it but was refused: {refusal}", path.display())
            }
            None => text,
        }
    }

    /// Returns every usable plugin in search order.
    #[must_use]
    pub fn plugins(&self) -> &[KnownPlugin] {
        &self.plugins
    }

    /// Returns every open library, in the order of opening.
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
        Report { warnings: &self.warnings, files: self.files.iter().map(|file| &file.report).collect() }
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
        let mut reports = self.files.iter().map(|file| &file.report);
        let report = reports.find(|report| report.plugins.iter().any(is_requested))?;
        Some((&report.path, report.state.refusal()?))
    }

    /// Decides which plugins are used: of plugins with the same id or name, the first one in search order.
    fn index(&mut self) {
        self.plugins.clear();
        for (number, file) in self.files.iter_mut().enumerate() {
            file.index(number, self.options.strict, &mut self.plugins);
        }
    }

    /// Opens the library of a file, or refuses the file. Returns the new findings about it.
    fn open_file(&mut self, file: usize, hosts: &mut dyn LibraryHosts) -> Vec<FileFinding> {
        let began = clock::now();
        let linked = self.link(file, hosts);
        let library = LibraryIndex(self.libraries.len());
        let Some(known) = self.files.get_mut(file) else { return Vec::new() };
        let findings = match linked {
            Ok(linkage) => {
                self.libraries.push(linkage.library);
                known.opened(library, linkage.factories, linkage.warnings.clone());
                linkage.warnings
            }
            Err(refusal) => {
                known.refused(refusal.clone());
                vec![refusal]
            }
        };
        known.report.duration += began.elapsed();
        let path = known.report.path.clone();
        self.index();
        findings.into_iter().map(|finding| (path.clone(), finding)).collect()
    }

    /// Copies the file, checks the copy, and opens it, so that the library is the checked one, even if the file changes
    /// in between.
    fn link(&mut self, file: usize, hosts: &mut dyn LibraryHosts) -> Result<Linkage, Refusal> {
        let limit = self.options.size_limit;
        let unknown = || Refusal::new(Code::NotAPlugin, "the file is not known as a plugin");
        let known = self.files.get(file).ok_or_else(unknown)?;
        let (path, expected) = (known.report.path.clone(), known.metadata.clone());
        // Before it is read: a change from here on is another version.
        let stamp = FileStamp::of(&path);
        let original = open(&path, limit)?;
        // A file that is still growing is refused because its copy exceeds the limit.
        let copy = self.private_copy(&path, original.take(limit.saturating_add(1)))?;
        let metadata = inspect_as(&path, &copy, limit)?;
        check_unchanged(expected.as_ref(), &metadata)?;
        self.stamp(file, stamp);
        match hosts.isolated(&path, &copy, &metadata) {
            Some(opened) => opened,
            None if is_script(&path) => {
                Err(Refusal::new(Code::NotIsolated, "a plugin in Python runs in a worker process only"))
            }
            None => Library::load(&path, &copy, metadata, hosts),
        }
    }

    fn private_copy(&mut self, path: &Path, content: Take<File>) -> Result<PathBuf, Refusal> {
        let copy = || {
            let folder = match &mut self.folder {
                Some(folder) => folder,
                empty => empty.insert(PrivateFolder::create()?),
            };
            folder.copy(path, content)
        };
        copy().map_err(|error: io::Error| {
            let text = format!("no private copy in `{}`: {error}", std::env::temp_dir().display());
            Refusal::new(Code::PrivateCopy, text)
        })
    }
}

/// Refuses a file whose plugins are no longer those that were announced when the host began.
fn check_unchanged(expected: Option<&Metadata>, found: &Metadata) -> Result<(), Refusal> {
    if expected == Some(found) {
        return Ok(());
    }
    Err(Refusal::new(
        Code::Changed,
        "the file was replaced by one with other metadata after the host had read it, and before it was used",
    ))
}

#[cfg(test)]
mod tests;
