//! The store of results: one entry for each key, written completely or not at all; the first writer wins.
//!
//! The store is the only truth about a campaign. Several shards on several machines write into it at the same time, and one
//! run may be executed twice: a second entry with the same state hash is dropped, and one with another hash is kept beside
//! the first as a conflict. The trait needs only "create unless it exists" of whatever keeps the objects.

mod entry;
mod folder;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::{CampaignError, Key, Plan};

pub use entry::{Conflict, Entry, Failure, Try, Verdict};
pub use folder::FolderStore;

/// What became of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Put {
    /// It is the first one of its key.
    Stored,
    /// There is one with the same state hash.
    Dropped,
    /// There is one with another state hash.
    Conflict(Box<Conflict>),
}

/// Keeps the plan and the results of one campaign.
pub trait Store {
    /// Returns its address, for messages.
    fn place(&self) -> PathBuf;

    /// Makes the store that of a campaign, unless it is already.
    ///
    /// # Errors
    /// Returns an error if it belongs to another campaign or cannot be written.
    fn claim(&self, campaign: &str) -> Result<(), CampaignError>;

    /// Replaces the plan.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; the old plan then stays.
    fn write_plan(&self, plan: &Plan) -> Result<(), CampaignError>;

    /// Returns the plan.
    ///
    /// # Errors
    /// Returns an error if there is none, or it cannot be read.
    fn read_plan(&self) -> Result<Plan, CampaignError>;

    /// Returns the keys that have an entry. The entries are not read.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    fn keys(&self) -> Result<HashSet<Key>, CampaignError>;

    /// Returns the entry of a key; `None` if there is none.
    ///
    /// # Errors
    /// Returns a text if the entry is damaged, or was changed after it had been written.
    fn entry(&self, key: Key) -> Result<Option<Entry>, String>;

    /// Creates an empty folder for a try, in which its run writes its files.
    ///
    /// # Errors
    /// Returns an error if it cannot be created.
    fn begin(&self) -> Result<PathBuf, CampaignError>;

    /// Adds the entry of a finished run with the files of its folder, which is used up.
    ///
    /// # Errors
    /// Returns an error if it cannot be written completely; the store is then unchanged.
    fn put(&self, entry: &Entry, folder: &Path) -> Result<Put, CampaignError>;

    /// Notes that a key has no result after all its tries; replaces an older note.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn put_failure(&self, failure: &Failure) -> Result<(), CampaignError>;

    /// Returns the notes about keys without a result.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn failures(&self) -> Result<Vec<Failure>, CampaignError>;

    /// Returns the conflicts.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn conflicts(&self) -> Result<Vec<Conflict>, CampaignError>;

    /// Removes a folder of [`Store::begin`].
    fn discard(&self, folder: &Path);
}

#[cfg(test)]
mod tests;
