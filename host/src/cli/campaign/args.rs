//! The arguments of `campaign`.

use std::path::PathBuf;

use bridgehead_campaign::Address;
use bridgehead_campaign::engine::ENGINES;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint, value_parser};

const AFTER_RUN_HELP: &str = "\
Examples:
  bridgehead campaign run nightly.toml
  bridgehead campaign run nightly.toml --engine slurm --shards 40 --engine-arg=--partition=short
  bridgehead campaign run nightly.toml --engine ray --engine-address http://head:8265
  bridgehead campaign run nightly.toml --engine k8s --image registry.example/sim:1 --claim campaign > job.yaml

Exit codes:
  0    every run has a result, and the results are accepted
  1    the campaign cannot be planned or executed, or the store cannot be used
  4    runs have no result
  8    every run has a result, and the results are not accepted
  9    a run has two different results, or an entry of the store was changed
  130  interrupted; finished runs are kept";

const AFTER_SHARD_HELP: &str = "\
Exit codes:
  0  every run of the shard has a result, whatever it is
  1  the shard cannot be executed, or an input differs from the plan
  4  runs have no result
  9  a run has two different results";

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CampaignCommand {
    /// Expand a campaign file into runs with keys, and write the plan into the store
    Plan(PlanArguments),
    /// Plan a campaign, execute the runs that have no result yet, and report
    #[command(after_help = AFTER_RUN_HELP)]
    Run(Box<RunArguments>),
    /// Execute one part of a planned campaign; engines start this command
    #[command(after_help = AFTER_SHARD_HELP)]
    Shard(ShardArguments),
    /// Write the report of a campaign as HTML, JUnit XML and CSV
    Report(ReportArguments),
    /// Find a smaller failing run: fewer parameters, a shorter duration, the first step that differs
    Minimise(MinimiseArguments),
}

/// The store of a campaign file.
#[derive(Debug, Args)]
pub(in crate::cli) struct StoreArguments {
    /// Folder or `s3://BUCKET/PREFIX` for plan and results [default: NAME.campaign]
    #[arg(long, value_name = "STORE", value_hint = ValueHint::DirPath)]
    pub(super) store: Option<Address>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct PlanArguments {
    /// The campaign file
    #[arg(value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) store: StoreArguments,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunArguments {
    /// The campaign file
    #[arg(value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) store: StoreArguments,
    /// Runs at the same time on this machine [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
    /// Begin no run after one has failed
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Execute also the runs that have a result, and compare their state hashes
    #[arg(long)]
    pub(super) again: bool,
    /// Folder for the report [default: the store, or NAME.campaign if that is a bucket]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) engine: EngineArguments,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct EngineArguments {
    /// What executes the runs: the cores of this machine, a job array of Slurm, a job of Ray, or an Indexed Job of Kubernetes whose manifest is printed
    #[arg(long, value_name = "ENGINE", default_value = "local", value_parser = PossibleValuesParser::new(ENGINES.iter().map(|(_, word, _)| *word)))]
    pub(super) engine: String,
    /// Number of shards [default: one for 25 runs]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000))]
    pub(super) shards: Option<u32>,
    /// Most shards at the same time
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(super) max_parallel: Option<u32>,
    /// Argument for `sbatch`, or option of the tasks of Ray as NAME=VALUE; may be given several times
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub(super) engine_arg: Vec<String>,
    /// Address of Ray [default: that of RAY_API_SERVER_ADDRESS or RAY_DASHBOARD_ADDRESS, else http://127.0.0.1:8265]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) engine_address: Option<String>,
    /// Path of this program on the other machines [default: its path here]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) program: Option<PathBuf>,
    /// Address of the store on the other machines [default: its address here]
    #[arg(long, value_name = "STORE")]
    pub(super) store_at: Option<Address>,
    /// Image of the pods of Kubernetes, with the program and all files of the plan
    #[arg(long, value_name = "IMAGE", required_if_eq("engine", "k8s"))]
    pub(super) image: Option<String>,
    /// Claim of the volume of Kubernetes that has the store, unless that is a bucket
    #[arg(long, value_name = "NAME")]
    pub(super) claim: Option<String>,
    /// Secret of Kubernetes with environment variables for the pods, such as the credentials of a bucket
    #[arg(long, value_name = "NAME")]
    pub(super) secret: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShardArguments {
    /// Which shard, from 1, of how many
    #[arg(value_name = "I/N")]
    pub(super) shard: String,
    /// The store with the plan
    #[arg(long, value_name = "STORE", value_hint = ValueHint::DirPath)]
    pub(super) store: Address,
    /// Runs at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
    /// Execute also the runs that have a result, and compare their state hashes
    #[arg(long)]
    pub(super) again: bool,
    /// Folder of the campaign file on this machine [default: that of the plan]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ReportArguments {
    /// The store of the campaign
    #[arg(long, value_name = "STORE", value_hint = ValueHint::DirPath)]
    pub(super) store: Address,
    /// Folder for the report [default: the store, or NAME.campaign if that is a bucket]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct MinimiseArguments {
    /// Key of a failed run, or its beginning
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    /// The store of the campaign
    #[arg(long, value_name = "STORE", value_hint = ValueHint::DirPath)]
    pub(super) store: Address,
}

/// Reads a number of processes.
fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse::<usize>().ok().filter(|jobs| (1..=1024).contains(jobs));
    jobs.ok_or_else(|| "write a number from 1 to 1024".to_owned())
}
