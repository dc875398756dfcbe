//! Moves joints along trajectories, for clients of the topic and of the action of `joint_trajectory_controller` of
//! ros2_controllers. It only says where the joints should be: their owner moves them there.

mod path;
mod tolerances;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Params, Qos, Subscription};
use bridgehead_plugin_api::messages::action_msgs::GoalStatus;
use bridgehead_plugin_api::messages::builtin_interfaces::{Duration, Time};
use bridgehead_plugin_api::messages::control_msgs::{
    FollowJointTrajectoryFeedback, FollowJointTrajectoryFeedbackMessage,
    FollowJointTrajectoryGetResultRequest, FollowJointTrajectoryGetResultResponse, FollowJointTrajectoryGoal,
    FollowJointTrajectoryResult, FollowJointTrajectoryResult as Code, FollowJointTrajectorySendGoalRequest,
    FollowJointTrajectorySendGoalResponse,
};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;
use bridgehead_plugin_api::state::{StateReader, StateWriter};
use serde::{Deserialize, Serialize};

use self::path::{Motion, Path, seconds};
use self::tolerances::{Tolerance, Tolerances, violation};
use crate::action::{Action, End, GoalId, Messages, Request, messages_of_action};

/// Time between two reports to a client: 20 per second, as in ros2_controllers.
const REPORT: i64 = 50_000_000;
/// Default largest speed at the end of a goal, rad/s or m/s, as in ros2_controllers.
const STOPPED: f64 = 0.01;

/// Position and velocity of a joint: rad or m, rad/s or m/s.
pub(crate) type Measured = [f64; 2];

/// The action of ROS.
struct Follow;

impl Messages for Follow {
    messages_of_action!(
        FollowJointTrajectoryGoal,
        FollowJointTrajectoryResult,
        FollowJointTrajectoryFeedback,
        FollowJointTrajectorySendGoalRequest,
        FollowJointTrajectorySendGoalResponse,
        FollowJointTrajectoryGetResultRequest,
        FollowJointTrajectoryGetResultResponse,
        FollowJointTrajectoryFeedbackMessage
    );

    fn unknown(reason: String) -> FollowJointTrajectoryResult {
        FollowJointTrajectoryResult { error_code: Code::INVALID_GOAL, error_string: reason }
    }
}

/// Returns how a goal ended.
fn end(status: i32, error_code: i32, text: &str) -> End<FollowJointTrajectoryResult> {
    End { status, result: FollowJointTrajectoryResult { error_code, error_string: text.to_owned() } }
}

/// A controller.
pub(crate) struct TrajectoryController {
    name: String,
    /// Its joints, as their owner counts them.
    joints: Vec<usize>,
    names: Vec<String>,
    defaults: Tolerances,
    allows_partial: bool,
    topic: Subscription<JointTrajectory>,
    action: Action<Follow>,
    active: Option<Active>,
    /// Whether the trajectory is a new one, of which the other controllers of its joints do not know yet.
    has_begun: bool,
    /// The goal that is active.
    goal: Option<ActiveGoal>,
}

/// A trajectory that is followed.
#[derive(Serialize, Deserialize)]
struct Active {
    path: Path,
    /// Simulated nanoseconds.
    start: i64,
}

/// The goal of a client.
struct ActiveGoal {
    id: GoalId,
    tolerances: Tolerances,
    /// When its client gets the next report.
    report_at: i64,
}

impl TrajectoryController {
    /// Reads the controller of a parameter. `known` are the joints of its owner that it can move to positions, with
    /// their names.
    pub(crate) fn read(
        host: HostHandle,
        params: Params,
        path: &str,
        known: &[(usize, &str)],
    ) -> Result<Self> {
        let name = params.require::<String>(&format!("{path}/@name"))?;
        let (mut joints, mut names) = (Vec::new(), Vec::new());
        for index in 0..params.count(&format!("{path}/joint_name")) {
            let place = format!("{path}/joint_name[{index}]");
            let joint = params.require::<String>(&place)?;
            let found = known.iter().find(|(_, name)| *name == joint);
            let all = || known.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
            let (place, _) = found.ok_or_else(|| {
                params.refuse(&place, &joint, format!("a joint that takes positions: {}", all()))
            })?;
            joints.push(*place);
            names.push(joint);
        }
        if joints.is_empty() {
            joints.extend(known.iter().map(|(place, _)| *place));
            names.extend(known.iter().map(|(_, name)| (*name).to_owned()));
        }
        let defaults = defaults(params, path, names.len())?;
        Ok(TrajectoryController {
            defaults,
            allows_partial: params.get_or(&format!("{path}/allow_partial_joints_goal"), false)?,
            topic: host.bus()?.subscribe(&format!("{name}/joint_trajectory"), Qos::default())?,
            action: Action::offer(host, &format!("{name}/follow_joint_trajectory"))?,
            name,
            joints,
            names,
            active: None,
            has_begun: false,
            goal: None,
        })
    }

    pub(crate) fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Returns true once for each trajectory that has begun.
    pub(crate) fn take_beginning(&mut self) -> bool {
        std::mem::take(&mut self.has_begun)
    }

    /// Ends the trajectory, because something else moves its joints from now on.
    pub(crate) fn give_way(&mut self, reason: &str) {
        self.active = None;
        self.abort(Code::INVALID_GOAL, reason);
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.active)
    }

    /// Goes on with the trajectory of a saved state. The clients of that time do not exist any more.
    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.abort(Code::INVALID_GOAL, "the simulation returned to a saved state");
        self.active = state.take()?;
        Ok(())
    }

    /// Takes what clients ask for, and returns where the joints should be `width` nanoseconds after `now`; `None` if the
    /// controller does not move them.
    pub(crate) fn advance(
        &mut self,
        now: i64,
        width: i64,
        measured: &[Measured],
    ) -> Result<Option<Vec<f64>>> {
        let mut stays = self.cancel();
        while let Some(received) = self.topic.take_latest() {
            self.begin(&received.message, now, measured);
        }
        while let Some(request) = self.action.next(now) {
            self.pursue(&request, now, measured);
        }
        stays |= self.judge(now, measured);
        self.report(now, measured)?;
        self.action.tell(now)?;
        if stays && self.active.is_none() {
            return Ok(Some(measured.iter().map(|[position, _]| *position).collect()));
        }
        let Some(active) = &self.active else { return Ok(None) };
        let targets = active.path.at(now + width - active.start);
        if self.goal.is_none() && now - active.start >= active.path.end() {
            self.active = None;
        }
        Ok(Some(targets.iter().map(|target| target.position).collect()))
    }

    /// Ends the goals that clients have cancelled. Returns true if the joints must stay where they are.
    fn cancel(&mut self) -> bool {
        let mut has_stopped = false;
        for id in self.action.cancelled() {
            self.action.end(id, end(GoalStatus::STATUS_CANCELED, Code::SUCCESSFUL, ""));
            if self.goal.take_if(|goal| goal.id == id).is_some() {
                self.active = None;
                has_stopped = true;
            }
        }
        has_stopped
    }

    /// Follows a trajectory that has no client.
    fn begin(&mut self, message: &JointTrajectory, now: i64, measured: &[Measured]) {
        match self.plan(message, now, measured) {
            Ok(active) => {
                self.abort(Code::INVALID_GOAL, "another trajectory came on the topic");
                self.active = Some(active);
                self.has_begun = true;
            }
            Err(problem) => log::warn!("`{}` refused a trajectory: {problem}", self.name),
        }
    }

    /// Follows the trajectory of a goal, or refuses it: a client gets no reason, so the log has it.
    fn pursue(&mut self, request: &Request<Follow>, now: i64, measured: &[Measured]) {
        let goal = request.goal();
        let planned = if goal.multi_dof_trajectory.as_ref().is_some_and(|more| !more.joint_names.is_empty()) {
            Err("it moves joints with several axes".to_owned())
        } else {
            self.plan(&goal.trajectory.clone().unwrap_or_default(), now, measured)
        };
        match planned {
            Ok(active) => {
                self.abort(Code::INVALID_GOAL, "another goal came");
                self.action.accept(request, now);
                let tolerances = Tolerances::of(&goal, &self.defaults, &self.names);
                self.goal = Some(ActiveGoal { id: request.id, tolerances, report_at: now });
                self.active = Some(active);
                self.has_begun = true;
            }
            Err(problem) => {
                log::warn!("`{}` refused a goal: {problem}", self.name);
                self.action.refuse(request, now);
            }
        }
    }

    fn plan(&self, message: &JointTrajectory, now: i64, measured: &[Measured]) -> Result<Active, String> {
        let order = self.order(&message.joint_names)?;
        let stamp = message.header.as_ref().map_or(0, Header::stamp_nanos);
        let start = if stamp == 0 { now } else { stamp };
        let motion = |[position, velocity]: &Measured| Motion {
            position: *position,
            velocity: *velocity,
            acceleration: 0.0,
        };
        let begin: Vec<Motion> = measured.iter().map(motion).collect();
        if message.points.is_empty() {
            return Err("it has no points".to_owned());
        }
        let path = Path::new(message, &order, now - start, &begin)?;
        if stamp != 0 && start + path.end() < now {
            let late = seconds(now - start - path.end());
            return Err(format!("its end was due {late} s ago, by the stamp of its header"));
        }
        Ok(Active { path, start })
    }

    /// Returns the place of each joint in a list of names.
    fn order(&self, named: &[String]) -> Result<Vec<Option<usize>>, String> {
        let all = || self.names.join(", ");
        if let Some(unknown) = named.iter().find(|name| !self.names.contains(name)) {
            return Err(format!("it names joint `{unknown}`; this controller moves {}", all()));
        }
        let order: Vec<Option<usize>> =
            self.names.iter().map(|name| named.iter().position(|other| other == name)).collect();
        let found = order.iter().flatten().count();
        if found < named.len() {
            return Err("it names a joint twice".to_owned());
        }
        if found == 0 || (found < self.names.len() && !self.allows_partial) {
            return Err(format!("it names {found} joints of {}: {}", self.names.len(), all()));
        }
        Ok(order)
    }

    /// Ends the goal if it is reached, or cannot be any more. Returns true if the joints must stay where they are.
    fn judge(&mut self, now: i64, measured: &[Measured]) -> bool {
        let (Some(active), Some(goal)) = (&self.active, &self.goal) else { return false };
        let time = now - active.start;
        let errors: Vec<Motion> = errors(&active.path.at(time), measured);
        let late = time - active.path.end();
        if late < 0 {
            let problem = violation(&goal.tolerances.path, &errors, &self.names);
            return problem.is_some_and(|problem| self.stop(Code::PATH_TOLERANCE_VIOLATED, &problem));
        }
        match violation(&goal.tolerances.goal, &errors, &self.names) {
            None => self.succeed(),
            Some(problem) if goal.tolerances.goal_time > 0 && late > goal.tolerances.goal_time => {
                let text = format!("{} s after the planned end, {problem}", seconds(late));
                return self.stop(Code::GOAL_TOLERANCE_VIOLATED, &text);
            }
            Some(_) => {}
        }
        false
    }

    fn succeed(&mut self) {
        if let Some(goal) = self.goal.take() {
            let end = end(GoalStatus::STATUS_SUCCEEDED, Code::SUCCESSFUL, "the goal was reached");
            self.action.end(goal.id, end);
        }
    }

    /// Ends trajectory and goal; returns true.
    fn stop(&mut self, error_code: i32, text: &str) -> bool {
        self.active = None;
        self.abort(error_code, text);
        true
    }

    fn abort(&mut self, error_code: i32, text: &str) {
        if let Some(goal) = self.goal.take() {
            self.action.end(goal.id, end(GoalStatus::STATUS_ABORTED, error_code, text));
        }
    }

    /// Tells the client of the goal where the joints are.
    fn report(&mut self, now: i64, measured: &[Measured]) -> Result {
        let (Some(active), Some(goal)) = (&self.active, &mut self.goal) else { return Ok(()) };
        if now < goal.report_at {
            return Ok(());
        }
        goal.report_at = now + REPORT;
        if !self.action.has_listeners() {
            return Ok(());
        }
        let time = now - active.start;
        let desired = active.path.at(time);
        let point = |positions: Vec<f64>, velocities: Vec<f64>| JointTrajectoryPoint {
            positions,
            velocities,
            time_from_start: Some(Duration::from_nanos(time)),
            ..JointTrajectoryPoint::default()
        };
        let of = |motions: &[Motion]| {
            let positions = motions.iter().map(|motion| motion.position).collect();
            point(positions, motions.iter().map(|motion| motion.velocity).collect())
        };
        let actual = measured.iter().map(|[position, velocity]| (*position, *velocity)).unzip();
        let feedback = FollowJointTrajectoryFeedback {
            header: Some(Header::new(now, "")),
            joint_names: self.names.clone(),
            error: Some(of(&errors(&desired, measured))),
            desired: Some(of(&desired)),
            actual: Some(point(actual.0, actual.1)),
            ..FollowJointTrajectoryFeedback::default()
        };
        self.action.report(goal.id, now, feedback)
    }
}

/// Returns desired minus measured.
fn errors(desired: &[Motion], measured: &[Measured]) -> Vec<Motion> {
    let error = |(desired, [position, velocity]): (&Motion, &Measured)| Motion {
        position: desired.position - position,
        velocity: desired.velocity - velocity,
        acceleration: 0.0,
    };
    desired.iter().zip(measured).map(error).collect()
}

/// Reads the tolerances of a controller.
fn defaults(params: Params, path: &str, joints: usize) -> Result<Tolerances> {
    let read = |path: String, default: f64| -> Result<f64> {
        let value = params.get_or(&path, default)?;
        if value >= 0.0 && value.is_finite() {
            return Ok(value);
        }
        Err(params.refuse(&path, &value.to_string(), "0 or a greater number"))
    };
    let one = |name: &str, default: f64| read(format!("{path}/{name}"), default);
    // Once for all joints, or once for each.
    let of_joint = |name: &str, joint: usize| match params.count(&format!("{path}/{name}")) {
        0 | 1 => one(name, 0.0),
        count if count == joints => read(format!("{path}/{name}[{joint}]"), 0.0),
        count => Err(params.refuse(
            &format!("{path}/{name}"),
            &format!("given {count} times"),
            expected_times(joints),
        )),
    };
    let stopped = one("stopped_velocity_tolerance", STOPPED)?;
    let of_way = |joint| Ok(Tolerance { position: of_joint("path_tolerance", joint)?, velocity: 0.0 });
    let of_end = |joint| Ok(Tolerance { position: of_joint("goal_tolerance", joint)?, velocity: stopped });
    #[expect(clippy::cast_possible_truncation, reason = "saturates after 292 years")]
    let goal_time = (one("goal_time", 0.0)? * 1e9).round() as i64;
    Ok(Tolerances {
        path: (0..joints).map(of_way).collect::<Result<_>>()?,
        goal: (0..joints).map(of_end).collect::<Result<_>>()?,
        goal_time,
    })
}

fn expected_times(joints: usize) -> String {
    format!("once, or once for each of the {joints} joints")
}

#[cfg(test)]
mod tests;
