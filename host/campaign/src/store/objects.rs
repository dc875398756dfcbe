//! A store in a bucket of an S3-compatible service.
//!
//! ```text
//! PREFIX/campaign.json               the name of the campaign
//! PREFIX/plan.json
//! PREFIX/entries/<key>.json
//! PREFIX/files/<key>/<seal>/         result.json, and what the run wrote; log.txt unless it passed
//! PREFIX/failures/<key>.json         tries of a key that has no result
//! PREFIX/conflicts/<key>.<hash>.json two different results of a key
//! ```
//!
//! The files of a run are uploaded first, under the seal of their entry. Then the entry is created, which fails if there is
//! one: so an entry has all its files, and the first writer wins. Files of a try whose process died in between remain, and
//! nothing refers to them.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufReader, Cursor, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_files::{MAX_OF_DATA, open, read_bytes};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::AmazonS3Builder;
use object_store::buffered::BufWriter;
use object_store::path::Path as Location;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode, RetryConfig};
use serde::de::DeserializeOwned;
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::Runtime;

use super::scratch::Scratch;
use super::{Address, Conflict, Entry, Failure, Put, Store, claim, conflict_name, json, refused};
use crate::digest::of_bytes;
use crate::{CampaignError, Key, Plan};

const RESULT: &str = "result.json";
/// Requests at the same time, when many objects are read.
const PARALLEL: usize = 32;
/// Bytes of a file that are read and sent at once.
const CHUNK: usize = 8 << 20;
/// How often, and how long at most, a request is repeated that the service did not answer.
const RETRIES: usize = 4;
const PATIENCE: Duration = Duration::from_secs(60);

/// A store in a bucket.
pub(super) struct BucketStore {
    address: Address,
    bucket: String,
    prefix: Location,
    objects: Arc<dyn ObjectStore>,
    runtime: Runtime,
    scratch: Scratch,
}

impl BucketStore {
    /// Prepares the use of a bucket with the settings of the environment variables that other programs use too.
    pub(super) fn new(name: &str, prefix: &str) -> Result<Self, CampaignError> {
        let address = address(name, prefix);
        let wrong = |reason: String| CampaignError::Bucket { store: address.to_string(), reason };
        let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"].map(std::env::var);
        // Whoever writes `http` means it.
        let is_plain = endpoint.into_iter().flatten().any(|endpoint| endpoint.starts_with("http://"));
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let objects = AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry);
        let objects = objects.with_allow_http(is_plain).build().map_err(|error| wrong(sentence(&error)))?;
        BucketStore::of(Arc::new(objects), name, prefix, scratch_folder()?)
    }

    fn of(
        objects: Arc<dyn ObjectStore>,
        bucket: &str,
        prefix: &str,
        scratch: PathBuf,
    ) -> Result<Self, CampaignError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(BucketStore {
            address: address(bucket, prefix),
            bucket: bucket.to_owned(),
            prefix: Location::from(prefix),
            objects,
            runtime: runtime.map_err(|error| refused(&scratch, &error))?,
            scratch: Scratch::new(scratch),
        })
    }

    fn location(&self, parts: &[&str]) -> Location {
        parts.iter().fold(self.prefix.clone(), |location, part| location.join(*part))
    }

    /// Returns the error of a request.
    fn failed(&self, location: &Location, error: &Error) -> CampaignError {
        match error {
            Error::NotFound { .. } | Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                CampaignError::Bucket { store: self.address.to_string(), reason: sentence(error) }
            }
            _ => self.refused(location, io::Error::other(sentence(error))),
        }
    }

    fn refused(&self, location: &Location, error: impl Into<io::Error>) -> CampaignError {
        refused(Path::new(&self.url(location)), &error.into())
    }

    fn url(&self, location: &Location) -> String {
        format!("s3://{}/{location}", self.bucket)
    }

    /// Returns an object; `None` if there is none.
    fn read(&self, location: &Location) -> Result<Option<Vec<u8>>, CampaignError> {
        let read = self.runtime.block_on(read(&*self.objects, location));
        read.map_err(|error| self.failed(location, &error))
    }

    fn write(&self, location: &Location, content: Vec<u8>) -> Result<(), CampaignError> {
        let written = self.runtime.block_on(self.objects.put(location, content.into()));
        written.map(drop).map_err(|error| self.failed(location, &error))
    }

    /// Creates an object unless there is one; returns true if it was created.
    fn create(&self, location: &Location, content: Vec<u8>) -> Result<bool, CampaignError> {
        let put = self.objects.put_opts(location, content.into(), PutMode::Create.into());
        match self.runtime.block_on(put) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(self.failed(location, &error)),
        }
    }

    /// Returns the names of the objects of a folder, sorted.
    fn names(&self, folder: &str) -> Result<Vec<String>, CampaignError> {
        let folder = self.location(&[folder]);
        let listed = self.objects.list(Some(&folder)).try_collect::<Vec<_>>();
        let listed = self.runtime.block_on(listed).map_err(|error| self.failed(&folder, &error))?;
        let name = |object: &object_store::ObjectMeta| object.location.filename().map(str::to_owned);
        let mut names: Vec<String> = listed.iter().filter_map(name).collect();
        names.sort();
        Ok(names)
    }

    fn all_of<T: DeserializeOwned>(&self, folder: &str) -> Result<Vec<T>, CampaignError> {
        let mut all = Vec::new();
        for name in self.names(folder)? {
            let location = self.location(&[folder, &name]);
            // Another process may have removed it since.
            let Some(text) = self.read(&location)? else { continue };
            all.push(serde_json::from_slice(&text).map_err(|error| self.refused(&location, error))?);
        }
        Ok(all)
    }

    fn entry_location(&self, key: Key) -> Location {
        self.location(&["entries", &format!("{key}.json")])
    }

    fn failure_location(&self, key: Key) -> Location {
        self.location(&["failures", &format!("{key}.json")])
    }

    /// Uploads the files of a folder; returns where they are.
    fn upload(&self, folder: &Path, target: &Location) -> Result<Vec<Location>, CampaignError> {
        let mut uploaded = Vec::new();
        for path in files(folder).map_err(|error| refused(folder, &error))? {
            let inside = path.strip_prefix(folder).unwrap_or(&path);
            let parts = inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
            let location = parts.fold(target.clone(), |location, part| location.join(part));
            let sent = self.runtime.block_on(send(Arc::clone(&self.objects), &path, &location));
            sent.map_err(|error| refused(&path, &error))?;
            uploaded.push(location);
        }
        Ok(uploaded)
    }

    fn remove(&self, locations: Vec<Location>) {
        for location in locations {
            drop(self.runtime.block_on(self.objects.delete(&location)));
        }
    }

    /// Compares a second entry of a key with the first one.
    fn compared(&self, first: Entry, entry: &Entry) -> Result<Put, CampaignError> {
        if first.is_equal(entry) {
            return Ok(Put::Dropped);
        }
        let conflict = Conflict { key: entry.key, first, second: entry.clone() };
        self.create(&self.location(&["conflicts", &conflict_name(entry)]), json(&conflict))?;
        Ok(Put::Conflict(Box::new(conflict)))
    }

    /// Returns the entry that is there already.
    fn first(&self, key: Key) -> Result<Option<Entry>, CampaignError> {
        self.entry(key).map_err(|fault| self.refused(&self.entry_location(key), io::Error::other(fault)))
    }

    async fn read_entry(&self, key: Key) -> Result<Option<Entry>, String> {
        let location = self.entry_location(key);
        let name = self.url(&location);
        match read(&*self.objects, &location).await {
            Ok(Some(text)) => Entry::read(&text, key, &name).map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(format!("`{name}` cannot be read: {}", sentence(&error))),
        }
    }

    fn put_new(&self, entry: &Entry, folder: &Path) -> Result<Put, CampaignError> {
        if let Some(first) = self.first(entry.key)? {
            return self.compared(first, entry);
        }
        let location = self.entry_location(entry.key);
        let result = read_bytes(&folder.join(RESULT), MAX_OF_DATA)
            .map_err(io::Error::from)
            .map_err(|error| refused(&folder.join(RESULT), &error))?;
        if of_bytes(&result) != entry.result {
            return Err(self.refused(&location, io::Error::other("its result file has changed")));
        }
        let seal = entry.seal.map(|seal| seal.to_string()).unwrap_or_default();
        let target = self.location(&["files", &entry.key.to_string(), &seal]);
        let uploaded = self.upload(folder, &target)?;
        if self.create(&location, json(entry))? {
            self.remove(vec![self.failure_location(entry.key)]);
            return Ok(Put::Stored);
        }
        // Another process was faster.
        self.remove(uploaded);
        match self.first(entry.key)? {
            Some(first) => self.compared(first, entry),
            None => Err(self.refused(&location, io::Error::other("it has vanished"))),
        }
    }
}

impl Store for BucketStore {
    fn address(&self) -> &Address {
        &self.address
    }

    fn claim(&self, campaign: &str) -> Result<(), CampaignError> {
        let location = self.location(&["campaign.json"]);
        self.create(&location, claim::of(campaign))?;
        let content = self.read(&location)?.unwrap_or_default();
        self.scratch.sweep();
        claim::check(&content, Path::new(&self.url(&location)), campaign, &self.address)
    }

    fn write_plan(&self, plan: &Plan) -> Result<(), CampaignError> {
        let mut text = Vec::new();
        let location = self.location(&["plan.json"]);
        plan.write(&mut text).map_err(|error| self.refused(&location, error))?;
        self.write(&location, text)
    }

    fn read_plan(&self) -> Result<Plan, CampaignError> {
        let refuse = |reason: String| CampaignError::NoPlan { store: self.address.to_string(), reason };
        let text = self.read(&self.location(&["plan.json"]))?;
        let text = text.ok_or_else(|| refuse("there is no object `plan.json`".to_owned()))?;
        let plan = Plan::read(BufReader::new(Cursor::new(text))).map_err(refuse)?;
        self.claim(&plan.name)?;
        Ok(plan)
    }

    fn keys(&self) -> Result<HashSet<Key>, CampaignError> {
        let key = |name: String| Key::parse(name.strip_suffix(".json")?);
        Ok(self.names("entries")?.into_iter().filter_map(key).collect())
    }

    fn entry(&self, key: Key) -> Result<Option<Entry>, String> {
        self.runtime.block_on(self.read_entry(key))
    }

    fn entries(&self, keys: &[Key]) -> Vec<Result<Option<Entry>, String>> {
        let reads = keys.iter().map(|key| self.read_entry(*key));
        self.runtime.block_on(stream::iter(reads).buffered(PARALLEL).collect())
    }

    fn begin(&self) -> Result<PathBuf, CampaignError> {
        self.scratch.begin()
    }

    fn put(&self, entry: &Entry, folder: &Path) -> Result<Put, CampaignError> {
        let put = self.put_new(entry, folder)?;
        self.discard(folder);
        Ok(put)
    }

    fn put_failure(&self, failure: &Failure) -> Result<(), CampaignError> {
        self.write(&self.failure_location(failure.key), json(failure))
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

async fn read(objects: &dyn ObjectStore, location: &Location) -> object_store::Result<Option<Vec<u8>>> {
    match objects.get(location).await {
        Ok(found) => Ok(Some(found.bytes().await?.into())),
        // A bucket that is missing is an error: it would look empty.
        Err(error @ Error::NotFound { .. }) if is_without_bucket(&error) => Err(error),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_without_bucket(error: &Error) -> bool {
    error.to_string().contains("NoSuchBucket")
}

/// Sends a file in chunks: a log may be larger than the memory.
async fn send(objects: Arc<dyn ObjectStore>, path: &Path, location: &Location) -> io::Result<()> {
    let mut file = open(path)?;
    let mut object = BufWriter::with_capacity(objects, location.clone(), CHUNK);
    loop {
        let mut chunk = Vec::new();
        file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            break;
        }
        object.put(chunk.into()).await?;
    }
    object.shutdown().await
}

/// Returns the files of a folder and of those in it.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { &mut folders } else { &mut files }.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the folder for tries on this machine, which belongs to the user.
fn scratch_folder() -> Result<PathBuf, CampaignError> {
    let user = rustix::process::geteuid().as_raw();
    let folder = std::env::temp_dir().join(format!("bridgehead-campaign-{user}"));
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    let owner = made.and_then(|()| fs::symlink_metadata(&folder)).map(|found| found.uid());
    match owner {
        Ok(owner) if owner == user => Ok(folder),
        Ok(_) => Err(refused(&folder, &io::Error::other("the folder belongs to another user"))),
        Err(error) => Err(refused(&folder, &error)),
    }
}

fn address(name: &str, prefix: &str) -> Address {
    Address::Bucket { name: name.to_owned(), prefix: prefix.to_owned() }
}

/// Returns an error in one line: services answer with several lines of XML.
fn sentence(error: &dyn std::error::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
