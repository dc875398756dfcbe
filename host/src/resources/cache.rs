//! Heads of files, each read again only when the file has changed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::sdf::head::{Head, head};

/// How much of a file is looked at.
pub(super) const HEAD_BYTES: u64 = 64 << 10;
/// Files remembered at most; then all are forgotten.
const MOST_FILES: usize = 20_000;

/// Known heads.
#[derive(Debug, Default)]
pub(super) struct Heads {
    known: HashMap<PathBuf, Known>,
    /// Files read so far, for tests.
    pub(super) reads: u64,
}

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    head: Option<Head>,
}

/// Tells a file from what it was: when it was changed, and its length.
type Stamp = (Option<SystemTime>, u64);

impl Heads {
    /// The head of a file; `None` where it is neither a world nor a model, or cannot be read.
    pub(super) fn head(&mut self, path: &Path) -> Option<Head> {
        let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let stamp = (facts.modified().ok(), facts.len());
        if let Some(known) = self.known.get(path).filter(|known| known.stamp == stamp) {
            return known.head.clone();
        }
        self.reads += 1;
        let found = read_head(path);
        if self.known.len() >= MOST_FILES {
            self.known.clear();
        }
        self.known.insert(path.to_owned(), Known { stamp, head: found.clone() });
        found
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
