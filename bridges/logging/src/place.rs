//! Resolves the target of a connection; its origin decides which directories are allowed.
//!
//! A path from the command line or the configuration is used as it is. A path from a world file is untrusted, so it
//! must stay inside the output directory. Nothing is created here.

use std::path::{Component, Path, PathBuf};

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::{Error, Result};

#[cfg(test)]
mod tests;

/// Who wrote the connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user: command line or configuration.
    User,
    /// A world file; targets must be inside this directory.
    World {
        /// `--output`, or the working directory.
        output_dir: PathBuf,
    },
}

impl Origin {
    /// Reads the host's parameters `@origin` (`command_line`, `configuration` or `world`) and `output_dir`. Without
    /// `@origin` the string is the user's; an unknown value is trusted as little as a world file.
    pub(crate) fn of_instance(host: HostHandle) -> Self {
        let Ok(params) = host.params() else { return Origin::User };
        match params.text("@origin").as_deref() {
            None | Some("command_line" | "configuration") => Origin::User,
            Some(_) => Origin::World {
                output_dir: params.text("output_dir").unwrap_or_else(|| ".".to_owned()).into(),
            },
        }
    }

    /// Returns the path of `target`.
    ///
    /// # Errors
    /// Returns an error if a world's target is absolute or leaves the output directory.
    pub(crate) fn resolve(&self, target: &str) -> Result<PathBuf> {
        match self {
            Origin::User => Ok(PathBuf::from(target)),
            Origin::World { output_dir } if stays_inside(Path::new(target)) => Ok(output_dir.join(target)),
            Origin::World { output_dir } => Err(Error::invalid(format!(
                "[BH-BRG-111] the log `{target}` is outside the output directory `{}`, which world files and clients \
                cannot leave; write a relative path without `..`, or give the path with --bridge",
                output_dir.display()
            ))),
        }
    }
}

/// Returns true if `path` cannot leave the directory to which it is joined. Symbolic links in the directory are the
/// choice of its owner.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| match part {
        Component::Normal(_) | Component::CurDir => true,
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    })
}
