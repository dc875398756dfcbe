//! Frames that do not move in their parents, as latched transforms on the topic `/tf_static` of each vehicle: without
//! them, a program of ROS drops what a sensor measures.

use std::collections::BTreeSet;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

use crate::api::shared::Shared;
use crate::bus::{Moment, Role};
use crate::sim::traffic::Traffic;
use crate::world::Attachment;

const TOPIC: &str = "/tf_static";

/// The frames of the vehicles.
#[derive(Default)]
pub(super) struct FrameTopics {
    /// Vehicles with a topic.
    opened: BTreeSet<String>,
    /// Topics whose message is not published yet.
    pending: Vec<(u32, Payload)>,
}

impl FrameTopics {
    /// Opens a topic for each vehicle that has such frames and none yet.
    pub(super) fn open(&mut self, shared: &Shared) {
        let Ok(data_type) = shared.types.register(TfMessage::FULL_NAME, TfMessage::DESCRIPTOR_SET, "host")
        else {
            return;
        };
        for frames in shared.description.static_frames() {
            let (vehicle, namespace) = (frames.vehicle.clone(), frames.namespace.clone());
            if !self.opened.insert(vehicle.clone()) {
                continue;
            }
            let owner = Attachment { vehicle, namespace, ..Attachment::default() };
            let name = owner.public_name(TOPIC);
            match shared.bus.open(&owner.vehicle, &name, &data_type, Qos::latched(), Role::Publisher, "host")
            {
                Ok(topic) => {
                    self.pending.push((topic.id, Payload::from_vec(frames.message().encode_to_vec())));
                }
                Err(error) => log::warn!("the frames of `{}` are not published: {error}", owner.vehicle),
            }
        }
    }

    /// Publishes what is pending.
    pub(super) fn publish(&mut self, traffic: &mut Traffic, now: Moment) {
        for (topic, payload) in self.pending.drain(..) {
            traffic.route(topic, now, payload);
        }
    }

    /// Forgets a vehicle that is removed.
    pub(super) fn remove(&mut self, vehicle: &str) {
        self.opened.remove(vehicle);
    }
}
