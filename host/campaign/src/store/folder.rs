//! A store in a folder, which several machines may share.
//!
//! ```text
//! campaign.json               the name of the campaign
//! plan.json
//! runs/<2 digits>/<key>/      entry.json, result.json, and what the run wrote; log.txt unless it passed
//! failures/<key>.json         tries of a key that has no result
//! conflicts/<key>.<hash>.json two different results of a key
//! tmp/<machine>-<process>-<number>/
//! ```
//!
//! A folder is filled in `tmp` and then renamed, which is atomic and fails if the target exists.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use bridgehead_files::{MAX_OF_DATA, open, read_bytes};
use serde::de::DeserializeOwned;

use super::scratch::Scratch;
use super::{Address, Conflict, Entry, Failure, Put, Store, claim, conflict_name, json, refused};
use crate::digest::of_bytes;
use crate::{CampaignError, Key, Plan};

const ENTRY: &str = "entry.json";
const RESULT: &str = "result.json";

/// A store in a folder.
pub struct FolderStore {
    address: Address,
    root: PathBuf,
    scratch: Scratch,
}

impl FolderStore {
    /// Opens the store in a folder, which need not exist.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        FolderStore { address: Address::Folder(root.clone()), scratch: Scratch::new(root.join("tmp")), root }
    }

    fn run_folder(&self, key: Key) -> PathBuf {
        self.root.join("runs").join(key.prefix()).join(key.to_string())
    }

    /// Creates a file with this content unless there is one; returns true if it was created.
    fn create(&self, path: &Path, content: &[u8]) -> Result<bool, CampaignError> {
        let temporary = self.scratch.unused();
        let made = parent_of(path)
            .and_then(|()| parent_of(&temporary))
            .and_then(|()| write_synced(&temporary, content))
            // A link fails if the name is taken, which a rename of a file does not.
            .and_then(|()| match fs::hard_link(&temporary, path) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                // Not every file system has links.
                Err(_) => create_new(path, content),
            });
        drop(fs::remove_file(&temporary));
        made.map_err(|error| refused(path, &error))
    }

    /// Writes a file, and replaces an older one.
    fn replace(
        &self,
        path: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), CampaignError> {
        let temporary = self.scratch.unused();
        let written = parent_of(path).and_then(|()| parent_of(&temporary)).and_then(|()| {
            let mut file = File::create(&temporary)?;
            write(&mut file)?;
            file.sync_all()?;
            fs::rename(&temporary, path)
        });
        if written.is_err() {
            drop(fs::remove_file(&temporary));
        }
        written.map_err(|error| refused(path, &error))
    }

    fn all_of<T: DeserializeOwned>(&self, folder: &str) -> Result<Vec<T>, CampaignError> {
        let folder = self.root.join(folder);
        let mut paths = match fs::read_dir(&folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(refused(&folder, &error)),
        };
        paths.sort();
        let read_one = |path: PathBuf| -> Result<T, CampaignError> {
            let text = read(&path).map_err(|error| refused(&path, &error))?;
            serde_json::from_slice(&text).map_err(|error| refused(&path, &io::Error::other(error)))
        };
        paths.into_iter().map(read_one).collect()
    }

    /// Compares a second entry of a key with the first one.
    fn compared(&self, entry: &Entry) -> Result<Put, CampaignError> {
        let path = self.run_folder(entry.key);
        let first = match self.entry(entry.key) {
            Ok(Some(first)) => first,
            Ok(None) => return Err(refused(&path, &io::Error::other("the folder has no entry"))),
            Err(fault) => return Err(refused(&path.join(ENTRY), &io::Error::other(fault))),
        };
        if first.is_equal(entry) {
            return Ok(Put::Dropped);
        }
        let conflict = Conflict { key: entry.key, first, second: entry.clone() };
        let path = self.root.join("conflicts").join(conflict_name(entry));
        self.create(&path, &json(&conflict))?;
        Ok(Put::Conflict(Box::new(conflict)))
    }
}

impl Store for FolderStore {
    fn address(&self) -> &Address {
        &self.address
    }

    fn claim(&self, campaign: &str) -> Result<(), CampaignError> {
        let path = self.root.join("campaign.json");
        self.create(&path, &claim::of(campaign))?;
        let text = read(&path).map_err(|error| refused(&path, &error))?;
        self.scratch.sweep();
        claim::check(&text, &path, campaign, &self.address)
    }

    fn write_plan(&self, plan: &Plan) -> Result<(), CampaignError> {
        self.replace(&self.root.join("plan.json"), |file| plan.write(file))
    }

    fn read_plan(&self) -> Result<Plan, CampaignError> {
        let refuse = |reason: String| CampaignError::NoPlan { store: self.address.to_string(), reason };
        let file = open(&self.root.join("plan.json")).map_err(|error| refuse(error.to_string()))?;
        let plan = Plan::read(BufReader::new(file)).map_err(refuse)?;
        self.claim(&plan.name)?;
        Ok(plan)
    }

    fn keys(&self) -> Result<HashSet<Key>, CampaignError> {
        let runs = self.root.join("runs");
        let folders = match fs::read_dir(&runs) {
            Ok(folders) => folders,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
            Err(error) => return Err(refused(&runs, &error)),
        };
        let mut keys = HashSet::new();
        for folder in folders {
            let folder = folder.map_err(|error| refused(&runs, &error))?.path();
            let entries = fs::read_dir(&folder).map_err(|error| refused(&folder, &error))?;
            keys.extend(
                entries.flatten().filter_map(|entry| Key::parse(&entry.file_name().to_string_lossy())),
            );
        }
        Ok(keys)
    }

    fn entry(&self, key: Key) -> Result<Option<Entry>, String> {
        let folder = self.run_folder(key);
        let path = folder.join(ENTRY);
        let text = match read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => return Ok(None),
            Err(error) => return Err(format!("`{}` cannot be read: {error}", path.display())),
        };
        Entry::read(&text, key, &path.display().to_string()).map(Some)
    }

    fn begin(&self) -> Result<PathBuf, CampaignError> {
        self.scratch.begin()
    }

    fn put(&self, entry: &Entry, folder: &Path) -> Result<Put, CampaignError> {
        let target = self.run_folder(entry.key);
        if target.exists() {
            let put = self.compared(entry);
            self.discard(folder);
            return put;
        }
        let write = || {
            let result = read(&folder.join(RESULT))?;
            if of_bytes(&result) != entry.result {
                return Err(io::Error::other("its result file has changed"));
            }
            write_synced(&folder.join(ENTRY), &json(entry))?;
            File::open(folder.join(RESULT))?.sync_all()
        };
        write().map_err(|error| refused(&target, &error))?;
        let moved = match fs::rename(folder, &target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                parent_of(&target).and_then(|()| fs::rename(folder, &target))
            }
            moved => moved,
        };
        match moved {
            Ok(()) => {
                let failure = self.root.join("failures").join(format!("{}.json", entry.key));
                drop(fs::remove_file(failure));
                Ok(Put::Stored)
            }
            Err(_) if target.exists() => {
                let put = self.compared(entry);
                self.discard(folder);
                put
            }
            Err(error) => Err(refused(&target, &error)),
        }
    }

    fn put_failure(&self, failure: &Failure) -> Result<(), CampaignError> {
        let path = self.root.join("failures").join(format!("{}.json", failure.key));
        self.replace(&path, |file| file.write_all(&json(failure)))
    }

    fn failures(&self) -> Result<Vec<Failure>, CampaignError> {
        self.all_of("failures")
    }

    fn conflicts(&self) -> Result<Vec<Conflict>, CampaignError> {
        self.all_of("conflicts")
    }

    fn discard(&self, folder: &Path) {
        drop(fs::remove_dir_all(folder));
    }
}

/// Creates a file, unless there is one; returns true if it was created.
fn create_new(path: &Path, content: &[u8]) -> io::Result<bool> {
    match File::create_new(path) {
        Ok(mut file) => file.write_all(content).and_then(|()| file.sync_all()).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

fn parent_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    Ok(read_bytes(path, MAX_OF_DATA)?)
}

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}
