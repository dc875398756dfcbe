//! Generates `include/bridgehead.h` from the sources of `bridgehead-abi`, so that the ABI is written down
//! once. [`source`] reads the Rust files, [`render`] writes C99 that is C++17 too; the parts of the header
//! that have no counterpart in Rust (helpers, export macros) are texts in `templates/`. What the generated
//! header means to a compiler is tested in `tests/`; everything here runs on one thread, at build time.

use std::path::{Path, PathBuf};

pub mod docs;
pub mod names;
pub mod render;
pub mod source;
pub mod types;

pub use source::Source;

/// Why a header could not be generated. Each case means that the ABI crate uses something the generator
/// has not been taught, or that a file is not where it should be.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A source or the header could not be read or written.
    #[error("cannot read or write `{path}`: {source}")]
    File {
        /// The file that was asked for.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A source is not Rust.
    #[error("`{module}.rs` does not parse: {source}")]
    Parse {
        /// Module of the ABI crate.
        module: &'static str,
        /// What the parser said.
        source: syn::Error,
    },
    /// An item has no rendering in C.
    #[error("`{item}` of the ABI has no form in C: {why}")]
    Unsupported {
        /// Where it stands, `module::Item.field`.
        item: String,
        /// What is wrong with it and what would do.
        why: String,
    },
}

/// Folder of the ABI crate's sources in this repository.
#[must_use]
pub fn abi_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../abi/src")
}

/// The committed header of this repository.
#[must_use]
pub fn header_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/bridgehead.h")
}

/// The text of the header for the ABI sources in `folder`.
///
/// # Errors
/// Returns an error if a source is missing, does not parse, or uses an item that the generator does not know.
pub fn generate(folder: &Path) -> Result<String, Error> {
    render::header(&Source::read(folder)?)
}
