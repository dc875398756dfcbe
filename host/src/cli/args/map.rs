//! The arguments of `world map`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::xacro::XacroArguments;

/// The arguments of `world map`.
#[derive(Debug, Args)]
pub(in crate::cli) struct MapArguments {
    /// The SDF file
    #[arg(value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) file: PathBuf,
    /// The YAML file to write, beside which the image is written
    #[arg(value_name = "OUT.yaml", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    pub(in crate::cli) overwrite: bool,
    /// Height above the origin of the world, metres: that of the lidar
    #[arg(long, value_name = "METRES", default_value_t = 0.2, allow_hyphen_values = true)]
    pub(in crate::cli) height: f64,
    /// Length of the sides of a cell, metres
    #[arg(long, value_name = "METRES", default_value_t = 0.05, allow_hyphen_values = true)]
    pub(in crate::cli) resolution: f64,
    /// The area, metres; by default that of all models in the map, and one metre around it
    #[arg(long, value_name = "X_MIN Y_MIN X_MAX Y_MAX", allow_hyphen_values = true)]
    pub(in crate::cli) area: Option<String>,
    /// A place of the robot, metres: what cannot be reached from there is unknown instead of free
    #[arg(long, value_name = "X Y", allow_hyphen_values = true)]
    pub(in crate::cli) from: Option<String>,
    /// A model that can move and is in the map; may be given several times
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) with: Vec<String>,
    /// A static model that is not in the map; may be given several times
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) without: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) xacro: XacroArguments,
}
