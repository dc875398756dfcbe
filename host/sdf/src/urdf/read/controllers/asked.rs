//! A controller that is being read, with its parameters of all files: the last file counts.

use std::collections::BTreeMap;

use crate::document::Element;
use crate::urdf::parameters::Parameters;
use crate::urdf::robot::{Controller, ControllerKind};

/// A controller that is being read.
pub(super) struct Asked<'p> {
    pub(super) name: &'p str,
    pub(super) at: Element<'p>,
    pub(super) files: &'p [Parameters],
    /// The joints that commands can drive, by their names.
    pub(super) joints: &'p BTreeMap<&'p str, usize>,
}

impl Asked<'_> {
    pub(super) fn controller(
        &self,
        kind: ControllerKind,
        settings: Vec<(&'static str, String)>,
    ) -> Controller {
        Controller { name: self.name.to_owned(), kind, settings }
    }

    pub(super) fn value(&self, parameter: &str) -> Option<&str> {
        self.files.iter().rev().find_map(|file| file.value(self.name, parameter))
    }

    pub(super) fn number(&self, parameter: &str) -> Option<f64> {
        self.value(parameter)?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// The first of these parameters that is a list; the last one if none is.
    pub(super) fn first_list(&self, parameters: [&'static str; 2]) -> &'static str {
        let is_list =
            |name: &&'static str| self.files.iter().any(|file| file.list(self.name, name).is_some());
        parameters.into_iter().find(is_list).unwrap_or(parameters[1])
    }

    /// A truth value as SDF has it; other texts are left to the plugin.
    pub(super) fn flag(&self, parameter: &str) -> Option<String> {
        let text = self.value(parameter)?;
        Some(match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" => "true".to_owned(),
            "false" | "no" | "off" | "n" => "false".to_owned(),
            _ => text.to_owned(),
        })
    }

    /// Whether a limit has an effect: until ROS 2 Jazzy a switch says so.
    pub(super) fn has_limit(&self, parameter: &str) -> bool {
        let (axis, limit) = parameter.rsplit_once('.').unwrap_or_default();
        let kind = if limit.ends_with("velocity") { "velocity" } else { "acceleration" };
        self.flag(&format!("{axis}.has_{kind}_limits")).as_deref() != Some("false")
    }
}
