//! The layout table of the header against the table of the Rust crate, and both against the sources.

use std::process::Command;

use bridgehead_abi::{LAYOUT, LayoutRow};
use bridgehead_header_gen::{Source, abi_sources};

use crate::compiler::{CompilerDir, Language, run};

const DUMP: &str = r"
#include <stdio.h>
BH_LAYOUT_TABLE()
int main(void)
{
    return fwrite(bh_layout_table, sizeof bh_layout_table, 1, stdout) == 1 ? 0 : 1;
}
";

/// A row as text, so that a failing test shows what differs.
fn describe(row: &LayoutRow) -> String {
    format!("{} {} at {} of {}", text(&row.name), text(&row.type_name), row.offset, row.size)
}

fn text(padded: &[u8]) -> &str {
    std::str::from_utf8(padded).unwrap().trim_end_matches('\0')
}

fn row(bytes: &[u8]) -> LayoutRow {
    let number = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    LayoutRow {
        name: bytes[..56].try_into().unwrap(),
        type_name: bytes[56..248].try_into().unwrap(),
        offset: number(248),
        size: number(252),
    }
}

#[test]
fn c_and_cpp_lay_the_structs_out_as_rust_does() {
    let expected: Vec<String> = LAYOUT.iter().map(describe).collect();
    for (language, standard) in
        [(Language::C, "-std=c99"), (Language::C, "-std=c11"), (Language::Cpp, "-std=c++17")]
    {
        let folder = CompilerDir::new();
        let program = folder.compile(language, DUMP, &[standard]);
        let dump = run(&mut Command::new(program));
        let found: Vec<String> = dump.chunks(256).map(|bytes| describe(&row(bytes))).collect();
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{standard}");
        }
        assert_eq!(found.len(), expected.len(), "{standard}");
    }
}

#[test]
fn the_rust_table_lists_every_struct_of_the_sources_in_their_order() {
    let source = Source::read(&abi_sources()).unwrap();
    let declared: Vec<String> = source.layout_structs().map(|(item, _)| format!("{}.", item.name)).collect();
    let listed: Vec<&str> =
        LAYOUT.iter().map(|row| text(&row.name)).filter(|name| name.ends_with('.')).collect();
    assert_eq!(listed, declared);
}
