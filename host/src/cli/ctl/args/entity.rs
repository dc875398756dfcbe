//! Arguments of the commands about entities.

use clap::{ArgGroup, Args, ValueEnum, ValueHint};

/// How a pose is written.
pub(super) const POSE: &str = "X Y Z [ROLL PITCH YAW]";

/// The name of an entity or of a pose.
#[derive(Debug, Args)]
pub(in crate::cli) struct Name {
    /// Its name
    pub(in crate::cli) name: String,
}

/// The arguments of `state`.
#[derive(Debug, Args)]
pub(in crate::cli) struct StateArguments {
    /// Name of the entity
    pub(in crate::cli) name: Option<String>,
    /// Request a state of the simulation with the service of `simulation_interfaces`
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "name")]
    pub(in crate::cli) set: Option<Wanted>,
}

/// A state that can be requested.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Wanted {
    Stopped,
    Playing,
    Paused,
    Quitting,
}

/// The requested tags.
#[derive(Debug, Args)]
pub(in crate::cli) struct Tags {
    /// Only with this tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(in crate::cli) tags: Vec<String>,
    /// Only with all of the tags, instead of any of them
    #[arg(long, requires = "tags")]
    pub(in crate::cli) all_tags: bool,
}

/// The requested entities; all given filters must match.
#[derive(Debug, Args)]
pub(in crate::cli) struct Filters {
    /// POSIX extended regular expression that matches part of the name
    #[arg(
        long,
        value_name = "ERE",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(in crate::cli) filter: String,
    /// Only of this category; may be given several times
    #[arg(long, value_enum, value_name = "CATEGORY")]
    pub(in crate::cli) category: Vec<Category>,
    #[command(flatten)]
    pub(in crate::cli) tags: Tags,
    #[command(flatten)]
    pub(in crate::cli) volume: Volume,
}

/// A volume in the world.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(in crate::cli) struct Volume {
    /// Only entities that overlap a box: two opposite corners, in metres
    #[arg(long = "box", value_name = "X Y Z X Y Z", allow_hyphen_values = true)]
    pub(in crate::cli) cuboid: Option<String>,
    /// Only entities that overlap a sphere: centre and radius, in metres
    #[arg(long, value_name = "X Y Z RADIUS", allow_hyphen_values = true)]
    pub(in crate::cli) sphere: Option<String>,
    /// Only entities that overlap the convex hull of these points, in metres
    #[arg(long, value_name = "X Y Z, X Y Z, ...", allow_hyphen_values = true)]
    pub(in crate::cli) hull: Option<String>,
}

/// The category of an entity.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Category {
    Object,
    Robot,
    Human,
    #[value(alias = "dynamic")]
    DynamicObject,
    #[value(alias = "static")]
    StaticObject,
}

/// The arguments of `set-state`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true).args(["pose", "twist", "acceleration"]))]
pub(in crate::cli) struct SetStateArguments {
    /// Its name
    pub(in crate::cli) name: String,
    /// Its pose, in metres and radians
    #[arg(long, value_name = POSE, allow_hyphen_values = true)]
    pub(in crate::cli) pose: Option<String>,
    /// Its velocity, in m/s and rad/s
    #[arg(long, value_name = "X Y Z [WX WY WZ]", allow_hyphen_values = true)]
    pub(in crate::cli) twist: Option<String>,
    /// Its acceleration, in m/s² and rad/s²
    #[arg(long, value_name = "X Y Z [WX WY WZ]", allow_hyphen_values = true)]
    pub(in crate::cli) acceleration: Option<String>,
    /// Entity in whose frame the values are given [default: the world]
    #[arg(long, value_name = "FRAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) frame: String,
}

/// The arguments of `set-info`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SetInfoArguments {
    /// Its name
    pub(in crate::cli) name: String,
    /// Its category
    #[arg(long, value_enum, value_name = "CATEGORY", default_value = "object")]
    pub(in crate::cli) category: Category,
    /// Description for people
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(in crate::cli) description: String,
    /// Tag for filters; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(in crate::cli) tags: Vec<String>,
}

/// The arguments of `spawn`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SpawnArguments {
    /// Model, as the host finds it: a path, a name, `model://`, `file://`, `package://`
    #[arg(value_name = "RESOURCE", required_unless_present = "string", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) resource: Option<String>,
    /// Send the text of a local file instead; `-` for standard input
    #[arg(long, value_name = "FILE|-", conflicts_with = "resource", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) string: Option<String>,
    /// Its name [default: that of the model]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) name: String,
    /// Choose another name if this one is taken
    #[arg(long)]
    pub(in crate::cli) rename: bool,
    /// Namespace of its topics, services and frames
    #[arg(long, value_name = "NAMESPACE", default_value = "", hide_default_value = true)]
    pub(in crate::cli) namespace: String,
    /// Its pose, in metres and radians [default: the origin]
    #[arg(long, value_name = POSE, allow_hyphen_values = true)]
    pub(in crate::cli) pose: Option<String>,
    /// Entity in whose frame the pose is given [default: the world]
    #[arg(long, value_name = "FRAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) frame: String,
}
