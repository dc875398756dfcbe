//! Who has started, who is late, who failed: the count behind "n of m" and behind the report that all have started.
//! It starts nobody and reads no clock: names, results and times come from the loop. Belongs to the simulation
//! thread; plugins that start on other threads report through the loop.

use super::event::{Cause, Report, ResetScope};

/// Follows the plugin instances that were told to start, in the order they were added.
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

/// Whether a run can do without an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// Without it the start fails.
    Required,
    /// Without it the run begins, one plugin short.
    Optional,
}

/// How far the start is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Progress {
    /// Instances that have started.
    pub started: usize,
    /// Instances that failed or are past their deadline.
    pub missing: usize,
    /// All instances.
    pub total: usize,
}

/// Why the tracker does not take a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// Two instances of one name cannot be told apart.
    #[error(
        "[BH-SIM-110] plugin instance `{0}` is already being started; give each instance a name of its own"
    )]
    Duplicate(String),
    /// Nobody of this name was told to start.
    #[error("[BH-SIM-111] plugin instance `{name}` is not being started; known are: {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names there are, joined by commas.
        known: String,
    },
}

impl StartTracker {
    /// Adds an instance that has just been told to start; `deadline_ns` is on the clock of the later `now_ns`.
    ///
    /// # Errors
    ///
    /// [`TrackError::Duplicate`] if there is one of this name.
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

    /// Notes that an instance has started, late or not.
    ///
    /// Returns the reset that was asked for meanwhile; it is to be run once, before `all_started`.
    ///
    /// # Errors
    ///
    /// [`TrackError::Unknown`] if nobody of this name is tracked.
    pub fn ready(&mut self, name: &str) -> Result<Option<ResetScope>, TrackError> {
        let instance = self.find(name)?;
        instance.status = Status::Ready;
        Ok(instance.pending_reset.take())
    }

    /// Notes that an instance could not start.
    ///
    /// # Errors
    ///
    /// [`TrackError::Unknown`] if nobody of this name is tracked.
    pub fn failed(&mut self, name: &str, reason: &str) -> Result<(), TrackError> {
        self.find(name)?.status = Status::Failed(reason.to_owned());
        Ok(())
    }

    /// Forgets an instance, because its vehicle was deleted.
    pub fn forget(&mut self, name: &str) {
        self.instances.retain(|instance| instance.name != name);
    }

    /// Forgets everybody, because plugins were stopped or the world is gone.
    pub fn clear(&mut self) {
        self.instances.clear();
    }

    /// Keeps a reset for everybody who has not started yet; scopes of several resets join.
    pub fn keep_reset(&mut self, scope: ResetScope) {
        for instance in self.instances.iter_mut().filter(|instance| !instance.has_ended()) {
            instance.pending_reset = Some(instance.pending_reset.map_or(scope, |kept| kept | scope));
        }
    }

    /// Marks those past their deadline at `now_ns` as late and returns the names of the newly late.
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

    /// How far the start is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let count = |wanted: fn(&Instance) -> bool| self.instances.iter().filter(|i| wanted(i)).count();
        Progress {
            started: count(|instance| instance.status == Status::Ready),
            missing: count(Instance::is_missing),
            total: self.instances.len(),
        }
    }

    /// The names of those who are awaited, late ones included.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        self.instances.iter().filter(|instance| !instance.has_ended()).map(|instance| instance.name.as_str())
    }

    /// The names of those who are late.
    pub fn late(&self) -> impl Iterator<Item = &str> {
        self.instances.iter().filter(|i| i.status == Status::Late).map(|instance| instance.name.as_str())
    }

    /// The names of those who failed, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.instances.iter().filter_map(|instance| match &instance.status {
            Status::Failed(reason) => Some((instance.name.as_str(), reason.as_str())),
            Status::Starting | Status::Late | Status::Ready => None,
        })
    }

    /// What to report to the lifecycle, if anything: a required instance that is missing ends the start at once,
    /// an optional one is given until its deadline.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        if let Some(missing) = self.instances.iter().find(|i| i.need == Need::Required && i.is_missing()) {
            return Some(Report::StartFailed(missing.cause()));
        }
        let all_settled = self.instances.iter().all(|instance| instance.status != Status::Starting);
        all_settled.then_some(Report::AllStarted)
    }

    fn find(&mut self, name: &str) -> Result<&mut Instance, TrackError> {
        // Made beforehand, since the search borrows the list for the whole answer.
        let unknown = self.unknown(name);
        self.instances.iter_mut().find(|instance| instance.name == name).ok_or(unknown)
    }

    fn unknown(&self, name: &str) -> TrackError {
        let names: Vec<_> = self.instances.iter().map(|instance| instance.name.as_str()).collect();
        TrackError::Unknown { name: name.to_owned(), known: names.join(", ") }
    }
}

impl Instance {
    /// Whether nothing more is awaited from it.
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
