//! The page of names, generated from the table that selects plugins.

use std::fmt::Write as _;

use super::page::NOTE;
use crate::world::names::{
    Change, Family, Name, Parameter, Part, Provider, RosTopic, Translation, names as all,
};

/// Texts above each table.
const FAMILIES: &[(Family, &str, &str)] = &[
    (
        Family::GazeboSystem,
        "Gazebo systems",
        "By the `filename` of a `<plugin>`.\n\
         All spellings are one name: `gz-sim-diff-drive-system`, `libgz-sim-diff-drive-system.so`, \
         `libgz-sim8-diff-drive-system.so`, `ignition-gazebo-diff-drive-system`, \
         `static://gz::sim::systems::DiffDrive`.\n\
         If the file is unknown or missing, and the `name` is a class, the class is used: \
         `gz::sim::systems::DiffDrive`, `ignition::gazebo::systems::DiffDrive`.\n\
         The plugins read the parameters of the systems.\n\
         A topic given without a leading `/` is the same for all models, as in Gazebo; topics that are not given \
         belong to the vehicle.",
    ),
    (Family::Sensor, "Sensors", "By the `type` of a `<sensor>`, with its SDF parameters."),
    (
        Family::CloisimPlugin,
        "CLOiSim plugins",
        "By the `filename` of a `<plugin>`, with or without `lib` and `.so`.\n\
         A plugin inside a `<sensor>` has no instance: the sensor takes over its parameters.\n\
         Bridges get the element as it is written, and read their parameters from it.\n\
         A joint may be given by its own name, by the name of the link that it carries, or by the name of the nested \
         model that contains that link.",
    ),
    (
        Family::RosPlugin,
        "ROS plugins for Gazebo",
        "By the `filename` of a `<plugin>`, with or without `lib` and `.so`; most of them are for Gazebo Classic.\n\
         A plugin inside a `<sensor>` has no instance: the sensor takes over its parameters.\n\
         `<ros>` gives the namespace and the remappings of the topics; in files for ROS 1, `<robotNamespace>` and the \
         parameters of topics do.\n\
         A topic without a namespace is the same for all models.",
    ),
];

/// Returns the page of names.
#[must_use]
pub fn names() -> String {
    let mut page = String::from(NOTE);
    page.push_str("# Names\n\n");
    page.push_str(
        "Names of sensors and plugins in world files of other simulators, and the plugins that serve them here.\n",
    );
    page.push_str(
        "An unsupported name is reported once, with its count and the first place, and the run continues.\n",
    );
    page.push_str("Your own plugin with such a name serves it as soon as it is loaded.\n");
    page.push_str("Every other name is the name of a plugin.\n");
    for (family, title, about) in FAMILIES {
        let rows = || all().filter(|row| row.family == *family);
        let _ = write!(page, "\n## {title}\n\n{about}\n\n| name | served by |\n|---|---|\n");
        rows().for_each(|row| write_row(&mut page, row));
        write_translations(&mut page, *family);
    }
    page
}

fn write_row(page: &mut String, row: &Name) {
    let served = match row.provider {
        Provider::Plugin(plugin) => format!("`{plugin}`"),
        Provider::Host => String::from("the host, always"),
        Provider::Sensor => String::from("the sensor that contains it"),
        Provider::Sensors => String::from("the sensors of its model, which the bridge `cloisim` combines"),
        Provider::Elsewhere(instead) => format!("elsewhere: {instead}"),
        Provider::Unsupported("") => String::from("no counterpart yet"),
        Provider::Unsupported(instead) => format!("no counterpart yet; {instead}"),
    };
    let _ = writeln!(page, "| {} | {served} |", written(row));
}

/// Returns the name; sensor types have several common names.
fn written(row: &Name) -> String {
    match row.family {
        Family::Sensor => list(row.names),
        Family::GazeboSystem | Family::CloisimPlugin => format!("`{}`", row.written()),
        Family::RosPlugin => {
            let files: Vec<String> = row.names.iter().map(|name| format!("lib{name}.so")).collect();
            list(&files.iter().map(String::as_str).collect::<Vec<_>>())
        }
    }
}

/// Appends a section for each translation, under the names that share it.
fn write_translations(page: &mut String, family: Family) {
    let rows: Vec<&Name> = all().filter(|row| row.family == family).collect();
    let mut done = vec![Translation::NONE];
    for row in &rows {
        if !done.contains(&row.translation) {
            let alike = rows.iter().filter(|other| other.translation == row.translation);
            let names: Vec<String> = alike.map(|row| written(row)).collect();
            let _ = write!(page, "\n### {}\n", names.join(", "));
            write_translation(page, &row.translation);
            done.push(row.translation);
        }
    }
}

fn write_translation(page: &mut String, translation: &Translation) {
    if !translation.topics.is_empty() {
        let topics: Vec<String> = translation.topics.iter().map(written_topic).collect();
        let _ = write!(page, "\nTopics, which can be remapped: {}.\n", topics.join(", "));
    }
    write_parameters(page, translation.parameters, translation.defaults);
    translation.parts.iter().for_each(|part| write_part(page, part));
    if !translation.for_bridges.is_empty() {
        let _ = write!(page, "\nRead by bridges: {}.\n", list(translation.for_bridges));
    }
    if !translation.needless.is_empty() {
        let _ = write!(page, "\nNot needed: {}.\n", list(translation.needless));
    }
    if !translation.left_out.is_empty() {
        let _ = write!(page, "\nNot used: {}.\n", list(translation.left_out));
    }
}

fn write_part(page: &mut String, part: &Part) {
    let condition = if part.takes.is_empty() {
        String::from("Always")
    } else {
        format!(
            "If {} is given",
            part.takes.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(" or ")
        )
    };
    let _ = write!(page, "\n{condition}, `{}` serves the element too:\n", part.plugin);
    write_parameters(page, part.parameters, part.defaults);
}

fn write_parameters(page: &mut String, parameters: &[Parameter], defaults: &[(&str, &str)]) {
    if !parameters.is_empty() {
        page.push_str("\n| in the world file | in the plugin |\n|---|---|\n");
        for parameter in parameters {
            let _ = writeln!(page, "| `{}` | {} |", parameter.from, in_plugin(parameter));
        }
    }
    if !defaults.is_empty() {
        let defaults: Vec<String> =
            defaults.iter().map(|(name, value)| format!("`{name}` {value}")).collect();
        let _ = write!(page, "\nDefaults that differ from the plugin's: {}.\n", defaults.join(", "));
    }
}

fn in_plugin(parameter: &Parameter) -> String {
    let Parameter { to, is_list, change, .. } = parameter;
    let times = if *is_list { ", each" } else { "" };
    let change = match change {
        Change::Keep | Change::Whole => "",
        Change::Joint => ": the joint",
        Change::CarriedLink => ": the link that the joint carries, relative to `@parent_frame_id`",
        Change::Topic(_) => ": the topic of that sensor",
        Change::Voltage => ": that of the `<battery>` of that name in a `<link>`",
        Change::PartsName => ", with the name of the part filled in",
        Change::FrameId => ", with the name of the part filled in and `_` for `::`",
        Change::Half => ", the half",
        Change::MessageName => ", without the package",
    };
    format!("`{to}`{times}{change}")
}

fn written_topic(topic: &RosTopic) -> String {
    let RosTopic { from, ros1, .. } = topic;
    if ros1.is_empty() { format!("`{from}`") } else { format!("`{from}` (ROS 1: `{ros1}`)") }
}

fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
