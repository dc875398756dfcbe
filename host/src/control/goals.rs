//! The goals of the action `simulate_steps`: requested, running, and ended with a result that is kept for a while.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::{State, Ticket};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::action_msgs::{GoalInfo, GoalStatus, GoalStatusArray};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;

use super::call::{Reply, failed, noted, ok};
use super::listeners::{Event, Listeners};
use super::ongoing::Ongoing;
use crate::bus::Moment;
use crate::bus::actions::{FEEDBACK, STATUS};
use crate::sim::Simulation;

/// How long a result is kept after the end of its goal.
const KEPT: Duration = Duration::from_secs(10);

pub(super) type GoalId = [u8; 16];

/// The goals of the action.
#[derive(Default)]
pub(super) struct Goals {
    pub(super) goals: Vec<Goal>,
    /// Events to send to listeners.
    pub(super) events: Vec<Event>,
    /// Name under which the action is offered.
    name: String,
}

/// One goal.
pub(super) struct Goal {
    pub(super) id: GoalId,
    pub(super) accepted_at: Time,
    pub(super) steps: u64,
    pub(super) completed: u64,
    pub(super) status: i32,
    pub(super) phase: Phase,
    pub(super) waiting: Vec<Reply<si::SimulateStepsGetResultResponse>>,
}

/// How far a goal is.
pub(super) enum Phase {
    /// The lifecycle has not taken the request yet.
    Requested(Ticket),
    /// Steps run, since this moment.
    Running(Moment),
    /// It has ended; the result is kept until this instant.
    Ended { result: Option<si::Result>, until: Instant },
}

impl Goals {
    /// Goals of an action offered under this name.
    pub(super) fn named(name: &str) -> Self {
        Goals { name: name.to_owned(), ..Goals::default() }
    }

    pub(super) fn find(&mut self, id: &GoalId) -> Option<&mut Goal> {
        self.goals.iter_mut().find(|goal| goal.id == *id)
    }

    pub(super) fn has_active(&self) -> bool {
        self.goals.iter().any(|goal| !goal.has_ended())
    }

    /// Updates the goals after a step, and drops expired results. Returns the events to send.
    fn follow(&mut self, simulation: &mut Simulation) -> Vec<Event> {
        let now = crate::clock::now();
        for goal in &mut self.goals {
            goal.follow(simulation, now, &mut self.events);
        }
        let before = self.goals.len();
        self.goals.retain(|goal| !matches!(goal.phase, Phase::Ended { until, .. } if now >= until));
        let events = std::mem::take(&mut self.events);
        self.publish(simulation, &events, before != self.goals.len());
        events
    }

    /// Answers the calls that wait for the result of an ended goal. Called after its events were sent, so that a client
    /// does not get the result before them.
    fn answer(&mut self) {
        for goal in &mut self.goals {
            if let Phase::Ended { result, .. } = &goal.phase {
                for reply in goal.waiting.drain(..) {
                    reply.send(response(goal.status, result.clone()));
                }
            }
        }
    }

    /// Publishes events on the topics of the action.
    fn publish(&self, simulation: &mut Simulation, events: &[Event], has_dropped_goals: bool) {
        for event in events {
            if let Event::Feedback { goal, completed_steps, remaining_steps, .. } = event {
                let (completed_steps, remaining_steps) = (*completed_steps, *remaining_steps);
                let feedback = si::SimulateStepsFeedback { completed_steps, remaining_steps };
                let message =
                    si::SimulateStepsFeedbackMessage { goal_id: Some(uuid(goal)), feedback: Some(feedback) };
                self.publish_message(simulation, FEEDBACK, Qos::default(), &message);
            }
        }
        if has_dropped_goals || events.iter().any(|event| matches!(event, Event::Goal { .. })) {
            let status = |goal: &Goal| GoalStatus { goal_info: Some(goal.info()), status: goal.status };
            let message = GoalStatusArray { status_list: self.goals.iter().map(status).collect() };
            self.publish_message(simulation, STATUS, Qos::latched(), &message);
        }
    }

    fn publish_message<M: Message>(&self, simulation: &mut Simulation, topic: &str, qos: Qos, message: &M) {
        let name = format!("/{}{topic}", self.name);
        let types = &simulation.shared().types;
        let Ok(data_type) = types.register(M::FULL_NAME, M::DESCRIPTOR_SET, "bridgehead") else { return };
        if let Err(error) = simulation.publish(&name, &data_type, qos, message.encode_to_vec()) {
            log::warn!("{error}");
        }
    }
}

impl Ongoing for Goals {
    fn is_idle(&self) -> bool {
        self.goals.is_empty() && self.events.is_empty()
    }

    fn go_on(&mut self, simulation: &mut Simulation, listeners: &mut Listeners) {
        self.follow(simulation).iter().for_each(|event| listeners.send(event));
        self.answer();
    }
}

impl Goal {
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    pub(super) fn info(&self) -> GoalInfo {
        GoalInfo { goal_id: Some(uuid(&self.id)), stamp: Some(self.accepted_at) }
    }

    fn follow(&mut self, simulation: &mut Simulation, now: Instant, events: &mut Vec<Event>) {
        if let Phase::Requested(ticket) = self.phase {
            match simulation.take_answer(ticket) {
                None => return,
                Some(Err(refusal)) => {
                    let result = failed(si::Result::RESULT_OPERATION_FAILED, refusal.to_string());
                    return self.end(GoalStatus::STATUS_ABORTED, result, simulation.now(), now, events);
                }
                Some(Ok(())) => self.phase = Phase::Running(simulation.now()),
            }
        }
        if let Phase::Running(began) = self.phase {
            self.run(began, simulation, now, events);
        }
    }

    fn run(&mut self, began: Moment, simulation: &Simulation, now: Instant, events: &mut Vec<Event>) {
        let (moment, machine) = (simulation.now(), simulation.machine());
        let is_same_run = moment.reset_epoch == began.reset_epoch;
        let completed = if is_same_run { moment.step.saturating_sub(began.step) } else { self.completed };
        if completed > self.completed {
            self.completed = completed;
            events.push(Event::Feedback {
                goal: self.id,
                completed_steps: completed,
                remaining_steps: self.steps.saturating_sub(completed),
                reset_epoch: moment.reset_epoch,
            });
        }
        let is_over = machine.steps_left().is_none() && machine.is_settled();
        if !is_over && is_same_run {
            return;
        }
        let is_canceling = self.status == GoalStatus::STATUS_CANCELING;
        let (status, result) = if completed >= self.steps && is_same_run {
            (GoalStatus::STATUS_SUCCEEDED, ok())
        } else if is_canceling && machine.state() == State::Pause {
            (
                GoalStatus::STATUS_CANCELED,
                noted(format!("cancelled after {completed} of {} steps", self.steps)),
            )
        } else {
            let text = format!(
                "cut short after {completed} of {} steps; the simulation is {}",
                self.steps,
                machine.state().plain_name()
            );
            (GoalStatus::STATUS_ABORTED, failed(si::Result::RESULT_OPERATION_FAILED, text))
        };
        self.end(status, result, moment, now, events);
    }

    pub(super) fn end(
        &mut self,
        status: i32,
        result: Option<si::Result>,
        moment: Moment,
        now: Instant,
        events: &mut Vec<Event>,
    ) {
        self.status = status;
        self.phase = Phase::Ended { result, until: now + KEPT };
        events.push(Event::Goal { goal: self.id, status, reset_epoch: moment.reset_epoch });
    }
}

pub(super) fn response(status: i32, result: Option<si::Result>) -> si::SimulateStepsGetResultResponse {
    si::SimulateStepsGetResultResponse { status, result: Some(si::SimulateStepsResult { result }) }
}

fn uuid(id: &GoalId) -> Uuid {
    Uuid { uuid: id.to_vec().into() }
}

/// Returns the id of a goal; `None` if it is not 16 bytes long.
pub(super) fn goal_id(uuid: Option<&Uuid>) -> Option<GoalId> {
    uuid.and_then(|uuid| GoalId::try_from(&*uuid.uuid).ok())
}
