//! What the host reads from a library without running it: both sections must survive optimisation,
//! section garbage collection and stripping, be read-only, and say what the macros were given.

use std::{fs, path::Path, process::Command};

use bridgehead_abi::{ABI_MAJOR, ABI_MINOR, LAYOUT, entry};

use crate::{
    compiler::{CompilerDir, Language, run},
    standards::LIBRARY,
};

const RELEASE: [&str; 6] =
    ["-shared", "-fPIC", "-O2", "-fvisibility=hidden", "-ffunction-sections", "-Wl,--gc-sections"];

/// What the macros make of the description of the fixture: the numbers are those of the ABI that the header is for.
fn expected() -> String {
    format!(
        "{{\"schema\":1,\"abi\":[{ABI_MAJOR},{ABI_MINOR}],\"sdk\":\"bridgehead.h {ABI_MAJOR}.{ABI_MINOR}\",\
        \"panic\":\"none\",\"plugins\":[{{\"id\":\"org.example.model.nothing\",\"kind\":\"model\",\
        \"name\":\"nothing\",\"version\":\"1.2.3\",\"vendor\":\"Example\",\"license\":\"MIT\",\
        \"requires\":[\"bridgehead.bus/1\",\"bridgehead.clock/1\"],\"provides\":[],\
        \"state\":\"unsaved\"}}]}}"
    )
}

fn stripped_library(folder: &CompilerDir, language: Language, standard: &str) -> std::path::PathBuf {
    let mut flags = RELEASE.to_vec();
    flags.push(standard);
    let library = folder.compile(language, LIBRARY, &flags);
    run(Command::new("strip").arg("--strip-all").arg(&library));
    library
}

fn section(library: &Path, name: &str) -> Vec<u8> {
    let dump = library.with_extension("section");
    run(Command::new("objcopy")
        .arg("-O")
        .arg("binary")
        .arg(format!("--only-section={name}"))
        .arg(library)
        .arg(&dump));
    fs::read(dump).unwrap()
}

/// The line of `readelf -SW` about a section.
fn section_header(library: &Path, name: &str) -> String {
    let table = String::from_utf8(run(Command::new("readelf").arg("-SW").arg(library))).unwrap();
    table.lines().find(|line| line.contains(&format!(" {name} "))).unwrap_or_default().to_owned()
}

#[test]
fn sections_survive_a_release_build_and_strip_and_are_read_only() {
    for (language, standard) in [(Language::C, "-std=c99"), (Language::Cpp, "-std=c++17")] {
        let folder = CompilerDir::new();
        let library = stripped_library(&folder, language, standard);

        let metadata = section(&library, entry::METADATA_SECTION);
        let end = metadata.iter().position(|byte| *byte == 0).unwrap();
        assert_eq!(std::str::from_utf8(&metadata[..end]).unwrap(), expected(), "{standard}");
        assert!(metadata[end..].iter().all(|byte| *byte == 0), "only NUL bytes may follow the text");

        assert_eq!(section(&library, entry::LAYOUT_SECTION).len(), LAYOUT.len() * 256, "{standard}");
        for name in [entry::METADATA_SECTION, entry::LAYOUT_SECTION] {
            let header = section_header(&library, name);
            let flags = header.split_whitespace().rev().nth(3).unwrap_or_default();
            assert!(flags.contains('A') && !flags.contains('W'), "{standard}: {header}");
        }
    }
}

#[test]
fn the_entry_is_the_only_exported_symbol() {
    let folder = CompilerDir::new();
    let library = stripped_library(&folder, Language::C, "-std=c99");
    let symbols =
        String::from_utf8(run(Command::new("nm").args(["-D", "--defined-only"]).arg(library))).unwrap();
    let names: Vec<&str> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(names, [entry::ENTRY_SYMBOL]);
}
