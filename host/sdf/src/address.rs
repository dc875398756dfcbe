//! From an address in a file (`model://car`, `meshes/wheel.dae`, `file:///…`) to a file on this machine.
//! Nothing is fetched from a network, and nothing is read here but the presence of files.
//! Plain functions, usable from any thread.

mod fuel;

use super::files::{Files, normalize};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf, absolute};

/// Folders in which models and meshes are looked up, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    /// Caches of Gazebo Fuel.
    fuel: Vec<PathBuf>,
}

impl SearchPath {
    /// Environment variables that hold such folders, in the order they are searched: those of this host, of SDF, of
    /// Gazebo, of CLOiSim, and of ROS, whose packages a `package://` address names.
    pub const ENVIRONMENT: &'static [&'static str] = &[
        "BRIDGEHEAD_RESOURCE_PATH",
        "SDF_PATH",
        "GZ_SIM_RESOURCE_PATH",
        "IGN_GAZEBO_RESOURCE_PATH",
        "CLOISIM_MODEL_PATH",
        "CLOISIM_FILES_PATH",
        "CLOISIM_WORLD_PATH",
        "ROS_PACKAGE_PATH",
    ];

    /// The variable of ROS 2 whose folders hold packages in `share`; searched after [`SearchPath::ENVIRONMENT`].
    pub const PREFIXES: &'static str = "AMENT_PREFIX_PATH";

    /// These folders, in this order.
    pub fn new(folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { folders: folders.into_iter().map(Into::into).collect(), fuel: Vec::new() }
    }

    /// These folders, then those of the variables in [`SearchPath::ENVIRONMENT`] and those below [`SearchPath::PREFIXES`],
    /// and the caches of Gazebo Fuel: that of `GZ_FUEL_CACHE_PATH`, and those below the home folder where Gazebo's tools put them.
    ///
    /// `variable` reads one environment variable; this module reads none itself.
    #[must_use]
    pub fn with_environment(mut self, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        for value in Self::ENVIRONMENT.iter().filter_map(|name| variable(name)) {
            self.folders.extend(folders_of(&value));
        }
        let prefixes = variable(Self::PREFIXES).unwrap_or_default();
        self.folders.extend(folders_of(&prefixes).map(|prefix| prefix.join("share")));
        let given = variable("GZ_FUEL_CACHE_PATH").filter(|folder| !folder.is_empty());
        self.fuel.extend(given.map(PathBuf::from));
        if let Some(home) = variable("HOME").map(PathBuf::from) {
            self.fuel.extend([".gz/fuel", ".ignition/fuel"].map(|folder| home.join(folder)));
        }
        self
    }

    /// The folders in order.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

fn folders_of(value: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(value).filter(|folder| !folder.as_os_str().is_empty())
}

/// Why an address stands for no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// It is on a network.
    Network,
    /// It is in none of these places.
    Nowhere(Vec<PathBuf>),
}

/// The file or folder an address stands for.
///
/// `folder` is where the file that holds the address stands. A relative address is looked up there and then on the
/// search path; one with a scheme of its own (`model://`) also beside that folder, where sibling models stand. The file
/// that holds a `package://` address mostly stands somewhere inside that package, so each folder above is looked at too.
///
/// # Errors
/// Where the address is on a network and in no cache, or nothing is there.
pub fn locate(
    address: &str,
    folder: Option<&Path>,
    search: &SearchPath,
    files: &dyn Files,
) -> Result<PathBuf, NotFound> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    if matches!(scheme, "http" | "https") {
        return fuel::find(rest, &search.fuel, files).ok_or(NotFound::Network);
    }
    let above = match scheme {
        "" | "file" => 0,
        "package" => usize::MAX,
        _ => 1,
    };
    // Above where a relative path begins is where the program was started.
    let started =
        folder.filter(|_| scheme == "package").and_then(|folder| absolute(Path::new(".").join(folder)).ok());
    let near = folder.into_iter().flat_map(|folder| folder.ancestors().take(above.saturating_add(1)));
    let near = near.chain(started.iter().flat_map(|folder| folder.ancestors()));
    let places = near.chain(search.folders.iter().map(PathBuf::as_path));
    // Joining an absolute path gives that path.
    let mut tried: Vec<_> = places.map(|place| normalize(&place.join(rest))).collect();
    if tried.is_empty() {
        tried.push(normalize(Path::new(rest)));
    }
    tried.dedup();
    match tried.iter().find(|path| !rest.is_empty() && (files.is_file(path) || files.is_dir(path))) {
        Some(found) => Ok(found.clone()),
        None => Err(NotFound::Nowhere(tried)),
    }
}

#[cfg(test)]
mod tests;
