//! Robots that other people describe in URDF, at rest and driven, beside DART, which reads the same files.

use serde_json::Value;

use crate::Outcome;
use crate::motion::{Apart, Motion};
use crate::page::{Row, Section};
use crate::peers::Peers;

/// How far a link may be from that of DART at any time, metres and degrees.
const BOUND: (f64, f64) = (0.01, 1.0);

/// Compares all robots.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let scenes: Vec<&str> = peers.scenes("urdf_").collect();
    let theirs = peers.theirs("dart", &scenes)?;
    let nothing = Motion::default();
    let rows = scenes.iter().map(|scene| {
        let found = peers.ours(scene);
        row(&title(peers.about(scene), scene), found, theirs.get(*scene).unwrap_or(&nothing))
    });
    let mut section = Section {
        title: "Robots in URDF",
        method: format!(
            "Robots of other projects, without meshes and without friction in their joints, beside DART's own reading of the \
             same files: for 3 s they hold their positions, or go to others and drive their wheels, within the efforts and \
             speeds of the files. Links on fixed joints are left out. The distances are the largest ones of any link at any \
             of 301 times; the bound is {} cm and {}°.",
            BOUND.0 * 100.0,
            BOUND.1
        ),
        heads: vec!["", "largest distance", "largest angle", "link that differs most", "largest way in DART"],
        rows: rows.collect(),
        notes: Vec::new(),
    };
    if section.rows.is_empty() {
        section.notes.push("Not measured: the robots are not on this machine.".to_owned());
    }
    Ok(section)
}

/// The name of the robot and what it does.
fn title(about: &Value, scene: &str) -> String {
    let name = about["robot"]["title"].as_str().unwrap_or(scene);
    format!("{name}, {}", if scene.ends_with("driven") { "driven" } else { "at rest" })
}

fn row(title: &str, ours: Outcome<Motion>, theirs: &Motion) -> Row {
    let compared = ours.and_then(|ours| compare(&ours, theirs).ok_or_else(|| "no motion to compare".into()));
    let (distance, angle, link, holds) = match compared {
        Ok(Compared { link, distance, angle }) => {
            let exceeds = Apart { distance, angle }.exceeds(BOUND.0, BOUND.1);
            (format!("{distance:.4} m"), format!("{angle:.2}°"), format!("`{link}`"), !exceeds)
        }
        Err(problem) => ("none".to_owned(), "none".to_owned(), problem.to_string(), false),
    };
    let way = format!("{:.3} m", largest_way(theirs));
    Row { cells: vec![title.to_owned(), distance, angle, link, way], holds: Some(holds) }
}

/// The largest differences of two motions.
struct Compared {
    /// Where they differ most.
    link: String,
    distance: f64,
    angle: f64,
}

fn compare(ours: &Motion, theirs: &Motion) -> Option<Compared> {
    let mut most = (Apart::default(), "");
    let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
    for (link, samples) in &theirs.bodies {
        if ours.of(link).len() != samples.len() {
            return None;
        }
        for (own, other) in ours.of(link).iter().zip(samples) {
            let apart = Apart::between(&own.pose, &other.pose);
            // A pose that is not a number is infinitely far away.
            let apart = if apart.exceeds(f64::MAX, f64::MAX) { Apart::INFINITE } else { apart };
            (distance, angle) = (distance.max(apart.distance), angle.max(apart.angle));
            if apart.size() >= most.0.size() {
                most = (apart, link);
            }
        }
    }
    let link = most.1.strip_prefix("robot::")?.to_owned();
    Some(Compared { link, distance, angle })
}

/// How far any link is from its beginning at most, metres.
fn largest_way(motion: &Motion) -> f64 {
    let ways = motion.bodies.values().flat_map(|samples| {
        let first = samples.first().map(|state| state.pose.position).unwrap_or_default();
        samples.iter().map(move |state| state.pose.position.distance(first))
    });
    ways.fold(0.0, f64::max)
}
