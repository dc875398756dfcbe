//! Moves a whole model, whatever its mass and contacts are: a Twist in the model's own frame holds until the next
//! one. Runs on the simulation thread.

use bridgehead_plugin_api::drive::{check_twist, command_timeout};
use bridgehead_plugin_api::host::{Command, Entities, HostHandle, LinkId, Params, Qos, Subscription};
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};
use serde::{Deserialize, Serialize};

export_plugin! {
    model VelocityControl {
        id: "org.bridgehead.controller.velocity_control", name: "velocity_control", vendor: "Bridgehead"
    }
}

/// Velocities in the frame of the model: m/s and rad/s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Motion {
    linear: [f64; 3],
    angular: [f64; 3],
}

/// One controller.
struct VelocityControl {
    entities: Entities,
    command: Command,
    vehicle: String,
    /// Any link of the model: the whole model is moved.
    link: LinkId,
    /// Motion before the first command; `None` does not move the model.
    initial: Option<Motion>,
    motion: Option<Motion>,
    /// Time of the last command, simulated nanoseconds.
    since_ns: i64,
    timeout_ns: Option<i64>,
    commands: Subscription<Twist>,
    has_warned: bool,
}

impl ModelPlugin for VelocityControl {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let links = model.links();
        let link = links.first().ok_or_else(|| {
            Error::invalid("velocity_control moves a model; put its <plugin> into a <model> with links")
        })?;
        let topic = params.text("topic").unwrap_or_else(|| "cmd_vel".to_owned());
        let timeout_ns = if params.count("command_timeout") > 0 { command_timeout(params)? } else { None };
        Ok(VelocityControl {
            entities: host.entities()?,
            command: host.command()?,
            vehicle: model.attachment()?.vehicle,
            link: link.id,
            initial: initial(params)?,
            motion: None,
            since_ns: 0,
            timeout_ns,
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.motion = self.initial;
        self.since_ns = 0;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.motion, self.since_ns))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.motion, self.since_ns) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            self.accept(&received.message, step);
        }
        let is_old = self.timeout_ns.is_some_and(|timeout| step.time_ns - self.since_ns > timeout);
        let motion = if is_old { self.motion.map(|_| Motion::NONE) } else { self.motion };
        if let (Some(motion), Some(entity)) = (motion, self.entities.find(&self.vehicle)) {
            let (linear, angular) = (entity.pose.rotate(motion.linear), entity.pose.rotate(motion.angular));
            self.command.model_velocity(self.link, linear, angular)?;
        }
        Ok(Flow::Continue)
    }
}

impl Motion {
    const NONE: Motion = Motion { linear: [0.0; 3], angular: [0.0; 3] };

    fn from_twist(twist: &Twist) -> Self {
        let vector = |vector: &Option<Vector3>| vector.as_ref().map_or([0.0; 3], |v| [v.x, v.y, v.z]);
        Motion { linear: vector(&twist.linear), angular: vector(&twist.angular) }
    }

    fn check(&self) -> Result {
        check_twist(self.linear, self.angular)
    }
}

impl VelocityControl {
    /// Keeps a command. Commands with invalid numbers are ignored; the first one is logged.
    fn accept(&mut self, twist: &Twist, step: &Step) {
        let motion = Motion::from_twist(twist);
        match motion.check() {
            Ok(()) => {
                self.motion = Some(motion);
                self.since_ns = step.time_ns;
            }
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!("ignored a command: {error}; further ones are ignored without a warning");
            }
            Err(_) => {}
        }
    }
}

/// Reads `<initial_linear>` and `<initial_angular>`.
fn initial(params: Params) -> Result<Option<Motion>> {
    if params.count("initial_linear") + params.count("initial_angular") == 0 {
        return Ok(None);
    }
    let motion =
        Motion { linear: vector(params, "initial_linear")?, angular: vector(params, "initial_angular")? };
    motion.check().map(|()| Some(motion))
}

fn vector(params: Params, path: &str) -> Result<[f64; 3]> {
    let Some(text) = params.text(path) else { return Ok([0.0; 3]) };
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    <[f64; 3]>::try_from(numbers)
        .ok()
        .filter(|numbers| numbers.iter().all(|number| number.is_finite()))
        .ok_or_else(|| params.refuse(path, &text, "three finite numbers"))
}

#[cfg(test)]
mod tests;
