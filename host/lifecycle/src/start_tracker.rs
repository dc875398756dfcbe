//! Which plugin instances have started, are late, or failed: the count behind "n of m" and the report that
//! all have started. It starts nothing and reads no clock: names, results and times come from the loop.
//! Belongs to the simulation thread; plugins that start on other threads report through the loop.

use super::event::{Cause, Report, ResetScope};

/// Tracks the plugin instances that are being started, in the order they were added.
#[derive(Debug, Clone, Default)]
pub struct StartTracker {
    instances: Vec<Instance>,
}

#[derive(Debug, Clone)]
struct Instance {
    name: String,
    need: Need,
    deadline_ns: u64,
    status: Status,
    pending_reset: Option<ResetScope>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Status {
    Starting,
    Late,
    Failed(String),
    Ready,
}

/// Whether the run needs an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// The start fails without it.
    Required,
    /// The run begins without it.
    Optional,
}

/// The progress of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Progress {
    /// Instances that have started.
    pub started: usize,
    /// Instances that failed or are past their deadline.
    pub missing: usize,
    /// All instances.
    pub total: usize,
}

/// Why a call to the tracker is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// Two instances with one name could not be distinguished.
    #[error("[BH-SIM-110] plugin instance `{0}` is already being started; give each instance its own name")]
    Duplicate(String),
    /// No instance of this name is being started.
    #[error("[BH-SIM-111] plugin instance `{name}` is not being started; being started are: {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
}

impl StartTracker {
    /// Adds an instance whose start has just been requested; `deadline_ns` is on the same clock as `now_ns`
    /// later.
    ///
    /// # Errors
    ///
    /// Returns [`TrackError::Duplicate`] if an instance of this name is tracked already.
    pub fn track(&mut self, name: &str, need: Need, deadline_ns: u64) -> Result<(), TrackError> {
        if self.instances.iter().any(|instance| instance.name == name) {
            return Err(TrackError::Duplicate(name.to_owned()));
        }
        let status = Status::Starting;
        self.instances.push(Instance {
            name: name.to_owned(),
            need,
            deadline_ns,
            status,
            pending_reset: None,
        });
        Ok(())
    }

    /// Records that an instance has started, late or not.
    ///
    /// Returns the reset that was deferred until now; the caller runs it once, before `all_started`.
    ///
    /// # Errors
    ///
    /// Returns [`TrackError::Unknown`] if no instance of this name is tracked.
    pub fn ready(&mut self, name: &str) -> Result<Option<ResetScope>, TrackError> {
        let instance = self.find(name)?;
        instance.status = Status::Ready;
        Ok(instance.pending_reset.take())
    }

    /// Records that an instance failed to start.
    ///
    /// # Errors
    ///
    /// Returns [`TrackError::Unknown`] if no instance of this name is tracked.
    pub fn failed(&mut self, name: &str, reason: &str) -> Result<(), TrackError> {
        self.find(name)?.status = Status::Failed(reason.to_owned());
        Ok(())
    }

    /// Removes an instance, because its vehicle was deleted.
    pub fn forget(&mut self, name: &str) {
        self.instances.retain(|instance| instance.name != name);
    }

    /// Removes all instances, because plugins were stopped or the world was unloaded.
    pub fn clear(&mut self) {
        self.instances.clear();
    }

    /// Defers a reset for every instance that has not started yet; the scopes of several resets are joined.
    pub fn keep_reset(&mut self, scope: ResetScope) {
        for instance in self.instances.iter_mut().filter(|instance| !instance.has_ended()) {
            instance.pending_reset = Some(instance.pending_reset.map_or(scope, |kept| kept | scope));
        }
    }

    /// Marks instances past their deadline at `now_ns` as late; returns the names of those that were not late
    /// before.
    pub fn expire(&mut self, now_ns: u64) -> Vec<String> {
        let is_due =
            |instance: &Instance| instance.status == Status::Starting && now_ns >= instance.deadline_ns;
        let mut late = Vec::new();
        for instance in self.instances.iter_mut().filter(|instance| is_due(instance)) {
            instance.status = Status::Late;
            late.push(instance.name.clone());
        }
        late
    }

    /// The progress of the start.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let count = |wanted: fn(&Instance) -> bool| self.instances.iter().filter(|i| wanted(i)).count();
        Progress {
            started: count(|instance| instance.status == Status::Ready),
            missing: count(Instance::is_missing),
            total: self.instances.len(),
        }
    }

    /// The names of instances that are still awaited, including late ones.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        self.instances.iter().filter(|instance| !instance.has_ended()).map(|instance| instance.name.as_str())
    }

    /// The names of late instances.
    pub fn late(&self) -> impl Iterator<Item = &str> {
        self.instances.iter().filter(|i| i.status == Status::Late).map(|instance| instance.name.as_str())
    }

    /// The names of failed instances, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.instances.iter().filter_map(|instance| match &instance.status {
            Status::Failed(reason) => Some((instance.name.as_str(), reason.as_str())),
            Status::Starting | Status::Late | Status::Ready => None,
        })
    }

    /// What to report to the lifecycle, if anything. A missing required instance ends the start at once; an
    /// optional one has until its deadline.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        if let Some(missing) = self.instances.iter().find(|i| i.need == Need::Required && i.is_missing()) {
            return Some(Report::StartFailed(missing.cause()));
        }
        let all_settled = self.instances.iter().all(|instance| instance.status != Status::Starting);
        all_settled.then_some(Report::AllStarted)
    }

    fn find(&mut self, name: &str) -> Result<&mut Instance, TrackError> {
        // Made first, because the search borrows the list until the function returns.
        let unknown = self.unknown(name);
        self.instances.iter_mut().find(|instance| instance.name == name).ok_or(unknown)
    }

    fn unknown(&self, name: &str) -> TrackError {
        let names: Vec<_> = self.instances.iter().map(|instance| instance.name.as_str()).collect();
        TrackError::Unknown { name: name.to_owned(), known: names.join(", ") }
    }
}

impl Instance {
    /// Returns true if nothing more is awaited from it.
    fn has_ended(&self) -> bool {
        matches!(self.status, Status::Ready | Status::Failed(_))
    }

    fn is_missing(&self) -> bool {
        matches!(self.status, Status::Late | Status::Failed(_))
    }

    fn cause(&self) -> Cause {
        let reason = match &self.status {
            Status::Failed(reason) => format!("could not start: {reason}"),
            Status::Late | Status::Starting | Status::Ready => {
                "has not started before its deadline".to_owned()
            }
        };
        Cause::Plugin { name: self.name.clone(), reason }
    }
}
