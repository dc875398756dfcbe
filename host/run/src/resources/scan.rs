//! Searches folders for files and model folders, within limits.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, ReadDir};
use std::path::{Path, PathBuf};

use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Disk, FileKind, Files as _};

use super::format::EXTENSIONS;

/// A candidate for a world or model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A file with a supported extension.
    File(PathBuf),
    /// A folder with a `model.config`; its content belongs to the model.
    Model(PathBuf),
}

impl Found {
    /// Returns the file, if it is one.
    pub(super) fn into_file(self) -> Option<PathBuf> {
        match self {
            Found::File(path) => Some(path),
            Found::Model(_) => None,
        }
    }
}

/// One search. Files in several sources are found once.
#[derive(Debug)]
pub(super) struct Scan {
    left: u64,
    /// Visited folders and files by real path: symlink cycles are not followed.
    seen: HashSet<PathBuf>,
    pub(super) found: Vec<Found>,
    /// Sources that exist but cannot be read, with the reason.
    pub(super) unreadable: Vec<String>,
    /// True if a limit was reached.
    pub(super) is_cut: bool,
}

impl Scan {
    pub(super) fn new() -> Self {
        Scan {
            left: Limit::Entries.most(),
            seen: HashSet::new(),
            found: Vec::new(),
            unreadable: Vec::new(),
            is_cut: false,
        }
    }

    /// Searches a folder recursively, a single file, or a pattern. Returns false if it does not exist.
    pub(super) fn add(&mut self, place: &Path) -> bool {
        match Disk.kind(place) {
            FileKind::Folder => match fs::read_dir(place) {
                Ok(entries) => self.folder(place, entries, Limit::Folders.most()),
                Err(error) => return self.refuse(place, &format!("a folder that cannot be read: {error}")),
            },
            FileKind::File => self.file(place.to_owned()),
            kind @ (FileKind::Special(_) | FileKind::Hidden) => return self.refuse(place, &kind),
            FileKind::Absent => return self.pattern(place),
        }
        true
    }

    /// Records a source that exists but is not searched. Returns true: it exists.
    pub(super) fn refuse(&mut self, place: &Path, kind: &dyn Display) -> bool {
        self.unreadable.push(format!("`{}` is {kind}", place.display()));
        true
    }

    fn is_new(&mut self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|real| self.seen.insert(real))
    }

    fn file(&mut self, path: PathBuf) {
        if self.is_new(&path) {
            self.found.push(Found::File(path));
        }
    }

    fn folder(&mut self, folder: &Path, entries: ReadDir, depth: u64) {
        if !self.is_new(folder) {
            return;
        }
        if folder.join("model.config").is_file() {
            self.found.push(Found::Model(folder.to_owned()));
            return;
        }
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let mut paths: Vec<PathBuf> =
            entries.take(left.saturating_add(1)).flatten().map(|entry| entry.path()).collect();
        self.is_cut |= paths.len() > left;
        paths.truncate(left);
        self.left -= paths.len() as u64;
        paths.sort();
        for path in paths.into_iter().filter(|path| !is_hidden(path)) {
            if path.is_dir() {
                // A folder below a source may belong to somebody else.
                if let (Some(depth), Ok(entries)) = (depth.checked_sub(1), fs::read_dir(&path)) {
                    self.folder(&path, entries, depth);
                }
            } else if has_known_extension(&path) && path.is_file() {
                self.file(path);
            }
        }
    }

    /// Searches a path with `*`, `?` or `[`: matches the entries of the folder before the first of them.
    fn pattern(&mut self, place: &Path) -> bool {
        let is_plain =
            |part: &std::path::Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
        let base: PathBuf = place.components().take_while(is_plain).collect();
        let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
        let is_pattern = place.components().any(|part| !is_plain(&part));
        let Ok(glob) = globset::GlobBuilder::new(&place.to_string_lossy()).literal_separator(true).build()
        else {
            return false;
        };
        if !is_pattern || !base.is_dir() {
            return false;
        }
        let entries = match fs::read_dir(&base) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(&base, &format!("a folder that cannot be read: {error}")),
        };
        let matcher = glob.compile_matcher();
        let mut all = Scan { left: self.left, ..Scan::new() };
        all.folder(&base, entries, Limit::Folders.most());
        (self.left, self.is_cut) = (all.left, self.is_cut | all.is_cut);
        for found in all.found {
            let (Found::File(path) | Found::Model(path)) = &found;
            let shown = path.strip_prefix("./").unwrap_or(path);
            if matcher.is_match(shown) && self.is_new(path) {
                self.found.push(found);
            }
        }
        true
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}
