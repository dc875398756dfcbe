//! `bridgehead campaign`: many runs, made from a matrix of worlds, seeds, parameters and bridges.
//!
//! The crate `bridgehead-campaign` does the work; this module gives it what the host knows, and prints. Main thread.

pub(super) mod args;
mod engines;
mod facts;
mod progress;
mod reports;
mod session;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_campaign::engine::{Engine, Job, Shards, kubernetes, shard, slurm};
use bridgehead_campaign::pool::{Options, Surroundings, execute};
use bridgehead_campaign::report::{Outcome, Report, no_results};
use bridgehead_campaign::shown::Shown;
use bridgehead_campaign::{
    Address, CampaignError, CampaignFile, Plan, PlannedRun, Store, minimise, open, plan, verify,
};

use super::args::verbosity::Quiet;
use super::console::Console;
use super::finding::finding;
use super::printed::EXIT_CONFIGURATION;
use super::{printed, signals};
use crate::clock;
use args::{
    CampaignCommand, MinimiseArguments, ReportArguments, RunArguments, ShardArguments, StoreArguments,
};
use facts::Facts;
use progress::ConsoleProgress;
use session::Session;

/// Exit code after SIGINT, as shells report it.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs the command; returns the exit code.
pub(super) fn campaign(command: &CampaignCommand, quiet: Quiet, console: &'static Console) -> u8 {
    let session = Session { console, quiet, stop: Arc::default() };
    let outcome = match command {
        CampaignCommand::Plan(arguments) => session.plan(arguments),
        CampaignCommand::Run(arguments) => session.run(arguments),
        CampaignCommand::Shard(arguments) => session.shard(arguments),
        CampaignCommand::Report(arguments) => session.report(arguments),
        CampaignCommand::Minimise(arguments) => session.minimise(arguments),
    };
    match outcome {
        Ok(exit_code) => exit_code,
        Err(error) => {
            console.set_live("");
            session.complain(&error);
            if matches!(error, CampaignError::Interrupted) { EXIT_INTERRUPTED } else { EXIT_CONFIGURATION }
        }
    }
}

impl Session {
    fn plan(&self, arguments: &args::PlanArguments) -> Result<u8, CampaignError> {
        let (plan, store) = self.planned(&arguments.file, &arguments.store)?;
        let done = store.keys()?;
        let missing = plan.runs.iter().filter(|run| !done.contains(&run.key)).count();
        let text = format!(
            "{}: {} runs in {} cases, {missing} of them to execute\n  store  {}\n",
            plan.name,
            plan.runs.len(),
            plan.cases.len(),
            store.address()
        );
        Ok(printed(&text, 0, EXIT_CONFIGURATION, self.console))
    }

    /// Plans a campaign, and writes the plan into its store.
    fn planned(&self, file: &Path, store: &StoreArguments) -> Result<(Plan, Box<dyn Store>), CampaignError> {
        let file = CampaignFile::read(file)?;
        let config = file.config.as_ref().map(|config| file.folder().join(config));
        let (plan, notes) = plan(&file, &Facts::new(config))?;
        for note in notes {
            self.console.line(&format!("note: {note}"));
        }
        let address = store.store.clone().unwrap_or_else(|| Address::Folder(default_folder(&plan)));
        let store = open(&address)?;
        store.claim(&plan.name)?;
        store.write_plan(&plan)?;
        Ok((plan, store))
    }

    fn run(&self, arguments: &RunArguments) -> Result<u8, CampaignError> {
        let (plan, store) = self.planned(&arguments.file, &arguments.store)?;
        let done = if arguments.again { Default::default() } else { store.keys()? };
        let missing: Vec<&PlannedRun> = plan.runs.iter().filter(|run| !done.contains(&run.key)).collect();
        match Engine::named(&arguments.engine.engine).unwrap_or(Engine::Local) {
            Engine::Local => {
                self.execute(&plan, &missing, &*store, arguments.jobs, arguments.fail_fast)?;
            }
            Engine::Slurm => {
                let submit = |shards: &Shards| {
                    slurm::submit(shards, &arguments.engine.engine_arg, &folder(&plan, &*store))
                };
                self.distribute(&plan, &*store, missing.len(), arguments, submit)?;
            }
            Engine::Ray => {
                let submit = |shards: &Shards| engines::submit_to_ray(shards, &arguments.engine);
                self.distribute(&plan, &*store, missing.len(), arguments, submit)?;
            }
            Engine::Kubernetes => {
                let shards = self.shards(&plan, &*store, missing.len(), arguments)?;
                let manifest =
                    kubernetes::manifest(&shards, &engines::cluster(&arguments.engine, &shards.store)?);
                return Ok(printed(&manifest, 0, EXIT_CONFIGURATION, self.console));
            }
        }
        self.finish(&plan, &*store, arguments.output.as_deref())
    }

    /// Submits the runs that are missing to an engine, and waits for its job.
    fn distribute<J: Job>(
        &self,
        plan: &Plan,
        store: &dyn Store,
        missing: usize,
        arguments: &RunArguments,
        submit: impl FnOnce(&Shards) -> Result<J, CampaignError>,
    ) -> Result<(), CampaignError> {
        if missing == 0 {
            return Ok(());
        }
        self.watch_signals()?;
        let mut job = submit(&self.shards(plan, store, missing, arguments)?)?;
        engines::wait(self, &mut job, plan, store)
    }

    fn shards(
        &self,
        plan: &Plan,
        store: &dyn Store,
        missing: usize,
        arguments: &RunArguments,
    ) -> Result<Shards, CampaignError> {
        let again = arguments.again.then(|| "--again".to_owned());
        let arguments = &arguments.engine;
        let program = match &arguments.program {
            Some(program) => program.clone(),
            None => current_program()?,
        };
        Ok(Shards {
            campaign: plan.name.clone(),
            program,
            store: arguments.store_at.clone().unwrap_or_else(|| store.address().clone()),
            count: arguments.shards.unwrap_or_else(|| Shards::count_for(missing)),
            most_parallel: arguments.max_parallel,
            arguments: again.into_iter().collect(),
        })
    }

    /// Executes runs on this machine.
    fn execute(
        &self,
        plan: &Plan,
        runs: &[&PlannedRun],
        store: &dyn Store,
        jobs: Option<usize>,
        fail_fast: bool,
    ) -> Result<(), CampaignError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = jobs.unwrap_or(cores);
        let options = Options { program: current_program()?, jobs, fail_fast };
        self.watch_signals()?;
        let mut progress = ConsoleProgress::new(self.console, self.quiet, jobs, plan);
        let (begin, zero) = (clock::now(), clock::since_1970());
        let surroundings = Surroundings { store, clock: &|| begin.elapsed(), zero, stop: &self.stop };
        let outcome = execute(plan, runs, &options, &surroundings, &mut |event, counts| {
            progress.event(plan, event, counts)
        });
        self.console.set_live("");
        outcome.map(drop)
    }

    /// Makes the first signal end the command with finished runs kept.
    fn watch_signals(&self) -> Result<(), CampaignError> {
        let stop = Arc::clone(&self.stop);
        let watched = signals::watch(move |_| stop.store(true, Ordering::Relaxed), |_, _| {});
        watched.map_err(|error| CampaignError::Spawn {
            program: "signals".to_owned(),
            reason: error.to_string(),
        })
    }

    /// Reports what the store has.
    fn finish(&self, plan: &Plan, store: &dyn Store, output: Option<&Path>) -> Result<u8, CampaignError> {
        let report = Report::of(plan, store)?;
        let folder = output.map_or_else(|| folder(plan, store), Path::to_owned);
        let program = current_program()?;
        reports::write(&report, &folder, &program)?;
        let text =
            format!("{}  report      {}\n", report.summary(&program), folder.join(reports::PAGE).display());
        let exit_code = report.outcome().exit_code();
        Ok(printed(&text, exit_code, EXIT_CONFIGURATION, self.console))
    }

    fn shard(&self, arguments: &ShardArguments) -> Result<u8, CampaignError> {
        let (number, count) =
            shard(&arguments.shard).ok_or_else(|| CampaignError::Shard(arguments.shard.clone()))?;
        let store = open(&arguments.store)?;
        let mut plan = store.read_plan()?;
        plan.root = arguments.root.clone().unwrap_or(plan.root);
        let done = if arguments.again { Default::default() } else { store.keys()? };
        let mine = || plan.runs.iter().filter(|run| run.key.shard(count) == number);
        let missing: Vec<&PlannedRun> = mine().filter(|run| !done.contains(&run.key)).collect();
        let (fine, wrong) = if missing.is_empty() {
            (missing, Vec::new())
        } else {
            verify(&plan, missing, &current_program()?)?
        };
        wrong.iter().for_each(|error| self.complain(error));
        self.execute(&plan, &fine, &*store, arguments.jobs, false)?;
        let conflicts = store.conflicts()?;
        // Results of sampled runs need not be equal.
        let must_be_equal = |run: &&PlannedRun| !plan.bridges(plan.case(run)).sampled;
        let has_conflict =
            mine().filter(must_be_equal).any(|run| conflicts.iter().any(|conflict| conflict.key == run.key));
        let done = store.keys()?;
        let missing: Vec<&PlannedRun> = mine().filter(|run| !done.contains(&run.key)).collect();
        let reasons = missing.iter().map(|run| (*run, "the shard is not complete".to_owned()));
        for text in no_results(&plan, &Shown::of(&plan), reasons) {
            self.console.line(&finding("error", "", &text));
        }
        // A failed run is a result too: an engine must not repeat the shard because of it.
        Ok(match (wrong.is_empty(), has_conflict, missing.is_empty()) {
            (false, _, _) => EXIT_CONFIGURATION,
            (true, true, _) => Outcome::Unstable.exit_code(),
            (true, false, false) => Outcome::Incomplete.exit_code(),
            (true, false, true) => 0,
        })
    }

    fn report(&self, arguments: &ReportArguments) -> Result<u8, CampaignError> {
        let store = open(&arguments.store)?;
        let plan = store.read_plan()?;
        self.finish(&plan, &*store, arguments.output.as_deref())
    }

    fn minimise(&self, arguments: &MinimiseArguments) -> Result<u8, CampaignError> {
        let store = open(&arguments.store)?;
        let plan = store.read_plan()?;
        let unknown = || {
            let text = format!(
                "no run of the campaign `{}`, or more than one, has the key `{}`; try: a key of the report, or its beginning",
                plan.name, arguments.key
            );
            CampaignError::Key(text)
        };
        let run = plan.find(&arguments.key).ok_or_else(unknown)?;
        let program = current_program()?;
        let (_, wrong) = verify(&plan, vec![run], &program)?;
        if let Some(error) = wrong.into_iter().next() {
            return Err(error);
        }
        let report = Report::of(&plan, &*store)?;
        self.watch_signals()?;
        let (begin, zero) = (clock::now(), clock::since_1970());
        let surroundings =
            Surroundings { store: &*store, clock: &|| begin.elapsed(), zero, stop: &self.stop };
        let options = Options { program, jobs: 1, fail_fast: false };
        let found = minimise::minimise(&report, run, &options, &surroundings)?;
        Ok(printed(&found.text(), 0, EXIT_CONFIGURATION, self.console))
    }
}

/// Returns the folder of this machine for what belongs to a campaign: its store, unless that is a bucket.
fn folder(plan: &Plan, store: &dyn Store) -> PathBuf {
    match store.address() {
        Address::Folder(folder) => folder.clone(),
        Address::Bucket { .. } => default_folder(plan),
    }
}

fn default_folder(plan: &Plan) -> PathBuf {
    PathBuf::from(format!("{}.campaign", plan.name))
}

fn current_program() -> Result<PathBuf, CampaignError> {
    std::env::current_exe()
        .map_err(|error| CampaignError::Spawn { program: "bridgehead".to_owned(), reason: error.to_string() })
}
