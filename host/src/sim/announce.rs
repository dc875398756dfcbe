//! Telling plugins and bridges what happened, and showing the scene to those who record it.

use std::sync::Arc;

use bridgehead_abi::bridge::{
    NOTICE_PAUSED, NOTICE_RESUMED, NOTICE_STARTED, NOTICE_STOPPED, Notice as RawNotice,
};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;
use bridgehead_plugin_api::{Payload, host::Qos};

use super::Simulation;
use crate::bus::{Outgoing, Role};
use crate::lifecycle::{Interrupt, Notice, Request};
use crate::trigger::Signal;

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
        let faults = match notice {
            Notice::AllStarted => self.models.all_started(),
            Notice::Paused => self.models.pause(),
            Notice::Resumed => self.models.resume(),
            Notice::Stopped | Notice::Succeeded | Notice::Failed => Vec::new(),
        };
        self.handle_faults(faults);
        if let Some(cause) = self.reset_failure.take() {
            self.shared.asks.push(Request::new(Interrupt::Abort, cause));
        }
        self.bridges.notice(&RawNotice {
            struct_size: RawNotice::SIZE,
            kind,
            scope: 0,
            reset_epoch: self.now.reset_epoch,
            time_ns: self.now.time_ns,
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
            let opened = self.shared.bus.open(
                vehicle,
                SCENE_TOPIC,
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

    /// Publishes the scene once; the topics are latched.
    pub(super) fn route_scene(&mut self) {
        use bridgehead_plugin_api::messages::prost::Message as _;
        let shared = Arc::clone(&self.shared);
        for (topic, vehicle) in std::mem::take(&mut self.scene_topics) {
            let Some(array) = self.scene.remove(&vehicle) else { continue };
            let payload = Payload::from_vec(array.encode_to_vec());
            let mut messages = vec![Outgoing { topic, stamp_ns: self.now.time_ns, payload }];
            self.router.route(&mut messages, self.now, &|| shared.asks.is_urgent());
        }
    }
}
