//! The spellings of one name: prefixes, suffixes, versions and namespaces that stand around it.
//! What the name means is the table's business. Plain functions, any thread.

/// What a filename says once its dress is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling<'a> {
    /// A system of Gazebo: `diff-drive`.
    GazeboSystem(&'a str),
    /// Any other library, without folder, `lib` and `.so`.
    Other(&'a str),
}

impl<'a> Spelling<'a> {
    /// Name of the plugin that the file would be if it were one of Bridgehead's.
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

/// Takes `libgz-sim8-diff-drive-system.so`, `gz-sim-diff-drive-system`, `ignition-gazebo6-diff-drive-system` and
/// `static://gz::sim::systems::DiffDrive` apart.
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

/// `DiffDrive` of `gz::sim::systems::DiffDrive`, with or without the namespace of a version.
pub(super) fn of_class(name: &str) -> Option<&str> {
    let inside = ["gz::sim::", "ignition::gazebo::"].iter().find_map(|space| name.strip_prefix(space))?;
    let (before, class) = inside.rsplit_once("::")?;
    before.split("::").any(|space| space == "systems").then_some(class)
}

/// Whether two names of a system are one, however words are set apart: `diff-drive` and `DiffDrive`.
pub(super) fn is_same(name: &str, other: &str) -> bool {
    letters(name).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).map(|letter| letter.to_ascii_lowercase())
}
