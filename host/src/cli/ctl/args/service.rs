//! The command line of `bridgehead service`: the words of `ros2 service`, and the options of `gz service` in place of a
//! word. Main thread.

use clap::{Args, Subcommand};

use super::connection::Connection;
use super::topic::Types;

const AFTER_HELP: &str = "\
Examples:
  bridgehead service list -t
  bridgehead service info spawn_entity
  bridgehead service call get_entities '{\"filters\": {\"filter\": \"^car\"}}'
  bridgehead service call /step_simulation simulation_interfaces/srv/StepSimulation 'steps: 10'
  bridgehead service -s /world/w/remove --reqtype gz.msgs.Entity --timeout 300 --req 'name: \"box\"'

Exit codes:
  0  done
  1  the host refused the request or failed, there is no such service, or the arguments are wrong
  2  no host was reached, or another program answered";

/// The arguments of `service`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, arg_required_else_help = true)]
pub(in crate::cli) struct ServiceArguments {
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    #[command(subcommand)]
    pub(in crate::cli) command: Option<ServiceCommand>,
    #[command(flatten)]
    pub(in crate::cli) gazebo: GazeboService,
}

/// What is requested about services.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ServiceCommand {
    /// List the names of services
    List(Types),
    /// Show what a service does, its type and the fields of its request and response
    Info {
        /// Name of the service
        service: String,
    },
    /// Call a service, and print the response as JSON
    #[command(override_usage = "bridgehead service call [OPTIONS] <SERVICE> [TYPE] [REQUEST]")]
    Call(ServiceCall),
}

/// The options of `gz service`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of `gz service`, in place of a command")]
pub(in crate::cli) struct GazeboService {
    /// List the names of services
    #[arg(short, long, conflicts_with_all = ["info", "req", "service"])]
    pub(in crate::cli) list: bool,
    /// Show a service
    #[arg(short, long, requires = "service", conflicts_with = "req")]
    pub(in crate::cli) info: bool,
    /// Name of the service
    #[arg(short, long, value_name = "SERVICE")]
    pub(in crate::cli) service: Option<String>,
    /// Type of the request; for one of Gazebo, such as `gz.msgs.WorldControl`, the request is the content of its
    /// counterpart here
    #[arg(long, value_name = "TYPE", requires = "req", default_value = "", hide_default_value = true)]
    pub(in crate::cli) reqtype: String,
    /// Type of the response; not checked if it is one of Gazebo
    #[arg(long, value_name = "TYPE", requires = "req", default_value = "", hide_default_value = true)]
    pub(in crate::cli) reptype: String,
    /// Call the service with this request, JSON or text; `--timeout` may then be a number of milliseconds
    #[arg(long, value_name = "TEXT", requires = "service")]
    pub(in crate::cli) req: Option<String>,
}

/// The arguments of `service call`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ServiceCall {
    /// Name of the service
    pub(in crate::cli) service: String,
    /// The request with ROS field names, possibly behind the ROS type of the service: JSON, text such as `steps: 10`, or a
    /// file with either; `-` for standard input [default: {}]
    #[arg(value_name = "REQUEST", num_args = 0..=2)]
    pub(in crate::cli) words: Vec<String>,
}
