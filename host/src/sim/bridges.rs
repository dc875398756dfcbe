//! Bridges and plugins as those see them who control a run.

use super::Simulation;
use crate::bridge::{AttachError, WORLD, targets};
use crate::config::{BridgeRequest, RequestOrigin};
use crate::plugin::{LoadedPlugin, PluginSet};
use crate::report::{BridgeStatus, PluginResult};

impl Simulation {
    /// The bridges that are attached, in order of attachment.
    #[must_use]
    pub fn bridge_status(&self) -> Vec<BridgeStatus> {
        self.bridges.instances().iter().map(crate::bridge::BridgeInstance::report).collect()
    }

    /// The model plugins in use, in document order.
    #[must_use]
    pub fn plugin_results(&self) -> Vec<PluginResult> {
        self.models.results()
    }

    /// Labels of plugins that have not started yet.
    pub fn late_plugins(&self) -> impl Iterator<Item = &str> {
        self.tracker.waiting()
    }

    /// Every plugin that is loaded.
    #[must_use]
    pub fn known_plugins(&self) -> &[LoadedPlugin] {
        PluginSet::plugins(&self.plugins)
    }

    /// Attaches a bridge to the world (`world`) or a vehicle and connects it; one of that name that is there is
    /// disconnected first. Gives its label. The connection itself is made in the background.
    ///
    /// # Errors
    /// Where there is no such bridge or vehicle, or the bridge refuses the connection string: what is there then
    /// stays.
    pub fn connect_bridge(
        &mut self,
        vehicle: &str,
        bridge: &str,
        connection: &str,
    ) -> Result<String, AttachError> {
        let request = BridgeRequest::new(vehicle, bridge, connection, RequestOrigin::Control);
        let owner = if vehicle == WORLD {
            String::new()
        } else {
            targets(&request, &self.vehicles())?;
            vehicle.to_owned()
        };
        self.bridge_builder().check(&request)?;
        self.end_bridges(|known| known.vehicle == owner && known.request.name == bridge);
        self.attach(&request, &owner)?;
        self.bridges.connect(|known| known.vehicle == owner && known.is_new());
        let label = self.bridges.instances().last().map(|made| made.label.clone());
        Ok(label.unwrap_or_default())
    }

    /// Names of what bridges can be attached to.
    fn vehicles(&self) -> Vec<String> {
        let Some(world) = &self.world else { return Vec::new() };
        world
            .borrow()
            .models()
            .values()
            .filter(|model| model.is_present)
            .map(|model| model.name.clone())
            .collect()
    }

    /// Disconnects a bridge and takes it away; whether there was one.
    pub fn disconnect_bridge(&mut self, label: &str) -> bool {
        let is_there = self.bridges.instances().iter().any(|bridge| bridge.label == label);
        self.end_bridges(|bridge| bridge.label == label);
        is_there
    }
}
