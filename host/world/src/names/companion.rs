//! Plugins inside a `<sensor>`: those of CLOiSim and of ROS that publish its data, whose parameters the sensor takes over
//! because it publishes by itself, and those that serve a sensor of the type `custom`. Used while the world is built, on the simulation thread.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use super::lookup::file;
use super::name::Provider;
use super::translate::ElementContext;
use super::{ros, spelling, translate};
use crate::slot::PluginSlot;

/// Lets the sensor of a slot take over the parameters of a plugin in its element. Returns false if the plugin needs an
/// instance of its own. Unknown parameters are reported as if they were in the `<sensor>`.
pub fn join(sensor: &mut PluginSlot, plugin: &Plugin) -> bool {
    let Some(row) = file(&plugin.filename).filter(|row| row.provider == Provider::Sensor) else {
        return false;
    };
    sensor.companions.push(plugin.clone());
    let site = ElementContext { at: &sensor.attachment, before: &[] };
    let named = ros::with_topics(&row.translation, plugin, &sensor.attachment);
    let given = translate::translate(&row.translation, &named, site);
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

/// Lets a sensor of the type `custom` be served by a plugin inside of it, which gets the sensor's link, pose, topic and
/// rate, and its own parameters. Returns false if the sensor has another type, or such a plugin already.
pub fn implement(sensor: &mut PluginSlot, plugin: &Plugin) -> bool {
    if sensor.asked != "custom" {
        return false;
    }
    spelling::of_file(&plugin.filename).own_name(&plugin.filename).clone_into(&mut sensor.asked);
    sensor.params = Arc::clone(&plugin.params);
    true
}

fn filled(params: &Params, name: &str) -> Option<String> {
    params.get(name).filter(|text| !text.is_empty()).map(str::to_owned)
}
