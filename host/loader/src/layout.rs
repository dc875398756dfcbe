//! Compares the layout table of a library with the host's own, before any code of the library runs.
//!
//! The table is described at [`bridgehead_abi::LayoutRow`]. A struct that both sides know must be equal field by field;
//! a struct that only one side knows is an extension and is ignored. Usable from any thread.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bridgehead_abi::LayoutRow;

use super::code::Code;
use super::refusal::Refusal;

mod spelling;

/// Size of one row in the section.
const ROW_SIZE: usize = size_of::<LayoutRow>();
/// Offsets of the parts of a row.
const TYPE_OFFSET: usize = std::mem::offset_of!(LayoutRow, type_name);
const OFFSET_OFFSET: usize = std::mem::offset_of!(LayoutRow, offset);
const SIZE_OFFSET: usize = std::mem::offset_of!(LayoutRow, size);

/// One field of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: String,
    type_name: String,
    offset: u32,
    size: u32,
}

/// One struct of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Struct {
    /// Size and alignment in bytes.
    whole: Option<(u32, u32)>,
    fields: Vec<Field>,
}

type Table = BTreeMap<String, Struct>;

/// The layout of this host, read once by the same code as that of a library.
static HOST: LazyLock<Result<Table, String>> =
    LazyLock::new(|| read_table(&section_bytes(bridgehead_abi::LAYOUT)));

/// Compares the section of a library with the layout of this host.
///
/// # Errors
/// Returns [`Code::LayoutMalformed`] if the section is not a table, or [`Code::LayoutDiffers`] with one line per
/// difference.
pub(super) fn compare(section: &[u8]) -> Result<(), Refusal> {
    let plugin = read_table(section).map_err(|found| malformed(&found))?;
    let host = HOST.as_ref().map_err(|found| malformed(found))?;
    let differences = differences(&plugin, host);
    if differences.is_empty() {
        return Ok(());
    }
    let text = match differences.as_slice() {
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
        [] => String::new(),
    };
    Err(Refusal::new(Code::LayoutDiffers, text).with_details(differences))
}

fn malformed(found: &str) -> Refusal {
    Refusal::new(Code::LayoutMalformed, format!("the layout section is not a table: {found}"))
}

fn differences(plugin: &Table, host: &Table) -> Vec<String> {
    let both = host.iter().filter_map(|(name, own)| Some((name, own, plugin.get(name)?)));
    both.flat_map(|(name, own, theirs)| struct_differences(name, theirs, own)).collect()
}

fn struct_differences(name: &str, plugin: &Struct, host: &Struct) -> Vec<String> {
    let mut lines = Vec::new();
    for own in &host.fields {
        match plugin.fields.iter().find(|field| field.name == own.name) {
            None => lines.push(format!("{name}.{}: missing in the plugin", own.name)),
            Some(theirs) if theirs != own => lines.push(format!(
                "{name}.{}: plugin has {}, host has {}",
                own.name,
                spelled(theirs),
                spelled(own)
            )),
            Some(_) => {}
        }
    }
    for theirs in &plugin.fields {
        if !host.fields.iter().any(|field| field.name == theirs.name) {
            lines.push(format!(
                "{name}.{}: plugin has {}, host has no such field",
                theirs.name,
                spelled(theirs)
            ));
        }
    }
    if plugin.whole != host.whole {
        lines.push(format!("{name}: plugin has {}, host has {}", extent(plugin.whole), extent(host.whole)));
    }
    lines
}

fn spelled(field: &Field) -> String {
    let plural = if field.size == 1 { "byte" } else { "bytes" };
    format!("{} ({} {plural} at offset {})", spelling::readable(&field.type_name), field.size, field.offset)
}

fn extent(whole: Option<(u32, u32)>) -> String {
    match whole {
        Some((size, align)) => format!("{size} bytes aligned to {align}"),
        None => String::from("no row for the whole struct"),
    }
}

fn read_table(section: &[u8]) -> Result<Table, String> {
    if section.is_empty() || !section.len().is_multiple_of(ROW_SIZE) {
        return Err(format!("{} bytes are not a positive multiple of {ROW_SIZE}", section.len()));
    }
    let mut table = Table::new();
    for (index, row) in section.chunks_exact(ROW_SIZE).enumerate() {
        add_row(&mut table, row).ok_or_else(|| format!("row {index} is not `Struct.field` with a type"))?;
    }
    Ok(table)
}

/// Adds a row. Returns `None` if it is malformed or repeats a field.
fn add_row(table: &mut Table, row: &[u8]) -> Option<()> {
    let (strukt, field) = padded_text(row.get(..TYPE_OFFSET)?)?.split_once('.')?;
    let type_name = spelling::normal(padded_text(row.get(TYPE_OFFSET..OFFSET_OFFSET)?)?);
    let offset = number(row, OFFSET_OFFSET)?;
    let size = number(row, SIZE_OFFSET)?;
    if strukt.is_empty() {
        return None;
    }
    let entry = table.entry(strukt.to_owned()).or_default();
    if field.is_empty() {
        return entry.whole.replace((size, offset)).is_none().then_some(());
    }
    if entry.fields.iter().any(|known| known.name == field) {
        return None;
    }
    entry.fields.push(Field { name: field.to_owned(), type_name, offset, size });
    Some(())
}

/// Returns the text before the padding. It must be ASCII without control characters, because it is printed.
fn padded_text(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = std::str::from_utf8(bytes.get(..end)?).ok()?;
    text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ').then_some(text)
}

fn number(row: &[u8], at: usize) -> Option<u32> {
    let bytes = row.get(at..at + size_of::<u32>())?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Encodes rows as in a file.
fn section_bytes(rows: &[LayoutRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() * ROW_SIZE);
    for row in rows {
        bytes.extend_from_slice(&row.name);
        bytes.extend_from_slice(&row.type_name);
        bytes.extend_from_slice(&row.offset.to_le_bytes());
        bytes.extend_from_slice(&row.size.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests;
