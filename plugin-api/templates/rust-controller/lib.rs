//! The controller `@name@`: turns a joint of its model with the speed that the last command says.

use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::prelude::*;

/// One per `<plugin>` element.
struct @Type@ {
    command: Command,
    joint: JointId,
    /// Largest torque, N m.
    max_effort: f64,
    commands: Subscription<Float64>,
    /// Speed of the joint, rad/s.
    speed: f64,
}

impl ModelPlugin for @Type@ {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        Ok(@Type@ {
            command: host.command()?,
            joint: params.turning_joint(host.model()?, "joint")?.id,
            max_effort: params.positive_or("max_effort", 10.0)?,
            commands: host.bus()?.subscribe("@name@", Qos::default())?,
            speed: 0.0,
        })
    }

    /// The state of the plugin is again as before the first step.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.speed = 0.0;
        Ok(Flow::Continue)
    }

    /// What a snapshot of the run keeps of this plugin.
    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.speed)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.speed = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            let speed = received.message.data;
            if speed.is_finite() {
                self.speed = speed;
            } else {
                log::warn!("ignored a command: {speed} is no speed");
            }
        }
        self.command
            .joint_velocity(self.joint, self.speed, self.max_effort)?;
        Ok(Flow::Continue)
    }
}

bridgehead_plugin_api::export_plugin! {
    model @Type@ { id: "@id@", name: "@name@", vendor: "@vendor@" }
}

#[cfg(test)]
mod tests;
