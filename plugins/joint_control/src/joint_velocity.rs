//! Drives joints to a velocity: by a motor, or with `<use_force_commands>` by the force of a PID controller.

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use crate::target::Target;
use bridgehead_plugin_api::drive::{Gains, Pid};

/// One controller.
pub(crate) struct JointVelocity {
    target: Target,
    /// Target, rad/s or m/s.
    initial: f64,
    velocity: f64,
    /// One for each joint; empty if motors are used.
    controllers: Vec<Pid>,
}

impl ModelPlugin for JointVelocity {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let target =
            Target::new(host, |joint| format!("joint/{joint}/cmd_vel"), |message| &message.velocity)?;
        let initial = params.get_or("initial_velocity", 0.0)?;
        let gains = Gains { p: 1.0, ..Gains::NONE };
        let controllers = if params.get_or("use_force_commands", false)? {
            vec![Pid::new(gains.read(params, "", "")?); target.joints.len()]
        } else {
            Vec::new()
        };
        Ok(JointVelocity { target, initial, velocity: initial, controllers })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.velocity = self.initial;
        self.controllers.iter_mut().for_each(Pid::reset);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.velocity)?;
        self.controllers.iter().try_for_each(|controller| controller.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.velocity = state.take()?;
        self.controllers.iter_mut().try_for_each(|controller| controller.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(velocity) = self.target.take() {
            self.velocity = velocity;
        }
        for (index, joint) in self.target.joints.iter().enumerate() {
            match self.controllers.get_mut(index) {
                None => self.target.command.joint_velocity(*joint, self.velocity, f64::INFINITY)?,
                Some(controller) => {
                    let error = self.velocity - self.target.world.joint_state(*joint)?.velocity;
                    self.target.command.joint_effort(*joint, controller.advance(error, step.width()))?;
                }
            }
        }
        Ok(Flow::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{JointKind, JointState, Level};
    use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
    use bridgehead_plugin_api::messages::std_msgs::Float64;
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

    fn rotor() -> TestHostBuilder {
        TestHost::builder().vehicle("demo").joint("j1", JointKind::Continuous).param("joint_name", "j1")
    }

    #[test]
    fn a_motor_runs_at_the_last_commanded_velocity() {
        let host = rotor().param("initial_velocity", 5).build();
        let mut model = TestModel::<JointVelocity>::started(host);
        model.step().expect_done();
        assert_eq!(host.commanded_velocity("j1"), Some(5.0));
        host.send("joint/j1/cmd_vel", &Float64 { data: -1.0 });
        model.run(3).expect_done();
        assert_eq!(host.commanded_velocity("j1"), Some(-1.0));
        for data in [f64::NAN, 1e300, -1e300] {
            host.send("joint/j1/cmd_vel", &Float64 { data });
            model.step().expect_done();
            assert_eq!(host.commanded_velocity("j1"), Some(-1.0));
        }
        assert!(host.has_logged(Level::Warn, "ignored a target of NaN"));
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn a_force_is_proportional_to_the_velocity_error() {
        let host =
            rotor().params([("use_force_commands", "true"), ("p_gain", "0.2"), ("i_gain", "0.01")]).build();
        let mut model = TestModel::<JointVelocity>::started(host);
        host.set_joint_state("j1", JointState { position: 0.0, velocity: 3.0, effort: 0.0 });
        host.send("joint/j1/cmd_vel", &Float64 { data: 10.0 });
        model.step().expect_done();
        let commands = host.take_commands();
        let [TestCommand::JointEffort { effort, .. }] = commands[..] else {
            panic!("one effort, not {commands:?}")
        };
        assert!((effort - (0.2 * 7.0 + 0.01 * 7.0 * 0.001)).abs() < 1e-12, "{effort}");
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    /// Each controller takes its own number of a message for several, wherever the message comes from.
    #[test]
    fn a_message_for_all_actuators_commands_a_joint_by_its_number() {
        for (topic, path) in [("actuators", None), ("go", Some("sub_topic")), ("/motors", Some("topic"))] {
            for number in 0..4_usize {
                let host = rotor().param("use_actuator_msg", "true").param("actuator_number", number);
                let host = path.into_iter().fold(host, |host, path| host.param(path, topic)).build();
                let mut model = TestModel::<JointVelocity>::started(host);
                let velocity = vec![2.0, -3.0, 0.5, 7.0];
                host.send(topic, &Actuators { velocity: velocity.clone(), ..Actuators::default() });
                model.step().expect_done();
                assert_eq!(host.commanded_velocity("j1"), Some(velocity[number]), "{topic} {number}");
                assert_eq!(host.unread_params(), Vec::<String>::new());
            }
        }
    }

    #[test]
    fn a_message_without_the_number_is_ignored_with_a_warning() {
        let host = rotor().param("use_actuator_msg", "1").param("actuator_number", "2.0").build();
        let mut model = TestModel::<JointVelocity>::started(host);
        // Positions are not velocities.
        let message = Actuators { velocity: vec![2.0, -3.0], position: vec![1.0; 9], ..Actuators::default() };
        host.send("actuators", &message);
        model.step().expect_done();
        assert_eq!(host.commanded_velocity("j1"), Some(0.0));
        assert!(host.has_logged(Level::Warn, "it has 2 values, and `actuator_number` is 2, counted from 0"));
    }

    #[test]
    fn a_fixed_joint_is_refused() {
        let host = TestHost::builder()
            .vehicle("demo")
            .joint("mount", JointKind::Fixed)
            .param("joint_name", "mount")
            .build();
        let error = TestModel::<JointVelocity>::create(host).awake().expect_failed();
        assert!(error.text().starts_with("joint `mount` cannot be driven"), "{error}");
    }
}
