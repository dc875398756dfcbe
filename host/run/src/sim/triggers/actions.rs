//! Executes the actions of triggers.

use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest};

use crate::clock;
use crate::sim::simulation::Simulation;
use crate::sim::topics::InternalPublisher;
use crate::trigger::{Action, Event, Publish, Signal, Source, Trigger};

/// Type of the messages of `push_release`.
pub(super) const BUTTON: &str = "std_msgs/msg/Bool";

impl Simulation {
    /// Arms the triggers of a new run; `is_new_run` is false if a run continues after a reset. Then runs the due ones.
    pub(in crate::sim) fn begin_triggers(&mut self, is_new_run: bool) {
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
    pub(in crate::sim) fn signal_triggers(&mut self, signal: Signal) {
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
    pub(in crate::sim) fn repeat_pause_triggers(&mut self) {
        for due in self.triggers.take_signalled(Signal::Pause, self.timeline.now()) {
            let has_logged = !self.triggers.logged_in_pause.insert(due.id);
            let action = if has_logged { without_logs(due.action) } else { Some(due.action) };
            action.into_iter().for_each(|action| self.act(action, &due.title));
        }
    }

    /// Executes the actions that are due between two steps.
    pub(in crate::sim) fn run_due_triggers(&mut self) {
        let now = self.now();
        self.sync_subscriptions();
        if let Some(loaded) = &self.loaded {
            loaded.subscriptions.deliver(&mut self.triggers.engine, now);
        }
        for due in self.triggers.take_due(now) {
            log::debug!("trigger `{}`: {}", due.title, due.action.name());
            self.act(due.action, &due.title);
        }
        for failure in self.triggers.programs.poll() {
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
                if let Some(failure) =
                    self.triggers.programs.run(&command, title, self.config.enable_command_action)
                {
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
pub(super) fn without_logs(action: Action) -> Option<Action> {
    if let Action::Bundle(actions) = action {
        return Some(Action::Bundle(actions.into_iter().filter_map(without_logs).collect()));
    }
    (!matches!(action, Action::Log { .. })).then_some(action)
}

/// Returns the trigger that releases buttons again.
pub(super) fn release(topics: &[String], duration_ns: i64, title: &str) -> Trigger {
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
pub(super) fn button(topic: &str, is_pushed: bool) -> Publish {
    Publish {
        topic: topic.to_owned(),
        type_name: Some(BUTTON.to_owned()),
        message: serde_json::json!({ "data": is_pushed }),
    }
}
