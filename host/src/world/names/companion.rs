//! Plugins that CLOiSim puts inside a `<sensor>` to publish it: here the sensor publishes itself, and only takes
//! over what the plugin says of it. Used while the world is built.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use crate::world::PluginSlot;

use super::{Served, Site, file, translate};

/// Lets the sensor of a slot take over the parameters of a plugin in its element; `false` where the plugin is one
/// of its own. What the sensor does not know of them is reported as if it stood in the `<sensor>`.
pub fn join(sensor: &mut PluginSlot, plugin: &Plugin) -> bool {
    let Some(row) = file(&plugin.filename).filter(|row| row.served == Served::Sensor) else { return false };
    sensor.companions.push(plugin.clone());
    let site = Site { at: &sensor.attachment, before: &[] };
    let given = translate::translate(&row.translation, &plugin.params, site);
    let children = given.children().iter().cloned();
    let over = children.fold(Params::new(sensor.params.name()), Params::with_child);
    if let Some(topic) = filled(&over, "topic") {
        sensor.attachment.topic = topic;
    }
    if let Some(frame_id) = filled(&over, "frame_id") {
        sensor.attachment.frame_id = frame_id;
    }
    if !over.children().is_empty() {
        let mut params = (*sensor.params).clone();
        params.merge(&over);
        sensor.params = Arc::new(params);
    }
    true
}

fn filled(params: &Params, name: &str) -> Option<String> {
    params.get(name).filter(|text| !text.is_empty()).map(str::to_owned)
}
