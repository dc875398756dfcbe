//! Drives joints to a position: with the force of a PID controller, or with `<use_velocity_commands>` by a motor of
//! at most `<cmd_max>`.

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use crate::target::Target;
use bridgehead_plugin_api::drive::{Gains, Pid};

/// How joints are driven to their position.
enum Actuation {
    /// One controller for each joint.
    Force(Vec<Pid>),
    /// A motor with this largest speed, rad/s or m/s.
    Velocity(f64),
}

impl Actuation {
    fn controllers(&mut self) -> &mut [Pid] {
        match self {
            Actuation::Force(controllers) => controllers,
            Actuation::Velocity(_) => &mut [],
        }
    }
}

/// One controller.
pub(crate) struct JointPosition {
    target: Target,
    /// Target, rad or m.
    initial: f64,
    position: f64,
    actuation: Actuation,
}

impl ModelPlugin for JointPosition {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let index: u32 = params.get_or("joint_index", 0)?;
        let target =
            Target::new(host, |joint| format!("joint/{joint}/{index}/cmd_pos"), |message| &message.position)?;
        let initial = params.get_or("initial_position", 0.0)?;
        let gains = Gains { p: 1.0, i: 0.1, d: 0.01, ..Gains::NONE }.read(params, "", "")?;
        let actuation = if params.get_or("use_velocity_commands", false)? {
            Actuation::Velocity(gains.cmd_max)
        } else {
            Actuation::Force(vec![Pid::new(gains); target.joints.len()])
        };
        Ok(JointPosition { target, initial, position: initial, actuation })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.position = self.initial;
        self.actuation.controllers().iter_mut().for_each(Pid::reset);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.position)?;
        self.actuation.controllers().iter().try_for_each(|controller| controller.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.position = state.take()?;
        self.actuation.controllers().iter_mut().try_for_each(|controller| controller.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(position) = self.target.take() {
            self.position = position;
        }
        for (index, joint) in self.target.joints.iter().enumerate() {
            let error = self.position - self.target.world.joint_state(*joint)?.position;
            match &mut self.actuation {
                Actuation::Velocity(most) => {
                    // At full speed, and in the last step just fast enough to arrive.
                    let velocity = (error / step.width()).clamp(-most.abs(), most.abs());
                    self.target.command.joint_velocity(*joint, velocity, f64::INFINITY)?;
                }
                Actuation::Force(controllers) => {
                    let Some(controller) = controllers.get_mut(index) else { continue };
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
    use bridgehead_plugin_api::host::{JointKind, JointState};
    use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
    use bridgehead_plugin_api::messages::std_msgs::Float64;
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

    fn rotor() -> TestHostBuilder {
        TestHost::builder().vehicle("demo").joint("j1", JointKind::Revolute).param("joint_name", "j1")
    }

    #[test]
    fn a_force_pulls_towards_the_position() {
        let host = rotor()
            .params([("topic", "rotor_cmd"), ("p_gain", "2"), ("i_gain", "0"), ("d_gain", "0")])
            .build();
        let mut model = TestModel::<JointPosition>::started(host);
        host.set_joint_state("j1", JointState { position: 0.5, velocity: 0.0, effort: 0.0 });
        host.send("rotor_cmd", &Float64 { data: -1.0 });
        model.step().expect_done();
        let joint = host.joint("j1").id;
        assert_eq!(host.take_commands(), [TestCommand::JointEffort { joint, effort: -3.0 }]);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn a_message_for_all_actuators_commands_a_position_by_its_number() {
        let host = rotor()
            .params([
                ("use_actuator_msg", "true"),
                ("actuator_number", "1"),
                ("use_velocity_commands", "true"),
            ])
            .params([("cmd_max", "2"), ("topic", "servos")])
            .build();
        let mut model = TestModel::<JointPosition>::started(host);
        host.send("servos", &Actuators { position: vec![9.0, -0.001], ..Actuators::default() });
        model.step().expect_done();
        assert!((host.commanded_velocity("j1").expect("a command") + 1.0).abs() < 1e-9);
        assert_eq!(host.unread_params().len(), 0, "{:?}", host.unread_params());
    }

    #[test]
    fn a_motor_runs_at_its_limit_and_stops_in_time() {
        let host = rotor()
            .params([("use_velocity_commands", "true"), ("cmd_max", "2"), ("initial_position", "1")])
            .build();
        let mut model = TestModel::<JointPosition>::started(host);
        model.step().expect_done();
        assert_eq!(host.commanded_velocity("j1"), Some(2.0));
        host.set_joint_state("j1", JointState { position: 1.0005, velocity: 0.0, effort: 0.0 });
        model.step().expect_done();
        assert!((host.commanded_velocity("j1").expect("a command") + 0.5).abs() < 1e-9);
        host.send("joint/j1/0/cmd_pos", &Float64 { data: 0.0 });
        model.step().expect_done();
        assert_eq!(host.commanded_velocity("j1"), Some(-2.0));
    }
}
