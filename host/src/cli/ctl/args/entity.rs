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
    /// Ask for a state of the simulation with the service of `simulation_interfaces`
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "name")]
    pub(in crate::cli) set: Option<Wanted>,
}

/// A state that may be asked for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Wanted {
    Stopped,
    Playing,
    Paused,
    Quitting,
}

/// Which tags are wanted.
#[derive(Debug, Args)]
pub(in crate::cli) struct Tags {
    /// Only with this tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(in crate::cli) tags: Vec<String>,
    /// Only with all of the tags, instead of any of them
    #[arg(long, requires = "tags")]
    pub(in crate::cli) all_tags: bool,
}

/// Which entities are wanted; what is given applies together.
#[derive(Debug, Args)]
pub(in crate::cli) struct Filters {
    /// A POSIX extended regular expression that is searched in the name
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
    /// Only what overlaps a box: two opposite corners, metres
    #[arg(long = "box", value_name = "X Y Z X Y Z", allow_hyphen_values = true)]
    pub(in crate::cli) cuboid: Option<String>,
    /// Only what overlaps a sphere: centre and radius, metres
    #[arg(long, value_name = "X Y Z RADIUS", allow_hyphen_values = true)]
    pub(in crate::cli) sphere: Option<String>,
    /// Only what overlaps the convex hull of these points, metres
    #[arg(long, value_name = "X Y Z, X Y Z, ...", allow_hyphen_values = true)]
    pub(in crate::cli) hull: Option<String>,
}

/// What kind of thing an entity is.
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
    /// Where it is put, metres and radians
    #[arg(long, value_name = POSE, allow_hyphen_values = true)]
    pub(in crate::cli) pose: Option<String>,
    /// Velocity it gets, m/s and rad/s
    #[arg(long, value_name = "X Y Z [WX WY WZ]", allow_hyphen_values = true)]
    pub(in crate::cli) twist: Option<String>,
    /// Acceleration it gets, m/s² and rad/s²
    #[arg(long, value_name = "X Y Z [WX WY WZ]", allow_hyphen_values = true)]
    pub(in crate::cli) acceleration: Option<String>,
    /// The entity in whose frame this is said [default: the world]
    #[arg(long, value_name = "FRAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) frame: String,
}

/// The arguments of `set-info`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SetInfoArguments {
    /// Its name
    pub(in crate::cli) name: String,
    /// What kind of thing it is
    #[arg(long, value_enum, value_name = "CATEGORY", default_value = "object")]
    pub(in crate::cli) category: Category,
    /// For people
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(in crate::cli) description: String,
    /// For filters; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(in crate::cli) tags: Vec<String>,
}

/// The arguments of `spawn`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SpawnArguments {
    /// What is spawned, as the host finds it: a path, a name, `model://`, `file://`, `package://`
    #[arg(value_name = "RESOURCE", required_unless_present = "string", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) resource: Option<String>,
    /// Send the text of a file of this machine instead; `-` for standard input
    #[arg(long, value_name = "FILE|-", conflicts_with = "resource", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) string: Option<String>,
    /// Its name [default: the one the resource has]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) name: String,
    /// Take another name where that one is taken
    #[arg(long)]
    pub(in crate::cli) rename: bool,
    /// Namespace of its topics, services and frames
    #[arg(long, value_name = "NAMESPACE", default_value = "", hide_default_value = true)]
    pub(in crate::cli) namespace: String,
    /// Where it is put, metres and radians [default: the origin]
    #[arg(long, value_name = POSE, allow_hyphen_values = true)]
    pub(in crate::cli) pose: Option<String>,
    /// The entity in whose frame the pose is said [default: the world]
    #[arg(long, value_name = "FRAME", default_value = "", hide_default_value = true)]
    pub(in crate::cli) frame: String,
}
