//! `<plugin>` and `<sensor>`: a few fields for the host, the rest as a neutral tree.

use super::Reader;
use super::placeholder::{params_of_plugin, params_of_sensor};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{FRAME_ELEMENTS, Plugin, Sensor, is_placeholder};
use std::sync::Arc;

impl Reader<'_> {
    /// All `<plugin>` children but placeholders, which Gazebo skips too.
    pub(super) fn plugins(&mut self, parent: Element<'_>) -> Vec<Plugin> {
        let mut plugins = Vec::new();
        for plugin in parent.children_named("plugin") {
            let name = ["filename", "name"].into_iter().filter_map(|name| plugin.attribute(name));
            match name.into_iter().find(|name| is_placeholder(name)) {
                Some(name) => {
                    let what = format!("the plugin `{name}`");
                    self.note_once("plugin/placeholder", plugin, &what, "the name is a placeholder of SDF");
                }
                None => plugins.push(self.plugin(plugin)),
            }
        }
        plugins
    }

    fn plugin(&mut self, element: Element<'_>) -> Plugin {
        let filename = element.attribute("filename").unwrap_or_default();
        if filename.is_empty() {
            self.error(Code::AttributeMissing, element, "`<plugin>` without `filename`", "filename=\"…\"");
        }
        Plugin {
            name: element.attribute("name").unwrap_or_default().to_owned(),
            filename: filename.to_owned(),
            params: Arc::new(params_of_plugin(element)),
            origin: element.origin(),
        }
    }

    /// All `<sensor>` children.
    pub(super) fn sensors(&mut self, parent: Element<'_>) -> Vec<Sensor> {
        let mut names = super::names::Names::default();
        let mut sensors = Vec::new();
        for element in parent.children_named("sensor") {
            let mut sensor = self.sensor(element);
            if self.claim(&mut names, &mut sensor.name, "sensor", element) {
                sensors.push(sensor);
            }
        }
        sensors
    }

    fn sensor(&mut self, element: Element<'_>) -> Sensor {
        let kind = kind(element);
        if kind.is_empty() {
            self.error(Code::AttributeMissing, element, "`<sensor>` without `type`", "type=\"…\"");
        }
        Sensor {
            name: self.name(element),
            kind: kind.to_owned(),
            pose: self.pose(element),
            topic: self.name_in(element, "topic"),
            frame: FRAME_ELEMENTS.iter().find_map(|name| self.name_in(element, name)),
            update_rate: self.not_negative(element, "update_rate").unwrap_or(0.0),
            always_on: self.flag(element, "always_on").unwrap_or(false),
            visualize: self.flag(element, "visualize").unwrap_or(false),
            plugins: self.plugins(element),
            params: Arc::new(params_of_sensor(element)),
            origin: element.origin(),
        }
    }
}

impl Reader<'_> {
    /// A child's text, unless it is empty or a placeholder.
    fn name_in(&mut self, parent: Element<'_>, name: &str) -> Option<String> {
        self.text(parent, name).filter(|text| !is_placeholder(text))
    }
}

/// Returns the type of a sensor. Gazebo writes types that SDF does not know into an attribute of its own.
fn kind(element: Element<'_>) -> &str {
    let written = element.attribute("type").unwrap_or_default();
    let own = ["gz:type", "ignition:type"].into_iter().find_map(|name| element.attribute(name));
    own.filter(|own| written == "custom" && !own.is_empty()).unwrap_or(written)
}
