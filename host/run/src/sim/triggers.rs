//! Triggers of a run: reports events to the engine, and executes the actions that are due.
//!
//! Time triggers and conditions are checked at the end of a step, before requests are taken. So an action of `time=2`
//! sees the world at 2 s, and if it ends the run, the run ends at 2 s. An action that ends, pauses or resets the run
//! becomes a request like all others.

mod command;
mod subscriptions;

use std::collections::BTreeSet;
use std::time::Duration;

use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest, ResetScope};

pub(super) use subscriptions::TriggerSubscriptions;

use super::Simulation;
use super::timeline::nanoseconds;
use super::topics::InternalPublisher;
use crate::bus::Moment;
use crate::clock;
use crate::trigger::{Action, Due, Engine, Event, History, Publish, Signal, Source, Trigger, Waiting};
use command::Running;

/// Type of the messages of `push_release`.
const BUTTON: &str = "std_msgs/msg/Bool";

/// Number of resets by triggers without a step between them. Further ones are ignored until a step has run, because
/// they would never end.
const MAX_RESETS: u32 = 10;

/// The triggers of a host. Their subscriptions belong to the loaded world.
#[derive(Default)]
pub struct Triggers {
    engine: Engine,
    /// Resets that triggers requested since the last step.
    resets: u32,
    /// Whether ignored resets were reported in this world.
    has_reported_resets: bool,
    /// Triggers of this pause that have fired, by number: further ones log nothing.
    logged_in_pause: BTreeSet<u64>,
    /// Programs that actions run in the background.
    running: Vec<Running>,
}

impl Triggers {
    /// Adds a trigger. Returns its number.
    pub fn submit(&mut self, trigger: Trigger, now: Moment) -> u64 {
        self.engine.submit(trigger, now)
    }

    /// Removes a waiting trigger, by its number.
    pub fn remove(&mut self, id: u64) -> Option<Trigger> {
        self.engine.remove(id)
    }

    /// Returns the waiting triggers, in the order in which they were submitted.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        self.engine.waiting()
    }

    /// Returns the executed actions.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.engine.history
    }

    /// Returns the time at which the run will end or be reset, if known: that of the first such trigger, or the
    /// duration.
    #[must_use]
    pub fn end_ns(&self, duration: Option<Duration>) -> Option<i64> {
        [self.engine.end_ns(), duration.map(nanoseconds)].into_iter().flatten().min()
    }

    /// Returns true if a trigger waits for a signal. Cheap, for every step.
    pub(super) fn listen(&self, signal: Signal) -> bool {
        self.engine.listens(signal)
    }

    /// Takes the actions that wait for a signal of the lifecycle.
    fn take_signalled(&mut self, signal: Signal, now: Moment) -> Vec<Due> {
        if self.engine.listens(signal) { self.engine.fire(signal, now) } else { Vec::new() }
    }

    /// Takes the actions that are due at this time.
    fn take_due(&mut self, now: Moment) -> Vec<Due> {
        if self.engine.may_be_due(now) { self.engine.due(now) } else { Vec::new() }
    }

    /// Drops the state from messages at a reset, and restores the initial triggers if time is reset.
    pub(super) fn reset(&mut self, scope: ResetScope, now: Moment) {
        self.engine.forget_messages();
        if scope.contains(ResetScope::TIME) {
            self.engine.rearm(now);
        }
    }

    /// Allows triggers to reset the run again, after the world was unloaded.
    pub(super) fn forget_world(&mut self) {
        self.engine.forget_resets();
        self.has_reported_resets = false;
    }

    /// Allows triggers to reset the run again, because a step runs.
    pub(super) fn begin_step(&mut self) {
        self.resets = 0;
    }

    /// Counts a reset by the trigger `title`.
    ///
    /// # Errors
    /// Returns an error if there were too many; `None` if that was reported already.
    fn count_reset(&mut self, title: &str) -> Result<(), Option<String>> {
        if self.resets < MAX_RESETS {
            self.resets += 1;
            return Ok(());
        }
        Err((!std::mem::replace(&mut self.has_reported_resets, true)).then(|| endless_resets(title)))
    }
}

impl Simulation {
    /// Arms the triggers of a new run; `is_new_run` is false if a run continues after a reset. Then runs the due ones.
    pub(super) fn begin_triggers(&mut self, is_new_run: bool) {
        if is_new_run {
            self.triggers.engine.arm(&self.config.triggers, self.timeline.now());
            self.sync_subscriptions();
            // A second time, for topics that the first call opened.
            self.sync_subscriptions();
            if let Some(loaded) = &self.loaded {
                loaded.subscriptions.warn_missing_topics(&self.triggers.engine, &self.traffic);
            }
            self.signal_triggers(Signal::Start);
        }
        self.run_due_triggers();
    }

    /// Executes the actions that wait for a signal of the lifecycle.
    pub(super) fn signal_triggers(&mut self, signal: Signal) {
        if signal == Signal::Pause {
            self.triggers.logged_in_pause.clear();
        }
        for due in self.triggers.take_signalled(signal, self.timeline.now()) {
            if signal == Signal::Pause {
                self.triggers.logged_in_pause.insert(due.id);
            }
            log::debug!("trigger `{}`: {}", due.title, due.action.name());
            self.act(due.action, &due.title);
        }
    }

    /// Executes the actions of sticky triggers that fire again and again during a pause. They logged their texts when the
    /// pause began, and would fill the log with them.
    pub(super) fn repeat_pause_triggers(&mut self) {
        for due in self.triggers.take_signalled(Signal::Pause, self.timeline.now()) {
            let has_logged = !self.triggers.logged_in_pause.insert(due.id);
            let action = if has_logged { without_logs(due.action) } else { Some(due.action) };
            action.into_iter().for_each(|action| self.act(action, &due.title));
        }
    }

    /// Executes the actions that are due between two steps.
    pub(super) fn run_due_triggers(&mut self) {
        let now = self.now();
        self.sync_subscriptions();
        if let Some(loaded) = &self.loaded {
            loaded.subscriptions.deliver(&mut self.triggers.engine, now);
        }
        for due in self.triggers.take_due(now) {
            log::debug!("trigger `{}`: {}", due.title, due.action.name());
            self.act(due.action, &due.title);
        }
        for failure in self.triggers.poll_commands() {
            self.fail_command(failure);
        }
    }

    fn sync_subscriptions(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        for problem in loaded.subscriptions.sync(&self.triggers.engine, &self.shared.bus, &mut self.traffic) {
            self.record.error(problem);
        }
    }

    fn act(&mut self, action: Action, title: &str) {
        let interrupt = match action {
            Action::Pause => Interrupt::Pause,
            Action::Resume => Interrupt::Resume,
            Action::Stop => Interrupt::Stop,
            Action::Succeed => Interrupt::Success,
            Action::Fail => Interrupt::Fail,
            Action::Reset(scope) => match self.triggers.count_reset(title) {
                Ok(()) => Interrupt::Reset(ResetRequest::running_on(scope)),
                Err(error) => return error.into_iter().for_each(|error| self.record.error(error)),
            },
            Action::KeepAlive => return self.lifecycle.keep_alive(),
            Action::RealtimeFactor(speed) => return self.timeline.set_speed(speed, clock::now()),
            Action::ResetStatistics => return self.reset_statistics(),
            Action::Log { level, text } => {
                log::log!(target: title, level, "{text}");
                return;
            }
            Action::Bundle(actions) => {
                actions.into_iter().for_each(|action| self.act(action, title));
                return;
            }
            Action::Insert(triggers) => {
                for trigger in triggers {
                    self.triggers.submit(trigger, self.timeline.now());
                }
                return;
            }
            Action::Publish(publish) => return self.inject_message(&publish, title),
            Action::PushRelease { topics, duration_ns } => {
                for topic in &topics {
                    self.inject_message(&button(topic, true), title);
                }
                self.triggers.submit(release(&topics, duration_ns, title), self.timeline.now());
                return;
            }
            Action::Command(command) => {
                if let Some(failure) = self.triggers.run(&command, title, self.config.enable_command_action) {
                    self.fail_command(failure);
                }
                return;
            }
        };
        self.shared.requests.push(Request::new(interrupt, Cause::Trigger(title.to_owned())));
    }

    /// Injects a message as if a peer had sent it: the next step latches it in.
    fn inject_message(&mut self, publish: &Publish, title: &str) {
        let (type_name, message) = (publish.type_name.as_deref(), publish.message.to_string());
        if let Err(why) = self.inject(InternalPublisher::Triggers, &publish.topic, type_name, &message) {
            self.record.error(format!("[BH-TRG-032] the trigger `{title}` publishes nothing: {why}"));
        }
    }

    /// Ends the run because a program failed.
    fn fail_command(&mut self, text: String) {
        self.record.error(text.clone());
        self.shared.requests.push(Request::new(Interrupt::Abort, Cause::Host(text)));
    }
}

/// Returns an action without the texts that it logs; `None` if nothing is left.
fn without_logs(action: Action) -> Option<Action> {
    if let Action::Bundle(actions) = action {
        return Some(Action::Bundle(actions.into_iter().filter_map(without_logs).collect()));
    }
    (!matches!(action, Action::Log { .. })).then_some(action)
}

/// Returns the error of a trigger that resets the run again and again.
pub(super) fn endless_resets(title: &str) -> String {
    format!(
        "[BH-TRG-035] the trigger `{title}` resets the run again and again without a step in between; after \
         {MAX_RESETS} resets it is ignored until a step has run: remove `sticky`, or reset at a time after 0"
    )
}

/// Returns the trigger that releases buttons again.
fn release(topics: &[String], duration_ns: i64, title: &str) -> Trigger {
    Trigger {
        label: format!("{title}: release"),
        event: Event::Next(duration_ns),
        action: Action::Bundle(topics.iter().map(|topic| Action::Publish(button(topic, false))).collect()),
        sticky: false,
        conceal: false,
        optional: false,
        priority: 0,
        source: Source::Trigger,
    }
}

/// Returns a message that pushes or releases a button.
fn button(topic: &str, is_pushed: bool) -> Publish {
    Publish {
        topic: topic.to_owned(),
        type_name: Some(BUTTON.to_owned()),
        message: serde_json::json!({ "data": is_pushed }),
    }
}
