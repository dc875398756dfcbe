//! Gazebo's example worlds, beside Gazebo's own physics: poses of all links over some seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bridgehead_host::world::build;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};
use bridgehead_sdf::{self as sdf, SearchPath};
use serde_json::Value;
use tempfile::TempDir;

use crate::motion::{Apart, Poses, farthest};
use crate::ours::count;
use crate::page::{Row, Section};
use crate::peers::{Peers, gazebo};
use crate::{Outcome, locate};

/// Times at which poses are compared, seconds.
const TIMES: [u32; 3] = [1, 2, 3];
/// Bounds of the agreement, metres and degrees.
const AGREES: (f64, f64) = (0.02, 2.0);
/// A world moves if any link moves or turns by more, metres and degrees.
const MOVES: (f64, f64) = (0.001, 0.1);
/// A world that may differ.
struct Exception {
    world: &'static str,
    why: &'static str,
    /// Beginnings and ends of the texts without which both must agree.
    without: [&'static str; 2],
    /// Parts of the step of the world in which they must: free pendulums lose energy in proportion to the step, in DART more
    /// than here.
    parts: u32,
}

/// Why the box of two worlds may differ: the three figures are its ways in 3 s.
const TUMBLES: &str = "its box tumbles down a slope, where a planar calculation with plastic impacts gives 3.135 m in 3 s, \
                       Bridgehead 3.135 m, and DART 3.110 m, and 3.106 m with a tenth of the step";

const EXCEPTIONS: [Exception; 5] = [
    Exception {
        world: "auto_inertia_rolling_shapes",
        why: "`<inertial auto='true'>` is of SDF 1.11, and this version of Gazebo takes the default inertia",
        without: ["auto=\"", "true\""],
        parts: 1,
    },
    Exception {
        world: "mimic_fast_slow_pendulums_world",
        why: "`<mimic>` is of SDF 1.11, and this version of Gazebo ignores it",
        without: ["<mimic", "</mimic>"],
        parts: 4,
    },
    Exception {
        world: "log_record_shapes",
        why: TUMBLES,
        without: ["<model name=\"box\">", "</model>"],
        parts: 1,
    },
    Exception {
        world: "physics_options",
        why: TUMBLES,
        without: ["<model name=\"box\">", "</model>"],
        parts: 1,
    },
    Exception {
        world: "polylines",
        why: "the runner of Gazebo's physics has no shapes for `<polyline>`, so that the letters fall",
        without: ["<collision", "</collision>"],
        parts: 1,
    },
];

/// Removes all parts of a text between two others, and those.
fn without(text: &str, [from, to]: [&str; 2]) -> String {
    let mut left = text;
    let mut kept = String::new();
    while let Some((before, rest)) = left.split_once(from) {
        kept.push_str(before);
        left = rest.split_once(to).map_or("", |(_, after)| after);
    }
    kept + left
}

/// The comparison of a world.
struct Compared {
    name: String,
    /// The link that differs most, and how far, at each time.
    apart: Vec<(String, Apart)>,
    moves: bool,
}

/// Compares all worlds of Gazebo that move.
pub(crate) fn section(_: &Peers) -> Outcome<Section> {
    let mut section = Section {
        title: "Gazebo's worlds",
        method: format!(
            "The example worlds of Gazebo without plugins, beside the physics of Gazebo 6 (ignition-physics 5.1 with \
             DART 6.12), in the step of each world. A world agrees if no link is apart by more than {} cm or {}° after \
             one, two and three seconds. Worlds in which nothing moves there are left out. The first rows are worlds of this \
             project, for what Gazebo's worlds do not contain.",
            AGREES.0 * 100.0,
            AGREES.1
        ),
        heads: vec!["", "after 1 s", "after 2 s", "after 3 s", "link that differs most"],
        rows: Vec::new(),
        notes: Vec::new(),
    };
    let Some((runner, worlds_folder)) = gazebo() else {
        section
            .notes
            .push("Not measured: Gazebo's physics or its worlds are not on this machine.".to_owned());
        return Ok(section);
    };
    for file in worlds(&locate::root().join("tests/benches/agreement/worlds"))? {
        let found = compare(&runner, &file, 1)?;
        section.rows.push(row(&found, found.agrees()));
    }
    let mut unable = Vec::new();
    let mut moving: u32 = 0;
    let mut agreeing: u32 = 0;
    for file in worlds(&worlds_folder)? {
        match compare(&runner, &file, 1) {
            Ok(found) if found.moves => {
                moving += 1;
                let agrees = found.agrees();
                agreeing += u32::from(agrees);
                section.rows.push(row(&found, agrees));
            }
            Ok(_) => {}
            Err(_) => unable.push(format!("`{}`", stem(&file))),
        }
    }
    section.notes.push(format!("{agreeing} of {moving} worlds of Gazebo agree."));
    let folder = TempDir::new()?;
    for Exception { world, why, without: ends, parts } in &EXCEPTIONS {
        let text = fs::read_to_string(worlds_folder.join(format!("{world}.sdf")))?;
        let file = folder.path().join(format!("{world}_without.sdf"));
        fs::write(&file, without(&text, *ends))?;
        let found = compare(&runner, &file, *parts)?;
        let agrees = found.agrees();
        let [from, to] = ends;
        let step = if *parts == 1 { String::new() } else { format!(", a step of 1/{parts}") };
        section.rows.push(Row {
            holds: Some(agrees),
            ..row(&Compared { name: format!("{world} without `{from} … {to}`{step}"), ..found }, agrees)
        });
        section.notes.push(format!("`{world}` may differ: {why}."));
    }
    if !unable.is_empty() {
        section.notes.push(format!("This version of Gazebo's physics aborts with {}.", unable.join(", ")));
    }
    Ok(section)
}

impl Compared {
    fn agrees(&self) -> bool {
        self.apart.iter().all(|(_, apart)| !apart.exceeds(AGREES.0, AGREES.1))
    }
}

fn row(found: &Compared, agrees: bool) -> Row {
    let mut cells = vec![found.name.clone()];
    cells
        .extend(found.apart.iter().map(|(_, apart)| format!("{:.4} m, {:.2}°", apart.distance, apart.angle)));
    cells.push(found.apart.last().map_or_else(String::new, |(link, _)| format!("`{link}`")));
    let is_exception = EXCEPTIONS.iter().any(|exception| exception.world == found.name);
    Row { cells, holds: if is_exception { None } else { Some(agrees) } }
}

fn worlds(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Outcome<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sdf"));
    files.sort();
    Ok(files)
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Compares a world in the given part of its step.
fn compare(runner: &Path, file: &Path, parts: u32) -> Outcome<Compared> {
    let loaded = sdf::load(file, &SearchPath::default(), &sdf::Budget::default())?;
    let step = loaded.world.physics.max_step_size / f64::from(parts);
    let theirs = run_theirs(runner, file, step)?;
    let mut built = build(&loaded.world, step, 1)?;
    let start = theirs.first().ok_or("no poses")?;
    let has_moved =
        |poses: &Poses| farthest(start, poses).is_some_and(|(_, apart)| apart.exceeds(MOVES.0, MOVES.1));
    let moves = theirs.iter().any(has_moved);
    let mut apart = Vec::new();
    let mut at = 0;
    for (time, theirs) in TIMES.iter().zip(theirs.iter().skip(1)) {
        while at < count(f64::from(*time), step) {
            built.world.step()?;
            at += 1;
        }
        let ours: Poses = theirs
            .keys()
            .filter_map(|name| {
                let link = built.world.find_link(name)?;
                Some((name.clone(), built.world.link_state(link)?.pose))
            })
            .collect();
        if let Some((name, found)) = farthest(&ours, theirs) {
            apart.push((name.to_owned(), found));
        }
    }
    Ok(Compared { name: stem(file), apart, moves })
}

/// Poses at the beginning and at the times.
fn run_theirs(runner: &Path, file: &Path, step: f64) -> Outcome<Vec<Poses>> {
    let every = count(1.0, step);
    let output = Command::new("timeout")
        .arg("120")
        .arg(runner)
        .arg(file)
        .args(["--dt", &step.to_string(), "--steps", &(every * 3 + 1).to_string()])
        .args(["--dump-every", &every.to_string()])
        .output()?;
    if !output.status.success() {
        return Err(format!("runner: {} {}", output.status, String::from_utf8_lossy(&output.stderr)).into());
    }
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let trace = result["trace"].as_array().ok_or("no trace")?;
    trace.iter().map(|entry| poses(&entry["links"])).collect()
}

fn poses(links: &Value) -> Outcome<Poses> {
    let links = links.as_array().ok_or("no links")?;
    links
        .iter()
        .map(|link| {
            let text = |key: &str| link[key].as_str().unwrap_or_default();
            let name = format!("{}::{}", text("model"), text("link"));
            let [x, y, z]: [f64; 3] = serde_json::from_value(link["p"].clone())?;
            let [w, i, j, k]: [f64; 4] = serde_json::from_value(link["q"].clone())?;
            Ok((name, Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w))))
        })
        .collect()
}
