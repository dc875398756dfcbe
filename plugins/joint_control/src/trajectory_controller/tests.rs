//! The controller in `joint_command`, through its C functions: goals of clients, and what becomes of them.

use bridgehead_plugin_api::host::{self, JointKind};
use bridgehead_plugin_api::messages::action_msgs::{
    CancelGoalRequest, CancelGoalResponse, GoalInfo, GoalStatus, GoalStatusArray,
};
use bridgehead_plugin_api::messages::builtin_interfaces::{Duration, Time};
use bridgehead_plugin_api::messages::control_msgs::{
    FollowJointTrajectoryFeedbackMessage as FeedbackMessage, FollowJointTrajectoryGetResultRequest,
    FollowJointTrajectoryGetResultResponse as ResultResponse, FollowJointTrajectoryGoal,
    FollowJointTrajectoryResult as Code, FollowJointTrajectorySendGoalRequest,
    FollowJointTrajectorySendGoalResponse as GoalResponse, JointTolerance,
};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{CallId, TestCommand, TestHost, TestHostBuilder, TestModel};

use crate::joint_command::JointCommand;

const ACTION: &str = "arm_controller/follow_joint_trajectory/_action/";
const MILLI: i64 = 1_000_000;

/// An arm in steps of a millisecond, whose joints do what they are told.
struct Arm {
    host: TestHost,
    model: TestModel<JointCommand>,
    positions: [f64; 2],
}

const JOINTS: [&str; 2] = ["shoulder", "elbow"];

fn builder() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("arm")
        .joint_with("shoulder", |joint| (joint.kind, joint.velocity) = (JointKind::Revolute, 20.0))
        .joint_with("elbow", |joint| (joint.kind, joint.velocity) = (JointKind::Revolute, 20.0))
        .param("trajectory_controller[0]/@name", "arm_controller")
}

impl Arm {
    fn new(builder: TestHostBuilder) -> Self {
        let host = builder.build();
        host.listen(&format!("{ACTION}feedback"));
        host.listen(&format!("{ACTION}status"));
        Arm { host, model: TestModel::started(host), positions: [0.0; 2] }
    }

    /// Runs steps. Each joint moves with its commanded velocity, and holds without one; `is_stuck` keeps all where they are.
    fn run(&mut self, steps: u64, is_stuck: bool) {
        for _ in 0..steps {
            self.model.step().expect_done();
            let width = self.host.now().width();
            for command in self.host.take_commands() {
                let TestCommand::JointVelocity { joint, velocity, .. } = command else {
                    panic!("{command:?}")
                };
                let place =
                    JOINTS.iter().position(|name| self.host.joint(name).id == joint).expect("a joint");
                if !is_stuck {
                    self.positions[place] += velocity * width;
                }
            }
            for (name, position) in JOINTS.iter().zip(self.positions) {
                self.host.set_joint_state(name, host::JointState { position, velocity: 0.0, effort: 0.0 });
            }
        }
    }

    /// Sends a goal; returns whether it was accepted.
    fn send(&mut self, id: u8, goal: FollowJointTrajectoryGoal) -> bool {
        let request = FollowJointTrajectorySendGoalRequest { goal_id: Some(uuid(id)), goal: Some(goal) };
        let call = self.host.call_service(&format!("{ACTION}send_goal"), &request);
        self.run(1, false);
        self.answer::<GoalResponse>(call).expect("answered at once").accepted
    }

    fn ask_result(&self, id: u8) -> CallId {
        let request = FollowJointTrajectoryGetResultRequest { goal_id: Some(uuid(id)) };
        self.host.call_service(&format!("{ACTION}get_result"), &request)
    }

    fn cancel(&mut self, id: u8) -> CancelGoalResponse {
        let goal_info = Some(GoalInfo { goal_id: Some(uuid(id)), stamp: None });
        let call = self.host.call_service(&format!("{ACTION}cancel_goal"), &CancelGoalRequest { goal_info });
        self.run(1, false);
        self.answer(call).expect("answered at once")
    }

    fn answer<A: bridgehead_plugin_api::messages::Message>(&self, call: CallId) -> Option<A> {
        self.host.answer(call).map(|answer| answer.expect("an answer"))
    }

    /// Status, code and text of the result of a goal that has ended.
    fn result(&mut self, id: u8) -> (i32, i32, String) {
        let call = self.ask_result(id);
        self.run(1, false);
        outcome(self.answer(call).expect("it has ended"))
    }

    fn statuses(&self) -> Vec<i32> {
        let last: GoalStatusArray = self.host.last(&format!("{ACTION}status"));
        last.status_list.iter().map(|goal| goal.status).collect()
    }
}

fn outcome(response: ResultResponse) -> (i32, i32, String) {
    let result = response.result.unwrap_or_default();
    (response.status, result.error_code, result.error_string)
}

fn uuid(id: u8) -> Uuid {
    Uuid { uuid: vec![id; 16].into() }
}

/// A goal that moves both joints to these positions in this many milliseconds, and rests there.
fn goal(millis: i64, positions: [f64; 2]) -> FollowJointTrajectoryGoal {
    let point = JointTrajectoryPoint {
        positions: positions.to_vec(),
        velocities: vec![0.0; 2],
        time_from_start: Some(Duration::from_nanos(millis * MILLI)),
        ..JointTrajectoryPoint::default()
    };
    FollowJointTrajectoryGoal {
        trajectory: Some(trajectory(vec![point])),
        ..FollowJointTrajectoryGoal::default()
    }
}

fn trajectory(points: Vec<JointTrajectoryPoint>) -> JointTrajectory {
    JointTrajectory { joint_names: JOINTS.map(str::to_owned).to_vec(), points, header: None }
}

#[test]
fn a_goal_is_followed_reported_and_ends_with_success() {
    let mut arm = Arm::new(builder());
    assert!(arm.send(1, goal(200, [1.0, -0.5])));
    assert_eq!(arm.statuses(), [GoalStatus::STATUS_EXECUTING]);
    let call = arm.ask_result(1);
    arm.run(99, false);
    assert!(
        (arm.positions[0] - 0.5).abs() < 1e-9 && (arm.positions[1] + 0.25).abs() < 1e-9,
        "{:?}",
        arm.positions
    );
    assert_eq!(arm.answer::<ResultResponse>(call), None, "the call waits");
    arm.run(102, false);
    assert_eq!(arm.positions.map(|position| (position * 1e9).round() / 1e9), [1.0, -0.5]);
    let (status, code, text) = outcome(arm.answer(call).expect("answered"));
    assert_eq!(
        (status, code, text.as_str()),
        (GoalStatus::STATUS_SUCCEEDED, Code::SUCCESSFUL, "the goal was reached")
    );
    assert_eq!(arm.statuses(), [GoalStatus::STATUS_SUCCEEDED]);
    let feedback: Vec<FeedbackMessage> = arm.host.decoded(&format!("{ACTION}feedback"));
    assert_eq!(feedback.len(), 4, "20 per second, the first at once; the end has a result");
    let middle = feedback[2].feedback.clone().expect("feedback");
    let [desired, actual, error] =
        [middle.desired, middle.actual, middle.error].map(|point| point.expect("a point"));
    assert!((desired.positions[0] - 0.5).abs() < 1e-9 && (actual.positions[0] - 0.5).abs() < 1e-9);
    assert!(error.positions[0].abs() < 1e-9 && (desired.velocities[0] - 7.5).abs() < 1e-9, "{desired:?}");
    assert_eq!(desired.time_from_start, Some(Duration::from_nanos(100 * MILLI)));
    arm.run(50, false);
    assert_eq!(arm.positions.map(|position| (position * 1e9).round() / 1e9), [1.0, -0.5], "it holds");
    assert_eq!(arm.host.unread_params(), Vec::<String>::new());
}

#[test]
fn goals_that_cannot_be_followed_are_refused_with_a_reason_in_the_log() {
    /// What makes a goal wrong, and the reason in the log.
    type Case<'a> = (&'a dyn Fn(&mut JointTrajectory), &'a str);
    let mut arm = Arm::new(builder());
    arm.run(3000, false);
    let changed = |change: &dyn Fn(&mut JointTrajectory)| {
        let mut goal = goal(100, [1.0, 1.0]);
        change(goal.trajectory.as_mut().expect("a trajectory"));
        goal
    };
    let cases: [Case<'_>; 6] = [
        (
            &|it| it.joint_names[1] = "wrist".into(),
            "it names joint `wrist`; this controller moves shoulder, elbow",
        ),
        (&|it| it.joint_names.truncate(1), "it names 1 joints of 2: shoulder, elbow"),
        (&|it| it.joint_names[1] = "shoulder".into(), "it names a joint twice"),
        (&|it| it.points.clear(), "it has no points"),
        (&|it| it.points[0].positions.clear(), "point 0 has no positions"),
        (
            &|it| it.header = Some(Header { stamp: Some(Time { sec: 1, nanosec: 0 }), ..Header::default() }),
            "its end was due 1.9",
        ),
    ];
    for (id, (change, reason)) in (1..).zip(cases) {
        assert!(!arm.send(id, changed(change)), "{reason}");
        assert!(
            arm.host.log_lines().iter().any(|line| line.text.contains(reason)),
            "{reason}: {:?}",
            arm.host.log_lines()
        );
        let (status, ..) = arm.result(id);
        assert_eq!(status, GoalStatus::STATUS_UNKNOWN);
    }
    assert!(arm.send(9, goal(10, [0.0; 2])));
    assert!(!arm.send(9, goal(10, [0.0; 2])), "an id counts once");
}

#[test]
fn another_goal_a_command_and_a_reset_abort_a_goal() {
    let mut arm = Arm::new(builder());
    assert!(arm.send(1, goal(1000, [1.0, 1.0])));
    assert!(arm.send(2, goal(1000, [2.0, 2.0])));
    let (status, code, text) = arm.result(1);
    assert_eq!(
        (status, code, text.as_str()),
        (GoalStatus::STATUS_ABORTED, Code::INVALID_GOAL, "another goal came")
    );
    let command = JointState { name: vec!["elbow".into()], position: vec![0.3], ..JointState::default() };
    arm.host.send("joint_command", &command);
    arm.run(1, false);
    let (status, _, text) = arm.result(2);
    assert_eq!((status, text.as_str()), (GoalStatus::STATUS_ABORTED, "a command came for joint `elbow`"));
    assert!(arm.send(3, goal(1000, [1.0, 1.0])));
    arm.model.reset(ResetScope::ALL).expect_done();
    let (status, _, text) = arm.result(3);
    assert_eq!((status, text.as_str()), (GoalStatus::STATUS_ABORTED, "the simulation was reset"));
    // The topic has no client; its trajectory takes the place of a goal too.
    assert!(arm.send(4, goal(1000, [1.0, 1.0])));
    let point = goal(10, [0.25, 0.75]).trajectory.expect("a trajectory");
    arm.host.send("arm_controller/joint_trajectory", &point);
    // The last part at the largest speed of the joint.
    arm.run(100, false);
    assert_eq!(arm.result(4).0, GoalStatus::STATUS_ABORTED);
    assert_eq!(arm.positions.map(|position| (position * 1e9).round() / 1e9), [0.25, 0.75]);
}

#[test]
fn a_cancelled_goal_leaves_the_joints_where_they_are() {
    let mut arm = Arm::new(builder());
    assert!(arm.send(1, goal(100, [1.0, 0.0])));
    arm.run(49, false);
    let response = arm.cancel(1);
    assert_eq!((response.return_code, response.goals_canceling.len()), (CancelGoalResponse::ERROR_NONE, 1));
    let at = arm.positions;
    arm.run(100, false);
    assert_eq!(arm.positions, at);
    assert!((at[0] - 0.5).abs() < 0.02, "{at:?}");
    assert_eq!(arm.result(1).0, GoalStatus::STATUS_CANCELED);
    assert_eq!(arm.cancel(1).return_code, CancelGoalResponse::ERROR_GOAL_TERMINATED);
    assert_eq!(arm.cancel(7).return_code, CancelGoalResponse::ERROR_UNKNOWN_GOAL_ID);
    assert!(arm.send(2, goal(100, [1.0, 0.0])));
    assert_eq!(arm.cancel(0).goals_canceling.len(), 1, "an id of zeros means all");
}

#[test]
fn tolerances_end_a_goal_that_its_joints_do_not_reach() {
    let mut arm = Arm::new(builder());
    let tolerance =
        |name: &str| JointTolerance { name: name.into(), position: 0.1, ..JointTolerance::default() };
    let on_the_way =
        FollowJointTrajectoryGoal { path_tolerance: vec![tolerance("elbow")], ..goal(100, [1.0, 1.0]) };
    assert!(arm.send(1, on_the_way));
    arm.run(98, true);
    let (status, code, text) = arm.result(1);
    assert_eq!((status, code), (GoalStatus::STATUS_ABORTED, Code::PATH_TOLERANCE_VIOLATED), "{text}");
    assert!(text.starts_with("joint `elbow`: position error 0.1"), "{text}");
    let at = arm.positions;
    let at_the_end = FollowJointTrajectoryGoal {
        goal_tolerance: vec![tolerance("shoulder")],
        goal_time_tolerance: Some(Duration::from_nanos(50 * MILLI)),
        ..goal(100, [1.0, 1.0])
    };
    assert!(arm.send(2, at_the_end));
    let call = arm.ask_result(2);
    arm.run(145, true);
    assert_eq!(arm.answer::<ResultResponse>(call), None, "there is time left");
    arm.run(10, true);
    let (status, code, text) = outcome(arm.answer(call).expect("answered"));
    assert_eq!((status, code), (GoalStatus::STATUS_ABORTED, Code::GOAL_TOLERANCE_VIOLATED), "{text}");
    assert!(text.starts_with("0.051 s after the planned end, joint `shoulder`: position error "), "{text}");
    assert!((arm.positions[0] - at[0]).abs() < 0.02);
}

#[test]
fn a_saved_state_goes_on_with_its_trajectory() {
    let mut arm = Arm::new(builder());
    assert!(arm.send(1, goal(100, [1.0, 0.5])));
    arm.run(49, false);
    let (state, positions) = (arm.model.save(), arm.positions);
    arm.run(60, false);
    let first = arm.positions;
    assert!(arm.send(2, goal(500, [0.0, 0.0])));
    drop(arm.host.take_commands());
    arm.model.load(&state).expect_done();
    assert_eq!(arm.result(2).2, "the simulation returned to a saved state");
    assert!((first[0] - 1.0).abs() < 1e-9 && (positions[0] - 0.5).abs() < 0.02);
}

#[test]
fn the_oldest_results_are_forgotten() {
    let mut arm = Arm::new(builder());
    for id in 1..=40 {
        assert!(arm.send(id, goal(1, [0.0, 0.0])));
        arm.run(3, false);
    }
    assert_eq!(arm.result(40).0, GoalStatus::STATUS_SUCCEEDED);
    let (status, _, text) = arm.result(1);
    assert_eq!(
        (status, text.as_str()),
        (GoalStatus::STATUS_UNKNOWN, "there is no such goal; the results of the last 32 are kept")
    );
}

#[test]
fn a_part_of_the_joints_is_moved_if_that_is_allowed() {
    let mut arm = Arm::new(builder().param("trajectory_controller[0]/allow_partial_joints_goal", "true"));
    let mut half = goal(50, [0.5, 0.0]);
    let trajectory = half.trajectory.as_mut().expect("a trajectory");
    trajectory.joint_names = vec!["elbow".into()];
    trajectory.points[0].positions = vec![0.5];
    trajectory.points[0].velocities = vec![0.0];
    assert!(arm.send(1, half));
    arm.run(60, false);
    assert_eq!(arm.positions.map(|position| (position * 1e9).round() / 1e9), [0.0, 0.5]);
}

#[test]
fn each_joint_may_have_a_tolerance_of_its_own() {
    let path = |index: usize| format!("trajectory_controller[0]/path_tolerance[{index}]");
    let mut arm = Arm::new(builder().param(&path(0), 0).param(&path(1), 0.1));
    assert!(arm.send(1, goal(100, [1.0, 1.0])));
    arm.run(98, true);
    let (_, code, text) = arm.result(1);
    assert_eq!(code, Code::PATH_TOLERANCE_VIOLATED, "{text}");
    assert!(text.starts_with("joint `elbow`: position error 0.1"), "{text}");
}

#[test]
fn a_controller_of_joints_that_do_not_exist_is_refused() {
    for (param, value, reason) in [
        ("joint_name", "wrist", "expected a joint that takes positions: shoulder, elbow"),
        ("goal_time", "-1", "expected 0 or a greater number"),
        ("goal_tolerance[2]", "1", "expected once, or once for each of the 2 joints"),
    ] {
        let host = builder();
        let given = |host: TestHostBuilder, index| {
            host.param(&format!("trajectory_controller[0]/goal_tolerance[{index}]"), 0)
        };
        let host = if param == "goal_tolerance[2]" { (0..2).fold(host, given) } else { host };
        let host = host.param(&format!("trajectory_controller[0]/{param}"), value).build();
        let mut model = TestModel::<JointCommand>::create(host);
        let error = model.awake().expect_failed();
        assert!(error.text().contains(reason), "{error:?}");
    }
}

#[test]
fn a_trajectory_ends_those_of_other_controllers_for_its_joints() {
    let mut arm = Arm::new(
        builder()
            .param("trajectory_controller[1]/@name", "elbow_controller")
            .param("trajectory_controller[1]/joint_name", "elbow"),
    );
    assert!(arm.send(1, goal(1000, [1.0, 1.0])));
    arm.run(10, false);
    let point = JointTrajectoryPoint {
        positions: vec![-0.5],
        time_from_start: Some(Duration::from_nanos(100 * MILLI)),
        ..JointTrajectoryPoint::default()
    };
    let of_elbow = JointTrajectory { joint_names: vec!["elbow".into()], points: vec![point], header: None };
    arm.host.send("elbow_controller/joint_trajectory", &of_elbow);
    arm.run(120, false);
    let (status, _, text) = arm.result(1);
    assert_eq!(status, GoalStatus::STATUS_ABORTED);
    assert!(text.starts_with("a trajectory of another controller"), "{text}");
    assert!((arm.positions[1] + 0.5).abs() < 1e-9, "{:?}", arm.positions);
}
