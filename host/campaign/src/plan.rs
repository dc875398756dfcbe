//! The plan of a campaign: its runs with their keys, and everything that a machine needs to execute them.
//!
//! A plan is frozen: later changes of files are found, and do not change it. Runs are numbers and texts are shared, so that
//! plans of many runs stay small.

mod hasher;
mod keys;
mod make;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::file::BridgeSet;
use crate::{Accept, Key, Limits};

pub use make::plan;
pub(crate) use make::variable;

/// Version of the format of plans.
const SCHEMA: &str = "bridgehead-campaign-plan/1";

/// A planned campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the format with its version.
    pub schema: String,
    /// Name of the campaign.
    pub name: String,
    /// The folder of the campaign file: runs start there, and relative paths of the plan are relative to it.
    pub root: PathBuf,
    /// The configuration that all runs begin with.
    pub config: Option<PathBuf>,
    /// Version of the program.
    pub version: String,
    /// Hash of the program.
    pub program: Key,
    /// Environment variables of all runs.
    pub environment: Vec<(String, String)>,
    /// Limits of each run.
    pub limits: Limits,
    /// What is accepted.
    pub accept: Accept,
    /// All input files with their hashes.
    pub files: Vec<(PathBuf, Key)>,
    /// Sets of input files, as numbers of [`Plan::files`].
    pub inputs: Vec<Vec<u32>>,
    /// Worlds.
    pub worlds: Vec<String>,
    /// Sets of bridges.
    pub bridges: Vec<BridgeSet>,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Values of each parameter.
    pub values: Vec<Vec<String>>,
    /// The value that each parameter has without being set: of the configuration; `None` if that depends on the world.
    pub defaults: Vec<Option<String>>,
    /// The values that worlds have in their files: numbers of the world and of the parameter, and the text.
    pub world_values: Vec<(u32, u16, String)>,
    /// Combinations of everything but the seed.
    pub cases: Vec<Case>,
    /// The runs.
    pub runs: Vec<PlannedRun>,
}

/// A combination of a world, bridges and parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Number of the world.
    pub world: u32,
    /// Number of the set of bridges.
    pub bridges: u32,
    /// Number of the set of input files.
    pub inputs: u32,
    /// Numbers of the parameters and of their values.
    pub parameters: Vec<(u16, u32)>,
}

/// A run of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Key, u32, u64)", into = "(Key, u32, u64)")]
pub struct PlannedRun {
    /// Its key.
    pub key: Key,
    /// Number of its case.
    pub case: u32,
    /// Its seed.
    pub seed: u64,
}

impl From<(Key, u32, u64)> for PlannedRun {
    fn from((key, case, seed): (Key, u32, u64)) -> Self {
        PlannedRun { key, case, seed }
    }
}

impl From<PlannedRun> for (Key, u32, u64) {
    fn from(run: PlannedRun) -> Self {
        (run.key, run.case, run.seed)
    }
}

impl Plan {
    /// Returns the case of a run.
    #[must_use]
    pub fn case(&self, run: &PlannedRun) -> &Case {
        // Numbers are checked when a plan is read.
        &self.cases[run.case as usize]
    }

    /// Returns the world of a case.
    #[must_use]
    pub fn world(&self, case: &Case) -> &str {
        &self.worlds[case.world as usize]
    }

    /// Returns the bridges of a case.
    #[must_use]
    pub fn bridges(&self, case: &Case) -> &BridgeSet {
        &self.bridges[case.bridges as usize]
    }

    /// Returns the names and values of the parameters of a case.
    pub fn parameters<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = (&'a str, &'a str)> {
        case.parameters.iter().map(|(name, value)| {
            let name = usize::from(*name);
            (self.names[name].as_str(), self.values[name][*value as usize].as_str())
        })
    }

    /// Returns the value that a parameter has in a world without being set; `None` if it has none.
    #[must_use]
    pub fn default_in(&self, world: &str, name: &str) -> Option<&str> {
        let number = self.names.iter().position(|known| known == name)?;
        let in_world = self.world_values.iter().find(|(of, parameter, _)| {
            usize::from(*parameter) == number && self.worlds.get(*of as usize).is_some_and(|of| of == world)
        });
        in_world.map(|(_, _, text)| text.as_str()).or(self.defaults[number].as_deref())
    }

    /// Returns the parameters of a case as one text, such as `run.substeps=2`; empty if there are none.
    #[must_use]
    pub fn shown_parameters(&self, case: &Case) -> String {
        let bridges = self.bridges(case);
        let parameters = self.parameters(case).map(|(name, value)| format!("{name}={value}"));
        let bridges = (self.bridges.len() > 1).then(|| format!("bridges={}", bridges.bridges.join("+")));
        parameters.chain(bridges).collect::<Vec<_>>().join(", ")
    }

    /// Returns the run with a key, or with the beginning of a key that only one run has.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&PlannedRun> {
        let mut found =
            self.runs.iter().filter(|run| !key.is_empty() && run.key.to_string().starts_with(key));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the number of digits with which people tell its keys apart.
    #[must_use]
    pub fn digits(&self) -> usize {
        /// Fewer are not read more easily.
        const LEAST: usize = 8;
        let mut keys: Vec<String> = self.runs.iter().map(|run| run.key.to_string()).collect();
        keys.sort_unstable();
        keys.dedup();
        let common =
            |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        let most = keys.windows(2).map(|pair| match pair {
            [one, other] => common(one, other),
            _ => 0,
        });
        most.max().map_or(LEAST, |most| LEAST.max(most + 1))
    }

    /// Writes the plan.
    ///
    /// # Errors
    /// Returns an error if the writer does.
    pub fn write(&self, to: impl Write) -> std::io::Result<()> {
        let mut to = std::io::BufWriter::new(to);
        serde_json::to_writer(&mut to, self)?;
        to.write_all(b"\n")?;
        to.flush()
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// Returns a text if it is not a plan of this version, or a number in it refers to nothing.
    pub fn read(from: impl BufRead) -> Result<Self, String> {
        let plan: Plan =
            serde_json::from_reader(from).map_err(|error| format!("it cannot be read: {error}"))?;
        if plan.schema != SCHEMA {
            return Err(format!("it has the format `{}`, and this program reads `{SCHEMA}`", plan.schema));
        }
        if plan.is_sound() { Ok(plan) } else { Err("a number in it refers to nothing".to_owned()) }
    }

    /// Returns true if every number refers to an entry.
    fn is_sound(&self) -> bool {
        let has = |length: usize, number: u32| (number as usize) < length;
        let of_case = |case: &Case| {
            has(self.worlds.len(), case.world)
                && has(self.bridges.len(), case.bridges)
                && has(self.inputs.len(), case.inputs)
                && case.parameters.iter().all(|(name, value)| {
                    self.values.get(usize::from(*name)).is_some_and(|values| has(values.len(), *value))
                })
        };
        self.names.len() == self.values.len()
            && self.names.len() == self.defaults.len()
            && self.inputs.iter().flatten().all(|file| has(self.files.len(), *file))
            && self.cases.iter().all(of_case)
            && self.runs.iter().all(|run| has(self.cases.len(), run.case))
    }

    /// Returns a path of the plan on this machine.
    #[must_use]
    pub fn path(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }
}

#[cfg(test)]
mod tests;
