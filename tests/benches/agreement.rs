//! Agreement of the physics with theory and with other engines: MuJoCo, PyBullet, DART, Pinocchio and Gazebo's physics.
//!
//! `bash tests/agreement.sh` installs the engines and writes `docs/agreement.md`; if parts are named, it prints only
//! those. Ends with an error if a bound is exceeded.
#![allow(clippy::print_stdout, reason = "the output of this program")]

use std::env;
use std::error::Error;
use std::fs;

#[path = "agreement/cameras.rs"]
mod cameras;
#[path = "agreement/cases.rs"]
mod cases;
#[allow(dead_code, reason = "shared with another benchmark, which uses all of it")]
#[path = "overhead/cpu.rs"]
mod cpu;
#[path = "agreement/drawing.rs"]
mod drawing;
#[path = "agreement/drives.rs"]
mod drives;
#[path = "agreement/falls.rs"]
mod falls;
#[path = "../it/cameras/likeness.rs"]
mod likeness;
#[allow(dead_code, reason = "as above")]
#[path = "overhead/locate.rs"]
mod locate;
#[path = "agreement/many_shapes.rs"]
mod many_shapes;
#[path = "agreement/motion.rs"]
mod motion;
#[path = "agreement/ours.rs"]
mod ours;
#[path = "agreement/own_tree.rs"]
mod own_tree;
#[path = "agreement/page.rs"]
mod page;
#[path = "agreement/peers.rs"]
mod peers;
#[path = "agreement/robots_urdf.rs"]
mod robots_urdf;
#[path = "../it/cameras/shapes.rs"]
mod shapes;
#[path = "agreement/speed.rs"]
mod speed;
#[path = "agreement/trees.rs"]
mod trees;
#[path = "agreement/worlds.rs"]
mod worlds;

use page::Section;
use peers::Peers;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// A part: its name, and the function that measures it.
type Part = (&'static str, fn(&Peers) -> Outcome<Section>);

/// All parts, in the order of the page.
const PARTS: [Part; 9] = [
    ("cases", cases::section),
    ("falls", falls::section),
    ("robots", robots_urdf::section),
    ("trees", trees::section),
    ("worlds", worlds::section),
    ("speed", speed::section),
    ("shapes", many_shapes::section),
    ("images", cameras::section),
    ("drawing", drawing::section),
];

fn main() -> Outcome {
    // Cargo adds `--bench`.
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let Some(unknown) = wanted.iter().find(|name| PARTS.iter().all(|part| part.0 != name.as_str())) {
        let known = PARTS.map(|part| part.0).join(", ");
        return Err(format!("unknown part `{unknown}`; the parts are {known}").into());
    }
    let peers = Peers::new()?;
    let mut sections = Vec::new();
    for (name, measure) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let section = measure(&peers)?;
            println!("{section}");
            sections.push(section);
        }
    }
    if wanted.is_empty() {
        fs::write(locate::root().join("docs/agreement.md"), page::page(&sections)?)?;
    }
    let missed: Vec<&str> = sections.iter().flat_map(Section::missed).collect();
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; ")).into()) }
}
