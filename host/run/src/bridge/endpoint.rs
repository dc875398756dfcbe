//! What the endpoints of a bridge share: its host object, its factory and its label.

use std::sync::Arc;

use bridgehead_plugin_api::objects::BridgeRef;

use super::registry::FactoryTable;
use crate::api::shared::Shared;
use crate::bus::Topic;

/// The bridge instance and vehicle that endpoints are created for.
pub(super) struct EndpointContext {
    pub(super) instance: BridgeRef,
    pub(super) table: Arc<FactoryTable>,
    pub(super) shared: Arc<Shared>,
    pub(super) bridge: u32,
    pub(super) bridge_name: String,
    pub(super) vehicle: String,
    /// Name of the instance.
    pub(super) label: String,
}

impl EndpointContext {
    /// Returns the type's name on the bridge's side.
    pub(super) fn bridge_type(&self, topic: &Topic, converted: Option<&str>) -> String {
        let named = || self.table.bridge_type(topic.data_type.full_name());
        let name = converted.map(str::to_owned).or_else(named);
        name.unwrap_or_else(|| topic.data_type.ros_name().to_owned())
    }
}
