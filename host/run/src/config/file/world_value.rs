//! `[[value]]` of the configuration file.

use bridgehead_sdf::assign::{Assignment, ValuePath};

use super::table::Table;
use crate::config::world_value::{ValueRequest, malformed};

/// Keys of `[[value]]`.
const KEYS: &[&str] = &["path", "value"];

/// Returns a value of the world to set.
pub(super) fn value(table: &Table<'_, '_>) -> Option<ValueRequest> {
    table.allow(KEYS);
    let path = table.required_text("path");
    let value = table.required_text("value");
    let path = ValuePath::parse(path?).map_err(|error| malformed(&error.to_string()));
    let path = table.kept("path", path)?;
    Some(ValueRequest { assignment: Assignment { path, value: value?.to_owned() }, place: table.place() })
}
