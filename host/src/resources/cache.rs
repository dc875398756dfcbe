//! What files say, each read again only when the file has changed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bridgehead_sdf::head::{Head, head};

/// How much of a file is looked at.
pub(super) const HEAD_BYTES: u64 = 64 << 10;
/// Files remembered at most; then all are forgotten.
const MOST_FILES: usize = 20_000;

/// Tells a file from what it was: when it was changed, and its length.
pub(super) type Stamp = (Option<SystemTime>, u64);

/// What a file is now; `None` where it is none.
pub(super) fn stamp_of(path: &Path) -> Option<Stamp> {
    let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((facts.modified().ok(), facts.len()))
}

/// Something that is known of files; `None` of a file that says nothing.
#[derive(Debug)]
pub(super) struct Cache<T> {
    known: HashMap<PathBuf, (Stamp, Option<T>)>,
    /// Files read so far, for tests.
    pub(super) reads: u64,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { known: HashMap::new(), reads: 0 }
    }
}

impl<T: Clone> Cache<T> {
    /// What is known of a file; the outer `None` where it was not read yet, or has changed since.
    pub(super) fn get(&self, path: &Path, stamp: &Stamp) -> Option<Option<T>> {
        self.known.get(path).filter(|(known, _)| known == stamp).map(|(_, found)| found.clone())
    }

    /// Keeps what was read.
    pub(super) fn keep(&mut self, path: &Path, stamp: Stamp, found: Option<T>) {
        self.reads += 1;
        if self.known.len() >= MOST_FILES {
            self.known.clear();
        }
        self.known.insert(path.to_owned(), (stamp, found));
    }
}

impl Cache<Head> {
    /// The head of a file; `None` where it is neither a world nor a model, or cannot be read.
    pub(super) fn head(&mut self, path: &Path) -> Option<Head> {
        let stamp = stamp_of(path)?;
        self.get(path, &stamp).unwrap_or_else(|| {
            let found = read_head(path);
            self.keep(path, stamp, found.clone());
            found
        })
    }
}

fn read_head(path: &Path) -> Option<Head> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut bytes).ok()?;
    // The last character may be cut in half.
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
    };
    head(text)
}
