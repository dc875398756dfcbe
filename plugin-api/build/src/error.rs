//! Why messages were not compiled.

use std::fmt;
use std::path::PathBuf;

/// Why messages were not compiled. A build script that returns it prints its text.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// [`compile`](crate::compile) was called outside of a build script.
    #[error("OUT_DIR is not set: call `bridgehead_build::compile` in `build.rs`")]
    NoBuildScript,
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A result cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder has no file to compile.
    #[error("{}: no .proto file is in this folder", .0.display())]
    NoFiles(PathBuf),
    /// A file is not valid; the text names it, with line and column.
    #[error("{0}")]
    Invalid(String),
    /// A file declares no package.
    #[error("{file}: a package is missing; add a line such as `package org.example.v1;`")]
    NoPackage {
        /// The file.
        file: String,
    },
    /// A file declares a package of the standard messages.
    #[error(
        "{file}: the package `{package}` belongs to the standard messages; use a name of your own, such as `org.example.v1`"
    )]
    StandardPackage {
        /// The file.
        file: String,
        /// The package.
        package: String,
    },
    /// A file imports messages of Google.
    #[error(
        "{file}: `{import}` cannot be imported, because ROS does not know its messages; \
             for times and durations, use those of `bridgehead/builtin_interfaces/v1`"
    )]
    Google {
        /// The file.
        file: String,
        /// What it imports.
        import: String,
    },
    /// A message has no name in ROS.
    #[error(
        "{file}: message `{message}` has no name in ROS; import `bridgehead/annotations/v1/ros.proto` and add \
             `option (bridgehead.annotations.v1.ros_message) = \"example_msgs/msg/{message}\";`"
    )]
    NoRosName {
        /// The file.
        file: String,
        /// The message.
        message: String,
    },
    /// A constant of ROS is malformed.
    #[error("the ros_constant `{0}` is malformed; expected `TYPE NAME=VALUE`")]
    Constant(String),
}

impl Error {
    pub(crate) fn write(path: PathBuf) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Error::Write { path, source }
    }
}

/// The text: cargo prints the `Debug` form of what a build script returns.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
