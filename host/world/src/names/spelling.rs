//! The spellings of a name: prefixes, suffixes, versions and namespaces around it. The table gives names their meaning.
//! Plain functions, any thread.

/// A filename without prefixes and suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling<'a> {
    /// A system of Gazebo: `diff-drive`.
    GazeboSystem(&'a str),
    /// Any other library, without folder, `lib` and `.so`.
    Other(&'a str),
}

impl<'a> Spelling<'a> {
    /// Returns the plugin name that the file would have as a plugin of Bridgehead.
    pub(super) fn own_name(self, filename: &'a str) -> &'a str {
        match self {
            Spelling::GazeboSystem(_) => filename,
            Spelling::Other(base) => {
                let own = ["bridgehead_plugin_", "bridgehead_bridge_"];
                own.iter().find_map(|prefix| base.strip_prefix(prefix)).unwrap_or(base)
            }
        }
    }
}

/// Parses `libgz-sim8-diff-drive-system.so`, `gz-sim-diff-drive-system`, `ignition-gazebo6-diff-drive-system` and
/// `static://gz::sim::systems::DiffDrive`.
pub(super) fn of_file(filename: &str) -> Spelling<'_> {
    if let Some(class) = filename.strip_prefix("static://").and_then(of_class) {
        return Spelling::GazeboSystem(class);
    }
    let base = filename.rsplit('/').next().unwrap_or(filename);
    let base = base.strip_suffix(".so").unwrap_or(base);
    let base = base.strip_prefix("lib").unwrap_or(base);
    system(base).map_or(Spelling::Other(base), Spelling::GazeboSystem)
}

fn system(base: &str) -> Option<&str> {
    let versioned = ["gz-sim", "ignition-gazebo"].iter().find_map(|prefix| base.strip_prefix(prefix))?;
    let system = versioned.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix('-')?;
    Some(system.strip_suffix("-system").unwrap_or(system))
}

/// Returns `DiffDrive` for `gz::sim::systems::DiffDrive`, with or without the namespace of a version.
pub(super) fn of_class(name: &str) -> Option<&str> {
    let inside = ["gz::sim::", "ignition::gazebo::"].iter().find_map(|space| name.strip_prefix(space))?;
    let (before, class) = inside.rsplit_once("::")?;
    before.split("::").any(|space| space == "systems").then_some(class)
}

/// Returns true if two names of a system are equal, whatever the word separators: `diff-drive` and `DiffDrive`.
pub(super) fn is_same(name: &str, other: &str) -> bool {
    letters(name).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).map(|letter| letter.to_ascii_lowercase())
}
