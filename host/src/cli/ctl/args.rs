//! The command line of `bridgehead ctl`: a command for every request to a host.
//!
//! Values stay texts here; [`task`](super::task) makes requests of them. Main thread.

mod connection;
mod entity;
mod service;
mod topic;
mod world;

use clap::{Args, Subcommand};

pub(in crate::cli) use connection::*;
pub(in crate::cli) use entity::*;
pub(in crate::cli) use service::*;
pub(in crate::cli) use topic::*;
pub(in crate::cli) use world::*;

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
  1  the host refused the request or failed, or the arguments are wrong
  2  no host was reached, or another program answered";

const AFTER_STEPS_HELP: &str = "\
Ctrl-C requests the host to cancel the remaining steps; a second Ctrl-C ends this program at once.

Exit codes:
  0  all steps are done
  1  the host refused or aborted the steps, or they were cancelled
  2  no host was reached, or another program answered";

/// The arguments of `ctl`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, subcommand_required = true, arg_required_else_help = true)]
pub(in crate::cli) struct CtlArguments {
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    #[command(subcommand)]
    pub(in crate::cli) command: CtlCommand,
}

/// All requests.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CtlCommand {
    /// Show the host: state, time, speed, errors, and the allowed requests
    Status,
    /// Show the state of the simulation, or of an entity
    ///
    /// Without a name: stopped, playing, paused, quitting, without a world, or loading a world. With a name: pose and
    /// motion of that entity in the world frame.
    State(StateArguments),
    /// Run from a pause or from the stopped state
    Play(Reason),
    /// Pause after the current step
    Pause(Reason),
    /// Resume after a pause
    Resume(Reason),
    /// End the run; the host ends too unless it is kept alive
    Stop(Reason),
    /// End the run, reset everything and allow it to be played again
    Halt(Reason),
    /// Declare the run a success and end it
    Succeed(Reason),
    /// Declare the run a failure and end it
    Fail(Reason),
    /// Abort the run
    Abort(Reason),
    /// End the run and the host
    Quit(Reason),
    /// Run steps of a paused simulation, and wait until they are done
    Step {
        /// Number of steps
        #[arg(default_value_t = 1)]
        steps: u64,
    },
    /// Run many steps of a paused simulation, and show the progress
    #[command(after_help = AFTER_STEPS_HELP)]
    Steps {
        /// Number of steps
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
    /// Set the pose or motion of an entity
    SetState(SetStateArguments),
    /// Show the category, description and tags of an entity
    Info(Name),
    /// Replace the category, description and tags of an entity
    SetInfo(SetInfoArguments),
    /// Show the bounds of an entity
    Bounds(Name),
    /// Spawn an entity
    Spawn(SpawnArguments),
    /// Spawn several entities
    SpawnAll {
        /// JSON list of `spawn_entity` requests; `-` for standard input
        #[arg(value_name = "FILE.json", value_hint = clap::ValueHint::FilePath)]
        file: String,
    },
    /// Delete an entity
    Delete(Name),
    /// List models that can be spawned
    Spawnables(Sources),
    /// List the named poses of the world
    Poses(Tags),
    /// Show the bounds of a named pose
    PoseBounds(Name),
    /// Show the loaded world
    World,
    /// List the worlds that can be loaded
    Worlds(WorldsArguments),
    /// Load a world in place of the current one
    Load(LoadArguments),
    /// Unload the world
    Unload,
    /// Reload the world from its file
    Reload,
    /// Write the current world to a file of the host
    Save(SaveArguments),
    /// Write the exact state of the world to a file of the host, for `restore` and `run --restore`
    Snapshot(SaveArguments),
    /// Return a paused simulation to a snapshot of the same world with the same entities
    Restore {
        /// File, relative to the output folder of the host
        #[arg(value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
        path: String,
    },
    /// Place the camera of the user interface; a saved world keeps it
    Camera {
        /// Metres and radians
        #[arg(value_name = POSE, allow_hyphen_values = true)]
        pose: String,
    },
    /// Set the points of a road; a saved world keeps them
    Road {
        /// Name of the road
        road: String,
        /// Its centre line, in metres
        #[arg(value_name = "X Y Z, X Y Z, ...", allow_hyphen_values = true)]
        points: String,
    },
    /// List the supported features of `simulation_interfaces`
    Features,
    /// Show the time that steps and plugins take
    Stats {
        /// Reset the statistics instead
        #[arg(long)]
        reset: bool,
    },
    /// Set the real-time factor
    Factor {
        /// Simulated seconds per second, or `unlimited`
        #[arg(value_name = "FACTOR|unlimited", allow_hyphen_values = true)]
        factor: String,
    },
    /// List plugins
    Plugins,
    /// List the sensors and plugins of the world with the plugins that serve them and their topics
    Description,
    /// List what the world shows: visuals with their shapes and materials
    Scene,
    /// List all links with their poses in the world
    Links,
    /// List bridges and their status
    Bridges {
        /// List the ports of devices instead, for bridges that have ports
        #[arg(long)]
        ports: bool,
    },
    /// Attach a bridge, or change the connection of an attached bridge
    Connect {
        /// The vehicle, or `world`
        vehicle: String,
        /// Name of the bridge from `bridgehead plugin list`
        bridge: String,
        /// Its connection string
        #[arg(allow_hyphen_values = true)]
        connection: String,
    },
    /// Disconnect a bridge and remove it
    Disconnect {
        /// The bridge, such as `car1/logging`
        label: String,
    },
    /// List topics and their message counts
    Topics,
    /// Print the latest message of a topic, or follow the topic
    Echo(EchoArguments),
    /// Publish a message on a topic
    Pub(PubArguments),
    /// List the waiting triggers
    Triggers,
    /// Add or remove a trigger
    Trigger {
        #[command(subcommand)]
        command: TriggerCommand,
    },
    /// List the triggers that fired
    History {
        /// Print them as a file that a run can replay
        #[arg(long)]
        replay: bool,
    },
    /// List the services of the host, and the commands that use them
    Services,
    /// Call any service with a given request, and print the response
    Call(CallArguments),
}

/// Commands about one trigger.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TriggerCommand {
    /// Add one trigger or a list of them, in the form of the configuration
    Add {
        /// JSON, or a file with JSON; `-` for standard input
        #[arg(value_name = "JSON|FILE")]
        triggers: String,
    },
    /// Remove a trigger
    Remove {
        /// Its number from `triggers`
        id: u64,
    },
}

/// The reason for the request.
#[derive(Debug, Args)]
pub(in crate::cli) struct Reason {
    /// Reason for the log and the result file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(in crate::cli) reason: String,
}

/// The arguments of `reset`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ResetArguments {
    /// What is reset: `all`, or some of `time`, `state` and `spawned`, separated by commas
    #[arg(long, value_name = "SCOPE", default_value = "all")]
    pub(in crate::cli) scope: String,
    /// State after the reset [default: a paused simulation stays paused; otherwise as in `simulation_interfaces`]
    #[arg(long, value_name = "STATE", value_parser = ["keep", "stopped", "paused", "play"])]
    pub(in crate::cli) then: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) reason: Reason,
    /// Use the service of `simulation_interfaces`, which reports less
    #[arg(long, conflicts_with_all = ["then", "reason"])]
    pub(in crate::cli) standard: bool,
}

/// The arguments of `echo`.
#[derive(Debug, Args)]
pub(in crate::cli) struct EchoArguments {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// Print messages as they arrive, one line of JSON each, until Ctrl-C
    #[arg(long, short)]
    pub(in crate::cli) follow: bool,
    #[command(flatten)]
    pub(in crate::cli) rate: Rate,
    /// End after this number of messages
    #[arg(long, short = 'n', value_name = "N", requires = "follow")]
    pub(in crate::cli) count: Option<u64>,
}

/// The arguments of `pub`.
#[derive(Debug, Args)]
pub(in crate::cli) struct PubArguments {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// The message in JSON, or a file with it; `-` for standard input
    #[arg(value_name = "JSON|FILE")]
    pub(in crate::cli) message: String,
    /// ROS name of the type, if the topic is new
    #[arg(long = "type", value_name = "TYPE", default_value = "", hide_default_value = true)]
    pub(in crate::cli) type_name: String,
}

/// The arguments of `call`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CallArguments {
    /// Name of the service, such as `get_entities`
    pub(in crate::cli) service: String,
    /// The request in JSON with ROS field names, or a file with it; `-` for standard input
    #[arg(value_name = "JSON|FILE", default_value = "{}")]
    pub(in crate::cli) request: String,
}
