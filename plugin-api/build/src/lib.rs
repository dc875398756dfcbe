//! Compiles the messages of a plugin in its build script, without external tools.
//!
//! Write `.proto` files (proto3) into a folder. They may import every file below `bridgehead/`, such as
//! `bridgehead/std_msgs/v1/header.proto`; `bridgehead/annotations/v1/ros.proto` gives a message its name in ROS.
//! In `build.rs`:
//!
//! ```no_run
//! fn main() -> Result<(), bridgehead_build::Error> {
//!     bridgehead_build::compile("proto")
//! }
//! ```
//!
//! In the library, `bridgehead_plugin_api::include_messages!()` includes the Rust types, in a module of their own. Each of
//! them implements `Message`, and fields of standard types, such as `std_msgs::Header`, are those of the SDK.

mod code;
mod compiler;
mod error;
pub mod set;

use std::path::{Path, PathBuf};

pub use code::{rust_name, write_impls};
pub use error::Error;

/// The annotations, which every file with messages imports.
pub const ANNOTATIONS: &str = "bridgehead/annotations/v1/ros.proto";

/// Returns the folder with the standard messages and the annotations: the import path of `bridgehead/…`.
pub fn proto_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("proto")
}

/// Compiles every `.proto` file below `folder`, which is relative to the package, for `include_messages!`.
///
/// # Errors
///
/// A file cannot be read or is no proto3; a package is missing, or is one of the standard messages; a file imports
/// messages of Google, which ROS does not know; two files declare messages of one name.
pub fn compile(folder: impl AsRef<Path>) -> Result<(), Error> {
    let out = std::env::var_os("OUT_DIR").ok_or(Error::NoBuildScript)?;
    compiler::compile(folder.as_ref(), Path::new(&out))
}

/// Returns every `.proto` file below `folder`, in a stable order.
///
/// # Errors
///
/// A folder cannot be read.
pub fn proto_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            found.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
