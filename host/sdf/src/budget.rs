//! What one reading may still use: files, bytes, elements, time. And whether it was cancelled.
//!
//! Everything that reads a world, a model, a mesh or an image gets a [`Budget`] and charges it. The first charge above a
//! [`Limit`] stops the reading: it and all later ones return the same finding, so that the cause is reported once.
//! A clone shares its counts. Usable from any thread; a charge takes no lock.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::diagnostic::{Code, Diagnostic};
use super::limits::{LIMITS, Limit};
use super::source::Location;

/// Charges of one between two readings of the clock, which takes longer than the charges.
const CHARGES: u64 = 256;

/// Cancels readings, from any thread. A clone cancels the same ones.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends every reading with this flag as soon as it charges its budget. It stays cancelled.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true after [`Self::cancel`].
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counts of one reading, with their limits.
///
/// ```
/// use bridgehead_sdf::{Budget, Cancel, Code, InMemory, SearchPath, load_with};
///
/// let files = InMemory::new().with("world.sdf", "<sdf version='1.9'><world name='w'/></sdf>");
/// let cancel = Cancel::default();
/// let budget = Budget::default().cancelled_by(&cancel);
/// cancel.cancel(); // usually on another thread
/// let error = load_with(&files, "world.sdf".as_ref(), &SearchPath::default(), &budget).unwrap_err();
/// assert_eq!(error.cause.code, Code::Cancelled);
/// ```
#[derive(Clone)]
pub struct Budget {
    counts: Arc<Counts>,
    most: [u64; LIMITS.len()],
    cancel: Cancel,
    /// The meshes and images that were read, if somebody asked for the list.
    read: Option<Arc<Mutex<Vec<PathBuf>>>>,
    /// Time since the beginning of the reading.
    elapsed: Arc<dyn Fn() -> Duration + Send + Sync>,
}

#[derive(Default)]
struct Counts {
    used: [AtomicU64; LIMITS.len()],
    stopped: OnceLock<Box<Diagnostic>>,
}

impl Default for Budget {
    /// A budget with the limits of the table, except that of time, which needs [`Budget::timed`].
    fn default() -> Self {
        Budget {
            counts: Arc::default(),
            most: std::array::from_fn(|index| LIMITS[index].most),
            cancel: Cancel::default(),
            read: None,
            elapsed: Arc::new(|| Duration::ZERO),
        }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = LIMITS.iter().map(|row| (row.limit, self.used(row.limit)));
        f.debug_map().entries(used.filter(|(_, used)| *used > 0)).finish()
    }
}

impl Budget {
    /// Limits the time of the reading. `elapsed` returns the time since its beginning; this crate reads no clock.
    #[must_use]
    pub fn timed(self, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Budget { elapsed: Arc::new(elapsed), ..self }
    }

    /// Ends the reading if `cancel` says so.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Self {
        Budget { cancel: cancel.clone(), ..self }
    }

    /// Keeps a list of the meshes and images that are read, for [`Budget::files_read`].
    #[must_use]
    pub fn listing(self) -> Self {
        Budget { read: Some(Arc::default()), ..self }
    }

    /// Returns the meshes and images that were read since [`Budget::listing`], in order. A file that could not be read is
    /// in the list too.
    #[must_use]
    pub fn files_read(&self) -> Vec<PathBuf> {
        let list = self.read.as_ref().map(|read| read.lock().unwrap_or_else(PoisonError::into_inner).clone());
        list.unwrap_or_default()
    }

    /// Replaces a limit of the table. Clones that exist already keep theirs.
    #[must_use]
    pub fn with(mut self, limit: Limit, most: u64) -> Self {
        self.most[limit as usize] = most;
        self
    }

    /// Returns the greatest allowed number.
    #[must_use]
    pub fn most(&self, limit: Limit) -> u64 {
        self.most[limit as usize]
    }

    /// Returns the number charged so far.
    #[must_use]
    pub fn used(&self, limit: Limit) -> u64 {
        self.counts.used[limit as usize].load(Ordering::Relaxed)
    }

    /// Returns the finding that stopped the reading.
    #[must_use]
    pub fn stopped(&self) -> Option<&Diagnostic> {
        self.counts.stopped.get().map(Box::as_ref)
    }

    /// Adds `amount` to what was used. `place` is where it is used, for the finding.
    ///
    /// # Errors
    /// Returns an error if that is too much, the time is over, the reading was cancelled, or it stopped before. All
    /// errors of a budget are the same finding.
    pub fn charge(
        &self,
        limit: Limit,
        amount: u64,
        place: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Box<Diagnostic>> {
        let before = self.counts.used[limit as usize].fetch_add(amount, Ordering::Relaxed);
        let used = before.saturating_add(amount);
        if used > self.most(limit) {
            return Err(self.exceeded(limit, place));
        }
        let is_clock_due = amount > 1 || used.is_multiple_of(CHARGES);
        self.go_on_if(is_clock_due, place)
    }

    /// Checks a number that does not add up, such as a depth.
    ///
    /// # Errors
    /// Returns an error like [`Self::charge`].
    pub fn check(
        &self,
        limit: Limit,
        number: u64,
        place: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Box<Diagnostic>> {
        if number > self.most(limit) {
            return Err(self.exceeded(limit, place));
        }
        self.go_on_if(false, place)
    }

    /// Checks the time and the flag, before something that takes long.
    ///
    /// # Errors
    /// Returns an error like [`Self::charge`].
    pub fn go_on(&self, place: impl FnOnce() -> Option<Location>) -> Result<(), Box<Diagnostic>> {
        self.go_on_if(true, place)
    }

    fn go_on_if(
        &self,
        is_clock_due: bool,
        place: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(stopped) = self.counts.stopped.get() {
            return Err(stopped.clone());
        }
        if self.cancel.is_cancelled() {
            return Err(self.stop(Diagnostic::error(Code::Cancelled, place(), "the reading was cancelled")));
        }
        let most = Duration::from_secs(self.most(Limit::Time));
        if is_clock_due && (self.elapsed)() > most {
            return Err(self.exceeded(Limit::Time, place));
        }
        Ok(())
    }

    /// Adds a mesh or an image to [`Budget::files_read`].
    pub(crate) fn list(&self, path: &Path) {
        if let Some(read) = &self.read {
            read.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        }
    }

    /// Stops the reading, because a limit is exceeded.
    pub(crate) fn exceeded(&self, limit: Limit, place: impl FnOnce() -> Option<Location>) -> Box<Diagnostic> {
        // The place may be expensive, and only the first one counts.
        if let Some(stopped) = self.counts.stopped.get() {
            return stopped.clone();
        }
        let found = format!("more than {} {}", self.most(limit), limit.row().counted);
        self.stop(Diagnostic::error(Code::LimitExceeded, place(), found).hint(limit.row().advice))
    }

    fn stop(&self, finding: Diagnostic) -> Box<Diagnostic> {
        self.counts.stopped.get_or_init(|| Box::new(finding)).clone()
    }
}

#[cfg(test)]
mod tests;
