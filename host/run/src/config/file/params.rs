//! Turns a TOML table into the parameters of a plugin, the same tree that SDF elements become.
//!
//! A key becomes an element, a table its content, a list a repeated element, and a key that begins with `@` an
//! attribute: `{ wheel = [{ joint = "left" }, { joint = "right" }] }` is `<wheel><joint>left</joint></wheel>
//! <wheel><joint>right</joint></wheel>`.

use bridgehead_sdf::params::Params;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use super::table::{Table, described};
use crate::config::code::Code;
use crate::config::error::ConfigError;

/// Returns the parameters of a `[[plugin]]`; empty if none are given.
pub(super) fn of_plugin(table: &Table<'_, '_>) -> Params {
    of_element(table, "plugin")
}

/// Returns the parameters of a table that represents an element of this name.
pub(super) fn of_element(table: &Table<'_, '_>, name: &str) -> Params {
    let source = table.source();
    let root = Params::new(name).with_place(source.name().clone(), table.line());
    match table.table("params") {
        Some(params) => with_entries(root, params.entries(), source),
        None => root,
    }
}

/// Returns a node with the entries of a table, in the order of the file.
fn with_entries(node: Params, entries: &DeTable<'_>, source: &Source<'_>) -> Params {
    let mut ordered: Vec<_> = entries.iter().collect();
    ordered.sort_by_key(|(key, _)| key.span().start);
    ordered.into_iter().fold(node, |node, (key, value)| with_entry(node, key.get_ref(), value, source))
}

fn with_entry(node: Params, key: &str, value: &Spanned<DeValue<'_>>, source: &Source<'_>) -> Params {
    let name = key.strip_prefix('@').unwrap_or(key);
    if name.is_empty() || name.contains(['/', '[', ']', '@']) {
        refuse(value, &format!("`{key}` cannot be the name of a parameter"), source);
        return node;
    }
    match value.get_ref() {
        scalar if key.starts_with('@') => match text_of(scalar) {
            Some(text) => node.with_attribute(name, text),
            None => {
                refuse(value, &format!("the attribute `{key}` is {}", described(scalar)), source);
                node
            }
        },
        DeValue::Array(members) => {
            members.iter().fold(node, |node, member| node.with_child(element(name, member, source)))
        }
        _ => node.with_child(element(name, value, source)),
    }
}

/// Returns one element: a table with its entries, or a value with its text.
fn element(name: &str, value: &Spanned<DeValue<'_>>, source: &Source<'_>) -> Params {
    let node = Params::new(name).with_place(source.name().clone(), source.line(value.span().start));
    match value.get_ref() {
        DeValue::Table(entries) => with_entries(node, entries, source),
        scalar => match text_of(scalar) {
            Some(text) => node.with_text(text),
            None => {
                refuse(value, &format!("`{name}` contains {} within a list", described(scalar)), source);
                node
            }
        },
    }
}

/// Returns the text of a value that is neither list nor table.
fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(decimal(number)),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        DeValue::Datetime(time) => Some(time.to_string()),
        DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// Plugins read decimal numbers; TOML also has others.
fn decimal(number: &toml::de::DeInteger<'_>) -> String {
    match i128::from_str_radix(number.as_str(), number.radix()) {
        Ok(value) => value.to_string(),
        Err(_) => number.to_string(),
    }
}

fn refuse(value: &Spanned<DeValue<'_>>, found: &str, source: &Source<'_>) {
    source.report(&value.span(), ConfigError::new(Code::ParameterInvalid, found));
}
