//! Plugins that CLOiSim puts inside a `<sensor>` to publish its data. In Bridgehead the sensor publishes by itself and
//! takes over the parameters of the plugin. Used while the world is built, on the simulation thread.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use crate::world::PluginSlot;

use super::{ElementContext, Provider, file, translate};

/// Lets the sensor of a slot take over the parameters of a plugin in its element. Returns false if the plugin needs an
/// instance of its own. Unknown parameters are reported as if they were in the `<sensor>`.
pub fn join(sensor: &mut PluginSlot, plugin: &Plugin) -> bool {
    let Some(row) = file(&plugin.filename).filter(|row| row.provider == Provider::Sensor) else {
        return false;
    };
    sensor.companions.push(plugin.clone());
    let site = ElementContext { at: &sensor.attachment, before: &[] };
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
