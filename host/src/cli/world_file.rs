//! Finds the file of a world that the command line names, as `load_world` does. Main thread.

use std::path::{Path, PathBuf};

use bridgehead_sdf::SearchPath;

use crate::resources::{Library, ResourceError, Sources};

/// The world of `bridgehead demo`, which every installation has.
pub(super) const DEMO: &str = "two_vehicles.sdf";

/// Returns the folders of the environment, as for a run, with arguments for files that are xacro.
pub(super) fn search_path(xacro: &[(String, String)]) -> SearchPath {
    SearchPath::of_environment().with_arguments(xacro.iter().cloned())
}

/// Returns the file of a world: the path itself if something is there, otherwise what the search path, the configured
/// worlds or the cache of Gazebo Fuel has under that address, or the world of that name that is installed with the program.
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
    let search = SearchPath::of_environment();
    let has_places = !search.folders().is_empty() || !sources.places.is_empty();
    match Library::new(search, sources.clone()).file_of_world(address) {
        Ok(file) => {
            log::info!("the world `{address}` is the file `{}`", file.display());
            Ok(file)
        }
        Err(error) => match installed(given) {
            Some(file) => {
                log::info!("the world `{address}` is the installed file `{}`", file.display());
                Ok(file)
            }
            None if is_plain && !has_places => {
                name_installed(given);
                Ok(given.to_owned())
            }
            None => Err(error),
        },
    }
}

/// Says which worlds are installed, if what is given looks like the name of one.
fn name_installed(given: &Path) {
    let program = std::env::current_exe().ok();
    let Some(folder) = program.as_deref().and_then(installed_worlds).filter(|_| is_name(given)) else {
        return;
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let worlds =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "sdf"));
    let mut names: Vec<String> =
        worlds.filter_map(|path| Some(format!("`{}`", path.file_stem()?.to_str()?))).collect();
    names.sort();
    log::info!("`{}` is no installed world either; there are {}", given.display(), names.join(", "));
}

/// Returns true if a path is one name.
fn is_name(path: &Path) -> bool {
    path.components().count() == 1 && path.file_name().is_some()
}

/// Returns the world of this name, with or without `.sdf`, that is installed with the program.
fn installed(name: &Path) -> Option<PathBuf> {
    let folder = installed_worlds(&std::env::current_exe().ok()?).filter(|_| is_name(name))?;
    let file = folder.join(name);
    [file.with_extension("sdf"), file].into_iter().find(|file| file.is_file())
}

/// Returns the folder of the worlds that are installed with a program: of an installation, of the Python package, or of the
/// sources in which it was built.
fn installed_worlds(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let folders = program
        .ancestors()
        .flat_map(|folder| ["share/bridgehead/worlds", "worlds"].map(|name| folder.join(name)));
    folders.into_iter().find(|folder| folder.join(DEMO).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_are_found_in_every_kind_of_installation() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path().canonicalize().expect("a folder");
        let program = |path: &str| {
            let program = root.join(path);
            std::fs::create_dir_all(program.parent().expect("a folder")).expect("made");
            std::fs::write(&program, "").expect("written");
            program
        };
        let worlds = |path: &str| {
            let folder = root.join(path);
            std::fs::create_dir_all(&folder).expect("made");
            std::fs::write(folder.join(DEMO), "").expect("written");
            folder
        };
        assert_eq!(installed_worlds(&program("alone/bin/bridgehead")), None);
        let expected = worlds("prefix/share/bridgehead/worlds");
        assert_eq!(installed_worlds(&program("prefix/bin/bridgehead")), Some(expected));
        let expected = worlds("site-packages/bridgehead/worlds");
        assert_eq!(installed_worlds(&program("site-packages/bridgehead/program/bridgehead")), Some(expected));
        let expected = worlds("sources/worlds");
        assert_eq!(installed_worlds(&program("sources/target/release/bridgehead")), Some(expected));
    }
}
