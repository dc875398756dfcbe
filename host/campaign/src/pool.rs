//! Executes runs on this machine: one process for each, as many at a time as there are cores.
//!
//! One thread waits for the processes, for their time limits and for signals. A run that ends without a result, by a signal
//! or by its time limit, is tried again, behind the other runs.

mod child;
mod judge;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use child::{Child, Exit};

use crate::command::Invocation;
use crate::store::{Failure, Put, Store, Try, Verdict};
use crate::{CampaignError, Conflict, Limits, Plan, PlannedRun};

pub(crate) use judge::Judged;

/// How runs are executed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program.
    pub program: PathBuf,
    /// Most runs at a time.
    pub jobs: usize,
    /// True if no run begins after one has failed.
    pub fail_fast: bool,
}

/// What happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run finished.
    Finished(&'a PlannedRun, Verdict),
    /// A try gave no result; the run is tried again.
    Again(&'a PlannedRun, &'a Try),
    /// A run has no result after all its tries.
    GivenUp(&'a PlannedRun, &'a Try),
    /// A run has two different results.
    Conflict(&'a Conflict),
    /// Nothing, for a while.
    Waiting,
}

/// Counts of an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs to execute.
    pub total: usize,
    /// Passed runs.
    pub passed: usize,
    /// Failed runs.
    pub failed: usize,
    /// Runs without a result.
    pub given_up: usize,
    /// Tries that gave no result and were repeated.
    pub repeated: usize,
    /// Runs with two different results.
    pub conflicts: usize,
    /// Runs in progress.
    pub running: usize,
    /// Time since the beginning.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns the number of runs that have ended.
    #[must_use]
    pub fn ended(&self) -> usize {
        self.passed + self.failed + self.given_up
    }

    /// Returns the time that the rest takes if it takes as long as what has ended; `None` before the first end.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let ended = u32::try_from(self.ended()).ok().filter(|ended| *ended > 0)?;
        let left = u32::try_from(self.total.saturating_sub(self.ended())).ok()?;
        (self.elapsed / ended).checked_mul(left)
    }
}

/// What an execution uses of its surroundings.
pub struct Surroundings<'a> {
    /// Where results go.
    pub store: &'a dyn Store,
    /// Returns the time since some moment.
    pub clock: &'a dyn Fn() -> Duration,
    /// That moment, as the time since 1970, UTC.
    pub zero: Duration,
    /// Set by a signal: the execution then ends, without the results of runs in progress.
    pub stop: &'a AtomicBool,
}

/// Executes runs and stores their results.
///
/// # Errors
/// Returns an error if the store cannot be written, a process cannot be started, or a signal came. Runs in progress are
/// ended then; finished ones are in the store.
pub fn execute(
    plan: &Plan,
    runs: &[&PlannedRun],
    options: &Options,
    surroundings: &Surroundings<'_>,
    watch: &mut dyn FnMut(&Event<'_>, &Progress),
) -> Result<Progress, CampaignError> {
    let waiting = runs.iter().map(|run| Waiting { run, tries: Vec::new() }).collect();
    let progress = Progress { total: runs.len(), ..Progress::default() };
    let began = (surroundings.clock)();
    let mut pool = Pool {
        plan,
        options,
        surroundings,
        waiting,
        running: Vec::new(),
        folders: Vec::new(),
        progress,
        began,
    };
    let outcome = pool.run(watch);
    pool.end_all();
    outcome.map(|()| pool.progress)
}

/// A run to start, with its earlier tries.
struct Waiting<'p> {
    run: &'p PlannedRun,
    tries: Vec<Try>,
}

/// A run in progress.
struct Running<'p> {
    waiting: Waiting<'p>,
    child: Child,
}

struct Pool<'p, 'a> {
    plan: &'p Plan,
    options: &'a Options,
    surroundings: &'a Surroundings<'a>,
    waiting: VecDeque<Waiting<'p>>,
    running: Vec<Running<'p>>,
    /// Folders in which runs have ended, for further runs.
    folders: Vec<PathBuf>,
    progress: Progress,
    began: Duration,
}

/// How long the pool waits without an event before it tells the watcher so.
const TICK: Duration = Duration::from_secs(1);

impl<'p> Pool<'p, '_> {
    fn run(&mut self, watch: &mut dyn FnMut(&Event<'_>, &Progress)) -> Result<(), CampaignError> {
        loop {
            if self.surroundings.stop.load(Ordering::Relaxed) {
                return Err(CampaignError::Interrupted);
            }
            self.start_waiting()?;
            if self.running.is_empty() {
                return Ok(());
            }
            let now = (self.surroundings.clock)();
            let next = self.running.iter().map(|run| run.child.deadline.saturating_sub(now)).min();
            child::wait_any(self.running.iter().map(|run| &run.child), next.unwrap_or(TICK).min(TICK));
            self.progress.elapsed = (self.surroundings.clock)().saturating_sub(self.began);
            if !self.collect(watch)? {
                watch(&Event::Waiting, &self.progress);
            }
        }
    }

    fn start_waiting(&mut self) -> Result<(), CampaignError> {
        let may_begin = !(self.options.fail_fast && self.progress.failed + self.progress.given_up > 0);
        while may_begin && self.running.len() < self.options.jobs.max(1) {
            let Some(waiting) = self.waiting.pop_front() else { break };
            let folder = match self.folders.pop() {
                Some(folder) => folder,
                None => self.surroundings.store.begin()?,
            };
            let run = waiting.run;
            let invocation = Invocation::of(self.plan, self.plan.case(run), run.seed, &self.options.program);
            let now = (self.surroundings.clock)();
            let child = Child::start(&invocation, folder.clone(), &self.plan.limits, now);
            let child = child.inspect_err(|_| self.folders.push(folder))?;
            self.running.push(Running { waiting, child });
        }
        self.progress.running = self.running.len();
        Ok(())
    }

    /// Takes the runs that have ended or are late. Returns false if there are none.
    fn collect(&mut self, watch: &mut dyn FnMut(&Event<'_>, &Progress)) -> Result<bool, CampaignError> {
        let (mut at, mut any) = (0, false);
        while at < self.running.len() {
            let now = (self.surroundings.clock)();
            let Some(exit) = self.running.get_mut(at).and_then(|run| run.child.exit(now)) else {
                at += 1;
                continue;
            };
            any = true;
            let ended = self.running.swap_remove(at);
            self.progress.running = self.running.len();
            self.ended(ended, exit, watch)?;
        }
        Ok(any)
    }

    fn ended(
        &mut self,
        Running { mut waiting, child }: Running<'p>,
        exit: Exit,
        watch: &mut dyn FnMut(&Event<'_>, &Progress),
    ) -> Result<(), CampaignError> {
        let store = self.surroundings.store;
        let run = waiting.run;
        let wall_s = (self.surroundings.clock)().saturating_sub(child.began).as_secs_f64();
        match judge::judged(run, exit, &child.folder, wall_s) {
            Judged::Result(mut entry) => {
                entry.earlier = std::mem::take(&mut waiting.tries);
                let began = self.surroundings.zero.saturating_add(child.began);
                entry.began_ms = u64::try_from(began.as_millis()).ok();
                let entry = entry.sealed();
                let folder = store.begin()?;
                let put = judge::move_files(&child.folder, &folder, entry.verdict)
                    .and_then(|()| store.put(&entry, &folder))
                    .inspect_err(|_| store.discard(&folder));
                self.folders.push(child.folder);
                match put? {
                    // Results of sampled runs need not be equal.
                    Put::Conflict(_) if self.plan.bridges(self.plan.case(run)).sampled => {}
                    Put::Conflict(conflict) => {
                        self.progress.conflicts += 1;
                        watch(&Event::Conflict(&conflict), &self.progress);
                    }
                    Put::Stored | Put::Dropped => {}
                }
                match entry.verdict {
                    Verdict::Passed => self.progress.passed += 1,
                    Verdict::Failed => self.progress.failed += 1,
                }
                watch(&Event::Finished(run, entry.verdict), &self.progress);
            }
            Judged::Nothing { attempt, is_final } => {
                judge::clear(&child.folder);
                let is_writable = judge::is_writable(&child.folder);
                self.folders.push(child.folder);
                is_writable?;
                waiting.tries.push(attempt);
                self.without_result(Waiting { run, tries: waiting.tries }, is_final, watch)?;
            }
        }
        Ok(())
    }

    /// Tries a run again, or gives it up.
    fn without_result(
        &mut self,
        waiting: Waiting<'p>,
        is_final: bool,
        watch: &mut dyn FnMut(&Event<'_>, &Progress),
    ) -> Result<(), CampaignError> {
        let run = waiting.run;
        let Some(last) = waiting.tries.last() else { return Ok(()) };
        if !is_final && waiting.tries.len() < self.plan.limits.tries as usize {
            self.progress.repeated += 1;
            watch(&Event::Again(run, last), &self.progress);
            self.waiting.push_back(Waiting { run, tries: waiting.tries });
            return Ok(());
        }
        self.progress.given_up += 1;
        watch(&Event::GivenUp(run, last), &self.progress);
        self.surroundings.store.put_failure(&Failure { key: run.key, tries: waiting.tries, is_final })
    }

    fn end_all(&mut self) {
        for mut run in self.running.drain(..) {
            run.child.kill();
            self.surroundings.store.discard(&run.child.folder);
        }
        self.folders.iter().for_each(|folder| self.surroundings.store.discard(folder));
    }
}

/// Executes one run outside of a store. Returns what became of it; its files are in `folder`.
///
/// # Errors
/// Returns an error if the process cannot be started, or a signal came.
pub(crate) fn execute_one(
    invocation: &Invocation,
    run: &PlannedRun,
    folder: &Path,
    limits: &Limits,
    (clock, stop): (&dyn Fn() -> Duration, &AtomicBool),
) -> Result<Judged, CampaignError> {
    let mut child = Child::start(invocation, folder.to_owned(), limits, clock())?;
    loop {
        let left = child.deadline.saturating_sub(clock());
        child::wait_any([&child].into_iter(), left.min(TICK));
        if stop.load(Ordering::Relaxed) {
            child.kill();
            return Err(CampaignError::Interrupted);
        }
        let now = clock();
        if let Some(exit) = child.exit(now) {
            return Ok(judge::judged(run, exit, folder, now.saturating_sub(child.began).as_secs_f64()));
        }
    }
}
