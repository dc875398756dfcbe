//! Telling plugins and bridges what happened, and showing the scene to those who record it.

use std::sync::Arc;

use bridgehead_abi::bridge::{
    NOTICE_PAUSED, NOTICE_RESUMED, NOTICE_STARTED, NOTICE_STOPPED, Notice as RawNotice,
};
use bridgehead_lifecycle::{Interrupt, Notice, Request};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;
use bridgehead_plugin_api::{Payload, host::Qos};
use bridgehead_sdf::resolved::Model;

use super::Simulation;
use crate::bus::{Outgoing, Role};
use crate::trigger::Signal;
use crate::world::{Attachment, markers_of};

/// Topic of the latched markers that show the scene.
const SCENE_TOPIC: &str = "visual_markers";

impl Simulation {
    /// Carries out an announcement.
    pub(super) fn announce(&mut self, notice: Notice) {
        log::debug!("announce {notice:?}");
        let kind = match notice {
            Notice::AllStarted => NOTICE_STARTED,
            Notice::Paused => NOTICE_PAUSED,
            Notice::Resumed => NOTICE_RESUMED,
            Notice::Stopped => NOTICE_STOPPED,
            Notice::Succeeded => return self.fire(Signal::Success),
            Notice::Failed => return self.fire(Signal::Failure),
        };
        self.all_started_told |= matches!(notice, Notice::AllStarted);
        let faults = match notice {
            Notice::AllStarted => self.models.all_started(),
            Notice::Paused => self.models.pause(),
            Notice::Resumed => self.models.resume(),
            Notice::Stopped | Notice::Succeeded | Notice::Failed => Vec::new(),
        };
        self.handle_faults(faults);
        if let Some(cause) = self.reset_failure.take() {
            self.shared.requests.push(Request::new(Interrupt::Abort, cause));
        }
        self.bridges.notice(&RawNotice {
            struct_size: RawNotice::SIZE,
            kind,
            scope: 0,
            reset_epoch: self.now().reset_epoch,
            time_ns: self.now().time_ns,
            ticket: 0,
        });
        if kind == NOTICE_STOPPED {
            for problem in self.files.flush() {
                self.note_error(problem);
            }
        }
        match notice {
            Notice::Paused => self.fire(Signal::Pause),
            Notice::Resumed => self.fire(Signal::Resume),
            Notice::Stopped => self.fire(Signal::Stop),
            Notice::AllStarted | Notice::Succeeded | Notice::Failed => {}
        }
    }

    /// Opens the topics of the scene, so that bridges make ends for them.
    pub(super) fn publish_scene(&mut self) {
        let name = MarkerArray::FULL_NAME;
        let registered = self.shared.types.register(name, MarkerArray::DESCRIPTOR_SET, "host");
        let Ok(data_type) = registered else { return };
        for vehicle in self.scene.keys() {
            let world = self.world.as_ref().map(|world| world.borrow());
            let model = world.as_ref().and_then(|world| world.models().get(world.find_entity(vehicle)?));
            let namespace = model.map(|model| model.namespace.clone()).unwrap_or_default();
            let owner = Attachment { vehicle: vehicle.clone(), namespace, ..Attachment::default() };
            let opened = self.shared.bus.open(
                vehicle,
                &owner.public_name(SCENE_TOPIC),
                &data_type,
                Qos::latched(),
                Role::Publisher,
                "host",
            );
            match opened {
                Ok(topic) => self.scene_topics.push((topic.id, vehicle.clone())),
                Err(error) => log::warn!("the scene of `{vehicle}` is not shown: {error}"),
            }
        }
    }

    /// Shows what a spawned vehicle looks like on a topic of its own.
    pub(super) fn show_scene_of(&mut self, model: usize, source: &Model) {
        let markers = markers_of(source);
        let is_vehicle =
            |world: &crate::world::World| world.models().get(model).is_some_and(|m| m.is_vehicle);
        if markers.markers.is_empty() || !self.world().is_some_and(|world| is_vehicle(&world)) {
            return;
        }
        self.scene.insert(source.name.clone(), markers);
        if self.all_started_told {
            self.publish_scene();
            self.router.sync(&self.shared.bus);
            self.route_scene();
        }
    }

    /// Publishes the scene once; the topics are latched.
    pub(super) fn route_scene(&mut self) {
        use bridgehead_plugin_api::messages::prost::Message as _;
        let shared = Arc::clone(&self.shared);
        for (topic, vehicle) in std::mem::take(&mut self.scene_topics) {
            let Some(array) = self.scene.remove(&vehicle) else { continue };
            let payload = Payload::from_vec(array.encode_to_vec());
            let mut messages = vec![Outgoing { topic, stamp_ns: self.now().time_ns, payload }];
            self.router.route(&mut messages, self.now(), &|| shared.requests.is_urgent());
        }
    }
}
