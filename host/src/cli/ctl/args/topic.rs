//! The command line of `bridgehead topic`: the words of `ros2 topic`, and the options of `gz topic` in place of a word.
//! Main thread.

use clap::{Args, Subcommand};

use super::connection::{Connection, Rate};

const AFTER_HELP: &str = "\
Examples:
  bridgehead topic list -t
  bridgehead topic echo /clock -n 3
  bridgehead topic hz /clock
  bridgehead topic pub /car1/cmd_vel '{\"linear\": {\"x\": 0.5}}'
  bridgehead topic pub /car1/cmd_vel geometry_msgs/msg/Twist 'linear: {x: 0.5}' -r 10
  bridgehead topic -e -t /clock -n 3

Exit codes:
  0  done
  1  the host refused the request or failed, there is no such topic, or the arguments are wrong
  2  no host was reached, another program answered, or the host ended";

/// The arguments of `topic`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, arg_required_else_help = true)]
pub(in crate::cli) struct TopicArguments {
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    #[command(subcommand)]
    pub(in crate::cli) command: Option<TopicCommand>,
    #[command(flatten)]
    pub(in crate::cli) gazebo: GazeboTopic,
}

/// What is requested about topics.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TopicCommand {
    /// List the names of topics
    List(Types),
    /// Print the messages of a topic, one line of JSON each, until Ctrl-C
    Echo(TopicEcho),
    /// Print the type of a topic
    Type(TopicName),
    /// List the topics of a type
    Find {
        /// ROS name of the type, such as `geometry_msgs/msg/Twist`
        #[arg(value_name = "TYPE")]
        type_name: String,
    },
    /// Show the type of a topic, the plugins that publish and subscribe to it, and its message counts
    ///
    /// The host does not tell the quality of service of a topic, or which bridges take its messages.
    Info(TopicName),
    /// Measure the rate of a topic once per second, until Ctrl-C
    ///
    /// Two rates are printed, over the last ten seconds: messages per second of simulated time, from the stamps of the
    /// messages, and per second of the wall clock.
    Hz(TopicHz),
    /// Publish a message on a topic, once unless a rate or a number is given
    #[command(override_usage = "bridgehead topic pub [OPTIONS] <TOPIC> [TYPE] <MESSAGE>")]
    Pub(TopicPub),
}

/// The options of `gz topic`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of `gz topic`, in place of a command")]
pub(in crate::cli) struct GazeboTopic {
    /// List the names of topics
    #[arg(short, long, group = "gz_topic")]
    pub(in crate::cli) list: bool,
    /// Show a topic
    #[arg(short, long, group = "gz_topic", requires = "topic")]
    pub(in crate::cli) info: bool,
    /// Print the messages of a topic
    #[arg(short, long, group = "gz_topic", requires = "topic")]
    pub(in crate::cli) echo: bool,
    /// Measure the rate of a topic
    #[arg(short, long, group = "gz_topic", requires = "topic")]
    pub(in crate::cli) frequency: bool,
    /// Publish this message, JSON or text such as `linear: {x: 0.5}`
    #[arg(short, long = "pub", group = "gz_topic", requires = "topic", value_name = "TEXT")]
    pub(in crate::cli) publish: Option<String>,
    /// Full name of the topic
    #[arg(short, long, value_name = "TOPIC")]
    pub(in crate::cli) topic: Option<String>,
    /// Type of the message; one of Gazebo, such as `gz.msgs.Twist`, stands for the type of the topic
    #[arg(
        short,
        long,
        value_name = "TYPE",
        requires = "publish",
        default_value = "",
        hide_default_value = true
    )]
    pub(in crate::cli) msgtype: String,
    /// End after this number of messages
    #[arg(short, long, value_name = "N", requires = "topic")]
    pub(in crate::cli) num: Option<u64>,
}

/// A topic.
#[derive(Debug, Args)]
pub(in crate::cli) struct TopicName {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
}

/// Whether a list has types.
#[derive(Debug, Args)]
pub(in crate::cli) struct Types {
    /// Print the type behind each name
    #[arg(short = 't', long = "types", visible_alias = "show-types")]
    pub(in crate::cli) types: bool,
}

/// The arguments of `topic echo`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TopicEcho {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// End after one message
    #[arg(long, conflicts_with = "count")]
    pub(in crate::cli) once: bool,
    /// End after this number of messages
    #[arg(long, short = 'n', value_name = "N")]
    pub(in crate::cli) count: Option<u64>,
    /// Print this field of each message only, such as `pose.pose.position`; members of lists have numbers: `ranges.0`
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    pub(in crate::cli) field: String,
    #[command(flatten)]
    pub(in crate::cli) rate: Rate,
}

/// The arguments of `topic hz`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TopicHz {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// End after this number of measurements
    #[arg(long, short = 'n', value_name = "N")]
    pub(in crate::cli) count: Option<u64>,
}

/// The arguments of `topic pub`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TopicPub {
    /// Full name of the topic
    pub(in crate::cli) topic: String,
    /// The message, behind its ROS type if the topic is new: JSON, text such as `linear: {x: 0.5}`, or a file with either;
    /// `-` for standard input
    #[arg(value_name = "MESSAGE", required = true, num_args = 1..=2, allow_hyphen_values = false)]
    pub(in crate::cli) words: Vec<String>,
    /// Publish once, as without a rate
    #[arg(long, short = '1', conflicts_with_all = ["rate", "count"])]
    pub(in crate::cli) once: bool,
    /// Publish this many times per second, until Ctrl-C
    #[arg(long, short, value_name = "N")]
    pub(in crate::cli) rate: Option<f64>,
    /// End after this number of messages; without a rate, one is published per second
    #[arg(long, short = 'n', value_name = "N", short_alias = 't', visible_alias = "times")]
    pub(in crate::cli) count: Option<u64>,
}
