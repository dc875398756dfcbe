//! Finds a smaller failing run: fewer parameters, a shorter duration, and the first step that differs from the nearest
//! passing run.
//!
//! Seeds have no order, so a seed is kept. Each candidate is executed in a folder that is removed afterwards.

mod search;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::Invocation;
use crate::pool::{Judged, Options, Surroundings, execute_one};
use crate::report::Report;
use crate::store::{Entry, Verdict};
use crate::{CampaignError, Plan, PlannedRun};
use bridgehead_files::open;

pub use search::{Candidate, Ending};
use search::{Trial, smaller};

/// The key of the configuration that limits simulated time.
const DURATION: &str = "run.duration";

/// A smaller failing run.
#[derive(Clone, Debug)]
pub struct Minimised {
    /// The run.
    pub invocation: Invocation,
    /// How it ends.
    pub ending: Ending,
    /// What was found out on the way, as sentences.
    pub notes: Vec<String>,
    /// The comparison with the nearest passing run, if the campaign has one.
    pub difference: Option<Difference>,
}

/// A comparison with a passing run.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The command of the passing run.
    pub passing: String,
    /// What differs: parameters with both values, or the seed.
    pub differs_in: Vec<String>,
    /// The first step after which the states differ; `None` if all common steps are equal.
    pub step: Option<u64>,
    /// The number of steps that both have.
    pub common: u64,
}

/// Makes a failed run smaller.
///
/// # Errors
/// Returns an error if the run has not failed, does not fail again in the same way, or cannot be started.
pub fn minimise(
    report: &Report<'_>,
    run: &PlannedRun,
    options: &Options,
    surroundings: &Surroundings<'_>,
) -> Result<Minimised, CampaignError> {
    let entry =
        report.runs.iter().find(|(known, _)| known.key == run.key).and_then(|(_, state)| state.entry());
    let refuse = |why: &str| CampaignError::Minimise { key: report.shown.key(&run.key), why: why.to_owned() };
    let entry = entry.ok_or_else(|| refuse("it has no result; only failed runs can be made smaller"))?;
    if entry.verdict == Verdict::Passed {
        return Err(refuse("it has passed"));
    }
    let invocation = Invocation::of(report.plan, report.plan.case(run), run.seed, &options.program);
    let mut runner = Runner { invocation, run, report, surroundings };
    let start = Candidate { parameters: runner.invocation.parameters.clone(), duration_ns: None };
    let found = smaller(&start, &ending(entry), &mut runner)?;
    let found = found
        .ok_or_else(|| refuse("a repetition does not end in the same way, so it is not deterministic"))?;
    let invocation = runner.with(&found.candidate);
    let difference = runner.difference(&invocation)?;
    Ok(Minimised { invocation, ending: found.ending, notes: found.notes, difference })
}

fn ending(entry: &Entry) -> Ending {
    Ending {
        exit_code: entry.exit_code,
        cause: entry.cause.clone(),
        time_ns: entry.time_ns,
        steps: entry.steps,
        state_hash: entry.state_hash.clone(),
    }
}

/// Executes candidates.
struct Runner<'a> {
    invocation: Invocation,
    run: &'a PlannedRun,
    report: &'a Report<'a>,
    surroundings: &'a Surroundings<'a>,
}

impl Trial for Runner<'_> {
    type Error = CampaignError;

    fn ending(&mut self, candidate: &Candidate) -> Result<Option<Ending>, CampaignError> {
        self.execute(&self.with(candidate), self.run, None)
    }
}

impl Runner<'_> {
    fn with(&self, candidate: &Candidate) -> Invocation {
        let mut parameters = candidate.parameters.clone();
        if let Some(duration_ns) = candidate.duration_ns {
            parameters.retain(|(name, _)| name != DURATION);
            parameters.push((DURATION.to_owned(), duration_text(duration_ns)));
        }
        Invocation { parameters, ..self.invocation.clone() }
    }

    /// Executes a run; `None` if it gives no result. The hashes of its steps are written into `hashes`.
    fn execute(
        &self,
        invocation: &Invocation,
        run: &PlannedRun,
        hashes: Option<&Path>,
    ) -> Result<Option<Ending>, CampaignError> {
        let store = self.surroundings.store;
        let folder = store.begin()?;
        let arguments = hashes.map(|path| vec!["--hash-log".into(), path.into()]).unwrap_or_default();
        let invocation = Invocation { arguments, ..invocation.clone() };
        let run = PlannedRun { seed: invocation.seed, ..*run };
        let (clock, stop) = (self.surroundings.clock, self.surroundings.stop);
        let judged = execute_one(&invocation, &run, &folder, &self.report.plan.limits, (clock, stop));
        store.discard(&folder);
        Ok(match judged? {
            Judged::Result(entry) => Some(ending(&entry)),
            Judged::Nothing { .. } => None,
        })
    }

    /// Compares a run with the nearest passing one, step by step.
    fn difference(&self, failing: &Invocation) -> Result<Option<Difference>, CampaignError> {
        let Some((passing, differs_in)) = self.nearest(failing) else { return Ok(None) };
        let folder = self.surroundings.store.begin()?;
        let paths: [PathBuf; 2] = ["failing", "passing"].map(|name| folder.join(name));
        let [of_failing, of_passing] = &paths;
        let executed = self
            .execute(failing, self.run, Some(of_failing))
            .and_then(|_| self.execute(&passing, self.run, Some(of_passing)));
        let compared = executed.map(|_| compare(of_failing, of_passing));
        self.surroundings.store.discard(&folder);
        let (step, common) = compared?;
        Ok(Some(Difference { passing: passing.shell(), differs_in, step, common }))
    }

    /// Returns the passing run that differs in the fewest parameters, and then in the seed, with what differs.
    fn nearest(&self, failing: &Invocation) -> Option<(Invocation, Vec<String>)> {
        let plan = self.report.plan;
        let passing = self.report.runs.iter().filter(|(_, state)| state.name() == "passed");
        let candidates = passing.filter(|(run, _)| {
            let case = plan.case(run);
            plan.world(case) == failing.world && plan.bridges(case).bridges == failing.bridges
        });
        let with_distance = candidates.map(|(run, _)| {
            let other = Invocation::of(plan, plan.case(run), run.seed, &failing.program);
            let differs = differing(plan, failing, &other);
            let is_other_seed = failing.seed != other.seed;
            ((differs.len(), is_other_seed), other, differs)
        });
        let (_, other, mut differs) = with_distance.min_by_key(|(distance, _, _)| *distance)?;
        if failing.seed != other.seed {
            differs.push(format!("seed: {} fails, {} passes", failing.seed, other.seed));
        }
        Some((other, differs))
    }
}

/// Returns a duration as people write it.
fn duration_text(duration_ns: u64) -> String {
    match duration_ns {
        whole if whole.is_multiple_of(1_000_000) => format!("{}ms", whole / 1_000_000),
        other => format!("{other}ns"),
    }
}

/// Returns the parameters that differ, except for the duration.
fn differing(plan: &Plan, failing: &Invocation, passing: &Invocation) -> Vec<String> {
    let value = |of: &Invocation, name: &str| {
        let set = of.parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
        set.or_else(|| plan.default_in(&of.world, name).map(str::to_owned))
    };
    let shown = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
    let mut names: Vec<&String> =
        failing.parameters.iter().chain(&passing.parameters).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let differs = names.into_iter().filter(|name| *name != DURATION).filter_map(|name| {
        let (fails, passes) = (value(failing, name), value(passing, name));
        (fails != passes).then(|| format!("{name}: {} fails, {} passes", shown(fails), shown(passes)))
    });
    differs.collect()
}

/// Returns the number of the first step whose lines differ, and the number of common steps. A missing file has no lines.
fn compare(first: &Path, second: &Path) -> (Option<u64>, u64) {
    let lines = |path: &Path| {
        open(path).map(|file| BufReader::new(file).lines()).into_iter().flatten().map_while(Result::ok)
    };
    let mut common = 0;
    for (number, (a, b)) in (1..).zip(lines(first).zip(lines(second))) {
        if a != b {
            return (Some(number), common);
        }
        common = number;
    }
    (None, common)
}

impl Minimised {
    /// Returns the result as a text for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text: String = self.notes.iter().map(|note| format!("  {note}\n")).collect();
        text.push_str(&format!(
            "It fails with exit code {} after {} steps, {} s of simulated time: {}\n",
            self.ending.exit_code,
            self.ending.steps,
            Duration::from_nanos(self.ending.time_ns).as_secs_f64(),
            self.ending.cause
        ));
        text.push_str(&format!("{}\n", self.invocation.shell()));
        match &self.difference {
            None => text.push_str("The campaign has no passing run of this world and these bridges.\n"),
            Some(difference) => {
                text.push_str(&format!(
                    "The nearest passing run differs in {}:\n",
                    difference.differs_in.join("; ")
                ));
                text.push_str(&format!("{}\n", difference.passing));
                text.push_str(&match difference.step {
                    Some(step) => format!("The states differ from step {step} on.\n"),
                    None => format!("The states of all {} common steps are equal.\n", difference.common),
                });
            }
        }
        text
    }
}
