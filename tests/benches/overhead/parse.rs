//! Reading a large world, compared with Drake, which bundles a recent libsdformat.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use bridgehead_host::clock;
use bridgehead_sdf::{self as sdf, SearchPath};

use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

const MODELS: usize = 3000;
const ROUNDS: u32 = 5;
/// The Python with Drake in it, which `tests/bench.sh` installs.
const PYTHON: &str = "bench-py/bin/python";

/// Reads a file the given number of times and prints the seconds of each round. Its result corresponds to the host's:
/// every pose is resolved to numbers.
const DRAKE: &str = "
import sys, time
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
for _ in range(int(sys.argv[2])):
    plant = MultibodyPlant(0.001)
    start = time.perf_counter()
    Parser(plant).AddModels(sys.argv[1])
    print(time.perf_counter() - start)
";

/// Measures both in the same run.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let world = write(folder)?;
    let drake = drake(&world)?;
    let mut own = Rounds::default();
    for _ in 0..ROUNDS {
        let start = clock::now();
        let loaded = sdf::load(&world, &SearchPath::default(), &sdf::Budget::default())?;
        own.push(start.elapsed().as_secs_f64() * 1e3);
        if loaded.world.models.len() != MODELS {
            return Err(format!("{} of {MODELS} models are read", loaded.world.models.len()).into());
        }
    }
    let ratio = drake.ratio_to(&own);
    let megabytes = peak_memory(&world)?;
    Ok(Section {
        title: "Reading a world",
        method: "A file with 3000 models, each with a link, a collision and a visual, is read and every pose is \
                 resolved; the reference is the parser of Drake. Wall time. The memory is the peak of a process that \
                 does nothing else, including its program.",
        rows: vec![
            Row::plain("Drake", format!("{drake:.1} ms")),
            Row::plain("read and resolve", format!("{own:.1} ms")),
            Row::with_target("ratio", format!("{ratio:.1}"), "at least 4", ratio.median() >= 4.0),
            Row::with_target("peak memory", format!("{megabytes:.0} MB"), "below 150 MB", megabytes < 150.0),
        ],
    })
}

fn write(folder: &Path) -> Outcome<PathBuf> {
    let shapes = [
        "<box><size>1 1 1</size></box>",
        "<sphere><radius>0.5</radius></sphere>",
        "<cylinder><radius>0.5</radius><length>1</length></cylinder>",
    ];
    let mut text = String::from("<?xml version='1.0'?>\n<sdf version='1.9'>\n<world name='many'>\n");
    for (index, shape) in shapes.iter().cycle().take(MODELS).enumerate() {
        write!(
            text,
            "<model name='shape_{index}'>
  <pose>{} {} 0.5 0 0 0.1</pose>
  <link name='link'>
    <inertial><mass>1</mass><inertia><ixx>0.2</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.2</iyy><iyz>0</iyz><izz>0.2</izz></inertia></inertial>
    <collision name='collision'><geometry>{shape}</geometry></collision>
    <visual name='visual'><geometry>{shape}</geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
  </link>
</model>\n",
            index % 60 * 2,
            index / 60 * 2,
        )?;
    }
    text += "</world>\n</sdf>\n";
    let path = folder.join("many.sdf");
    fs::write(&path, text)?;
    Ok(path)
}

fn drake(world: &Path) -> Outcome<Rounds> {
    let python = locate::target()?.parent().ok_or("no target folder")?.join(PYTHON);
    let output = Command::new(&python).args(["-c", DRAKE]).arg(world).arg(ROUNDS.to_string()).output()?;
    if !output.status.success() {
        return Err(format!("Drake: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let seconds = String::from_utf8(output.stdout)?;
    Ok(seconds
        .lines()
        .map(|line| Ok(line.trim().parse::<f64>()? * 1e3))
        .collect::<Outcome<Vec<_>>>()?
        .into_iter()
        .collect())
}

/// Flag of this program that makes it read a world and print its own memory.
pub(crate) const MEMORY_OF: &str = "--memory-of";

/// Peak memory of a process that reads the world and does nothing else, MB.
fn peak_memory(world: &Path) -> Outcome<f64> {
    let output = Command::new(env::current_exe()?).arg(MEMORY_OF).arg(world).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Reads a world and prints the peak memory of this process, MB. The kernel's figure for a terminated child would
/// include the memory of its parent at the time of the fork.
pub(crate) fn print_memory(world: &Path) -> Outcome {
    let loaded = sdf::load(world, &SearchPath::default(), &sdf::Budget::default())?;
    let status = fs::read_to_string("/proc/self/status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
    let kibibytes: f64 = most.ok_or("no VmHWM in /proc/self/status")?.trim().parse()?;
    drop(loaded);
    println!("{}", kibibytes * 1024.0 / 1e6);
    Ok(())
}
