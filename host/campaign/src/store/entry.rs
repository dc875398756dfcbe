//! What a store keeps about a run.

use serde::{Deserialize, Serialize};

use crate::Key;
use crate::digest::of_bytes;

/// Version of the format of entries.
const SCHEMA: &str = "bridgehead-campaign-entry/1";

/// Whether a finished run has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Exit code 0.
    Passed,
    /// Exit code 8 or 9.
    Failed,
}

/// One execution that gave no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Try {
    /// How it ended, such as `exit code 16` or `signal 9`.
    pub end: String,
    /// The last lines of its log.
    pub log: String,
    /// Wall time in seconds.
    pub wall_s: f64,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the format with its version.
    pub schema: String,
    /// The key.
    pub key: Key,
    /// Whether it has passed.
    pub verdict: Verdict,
    /// Exit code: 0, 8 or 9.
    pub exit_code: i32,
    /// The outcome in the result file.
    pub outcome: String,
    /// The cause of the outcome.
    pub cause: String,
    /// Hash of the last state; `None` if no step was executed.
    pub state_hash: Option<String>,
    /// The seed.
    pub seed: u64,
    /// Steps.
    pub steps: u64,
    /// Simulated time in nanoseconds.
    pub time_ns: u64,
    /// Simulated seconds per second of wall time.
    pub real_time_factor: Option<f64>,
    /// Tries before the one that finished.
    pub earlier: Vec<Try>,
    /// When the finished try began, milliseconds since 1970, UTC; `None` in entries of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_ms: Option<u64>,
    /// Processor cores of the machine; `None` in entries of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Wall time of the finished try, of the whole process, in seconds.
    pub wall_s: f64,
    /// The machine.
    pub machine: String,
    /// Hash of the result file.
    pub result: Key,
    /// Hash of all other fields, so that a later change is found.
    pub seal: Option<Key>,
}

impl Entry {
    /// Returns the name of the format.
    #[must_use]
    pub fn schema() -> String {
        SCHEMA.to_owned()
    }

    /// Returns the entry with its seal.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        let rounded = |value: f64| whole_millionths(value) / MILLION;
        self.wall_s = rounded(self.wall_s);
        self.real_time_factor = self.real_time_factor.map(rounded);
        self.earlier.iter_mut().for_each(|earlier| earlier.wall_s = rounded(earlier.wall_s));
        let seal = self.seal_of_fields();
        Entry { seal: Some(seal), ..self }
    }

    fn seal_of_fields(&self) -> Key {
        let mut open = Entry { seal: None, ..self.clone() };
        // A decimal number may be read back with another last bit.
        open.wall_s = whole_millionths(open.wall_s);
        open.real_time_factor = open.real_time_factor.map(whole_millionths);
        open.earlier.iter_mut().for_each(|earlier| earlier.wall_s = whole_millionths(earlier.wall_s));
        // A value without maps whose keys are not texts is always serialized.
        of_bytes(&serde_json::to_vec(&open).unwrap_or_default())
    }

    /// Reads the entry of a key; `name` is that of its file.
    ///
    /// # Errors
    /// Returns an error if it is damaged, or was changed after it had been written.
    pub(super) fn read(text: &[u8], key: Key, name: &str) -> Result<Self, String> {
        let entry: Entry =
            serde_json::from_slice(text).map_err(|error| format!("`{name}` is damaged: {error}"))?;
        match entry.fault(key) {
            Some(fault) => Err(format!("`{name}`: {fault}")),
            None => Ok(entry),
        }
    }

    /// Returns why the entry cannot be the one that was written for `key`; `None` if it can.
    #[must_use]
    pub fn fault(&self, key: Key) -> Option<String> {
        if self.schema != SCHEMA {
            return Some(format!("it has the format `{}`, and this program reads `{SCHEMA}`", self.schema));
        }
        if self.key != key {
            return Some(format!("it is the entry of the key {}", self.key));
        }
        if self.seal != Some(self.seal_of_fields()) {
            return Some(
                "its seal does not match its content: it was changed after it had been written".to_owned(),
            );
        }
        let code_fits = match self.verdict {
            Verdict::Passed => self.exit_code == 0,
            Verdict::Failed => matches!(self.exit_code, 8 | 9),
        };
        (!code_fits).then(|| format!("its verdict does not fit its exit code {}", self.exit_code))
    }

    /// Returns true if both are results of the same run: equal state, equal end.
    #[must_use]
    pub fn is_equal(&self, other: &Self) -> bool {
        self.state_hash == other.state_hash && self.exit_code == other.exit_code && self.steps == other.steps
    }
}

/// Decimal numbers of entries are whole numbers of this fraction.
const MILLION: f64 = 1e6;

fn whole_millionths(value: f64) -> f64 {
    (value * MILLION).round()
}

/// A key that has two different results: the run is not deterministic, or a result is forged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conflict {
    /// The key.
    pub key: Key,
    /// The entry that the store keeps.
    pub first: Entry,
    /// The later one.
    pub second: Entry,
}

/// A key without a result after all its tries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The key.
    pub key: Key,
    /// The tries, in order.
    pub tries: Vec<Try>,
    /// True if another try cannot help, as with a wrong configuration.
    pub is_final: bool,
}
