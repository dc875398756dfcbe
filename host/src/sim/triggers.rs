//! Triggers in a run: what happens is told to the engine, and what it says is due is done.
//!
//! Time triggers and conditions are looked at at the end of a step, before requests are taken, so that `time=2` finds
//! the world as it is at 2 s, and a run that it ends, ends there. Whatever ends, pauses or resets the run becomes a
//! request like everybody else's.

mod command;
mod ears;

use crate::trigger::{Action, Due, Engine, Event, History, Publish, Signal, Source, Trigger, Waiting};

use super::Simulation;
use super::timeline::nanoseconds;
use super::topics::Insider;
use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest, ResetScope, State};
use command::Running;
use ears::Ears;

/// Type of the messages of `push_release`.
const BUTTON: &str = "std_msgs/msg/Bool";

/// The triggers of a host, what they listen to, and the programs they run.
#[derive(Default)]
pub(super) struct Triggers {
    engine: Engine,
    ears: Ears,
    running: Vec<Running>,
}

impl Triggers {
    pub(super) fn history(&self) -> &History {
        &self.engine.history
    }

    /// The world is gone, and its topics with it.
    pub(super) fn forget_world(&mut self) {
        self.ears = Ears::default();
        self.engine.forget_resets();
    }
}

impl Simulation {
    /// Hands in a trigger; gives its number. Between two steps.
    pub fn submit_trigger(&mut self, trigger: Trigger) -> u64 {
        self.triggers.engine.submit(trigger, self.now())
    }

    /// Takes out a trigger that waits, by its number.
    pub fn remove_trigger(&mut self, id: u64) -> Option<Trigger> {
        self.triggers.engine.remove(id)
    }

    /// The triggers that wait, in the order in which they were handed in.
    #[must_use]
    pub fn triggers(&self) -> Vec<Waiting> {
        self.triggers.engine.waiting()
    }

    /// When the run ends or is reset, as far as times say: the first trigger for a time that does so, or the duration.
    #[must_use]
    pub fn end_ns(&self) -> Option<i64> {
        let duration = self.config.duration.map(nanoseconds);
        [self.triggers.engine.end_ns(), duration].into_iter().flatten().min()
    }

    /// What triggers have done.
    #[must_use]
    pub fn trigger_history(&self) -> &History {
        self.triggers.history()
    }

    /// A run begins, or goes on after a reset.
    pub(super) fn begin_triggers(&mut self, is_new_run: bool) {
        if is_new_run {
            self.triggers.engine.arm(&self.config.triggers, self.now());
            self.listen();
            // Once more, for topics that the first time opened.
            self.listen();
            self.warn_of_silence();
            self.fire(Signal::Start);
        }
        self.run_due_triggers();
    }

    /// Time may have gone back.
    pub(super) fn reset_triggers(&mut self, scope: ResetScope) {
        self.triggers.engine.forget_messages();
        if scope.contains(ResetScope::TIME) {
            self.triggers.engine.rearm(self.now());
        }
    }

    /// Does what waits for something that the lifecycle does.
    pub(super) fn fire(&mut self, signal: Signal) {
        if self.triggers.engine.listens(signal) {
            for due in self.triggers.engine.fire(signal, self.now()) {
                self.perform(due);
            }
        }
    }

    /// Does what is due between two steps.
    pub(super) fn run_due_triggers(&mut self) {
        self.listen();
        self.hear();
        if self.triggers.engine.may_be_due(self.now()) {
            for due in self.triggers.engine.due(self.now()) {
                self.perform(due);
            }
        }
        self.tend_commands();
    }

    /// Nothing runs: what waits for a pause, or was handed in during it, is done all the same.
    pub(super) fn wake_triggers(&mut self) {
        match self.lifecycle.machine().state() {
            State::Pause => self.fire(Signal::Pause),
            State::Stopped => {}
            _ => return,
        }
        self.run_due_triggers();
    }

    fn perform(&mut self, due: Due) {
        log::debug!("trigger `{}`: {}", due.title, due.action.name());
        self.act(due.action, &due.title);
    }

    fn act(&mut self, action: Action, title: &str) {
        let interrupt = match action {
            Action::Pause => Interrupt::Pause,
            Action::Resume => Interrupt::Resume,
            Action::Stop => Interrupt::Stop,
            Action::Succeed => Interrupt::Success,
            Action::Fail => Interrupt::Fail,
            Action::Reset(scope) => Interrupt::Reset(ResetRequest::running_on(scope)),
            Action::KeepAlive => return self.lifecycle.keep_alive(),
            Action::RealtimeFactor(speed) => return self.set_speed(speed),
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
                    self.submit_trigger(trigger);
                }
                return;
            }
            Action::Publish(publish) => return self.send(&publish, title),
            Action::PushRelease { topics, duration_ns } => {
                return self.push_release(&topics, duration_ns, title);
            }
            Action::Command(command) => return self.run_command(&command, title),
        };
        self.shared.requests.push(Request::new(interrupt, Cause::Trigger(title.to_owned())));
    }

    /// Sends a message as a peer would; the next step takes it in.
    fn send(&mut self, publish: &Publish, title: &str) {
        let (type_name, message) = (publish.type_name.as_deref(), publish.message.to_string());
        if let Err(why) = self.inject(Insider::Triggers, &publish.topic, type_name, &message) {
            self.note_error(format!("[BH-TRG-032] the trigger `{title}` publishes nothing: {why}"));
        }
    }

    fn push_release(&mut self, topics: &[String], duration_ns: i64, title: &str) {
        let button = |topic: &String, is_pushed: bool| Publish {
            topic: topic.clone(),
            type_name: Some(BUTTON.to_owned()),
            message: serde_json::json!({ "data": is_pushed }),
        };
        for topic in topics {
            self.send(&button(topic, true), title);
        }
        self.submit_trigger(Trigger {
            label: format!("{title}: release"),
            event: Event::Next(duration_ns),
            action: Action::Bundle(
                topics.iter().map(|topic| Action::Publish(button(topic, false))).collect(),
            ),
            sticky: false,
            conceal: false,
            optional: false,
            priority: 0,
            source: Source::Trigger,
        });
    }
}
