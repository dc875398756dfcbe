//! The action of a controller: the goals that clients send, and what they are told of them.
//!
//! An action is three services and two topics, named as ROS 2 names them, so every bridge carries it like any other.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos, Service, ServiceCall};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::action_msgs::{
    CancelGoalRequest, CancelGoalResponse, GoalInfo, GoalStatus, GoalStatusArray,
};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;

/// The messages of an action, which ROS 2 makes of its three.
pub(crate) trait Messages {
    type Goal: Clone + Default;
    type Result: Clone;
    type Feedback;
    type GoalRequest: Message;
    type GoalResponse: Message;
    type ResultRequest: Message;
    type ResultResponse: Message;
    type FeedbackMessage: Message;

    fn goal(request: &Self::GoalRequest) -> (Option<&Uuid>, Option<&Self::Goal>);
    fn goal_response(accepted: bool, stamp: Time) -> Self::GoalResponse;
    fn result_id(request: &Self::ResultRequest) -> Option<&Uuid>;
    fn result_response(status: i32, result: Self::Result) -> Self::ResultResponse;
    fn feedback(goal: Uuid, feedback: Self::Feedback) -> Self::FeedbackMessage;
    /// The result of a goal that does not exist, with the reason.
    fn unknown(reason: String) -> Self::Result;
}

/// Implements all of [`Messages`] but `unknown` for the generated messages of an action.
macro_rules! messages_of_action {
    ($goal:ident, $result:ident, $feedback:ident, $send:ident, $accept:ident, $ask:ident, $answer:ident, $report:ident) => {
        type Goal = $goal;
        type Result = $result;
        type Feedback = $feedback;
        type GoalRequest = $send;
        type GoalResponse = $accept;
        type ResultRequest = $ask;
        type ResultResponse = $answer;
        type FeedbackMessage = $report;

        fn goal(request: &$send) -> (Option<&Uuid>, Option<&$goal>) {
            (request.goal_id.as_ref(), request.goal.as_ref())
        }

        fn goal_response(accepted: bool, stamp: Time) -> $accept {
            $accept { accepted, stamp: Some(stamp) }
        }

        fn result_id(request: &$ask) -> Option<&Uuid> {
            request.goal_id.as_ref()
        }

        fn result_response(status: i32, result: $result) -> $answer {
            $answer { status, result: Some(result) }
        }

        fn feedback(goal: Uuid, feedback: $feedback) -> $report {
            $report { goal_id: Some(goal), feedback: Some(feedback) }
        }
    };
}
pub(crate) use messages_of_action;

/// The most ended goals whose results are kept.
const KEPT: usize = 32;

/// The id of a goal.
pub(crate) type GoalId = [u8; 16];

/// How a goal ended.
pub(crate) struct End<R> {
    /// One of `STATUS_` of [`GoalStatus`].
    pub(crate) status: i32,
    pub(crate) result: R,
}

/// A goal that was accepted.
struct Goal<M: Messages> {
    id: GoalId,
    accepted_at: Time,
    status: i32,
    /// `None` until it has ended.
    end: Option<End<M::Result>>,
    /// Calls that wait for its end.
    waiting: Vec<ServiceCall<M::ResultRequest>>,
}

/// A goal that waits for an answer.
pub(crate) struct Request<M: Messages> {
    call: ServiceCall<M::GoalRequest>,
    pub(crate) id: GoalId,
}

impl<M: Messages> Request<M> {
    pub(crate) fn goal(&self) -> M::Goal {
        M::goal(&self.call.request).1.cloned().unwrap_or_default()
    }
}

/// The action.
pub(crate) struct Action<M: Messages> {
    send: Service<M::GoalRequest, M::GoalResponse>,
    cancel: Service<CancelGoalRequest, CancelGoalResponse>,
    result: Service<M::ResultRequest, M::ResultResponse>,
    feedback: Publisher<M::FeedbackMessage>,
    status: Publisher<GoalStatusArray>,
    /// The oldest first.
    goals: Vec<Goal<M>>,
    /// Whether clients do not know yet which status the goals have.
    is_changed: bool,
}

impl<M: Messages> Action<M> {
    /// Offers an action.
    pub(crate) fn offer(host: HostHandle, name: &str) -> Result<Self> {
        let (services, bus) = (host.services()?, host.bus()?);
        let part = |part: &str| format!("{name}/_action/{part}");
        Ok(Action {
            send: services.advertise(&part("send_goal"))?,
            cancel: services.advertise(&part("cancel_goal"))?,
            result: services.advertise(&part("get_result"))?,
            feedback: bus.advertise(&part("feedback"), Qos::default())?,
            status: bus.advertise(&part("status"), Qos::latched())?,
            goals: Vec::new(),
            is_changed: false,
        })
    }

    /// Returns the next goal that a client sends. One without an id of 16 bytes, or with that of another, is refused.
    pub(crate) fn next(&mut self, now: i64) -> Option<Request<M>> {
        loop {
            let call = self.send.take()?;
            let id = goal_id(M::goal(&call.request).0);
            match id.filter(|id| self.goals.iter().all(|goal| goal.id != *id)) {
                Some(id) => return Some(Request { call, id }),
                None => self.answer_goal(&call, false, now),
            }
        }
    }

    pub(crate) fn refuse(&self, request: &Request<M>, now: i64) {
        self.answer_goal(&request.call, false, now);
    }

    pub(crate) fn accept(&mut self, request: &Request<M>, now: i64) {
        self.answer_goal(&request.call, true, now);
        self.goals.push(Goal {
            id: request.id,
            accepted_at: Time::from_nanos(now),
            status: GoalStatus::STATUS_EXECUTING,
            end: None,
            waiting: Vec::new(),
        });
        self.is_changed = true;
    }

    fn answer_goal(&self, call: &ServiceCall<M::GoalRequest>, accepted: bool, now: i64) {
        self.send.reply(call, Ok(M::goal_response(accepted, Time::from_nanos(now))));
    }

    /// Returns the goals that clients have cancelled. They must be ended.
    pub(crate) fn cancelled(&mut self) -> Vec<GoalId> {
        let mut cancelled = Vec::new();
        while let Some(call) = self.cancel.take() {
            let response = self.cancel_goals(&call.request.goal_info.clone().unwrap_or_default());
            cancelled
                .extend(response.goals_canceling.iter().filter_map(|goal| goal_id(goal.goal_id.as_ref())));
            self.cancel.reply(&call, Ok(response));
        }
        cancelled
    }

    /// An id of zeros means all goals up to the stamp, or all if that is zero too.
    fn cancel_goals(&mut self, info: &GoalInfo) -> CancelGoalResponse {
        let id = goal_id(info.goal_id.as_ref()).filter(|id| *id != GoalId::default());
        let before = info.stamp.as_ref().map(Time::to_nanos).filter(|stamp| *stamp != 0);
        let is_meant = |goal: &Goal<M>| match (id, before) {
            (Some(id), _) => goal.id == id,
            (None, Some(stamp)) => goal.accepted_at.to_nanos() <= stamp,
            (None, None) => true,
        };
        let is_known = id.is_none() || self.goals.iter().any(is_meant);
        let mut goals_canceling = Vec::new();
        for goal in self.goals.iter_mut().filter(|goal| goal.end.is_none() && is_meant(goal)) {
            goal.status = GoalStatus::STATUS_CANCELING;
            goals_canceling.push(goal.info());
            self.is_changed = true;
        }
        let return_code = match (is_known, id.is_some() && goals_canceling.is_empty()) {
            (false, _) => CancelGoalResponse::ERROR_UNKNOWN_GOAL_ID,
            (true, true) => CancelGoalResponse::ERROR_GOAL_TERMINATED,
            (true, false) => CancelGoalResponse::ERROR_NONE,
        };
        CancelGoalResponse { return_code, goals_canceling }
    }

    /// Ends a goal.
    pub(crate) fn end(&mut self, id: GoalId, end: End<M::Result>) {
        if let Some(goal) = self.goals.iter_mut().find(|goal| goal.id == id && goal.end.is_none()) {
            goal.status = end.status;
            goal.end = Some(end);
            self.is_changed = true;
        }
    }

    pub(crate) fn has_listeners(&self) -> bool {
        self.feedback.has_listeners()
    }

    pub(crate) fn report(&self, id: GoalId, now: i64, feedback: M::Feedback) -> Result {
        self.feedback.publish(now, &M::feedback(uuid(id), feedback))
    }

    /// Publishes what has changed, and then answers the calls for results, so that no client gets a result before the
    /// status.
    pub(crate) fn tell(&mut self, now: i64) -> Result {
        while let Some(call) = self.result.take() {
            let id = goal_id(M::result_id(&call.request));
            match self.goals.iter_mut().find(|goal| Some(goal.id) == id) {
                Some(goal) => goal.waiting.push(call),
                None => self.result.reply(
                    &call,
                    Ok(M::result_response(GoalStatus::STATUS_UNKNOWN, M::unknown(forgotten()))),
                ),
            }
        }
        if std::mem::take(&mut self.is_changed) {
            let status = |goal: &Goal<M>| GoalStatus { goal_info: Some(goal.info()), status: goal.status };
            self.status
                .publish(now, &GoalStatusArray { status_list: self.goals.iter().map(status).collect() })?;
        }
        for goal in &mut self.goals {
            let Some(end) = &goal.end else { continue };
            for call in goal.waiting.drain(..) {
                self.result.reply(&call, Ok(M::result_response(end.status, end.result.clone())));
            }
        }
        self.forget();
        Ok(())
    }

    /// Forgets the oldest results.
    fn forget(&mut self) {
        let ended = self.goals.iter().filter(|goal| goal.end.is_some()).count();
        let mut excess = ended.saturating_sub(KEPT);
        self.goals.retain(|goal| {
            let is_kept = goal.end.is_none() || excess == 0;
            excess -= usize::from(!is_kept);
            is_kept
        });
    }
}

impl<M: Messages> Goal<M> {
    fn info(&self) -> GoalInfo {
        GoalInfo { goal_id: Some(uuid(self.id)), stamp: Some(self.accepted_at) }
    }
}

/// Why there is no result of a goal.
fn forgotten() -> String {
    format!("there is no such goal; the results of the last {KEPT} are kept")
}

fn uuid(id: GoalId) -> Uuid {
    Uuid { uuid: id.to_vec().into() }
}

fn goal_id(uuid: Option<&Uuid>) -> Option<GoalId> {
    uuid.and_then(|uuid| GoalId::try_from(&*uuid.uuid).ok())
}
