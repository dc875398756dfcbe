//! Writes `include/bridgehead.h`: `cargo run -p bridgehead-header-gen`, after every change of the ABI.
//! The drift test of this crate fails until that was done.

use bridgehead_header_gen::{Error, abi_sources, generate, header_path};

fn main() -> Result<(), Error> {
    let path = header_path();
    let text = generate(&abi_sources())?;
    std::fs::write(&path, text).map_err(|source| Error::File { path, source })
}
