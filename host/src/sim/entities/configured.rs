//! What the configuration has for an entity that comes during the run: the same as for one of the world file.

use std::collections::BTreeMap;

use crate::config::{PluginRequest, SensorRequest};
use crate::sim::Simulation;
use crate::sim::load::requested_slots;
use crate::sim::sensors::{Carriers, configured, is_for};
use crate::world::{Attachment, PluginSlot};

impl Simulation {
    /// The sensors that the configuration adds to an entity with these slots. Where one of them cannot stand, the entity
    /// comes without them, which is an error of the run.
    pub(super) fn sensors_of_spawned(
        &mut self,
        model: usize,
        attachment: &Attachment,
        slots: &[PluginSlot],
    ) -> Vec<PluginSlot> {
        if self.config.sensors.is_empty() {
            return Vec::new();
        }
        let Some(entity) = self.world().and_then(|world| world.models().get(model).cloned()) else {
            return Vec::new();
        };
        let attachments = BTreeMap::from([(attachment.vehicle.clone(), attachment.clone())]);
        let carriers = Carriers { attachments: &attachments, slots, models: vec![&entity] };
        let is_meant = |request: &&SensorRequest| is_for(request, &carriers);
        let requests: Vec<SensorRequest> = self.config.sensors.iter().filter(is_meant).cloned().collect();
        let found = configured(&requests, &carriers);
        found.unwrap_or_else(|problem| {
            self.note_error(problem);
            Vec::new()
        })
    }

    /// The plugins that the configuration attaches to an entity, by the names they were asked for.
    pub(super) fn plugins_of_spawned(&self, attachment: &Attachment) -> Vec<(String, PluginSlot)> {
        let attachments = BTreeMap::from([(attachment.vehicle.clone(), attachment.clone())]);
        let slots_of = |request: &PluginRequest| {
            // One that is for others is no mistake here.
            let slots = requested_slots(request, &attachments).unwrap_or_default();
            slots.into_iter().map(|slot| (request.plugin.clone(), slot)).collect::<Vec<_>>()
        };
        self.config.plugins.iter().flat_map(slots_of).collect()
    }
}
