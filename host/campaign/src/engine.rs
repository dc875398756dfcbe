//! Engines: programs that start shards of a campaign on other machines.
//!
//! An engine starts shards and nothing else. It schedules, watches nodes and repeats what they lose; what it says about the
//! end is not believed, because the store has the results. To add an engine, add a row to [`ENGINES`] and a module that
//! starts [`Shards::command`] once for each shard.

pub mod kubernetes;
pub mod ray;
pub mod slurm;

use std::path::PathBuf;

use crate::command::quoted;
use crate::{Address, CampaignError};

/// An engine of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The pool of this machine.
    Local,
    /// A job array of Slurm.
    Slurm,
    /// A job of Ray.
    Ray,
    /// A manifest for Kubernetes on standard output.
    Kubernetes,
}

/// All engines, with the word of the command line and the meaning.
pub const ENGINES: &[(Engine, &str, &str)] = &[
    (Engine::Local, "local", "the cores of this machine"),
    (Engine::Slurm, "slurm", "one job array of Slurm"),
    (Engine::Ray, "ray", "one job of Ray, with a task for each shard"),
    (Engine::Kubernetes, "k8s", "the manifest of an Indexed Job of Kubernetes, on standard output"),
];

impl Engine {
    /// Returns the engine with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        ENGINES.iter().find(|(_, known, _)| *known == word).map(|(engine, _, _)| *engine)
    }
}

/// Questions in a row that an engine has left without a usable answer, as during a restart of its controller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Unanswered(u32);

impl Unanswered {
    const MAX: u32 = 30;

    fn answered(&mut self) {
        self.0 = 0;
    }

    /// Counts a question; returns true, because the job may run, until there are too many.
    fn add(&mut self, engine: &'static str, job: &str, reason: String) -> Result<bool, CampaignError> {
        self.0 += 1;
        if self.0 > Self::MAX {
            return Err(CampaignError::JobLost { engine, job: job.to_owned(), reason });
        }
        Ok(true)
    }
}

/// A submitted job of an engine.
pub trait Job {
    /// Returns the word of the engine.
    fn engine(&self) -> &'static str;

    /// Returns the id that the engine gave the job.
    fn id(&self) -> &str;

    /// Returns true if the job waits or runs. How it ended does not matter: the store has the results.
    ///
    /// # Errors
    /// Returns an error if the engine does not answer for a long time.
    fn is_alive(&mut self) -> Result<bool, CampaignError>;

    /// Returns what the engine says about the end of a job, if it may help to find out why runs have no result.
    fn reason(&self) -> Option<&str>;

    /// Ends the job and its shards.
    ///
    /// # Errors
    /// Returns an error if the job may still run.
    fn stop(&self) -> Result<(), CampaignError>;
}

/// The shards that an engine starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// The campaign.
    pub campaign: String,
    /// The program on the other machines.
    pub program: PathBuf,
    /// The store on the other machines.
    pub store: Address,
    /// Number of shards.
    pub count: u32,
    /// Most shards at the same time.
    pub most_parallel: Option<u32>,
    /// Further arguments of `bridgehead campaign shard`.
    pub arguments: Vec<String>,
}

impl Shards {
    /// Returns the command of a shard for a POSIX shell; `number` is an arithmetic expression from 1.
    #[must_use]
    pub fn command(&self, number: &str) -> String {
        let arguments: String = self.arguments.iter().map(|word| format!(" {}", quoted(word))).collect();
        format!(
            "exec {} campaign shard \"$(({number}))/{}\" --store {} --jobs 1{arguments}",
            quoted(&self.program.to_string_lossy()),
            self.count,
            quoted(&self.store.to_string())
        )
    }

    /// Returns a number of shards for this many runs: so many runs in each that starting a shard takes little of its time.
    #[must_use]
    pub fn count_for(runs: usize) -> u32 {
        /// Runs in a shard; starting one takes about a second.
        const RUNS: usize = 25;
        /// The default limit of Slurm on the size of an array.
        const MAX: u32 = 1000;
        u32::try_from(runs.div_ceil(RUNS)).unwrap_or(MAX).clamp(1, MAX)
    }
}

/// Reads `I/N`; returns the number from 0, and the count.
#[must_use]
pub fn shard(text: &str) -> Option<(u32, u32)> {
    let (number, count) = text.split_once('/')?;
    let (number, count) = (number.parse::<u32>().ok()?, count.parse::<u32>().ok()?);
    (1..=count).contains(&number).then(|| (number - 1, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(shard("1/3"), Some((0, 3)));
        assert_eq!(shard("3/3"), Some((2, 3)));
        for text in ["0/3", "4/3", "1", "1/0", "a/3", "1/3/5", "-1/3", ""] {
            assert_eq!(shard(text), None, "{text}");
        }
    }

    #[test]
    fn the_words_of_engines_are_unique() {
        for (engine, word, _) in ENGINES {
            assert_eq!(Engine::named(word), Some(*engine));
        }
        assert_eq!(Engine::named("cloud"), None);
    }

    #[test]
    fn shards_have_many_runs() {
        assert_eq!([0, 1, 25, 26, 10_000, 1_000_000].map(Shards::count_for), [1, 1, 1, 2, 400, 1000]);
    }
}
