//! What the command line of `bridgehead ctl` looks like: a command for everything that may be asked of a host.
//!
//! Only texts are taken here; [`task`](super::task) makes requests of them. Main thread.

mod entity;
mod world;

use clap::{Args, Subcommand};

pub(in crate::cli) use entity::*;
pub(in crate::cli) use world::*;

use super::client::DEFAULT_ADDRESS;

const AFTER_HELP: &str = "\
Examples:
  bridgehead ctl status
  bridgehead ctl pause
  bridgehead ctl steps 1000
  bridgehead ctl spawn box.sdf --name box1 --pose '1 2 0.5 0 0 1.57'
  bridgehead ctl state box1 --json
  bridgehead ctl call get_entities '{\"filters\": {\"filter\": \"^car\"}}'

Exit codes:
  0  done
  1  the host refused it or failed at it, or the arguments are wrong
  2  no host was reached, or what answered is none";

const AFTER_STEPS_HELP: &str = "\
Ctrl-C asks the host to give up the rest; a second one ends this program at once.

Exit codes:
  0  all steps are done
  1  the host refused them, gave them up, or was asked to
  2  no host was reached, or what answered is none";

/// The arguments of `ctl`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, subcommand_required = true, arg_required_else_help = true)]
pub(in crate::cli) struct CtlArguments {
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    #[command(subcommand)]
    pub(in crate::cli) command: CtlCommand,
}

/// How the host is reached, and how its answers are shown.
#[derive(Debug, Args)]
pub(in crate::cli) struct Connection {
    /// Where the host listens
    #[arg(long, value_name = "HOST:PORT", global = true, env = "BRIDGEHEAD_HTTP", hide_env_values = true)]
    #[arg(default_value = DEFAULT_ADDRESS, display_order = 800)]
    pub(in crate::cli) address: String,
    /// The token that the host asks for, where it asks for one
    #[arg(long, value_name = "TOKEN", global = true, env = "BRIDGEHEAD_TOKEN", hide_env_values = true)]
    #[arg(display_order = 801)]
    pub(in crate::cli) token: Option<String>,
    /// How long to wait for an answer: `60s`, `500ms`, `10m`
    #[arg(long, value_name = "TIME", global = true, default_value = "60s", display_order = 802)]
    pub(in crate::cli) timeout: String,
    /// Print the answer as it came, as JSON
    #[arg(long, global = true, display_order = 803)]
    pub(in crate::cli) json: bool,
}

/// Everything that may be asked.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CtlCommand {
    /// Say how the host is: state, time, speed, errors, and what may be asked for
    Status,
    /// Say where the simulation is, or where an entity is
    ///
    /// Without a name: stopped, playing, paused, quitting, without a world, or loading one. With one: pose and
    /// motion of that entity in the world.
    State(StateArguments),
    /// Run, from a pause or from the stopped state
    Play(Reason),
    /// Let simulated time stand after the current step
    Pause(Reason),
    /// Go on after a pause
    Resume(Reason),
    /// End the run; the host ends too unless it is kept alive
    Stop(Reason),
    /// End the run, reset everything and stay playable
    Halt(Reason),
    /// Declare the run a success and end it
    Succeed(Reason),
    /// Declare the run a failure and end it
    Fail(Reason),
    /// Give up the run
    Abort(Reason),
    /// End the run and the host
    Quit(Reason),
    /// Run steps of a paused simulation, and wait until they are done
    Step {
        /// How many
        #[arg(default_value_t = 1)]
        steps: u64,
    },
    /// Run many steps of a paused simulation, and tell how far it is
    #[command(after_help = AFTER_STEPS_HELP)]
    Steps {
        /// How many
        steps: u64,
    },
    /// Reset time, state, spawned entities, or everything
    Reset(ResetArguments),
    /// Show state and statistics as they change, until Ctrl-C
    Watch(Rate),
    /// List entities
    Entities(Filters),
    /// List entities with poses and velocities
    States(Filters),
    /// Put an entity somewhere, or into motion
    SetState(SetStateArguments),
    /// Say what is known of an entity: category, description, tags
    Info(Name),
    /// Say something of an entity, in place of what was said before
    SetInfo(SetInfoArguments),
    /// Say how much room an entity takes
    Bounds(Name),
    /// Spawn an entity
    Spawn(SpawnArguments),
    /// Spawn several entities
    SpawnAll {
        /// A list of requests as `spawn_entity` takes them, in JSON; `-` for standard input
        #[arg(value_name = "FILE.json", value_hint = clap::ValueHint::FilePath)]
        file: String,
    },
    /// Take an entity out of the world
    Delete(Name),
    /// List models that can be spawned
    Spawnables(Sources),
    /// List the poses that the world gives a name
    Poses(Tags),
    /// Say how much room there is at a named pose
    PoseBounds(Name),
    /// Say which world is loaded
    World,
    /// List the worlds that can be loaded
    Worlds(WorldsArguments),
    /// Load a world in place of the current one
    Load(LoadArguments),
    /// Take the world away
    Unload,
    /// Read the world from its file again and begin anew
    Reload,
    /// Write the world as it stands into a file of the host
    Save(SaveArguments),
    /// Place the camera of the user interface; a saved world has it
    Camera {
        /// Metres and radians
        #[arg(value_name = POSE, allow_hyphen_values = true)]
        pose: String,
    },
    /// Lead a road along other points; a saved world has them
    Road {
        /// Name of the road
        road: String,
        /// Its centre line, metres
        #[arg(value_name = "X Y Z, X Y Z, ...", allow_hyphen_values = true)]
        points: String,
    },
    /// List the features of `simulation_interfaces` that the host has
    Features,
    /// Say what steps and plugins cost
    Stats {
        /// Begin anew instead
        #[arg(long)]
        reset: bool,
    },
    /// Set how fast simulated time runs
    Factor {
        /// Simulated seconds per second, or `unlimited`
        #[arg(value_name = "FACTOR|unlimited", allow_hyphen_values = true)]
        factor: String,
    },
    /// List plugins
    Plugins,
    /// List the sensors and plugins of the world, who serves them, and their topics
    Description,
    /// List bridges and their status
    Bridges {
        /// List where peers find what instead, for bridges that say so
        #[arg(long)]
        ports: bool,
    },
    /// Attach a bridge, or give one that is there another connection
    Connect {
        /// The vehicle, or `world`
        vehicle: String,
        /// Name of the bridge, as `bridgehead plugin list` shows it
        bridge: String,
        /// Its connection string
        #[arg(allow_hyphen_values = true)]
        connection: String,
    },
    /// Disconnect a bridge and take it away
    Disconnect {
        /// The bridge, such as `car1/logging`
        label: String,
    },
    /// List topics and what went over them
    Topics,
    /// Print the latest message of a topic, or those that come
    Echo(EchoArguments),
    /// Put a message on a topic
    Pub(PubArguments),
    /// List the triggers that wait
    Triggers,
    /// Add a trigger, or take one away
    Trigger {
        #[command(subcommand)]
        command: TriggerCommand,
    },
    /// List the triggers that ran
    History {
        /// Print them as a file that can be run again
        #[arg(long)]
        replay: bool,
    },
    /// List the services of the host, and the commands that ask them
    Services,
    /// Ask any service with a request of your own, and print the answer
    Call(CallArguments),
}

/// Commands about one trigger.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TriggerCommand {
    /// Add one trigger or a list of them, in the form of the configuration
    Add {
        /// JSON, or a file that holds it; `-` for standard input
        #[arg(value_name = "JSON|FILE")]
        triggers: String,
    },
    /// Take a trigger away
    Remove {
        /// Its number, as `triggers` shows it
        id: u64,
    },
}

/// Why another state is asked for.
#[derive(Debug, Args)]
pub(in crate::cli) struct Reason {
    /// Why, for the log and the result file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(in crate::cli) reason: String,
}

/// The arguments of `reset`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ResetArguments {
    /// What is reset: `all`, or some of `time`, `state` and `spawned`, with commas
    #[arg(long, value_name = "SCOPE", default_value = "all")]
    pub(in crate::cli) scope: String,
    /// Where the run goes then [default: as `simulation_interfaces` has it]
    #[arg(long, value_name = "STATE", value_parser = ["keep", "stopped", "play"])]
    pub(in crate::cli) then: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) reason: Reason,
    /// Ask with the service of `simulation_interfaces`, which tells less
    #[arg(long, conflicts_with_all = ["then", "reason"])]
    pub(in crate::cli) standard: bool,
}

/// How often something is told.
#[derive(Debug, Args)]
pub(in crate::cli) struct Rate {
    /// Show at most so many per second
    #[arg(long, value_name = "N")]
    pub(in crate::cli) rate: Option<f64>,
}

/// The arguments of `echo`.
#[derive(Debug, Args)]
pub(in crate::cli) struct EchoArguments {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// Print messages as they come, a line of JSON each, until Ctrl-C
    #[arg(long, short)]
    pub(in crate::cli) follow: bool,
    #[command(flatten)]
    pub(in crate::cli) rate: Rate,
    /// End after so many messages
    #[arg(long, short = 'n', value_name = "N", requires = "follow")]
    pub(in crate::cli) count: Option<u64>,
}

/// The arguments of `pub`.
#[derive(Debug, Args)]
pub(in crate::cli) struct PubArguments {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// The message in JSON, or a file that holds it; `-` for standard input
    #[arg(value_name = "JSON|FILE")]
    pub(in crate::cli) message: String,
    /// ROS name of the type, where the topic is new
    #[arg(long = "type", value_name = "TYPE", default_value = "", hide_default_value = true)]
    pub(in crate::cli) type_name: String,
}

/// The arguments of `call`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CallArguments {
    /// Name of the service, such as `get_entities`
    pub(in crate::cli) service: String,
    /// The request in JSON with ROS field names, or a file that holds it; `-` for standard input
    #[arg(value_name = "JSON|FILE", default_value = "{}")]
    pub(in crate::cli) request: String,
}
