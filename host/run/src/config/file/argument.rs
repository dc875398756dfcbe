//! `[[argument]]` of the configuration file.

use super::table::Table;
use crate::config::argument::{ArgumentRequest, xacro_argument};
use crate::config::code::Code;
use crate::config::error::ConfigError;

/// Keys of `[[argument]]`.
const KEYS: &[&str] = &["name", "value"];

/// Returns an argument for xacro.
pub(super) fn argument(table: &Table<'_, '_>) -> Option<ArgumentRequest> {
    table.allow(KEYS);
    let name = table.required_text("name");
    let value = table.required_text("value");
    let read = xacro_argument(&format!("{}={}", name?, value?));
    let read = read.map_err(|text| ConfigError::new(Code::ValueInvalid, text));
    let (name, value) = table.kept("name", read)?;
    Some(ArgumentRequest { name, value, place: table.place() })
}
