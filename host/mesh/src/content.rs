//! What can be wrong with the content of a mesh file: the causes that [`MeshError::Content`](super::MeshError) wraps.

use std::error::Error;

use bridgehead_sdf::{Diagnostic, ReadError};

/// Why the content of a mesh file cannot be used. The text is a clause about the file.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// The library for the format refused the file.
    #[error("{0}")]
    Reader(#[source] Box<dyn Error + Send + Sync>),
    /// The library for the format panicked.
    #[error("its parts do not fit together")]
    Inconsistent,
    /// A text format that is not UTF-8.
    #[error("it is not UTF-8: {0}")]
    Encoding(#[from] std::str::Utf8Error),
    /// COLLADA that is not well-formed XML; the text of the XML reader.
    #[error("{0}")]
    Xml(String),
    /// XML with another root element.
    #[error("its root element is `<{found}>`, expected `<COLLADA>`")]
    NotCollada {
        /// The root element.
        found: String,
    },
    /// No scene, hence nothing to show.
    #[error("it has no {0}")]
    NoScene(&'static str),
    /// A reference to an element that the file does not have.
    #[error("`<{element}>` refers to `{target}`, which does not exist")]
    NoTarget {
        /// The element with the reference.
        element: String,
        /// What it refers to.
        target: String,
    },
    /// Nodes that are nested too deeply, or too often.
    #[error("its nodes are nested more than {most} deep, or contain each other")]
    Nesting {
        /// The greatest depth that is read.
        most: usize,
    },
    /// More parts than any tool writes.
    #[error("it has more than {most} parts; its nodes may contain each other")]
    TooManyParts {
        /// The most parts that are read.
        most: usize,
    },
    /// Vertices or a primitive without positions.
    #[error("{0} has no positions")]
    NoPositions(&'static str),
    /// A COLLADA source without its array of numbers.
    #[error("a `<source>` has no `<float_array>`")]
    NoArray,
    /// Positions with fewer than three coordinates, or texture coordinates with fewer than two.
    #[error("a `<source>` has {found} numbers for each point, expected at least {expected}")]
    Coordinates {
        /// The numbers there are for each point.
        found: usize,
        /// The numbers that a point needs.
        expected: usize,
    },
    /// A polygon that is cut off.
    #[error("a polygon has fewer corners than its `<vcount>` says")]
    ShortPolygon,
    /// A word that should be a number.
    #[error("`{word}` in `<{element}>` is not a number")]
    NotANumber {
        /// The word.
        word: String,
        /// The element it is in.
        element: String,
    },
    /// A transform with too few or too many numbers.
    #[error("`<{element}>` has {found} numbers, expected {expected}")]
    Numbers {
        /// The element.
        element: String,
        /// How many it has.
        found: usize,
        /// How many it needs.
        expected: usize,
    },
    /// A binary STL that is shorter than its header says.
    #[error("its header says {count} triangles, but it has room for {room}")]
    ShortStl {
        /// The count in the header.
        count: u32,
        /// The triangles that fit into the file.
        room: usize,
    },
    /// A glTF binary without its binary chunk.
    #[error("its binary chunk is missing")]
    NoBinary,
    /// A glTF buffer in the file that is not base64.
    #[error("an embedded buffer cannot be decoded: {0}")]
    Base64(#[from] base64::DecodeError),
    /// A glTF buffer in another file that cannot be read.
    #[error("buffer file `{file}` cannot be read: {reason}")]
    BufferFile {
        /// The file.
        file: String,
        /// Why.
        reason: ReadError,
    },
    /// A glTF buffer in a file outside of the package of the mesh.
    #[error("buffer file `{file}` is outside of the folder of the mesh and of its package")]
    Outside {
        /// The file.
        file: String,
    },
    /// The budget of the reading does not suffice.
    #[error("{0}")]
    Stopped(Box<Diagnostic>),
    /// A glTF buffer that is cut off.
    #[error("buffer {index} has {found} of {expected} bytes")]
    ShortBuffer {
        /// Its index in the file.
        index: usize,
        /// Bytes there are.
        found: usize,
        /// Bytes it should have.
        expected: usize,
    },
    /// A point with an infinite coordinate or NaN.
    #[error("point {index} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the point in its part.
        index: usize,
    },
    /// More points than an index can count.
    #[error("it has {count} points in one part, expected fewer than 2^32")]
    TooManyPoints {
        /// The points of the part.
        count: usize,
    },
    /// A triangle with a corner that does not exist.
    #[error("a triangle refers to point {index}, but there are only {count} points")]
    NoPoint {
        /// The index.
        index: u32,
        /// The points of the part.
        count: usize,
    },
}

impl ContentError {
    /// Wraps the error of a library that reads a format.
    pub(super) fn reader(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Reader(Box::new(error))
    }
}
