//! The result of a run as a JSON file, described in `docs/result-file.md`.
//!
//! Field names are stable: scripts read them. The file is written completely or not at all.

mod measured;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::atomic_file;
use crate::bus::TopicReport;
use crate::report::{BridgeResult, PluginResult, RunResult};
use crate::trigger::Record;
use crate::world::names::UnsupportedName;

use super::human::rate_hz;
use measured::{StatisticsEntry, VersionsEntry};

/// Version of the file format; increases when a field changes its meaning or is removed.
const SCHEMA: &str = "bridgehead-result/1";

/// A result in the file. Fields are described in `docs/result-file.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ResultFile {
    pub(super) schema: String,
    pub(super) outcome: String,
    pub(super) cause: String,
    pub(super) exit_code: u8,
    pub(super) world: Option<String>,
    pub(super) seed: u64,
    pub(super) steps: u64,
    pub(super) time_ns: u64,
    pub(super) total_steps: u64,
    pub(super) resets: u32,
    pub(super) wall_s: f64,
    pub(super) real_time_factor: Option<f64>,
    pub(super) state_hash: Option<String>,
    pub(super) topics: Vec<TopicEntry>,
    pub(super) bridges: Vec<BridgeEntry>,
    pub(super) plugins: Vec<PluginEntry>,
    pub(super) unsupported: Vec<UnsupportedEntry>,
    pub(super) triggers: Vec<Map<String, Value>>,
    pub(super) triggers_left_out: u64,
    pub(super) statistics: StatisticsEntry,
    pub(super) versions: VersionsEntry,
    pub(super) errors: Vec<String>,
}

/// A topic in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TopicEntry {
    pub(super) vehicle: Option<String>,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_name: String,
    pub(super) published: u64,
    pub(super) rate_hz: Option<f64>,
    pub(super) bytes: u64,
    pub(super) delivered: u64,
    pub(super) dropped: u64,
    pub(super) overflowed: u64,
    pub(super) missed: u64,
}

/// A bridge in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BridgeEntry {
    pub(super) label: String,
    pub(super) connection: String,
    pub(super) was_connected: bool,
    pub(super) connections: u32,
    pub(super) delivered: u64,
    pub(super) dropped: u64,
    pub(super) lost: u64,
    pub(super) missed: u64,
    pub(super) failure: Option<String>,
}

/// A plugin in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PluginEntry {
    pub(super) label: String,
    pub(super) plugin: String,
    pub(super) failure: Option<String>,
    pub(super) lost: u64,
    pub(super) calls: u64,
    pub(super) busy_s: f64,
    pub(super) longest_s: f64,
    pub(super) p50_s: f64,
    pub(super) p99_s: f64,
    pub(super) overruns: u64,
}

/// An unsupported name in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct UnsupportedEntry {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) place: Option<String>,
    pub(super) reason: String,
}

impl From<&RunResult> for ResultFile {
    fn from(result: &RunResult) -> Self {
        ResultFile {
            schema: SCHEMA.to_owned(),
            outcome: result.outcome.name().to_owned(),
            cause: result.cause.clone(),
            exit_code: result.exit_code,
            world: some(&result.world),
            seed: result.seed,
            steps: result.steps,
            time_ns: u64::try_from(result.time.as_nanos()).unwrap_or(u64::MAX),
            total_steps: result.total_steps,
            resets: result.resets,
            wall_s: result.wall.as_secs_f64(),
            real_time_factor: Some(result.real_time_factor).filter(|factor| factor.is_finite()),
            state_hash: (result.state_hash != 0).then(|| format!("{:016x}", result.state_hash)),
            topics: result.topics.iter().map(|topic| topic_entry(topic, result)).collect(),
            bridges: result.bridges.iter().map(bridge_entry).collect(),
            plugins: result.plugins.iter().map(plugin_entry).collect(),
            unsupported: result.unsupported.iter().map(unsupported_entry).collect(),
            triggers: result.triggers.records.iter().map(Record::to_json).collect(),
            triggers_left_out: result.triggers.left_out,
            statistics: StatisticsEntry::from(&result.statistics),
            versions: VersionsEntry::from(&result.versions),
            errors: result.errors.clone(),
        }
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn topic_entry(topic: &TopicReport, result: &RunResult) -> TopicEntry {
    TopicEntry {
        vehicle: some(&topic.vehicle),
        name: topic.name.clone(),
        type_name: topic.type_name.clone(),
        published: topic.published,
        rate_hz: rate_hz(topic.published, result.time),
        bytes: topic.bytes,
        delivered: topic.delivered,
        dropped: topic.dropped,
        overflowed: topic.overflowed,
        missed: topic.missed,
    }
}

fn bridge_entry(bridge: &BridgeResult) -> BridgeEntry {
    BridgeEntry {
        label: bridge.label.clone(),
        connection: bridge.connection.clone(),
        was_connected: bridge.was_connected,
        connections: bridge.connections,
        delivered: bridge.delivered,
        dropped: bridge.dropped,
        lost: bridge.lost,
        missed: bridge.missed,
        failure: some(&bridge.failure),
    }
}

fn plugin_entry(plugin: &PluginResult) -> PluginEntry {
    let durations = plugin.timing.durations.seconds();
    PluginEntry {
        label: plugin.label.clone(),
        plugin: plugin.plugin.clone(),
        failure: some(&plugin.failure),
        lost: plugin.lost,
        calls: plugin.timing.calls,
        busy_s: plugin.timing.busy.as_secs_f64(),
        longest_s: plugin.timing.longest.as_secs_f64(),
        p50_s: durations.p50,
        p99_s: durations.p99,
        overruns: plugin.timing.overruns,
    }
}

fn unsupported_entry(found: &UnsupportedName) -> UnsupportedEntry {
    UnsupportedEntry {
        kind: found.kind.name().to_owned(),
        name: found.name.clone(),
        count: found.count,
        place: found.place.as_ref().map(ToString::to_string),
        reason: found.reason.name().to_owned(),
    }
}

impl ResultFile {
    /// Returns the text of the file.
    ///
    /// # Errors
    /// Returns an error if the result cannot be serialized; this never happens for the result of a run.
    pub(super) fn to_json(&self) -> io::Result<String> {
        Ok(format!("{}\n", serde_json::to_string_pretty(self)?))
    }

    /// Writes the file and replaces an existing one.
    ///
    /// # Errors
    /// Returns an error if the folder is not writable or full; an existing file is then unchanged.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        atomic_file::write(path, self.to_json()?.as_bytes())
    }
}

#[cfg(test)]
mod tests;
