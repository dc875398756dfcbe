//! The action `simulate_steps`: its services.
//!
//! An action is three services and two topics, named as ROS 2 names them, so that every bridge carries it like any
//! other service and topic.

use bridgehead_lifecycle::{Cause, Interrupt, Request};
use bridgehead_plugin_api::messages::action_msgs::{CancelGoalRequest, CancelGoalResponse, GoalStatus};
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, noted};
use super::goals::{Goal, GoalId, Goals, Phase, goal_id, response};
use super::listeners::Event;
use super::message::stamp;
use super::session::Session;

pub(super) fn send_goal(
    session: &mut Session<'_>,
    request: &si::SimulateStepsSendGoalRequest,
    reply: Reply<si::SimulateStepsSendGoalResponse>,
) {
    let accepted_at = stamp(session.simulation.now().time_ns);
    let refuse = si::SimulateStepsSendGoalResponse { accepted: false, stamp: Some(accepted_at) };
    let Some(id) = goal_id(request.goal_id.as_ref()) else { return reply.send(refuse) };
    // One goal at a time: two would count each other's steps.
    if session.progress.goals.has_active() || session.progress.goals.find(&id).is_some() {
        return reply.send(refuse);
    }
    session.progress.kept.before_steps(session.simulation);
    session.simulation.timeline.set_paces_steps(true);
    let steps = request.goal.unwrap_or_default().steps;
    let cause = Cause::Control("simulate_steps".to_owned());
    let ticket = session.simulation.request(Request::new(Interrupt::Step(steps), cause));
    let status = GoalStatus::STATUS_EXECUTING;
    session.progress.goals.goals.push(Goal {
        id,
        accepted_at,
        steps,
        completed: 0,
        status,
        phase: Phase::Requested(ticket),
        waiting: Vec::new(),
    });
    let reset_epoch = session.simulation.now().reset_epoch;
    session.progress.goals.events.push(Event::Goal { goal: id, status, reset_epoch });
    reply.send(si::SimulateStepsSendGoalResponse { accepted: true, stamp: Some(accepted_at) });
}

pub(super) fn get_result(
    session: &mut Session<'_>,
    request: &si::SimulateStepsGetResultRequest,
    reply: Reply<si::SimulateStepsGetResultResponse>,
) {
    let id = goal_id(request.goal_id.as_ref());
    let Some(goal) = id.and_then(|id| session.progress.goals.find(&id)) else {
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
    let is_known = id.is_none_or(|id| session.progress.goals.find(&id).is_some());
    let mut canceling = Vec::new();
    let Goals { goals, events, .. } = &mut session.progress.goals;
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
