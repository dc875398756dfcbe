//! Resolves an address in a file (`model://car`, `meshes/wheel.dae`, `file:///…`) to a file on this machine.
//! Nothing is fetched from a network; only the existence of files is checked. Plain functions, usable from
//! any thread.

mod fuel;

pub(super) use fuel::fuel_model;

use super::files::{FileKind, Files, normalize};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf, absolute};

/// Folders in which models and meshes are looked up, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    /// Caches of Gazebo Fuel.
    fuel: Vec<PathBuf>,
    /// Names and values for `<xacro:arg>` of every file that is expanded.
    arguments: Vec<(String, String)>,
}

impl SearchPath {
    /// Environment variables with such folders, in search order: those of this host, of SDF, of Gazebo, of
    /// CLOiSim, of Gazebo Classic, and of ROS for `package://` addresses.
    pub const ENVIRONMENT: &'static [&'static str] = &[
        "BRIDGEHEAD_RESOURCE_PATH",
        "SDF_PATH",
        "GZ_SIM_RESOURCE_PATH",
        "IGN_GAZEBO_RESOURCE_PATH",
        "CLOISIM_MODEL_PATH",
        "CLOISIM_FILES_PATH",
        "CLOISIM_WORLD_PATH",
        "GAZEBO_MODEL_PATH",
        "GAZEBO_RESOURCE_PATH",
        "ROS_PACKAGE_PATH",
    ];

    /// The variable of ROS 2 whose folders contain packages in `share`; searched after
    /// [`SearchPath::ENVIRONMENT`].
    pub const PREFIXES: &'static str = "AMENT_PREFIX_PATH";

    /// A search path with these folders, in this order.
    pub fn new(folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { folders: folders.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A search path with these folders, then those of the variables in [`SearchPath::ENVIRONMENT`], those
    /// below [`SearchPath::PREFIXES`], and the caches of Gazebo Fuel: that of `GZ_FUEL_CACHE_PATH`, and those
    /// that Gazebo's tools create below the home folder.
    ///
    /// `variable` reads one environment variable.
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

    /// Returns the search path of the environment of this process.
    #[must_use]
    pub fn of_environment() -> Self {
        Self::default().with_environment(|name| std::env::var_os(name))
    }

    /// The same search path with these names and values for `<xacro:arg>` of the files that are expanded.
    #[must_use]
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item = (String, String)>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    /// Names and values for `<xacro:arg>`.
    #[must_use]
    pub fn arguments(&self) -> &[(String, String)] {
        &self.arguments
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

/// Characters of a path that a URI writes as `%` and two digits (RFC 3986, section 3.3).
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns the `file://` URI of an absolute path: `/a b.sdf` is `file:///a%20b.sdf`. `None` if the path is not UTF-8.
#[must_use]
pub fn file_uri(path: &Path) -> Option<String> {
    Some(format!("file://{}", utf8_percent_encode(path.to_str()?, ENCODED)))
}

/// Returns the path of a `file://` URI, decoded; `None` for another address.
///
/// A `%` without two hexadecimal digits stands for itself, and so does the whole text if its bytes are not UTF-8.
#[must_use]
pub fn path_of_file_uri(address: &str) -> Option<Cow<'_, str>> {
    let path = address.strip_prefix("file://")?;
    Some(percent_decode_str(path).decode_utf8().unwrap_or(Cow::Borrowed(path)))
}

/// Where worlds have their models, relative to the folder of the world.
const MODELS: [&str; 2] = ["models", "../models"];

/// Why an address cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// It is a network address.
    Network,
    /// It is in none of these places.
    Nowhere(Vec<PathBuf>),
    /// Something is there that is never opened, or it cannot be seen what is there.
    Refused(PathBuf, FileKind),
}

/// Returns the file or folder of an address.
///
/// `folder` is the folder of the file that contains the address. A relative address is looked up there and
/// then on the search path; one with a scheme (`model://`) also beside that folder, among sibling models, and at last
/// in the folders `models` in and beside it, where many worlds have theirs. A file with a `package://` address is
/// usually inside that package, so each parent folder is searched too.
///
/// # Errors
/// Returns an error if the address is on a network and in no cache, or nothing is there.
pub fn locate(
    address: &str,
    folder: Option<&Path>,
    search: &SearchPath,
    files: &dyn Files,
) -> Result<PathBuf, NotFound> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let path = path_of_file_uri(address);
    let rest = path.as_deref().unwrap_or(rest);
    if matches!(scheme, "http" | "https") {
        return fuel::find(rest, &search.fuel, files).ok_or(NotFound::Network);
    }
    let above = match scheme {
        "" | "file" => 0,
        "package" => usize::MAX,
        _ => 1,
    };
    // Above the start of a relative path is the current directory of the process.
    let started =
        folder.filter(|_| scheme == "package").and_then(|folder| absolute(Path::new(".").join(folder)).ok());
    let near = folder.into_iter().flat_map(|folder| folder.ancestors().take(above.saturating_add(1)));
    let near = near.chain(started.iter().flat_map(|folder| folder.ancestors()));
    let places = near.chain(search.folders.iter().map(PathBuf::as_path)).map(Path::to_owned);
    let of_worlds = folder.filter(|_| !matches!(scheme, "" | "file" | "package"));
    let of_worlds = of_worlds.into_iter().flat_map(|folder| MODELS.map(|models| folder.join(models)));
    // Joining an absolute path returns that path.
    let mut tried: Vec<_> = places.chain(of_worlds).map(|place| normalize(&place.join(rest))).collect();
    if tried.is_empty() {
        tried.push(normalize(Path::new(rest)));
    }
    let mut known = BTreeSet::new();
    tried.retain(|path| known.insert(path.clone()));
    if rest.is_empty() {
        return Err(NotFound::Nowhere(tried));
    }
    let mut refused = None;
    for path in &tried {
        match files.kind(path) {
            FileKind::File | FileKind::Folder => return Ok(path.clone()),
            FileKind::Absent => {}
            kind @ (FileKind::Special(_) | FileKind::Hidden) => {
                refused.get_or_insert_with(|| NotFound::Refused(path.clone(), kind));
            }
        }
    }
    Err(refused.unwrap_or(NotFound::Nowhere(tried)))
}

#[cfg(test)]
mod tests;
