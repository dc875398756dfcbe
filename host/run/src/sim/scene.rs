//! The visuals of a world as markers: one latched topic for each vehicle, for programs that record or display the run.
//! [`frames`] publishes frames that do not move, [`topics`] the whole scene.

mod frames;
mod topics;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;

use frames::FrameTopics;
pub(super) use topics::{SceneTopics, When};

use super::traffic::Traffic;
use crate::api::shared::Shared;
use crate::bus::{Moment, Role};
use crate::world::{Attachment, SceneMarkers, World};

/// Topic of the latched markers of a vehicle.
const TOPIC: &str = "visual_markers";

/// Markers of a world that are not published yet.
pub(super) struct Scene {
    /// By vehicle.
    markers: SceneMarkers,
    /// Open topics, with their vehicles.
    topics: Vec<(u32, String)>,
    frames: FrameTopics,
}

impl Scene {
    pub(super) fn new(markers: SceneMarkers) -> Self {
        Scene { markers, topics: Vec::new(), frames: FrameTopics::default() }
    }

    pub(super) fn add(&mut self, vehicle: String, markers: MarkerArray) {
        self.markers.insert(vehicle, markers);
    }

    pub(super) fn remove(&mut self, vehicle: &str) {
        self.markers.remove(vehicle);
        self.frames.remove(vehicle);
    }

    /// Opens topics for each vehicle, so that bridges create endpoints for them.
    pub(super) fn open_topics(&mut self, shared: &Shared, world: &World) {
        self.frames.open(shared);
        let name = MarkerArray::FULL_NAME;
        let registered = shared.types.register(name, MarkerArray::DESCRIPTOR_SET, "host");
        let Ok(data_type) = registered else { return };
        for vehicle in self.markers.keys() {
            let model = world.find_entity(vehicle).and_then(|index| world.models().get(index));
            let namespace = model.map(|model| model.namespace.clone()).unwrap_or_default();
            let owner = Attachment { vehicle: vehicle.clone(), namespace, ..Attachment::default() };
            let (name, qos) = (owner.public_name(TOPIC), Qos::latched());
            match shared.bus.open(vehicle, &name, &data_type, qos, Role::Publisher, "host") {
                Ok(topic) => self.topics.push((topic.id, vehicle.clone())),
                Err(error) => log::warn!("the scene of `{vehicle}` is not shown: {error}"),
            }
        }
    }

    /// Publishes frames and markers once; their topics are latched.
    pub(super) fn publish(&mut self, traffic: &mut Traffic, now: Moment) {
        self.frames.publish(traffic, now);
        for (topic, vehicle) in std::mem::take(&mut self.topics) {
            if let Some(array) = self.markers.remove(&vehicle) {
                traffic.route(topic, now, Payload::from_vec(array.encode_to_vec()));
            }
        }
    }
}
