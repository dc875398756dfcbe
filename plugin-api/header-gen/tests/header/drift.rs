//! The header is committed so that C authors need no Rust; this keeps it equal to the ABI crate.

use std::{env, fs};

use bridgehead_header_gen::{abi_sources, generate, header_path};

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
