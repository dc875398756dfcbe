//! The store of results: one entry for each key, written completely or not at all; the first writer wins.
//!
//! The store is the only truth about a campaign. Several shards on several machines write into it at the same time, and one
//! run may be executed twice: a second entry with the same state hash is dropped, and one with another hash is kept beside
//! the first as a conflict. The trait needs only "create unless it exists" of whatever keeps the objects.

mod address;
mod claim;
mod entry;
mod folder;
#[cfg(feature = "s3")]
mod objects;
mod scratch;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::{CampaignError, Key, Plan};

pub use address::Address;
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
    /// Returns its address.
    fn address(&self) -> &Address;

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

    /// Returns the entries of several keys, in their order; each is that of [`Store::entry`].
    fn entries(&self, keys: &[Key]) -> Vec<Result<Option<Entry>, String>> {
        keys.iter().map(|key| self.entry(*key)).collect()
    }

    /// Creates an empty folder on this machine for a try, in which its run writes its files.
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

/// Opens the store at an address. Nothing is created or asked before it is used.
///
/// # Errors
/// Returns an error if the address is that of a bucket, and its settings are wrong or this program has no client for it.
pub fn open(address: &Address) -> Result<Box<dyn Store>, CampaignError> {
    match address {
        Address::Folder(path) => Ok(Box::new(FolderStore::new(path))),
        #[cfg(feature = "s3")]
        Address::Bucket { name, prefix } => Ok(Box::new(objects::BucketStore::new(name, prefix)?)),
        #[cfg(not(feature = "s3"))]
        Address::Bucket { .. } => Err(CampaignError::NoBuckets(address.to_string())),
    }
}

/// True if this program was built with stores in buckets.
pub const HAS_BUCKETS: bool = cfg!(feature = "s3");

fn refused(path: &Path, error: &std::io::Error) -> CampaignError {
    CampaignError::Store { path: path.to_owned(), reason: error.to_string() }
}

/// Returns the name of the file or object with a conflict of this entry.
fn conflict_name(entry: &Entry) -> String {
    let hash = entry.state_hash.as_deref().unwrap_or("none");
    format!("{}.{hash}-{}.json", entry.key, entry.exit_code)
}

/// Returns a value as a file or an object.
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    // The values of a store have only texts as keys of maps, and are always serialized.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests;
