//! What an MJCF is read as.

/// The outermost element of MJCF.
pub(crate) const ROOT: &str = "mujoco";

/// What a document is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A world, or a model alone.
    World,
    /// A model in a world that has its own ground.
    Part,
}
