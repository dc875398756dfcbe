//! Searches folders for files and model folders, within limits.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::format::EXTENSIONS;

/// Maximum depth of folders below a source.
const MAX_DEPTH: usize = 4;
/// Maximum number of folder entries for one list.
const MAX_ENTRIES: usize = 50_000;

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
    left: usize,
    /// Visited folders and files by real path: symlink cycles are not followed.
    seen: HashSet<PathBuf>,
    pub(super) found: Vec<Found>,
    /// True if a limit was reached.
    pub(super) is_cut: bool,
}

impl Scan {
    pub(super) fn new() -> Self {
        Scan { left: MAX_ENTRIES, seen: HashSet::new(), found: Vec::new(), is_cut: false }
    }

    /// Searches a folder recursively, a single file, or a pattern. Returns false if it does not exist.
    pub(super) fn add(&mut self, place: &Path) -> bool {
        if place.is_dir() {
            return self.folder(place, MAX_DEPTH);
        }
        if place.is_file() {
            self.file(place.to_owned());
            return true;
        }
        self.pattern(place)
    }

    fn is_new(&mut self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|real| self.seen.insert(real))
    }

    fn file(&mut self, path: PathBuf) {
        if self.is_new(&path) {
            self.found.push(Found::File(path));
        }
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> bool {
        let Ok(entries) = fs::read_dir(folder) else { return false };
        if !self.is_new(folder) {
            return true;
        }
        if folder.join("model.config").is_file() {
            self.found.push(Found::Model(folder.to_owned()));
            return true;
        }
        let mut paths: Vec<PathBuf> =
            entries.take(self.left + 1).flatten().map(|entry| entry.path()).collect();
        self.is_cut |= paths.len() > self.left;
        paths.truncate(self.left);
        self.left -= paths.len();
        paths.sort();
        for path in paths.into_iter().filter(|path| !is_hidden(path)) {
            if path.is_dir() {
                if depth > 0 {
                    self.folder(&path, depth - 1);
                }
            } else if has_known_extension(&path) && path.is_file() {
                self.file(path);
            }
        }
        true
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
        let matcher = glob.compile_matcher();
        let mut all = Scan { left: self.left, ..Scan::new() };
        all.folder(&base, MAX_DEPTH);
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
