//! The page of error codes, made from the tables of the host and from the catalogue.
//!
//! The tests compare it with the sources of the host, the bridges and the plugins, so that every code is explained.

use std::fmt::Write as _;

use bridgehead_sdf as sdf;
use bridgehead_sdf::{Cost, Severity};

use super::page::NOTE;
use crate::catalogue::catalogue;
use crate::severity::SEVERITIES;
use crate::{config, plugin};

/// The areas of codes: the letters, the meaning, and notes.
const AREAS: &[(&str, &str, &str)] = &[
    (
        "CFG",
        "command line and configuration file",
        "Code 041 is reported at the end of a run; with all others, the run does not start.",
    ),
    (
        "SDF",
        "worlds and models",
        "Each message names the file, with line and column if known; 100 and above are about URDF, 130 and above about MJCF.",
    ),
    (
        "PLG",
        "plugins",
        "001 to 083 are about finding and loading files, 090 and above about running plugins, except 110, which is about unsupported names in worlds.",
    ),
    (
        "MSG",
        "messages",
        "001 to 019 are about schemas, 020 to 029 about protobuf, 030 to 034 about JSON, 035 about protobuf's text format, 040 to 049 about recordings, 050 to 069 about types, topics and services of a run.",
    ),
    (
        "BRG",
        "bridges",
        "001 to 099 come from the host, 110 to 119 from the bridge `logging`, 120 to 129 from the bridge `replay`.",
    ),
    ("DRW", "cameras", "The messages in the log name the camera."),
    ("KIT", "new plugins and their validation", "`bridgehead plugin` prints them."),
    (
        "PIC",
        "pictures and maps of worlds",
        "`bridgehead world picture` and `bridgehead world map` print them.",
    ),
    ("CLO", "the bridge for CLOiSim clients", "The messages in the log name the device or the port."),
    (
        "ROS",
        "the bridge to ROS 2",
        "001 to 099 are about the connection and topics, 100 and above about services.",
    ),
    (
        "RBR",
        "the bridge for rosbridge clients",
        "001 to 099 are in the log, 100 and above are sent to the client.",
    ),
    ("APM", "the bridge to ArduPilot", "They are in the log and in the result."),
    ("MAV", "the bridge to PX4 and ground stations", "They are in the log and in the result."),
    ("BFL", "the bridge to Betaflight", "They are in the log and in the result."),
    ("GZT", "the bridge to programs of Gazebo", "The messages in the log name the topic or the service."),
    (
        "ZEN",
        "the bridge to Zenoh",
        "What is about ROS 2, and not about Zenoh, has a code of the bridge to ROS 2 (`BH-ROS`).",
    ),
    ("FOX", "the bridge to Foxglove and Lichtblick", "Clients receive most of them as a status."),
    ("REC", "recordings that `bridgehead view` shows", "010 and above are sent to clients."),
    ("PYC", "the client in Python", "The client raises them as `BridgeheadError`."),
    (
        "MSH",
        "meshes",
        "Each message names the file or the element; the world is loaded without the collision.",
    ),
    (
        "PHY",
        "physics",
        "001 to 009 are about ray sensors, 010 to 049 about bodies and joints, 050 to 069 about the world.",
    ),
    (
        "ENT",
        "entities",
        "001 to 019 are about spawning, 020 to 029 about deleting, 030 to 039 about setting states, 040 to 059 about queries.",
    ),
    (
        "SIM",
        "the run",
        "100 to 104 are about requests, 105 to 111 about reports to the lifecycle, 200 to 299 about the run and its files, 900 and above about defects and crashes.",
    ),
    (
        "CTL",
        "the control plane",
        "With 001, 002, 070 and 071 the run does not start; with all others, a call fails.",
    ),
    (
        "STP",
        "the step channel",
        "With 001 to 003 the run does not start; 010 to 014 end the connection, and with all others a request fails.",
    ),
    (
        "CAM",
        "campaigns",
        "001 to 019 are about planning, 020 to 029 about the store and the inputs, 030 and above about executing.",
    ),
    (
        "WEB",
        "the HTTP server",
        "001 to 009 are about its start, 010 to 019 about access; the others occur in responses.",
    ),
    ("TRG", "triggers", "001 to 011 are about their form, 020 and above about their effect in a run."),
    (
        "RES",
        "loading and saving worlds and models",
        "001 to 019 are about requested resources, 020 to 039 about loading while the host runs, 040 to 059 about saving.",
    ),
];

/// A row: code, meaning, advice.
type Row = (String, &'static str, &'static str);

/// Returns the page of error codes.
#[must_use]
pub fn error_codes() -> String {
    let mut page = String::from(NOTE);
    page.push_str("# Error codes\n\n");
    page.push_str("A code stays the same when its message changes, and its number is never reused.\n");
    page.push_str("Search for the code to find its meaning.\n");
    page.push_str(&severities());
    let rows = rows();
    for (area, subject, about) in AREAS {
        let _ = write!(page, "\n## BH-{area}: {subject}\n\n{about}\n\n");
        page.push_str("| code | meaning | what to try |\n|---|---|---|\n");
        let prefix = format!("BH-{area}-");
        rows.iter().filter(|row| row.0.starts_with(&prefix)).for_each(|row| write_row(&mut page, row));
    }
    page
}

/// Returns the section on the severity of what is found about a world.
fn severities() -> String {
    let mut section = String::from(
        "\n## Severity\n\nWhat is found about a world has one severity, in `check`, `world check`, a run and a spawn: an error \
         if a part of the world is missing because of it, a warning if something is not as its author wrote it.\n\
         A run whose world has an error goes on, and ends as a failure (`on_loss`); a spawn is refused.\n\n\
         | severity | codes |\n|---|---|\n",
    );
    let of_cost =
        |cost: Cost| sdf::Code::ALL.iter().filter(move |code| code.cost() == cost && is_of_world(**code));
    let of_severity = |severity: Severity| SEVERITIES.iter().filter(move |row| row.1 == severity);
    let mut row = |title: &str, cost: Cost, severity: Option<Severity>| {
        let others = severity.into_iter().flat_map(of_severity).map(|row| row.0.to_owned());
        let codes: Vec<String> = of_cost(cost).map(ToString::to_string).chain(others).collect();
        let _ = writeln!(section, "| {title} | {} |", codes.join(", "));
    };
    row("error", Cost::Part, Some(Severity::Error));
    row("error if a model or the shape of a collision is missing, otherwise warning", Cost::Depends, None);
    row("warning; about the inertia of a static model, note", Cost::Detail, Some(Severity::Warning));
    row("note", Cost::Nothing, None);
    section
}

/// Returns true for findings of reading a world; the others are about editing and saving it.
fn is_of_world(code: sdf::Code) -> bool {
    !(70..100).contains(&code.number())
}

/// Returns every code, sorted.
fn rows() -> Vec<Row> {
    let config = config::Code::ALL.iter().map(|code| (code.to_string(), code.meaning(), code.advice()));
    let plugin = plugin::CODES.iter().map(|info| (info.code.to_string(), info.meaning, info.advice));
    let sdf = sdf::Code::ALL.iter().map(|code| (code.to_string(), code.meaning(), code.advice()));
    let others = catalogue().map(|entry| (entry.code.to_owned(), entry.meaning, entry.advice));
    let mut rows: Vec<Row> = config.chain(plugin).chain(sdf).chain(others).collect();
    rows.sort_unstable();
    rows
}

fn write_row(page: &mut String, (code, meaning, advice): &Row) {
    let cell = |text: &str| text.replace('|', "\\|");
    // Some findings require no action.
    let advice = if advice.is_empty() { "no action is needed" } else { advice };
    let _ = writeln!(page, "| {code} | {} | {} |", cell(meaning), cell(advice));
}

#[cfg(test)]
mod tests;
