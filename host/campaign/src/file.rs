//! The campaign file: TOML with the matrix of runs, their limits, and what is accepted.
//!
//! All mistakes are reported at once, with line and column. What the parameters mean is decided by the host when the
//! campaign is planned.

mod read;
mod value;

use std::path::{Path, PathBuf};

use crate::CampaignError;
use bridgehead_files::{MAX_OF_TEXT, read_text};

pub use value::{BridgeSet, SeedRange};

/// A campaign as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignFile {
    /// The file.
    pub path: PathBuf,
    /// Its name; the name of the file without its ending if it has none.
    pub name: String,
    /// The configuration that all runs begin with.
    pub config: Option<PathBuf>,
    /// Paths and patterns of further files that results depend on, each with its place.
    pub inputs: Vec<(String, String)>,
    /// The parameters of all runs, which a block can override.
    pub common: Vec<Axis>,
    /// `[matrix]`: the product of its lists.
    pub matrix: Option<Block>,
    /// `[[include]]`: further products, each of its own lists.
    pub includes: Vec<Block>,
    /// `[[exclude]]`: combinations that are left out.
    pub excludes: Vec<Block>,
    /// `[limits]`.
    pub limits: Limits,
    /// `[accept]`.
    pub accept: Accept,
}

/// A table of lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// `file:line:column` of the table.
    pub place: String,
    /// Paths and patterns of worlds, each with its place.
    pub worlds: Vec<(String, String)>,
    /// Seeds.
    pub seeds: Vec<SeedRange>,
    /// Sets of bridges.
    pub bridges: Vec<BridgeSet>,
    /// Parameters, in the order of the file.
    pub parameters: Vec<Axis>,
}

/// A parameter with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// A key of the configuration, such as `run.substeps`, or the path of a value of the world.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// The values as texts.
    pub values: Vec<String>,
}

/// What one run may use.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Wall time of one try, in seconds.
    pub time_s: f64,
    /// Memory of one try in bytes.
    pub memory: Option<u64>,
    /// Most tries of a run.
    pub tries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time_s: 3600.0, memory: None, tries: 3 }
    }
}

/// When the results are accepted.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Accept {
    /// The pass rate that the lower bound of each interval must reach; `None` if every run must pass.
    pub pass_rate: Option<f64>,
    /// Two-sided confidence of the intervals.
    pub confidence: f64,
    /// True if the rate is that of the whole campaign, false if each case must reach it.
    pub is_total: bool,
}

impl Default for Accept {
    fn default() -> Self {
        Accept { pass_rate: None, confidence: 0.95, is_total: false }
    }
}

impl CampaignFile {
    /// Reads a campaign file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has mistakes.
    pub fn read(path: &Path) -> Result<Self, CampaignError> {
        let text = read_text(path, MAX_OF_TEXT).map_err(|error| CampaignError::FileUnreadable {
            file: path.display().to_string(),
            reason: error.to_string(),
        })?;
        CampaignFile::parse(&text, path)
    }

    /// Reads the text of the campaign file at `path`.
    ///
    /// # Errors
    /// Returns an error if the text has mistakes.
    pub fn parse(text: &str, path: &Path) -> Result<Self, CampaignError> {
        read::file(text, path).map_err(CampaignError::File)
    }

    /// Returns the folder to which paths in the file are relative.
    #[must_use]
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        }
    }
}

#[cfg(test)]
mod tests;
