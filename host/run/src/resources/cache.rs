//! Cached properties of files, read again only if the file has changed.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bridgehead_sdf::head::{Head, head};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::open;

use crate::file_stamp::FileStamp;

/// Maximum number of cached files; beyond it, the cache is cleared.
const MAX_FILES: usize = 20_000;

/// A cached property of files; `None` for a file without it.
#[derive(Debug)]
pub(super) struct Cache<T> {
    known: HashMap<PathBuf, (FileStamp, Option<T>)>,
    /// Number of files read so far, for tests.
    pub(super) reads: u64,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { known: HashMap::new(), reads: 0 }
    }
}

impl<T: Clone> Cache<T> {
    /// Returns the cached property; the outer `None` if the file was not read yet or has changed since.
    pub(super) fn get(&self, path: &Path, stamp: &FileStamp) -> Option<Option<T>> {
        self.known.get(path).filter(|(known, _)| known == stamp).map(|(_, found)| found.clone())
    }

    /// Stores a property.
    pub(super) fn keep(&mut self, path: &Path, stamp: FileStamp, found: Option<T>) {
        self.reads += 1;
        if self.known.len() >= MAX_FILES {
            self.known.clear();
        }
        self.known.insert(path.to_owned(), (stamp, found));
    }
}

impl Cache<Head> {
    /// Returns the head of a file; `None` if it is neither a world nor a model, or if it cannot be read.
    pub(super) fn head(&mut self, path: &Path) -> Option<Head> {
        let stamp = FileStamp::of(path)?;
        self.get(path, &stamp).unwrap_or_else(|| {
            let found = read_head(path);
            self.keep(path, stamp, found.clone());
            found
        })
    }
}

fn read_head(path: &Path) -> Option<Head> {
    let mut bytes = Vec::new();
    open(path).ok()?.take(Limit::Head.most()).read_to_end(&mut bytes).ok()?;
    // The last character may be truncated.
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
    };
    head(text)
}
