//! The header is committed so that C authors need no Rust; this keeps it equal to the ABI crate.

use std::{env, fs};

use bridgehead_header_gen::{abi_sources, generate, header_path, source::MODULES};

/// Files of the ABI crate that declare nothing a C plugin could use.
const RUST_ONLY: [&str; 1] = ["surface"];

#[test]
fn the_committed_header_is_the_generated_one() {
    let generated = generate(&abi_sources()).unwrap();
    if env::var_os("BRIDGEHEAD_UPDATE_DOCS").is_some_and(|value| value == "1") {
        fs::write(header_path(), &generated).unwrap();
    }
    let committed = fs::read_to_string(header_path()).unwrap_or_default();
    let difference = generated.lines().zip(committed.lines()).position(|(new, old)| new != old);
    assert!(
        generated == committed,
        "include/bridgehead.h is out of date, first at line {:?}; run `cargo run -p bridgehead-header-gen`",
        difference.map(|index| index + 1)
    );
}

#[test]
fn every_file_of_the_abi_crate_is_read_or_known_to_be_for_rust_only() {
    for entry in fs::read_dir(abi_sources()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            MODULES.contains(&name) || RUST_ONLY.contains(&name),
            "abi/src/{name}.rs is not in the header; add it to `source::MODULES`"
        );
    }
}
