//! The plugins in C that authors start from: they build without a warning, and the bridge carries payloads
//! both ways, byte for byte.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use bridgehead_abi::entry;

use crate::compiler::{CompilerDir, Language, run};
use crate::skip::missing;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/c")
}

#[test]
fn the_examples_build_by_their_makefile_and_export_the_entry_alone() {
    // Only this test needs it: the others call the compilers themselves.
    if Command::new("make").arg("--version").output().is_err() {
        return missing("the program `make` is missing (Debian: apt-get install make)");
    }
    let out = tempfile::tempdir().unwrap();
    run(Command::new("make")
        .arg("-C")
        .arg(examples())
        .arg(format!("OUT={}", out.path().display()))
        .arg("CFLAGS=-O2 -Wconversion -Werror"));
    for library in ["libdatagram.so", "libheartbeat.so", "libnearest.so"] {
        let library = out.path().join(library);
        let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
        let symbols = String::from_utf8(symbols).unwrap();
        let names: Vec<&str> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
        assert_eq!(names, [entry::ENTRY_SYMBOL]);
    }
}

#[test]
fn the_bridge_carries_a_payload_to_its_peer_and_back() {
    let folder = CompilerDir::new();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/drive_datagram.c");
    let include = format!("-I{}", examples().display());
    let flags = ["-std=c99", "-pthread", "-g", include.as_str()];
    let program = folder.compile_file(Language::C, &driver, &flags);
    let said = String::from_utf8(run(&mut Command::new(program))).unwrap();
    let refusal = |text: &str| {
        format!(
            "explained: `{text}` is not a peer's address; write ADDRESS:PORT, for example 127.0.0.1:7400\n\
             validate -2\n"
        )
    };
    let expected = [
        refusal("127.0.0.1:65536"),
        refusal("127.0.0.1:1x"),
        refusal(""),
        "connect 0\ntx_run 0\nhello of 0 bytes\n".to_owned(),
        "peer: 2f 63 61 72 31 2f 73 63 61 6e 00 00 01 02 00 ff\n".to_owned(),
        "sink: 00 01 02 00 ff\n".to_owned(),
        "status 3, rx failed 0\nstatus 0\n".to_owned(),
    ];
    assert_eq!(said, expected.concat());
}
