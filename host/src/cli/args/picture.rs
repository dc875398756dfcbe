//! The arguments of `world picture`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::xacro::XacroArguments;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Shown {
    /// Colours
    Color,
    /// Depths in grey, the nearest white
    Depth,
    /// A colour for each object with a label
    Labels,
    /// The shapes that make contact, by rays
    Collisions,
}

/// The arguments of `world picture`.
#[derive(Debug, Args)]
pub(in crate::cli) struct PictureArguments {
    /// The SDF file
    #[arg(value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) file: PathBuf,
    /// The PNG file to write
    #[arg(value_name = "OUT.png", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(in crate::cli) overwrite: bool,
    /// What to show
    #[arg(long, value_name = "WHAT", value_enum, default_value = "color")]
    pub(in crate::cli) show: Shown,
    /// Size in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720")]
    pub(in crate::cli) size: String,
    /// Place of the camera, which looks along x: metres and radians
    #[arg(long, value_name = "X Y Z ROLL PITCH YAW", allow_hyphen_values = true)]
    pub(in crate::cli) camera: Option<String>,
    /// Horizontal field of view, radians
    #[arg(long, value_name = "RADIANS", default_value_t = 1.047)]
    pub(in crate::cli) field_of_view: f64,
    /// Folder or file to search for plugins before all others; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) plugin_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) xacro: XacroArguments,
}
