//! Joint states.

use std::collections::HashMap;

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::JointState;

use super::{ConversionError, Converter, Outputs, board, header, header_now};
use crate::device::{Key, Slot, names};
use crate::msgs;

pub(super) struct Joints {
    vehicle: String,
    /// Names of nested models, which are put in front of their joint names.
    nested: Vec<String>,
    /// Frames of links. A transform from any other frame is odometry, which clients publish themselves.
    links: Vec<String>,
    /// The host's name of each joint that clients name differently.
    own: HashMap<String, String>,
}

impl Joints {
    pub(super) fn new(vehicle: String, nested: Vec<String>, links: Vec<String>) -> Self {
        Joints { vehicle, nested, links, own: HashMap::new() }
    }

    fn states(&mut self, message: &[u8], prefix: &str) -> Result<Outputs, ConversionError> {
        let states = JointState::decode(message)?;
        let number = |list: &[f64], at: usize| list.get(at).copied().unwrap_or(0.0);
        let mut joint_state = Vec::with_capacity(states.name.len());
        for (at, own) in states.name.iter().enumerate() {
            let name = format!("{prefix}{}", names::frame(own));
            if name != *own && !self.own.contains_key(&name) {
                self.own.insert(name.clone(), own.clone());
            }
            joint_state.push(msgs::JointState {
                name,
                position: number(&states.position, at),
                velocity: number(&states.velocity, at),
                effort: number(&states.effort, at),
            });
        }
        let message = msgs::JointStateV { header: header(states.header.as_ref()), joint_state };
        Ok(vec![(Key::Tx, message.encode_to_vec())])
    }
}

impl Converter for Joints {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        match slot {
            Slot::Tf => {
                let is_wanted = |_: &str, parent: &str| self.links.iter().any(|link| link == parent);
                board::transforms(message, &self.vehicle, is_wanted)
            }
            Slot::Nested(place) => {
                let prefix = self.nested.get(place).map_or(String::new(), |name| format!("{name}_"));
                self.states(message, &prefix)
            }
            _ => self.states(message, ""),
        }
    }

    fn idle(&self, key: Key, now: i64) -> Vec<u8> {
        match key {
            Key::Tf => board::nameless(now),
            _ => msgs::JointStateV { header: header_now(now), joint_state: Vec::new() }.encode_to_vec(),
        }
    }

    fn host_joint_name(&self, joint: &str) -> String {
        self.own.get(joint).cloned().unwrap_or_else(|| joint.to_owned())
    }
}
