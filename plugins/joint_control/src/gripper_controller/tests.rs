//! The controller in `joint_command`, through its C functions: grippers that reach a position, hold something, or are
//! stopped.

use bridgehead_plugin_api::host::{self, JointKind, Level};
use bridgehead_plugin_api::messages::action_msgs::{CancelGoalRequest, GoalInfo, GoalStatus};
use bridgehead_plugin_api::messages::builtin_interfaces::Duration;
use bridgehead_plugin_api::messages::control_msgs::{
    GripperCommand, GripperCommandFeedbackMessage as FeedbackMessage, GripperCommandGetResultRequest,
    GripperCommandGetResultResponse as ResultResponse, GripperCommandGoal, GripperCommandResult,
    GripperCommandSendGoalRequest, GripperCommandSendGoalResponse as GoalResponse,
};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use bridgehead_plugin_api::messages::unique_identifier_msgs::Uuid;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use crate::joint_command::JointCommand;

const ACTION: &str = "hand/gripper_cmd/_action/";

/// A hand in steps of a millisecond, whose finger moves at 1 m/s at most until something is between its fingers.
struct Hand {
    host: TestHost,
    model: TestModel<JointCommand>,
    position: f64,
    /// Position that it does not pass.
    obstacle: f64,
    /// Effort of the last command.
    effort: f64,
}

fn builder() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("arm")
        .joint_with("finger", |joint| (joint.kind, joint.velocity) = (JointKind::Prismatic, 1.0))
        .param("gripper_controller[0]/@name", "hand")
        .param("gripper_controller[0]/joint_name", "finger")
}

impl Hand {
    fn new(builder: TestHostBuilder) -> Self {
        let host = builder.build();
        host.listen(&format!("{ACTION}feedback"));
        Hand { host, model: TestModel::started(host), position: 0.0, obstacle: 10.0, effort: 0.0 }
    }

    fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.model.step().expect_done();
            let width = self.host.now().width();
            let mut velocity = 0.0;
            for command in self.host.take_commands() {
                let TestCommand::JointVelocity { velocity: commanded, max_effort, .. } = command else {
                    panic!("{command:?}");
                };
                (velocity, self.effort) = (commanded, max_effort);
            }
            let next = (self.position + velocity * width).min(self.obstacle);
            velocity = (next - self.position) / width;
            self.position = next;
            self.host.set_joint_state("finger", host::JointState { position: next, velocity, effort: 3.0 });
        }
    }

    /// Sends a goal; returns whether it was accepted.
    fn send(&mut self, id: u8, position: f64, max_effort: f64) -> bool {
        let goal = GripperCommandGoal { command: Some(GripperCommand { position, max_effort }) };
        let request = GripperCommandSendGoalRequest { goal_id: Some(uuid(id)), goal: Some(goal) };
        let call = self.host.call_service(&format!("{ACTION}send_goal"), &request);
        self.run(1);
        self.host.answer::<GoalResponse>(call).expect("answered at once").expect("an answer").accepted
    }

    /// Status and result of a goal that has ended.
    fn result(&mut self, id: u8) -> (i32, GripperCommandResult) {
        let request = GripperCommandGetResultRequest { goal_id: Some(uuid(id)) };
        let call = self.host.call_service(&format!("{ACTION}get_result"), &request);
        self.run(1);
        let response: ResultResponse = self.host.answer(call).expect("it has ended").expect("an answer");
        (response.status, response.result.expect("a result"))
    }
}

fn uuid(id: u8) -> Uuid {
    Uuid { uuid: vec![id; 16].into() }
}

#[test]
fn a_goal_that_is_reached_succeeds_with_its_position() {
    let mut hand = Hand::new(builder());
    assert!(hand.send(1, 0.2, 5.0));
    assert_eq!(hand.effort.to_bits(), 5.0_f64.to_bits());
    hand.run(100);
    let report: FeedbackMessage = hand.host.last(&format!("{ACTION}feedback"));
    let feedback = report.feedback.expect("feedback");
    assert!((feedback.position - 0.1).abs() < 2e-3 && !feedback.reached_goal, "{feedback:?}");
    hand.run(110);
    let (status, result) = hand.result(1);
    assert_eq!(status, GoalStatus::STATUS_SUCCEEDED);
    assert!(result.reached_goal && !result.stalled && (result.position - 0.2).abs() < 0.011, "{result:?}");
    hand.run(20);
    assert!((hand.position - 0.2).abs() < 1e-9, "it holds the position: {}", hand.position);
    assert_eq!(hand.host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_finger_that_something_stops_is_stalled_after_a_second() {
    for (allows, status) in [("false", GoalStatus::STATUS_ABORTED), ("true", GoalStatus::STATUS_SUCCEEDED)] {
        let mut hand = Hand::new(builder().param("gripper_controller[0]/allow_stalling", allows));
        hand.obstacle = 0.05;
        assert!(hand.send(1, 0.2, 0.0));
        assert!(hand.effort.is_infinite(), "the limit of the joint");
        hand.run(1060);
        let (found, result) = hand.result(1);
        assert_eq!(found, status);
        assert!(result.stalled && !result.reached_goal, "{result:?}");
        assert_eq!(
            (result.position.to_bits(), result.effort.to_bits()),
            (0.05_f64.to_bits(), 3.0_f64.to_bits())
        );
        hand.obstacle = 10.0;
        hand.run(1);
        assert!(hand.position > 0.0505, "it goes on to close");
    }
}

#[test]
fn another_goal_and_a_command_end_a_goal_and_a_cancelled_one_stays() {
    let mut hand = Hand::new(builder());
    assert!(hand.send(1, 5.0, 0.0));
    assert!(hand.send(2, 6.0, 0.0));
    assert_eq!(hand.result(1).0, GoalStatus::STATUS_ABORTED);
    let goal_info = Some(GoalInfo { goal_id: Some(uuid(2)), stamp: None });
    hand.host.call_service(&format!("{ACTION}cancel_goal"), &CancelGoalRequest { goal_info });
    hand.run(1);
    let at = hand.position;
    assert_eq!(hand.result(2).0, GoalStatus::STATUS_CANCELED);
    hand.run(50);
    assert!((hand.position - at).abs() < 2e-3, "{} after {at}", hand.position);
    assert!(hand.send(3, 5.0, 0.0));
    let command = JointState { name: vec!["finger".into()], velocity: vec![0.5], ..JointState::default() };
    hand.host.send("joint_command", &command);
    hand.run(1);
    assert_eq!(hand.result(3).0, GoalStatus::STATUS_ABORTED);
    assert_eq!(hand.result(9).0, GoalStatus::STATUS_UNKNOWN);
}

#[test]
fn a_goal_and_a_trajectory_end_each_other() {
    let mut hand = Hand::new(builder().param("trajectory_controller[0]/@name", "fingers"));
    let send = |host: TestHost| {
        let point = JointTrajectoryPoint {
            positions: vec![0.3],
            time_from_start: Some(Duration::from_nanos(500_000_000)),
            ..JointTrajectoryPoint::default()
        };
        let trajectory =
            JointTrajectory { joint_names: vec!["finger".into()], points: vec![point], header: None };
        host.send("fingers/joint_trajectory", &trajectory);
    };
    assert!(hand.send(1, 5.0, 0.0));
    send(hand.host);
    hand.run(600);
    assert_eq!(hand.result(1).0, GoalStatus::STATUS_ABORTED);
    assert!((hand.position - 0.3).abs() < 1e-9, "{}", hand.position);
    send(hand.host);
    hand.run(1);
    assert!(hand.send(2, 0.1, 0.0));
    hand.run(600);
    assert_eq!(hand.result(2).0, GoalStatus::STATUS_SUCCEEDED);
    assert!((hand.position - 0.1).abs() < 1e-9, "{}", hand.position);
}

#[test]
fn goals_and_controllers_with_invalid_values_are_refused() {
    let mut hand = Hand::new(builder());
    for (id, (position, effort)) in (1..).zip([(f64::NAN, 0.0), (0.1, -1.0), (0.1, f64::INFINITY)]) {
        assert!(!hand.send(id, position, effort), "{position} {effort}");
    }
    assert!(hand.host.has_logged(Level::Warn, "`hand` refused a goal: its position is 0.1, its effort -1"));
    for (param, value, reason) in [
        ("stall_timeout", "-1", "expected 0 or a greater number"),
        ("goal_tolerance", "far", "expected a number"),
    ] {
        let host = builder().param(&format!("gripper_controller[0]/{param}"), value).build();
        let error = TestModel::<JointCommand>::create(host).awake().expect_failed();
        assert!(error.text().contains(reason), "{error:?}");
    }
}
