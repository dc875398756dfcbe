//! The table of all limits of reading: of worlds, models, meshes, images and lists. A file can be anything, and a
//! client can name it; so every reader has limits, and each limit is a row here. The page `docs/worlds.md` repeats the
//! table. Plain values.

/// A limit. Its row is [`Limit::row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Seconds for reading a world or model, with its meshes.
    Time,
    /// Files read for a world or model.
    Files,
    /// Bytes of one text file.
    TextFile,
    /// Bytes of all text files.
    Text,
    /// Elements of all files.
    Elements,
    /// Elements inside each other in one file.
    Depth,
    /// Attributes of one element.
    Attributes,
    /// Files that include each other.
    Includes,
    /// Models inside each other.
    Nesting,
    /// Bytes of all scoped names.
    Names,
    /// Findings about a world or model.
    Findings,
    /// Bytes of one mesh or image.
    MeshFile,
    /// Bytes of all meshes and images.
    Meshes,
    /// Corners and triangles of all meshes.
    Triangles,
    /// Samples of one heightmap.
    Samples,
    /// Bytes read of a file for a list.
    Head,
    /// Folder entries visited for a list.
    Entries,
    /// Depth of folders visited for a list.
    Folders,
    /// Sources in the request for a list.
    Sources,
    /// Seconds for measuring one model of a list.
    Measuring,
}

/// The row of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The limit.
    pub limit: Limit,
    /// The greatest allowed number.
    pub most: u64,
    /// The number in the largest known world or model that is in use: the limit leaves room above it.
    pub known: u64,
    /// What is counted, as a noun phrase after a number.
    pub counted: &'static str,
    /// Why the limit has this value.
    pub reason: &'static str,
    /// What to try if it is exceeded.
    pub advice: &'static str,
}

const MIB: u64 = 1 << 20;

/// All limits, in the order of [`Limit`].
///
/// The largest known numbers are those of the worlds of Gazebo, of libsdformat's tests and of CLOiSim.
/// `levels_no_performers.sdf` has 128 KB and 3,268 elements, and is read in 0.03 s; `pr2.sdf` has 86 findings.
/// The office building `lg_seocho.world` of CLOiSim has 41 models, up to 3 deep, and 28 mesh files of up to 2.5 MB; its
/// sums of files, bytes and triangles are estimates.
pub const LIMITS: &[Row] = &[
    Row {
        limit: Limit::Time,
        most: 120,
        known: 1,
        counted: "seconds for reading a world or model",
        reason: "a request waits no longer; a slow disk still suffices for all other limits",
        advice: "simplify its meshes, or read it from a faster disk",
    },
    Row {
        limit: Limit::Files,
        most: 10_000,
        known: 110,
        counted: "files, each counted as often as it is included",
        reason: "an include costs two files, so a world may have 5,000 includes",
        advice: "check whether models include each other more often than intended",
    },
    Row {
        limit: Limit::TextFile,
        most: 64 * MIB,
        known: 128_324,
        counted: "bytes in a text file",
        reason: "a text needs about twice its size in memory, besides its elements",
        advice: "check whether it is a world or a model, and split it if it is",
    },
    Row {
        limit: Limit::Text,
        most: 128 * MIB,
        known: 500_000,
        counted: "bytes in all text files, each counted as often as it is included",
        reason: "the texts are kept for saving and for messages",
        advice: "check whether models include each other more often than intended",
    },
    Row {
        limit: Limit::Elements,
        most: 300_000,
        known: 3_268,
        counted: "elements, each counted as often as it is included",
        reason: "an element needs up to 4 KB of memory in a built world, if it is a link",
        advice: "check whether models include each other more often than intended, or divide the world",
    },
    Row {
        limit: Limit::Depth,
        most: 200,
        known: 12,
        counted: "elements inside each other",
        reason: "elements are visited recursively",
        advice: "look for a start tag that is never closed",
    },
    Row {
        limit: Limit::Attributes,
        most: 256,
        known: 5,
        counted: "attributes of one element",
        reason: "attributes of an element are compared with each other",
        advice: "write values as elements",
    },
    Row {
        limit: Limit::Includes,
        most: 32,
        known: 3,
        counted: "files that include each other",
        reason: "includes are followed recursively",
        advice: "check whether models include each other more often than intended",
    },
    Row {
        limit: Limit::Nesting,
        most: 64,
        known: 5,
        counted: "models inside each other",
        reason: "nested models are resolved recursively",
        advice: "put the models beside each other, and connect them with joints",
    },
    Row {
        limit: Limit::Names,
        most: 64 * MIB,
        known: 100_000,
        counted: "bytes in the full names of links, joints and frames",
        reason: "a name in a nested model contains the names of all models around it",
        advice: "nest models less deeply, or give them shorter names",
    },
    Row {
        limit: Limit::Findings,
        most: 10_000,
        known: 86,
        counted: "findings about the files",
        reason: "nobody reads more, and each is found with its line and column",
        advice: "correct the first ones",
    },
    Row {
        limit: Limit::MeshFile,
        most: 256 * MIB,
        known: 2_500_000,
        counted: "bytes in a mesh or an image",
        reason: "a mesh of that size is a mistake or an attack",
        advice: "simplify it: details finer than a contact have no effect",
    },
    Row {
        limit: Limit::Meshes,
        most: 1024 * MIB,
        known: 30_000_000,
        counted: "bytes in all meshes and images",
        reason: "the meshes of a world are kept together",
        advice: "simplify the meshes: details finer than a contact have no effect",
    },
    Row {
        limit: Limit::Triangles,
        most: 20_000_000,
        known: 500_000,
        counted: "nodes, corners and triangles in all meshes",
        reason: "a file can refer to the same triangles again and again",
        advice: "simplify the meshes: details finer than a contact have no effect",
    },
    Row {
        limit: Limit::Samples,
        most: 1025 * 1025,
        known: 129 * 129,
        counted: "samples in a heightmap",
        reason: "as of a square of 1025: two million triangles for rays",
        advice: "resize the image, or lower `<sampling>`",
    },
    Row {
        limit: Limit::Head,
        most: 64 << 10,
        known: 4_000,
        counted: "bytes of a file that a list reads",
        reason: "a world or model describes itself at its beginning",
        advice: "move the description before the models",
    },
    Row {
        limit: Limit::Entries,
        most: 50_000,
        known: 309,
        counted: "folder entries visited for a list",
        reason: "a list of more is of no use to a person",
        advice: "name more specific sources",
    },
    Row {
        limit: Limit::Folders,
        most: 4,
        known: 2,
        counted: "folders below a source of a list",
        reason: "models are at most two folders deep, with a folder for each version",
        advice: "name more specific sources",
    },
    Row {
        limit: Limit::Sources,
        most: 1_000,
        known: 20,
        counted: "sources in the request for a list",
        reason: "each is searched in every folder of the search path",
        advice: "name the folders that contain them",
    },
    Row {
        limit: Limit::Measuring,
        most: 10,
        known: 1,
        counted: "seconds for measuring one model of a list",
        reason: "a model that takes longer is listed without its size",
        advice: "simplify its meshes",
    },
];

impl Limit {
    /// Returns its row in the table.
    #[must_use]
    pub fn row(self) -> &'static Row {
        // A test checks that the table has the order of the enum.
        &LIMITS[self as usize]
    }

    /// Returns the greatest allowed number.
    #[must_use]
    pub fn most(self) -> u64 {
        self.row().most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_limit_with_room_above_the_largest_known_world() {
        for (index, row) in LIMITS.iter().enumerate() {
            assert_eq!(row.limit as usize, index, "{:?}", row.limit);
            assert_eq!(row.limit.row(), row);
            let headroom = if row.limit == Limit::Folders { 2 } else { 10 };
            assert!(row.most >= headroom * row.known, "{:?}: {} of {}", row.limit, row.known, row.most);
            for text in [row.counted, row.reason, row.advice] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{:?}: {text}", row.limit);
            }
        }
        assert_eq!(LIMITS.len(), Limit::Measuring as usize + 1);
    }
}
