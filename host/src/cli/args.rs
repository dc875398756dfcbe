//! The command line: commands, flags, and their help texts.
//!
//! Values stay texts here. [`settings`](RunArguments::settings) reads them with the same functions as the
//! configuration file, so that both report the same errors. Main thread.

pub(super) mod completions;
mod flags;
mod inspect;
mod map;
mod picture;
mod plugin;
mod run;
pub(super) mod verbosity;
mod xacro;

use std::path::PathBuf;
use std::sync::LazyLock;

use bridgehead_abi::{ABI_MAJOR, ABI_MINOR};
use clap::{Args, CommandFactory, FromArgMatches as _, Parser, Subcommand, ValueHint};

pub(super) use inspect::{CheckFilesArguments, DumpArguments};
pub(super) use map::MapArguments;
pub(super) use picture::{PictureArguments, Shown};
pub(super) use plugin::{
    InfoArguments, ListArguments, NewArguments, PluginCommand, PluginKind, PluginLanguage, ProbeArguments,
    ValidateArguments,
};
pub(super) use run::RunArguments;
pub(super) use verbosity::Verbosity;
pub(super) use xacro::XacroArguments;

use super::campaign::args::CampaignCommand;
use super::ctl::args::{CtlArguments, ServiceArguments, TopicArguments};
use super::world_file::DEMO;
use completions::CompletionsArguments;

/// Version of the program and of the plugin ABI.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (plugin ABI {ABI_MAJOR}.{ABI_MINOR})", env!("CARGO_PKG_VERSION")));

const AFTER_HELP: &str = "\
Examples:
  bridgehead demo
  bridgehead run world.sdf
  bridgehead run world.sdf --bridge '*=logging:run.mcap' --duration 10s --speed unlimited
  bridgehead check run.toml world.sdf
  bridgehead ctl status
  bridgehead plugin list
  bridgehead plugin probe target/debug/libmy_bridge.so";

const AFTER_RUN_HELP: &str = "\
Examples:
  Run a world for ten simulated seconds, as fast as possible, and log everything:
    bridgehead run world.sdf --bridge '*=logging:run.mcap' --duration 10s --speed unlimited
  Give two vehicles bridges of their own, and the world a third:
    bridgehead run world.sdf --bridge 'car1=logging:car1.jsonl' --bridge 'car2=logging:car2.mcap' \\
        --bridge 'world=logging:-'
  Judge a run in a script:
    bridgehead run world.sdf --duration 1m --require-success --result result.json

Exit codes:
  0   success, or stopped, also before the run began
  1   the configuration, the world or the temporary folder cannot be used, or a requested file, such
      as the result or a snapshot, cannot be written and the run has no other code
  4   not started: a required bridge or plugin did not start, or the start was aborted
  8   stopped without success, under --require-success
  9   failure, or the world is incomplete, unless under --on-loss ignore
  16  aborted; also 8 s after SIGINT, SIGTERM or SIGHUP if a step does not return
  130 or 143: a second SIGINT or SIGTERM ended the process at once";

const AFTER_CHECK_HELP: &str = "\
Exit codes:
  0  every file is valid
  1  a file has errors, or cannot be read";

const AFTER_DOCTOR_HELP: &str = "\
Exit codes:
  0  nothing is missing
  1  something is missing";

const AFTER_SAVE_HELP: &str = "\
Exit codes:
  0  the file is written
  1  nothing is written";

const AFTER_VIEW_HELP: &str = "\
Exit codes:
  0  ended by a signal
  1  the file cannot be shown, or the server cannot be started";

/// A headless simulation host for SDF worlds, with rigid-body physics and plugins
#[derive(Debug, Parser)]
#[command(name = "bridgehead", version = VERSION.as_str(), bin_name = "bridgehead", after_help = AFTER_HELP)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

impl Arguments {
    /// Returns the log level. `check` prints its findings as its result, so its log level is lower.
    pub(super) fn verbosity_of_log(&self) -> Verbosity {
        match (&self.command, self.verbosity.verbose, self.verbosity.quiet) {
            (Command::Check(_), 0, quiet) => Verbosity { verbose: 0, quiet: quiet.max(2) },
            // Its run is a means: only what may be wrong with the picture is of interest.
            (Command::World { command: WorldCommand::Picture(_) }, 0, quiet) => {
                Verbosity { verbose: 0, quiet: quiet.max(1) }
            }
            (_, verbose, quiet) => Verbosity { verbose, quiet },
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a world with its plugins and bridges
    ///
    /// Loads the world, starts its plugins, connects its bridges, and steps it until it is stopped: by its own
    /// plugins, by `--duration`, by a client, or by SIGINT, SIGTERM or SIGHUP.
    #[command(after_help = AFTER_RUN_HELP)]
    Run(Box<RunArguments>),
    /// Run an installed world with two vehicles, and show it in the browser
    ///
    /// The same as `bridgehead run two_vehicles --speed 1 --open`.
    Demo(DemoArguments),
    /// Check configuration files and worlds without running them
    ///
    /// Reads configuration files and worlds with all files they refer to, loads their plugins, creates the instances, and lets
    /// bridges parse their connection strings, as `run` does. Nothing is started, connected or written. For each file,
    /// the findings are printed, followed by OK or INVALID.
    #[command(after_help = AFTER_CHECK_HELP)]
    Check(CheckFilesArguments),
    /// Print the configuration of a run, with the origin of each value
    ///
    /// Takes the arguments of `run`. The output is a configuration file with the origin of each value in
    /// a comment: a file and line, an environment variable, a flag, or the default.
    Dump(Box<DumpArguments>),
    /// Execute many runs: a matrix of worlds, seeds, parameters and bridges
    ///
    /// A campaign file is expanded into runs. Each run has a key, the hash of everything that its result depends on, and the
    /// store keeps one result for each key, so that a repeated command executes only what is missing.
    Campaign {
        #[command(subcommand)]
        command: CampaignCommand,
    },
    /// Query or control a running host
    Ctl(Box<CtlArguments>),
    /// List, print, measure and publish topics of a running host, as `ros2 topic` and `gz topic` do
    Topic(Box<TopicArguments>),
    /// List, show and call services of a running host, as `ros2 service` and `gz service` do
    Service(Box<ServiceArguments>),
    /// Show a recording in the browser
    ///
    /// Serves the page of `run` over a recording, with a time line in place of the run control: the world in 3-D, and the
    /// messages of every topic with plots. `bridgehead run --record FILE.mcap` makes a recording with all of it; of other
    /// MCAP files of the logging bridge, the messages are shown. Ends with Ctrl+C.
    #[command(after_help = AFTER_VIEW_HELP)]
    View(ViewArguments),
    /// Begin, check and list plugins, with the reason for each refused file
    ///
    /// Plugins are searched in the folders of `--plugin-path`, of the configuration file, of the variable
    /// BRIDGEHEAD_PLUGIN_PATH, in the folder of the user, beside the program, and in `lib/bridgehead` beside its folder
    /// `bin`, in this order. Of two plugins with the same name, the first is used.
    Plugin {
        #[command(subcommand)]
        command: PluginCommand,
    },
    /// Check, print or change a world file
    ///
    /// Models and meshes are searched beside the file and in the folders of the variables
    /// BRIDGEHEAD_RESOURCE_PATH, SDF_PATH, GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH, CLOISIM_MODEL_PATH,
    /// CLOISIM_FILES_PATH, CLOISIM_WORLD_PATH and ROS_PACKAGE_PATH, in this order, then in `share` below those of
    /// AMENT_PREFIX_PATH. `package://` addresses are also searched in the folders above the file. Gazebo Fuel addresses are searched in the cache,
    /// GZ_FUEL_CACHE_PATH or `~/.gz/fuel`. Nothing is downloaded.
    World {
        #[command(subcommand)]
        command: WorldCommand,
    },
    /// Show what this installation can do, and what it lacks
    ///
    /// Each line is `ok`, `absent` for what some runs do without, or `missing`, followed by what to try.
    #[command(after_help = AFTER_DOCTOR_HELP)]
    Doctor(DoctorArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
}

/// The arguments of `doctor`.
#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    /// Folder or file to search for plugins before all others; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(super) plugin_path: Vec<PathBuf>,
}

/// The arguments of `demo`.
#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    /// Only print the address of the page
    #[arg(long)]
    pub(super) no_open: bool,
    /// Address of this machine for the page [default: 127.0.0.1:8090, or another port if that one is taken]
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) http: Option<String>,
}

impl DemoArguments {
    /// Returns the run that shows the demo and writes its files into the folder `output`.
    pub(super) fn run(&self, output: Option<&str>) -> Box<RunArguments> {
        let world = DEMO.trim_end_matches(".sdf");
        let mut words = vec!["bridgehead", "run", world, "--speed", "1"];
        words.extend(output.iter().flat_map(|folder| ["--output", folder]));
        words.extend(self.http.iter().flat_map(|address| ["--http", address]));
        words.extend((!self.no_open).then_some("--open"));
        let matches = command().try_get_matches_from(words);
        match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
            Ok(Arguments { command: Command::Run(run), .. }) => run,
            // Only if this file were wrong, which a test excludes.
            Ok(_) | Err(_) => Box::default(),
        }
    }
}

/// The arguments of `view`.
#[derive(Debug, Args)]
pub(super) struct ViewArguments {
    /// The recording
    #[arg(value_name = "FILE.mcap", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Address of this machine for the page [default: 127.0.0.1:8090, or another port if that one is taken]
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) http: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum WorldCommand {
    /// Print all findings about files, each with its place and what to try
    #[command(after_help = AFTER_CHECK_HELP)]
    Check(CheckArguments),
    /// Print the models, links and joints of a file, with their poses in the world frame
    #[command(after_help = AFTER_CHECK_HELP)]
    Print(PrintArguments),
    /// Change models of a file and write it, with unrelated text unchanged
    ///
    /// Comments, whitespace and the order of attributes are kept. A pose is written in the frame and the format that it has
    /// in the file. Without changes, the written file is identical byte for byte.
    #[command(after_help = AFTER_SAVE_HELP)]
    Save(SaveArguments),
    /// Draw what a camera sees of a file, and write it as PNG
    ///
    /// The picture is made by the plugin `camera` in a run of one step. Without `--camera`, the view is that of the
    /// `<camera>` in the `<gui>` of the world, or else one of all models from above.
    #[command(after_help = AFTER_SAVE_HELP)]
    Picture(PictureArguments),
    /// Write the occupancy grid of a file at a height, as `map_server` of Nav2 reads it
    ///
    /// A cell is occupied if a collision of a static model is in it: solids with their volume, meshes with their surface.
    /// Models that can move are not in the map, such as the robot itself, unless `--with` names them.
    /// Beside OUT.yaml, OUT.pgm is written.
    #[command(after_help = AFTER_SAVE_HELP)]
    Map(MapArguments),
}

/// The arguments of `world save`.
#[derive(Debug, Args)]
pub(super) struct SaveArguments {
    /// The SDF file
    #[arg(value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(super) output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Place a model in the world: metres and radians; may be given several times
    #[arg(long, value_name = "MODEL=X Y Z ROLL PITCH YAW", allow_hyphen_values = true)]
    pub(super) place: Vec<String>,
    /// Remove a model; may be given several times
    #[arg(long, value_name = "MODEL")]
    pub(super) remove: Vec<String>,
    /// Make a model static; may be given several times
    #[arg(long = "static", value_name = "MODEL")]
    pub(super) fix: Vec<String>,
    /// Place the camera of the user interface: metres and radians
    #[arg(long, value_name = "X Y Z ROLL PITCH YAW", allow_hyphen_values = true)]
    pub(super) camera: Option<String>,
    /// Set the points of a road, in metres; may be given several times
    #[arg(long, value_name = "ROAD=X Y Z, X Y Z, ...", allow_hyphen_values = true)]
    pub(super) road: Vec<String>,
    #[command(flatten)]
    pub(super) xacro: XacroArguments,
}

/// The arguments of `world check`.
#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// SDF files
    #[arg(value_name = "FILE.sdf", required = true, value_hint = ValueHint::FilePath)]
    pub(super) files: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub(super) strict: bool,
    /// Print a line of JSON for each file
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) xacro: XacroArguments,
}

/// The arguments of `world print`.
#[derive(Debug, Args)]
pub(super) struct PrintArguments {
    /// An SDF file
    #[arg(value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Print JSON, including the findings
    #[arg(long)]
    pub(super) json: bool,
    /// Print SDF: with included and merged models in place, and with every pose as numbers
    #[arg(long, conflicts_with = "json")]
    pub(super) sdf: bool,
    #[command(flatten)]
    pub(super) xacro: XacroArguments,
}

/// Returns the command line for clap.
pub(super) fn command() -> clap::Command {
    Arguments::command()
}
