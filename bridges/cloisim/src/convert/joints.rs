//! Joint states.

use std::collections::{BTreeSet, HashMap};

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::JointState;

use super::board::Sent;
use super::{ConversionError, Converter, Outputs, board, header, header_now};
use crate::device::{ConverterConfig, Key, Slot, names};
use crate::msgs;

/// The joints of a vehicle. Several elements may control them; clients receive one message with all of them.
#[derive(Default)]
pub(super) struct Joints {
    vehicle: String,
    /// Names of nested models, which are put in front of their joint names.
    nested: Vec<String>,
    /// Frames of links. A transform from any other frame is odometry, which clients publish themselves.
    links: Vec<String>,
    /// Frames of the links that the joints carry; `None` for all links.
    carried: Option<Vec<String>>,
    /// Number of messages with a part of the joints each, in a cycle.
    groups: usize,
    /// The last state of each joint, in the order of their first arrival.
    states: Vec<msgs::JointState>,
    /// First joints of the groups that have arrived since the last message to clients.
    fresh: BTreeSet<String>,
    /// The stamp of that message.
    sent_stamp: Option<msgs::Time>,
    /// The host's name of each joint that clients name differently.
    own: HashMap<String, String>,
    transforms: Sent,
}

impl Joints {
    #[cfg(test)]
    pub(super) fn new(vehicle: String, nested: Vec<String>, links: Vec<String>) -> Self {
        Joints { vehicle, nested, links, groups: 1, ..Joints::default() }
    }

    /// Creates the converter of a device with joints.
    pub(super) fn of(config: &ConverterConfig) -> Self {
        let ConverterConfig::Joints { vehicle, nested, links, own, groups } = config else {
            return Joints::default();
        };
        Joints {
            vehicle: vehicle.clone(),
            nested: nested.clone(),
            links: links.clone(),
            carried: own.clone(),
            groups: *groups,
            ..Joints::default()
        }
    }

    fn states(&mut self, message: &[u8], prefix: &str) -> Result<Outputs, ConversionError> {
        let states = JointState::decode(message)?;
        let number = |list: &[f64], at: usize| list.get(at).copied().unwrap_or(0.0);
        let mut group = String::new();
        for (at, own) in states.name.iter().enumerate() {
            let name = format!("{prefix}{}", names::frame(own));
            if name != *own && !self.own.contains_key(&name) {
                self.own.insert(name.clone(), own.clone());
            }
            if at == 0 {
                group.clone_from(&name);
            }
            self.keep(msgs::JointState {
                name,
                position: number(&states.position, at),
                velocity: number(&states.velocity, at),
                effort: number(&states.effort, at),
            });
        }
        let header = header(states.header.as_ref());
        if !self.completes(group, header.as_ref().and_then(|header| header.stamp)) {
            return Ok(Outputs::new());
        }
        let message = msgs::JointStateV { header, joint_state: self.states.clone() };
        Ok(vec![(Key::Tx, message.encode_to_vec())])
    }

    fn keep(&mut self, state: msgs::JointState) {
        match self.states.iter_mut().find(|known| known.name == state.name) {
            Some(known) => *known = state,
            None => self.states.push(state),
        }
    }

    /// Returns true if a message is due: if every group has arrived, or one again before another one, which is slower.
    fn completes(&mut self, group: String, stamp: Option<msgs::Time>) -> bool {
        let is_again = !self.fresh.insert(group.clone());
        if !is_again && (self.fresh.len() < self.groups || self.sent_stamp == stamp && stamp.is_some()) {
            return false;
        }
        self.fresh.clear();
        if is_again {
            self.fresh.insert(group);
        }
        self.sent_stamp = stamp;
        true
    }
}

impl Converter for Joints {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        match slot {
            Slot::Tf => {
                let is_carried =
                    |child: &str| self.carried.as_ref().is_none_or(|own| own.iter().any(|own| own == child));
                let is_wanted = |child: &str, parent: &str| {
                    is_carried(child) && self.links.iter().any(|link| link == parent)
                };
                board::transforms(message, &self.vehicle, is_wanted, &mut self.transforms)
            }
            Slot::Nested(place) => {
                let prefix = self.nested.get(place).map_or(String::new(), |name| format!("{name}_"));
                self.states(message, &prefix)
            }
            _ => self.states(message, ""),
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.fresh.clear();
        self.sent_stamp = None;
        self.transforms.clear();
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
