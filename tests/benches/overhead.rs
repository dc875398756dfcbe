//! Cost of the host, compared with references that are measured in the same run.
//!
//! `bash tests/bench.sh` builds everything needed and writes `docs/benchmarks.md`; if parts are named, it measures and
//! prints only those. Ends with an error if a target is missed.
#![allow(clippy::print_stdout, reason = "the output of this program")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

#[path = "overhead/cameras.rs"]
mod cameras;
#[path = "overhead/client.rs"]
mod client;
#[path = "overhead/cpu.rs"]
mod cpu;
#[path = "overhead/demo.rs"]
mod demo;
#[path = "overhead/driven.rs"]
mod driven;
#[path = "overhead/fan_out.rs"]
mod fan_out;
#[path = "overhead/guards.rs"]
mod guards;
#[path = "overhead/gz_call.rs"]
mod gz_call;
#[path = "overhead/isolation.rs"]
mod isolation;
#[path = "overhead/load.rs"]
mod load;
#[path = "overhead/locate.rs"]
mod locate;
#[path = "overhead/no_listener.rs"]
mod no_listener;
#[path = "overhead/page.rs"]
mod page;
#[path = "overhead/parse.rs"]
mod parse;
#[path = "overhead/poses.rs"]
mod poses;
#[path = "overhead/program.rs"]
mod program;
#[path = "overhead/publish.rs"]
mod publish;
#[path = "overhead/reading.rs"]
mod reading;
#[path = "overhead/report.rs"]
mod report;
#[path = "overhead/reset.rs"]
mod reset;
#[path = "overhead/ros2.rs"]
mod ros2;
#[path = "overhead/rounds.rs"]
mod rounds;
#[path = "overhead/scene.rs"]
mod scene;
#[path = "overhead/served.rs"]
mod served;
#[path = "overhead/sockets.rs"]
mod sockets;
#[path = "overhead/step.rs"]
mod step;
#[path = "overhead/zenoh_call.rs"]
mod zenoh_call;

use bridgehead_host::worker::child;
use report::Section;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// A part: its name, and the function that measures it, given a folder for its files.
type Part = (&'static str, fn(&Path) -> Outcome<Section>);

/// All parts, in the order of the page.
const PARTS: [Part; 18] = [
    ("step", step::section),
    ("no_listener", no_listener::section),
    ("cameras", cameras::section),
    ("publish", publish::section),
    ("fan_out", fan_out::section),
    ("guards", guards::section),
    ("isolation", isolation::section),
    ("reset", reset::section),
    ("parse", parse::section),
    ("load", load::section),
    ("reading", reading::section),
    ("poses", poses::section),
    ("page", page::section),
    ("demo", demo::section),
    ("sockets", sockets::section),
    ("ros2", ros2::section),
    ("gz_call", gz_call::section),
    ("zenoh_call", zenoh_call::section),
];

fn main() -> Outcome {
    // Hosts in this program start it again as a worker.
    if let Some(request) = child::request(env::args_os()) {
        return match child::run(&request) {
            0 => Ok(()),
            code => Err(format!("the worker ends with {code}").into()),
        };
    }
    if let [_, flag, world] = env::args().collect::<Vec<_>>().as_slice()
        && flag == parse::MEMORY_OF
    {
        return parse::print_memory(Path::new(world));
    }
    // Cargo adds `--bench`.
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let Some(unknown) = wanted.iter().find(|name| PARTS.iter().all(|part| part.0 != name.as_str())) {
        return Err(format!(
            "unknown part `{unknown}`; the parts are {}",
            PARTS.map(|part| part.0).join(", ")
        )
        .into());
    }
    let mut sections = Vec::new();
    for (name, measure) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let folder = tempfile::TempDir::new()?;
            let section = measure(folder.path())?;
            println!("{section}");
            sections.push(section);
        }
    }
    if wanted.is_empty() {
        let page = locate::root().join("docs/benchmarks.md");
        fs::write(&page, report::page(&sections)?)?;
    }
    let missed: Vec<&str> = sections.iter().flat_map(Section::missed).collect();
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; ")).into()) }
}
