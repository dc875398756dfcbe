//! The action `simulate_steps`: a goal, feedback after each step, a result that is kept for a while.
//!
//! An action is three services and two topics, named as ROS 2 names them, so that every bridge carries it like any
//! other service and topic.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Cause, Interrupt, Request, State, Ticket};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::action_msgs::{
    CancelGoalRequest, CancelGoalResponse, GoalInfo, GoalStatus, GoalStatusArray,
};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;

use super::call::{Reply, failed, noted, ok};
use super::listeners::{Event, Listeners};
use super::progress::Ongoing;
use super::session::Session;
use super::view::stamp;
use crate::bus::Moment;
use crate::bus::actions::{FEEDBACK, STATUS};
use crate::sim::Simulation;

/// How long a result is kept after the end of its goal.
const KEPT: Duration = Duration::from_secs(10);

type GoalId = [u8; 16];

/// The goals of the action.
#[derive(Default)]
pub(super) struct Steps {
    goals: Vec<Goal>,
    /// Events to send to listeners.
    events: Vec<Event>,
    /// Name under which the action is offered.
    name: String,
}

struct Goal {
    id: GoalId,
    accepted_at: Time,
    steps: u64,
    completed: u64,
    status: i32,
    phase: Phase,
    waiting: Vec<Reply<si::SimulateStepsGetResultResponse>>,
}

enum Phase {
    /// The lifecycle has not taken the request yet.
    Requested(Ticket),
    /// Steps run, since this moment.
    Running(Moment),
    /// It has ended; the result is kept until this instant.
    Ended { result: Option<si::Result>, until: Instant },
}

impl Steps {
    /// Goals of an action offered under this name.
    pub(super) fn named(name: &str) -> Self {
        Steps { name: name.to_owned(), ..Steps::default() }
    }

    fn find(&mut self, id: &GoalId) -> Option<&mut Goal> {
        self.goals.iter_mut().find(|goal| goal.id == *id)
    }

    fn has_active(&self) -> bool {
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

impl Ongoing for Steps {
    fn is_idle(&self) -> bool {
        self.goals.is_empty() && self.events.is_empty()
    }

    fn go_on(&mut self, simulation: &mut Simulation, listeners: &mut Listeners) {
        self.follow(simulation).iter().for_each(|event| listeners.send(event));
        self.answer();
    }
}

impl Goal {
    fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    fn info(&self) -> GoalInfo {
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

    fn end(
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

fn response(status: i32, result: Option<si::Result>) -> si::SimulateStepsGetResultResponse {
    si::SimulateStepsGetResultResponse { status, result: Some(si::SimulateStepsResult { result }) }
}

fn uuid(id: &GoalId) -> Uuid {
    Uuid { uuid: id.to_vec().into() }
}

/// Returns the id of a goal; `None` if it is not 16 bytes long.
fn goal_id(uuid: Option<&Uuid>) -> Option<GoalId> {
    uuid.and_then(|uuid| GoalId::try_from(&*uuid.uuid).ok())
}

pub(super) fn send_goal(
    session: &mut Session<'_>,
    request: &si::SimulateStepsSendGoalRequest,
    reply: Reply<si::SimulateStepsSendGoalResponse>,
) {
    let accepted_at = stamp(session.simulation.now().time_ns);
    let refuse = si::SimulateStepsSendGoalResponse { accepted: false, stamp: Some(accepted_at) };
    let Some(id) = goal_id(request.goal_id.as_ref()) else { return reply.send(refuse) };
    // One goal at a time: two would count each other's steps.
    if session.progress.steps.has_active() || session.progress.steps.find(&id).is_some() {
        return reply.send(refuse);
    }
    let steps = request.goal.unwrap_or_default().steps;
    let cause = Cause::Control("simulate_steps".to_owned());
    let ticket = session.simulation.request(Request::new(Interrupt::Step(steps), cause));
    let status = GoalStatus::STATUS_EXECUTING;
    session.progress.steps.goals.push(Goal {
        id,
        accepted_at,
        steps,
        completed: 0,
        status,
        phase: Phase::Requested(ticket),
        waiting: Vec::new(),
    });
    let reset_epoch = session.simulation.now().reset_epoch;
    session.progress.steps.events.push(Event::Goal { goal: id, status, reset_epoch });
    reply.send(si::SimulateStepsSendGoalResponse { accepted: true, stamp: Some(accepted_at) });
}

pub(super) fn get_result(
    session: &mut Session<'_>,
    request: &si::SimulateStepsGetResultRequest,
    reply: Reply<si::SimulateStepsGetResultResponse>,
) {
    let id = goal_id(request.goal_id.as_ref());
    let Some(goal) = id.and_then(|id| session.progress.steps.find(&id)) else {
        let text = "there is no such goal; results are kept for 10 s after the end";
        let result = failed(si::Result::RESULT_NOT_FOUND, text);
        return reply.send(response(GoalStatus::STATUS_UNKNOWN, result));
    };
    match &goal.phase {
        Phase::Ended { result, .. } => reply.send(response(goal.status, result.clone())),
        Phase::Requested(_) | Phase::Running(_) => goal.waiting.push(reply),
    }
}

pub(super) fn cancel_goal(
    session: &mut Session<'_>,
    request: &CancelGoalRequest,
    reply: Reply<CancelGoalResponse>,
) {
    let info = request.goal_info.clone().unwrap_or_default();
    // An id of zeros means all goals up to the stamp, or all; there is never more than one that runs.
    let id = goal_id(info.goal_id.as_ref()).filter(|id| *id != GoalId::default());
    let before = info.stamp.filter(|stamp| (stamp.sec, stamp.nanosec) != (0, 0));
    let is_meant = |goal: &Goal| match (id, before) {
        (Some(id), _) => goal.id == id,
        (None, Some(stamp)) => (goal.accepted_at.sec, goal.accepted_at.nanosec) <= (stamp.sec, stamp.nanosec),
        (None, None) => true,
    };
    let is_known = id.is_none_or(|id| session.progress.steps.find(&id).is_some());
    let mut canceling = Vec::new();
    let Steps { goals, events, .. } = &mut session.progress.steps;
    for goal in goals.iter_mut().filter(|goal| is_meant(goal) && !goal.has_ended()) {
        goal.status = GoalStatus::STATUS_CANCELING;
        canceling.push(goal.info());
        if let Phase::Requested(ticket) = goal.phase
            && session.simulation.withdraw(ticket)
        {
            let result = noted("cancelled before the first step".to_owned());
            let (moment, now) = (session.simulation.now(), crate::clock::now());
            goal.end(GoalStatus::STATUS_CANCELED, result, moment, now, events);
            continue;
        }
        let cause = Cause::Control("simulate_steps: cancelled".to_owned());
        session.simulation.shared().requests.push(Request::new(Interrupt::Pause, cause));
    }
    let return_code = match (is_known, canceling.is_empty(), id) {
        (false, _, _) => CancelGoalResponse::ERROR_UNKNOWN_GOAL_ID,
        (true, true, Some(_)) => CancelGoalResponse::ERROR_GOAL_TERMINATED,
        (true, _, _) => CancelGoalResponse::ERROR_NONE,
    };
    reply.send(CancelGoalResponse { return_code, goals_canceling: canceling });
}
