//! Finds the file of a world that the command line names, as `load_world` does. Main thread.

use std::path::{Path, PathBuf};

use bridgehead_sdf::SearchPath;

use crate::resources::{Library, ResourceError, Sources};

/// Returns the folders of the environment, as for a run.
pub(super) fn search_path() -> SearchPath {
    SearchPath::default().with_environment(|name| std::env::var_os(name))
}

/// Returns the file of a world: the path itself if something is there, otherwise what the search path, the configured
/// worlds or the cache of Gazebo Fuel has under that address.
///
/// # Errors
/// Returns an error with the searched places if there is no such world. A plain path is returned unchanged if there are
/// no places, so that the reader reports the missing file.
pub(super) fn world_file(given: &Path, sources: &Sources) -> Result<PathBuf, ResourceError> {
    let Some(address) = given.to_str().filter(|_| !given.is_file()) else { return Ok(given.to_owned()) };
    let is_plain = !address.contains("://");
    if is_plain && (given.is_absolute() || given.exists() && !given.is_dir()) {
        return Ok(given.to_owned());
    }
    let search = search_path();
    let has_places = !search.folders().is_empty() || !sources.places.is_empty();
    match Library::new(search, sources.clone()).file_of_world(address) {
        Ok(file) => {
            log::info!("the world `{address}` is the file `{}`", file.display());
            Ok(file)
        }
        Err(_) if is_plain && !has_places => Ok(given.to_owned()),
        Err(error) => Err(error),
    }
}
