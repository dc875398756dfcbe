//! States of joints.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::JointState;

use super::{Converter, Outputs, Unfit, board, header, header_now};
use crate::device::{Key, Slot, names};
use crate::msgs;

pub(super) struct Joints {
    /// Names of nested models, before those of their joints.
    pub(super) nested: Vec<String>,
}

impl Converter for Joints {
    fn take(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, Unfit> {
        match slot {
            Slot::Tf => board::transforms(message, |_| true),
            Slot::Nested(place) => {
                let name = self.nested.get(place).map_or(String::new(), |name| format!("{name}_"));
                states(message, &name)
            }
            _ => states(message, ""),
        }
    }

    fn idle(&self, key: Key, now: i64) -> Vec<u8> {
        match key {
            Key::Tf => board::nameless(now),
            _ => msgs::JointStateV { header: header_now(now), joint_state: Vec::new() }.encode_to_vec(),
        }
    }
}

fn states(message: &[u8], prefix: &str) -> Result<Outputs, Unfit> {
    let states = JointState::decode(message)?;
    let number = |list: &[f64], at: usize| list.get(at).copied().unwrap_or(0.0);
    let joints = states.name.iter().enumerate().map(|(at, name)| msgs::JointState {
        name: format!("{prefix}{}", names::frame(name)),
        position: number(&states.position, at),
        velocity: number(&states.velocity, at),
        effort: number(&states.effort, at),
    });
    let message = msgs::JointStateV { header: header(states.header.as_ref()), joint_state: joints.collect() };
    Ok(vec![(Key::Tx, message.encode_to_vec())])
}
