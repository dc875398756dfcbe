//! Environment variables for configuration keys: `BRIDGEHEAD_RUN_SPEED=unlimited`.
//!
//! Values are read like those of a file, so that both mean the same and report the same errors. Paths are relative to the
//! working directory. Pure: the caller passes the variables.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use bridgehead_runtime::nearest::nearest;
use toml::de::DeTable;

use super::code::Code;
use super::dump::toml_text;
use super::error::{ConfigError, ConfigErrors};
use super::file::source::Source;
use super::file::table::Table;
use super::keys;
use super::keys::{Key, SECTIONS};
use super::settings::Settings;

/// Reads the variables that are keys. Others are ignored, unless they look like keys.
///
/// # Errors
/// Returns an error if a value is invalid, or a variable looks like a key but is not one; the rest is read.
pub fn from_environment(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> (Settings, Result<(), ConfigErrors>) {
    let (mut settings, mut errors) = (Settings::default(), Vec::new());
    let mut variables: Vec<_> = variables.into_iter().collect();
    variables.sort();
    for (name, value) in &variables {
        let Some(name) = name.to_str().filter(|name| looks_like_a_key(name)) else { continue };
        match keys().find(|key| key.variable() == name) {
            Some(key) => errors.extend(read(&key, name, value, &mut settings)),
            None => errors.push(unknown(name)),
        }
    }
    (settings, if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) })
}

fn looks_like_a_key(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("BRIDGEHEAD_") else { return false };
    let section = rest.split('_').next().unwrap_or_default().to_lowercase();
    rest.contains('_') && SECTIONS.iter().any(|known| known.name == section)
}

fn unknown(name: &str) -> ConfigError {
    let known: Vec<String> = keys().map(|key| key.variable().to_lowercase()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let found = format!("the variable `{name}` is not a key of the configuration");
    let error = ConfigError::new(Code::VariableUnknown, found).at(name);
    match nearest(name, &known) {
        Some(near) => error.hint(format!("write `{}`", near.to_uppercase())),
        None => error,
    }
}

fn read(key: &Key, name: &str, value: &OsStr, settings: &mut Settings) -> Vec<ConfigError> {
    let Some(value) = value.to_str() else {
        let found = format!("the variable `{name}` is not UTF-8");
        return vec![ConfigError::new(Code::NotUtf8, found).at(name)];
    };
    let text = document(key, value);
    let source = Source::new(&text, Path::new(name));
    let (document, _) = DeTable::parse_recoverable(&text);
    key.read(&Table::new(document.get_ref(), document.span(), key.section.to_owned(), &source), settings);
    settings.places.insert((key.section, key.name), name.to_owned());
    // The value of a variable has no line and column.
    source.into_errors().into_iter().map(|error| error.at(name)).collect()
}

/// Returns a line of TOML with the value: bare if the key has such values and this is one, otherwise in quotes.
fn document(key: &Key, value: &str) -> String {
    let bare = format!("{} = {}", key.name, value.trim());
    let is_one = |text: &str| {
        let (table, errors) = DeTable::parse_recoverable(text);
        errors.is_empty() && table.get_ref().len() == 1
    };
    if key.form.is_bare() && is_one(&bare) { bare } else { format!("{} = {}", key.name, toml_text(value)) }
}

#[cfg(test)]
mod tests;
