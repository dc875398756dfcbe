//! Why something cannot be drawn.

/// Why something cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The machine has no device that fits the choice.
    #[error("[BH-DRW-001] no graphics adapter {wanted}; found {found}")]
    NoAdapter {
        /// What was asked for.
        wanted: String,
        /// What there is.
        found: String,
    },
    /// The device refuses to work, or stopped.
    #[error("[BH-DRW-002] the graphics adapter `{adapter}` failed: {why}")]
    Device {
        /// Name of the adapter.
        adapter: String,
        /// Its words.
        why: String,
    },
    /// The memory is used up.
    #[error("[BH-DRW-004] `{what}` needs {megabytes} MB of the graphics adapter; it is {instead}")]
    TooHeavy {
        /// Address of a texture, or a mesh.
        what: String,
        /// Size.
        megabytes: u64,
        /// What is drawn of it.
        instead: &'static str,
    },
    /// More pixels than the device can draw.
    #[error(
        "[BH-DRW-003] an image of {width} × {height} pixels; the graphics adapter draws at most {longest} along a side"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// Pixels.
        longest: u32,
    },
}
