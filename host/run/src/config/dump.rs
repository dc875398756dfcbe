//! The configuration of a run with the origin of each value: as TOML for `run --config`, and as JSON.
//!
//! Paths are absolute, so that the file can be moved. Tokens are omitted. Pure.

mod requests;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::key::Form;
use super::keys::{Key, SECTIONS, keys_of};
use super::layers::Layers;

/// Column of the origins, unless a value is longer.
const ORIGIN_COLUMN: usize = 48;

impl Layers {
    /// Returns the configuration as TOML, with origins in comments.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# The configuration of a run: each value with its origin.\n\n");
        let folders = self.folders();
        if !folders.is_empty() {
            let places: Vec<&str> = folders.iter().map(|(_, origin)| origin.as_str()).collect();
            let folders = Value::from(folders.iter().map(|(folder, _)| folder.as_str()).collect::<Vec<_>>());
            line(&mut text, &format!("plugin_path = {}", toml_of(&folders)), &places.join(", "));
        }
        for section in SECTIONS {
            let _ = write!(text, "\n[{}]\n", section.name);
            for key in keys_of(section.name) {
                self.write_key(&mut text, &key);
            }
        }
        for (name, entries) in self.lists() {
            for (entry, origin) in entries {
                text.push('\n');
                line(&mut text, &format!("[[{name}]]"), &origin);
                for (key, value) in &entry {
                    let _ = writeln!(text, "{} = {}", toml_key(key), toml_of(value));
                }
            }
        }
        text
    }

    fn write_key(&self, text: &mut String, key: &Key) {
        let (value, source) = self.value_of(key);
        let shown = match value {
            Some(_) if key.form == Form::Secret => format!("# {} is not shown", key.name),
            Some(value) => format!("{} = {}", key.name, toml_of(&value)),
            None => format!("# {}: {}", key.name, key.without),
        };
        line(text, &shown, &source.to_string());
    }

    /// Returns the configuration as JSON: for each key its value and origin, and the lists.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let folder = |(folder, place)| json!({ "value": folder, "origin": "given", "place": place });
        let folders: Vec<Value> = self.folders().into_iter().map(folder).collect();
        let mut root = Map::new();
        root.insert("plugin_path".to_owned(), Value::from(folders));
        for section in SECTIONS {
            let values = keys_of(section.name).map(|key| {
                let (value, source) = self.value_of(&key);
                let value = value.filter(|_| key.form != Form::Secret);
                let place = Some(source.place()).filter(|place| !place.is_empty());
                (key.name.to_owned(), json!({ "value": value, "origin": source.word(), "place": place }))
            });
            root.insert(section.name.to_owned(), Value::from(values.collect::<Map<_, _>>()));
        }
        for (name, entries) in self.lists() {
            let entries = entries.into_iter().map(|(mut entry, place)| {
                entry.insert("place".to_owned(), place.into());
                Value::from(entry)
            });
            root.insert(name.to_owned(), entries.collect());
        }
        Value::from(root)
    }

    /// Returns the given plugin folders in the order of the search, with their origins.
    fn folders(&self) -> Vec<(String, String)> {
        let flags = self.flags.plugin_path.iter().map(|folder| (folder, String::from("--plugin-path")));
        let file = self.file.plugin_path.iter().map(|folder| (folder, String::from("file")));
        let absolute = |(folder, origin): (&std::path::PathBuf, String)| {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            (folder.to_string_lossy().into_owned(), origin)
        };
        flags.chain(file).map(absolute).collect()
    }
}

/// Appends a line with its origin.
fn line(text: &mut String, shown: &str, origin: &str) {
    // A comment ends at the line break, and a file name may contain one.
    let origin: String =
        origin.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    let _ = writeln!(text, "{shown:<ORIGIN_COLUMN$}  # {origin}");
}

/// Returns a value as TOML, on one line.
fn toml_of(value: &Value) -> String {
    match value {
        Value::Null => String::from("\"\""),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => toml_text(text),
        Value::Array(members) => {
            format!("[{}]", members.iter().map(toml_of).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("{} = {}", toml_key(key), toml_of(value));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns a text in quotes. TOML has the escapes of JSON, and requires one more.
pub(super) fn toml_text(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn toml_key(key: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { toml_text(key) }
}

#[cfg(test)]
mod tests;
