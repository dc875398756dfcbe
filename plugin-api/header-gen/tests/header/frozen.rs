//! A released ABI never changes: each file of `plugin-api/abi/frozen` lists what one minor version consists of, and all
//! of it is in the ABI of today. `BRIDGEHEAD_FREEZE=1` writes the file of today's version.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use bridgehead_abi::{ABI_MAJOR, ABI_MINOR, LAYOUT, LayoutRow};
use bridgehead_header_gen::{
    Source, abi_sources,
    source::{Declaration, Field, Kind},
    types,
};

/// Constants that differ between two minor versions.
const VERSION: [&str; 2] = ["BH_ABI_MAJOR", "BH_ABI_MINOR"];

fn folder() -> PathBuf {
    abi_sources().join("../frozen")
}

fn text(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).unwrap()
}

fn layout_line(row: &LayoutRow) -> String {
    let (name, type_name) = (text(&row.name), text(&row.type_name));
    match name.strip_suffix('.') {
        Some(name) => format!("struct {name}: {} bytes, alignment {}", row.size, row.offset),
        None => format!("field {name}: {type_name}, {} bytes at {}", row.size, row.offset),
    }
}

fn function_line(item: &Declaration, field: &Field) -> Option<String> {
    types::function_pointer(&field.ty)?;
    let tags = field.docs.lines().last().unwrap_or_default();
    Some(format!("function {}.{}: {}", item.name, field.name, tags.trim_matches('`')))
}

/// Everything that a plugin may rely on, a line each.
fn lines() -> Vec<String> {
    let source = Source::read(&abi_sources()).unwrap();
    let constants = source.items().filter_map(|(_, item)| match &item.kind {
        Kind::Constant(value) if !VERSION.contains(&item.c_name.as_str()) => {
            Some(format!("constant {}: {value}", item.c_name))
        }
        Kind::Constant(_) | Kind::Struct { .. } | Kind::Alias(_) => None,
    });
    let functions = source
        .layout_structs()
        .flat_map(|(item, fields)| fields.iter().filter_map(|field| function_line(item, field)));
    LAYOUT.iter().map(layout_line).chain(functions).chain(constants).collect()
}

/// What a frozen list has and today's lines do not: a part that changed or is gone.
fn broken(frozen: &str, today: &[String]) -> Vec<String> {
    let today: BTreeSet<&str> = today.iter().map(String::as_str).collect();
    frozen.lines().filter(|line| !today.contains(line)).map(str::to_owned).collect()
}

#[test]
fn what_was_released_is_there_unchanged() {
    let today = lines();
    let present = folder().join(format!("{ABI_MAJOR}.{ABI_MINOR}.txt"));
    if env::var_os("BRIDGEHEAD_FREEZE").is_some_and(|value| value == "1") {
        fs::create_dir_all(folder()).unwrap();
        fs::write(&present, today.join("\n") + "\n").unwrap();
    }
    let mut versions = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let gone = broken(&fs::read_to_string(&path).unwrap(), &today);
        assert!(gone.is_empty(), "changed or gone since {}: {gone:#?}", path.display());
        versions += 1;
    }
    assert!(versions > 0, "no version is frozen");
}

#[test]
fn every_kind_of_change_is_found() {
    let today = lines();
    let frozen = today.join("\n");
    assert_eq!(broken(&frozen, &today), Vec::<String>::new());
    for (was, is) in [
        ("field Message.sequence: u64,", "field Message.sequence: u32,"),
        ("struct Message: ", "struct Message: 1"),
        ("function HostBus.publish: [thread: any]", "function HostBus.publish: [thread: sim]"),
        ("constant BH_STATUS_TIMEOUT: ", "constant BH_STATUS_TIMEOUT: 1"),
        ("constant BH_EXT_BUS: ", "constant BH_EXT_BUS: x"),
    ] {
        let changed: Vec<String> = today.iter().map(|line| line.replace(was, is)).collect();
        let found = broken(&frozen, &changed);
        assert!(matches!(&found[..], [line] if line.starts_with(was)), "{was}: {found:?}");
    }
    let mut more = today.clone();
    more.push("constant BH_LATER: 1".to_owned());
    assert_eq!(broken(&frozen, &more), Vec::<String>::new(), "an addition");
}
