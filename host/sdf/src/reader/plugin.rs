//! `<plugin>` and `<sensor>`: a few fields for the host, the rest as a neutral tree.

use super::names::{Names, name};
use super::placeholder::{params_of_plugin, params_of_sensor};
use super::report::Report;
use super::value::{flag, not_negative, pose, text};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{FRAME_ELEMENTS, Plugin, Sensor, is_placeholder};
use std::sync::Arc;

/// All `<plugin>` children but placeholders, which Gazebo skips too.
pub(super) fn plugins(parent: Element<'_>, report: &mut Report) -> Vec<Plugin> {
    let mut plugins = Vec::new();
    for element in parent.children_named("plugin") {
        let name = ["filename", "name"].into_iter().filter_map(|name| element.attribute(name));
        match name.into_iter().find(|name| is_placeholder(name)) {
            Some(name) => {
                let what = format!("the plugin `{name}`");
                report.note_once("plugin/placeholder", element, &what, "the name is a placeholder of SDF");
            }
            None => plugins.push(plugin(element, report)),
        }
    }
    plugins
}

fn plugin(element: Element<'_>, report: &mut Report) -> Plugin {
    let filename = element.attribute("filename").unwrap_or_default();
    if filename.is_empty() {
        report.error(Code::AttributeMissing, element, "`<plugin>` without `filename`", "filename=\"…\"");
    }
    Plugin {
        name: element.attribute("name").unwrap_or_default().to_owned(),
        filename: filename.to_owned(),
        params: Arc::new(params_of_plugin(element)),
        origin: element.origin(),
    }
}

/// All `<sensor>` children.
pub(super) fn sensors(parent: Element<'_>, report: &mut Report) -> Vec<Sensor> {
    let mut names = Names::default();
    let mut sensors = Vec::new();
    for element in parent.children_named("sensor") {
        let sensor = sensor(element, report);
        names.keep(&mut sensors, sensor, element, report);
    }
    sensors
}

fn sensor(element: Element<'_>, report: &mut Report) -> Sensor {
    let kind = kind(element);
    if kind.is_empty() {
        report.error(Code::AttributeMissing, element, "`<sensor>` without `type`", "type=\"…\"");
    }
    Sensor {
        name: name(element, report),
        kind: kind.to_owned(),
        pose: pose(element, report),
        topic: name_in(element, "topic"),
        frame: FRAME_ELEMENTS.iter().find_map(|name| name_in(element, name)),
        update_rate: not_negative(element, "update_rate", report).unwrap_or(0.0),
        always_on: flag(element, "always_on", report).unwrap_or(false),
        visualize: flag(element, "visualize", report).unwrap_or(false),
        plugins: plugins(element, report),
        params: Arc::new(params_of_sensor(element)),
        origin: element.origin(),
    }
}

/// A child's text, unless it is empty or a placeholder.
fn name_in(parent: Element<'_>, name: &str) -> Option<String> {
    text(parent, name).filter(|text| !is_placeholder(text))
}

/// Returns the type of a sensor. Gazebo writes types that SDF does not know into an attribute of its own.
fn kind(element: Element<'_>) -> &str {
    let written = element.attribute("type").unwrap_or_default();
    let own = ["gz:type", "ignition:type"].into_iter().find_map(|name| element.attribute(name));
    own.filter(|own| written == "custom" && !own.is_empty()).unwrap_or(written)
}
