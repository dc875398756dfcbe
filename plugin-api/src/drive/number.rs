//! Commands of one number for one actuator: a topic of its own, or its number in the messages for all actuators.

use crate::error::Result;
use crate::host::{HostHandle, Level, Log, Qos, Subscription};
use crate::messages::actuator_msgs::Actuators;
use crate::messages::std_msgs::Float64;

/// The topic of messages for all actuators, unless the element names one.
const ACTUATORS: &str = "actuators";

/// Receives the commands of one actuator.
pub struct NumberTopic {
    source: Source,
    log: Log,
    has_warned: bool,
}

enum Source {
    Own(Subscription<Float64>),
    Shared { messages: Subscription<Actuators>, number: usize, values: fn(&Actuators) -> &[f64] },
}

impl NumberTopic {
    /// Subscribes to `<topic>`, or otherwise `<sub_topic>`, or otherwise `default`. With `<use_actuator_msg>`, the
    /// messages are those for all actuators, of which `<actuator_number>` chooses one of the `values`.
    ///
    /// # Errors
    /// Returns an error if a parameter is none of its kind, or the topic cannot be subscribed to.
    pub fn subscribe(host: HostHandle, default: &str, values: fn(&Actuators) -> &[f64]) -> Result<Self> {
        let params = host.params()?;
        let is_shared = params.get_or("use_actuator_msg", false)?;
        let number = params.get_or("actuator_number", 0_usize)?;
        let topic = ["topic", "sub_topic"].into_iter().find_map(|path| params.text(path));
        let default = if is_shared { ACTUATORS } else { default };
        let topic = topic.unwrap_or_else(|| default.to_owned());
        let bus = host.bus()?;
        let source = if is_shared {
            Source::Shared { messages: bus.subscribe(&topic, Qos::default())?, number, values }
        } else {
            Source::Own(bus.subscribe(&topic, Qos::default())?)
        };
        Ok(NumberTopic { source, log: host.log()?, has_warned: false })
    }

    /// Returns the number of the newest message. The first message without the number is logged.
    pub fn take_latest(&mut self) -> Option<f64> {
        let (messages, number, values) = match &mut self.source {
            Source::Own(messages) => return Some(messages.take_latest()?.message.data),
            Source::Shared { messages, number, values } => (messages, *number, values),
        };
        let received = messages.take_latest()?;
        let values = values(&received.message);
        let value = values.get(number).copied();
        if value.is_none() && !std::mem::replace(&mut self.has_warned, true) {
            let text = format!(
                "ignored a command: it has {} values, and `actuator_number` is {number}, counted from 0; further ones \
                 like it are ignored without a warning",
                values.len()
            );
            self.log.write(Level::Warn, "drive", &text, file!(), line!());
        }
        value
    }
}
