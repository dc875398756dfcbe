//! What is known of a plugin file: its report, its metadata, and its library if that is open. Main thread only.
//!
//! Which of its plugins can be used depends on the files before it in search order, so it is decided again whenever a
//! library is opened or refused.

use std::path::PathBuf;

use super::code::Code;
use super::discover::{Candidate, Origin};
use super::inspect::inspect;
use super::library::Factory;
use super::metadata::{Kind, Metadata, PluginMetadata};
use super::refusal::Refusal;
use super::report::{FileReport, FileState};
use super::set::LibraryIndex;
use super::writable;
use bridgehead_runtime::clock;
use bridgehead_runtime::file_stamp::FileStamp;

/// A plugin that can be used, unless its library is refused when it is opened.
pub struct KnownPlugin {
    /// Its metadata.
    pub metadata: PluginMetadata,
    /// Version of the plugin ABI it was built for.
    pub abi: [u32; 2],
    /// Its file.
    pub path: PathBuf,
    /// Its factory and its library, if the library is open.
    pub loaded: Option<(Factory, LibraryIndex)>,
    /// Index of its file.
    pub(super) file: usize,
}

/// A file of the search.
pub(super) struct KnownFile {
    pub(super) report: FileReport,
    /// Its metadata; `None` if the file is refused.
    pub(super) metadata: Option<Metadata>,
    /// The version that was read, or opened.
    pub(super) stamp: Option<FileStamp>,
    /// Warnings about the file itself. The others depend on the files before it.
    warnings: Vec<Refusal>,
    /// Its library with the factories of all plugins, if it is open.
    library: Option<(LibraryIndex, Vec<Factory>)>,
}

impl KnownFile {
    /// Reads and checks a file, without running it.
    pub(super) fn read(candidate: Candidate, size_limit: u64) -> Self {
        let began = clock::now();
        let stamp = FileStamp::of(&candidate.path);
        let mut report = FileReport::new(candidate.path, candidate.origin, FileState::Available);
        let metadata = match inspect(&report.path, size_limit) {
            Ok(metadata) => {
                report.describe(&metadata);
                Some(metadata)
            }
            Err(refusal) => {
                report.state = judge_refusal(refusal, report.origin);
                None
            }
        };
        report.duration = began.elapsed();
        let of_file = metadata.iter().flat_map(|_| writable::library(&report.path));
        let warnings = of_file.chain(metadata.iter().flat_map(Metadata::warnings)).collect();
        KnownFile { report, metadata, stamp, warnings, library: None }
    }

    /// Returns true if the file is there and is another version than the one that was read.
    pub(super) fn has_changed(&self) -> bool {
        let now = FileStamp::of(&self.report.path);
        now.is_some() && now != self.stamp
    }

    /// Returns true if its library is open.
    pub(super) fn is_open(&self) -> bool {
        self.library.is_some()
    }

    /// Returns its library, if that is open.
    pub(super) fn library(&self) -> Option<LibraryIndex> {
        self.library.as_ref().map(|(index, _)| *index)
    }

    /// Records that its library was opened.
    pub(super) fn opened(&mut self, library: LibraryIndex, factories: Vec<Factory>, warnings: Vec<Refusal>) {
        self.library = Some((library, factories));
        self.warnings.extend(warnings);
    }

    /// Records that its library was refused when it was opened.
    pub(super) fn refused(&mut self, refusal: Refusal) {
        self.metadata = None;
        self.report.state = FileState::Refused { refusal };
    }

    /// Adds its plugins that no file before it contains to `plugins`, and reports the others. If `strict`, each warning
    /// refuses the file.
    pub(super) fn index(&mut self, file: usize, strict: bool, plugins: &mut Vec<KnownPlugin>) {
        let Some(metadata) = &self.metadata else { return };
        let duplicates: Vec<Option<Refusal>> =
            metadata.plugins.iter().map(|plugin| duplicate_of(plugin, plugins)).collect();
        self.report.warnings.clone_from(&self.warnings);
        if duplicates.iter().all(Option::is_some) {
            if let Some(refusal) = duplicates.into_iter().flatten().next_back() {
                self.report.state =
                    if strict { FileState::Refused { refusal } } else { FileState::Duplicate { refusal } };
            }
            return;
        }
        let is_known = |plugin: &PluginMetadata| plugin.kind != Kind::Unknown;
        let usable: Vec<bool> = duplicates
            .iter()
            .zip(&metadata.plugins)
            .map(|(duplicate, plugin)| duplicate.is_none() && is_known(plugin))
            .collect();
        self.report.warnings.extend(duplicates.into_iter().flatten());
        if let (true, None, Some(refusal)) = (strict, &self.library, self.report.warnings.last().cloned()) {
            self.report.warnings.pop();
            self.report.state = FileState::Refused { refusal };
            return;
        }
        self.report.state = if self.library.is_some() { FileState::Loaded } else { FileState::Available };
        let is_usable = |place: &usize| usable.get(*place) == Some(&true);
        plugins.extend((0..usable.len()).filter(is_usable).filter_map(|place| self.plugin(file, place)));
    }

    fn plugin(&self, file: usize, place: usize) -> Option<KnownPlugin> {
        let metadata = self.metadata.as_ref()?;
        let of_library = |(library, factories): &(LibraryIndex, Vec<Factory>)| {
            factories.get(place).map(|factory| (*factory, *library))
        };
        Some(KnownPlugin {
            metadata: metadata.plugins.get(place)?.clone(),
            abi: metadata.abi,
            path: self.report.path.clone(),
            loaded: self.library.as_ref().and_then(of_library),
            file,
        })
    }
}

/// Classifies a refusal: other libraries are normal in the folder of the executable, but reported in a named folder.
fn judge_refusal(refusal: Refusal, origin: Origin) -> FileState {
    match (refusal.code, origin) {
        (Code::NotAPlugin, Origin::BesideBinary) => FileState::NotAPlugin,
        _ => FileState::Refused { refusal },
    }
}

/// Returns the finding about a plugin that is known already.
fn duplicate_of(plugin: &PluginMetadata, known: &[KnownPlugin]) -> Option<Refusal> {
    let first = known.iter().find(|first| first.metadata.clashes_with(plugin))?;
    let text = format!(
        "{} plugin `{}` ({}) is already there as `{}` ({}) from `{}`, which is used",
        plugin.kind,
        plugin.name,
        plugin.id,
        first.metadata.name,
        first.metadata.id,
        first.path.display()
    );
    Some(Refusal::new(Code::Duplicate, text))
}
