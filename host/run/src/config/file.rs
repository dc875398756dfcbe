//! The configuration file: TOML with the settings of the command line, and more about bridges and plugins.
//!
//! Reads it into [`Settings`]; [`keys`](super::keys()) lists the keys of its tables. All errors of the file are reported
//! at once, with line and column. `docs/configuration.md` describes the file. Pure except for reading the file.

mod argument;
mod params;
mod pose;
mod sensor;
pub(super) mod source;
pub(super) mod table;
mod trigger;
mod world_value;
mod worlds;

use std::path::Path;

use bridgehead_files::{MAX_OF_TEXT, read_bytes};
use toml::de::DeTable;

pub(super) use source::Source;
pub(super) use table::Table;

use super::attach::check_attach;
use super::code::Code;
use super::error::{ConfigError, ConfigErrors};
use super::keys::{SECTIONS, keys_of};
use super::request::{BridgeRequest, PluginRequest, RequestOrigin};
use super::settings::Settings;
use super::value;
use crate::api::StepLimits;
use crate::bus::Limits;

/// Keys outside any table, besides the tables of [`SECTIONS`].
const ROOT_KEYS: &[&str] = &[
    "plugin_path",
    "bridge",
    "plugin",
    "sensor",
    "override",
    "pose",
    "argument",
    "value",
    "trigger",
    "triggers",
    "worlds",
    "world",
];
/// Keys of `[[bridge]]`.
const BRIDGE_KEYS: &[&str] = &[
    "attach",
    "name",
    "connection",
    "required",
    "connect_timeout",
    "reconnect",
    "queue",
    "isolation",
    "step_timeout",
    "on_step_timeout",
];
/// Keys of `queue` in `[[bridge]]`.
const QUEUE_KEYS: &[&str] = &["policy", "messages", "bytes"];
/// Keys of `[[plugin]]`.
const PLUGIN_KEYS: &[&str] = &["attach", "plugin", "name", "params"];

/// Reads a configuration file. Relative paths in it are relative to its folder.
///
/// # Errors
/// Returns an error if the file cannot be read, or has errors.
pub fn read(path: &Path) -> Result<Settings, ConfigErrors> {
    let (settings, outcome) = read_leniently(path);
    outcome.map(|()| settings)
}

/// Reads a configuration file; of a file with errors, returns the valid part.
///
/// # Errors
/// As for [`read`].
pub fn read_leniently(path: &Path) -> (Settings, Result<(), ConfigErrors>) {
    match text_of(path) {
        Ok(text) => parse_leniently(&text, path),
        Err(error) => (Settings::default(), Err(error.into())),
    }
}

fn text_of(path: &Path) -> Result<String, ConfigError> {
    let shown = path.display();
    let text = read_bytes(path, MAX_OF_TEXT).map_err(|error| {
        ConfigError::new(Code::FileUnreadable, format!("cannot read the configuration `{shown}`: {error}"))
    })?;
    String::from_utf8(text).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let why = format!("`{shown}` is not UTF-8 from byte {at} on");
        ConfigError::new(Code::NotToml, why).hint("save the file as UTF-8")
    })
}

/// Reads the text of the configuration file at `path`.
///
/// # Errors
/// Returns an error if the text has errors.
pub fn parse(text: &str, path: &Path) -> Result<Settings, ConfigErrors> {
    let (settings, outcome) = parse_leniently(text, path);
    outcome.map(|()| settings)
}

fn parse_leniently(text: &str, path: &Path) -> (Settings, Result<(), ConfigErrors>) {
    let source = Source::new(text, path);
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let errors = errors.iter().map(|error| syntax_error(error, &source)).collect();
        return (Settings::default(), Err(ConfigErrors(errors)));
    }
    let settings = root(&Table::new(document.get_ref(), document.span(), String::new(), &source));
    let errors = source.into_errors();
    (settings, if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) })
}

fn syntax_error(error: &toml::de::Error, source: &Source<'_>) -> ConfigError {
    let found = format!("the file is not TOML: {}", error.message());
    let place = error.span().map_or_else(|| source.name().to_string(), |span| source.place(&span));
    ConfigError::new(Code::NotToml, found).at(place)
}

fn root(table: &Table<'_, '_>) -> Settings {
    let known: Vec<&str> =
        SECTIONS.iter().map(|section| section.name).chain(ROOT_KEYS.iter().copied()).collect();
    table.allow(&known);
    let mut settings = Settings::default();
    for section in SECTIONS {
        if let Some(values) = table.table(section.name) {
            values.allow(&keys_of(section.name).map(|key| key.name).collect::<Vec<_>>());
            keys_of(section.name).for_each(|key| key.read(&values, &mut settings));
        }
    }
    let folders = table.texts("plugin_path");
    settings.plugin_path = folders.iter().map(|folder| table.source().resolve(folder)).collect();
    settings.bridges = table.tables("bridge").iter().filter_map(bridge).collect();
    settings.plugins = table.tables("plugin").iter().filter_map(plugin).collect();
    settings.sensors = table.tables("sensor").iter().filter_map(sensor::sensor).collect();
    settings.overrides = table.tables("override").iter().filter_map(sensor::change).collect();
    settings.arguments = table.tables("argument").iter().filter_map(argument::argument).collect();
    settings.values = table.tables("value").iter().filter_map(world_value::value).collect();
    settings.poses = pose::poses(table);
    trigger::read(table, &mut settings);
    settings.worlds = worlds::sources(table);
    settings
}

fn bridge(table: &Table<'_, '_>) -> Option<BridgeRequest> {
    table.allow(BRIDGE_KEYS);
    let attach = attachment(table);
    let name = table.required_text("name");
    let connection = table.required_text("connection");
    let required = table.flag("required");
    let connect_timeout = table.parsed("connect_timeout", value::duration);
    let reconnect = table.parsed("reconnect", value::reconnect);
    let queue = table.table("queue").map(|queue| limits(&queue));
    let is_isolated = table.parsed("isolation", value::isolation);
    let step_limits = StepLimits {
        timeout: table.parsed("step_timeout", value::duration),
        late: table.parsed("on_step_timeout", value::late),
    };
    let mut request = BridgeRequest::new(attach?, name?, connection?, RequestOrigin::Configuration);
    request.place = Some(table.place());
    request.required = required.unwrap_or(request.required);
    request.connect_timeout = connect_timeout.unwrap_or(request.connect_timeout);
    request.reconnect = reconnect.unwrap_or(request.reconnect);
    request.queue = queue;
    request.step_limits = step_limits;
    request.is_isolated = is_isolated.unwrap_or(request.is_isolated);
    Some(request)
}

fn limits(table: &Table<'_, '_>) -> Limits {
    table.allow(QUEUE_KEYS);
    let base = Limits::default();
    Limits {
        messages: table.whole_number("messages", 1, 1 << 24).unwrap_or(base.messages),
        bytes: table.size("bytes").unwrap_or(base.bytes),
        overflow: table.parsed("policy", value::overflow).unwrap_or(base.overflow),
    }
}

fn plugin(table: &Table<'_, '_>) -> Option<PluginRequest> {
    table.allow(PLUGIN_KEYS);
    let attach = attachment(table);
    let plugin = table.required_text("plugin");
    let name = table.text("name").or(plugin);
    let params = params::of_plugin(table);
    Some(PluginRequest {
        attach: attach?.to_owned(),
        plugin: plugin?.to_owned(),
        name: name?.to_owned(),
        params,
    })
}

fn attachment<'a>(table: &'a Table<'_, '_>) -> Option<&'a str> {
    let attach = table.required_text("attach")?;
    match check_attach(attach) {
        Ok(()) => Some(attach),
        Err(error) => {
            table.refuse("attach", error);
            None
        }
    }
}

#[cfg(test)]
mod tests;
