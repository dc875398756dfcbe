//! Where the target of a connection is: who wrote it decides how far it may reach.
//!
//! A path from the command line or the configuration is taken as it is. One from a world file is somebody
//! else's word, so it stays inside the output directory. Nothing is created here.

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
    /// A world file; targets are inside this directory.
    World {
        /// `--output`, or the working directory.
        output_dir: PathBuf,
    },
}

impl Origin {
    /// Reads the host's parameters `@origin` (`command_line`, `configuration` or `world`) and `output_dir`. A
    /// host that says nothing passes on what its user wrote; a word that is not known is trusted as little as
    /// a world.
    pub(crate) fn of_instance(host: HostHandle) -> Self {
        let Ok(params) = host.params() else { return Origin::User };
        match params.text("@origin").as_deref() {
            None | Some("command_line" | "configuration") => Origin::User,
            Some(_) => Origin::World {
                output_dir: params.text("output_dir").unwrap_or_else(|| ".".to_owned()).into(),
            },
        }
    }

    /// The path that `target` means.
    ///
    /// # Errors
    /// Where a world's target is absolute or climbs out of the output directory.
    pub(crate) fn resolve(&self, target: &str) -> Result<PathBuf> {
        match self {
            Origin::User => Ok(PathBuf::from(target)),
            Origin::World { output_dir } if stays_inside(Path::new(target)) => Ok(output_dir.join(target)),
            Origin::World { output_dir } => Err(Error::invalid(format!(
                "the world file names the log `{target}`, which is outside the output directory `{}`; \
                 write a relative path without `..`, or give the path with --bridge [BH-BRG-111]",
                output_dir.display()
            ))),
        }
    }
}

/// Whether joining `path` to a directory cannot leave it. Symbolic links in the directory are its owner's
/// choice.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| match part {
        Component::Normal(_) | Component::CurDir => true,
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    })
}
