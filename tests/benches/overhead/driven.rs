//! A complete run of the host on its own thread, which takes steps on request.
//!
//! It is held in the same way as by a lockstep bridge, so nothing in the host is different for the benchmark.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_host::api::{Late, Shared};
use bridgehead_host::bus::{Arrival, Topic};
use bridgehead_host::clock::Speed;
use bridgehead_host::config::RunConfig;
use bridgehead_host::plugin::{Origin, SearchPath};
use bridgehead_host::report::{RunResult, StartProgress, Status, Watcher};
use bridgehead_host::sim::{NoController, Simulation};
use bridgehead_lifecycle::{AfterReset, Cause, Interrupt, Request, ResetRequest, ResetScope};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::Message;

use crate::{Outcome, cpu, locate};

/// Number of the lockstep bridge that the benchmark acts as.
const HOLDER: u32 = u32::MAX;
/// How long the benchmark sleeps between two reads of the clock of the run.
const POLL_PERIOD: Duration = Duration::from_micros(500);
/// The most time that the end phase of a step takes after the clock has been set.
const TAIL: Duration = Duration::from_millis(3);
/// How long anything may take before the benchmark gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A run that is held between steps.
pub(crate) struct Driven {
    shared: Arc<Shared>,
    thread: JoinHandle<Outcome<RunResult>>,
    step: u64,
}

/// Ignores all reports.
struct NoWatcher;

impl Watcher for NoWatcher {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

impl Driven {
    /// Loads a world with the built plugins of these names, and takes one step.
    pub(crate) fn start(
        world: PathBuf,
        plugins: &[&str],
        adapt: impl FnOnce(&mut RunConfig),
    ) -> Outcome<Self> {
        let mut search = SearchPath::new();
        for name in plugins {
            search.add(Origin::CommandLine, locate::plugin(name)?);
        }
        let mut config = RunConfig {
            world: Some(world),
            search,
            speed: Speed::Unlimited,
            strict: true,
            ..RunConfig::default()
        };
        adapt(&mut config);
        let shared = Shared::new(config.seed);
        shared.lockstep.hold(HOLDER, None, Late::Wait);
        let given = Arc::clone(&shared);
        let run = move || -> Outcome<RunResult> {
            Ok(Simulation::new(config, given)?.run(&mut NoWatcher, &mut NoController)?)
        };
        let thread = std::thread::Builder::new().name("simulation".to_owned()).spawn(run)?;
        let mut driven = Driven { shared, thread, step: 0 };
        driven.steps(1)?;
        Ok(driven)
    }

    /// Takes `count` steps. Returns the processor time of all threads except the calling one.
    pub(crate) fn steps(&mut self, count: u32) -> Outcome<Duration> {
        let before = cpu::others();
        self.step += u64::from(count);
        _ = self.shared.lockstep.release(HOLDER, None, self.step);
        let mut waited = Duration::ZERO;
        while self.shared.clock.read().0.step < self.step {
            if self.thread.is_finished() {
                return Err(format!("the run ended before step {}", self.step).into());
            }
            if waited > PATIENCE {
                return Err(format!("step {} does not end", self.step).into());
            }
            std::thread::sleep(POLL_PERIOD);
            waited += POLL_PERIOD;
        }
        std::thread::sleep(TAIL);
        Ok(cpu::others().saturating_sub(before))
    }

    /// Resets the state of everything, plugins included. Returns the processor time as [`Self::steps`] does.
    pub(crate) fn reset(&mut self) -> Outcome<Duration> {
        let epoch = self.shared.clock.read().0.reset_epoch;
        let before = cpu::others();
        let request = ResetRequest { scope: ResetScope::STATE, then: AfterReset::Keep };
        self.shared.requests.push(Request::new(Interrupt::Reset(request), Cause::CommandLine));
        let mut waited = Duration::ZERO;
        while self.shared.clock.read().0.reset_epoch == epoch {
            if waited > PATIENCE {
                return Err("the reset does not end".into());
            }
            std::thread::sleep(POLL_PERIOD);
            waited += POLL_PERIOD;
        }
        std::thread::sleep(TAIL);
        Ok(cpu::others().saturating_sub(before))
    }

    /// The number of the last step.
    pub(crate) fn step(&self) -> u64 {
        self.step
    }

    /// The topics with this message type.
    pub(crate) fn topics<T: Message>(&self) -> Vec<Arc<Topic>> {
        let all = self.shared.bus.all();
        all.into_iter().filter(|topic| topic.data_type.full_name() == T::FULL_NAME).collect()
    }

    /// Sends a message to a topic, as from a peer; it takes effect in the next step, even if the host still ends the last
    /// one.
    pub(crate) fn send<T: Message>(&self, topic: &Topic, message: &T) {
        let payload = Payload::from_vec(message.encode_to_vec());
        self.shared.inbox.push(Arrival {
            topic: topic.id,
            source: HOLDER,
            at_step: Some(self.step + 1),
            stamp_ns: None,
            payload,
        });
    }

    /// Ends the run.
    pub(crate) fn finish(self) -> Outcome<RunResult> {
        self.shared.requests.push(Request::new(Interrupt::Quit, Cause::CommandLine));
        _ = self.shared.lockstep.release(HOLDER, None, u64::MAX);
        self.thread.join().map_err(|_| "the run panicked")?
    }
}
