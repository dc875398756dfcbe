//! Shared by controllers with one target: the joints, and the topic of the target.

use bridgehead_plugin_api::drive::{NumberTopic, check_targets};
use bridgehead_plugin_api::host::{Command, HostHandle, Joint, JointId, JointKind, Level, Log, World};
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::{Error, Result};

/// Joints with a common target.
pub(crate) struct Target {
    pub(crate) world: World,
    pub(crate) command: Command,
    pub(crate) joints: Vec<JointId>,
    log: Log,
    topic: NumberTopic,
    has_warned: bool,
}

impl Target {
    /// Reads `<joint_name>`s and the topic; `default` makes the topic from the name of the first joint, and `values` are
    /// those of a message for all actuators.
    pub(crate) fn new(
        host: HostHandle,
        default: impl FnOnce(&str) -> String,
        values: fn(&Actuators) -> &[f64],
    ) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let names: Vec<String> = (0..params.count("joint_name").max(1))
            .map(|index| params.require(&indexed("joint_name", index, params.count("joint_name"))))
            .collect::<Result<_>>()?;
        let joints = names.iter().map(|name| moving(&model.joint(name)?)).collect::<Result<_>>()?;
        let topic = default(names.first().map_or("", String::as_str));
        Ok(Target {
            world: host.world()?,
            command: host.command()?,
            joints,
            log: host.log()?,
            topic: NumberTopic::subscribe(host, &topic, values)?,
            has_warned: false,
        })
    }

    /// Returns the newest number if it is valid; the first one that is not is logged.
    pub(crate) fn take(&mut self) -> Option<f64> {
        let value = self.topic.take_latest()?;
        let Err(error) = check_targets("target", &[value]) else { return Some(value) };
        if !std::mem::replace(&mut self.has_warned, true) {
            let text =
                format!("ignored a target of {value:e}: {error}; further ones are ignored without a warning");
            self.log.write(Level::Warn, "joint_control", &text, file!(), line!());
        }
        None
    }
}

/// Returns `path`, or `path[index]` if there are several.
fn indexed(path: &str, index: usize, count: usize) -> String {
    if count > 1 { format!("{path}[{index}]") } else { path.to_owned() }
}

/// Returns the joint if it has one axis.
pub(crate) fn moving(joint: &Joint) -> Result<JointId> {
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => Ok(joint.id),
        JointKind::Fixed | JointKind::Other => Err(Error::invalid(format!(
            "joint `{}` cannot be driven: expected a revolute, continuous or prismatic one",
            joint.name
        ))),
    }
}
