//! Reads plugin files again, so that a world that is loaded gets the plugins as they are then.

use std::path::PathBuf;

use super::{LibraryIndex, PluginSet};
use crate::discover::{Candidate, discover};
use crate::known::KnownFile;
use crate::library::Library;
use crate::refusal::Refusal;
use crate::watch::OpenedFile;
use bridgehead_runtime::file_stamp::FileStamp;

/// What has become of a file since it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileNews {
    /// It is new.
    Added,
    /// It has changed; its library is opened anew when one of its plugins is used.
    Changed,
    /// It has changed, and the version that is open stays in use, because the new one is refused.
    Refused(Refusal),
}

impl PluginSet {
    /// Searches again. Files that are new or have changed are read, without running them; a library that was opened
    /// before keeps running where it is in use. Files that are gone stay usable if their libraries are open.
    pub fn refresh(&mut self) -> Vec<(PathBuf, FileNews)> {
        let mut before = std::mem::take(&mut self.files);
        let mut news = Vec::new();
        for candidate in discover(&self.search).candidates {
            let place = before.iter().position(|known| known.report.path == candidate.path);
            let known = place.map(|place| before.remove(place));
            let (file, change) = self.renew(known, candidate);
            news.extend(change.map(|change| (file.report.path.clone(), change)));
            self.files.push(file);
        }
        self.files.extend(before.into_iter().filter(KnownFile::is_open));
        self.index();
        news
    }

    fn renew(&self, known: Option<KnownFile>, candidate: Candidate) -> (KnownFile, Option<FileNews>) {
        match known {
            None => {
                let file = KnownFile::read(candidate, self.options.size_limit);
                let is_plugin = file.metadata.is_some();
                (file, is_plugin.then_some(FileNews::Added))
            }
            Some(known) if !known.has_changed() => (known, None),
            Some(mut known) => {
                let file = KnownFile::read(candidate, self.options.size_limit);
                match file.report.state.refusal() {
                    Some(refusal) if known.is_open() => {
                        known.stamp = file.stamp;
                        (known, Some(FileNews::Refused(refusal.clone())))
                    }
                    Some(_) | None => (file, Some(FileNews::Changed)),
                }
            }
        }
    }

    /// The open libraries of the files as they are known now, in the order of opening, without those that a newer version
    /// of their file has replaced.
    pub fn current_libraries(&self) -> impl Iterator<Item = (LibraryIndex, &Library)> {
        let is_current = |index: LibraryIndex| self.files.iter().any(|file| file.library() == Some(index));
        let all = self.libraries.iter().enumerate().map(|(place, library)| (LibraryIndex(place), library));
        all.filter(move |(index, _)| is_current(*index))
    }

    /// The files of open libraries, with the versions that were opened.
    #[must_use]
    pub fn opened_files(&self) -> Vec<OpenedFile> {
        let opened = self.files.iter().filter(|file| file.is_open());
        opened.filter_map(|file| Some((file.report.path.clone(), file.stamp?))).collect()
    }

    /// Records the version of a file that is opened.
    pub(super) fn stamp(&mut self, file: usize, stamp: Option<FileStamp>) {
        if let Some(known) = self.files.get_mut(file) {
            known.stamp = stamp;
        }
    }
}
