//! Boxes that fall flat: none may tilt or rock.

use std::collections::BTreeMap;

use crate::Outcome;
use crate::motion::{Motion, State};
use crate::page::{Row, Section, figure};
use crate::peers::{ENGINES, Peers};

/// Degrees.
const TILT: f64 = 0.1;
/// m/s, a second after the first contact.
const SPEED: f64 = 0.001;

/// Largest tilt in degrees, and speed at the end.
fn judge(motion: &Motion) -> (f64, f64) {
    let samples = motion.of("box::box");
    let tilt = samples.iter().map(State::tilt).fold(0.0, f64::max);
    (tilt, samples.last().map_or(f64::NAN, |state| state.velocity.length()))
}

fn row(engine: &str, motions: &BTreeMap<String, Motion>, has_bound: bool) -> Row {
    let judged: Vec<(f64, f64)> = motions.values().map(judge).collect();
    let bad = judged.iter().filter(|(tilt, speed)| !(*tilt <= TILT && *speed <= SPEED)).count();
    let most = |of: fn(&(f64, f64)) -> f64| judged.iter().map(of).fold(0.0, f64::max);
    Row {
        cells: vec![
            format!("falls in {engine}"),
            judged.len().to_string(),
            bad.to_string(),
            figure(most(|found| found.0)),
            figure(most(|found| found.1)),
        ],
        holds: has_bound.then_some(bad == 0),
    }
}

/// Runs all falls in all engines.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let scenes: Vec<&str> = peers.scenes("fall_").collect();
    let ours =
        scenes.iter().map(|scene| Ok(((*scene).to_owned(), peers.ours(scene)?))).collect::<Outcome<_>>()?;
    let mut rows = vec![row("Bridgehead", &ours, true)];
    for [engine, name] in ENGINES {
        rows.push(row(name, &peers.theirs(engine, &scenes)?, false));
    }
    Ok(Section {
        title: "Flat falls",
        method: format!(
            "Boxes fall flat onto a plane: six shapes, six heights from 5 cm to 3 m, friction 0, 0.5 and 1, with their \
             true inertia and with the one that SDF assumes (1 kg m²). By symmetry none may tilt. A fall is bad if the \
             box tilts by more than {TILT}° at any time, or is faster than {} mm/s a second after the first contact.",
            SPEED * 1e3
        ),
        heads: vec!["", "falls", "bad", "largest tilt, °", "largest speed at the end, m/s"],
        rows,
        notes: Vec::new(),
    })
}
