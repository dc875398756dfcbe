//! Lists of values for joints, for clients of the forward command controllers of ros2_controllers: a value for each joint,
//! in the order of the controller.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{HostHandle, Params, Qos, Subscription};
use bridgehead_plugin_api::messages::std_msgs::Float64MultiArray;

use crate::interfaces::{Interface, Interfaces};

/// A controller.
pub(crate) struct ForwardController {
    name: String,
    /// Its joints, as their owner counts them.
    joints: Vec<usize>,
    interface: Interface,
    commands: Subscription<Float64MultiArray>,
    has_warned: bool,
}

impl ForwardController {
    /// Reads the controller of a parameter. `known` are the joints of its owner, with their names and interfaces.
    pub(crate) fn read(
        host: HostHandle,
        params: Params,
        path: &str,
        known: &[(&str, Interfaces)],
    ) -> Result<Self> {
        let name = params.require::<String>(&format!("{path}/@name"))?;
        let place = format!("{path}/interface_name");
        let text = params.require::<String>(&place)?;
        let interface =
            Interface::named(&text).ok_or_else(|| params.refuse(&place, &text, Interface::EXPECTED))?;
        let mut joints = Vec::new();
        for index in 0..params.count(&format!("{path}/joint_name")) {
            let place = format!("{path}/joint_name[{index}]");
            let joint = params.require::<String>(&place)?;
            let takes = |(name, interfaces): &(&str, Interfaces)| {
                *name == joint && (*interfaces == Interfaces::default() || interfaces.has(interface))
            };
            let found = known.iter().position(takes);
            let expected = || format!("a joint of the plugin with the interface `{text}`");
            joints.push(found.ok_or_else(|| params.refuse(&place, &joint, expected()))?);
        }
        if joints.is_empty() {
            return Err(params.refuse(&format!("{path}/joint_name"), "missing", "at least one joint"));
        }
        let commands = host.bus()?.subscribe(&format!("{name}/commands"), Qos::default())?;
        Ok(ForwardController { name, joints, interface, commands, has_warned: false })
    }

    pub(crate) fn interface(&self) -> Interface {
        self.interface
    }

    /// Returns the newest value of each joint since the last call; NaN has no effect. The first invalid message is logged.
    pub(crate) fn take(&mut self) -> Vec<(usize, f64)> {
        let Some(received) = self.commands.take_latest() else { return Vec::new() };
        let values = received.message.data;
        let given: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let problem = if values.len() == self.joints.len() {
            check_targets("values", &given).err().map(|error| format!("it has invalid values: {error}"))
        } else {
            Some(format!("it has {} values for {} joints", values.len(), self.joints.len()))
        };
        if let Some(problem) = problem {
            if !std::mem::replace(&mut self.has_warned, true) {
                log::warn!(
                    "`{}` ignored a command: {problem}; further ones like it are ignored without a warning",
                    self.name
                );
            }
            return Vec::new();
        }
        self.joints.iter().copied().zip(values).filter(|(_, value)| !value.is_nan()).collect()
    }
}
