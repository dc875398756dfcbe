//! Counterparts of systems of Gazebo in whole runs, compared with closed forms.

mod air;
pub(crate) mod flight;
mod forces;
pub(crate) mod ground;
mod impacts;
mod joints;
pub(crate) mod lifts;
mod parts;
mod radio;
mod refusals;
mod sound;
mod water;

use std::fmt::Write as _;

use crate::support::{Finished, Line, Setup};

/// A world with these elements, in which every model in `observed` reports its pose ten times a second.
pub(crate) fn world(elements: &str, models: &[(&str, &str)]) -> String {
    let mut text = format!("<sdf version='1.11'><world name='w'>{elements}");
    for (name, content) in models {
        let observer =
            "<plugin filename='model_pose' name='pose'><update_frequency>10</update_frequency></plugin>";
        write!(text, "<model name='{name}'>{content}{observer}</model>").expect("a text grows");
    }
    text + "</world></sdf>"
}

/// An `<inertial>` of a box.
pub(crate) fn inertial(mass: f64, size: [f64; 3]) -> String {
    let [x, y, z] = size.map(|side| side * side);
    let [ixx, iyy, izz] = [y + z, x + z, x + y].map(|sum| mass / 12.0 * sum);
    format!(
        "<inertial><mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz></inertia></inertial>"
    )
}

/// A line of a recording that commands a topic.
pub(crate) fn command(topic: &str, step: u64, message: &str) -> String {
    format!("{{\"topic\":\"{topic}\",\"step\":{step},\"message\":{message}}}\n")
}

/// Runs a world with these plugins and commands, and logs everything.
fn run(plugins: &[&str], world: &str, commands: &str, seconds: u32) -> Finished {
    run_with(plugins, world, commands, seconds, &[])
}

/// Runs it with further flags.
fn run_with(plugins: &[&str], world: &str, commands: &str, seconds: u32, flags: &[&str]) -> Finished {
    let setup = Setup::new().plugins(&["entities", "logging", "replay"]).plugins(plugins);
    let file = setup.file("commands.jsonl", commands);
    let setup = setup.world(world).arg("--duration").arg(format!("{seconds}s")).args(["--on-loss", "ignore"]);
    let setup = flags.iter().fold(setup, |setup, flag| setup.arg(flag));
    let setup = setup.bridge("*=logging:out/run.jsonl");
    let setup =
        if commands.is_empty() { setup } else { setup.bridge(format!("*=replay:{}", file.display())) };
    setup.finish().expect_code(0)
}

/// The position of a model at each of its reports.
fn positions(lines: &[Line], model: &str) -> Vec<[f64; 3]> {
    let topic = format!("/{model}/pose");
    let of_model = lines.iter().filter(|line| line.is_topic(&topic));
    of_model.map(|line| line.vector("/message/pose/position")).collect()
}

/// The last position of a model.
fn last(finished: &Finished, model: &str) -> [f64; 3] {
    *positions(&finished.log("out/run.jsonl"), model).last().expect("a pose")
}
