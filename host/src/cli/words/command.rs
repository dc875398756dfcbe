//! Commands of `gz` and `ros2`. Constant data and plain functions.

use super::flag::translated;
use super::program::{Program, line};

/// A command of another program.
pub struct ForeignCommand {
    /// The program that has it.
    pub program: Program,
    /// Its word: `gz WORD`.
    pub word: &'static str,
    /// What it is for, and what is for that here.
    pub meaning: &'static str,
    /// Examples of the translation, for the documentation: words behind the command.
    pub examples: &'static [&'static [&'static str]],
    /// Returns what to type instead, given the words behind the command.
    pub instead: fn(&[&str]) -> String,
}

/// Every command of others that is answered.
pub const COMMANDS: &[ForeignCommand] = &[
    ForeignCommand {
        program: Program::Gazebo,
        word: "sim",
        meaning: "here `run` runs a world, and plays it at once",
        examples: &[
            &["-s", "-r", "world.sdf"],
            &["-s", "-r", "-v", "4", "--iterations", "1000", "world.sdf"],
            &["-s", "world.sdf"],
            &["--playback", "run.mcap"],
        ],
        instead: sim,
    },
    ForeignCommand {
        program: Program::Gazebo,
        word: "model",
        meaning: "here `ctl` shows the models of a running host",
        examples: &[&["--list"], &["-m", "robot", "-p"], &["-m", "robot", "-l"], &["-m", "robot", "-j"]],
        instead: model,
    },
    ForeignCommand {
        program: Program::Gazebo,
        word: "sdf",
        meaning: "here `world` checks and prints files",
        examples: &[&["-k", "world.sdf"], &["-p", "world.sdf"], &["--inertial-stats", "model.sdf"]],
        instead: sdf,
    },
    ForeignCommand {
        program: Program::Gazebo,
        word: "gui",
        meaning: "here a browser shows the page at the address in the first line of the log of `run`",
        examples: &[&[]],
        instead: |_| "bridgehead run world.sdf".to_owned(),
    },
    ForeignCommand {
        program: Program::Gazebo,
        word: "fuel",
        meaning: "nothing is downloaded here; addresses of Fuel are read from the cache that Gazebo's tool fills",
        examples: &[&["download", "-u", "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Cart"]],
        instead: |rest| rest.iter().fold("gz fuel".to_owned(), |line, word| format!("{line} {word}")),
    },
    ForeignCommand {
        program: Program::Gazebo,
        word: "log",
        meaning: "here `run --record` writes a recording, and `view` plays it",
        examples: &[&["-e"]],
        instead: |_| "bridgehead run world.sdf --record run.mcap".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "node",
        meaning: "here vehicles have plugins and bridges instead of nodes",
        examples: &[&["list"]],
        instead: |_| "bridgehead ctl plugins".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "bag",
        meaning: "here `run --record` writes a recording, and `view` plays it",
        examples: &[&["record", "-a"], &["play", "run.mcap"], &["info", "run.mcap"]],
        instead: bag,
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "interface",
        meaning: "here `topic info` and `service info` show the types of a running host, with their fields",
        examples: &[&["show", "geometry_msgs/msg/Twist"], &["list"]],
        instead: |_| "bridgehead topic list --types".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "param",
        meaning: "here parameters are elements of the world, which a run reads and changes by their paths",
        examples: &[&["list"]],
        instead: |_| "bridgehead run world.sdf --set PATH=VALUE".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "launch",
        meaning: "here `run` starts a world with its plugins and bridges, and a configuration file names them",
        examples: &[&["my_robot", "sim.launch.py"]],
        instead: |_| "bridgehead run world.sdf --config run.toml".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "component",
        meaning: "here vehicles have plugins and bridges instead of components",
        examples: &[&["list"]],
        instead: |_| "bridgehead ctl plugins".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "pkg",
        meaning: "here plugins are single files, which `plugin list` finds",
        examples: &[&["list"]],
        instead: |_| "bridgehead plugin list".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "daemon",
        meaning: "nothing runs in the background here; `ctl status` shows a host that runs",
        examples: &[&["status"]],
        instead: |_| "bridgehead ctl status".to_owned(),
    },
    ForeignCommand {
        program: Program::Ros2,
        word: "action",
        meaning: "here actions are services and topics of a running host",
        examples: &[&["list"]],
        instead: |_| "bridgehead service list".to_owned(),
    },
];

fn bag(rest: &[&str]) -> String {
    let file = rest.iter().skip(1).find(|word| !word.starts_with('-'));
    match (rest.first(), file) {
        (Some(&("play" | "info")), Some(file)) => line("view", &[(*file).to_owned()]),
        _ => "bridgehead run world.sdf --record run.mcap".to_owned(),
    }
}

/// Returns the argument of the first of these flags.
fn value<'a>(rest: &[&'a str], names: &[&str]) -> Option<&'a str> {
    let at = rest.iter().position(|word| names.contains(word))?;
    rest.get(at + 1).copied().filter(|value| !value.starts_with('-'))
}

fn has(rest: &[&str], names: &[&str]) -> bool {
    rest.iter().any(|word| names.contains(word))
}

fn sim(rest: &[&str]) -> String {
    if let Some(file) = value(rest, &["--playback"]) {
        return line("view", &[file.to_owned()]);
    }
    let mut words = translated(rest);
    // A world of Gazebo is paused until somebody plays it, except with `-r`.
    if !has(rest, &["-r"]) {
        words.extend(["--start", "paused"].map(str::to_owned));
    }
    line("run", &words)
}

fn model(rest: &[&str]) -> String {
    let name = value(rest, &["-m", "--model"]).map(str::to_owned);
    let words = match name {
        None => vec!["entities".to_owned()],
        Some(_) if has(rest, &["-l", "--link"]) => vec!["links".to_owned()],
        Some(_) if has(rest, &["-j", "--joint", "-s", "--sensor"]) => vec!["description".to_owned()],
        Some(name) => vec!["state".to_owned(), name],
    };
    line("ctl", &words)
}

fn sdf(rest: &[&str]) -> String {
    let named = |names: &[&str]| value(rest, names).map(str::to_owned);
    let file =
        rest.iter().rev().find(|word| !word.starts_with('-')).copied().unwrap_or("FILE.sdf").to_owned();
    if let Some(file) = named(&["-p", "--print"]) {
        return line("world", &["print".to_owned(), "--sdf".to_owned(), file]);
    }
    match named(&["-k", "--check"]) {
        Some(file) => line("world", &["check".to_owned(), file]),
        None => line("world", &["print".to_owned(), file]),
    }
}
