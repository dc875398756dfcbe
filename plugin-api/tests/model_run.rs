//! A model plugin's life in the harness: parameters, bus, clock, world, commands and services.

use std::time::Duration;

use bridgehead_plugin_api::host::{
    Command, Joint, JointKind, JointState, Publisher, Qos, RayBatch, RayHit, Service, Subscription, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::testing::{Outcome, TestCommand, TestHost, TestModel};
use bridgehead_plugin_api::{Error, Flow, Request, Result, host::HostHandle};

/// Measures a distance, drives a wheel, and can be switched off.
struct Rover {
    distance: Publisher<Float64>,
    commands: Subscription<Twist>,
    enable: Service<SetBoolRequest, SetBoolResponse>,
    world: World,
    command: Command,
    wheel: Joint,
    radius: f64,
    is_enabled: bool,
}

impl ModelPlugin for Rover {
    const PHASES: Phases = Phases::BOTH;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        Ok(Rover {
            distance: host.bus()?.advertise("distance", Qos::sensor_data())?,
            commands: host.bus()?.subscribe("cmd_vel", Qos::default())?,
            enable: host.services()?.advertise("enable")?,
            world: host.world()?,
            command: host.command()?,
            wheel: host.model()?.joint("wheel")?,
            radius: params.require("wheel[1]/radius")?,
            is_enabled: true,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.is_enabled = true;
        Ok(Flow::Continue)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.distance.has_listeners() {
            let mut hits = [RayHit { distance: 0.0, normal: [0.0; 3], entity: 0 }];
            let frame = bridgehead_plugin_api::host::Pose::IDENTITY;
            let directions = [[1.0, 0.0, 0.0]];
            let batch =
                RayBatch { frame, directions: &directions, range_min: 0.1, range_max: 10.0, ignore: None };
            self.world.cast_rays(&batch, &mut hits)?;
            self.distance.publish(step.time_ns, &Float64 { data: hits[0].distance })?;
        }
        Ok(Flow::Continue)
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        while let Some(call) = self.enable.take() {
            self.is_enabled = call.request.data;
            let response = SetBoolResponse { success: true, message: "as you wish".to_owned() };
            self.enable.reply(&call, Ok(response));
        }
        if let Some(twist) = self.commands.take_latest() {
            let speed = twist.message.linear.map_or(0.0, |linear| linear.x) / self.radius;
            let speed = if self.is_enabled { speed } else { 0.0 };
            self.command.joint_velocity(self.wheel.id, speed, f64::INFINITY)?;
        }
        if self.world.joint_state(self.wheel.id)?.position > 100.0 {
            return Ok(Flow::Ask(Request::Succeed, "far enough".to_owned()));
        }
        Ok(Flow::Continue)
    }
}

fn rover() -> TestModel<Rover> {
    let host = TestHost::builder()
        .vehicle("car1")
        .param("wheel[0]/radius", 0.1)
        .param("wheel[1]/radius", 0.5)
        .joint("wheel", JointKind::Continuous)
        .step_width(Duration::from_millis(10))
        .build();
    TestModel::started(host)
}

fn forwards(speed: f64) -> Twist {
    Twist { linear: Some(Vector3::new(speed, 0.0, 0.0)), angular: None }
}

#[test]
fn a_sensor_publishes_only_when_someone_listens() {
    let mut rover = rover();
    let host = rover.host();
    host.set_ray_caster(|ray| (ray.direction[0] > 0.9).then_some(4.0));
    rover.step().expect_done();
    assert!(host.published("distance").is_empty());
    host.listen("distance");
    rover.run(2).expect_done();
    let messages = host.published("distance");
    assert_eq!(messages.iter().map(|message| message.stamp_ns).collect::<Vec<_>>(), [20_000_000, 30_000_000]);
    assert_eq!(messages.iter().map(|message| message.sequence).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(host.last::<Float64>("distance").data, 4.0);
    assert_eq!(host.topics()[0].name, "/car1/distance");
    assert_eq!(host.topics()[0].qos, Qos::sensor_data());
}

#[test]
fn rays_beyond_the_range_hit_nothing() {
    let mut rover = rover();
    let host = rover.host();
    host.listen("distance");
    host.set_ray_caster(|_| Some(10.5));
    rover.step().expect_done();
    assert_eq!(host.last::<Float64>("distance").data, f64::INFINITY);
}

#[test]
fn a_sent_command_is_taken_in_the_next_control() {
    let mut rover = rover();
    let host = rover.host();
    host.send("cmd_vel", &forwards(1.0));
    host.send("cmd_vel", &forwards(2.0));
    assert!(host.commands().is_empty());
    rover.step().expect_done();
    let wheel = host.joint("wheel").id;
    let expected = TestCommand::JointVelocity { joint: wheel, velocity: 4.0, max_effort: f64::INFINITY };
    assert_eq!(host.commands(), [(1, expected)]);
    rover.step().expect_done();
    assert_eq!(host.commands().len(), 1, "a command is taken once");
    assert_eq!(host.commanded_velocity("wheel"), Some(4.0));
}

#[test]
fn a_service_call_is_answered() {
    let mut rover = rover();
    let host = rover.host();
    let call = host.call_service("enable", &SetBoolRequest { data: false });
    assert!(host.answer::<SetBoolResponse>(call).is_none());
    host.send("cmd_vel", &forwards(1.0));
    rover.step().expect_done();
    let answer = host.answer::<SetBoolResponse>(call).expect("answered").expect("success");
    assert_eq!(answer.message, "as you wish");
    assert_eq!(host.commanded_velocity("wheel"), Some(0.0));
}

#[test]
fn a_malformed_request_is_answered_with_the_reason() {
    let mut rover = rover();
    let host = rover.host();
    let call = host.call_service_raw("enable", "bridgehead.std_srvs.v1.SetBoolRequest", vec![0xff]);
    rover.step().expect_done();
    let error = host.answer::<SetBoolResponse>(call).expect("answered").expect_err("refused");
    assert_eq!(error.status(), bridgehead_plugin_api::abi::status::SCHEMA);
    assert!(
        error.text().starts_with("the request is not a bridgehead.std_srvs.v1.SetBoolRequest: "),
        "{error}"
    );
}

#[test]
fn a_malformed_message_is_logged_and_passed_over() {
    let mut rover = rover();
    let host = rover.host();
    host.send_raw("cmd_vel", "bridgehead.geometry_msgs.v1.Twist", vec![0xff]);
    host.send("cmd_vel", &forwards(1.0));
    rover.step().expect_done();
    assert_eq!(host.commanded_velocity("wheel"), Some(2.0));
    let level = bridgehead_plugin_api::host::Level::Warn;
    assert!(host.has_logged(level, "a received message is not a bridgehead.geometry_msgs.v1.Twist: "));
}

#[test]
fn a_request_reaches_the_host_with_its_reason() {
    let mut rover = rover();
    let state = JointState { position: 101.0, velocity: 0.0, effort: 0.0 };
    rover.host().set_joint_state("wheel", state);
    assert_eq!(rover.run(5), Outcome::Asked(Request::Succeed, "far enough".to_owned()));
    assert_eq!(rover.host().now().number, 1, "the run ends with the first request");
}

#[test]
fn a_reset_begins_an_epoch_with_empty_queues() {
    let mut rover = rover();
    let host = rover.host();
    host.listen("distance");
    rover.run(3).expect_done();
    host.send("cmd_vel", &forwards(1.0));
    rover.reset(ResetScope::ALL).expect_done();
    rover.step().expect_done();
    assert!(host.commands().is_empty(), "what came before the reset is gone");
    let last = host.published("distance").pop().expect("message");
    assert_eq!((last.reset_epoch, last.sequence, last.stamp_ns), (1, 0, 10_000_000));
}

#[test]
fn a_failed_awake_says_why() {
    let host = TestHost::builder().vehicle("car1").joint("axle", JointKind::Continuous).build();
    let error = TestModel::<Rover>::create(host).awake().expect_failed();
    assert_eq!(error.text(), "the model has no joint `wheel`; it has: axle");
    assert_eq!(error, Error::with_status(bridgehead_plugin_api::abi::status::NOT_FOUND, error.text()));
}

#[test]
#[should_panic(expected = "`step` is not called on a plugin that is created; it must be started")]
fn a_step_before_the_start_fails_the_test() {
    let _ = TestModel::<Rover>::create(TestHost::new()).step();
}

#[test]
#[should_panic(
    expected = "`world.joint_state` may be called in [sim] calls only; it was called inside `awake`"
)]
fn a_host_function_in_the_wrong_call_fails_the_test() {
    struct Hasty;
    impl ModelPlugin for Hasty {
        const PHASES: Phases = Phases::NONE;
        fn awake(host: HostHandle) -> Result<Self> {
            let _ = host.world()?.joint_state(host.model()?.joint("wheel")?.id);
            Ok(Hasty)
        }
        fn reset(&mut self, _: ResetScope) -> Result<Flow> {
            Ok(Flow::Continue)
        }
    }
    let host = TestHost::builder().joint("wheel", JointKind::Continuous).build();
    let _ = TestModel::<Hasty>::started(host);
}
