//! Opens and closes a gripper, for clients of the action of `GripperActionController` of ros2_controllers: a joint goes to
//! a position with a limited effort until it is there, or does not move any more. It only says where the joint should go:
//! its owner moves it there.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, JointState, Params};
use bridgehead_plugin_api::messages::action_msgs::GoalStatus;
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::control_msgs::{
    GripperCommandFeedback, GripperCommandFeedbackMessage, GripperCommandGetResultRequest,
    GripperCommandGetResultResponse, GripperCommandGoal, GripperCommandResult, GripperCommandSendGoalRequest,
    GripperCommandSendGoalResponse,
};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;

use crate::action::{Action, End, GoalId, Messages, messages_of_action};

/// Time between two reports to a client: 20 per second, as in ros2_controllers.
const REPORT: i64 = 50_000_000;

/// The action of ROS.
struct Grip;

impl Messages for Grip {
    messages_of_action!(
        GripperCommandGoal,
        GripperCommandResult,
        GripperCommandFeedback,
        GripperCommandSendGoalRequest,
        GripperCommandSendGoalResponse,
        GripperCommandGetResultRequest,
        GripperCommandGetResultResponse,
        GripperCommandFeedbackMessage
    );

    fn unknown(_: String) -> GripperCommandResult {
        GripperCommandResult::default()
    }
}

/// What the joint should do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grasp {
    /// m or rad.
    pub(crate) position: f64,
    /// N or N·m; infinity for the limit of the joint.
    pub(crate) effort: f64,
}

/// A controller.
pub(crate) struct GripperController {
    name: String,
    /// Its joint, as its owner counts them.
    joint: usize,
    /// Largest distance from a position that is reached, m or rad.
    tolerance: f64,
    /// Effort of goals without one.
    effort: f64,
    /// A slower joint does not move, m/s or rad/s.
    stall_velocity: f64,
    /// How long it must not move, ns.
    stall_time: i64,
    /// Whether a goal with a stalled joint has succeeded: it holds something.
    allows_stalling: bool,
    action: Action<Grip>,
    goal: Option<ActiveGoal>,
}

/// The goal of a client.
struct ActiveGoal {
    id: GoalId,
    position: f64,
    /// When the joint moved last.
    moved_at: i64,
    /// When its client gets the next report.
    report_at: i64,
}

impl GripperController {
    /// Reads the controller of a parameter. `known` are the joints of its owner that it can move to positions, with
    /// their names.
    pub(crate) fn read(
        host: HostHandle,
        params: Params,
        path: &str,
        known: &[(usize, &str)],
    ) -> Result<Self> {
        let name = params.require::<String>(&format!("{path}/@name"))?;
        let place = format!("{path}/joint_name");
        let joint = params.require::<String>(&place)?;
        let found = known.iter().find(|(_, name)| *name == joint);
        let all = || known.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
        let (joint, _) = found.ok_or_else(|| {
            params.refuse(&place, &joint, format!("a joint that takes positions: {}", all()))
        })?;
        let number = |name: &str, default: f64| -> Result<f64> {
            let path = format!("{path}/{name}");
            let value = params.get_or(&path, default)?;
            if value >= 0.0 && value.is_finite() {
                return Ok(value);
            }
            Err(params.refuse(&path, &value.to_string(), "0 or a greater number"))
        };
        #[expect(clippy::cast_possible_truncation, reason = "saturates after 292 years")]
        let stall_time = (number("stall_timeout", 1.0)? * 1e9).round() as i64;
        Ok(GripperController {
            joint: *joint,
            tolerance: number("goal_tolerance", 0.01)?,
            effort: number("max_effort", 0.0)?,
            stall_velocity: number("stall_velocity_threshold", 0.001)?,
            stall_time,
            allows_stalling: params.get_or(&format!("{path}/allow_stalling"), false)?,
            action: Action::offer(host, &format!("{name}/gripper_cmd"))?,
            name,
            goal: None,
        })
    }

    pub(crate) fn joint(&self) -> usize {
        self.joint
    }

    /// Ends the goal, because something else moves the joint from now on.
    pub(crate) fn give_way(&mut self) {
        self.end(GoalStatus::STATUS_ABORTED, GripperCommandResult::default());
    }

    /// Takes what clients ask for; returns what the joint should do from now on, if that is something else.
    pub(crate) fn advance(&mut self, now: i64, state: JointState) -> Result<Option<Grasp>> {
        let mut grasp = self.cancel(state);
        while let Some(request) = self.action.next(now) {
            let command = request.goal().command.unwrap_or_default();
            if !command.position.is_finite() || !command.max_effort.is_finite() || command.max_effort < 0.0 {
                log::warn!(
                    "`{}` refused a goal: its position is {}, its effort {}",
                    self.name,
                    command.position,
                    command.max_effort
                );
                self.action.refuse(&request, now);
                continue;
            }
            self.give_way();
            self.action.accept(&request, now);
            let position = command.position;
            self.goal = Some(ActiveGoal { id: request.id, position, moved_at: now, report_at: now });
            let given = if command.max_effort > 0.0 { command.max_effort } else { self.effort };
            grasp = Some(Grasp { position, effort: if given > 0.0 { given } else { f64::INFINITY } });
        }
        self.judge(now, state)?;
        self.action.tell(now)?;
        Ok(grasp)
    }

    /// Ends the goals that clients have cancelled. The joint stays where it is then.
    fn cancel(&mut self, state: JointState) -> Option<Grasp> {
        let mut grasp = None;
        for id in self.action.cancelled() {
            let result = result(state, false, false);
            self.action.end(id, End { status: GoalStatus::STATUS_CANCELED, result });
            if self.goal.take_if(|goal| goal.id == id).is_some() {
                grasp = Some(Grasp { position: state.position, effort: f64::INFINITY });
            }
        }
        grasp
    }

    /// Ends the goal if the joint is where it should be, or stalled; otherwise its client is told where it is.
    fn judge(&mut self, now: i64, state: JointState) -> Result {
        let Some(goal) = &mut self.goal else { return Ok(()) };
        let is_there = (goal.position - state.position).abs() < self.tolerance;
        if state.velocity.abs() > self.stall_velocity {
            goal.moved_at = now;
        }
        let is_stalled = !is_there && now - goal.moved_at > self.stall_time;
        if is_there || is_stalled {
            let has_succeeded = is_there || self.allows_stalling;
            let status =
                if has_succeeded { GoalStatus::STATUS_SUCCEEDED } else { GoalStatus::STATUS_ABORTED };
            self.end(status, result(state, is_stalled, is_there));
            return Ok(());
        }
        if now < goal.report_at {
            return Ok(());
        }
        goal.report_at = now + REPORT;
        let id = goal.id;
        if !self.action.has_listeners() {
            return Ok(());
        }
        let JointState { position, effort, .. } = state;
        self.action.report(
            id,
            now,
            GripperCommandFeedback { position, effort, stalled: false, reached_goal: false },
        )
    }

    fn end(&mut self, status: i32, result: GripperCommandResult) {
        if let Some(goal) = self.goal.take() {
            self.action.end(goal.id, End { status, result });
        }
    }
}

fn result(state: JointState, stalled: bool, reached_goal: bool) -> GripperCommandResult {
    GripperCommandResult { position: state.position, effort: state.effort, stalled, reached_goal }
}

#[cfg(test)]
mod tests;
