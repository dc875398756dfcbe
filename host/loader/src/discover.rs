//! Finds candidate plugin files: the folders to search, their order, and the `.so` and `.py` files in them.
//!
//! Only folders are opened here; later checks decide whether a file is a plugin. Called on the main thread when the
//! host starts.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use super::code::Code;
use super::refusal::Refusal;
use super::script;

/// Environment variable with a colon-separated list of plugin folders.
pub const PATH_VARIABLE: &str = "BRIDGEHEAD_PLUGIN_PATH";

/// Number of folder levels searched below a plugin folder.
const MAX_DEPTH: usize = 8;

/// The source of a plugin folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// `--plugin-path`, or a file given directly.
    CommandLine,
    /// The configuration file.
    Configuration,
    /// The variable [`PATH_VARIABLE`].
    Environment,
    /// The per-user data folder.
    User,
    /// The folder of the host's executable.
    BesideBinary,
}

impl Origin {
    /// Returns true if the user named this folder for this run, so that problems in it are reported.
    #[must_use]
    pub const fn is_named(self) -> bool {
        match self {
            Origin::CommandLine | Origin::Configuration | Origin::Environment => true,
            Origin::User | Origin::BesideBinary => false,
        }
    }

    /// Returns the name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Origin::CommandLine => "command line",
            Origin::Configuration => "configuration",
            Origin::Environment => PATH_VARIABLE,
            Origin::User => "user folder",
            Origin::BesideBinary => "beside the binary",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One folder to search.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Folder {
    origin: Origin,
    path: PathBuf,
    /// Levels of sub folders to search.
    depth: usize,
}

/// The plugin folders in search order. If two files contain the same plugin, the first one is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<Folder>,
}

impl SearchPath {
    /// Creates an empty search path.
    #[must_use]
    pub fn new() -> Self {
        SearchPath::default()
    }

    /// Returns the full search order: `--plugin-path` flags, configuration, environment, user folder, the folder of the
    /// executable with its sub folder `plugins`, and the folder of an installation.
    #[must_use]
    pub fn standard(flags: &[PathBuf], configured: &[PathBuf]) -> Self {
        let mut search = SearchPath::new();
        search.add_all(Origin::CommandLine, flags);
        search.add_all(Origin::Configuration, configured);
        if let Some(list) = env::var_os(PATH_VARIABLE) {
            search.add_environment(&list);
        }
        if let Some(folder) = user_folder(env::var_os("XDG_DATA_HOME"), env::var_os("HOME")) {
            search.add(Origin::User, folder);
        }
        if let Some(folder) = env::current_exe().ok().as_deref().and_then(Path::parent) {
            search.add_beside_binary(folder);
            search.add_installation(folder);
        }
        search
    }

    /// Leaves only the plugins that come with the program.
    #[must_use]
    pub fn of_program(mut self) -> Self {
        self.folders.retain(|folder| folder.origin == Origin::BesideBinary);
        self
    }

    /// Appends a folder or a single file.
    pub fn add(&mut self, origin: Origin, path: impl Into<PathBuf>) {
        self.folders.push(Folder { origin, path: path.into(), depth: MAX_DEPTH });
    }

    /// Adds the folders of a colon-separated list; empty parts are ignored.
    pub fn add_environment(&mut self, list: &OsStr) {
        for path in env::split_paths(list).filter(|path| !path.as_os_str().is_empty()) {
            self.add(Origin::Environment, path);
        }
    }

    /// Adds the folder of an executable without its sub folders, and its sub folder `plugins` recursively.
    ///
    /// A folder such as `target/debug` contains build intermediates in sub folders, among them hard links to the same
    /// libraries.
    pub fn add_beside_binary(&mut self, folder: &Path) {
        self.folders.push(Folder { origin: Origin::BesideBinary, path: folder.to_owned(), depth: 0 });
        self.add(Origin::BesideBinary, folder.join("plugins"));
    }

    /// Adds the folder `lib/bridgehead` beside the folder `bin` of an executable, where `host/packaging/install.sh` puts the
    /// libraries: `cargo install` installs programs only.
    pub fn add_installation(&mut self, folder: &Path) {
        if let (Some("bin"), Some(prefix)) = (folder.file_name().and_then(OsStr::to_str), folder.parent()) {
            self.add(Origin::BesideBinary, prefix.join("lib/bridgehead"));
        }
    }

    /// Returns the folders in search order.
    pub fn folders(&self) -> impl Iterator<Item = (Origin, &Path)> {
        self.folders.iter().map(|folder| (folder.origin, folder.path.as_path()))
    }

    fn add_all(&mut self, origin: Origin, paths: &[PathBuf]) {
        for path in paths {
            self.add(origin, path);
        }
    }
}

/// Returns the per-user plugin folder by the XDG base directory specification, which ignores relative values.
fn user_folder(data_home: Option<impl Into<PathBuf>>, home: Option<impl Into<PathBuf>>) -> Option<PathBuf> {
    let data_home = data_home
        .map(Into::into)
        .filter(|path: &PathBuf| path.is_absolute())
        .or_else(|| home.map(|home| home.into().join(".local/share")))?;
    Some(data_home.join("bridgehead/plugins"))
}

/// A file that may be a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its path.
    pub path: PathBuf,
    /// The source of its folder.
    pub origin: Origin,
}

/// Result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// Files in search order; within a folder by name.
    pub candidates: Vec<Candidate>,
    /// Warnings about named folders that are missing or empty.
    pub warnings: Vec<Refusal>,
}

/// Searches every folder of `search` for regular files that end in `.so`, and for scripts that are plugins. A file reached twice counts once.
#[must_use]
pub fn discover(search: &SearchPath) -> Discovery {
    let mut found = Discovery::default();
    let mut seen = HashSet::new();
    for folder in &search.folders {
        match files_in(folder) {
            Ok(files) => found.take(folder, files, &mut seen),
            Err(error) => found.warn_unreadable(folder, &error),
        }
    }
    found
}

impl Discovery {
    fn take(&mut self, folder: &Folder, files: Vec<PathBuf>, seen: &mut HashSet<PathBuf>) {
        if files.is_empty() && folder.origin.is_named() {
            let text =
                format!("no plugin file in plugin folder `{}` ({})", folder.path.display(), folder.origin);
            self.warnings.push(Refusal::new(Code::FolderEmpty, text));
        }
        for path in files {
            let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
            if seen.insert(identity) {
                self.candidates.push(Candidate { path, origin: folder.origin });
            }
        }
    }

    /// Warns about an unreadable folder. A default folder may be missing.
    fn warn_unreadable(&mut self, folder: &Folder, error: &io::Error) {
        if folder.origin.is_named() || error.kind() != io::ErrorKind::NotFound {
            let text =
                format!("cannot read plugin path `{}` ({}): {error}", folder.path.display(), folder.origin);
            self.warnings.push(Refusal::new(Code::FolderMissing, text));
        }
    }
}

/// Returns the plugin files in a folder and below it, sorted; for the path of a file, that file.
fn files_in(folder: &Folder) -> io::Result<Vec<PathBuf>> {
    if fs::metadata(&folder.path)?.is_file() {
        return Ok(vec![folder.path.clone()]);
    }
    let mut files = Vec::new();
    collect(&folder.path, folder.depth, &mut files)?;
    files.sort();
    Ok(files)
}

/// Collects the plugin files in a folder and below it. Symbolic links to folders are not followed, which excludes
/// cycles; linked files are included. Unreadable sub folders are skipped.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if is_environment(folder) {
        return Ok(());
    }
    let depth = if is_cargo_output(folder) { 0 } else { depth };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if depth > 0
                && let Err(error) = collect(&path, depth - 1, files)
            {
                log::debug!("plugin folder `{}` is skipped: {error}", path.display());
            }
        } else if is_plugin_file(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns true if a file of a plugin folder is a candidate.
fn is_plugin_file(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("so")) || (script::is_script(path) && script::is_marked(path))
}

/// Returns true if cargo builds into this folder. The folder itself has the results; sub folders have intermediates,
/// among them procedural macros, which are shared libraries too.
fn is_cargo_output(folder: &Path) -> bool {
    folder.join(".fingerprint").is_dir()
}

/// Returns true for a virtual environment of Python, which contains thousands of scripts and libraries, none of which is a
/// plugin of this host.
fn is_environment(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

#[cfg(test)]
mod tests;
