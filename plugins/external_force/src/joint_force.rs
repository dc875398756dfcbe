//! Applies the last commanded effort to a joint, until the next command.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{Command, HostHandle, JointId, JointKind, Qos, Subscription};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

/// One joint.
pub(crate) struct ApplyJointForce {
    command: Command,
    joint: JointId,
    /// N m or N; `None` before the first command, which leaves the joint alone.
    effort: Option<f64>,
    commands: Subscription<Float64>,
    has_warned: bool,
}

impl ModelPlugin for ApplyJointForce {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let joint = params.joint(host.model()?, "joint_name")?;
        if matches!(joint.kind, JointKind::Fixed | JointKind::Other) {
            let expected = "a joint with one axis (revolute, continuous or prismatic)";
            return Err(params.refuse("joint_name", &joint.name, expected));
        }
        let topic = params.text("topic").unwrap_or_else(|| format!("joint/{}/cmd_force", joint.name));
        Ok(ApplyJointForce {
            command: host.command()?,
            joint: joint.id,
            effort: None,
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.effort = None;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.effort)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.effort = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            self.accept(received.message.data);
        }
        if let Some(effort) = self.effort {
            self.command.joint_effort(self.joint, effort)?;
        }
        Ok(Flow::Continue)
    }
}

impl ApplyJointForce {
    /// Keeps a command, if it is a number within reach.
    fn accept(&mut self, effort: f64) {
        match check_targets("effort", &[effort]) {
            Ok(()) => self.effort = Some(effort),
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!(
                    "ignored a command of {effort:e}: {error}; further ones are ignored without a warning"
                );
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::Level;
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestModel};

    fn motor(kind: JointKind) -> TestHost {
        TestHost::builder().vehicle("boat").joint("screw", kind).param("joint_name", "screw").build()
    }

    #[test]
    fn a_command_holds_until_the_next_one_and_a_reset_ends_it() {
        let host = motor(JointKind::Continuous);
        let joint = host.joint("screw").id;
        let mut model = TestModel::<ApplyJointForce>::started(host);
        model.step().expect_done();
        assert_eq!(host.take_commands(), []);
        host.send("joint/screw/cmd_force", &Float64 { data: 2.5 });
        model.run(2).expect_done();
        assert_eq!(host.take_commands(), [TestCommand::JointEffort { joint, effort: 2.5 }; 2]);
        for bad in [f64::NAN, f64::NEG_INFINITY, 1e300] {
            host.send("joint/screw/cmd_force", &Float64 { data: bad });
            model.step().expect_done();
            assert_eq!(host.take_commands(), [TestCommand::JointEffort { joint, effort: 2.5 }]);
        }
        assert!(host.has_logged(Level::Warn, "ignored a command"));
        model.reset(ResetScope::ALL).expect_done();
        model.step().expect_done();
        assert_eq!(host.take_commands(), []);
    }

    #[test]
    fn a_joint_without_an_axis_is_refused_with_its_place() {
        let error = TestModel::<ApplyJointForce>::create(motor(JointKind::Fixed)).awake().expect_failed();
        assert!(error.text().contains("`joint_name` is `screw`; expected a joint with one axis"), "{error}");
    }
}
