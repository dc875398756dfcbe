//! The action of a controller: the goals that clients send, and what they are told of them.
//!
//! An action is three services and two topics, named as ROS 2 names them, so every bridge carries it like any other.

use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos, Service, ServiceCall};
use bridgehead_plugin_api::messages::action_msgs::{
    CancelGoalRequest, CancelGoalResponse, GoalInfo, GoalStatus, GoalStatusArray,
};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::control_msgs::{
    FollowJointTrajectoryFeedback as Feedback, FollowJointTrajectoryFeedbackMessage as FeedbackMessage,
    FollowJointTrajectoryGetResultRequest as ResultRequest,
    FollowJointTrajectoryGetResultResponse as ResultResponse, FollowJointTrajectoryGoal,
    FollowJointTrajectoryResult, FollowJointTrajectorySendGoalRequest as GoalRequest,
    FollowJointTrajectorySendGoalResponse as GoalResponse,
};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;

use bridgehead_plugin_api::Result;

/// The most ended goals whose results are kept.
const KEPT: usize = 32;

/// The id of a goal.
pub(super) type GoalId = [u8; 16];

/// How a goal ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct End {
    /// One of `STATUS_` of [`GoalStatus`].
    pub(super) status: i32,
    /// One of the constants of [`FollowJointTrajectoryResult`].
    pub(super) error_code: i32,
    pub(super) text: String,
}

/// A goal that was accepted.
struct Goal {
    id: GoalId,
    accepted_at: Time,
    status: i32,
    /// `None` until it has ended.
    end: Option<End>,
    /// Calls that wait for its end.
    waiting: Vec<ServiceCall<ResultRequest>>,
}

/// A goal that waits for an answer.
pub(super) struct Request {
    call: ServiceCall<GoalRequest>,
    pub(super) id: GoalId,
}

impl Request {
    pub(super) fn goal(&self) -> FollowJointTrajectoryGoal {
        self.call.request.goal.clone().unwrap_or_default()
    }
}

/// The action.
pub(super) struct Action {
    send: Service<GoalRequest, GoalResponse>,
    cancel: Service<CancelGoalRequest, CancelGoalResponse>,
    result: Service<ResultRequest, ResultResponse>,
    feedback: Publisher<FeedbackMessage>,
    status: Publisher<GoalStatusArray>,
    /// The oldest first.
    goals: Vec<Goal>,
    /// Whether clients do not know yet which status the goals have.
    is_changed: bool,
}

impl Action {
    /// Offers an action.
    pub(super) fn offer(host: HostHandle, name: &str) -> Result<Self> {
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
    pub(super) fn next(&mut self, now: i64) -> Option<Request> {
        loop {
            let call = self.send.take()?;
            let id = goal_id(call.request.goal_id.as_ref());
            match id.filter(|id| self.goals.iter().all(|goal| goal.id != *id)) {
                Some(id) => return Some(Request { call, id }),
                None => self.answer_goal(&call, false, now),
            }
        }
    }

    pub(super) fn refuse(&self, request: &Request, now: i64) {
        self.answer_goal(&request.call, false, now);
    }

    pub(super) fn accept(&mut self, request: &Request, now: i64) {
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

    fn answer_goal(&self, call: &ServiceCall<GoalRequest>, accepted: bool, now: i64) {
        self.send.reply(call, Ok(GoalResponse { accepted, stamp: Some(Time::from_nanos(now)) }));
    }

    /// Returns the goals that clients have cancelled. They must be ended.
    pub(super) fn cancelled(&mut self) -> Vec<GoalId> {
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
        let is_meant = |goal: &Goal| match (id, before) {
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
    pub(super) fn end(&mut self, id: GoalId, end: End) {
        if let Some(goal) = self.goals.iter_mut().find(|goal| goal.id == id && goal.end.is_none()) {
            goal.status = end.status;
            goal.end = Some(end);
            self.is_changed = true;
        }
    }

    pub(super) fn has_listeners(&self) -> bool {
        self.feedback.has_listeners()
    }

    pub(super) fn report(&self, id: GoalId, now: i64, feedback: Feedback) -> Result {
        self.feedback.publish(now, &FeedbackMessage { goal_id: Some(uuid(id)), feedback: Some(feedback) })
    }

    /// Publishes what has changed, and then answers the calls for results, so that no client gets a result before the
    /// status.
    pub(super) fn tell(&mut self, now: i64) -> Result {
        while let Some(call) = self.result.take() {
            let id = goal_id(call.request.goal_id.as_ref());
            match self.goals.iter_mut().find(|goal| Some(goal.id) == id) {
                Some(goal) => goal.waiting.push(call),
                None => self.result.reply(&call, Ok(unknown())),
            }
        }
        if std::mem::take(&mut self.is_changed) {
            let status = |goal: &Goal| GoalStatus { goal_info: Some(goal.info()), status: goal.status };
            self.status
                .publish(now, &GoalStatusArray { status_list: self.goals.iter().map(status).collect() })?;
        }
        for goal in &mut self.goals {
            let Some(end) = &goal.end else { continue };
            for call in goal.waiting.drain(..) {
                let result = FollowJointTrajectoryResult {
                    error_code: end.error_code,
                    error_string: end.text.clone(),
                };
                self.result.reply(&call, Ok(ResultResponse { status: end.status, result: Some(result) }));
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

impl Goal {
    fn info(&self) -> GoalInfo {
        GoalInfo { goal_id: Some(uuid(self.id)), stamp: Some(self.accepted_at) }
    }
}

/// The response for a goal that does not exist.
fn unknown() -> ResultResponse {
    let text = format!("there is no such goal; the results of the last {KEPT} are kept");
    let result = FollowJointTrajectoryResult {
        error_code: FollowJointTrajectoryResult::INVALID_GOAL,
        error_string: text,
    };
    ResultResponse { status: GoalStatus::STATUS_UNKNOWN, result: Some(result) }
}

fn uuid(id: GoalId) -> Uuid {
    Uuid { uuid: id.to_vec().into() }
}

fn goal_id(uuid: Option<&Uuid>) -> Option<GoalId> {
    uuid.and_then(|uuid| GoalId::try_from(&*uuid.uuid).ok())
}
