//! `[[sensor]]` and `[[override]]` of the configuration file.

use bridgehead_sdf::params::Place;

use super::params;
use super::table::Table;
use crate::config::attach::check_attach;
use crate::config::code::Code;
use crate::config::error::ConfigError;
use crate::config::sensor::{OverrideRequest, SensorRequest};

/// Keys of `[[sensor]]`.
pub(super) const SENSOR_KEYS: &[&str] =
    &["attach", "name", "type", "link", "parent", "pose", "update_rate", "topic", "frame_id", "params"];
/// Keys of `[[override]]`.
pub(super) const OVERRIDE_KEYS: &[&str] = &["path", "enabled", "update_rate", "topic", "frame_id", "params"];

/// Returns a sensor to add.
pub(super) fn sensor(table: &Table<'_, '_>) -> Option<SensorRequest> {
    table.allow(SENSOR_KEYS);
    let attach = table.required_text("attach");
    if let Some(Err(error)) = attach.map(check_attach) {
        table.refuse("attach", error);
    }
    let name = table.required_text("name");
    if name.is_some_and(|name| name.is_empty() || name.contains('/')) {
        let error =
            ConfigError::new(Code::ParameterInvalid, "the name of a sensor is empty or contains a `/`");
        table.refuse("name", error);
    }
    let kind = table.required_text("type");
    let owned = |key: &str| table.text(key).map(str::to_owned);
    let (link, parent) = (owned("link"), owned("parent"));
    if link.is_some() && parent.is_some() {
        let error = ConfigError::new(Code::ParameterInvalid, "a sensor has a `link` or a `parent`, not both");
        table.refuse("parent", error);
    }
    Some(SensorRequest {
        attach: attach?.to_owned(),
        name: name?.to_owned(),
        kind: kind?.to_owned(),
        link,
        parent,
        pose: table.numbers("pose", "six numbers: x, y, z, roll, pitch, yaw").unwrap_or_default(),
        update_rate: table.number("update_rate", 0.0).unwrap_or_default(),
        topic: owned("topic"),
        frame_id: owned("frame_id"),
        params: params::of_element(table, "sensor"),
        place: place(table),
    })
}

/// Returns a change of sensors or plugins of the world.
pub(super) fn change(table: &Table<'_, '_>) -> Option<OverrideRequest> {
    table.allow(OVERRIDE_KEYS);
    let path = table.required_text("path");
    let owned = |key: &str| table.text(key).map(str::to_owned);
    Some(OverrideRequest {
        path: path?.to_owned(),
        enabled: table.flag("enabled").unwrap_or(true),
        update_rate: table.number("update_rate", 0.0),
        topic: owned("topic"),
        frame_id: owned("frame_id"),
        params: params::of_element(table, "override"),
        place: place(table),
    })
}

/// Returns the place of a table.
pub(super) fn place(table: &Table<'_, '_>) -> Place {
    Place { file: table.source().name().clone(), line: table.line() }
}
