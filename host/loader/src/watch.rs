//! Reports plugin files that change while their libraries are open: the run keeps the version that it has opened, and
//! the author of a plugin must know what takes the new one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridgehead_runtime::file_stamp::FileStamp;
use bridgehead_runtime::thread::{lock, spawn};

/// How often the files are looked at. A file is reported when two looks find the same change, since a linker writes it
/// in many steps.
const PERIOD: Duration = Duration::from_secs(1);

/// A file and the version of it that is open.
pub type OpenedFile = (PathBuf, FileStamp);

/// Watches the files of open libraries, on a thread of its own: a folder on a network may take long to answer.
pub struct FileWatch {
    files: Arc<Mutex<Vec<OpenedFile>>>,
    /// The thread ends when this is dropped.
    _running: Sender<()>,
}

impl FileWatch {
    /// Starts the thread `plugin-files`.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub fn start() -> std::io::Result<Self> {
        let files = Arc::default();
        let watched = Arc::clone(&files);
        let (running, end) = channel();
        drop(spawn("plugin-files", move || watch(&watched, &end))?);
        Ok(FileWatch { files, _running: running })
    }

    /// Replaces the list of files.
    pub fn set(&self, files: Vec<OpenedFile>) {
        *lock(&self.files) = files;
    }
}

fn watch(files: &Mutex<Vec<OpenedFile>>, end: &Receiver<()>) {
    let mut changes = Changes::default();
    while end.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
        let opened = lock(files).clone();
        for path in changes.look(&opened, FileStamp::of) {
            log::info!(
                "plugin file `{}` has changed; the run keeps the version it has: `bridgehead ctl reload` loads the \
                 world with the new one",
                path.display()
            );
        }
    }
}

/// What was seen of changed files.
#[derive(Default)]
struct Changes(BTreeMap<PathBuf, Change>);

struct Change {
    seen: FileStamp,
    is_reported: bool,
}

impl Changes {
    /// Returns the files to report: those with a change that the last look has found too. A file that is gone is not
    /// reported: a linker removes the old file first.
    fn look(&mut self, opened: &[OpenedFile], stamp: impl Fn(&Path) -> Option<FileStamp>) -> Vec<PathBuf> {
        let mut settled = Vec::new();
        for (path, version) in opened {
            let now = stamp(path);
            let Some(now) = now.filter(|now| now != version) else {
                self.0.remove(path);
                continue;
            };
            let change = self.0.entry(path.clone()).or_insert(Change { seen: *version, is_reported: false });
            if change.seen != now {
                *change = Change { seen: now, is_reported: false };
            } else if !std::mem::replace(&mut change.is_reported, true) {
                settled.push(path.clone());
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_change_is_reported_once_when_it_has_settled() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("libx.so");
        fs::write(&path, "one").expect("written");
        let opened = [(path.clone(), FileStamp::of(&path).expect("a stamp"))];
        let mut changes = Changes::default();
        let mut look = || changes.look(&opened, FileStamp::of);
        assert!(look().is_empty() && look().is_empty(), "unchanged");
        fs::write(&path, "four").expect("written");
        assert!(look().is_empty(), "it may still be growing");
        fs::write(&path, "twelve").expect("written");
        assert!(look().is_empty(), "it was");
        assert_eq!(look(), std::slice::from_ref(&path));
        assert!(look().is_empty(), "once");
        fs::remove_file(&path).expect("removed");
        assert!(look().is_empty(), "a file that is gone is not the new one");
        fs::write(&path, "nineteen").expect("written");
        assert!(look().is_empty());
        assert_eq!(look(), [path], "another change is another report");
    }
}
