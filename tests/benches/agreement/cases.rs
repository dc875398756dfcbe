//! Single scenes, each with a figure, its value in theory, and a bound.

#[path = "cases/contacts.rs"]
mod contacts;
#[path = "cases/floating.rs"]
mod floating;
#[path = "cases/free.rs"]
mod free;
#[path = "cases/robots.rs"]
mod robots;

use std::collections::BTreeMap;

use crate::Outcome;
use crate::motion::Motion;
use crate::page::{Row, Section, figure};
use crate::peers::{ENGINES, Peers};

const GRAVITY: f64 = 9.8;

/// A figure of a scene.
struct Case {
    scene: &'static str,
    /// What is measured, with its unit.
    what: &'static str,
    /// The figure of a motion, given the motion of the reference.
    measure: fn(&Motion, &Motion) -> Option<f64>,
    /// The engine whose motion is the reference.
    reference: Option<&'static str>,
    /// The value in theory.
    expected: f64,
    /// How far the figure of this project may be from it; infinite without a bound.
    within: f64,
}

/// A case without a reference.
const fn case(
    scene: &'static str,
    what: &'static str,
    measure: fn(&Motion, &Motion) -> Option<f64>,
    expected: f64,
    within: f64,
) -> Case {
    Case { scene, what, measure, reference: None, expected, within }
}

/// All cases.
fn cases() -> Vec<Case> {
    let tables = [
        contacts::slow_motions(),
        contacts::contacts(),
        free::free_motions(),
        contacts::piles(),
        floating::floating(),
        robots::at_rest(),
        robots::outside_limits(),
        robots::on_legs(),
        robots::grips(),
    ];
    tables.into_iter().flatten().collect()
}

/// Runs scenes in this project's physics. Returns their motions, and what went wrong: rows of a scene that fails miss their
/// bounds.
fn ours(peers: &Peers, scenes: &[&str]) -> (BTreeMap<String, Motion>, Vec<String>) {
    let mut motions = BTreeMap::new();
    let mut problems = Vec::new();
    for scene in scenes {
        match peers.ours(scene) {
            Ok(motion) => drop(motions.insert((*scene).to_owned(), motion)),
            Err(problem) => problems.push(format!("The scene `{scene}` fails in Bridgehead: {problem}.")),
        }
    }
    (motions, problems)
}

/// Runs all scenes in all engines.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let cases = cases();
    let mut scenes: Vec<&str> = cases.iter().map(|case| case.scene).collect();
    scenes.dedup();
    let (ours, notes) = ours(peers, &scenes);
    let theirs = ENGINES.map(|[engine, _]| Ok((engine, peers.theirs(engine, &scenes)?)));
    let theirs = theirs.into_iter().collect::<Outcome<BTreeMap<&str, BTreeMap<String, Motion>>>>()?;
    let nothing = Motion::default();
    let row = |case: &Case| {
        let reference =
            case.reference.and_then(|engine| theirs.get(engine)?.get(case.scene)).unwrap_or(&nothing);
        let of = |motions: &BTreeMap<String, Motion>| (case.measure)(motions.get(case.scene)?, reference);
        let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), figure);
        let found = of(&ours);
        let mut cells = vec![case.what.to_owned(), shown(found)];
        cells.extend(ENGINES.iter().map(|[engine, _]| shown(theirs.get(engine).and_then(of))));
        cells.push(figure(case.expected));
        let has_bound = case.within.is_finite();
        cells.push(if has_bound { format!("± {}", figure(case.within)) } else { String::new() });
        let holds = found.is_some_and(|found| (found - case.expected).abs() <= case.within);
        Row { cells, holds: has_bound.then_some(holds) }
    };
    Ok(Section {
        title: "Single scenes",
        method: "Theory is the closed form; for robots, the kinematics of their wheels and legs, and rest. A distance from \
                 another engine has that engine as its reference. The gripper runs in MuJoCo with elliptic cones and an \
                 `impratio` of 10, because with its defaults the box slips out of the fingers."
            .to_owned(),
        heads: vec!["", "Bridgehead", "DART", "MuJoCo", "PyBullet", "theory", "bound"],
        rows: cases.iter().map(row).collect(),
        notes,
    })
}
