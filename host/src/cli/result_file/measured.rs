//! Statistics and versions in the result file.

use serde::{Deserialize, Serialize};

use crate::report::{Statistics, Versions};
use crate::statistics::Figures;

/// Statistics of the steps in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct StatisticsEntry {
    engine_time_s: FiguresEntry,
    simulator_time_s: FiguresEntry,
    controller_time_s: FiguresEntry,
    cycle_time_s: FiguresEntry,
    padding_time_s: FiguresEntry,
    controller_retries: FiguresEntry,
    achievable_factor: Option<f64>,
    achievable_factor_average: Option<f64>,
    effective_factor: Option<f64>,
    step_overruns: u64,
}

/// Figures in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FiguresEntry {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    std_deviation: f64,
    p50: f64,
    p99: f64,
}

/// Versions in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct VersionsEntry {
    program: String,
    abi: String,
    loaded: Vec<PluginVersionEntry>,
}

/// A plugin's version in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PluginVersionEntry {
    id: String,
    version: String,
    abi: String,
}

impl From<&Statistics> for StatisticsEntry {
    fn from(statistics: &Statistics) -> Self {
        let known = |factor: f64| Some(factor).filter(|factor| factor.is_finite() && *factor > 0.0);
        StatisticsEntry {
            engine_time_s: statistics.engine_time.into(),
            simulator_time_s: statistics.simulator_time.into(),
            controller_time_s: statistics.controller_time.into(),
            cycle_time_s: statistics.cycle_time.into(),
            padding_time_s: statistics.padding_time.into(),
            controller_retries: statistics.controller_retries.into(),
            achievable_factor: known(statistics.achievable_factor),
            achievable_factor_average: known(statistics.achievable_factor_average),
            effective_factor: known(statistics.effective_factor),
            step_overruns: statistics.overruns,
        }
    }
}

impl From<Figures> for FiguresEntry {
    fn from(figures: Figures) -> Self {
        let Figures { count, min, max, mean, std_deviation, p50, p99 } = figures;
        FiguresEntry { count, min, max, mean, std_deviation, p50, p99 }
    }
}

impl From<&Versions> for VersionsEntry {
    fn from(versions: &Versions) -> Self {
        let loaded = versions.plugins.iter().map(|plugin| PluginVersionEntry {
            id: plugin.id.clone(),
            version: plugin.version.clone(),
            abi: plugin.abi.clone(),
        });
        VersionsEntry {
            program: versions.program.clone(),
            abi: versions.abi.clone(),
            loaded: loaded.collect(),
        }
    }
}
