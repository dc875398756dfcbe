//! `[[trigger]]` and `[triggers]` of the configuration file.
//!
//! A trigger is converted to JSON and read like that of a client, so that both have the same form.

use bridgehead_files::{MAX_OF_TEXT, read_text};
use serde_json::{Map, Number, Value};
use toml::de::{DeTable, DeValue};

use super::table::{Table, described};
use crate::catalogue::catalogue;
use crate::config::code::Code;
use crate::config::error::ConfigError;
use crate::config::settings::Settings;
use crate::trigger::{Source, TRIGGER_KEYS, Trigger, TriggerError, read_history};

/// Keys of `[triggers]`.
const TRIGGERS_KEYS: &[&str] = &["enable_command_action", "file", "ignore_source"];

/// Reads both, the triggers of the named file last.
pub(super) fn read(root: &Table<'_, '_>, settings: &mut Settings) {
    settings.triggers = root.tables("trigger").iter().filter_map(trigger).collect();
    let Some(options) = root.table("triggers") else { return };
    options.allow(TRIGGERS_KEYS);
    settings.enable_command_action = options.flag("enable_command_action");
    let ignore_source = options.flag("ignore_source").unwrap_or(false);
    if let Some(more) = more(&options, &settings.triggers, ignore_source) {
        settings.triggers.extend(more);
    }
}

fn trigger(table: &Table<'_, '_>) -> Option<Trigger> {
    table.allow(TRIGGER_KEYS);
    let value = match object(table.entries()) {
        Ok(value) => value,
        Err(error) => {
            table.refuse("", error);
            return None;
        }
    };
    // Keys that are not known have been reported, with a place of their own.
    let known = value.into_iter().filter(|(key, _)| TRIGGER_KEYS.contains(&key.as_str())).collect();
    match Trigger::read(&Value::Object(known), Source::Filesystem) {
        Ok(trigger) => trigger,
        Err(error) => {
            table.refuse(place_of(&error), refusal(&error));
            None
        }
    }
}

/// Returns the key with the error; empty for the table itself.
fn place_of(error: &TriggerError) -> &str {
    match error {
        TriggerError::Value { key, .. } => key,
        TriggerError::Call { subject, .. } | TriggerError::Argument { subject, .. } => subject,
        TriggerError::UnknownEvent { .. } | TriggerError::Condition { .. } => "event",
        TriggerError::UnknownAction { .. } => "action",
        TriggerError::Concealed { .. } => "conceal",
        TriggerError::Shape { .. }
        | TriggerError::Key { .. }
        | TriggerError::Missing(_)
        | TriggerError::History { .. } => "",
    }
}

fn refusal(error: &TriggerError) -> ConfigError {
    let (code, text) = error.parts();
    let refused = ConfigError::new(Code::ParameterInvalid, text);
    match catalogue().find(|entry| entry.code == code) {
        Some(entry) => refused.precisely(entry.code).hint(entry.advice),
        None => refused,
    }
}

/// The triggers of `file`.
fn more(options: &Table<'_, '_>, known: &[Trigger], ignore_source: bool) -> Option<Vec<Trigger>> {
    let path = options.source().resolve(options.text("file")?);
    let name = path.display().to_string();
    let text = read_text(&path, MAX_OF_TEXT)
        .map_err(|error| TriggerError::History { file: name.clone(), why: error.to_string() });
    match text.and_then(|text| read_history(&name, &text, known, ignore_source)) {
        Ok(triggers) => Some(triggers),
        Err(error) => {
            options.refuse("file", refusal(&error));
            None
        }
    }
}

fn object(table: &DeTable<'_>) -> Result<Map<String, Value>, ConfigError> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut object = Map::new();
    for (key, value) in entries {
        object.insert(key.get_ref().to_string(), json(value.get_ref())?);
    }
    Ok(object)
}

fn json(value: &DeValue<'_>) -> Result<Value, ConfigError> {
    Ok(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            whole.map(Value::from).map_err(|_| not_json(value))?
        }
        DeValue::Float(number) => {
            let number = number.as_str().parse().ok().and_then(Number::from_f64);
            Value::Number(number.ok_or_else(|| not_json(value))?)
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Array(members) => {
            Value::Array(members.iter().map(|member| json(member.get_ref())).collect::<Result<_, _>>()?)
        }
        DeValue::Table(entries) => Value::Object(object(entries)?),
        DeValue::Datetime(_) => return Err(not_json(value)),
    })
}

fn not_json(value: &DeValue<'_>) -> ConfigError {
    ConfigError::new(Code::WrongType, format!("a trigger contains {}", described(value)))
        .expected("texts, finite numbers, booleans, lists and tables")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use serde_json::json;

    use crate::config::file::parse;

    #[test]
    fn a_trigger_is_read_with_values_of_every_kind() {
        let text = "[[trigger]]\nlabel = 'a'\nevent = { name = 'topic', topic = '/t', is = -5 }\n\
                    action = { name = 'publish', topic = '/u', message = { x = 0x10, y = [1.5, true, 'z'] } }\n\
                    sticky = true\npriority = -2\n[triggers]\nenable_command_action = true\n\
                    [run]\ntriggers = 'h.json'\njunit = 'j.xml'\nduration = '1s'\n";
        let settings = parse(text, Path::new("folder/run.toml")).expect("settings");
        let [trigger] = settings.triggers.as_slice() else { panic!("one trigger") };
        assert_eq!((trigger.label.as_str(), trigger.sticky, trigger.priority), ("a", true, -2));
        assert_eq!(trigger.event.to_json()["is"], json!("== -5"));
        assert_eq!(trigger.action.to_json()["message"], json!({ "x": 16, "y": [1.5, true, "z"] }));
        assert_eq!(settings.enable_command_action, Some(true));
        assert_eq!(settings.run.trigger_history.as_deref(), Some(Path::new("folder/h.json")));
        assert_eq!(settings.run.junit.as_deref(), Some(Path::new("folder/j.xml")));
        assert_eq!(settings.run.duration, Some(Duration::from_secs(1)));
    }

    #[test]
    fn every_mistake_has_its_place_and_its_code() {
        let text = "[[trigger]]\nevent = 'tame'\naction = 'stop'\n[[trigger]]\nevent = 'start'\n\
                    action = 'log'\ncolour = 1\n[[trigger]]\nevent = 'start'\naction = { name = 'log', msg = nan }\n\
                    [triggers]\nfile = 'absent.json'\nspeed = 1\n";
        let errors = parse(text, Path::new("run.toml")).expect_err("refused").to_string();
        for expected in [
            "error[BH-TRG-006]: there is no event `tame`",
            "at: run.toml:2:9",
            "error[BH-TRG-008]: action `log`: `msg` is missing",
            "at: run.toml:6:10",
            "error[BH-CFG-004]: unknown key `colour`",
            "error[BH-CFG-005]: a trigger contains the number nan",
            "error[BH-TRG-011]: `absent.json` is not a list of triggers",
            "unknown key `speed` in `triggers`",
        ] {
            assert!(errors.contains(expected), "{expected}\n{errors}");
        }
    }
}
