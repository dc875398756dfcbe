//! Processor time of a step, compared with MuJoCo in paired rounds.

use crate::Outcome;
use crate::cpu;
use crate::page::{Row, Section, figure};
use crate::peers::Peers;

/// A scene, its name on the page, steps before and in a round, and the least wanted ratio.
type Timed = (&'static str, &'static str, u32, u32, f64);

const SCENES: [Timed; 4] = [
    ("boxes_100", "100 boxes", 500, 500, 4.0),
    ("boxes_1000", "1000 boxes", 800, 60, 4.0),
    ("drives_100", "100 differential drives", 200, 300, 1.0),
    ("arms_10", "ten arms with seven axes, position control", 200, 500, 0.3),
];
const ROUNDS: u32 = 7;

/// Processor time of a step, seconds.
fn ours(peers: &Peers, scene: &str, warm_up: u32, steps: u32) -> Outcome<f64> {
    let mut world = peers.load(scene)?.world;
    for _ in 0..warm_up {
        world.step()?;
    }
    let mut result = Ok(());
    let took = cpu::of(|| result = (0..steps).try_for_each(|_| world.step()));
    result?;
    Ok(took.as_secs_f64() / f64::from(steps))
}

/// Measures both in alternating rounds.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let mut rows = Vec::new();
    for (scene, name, warm_up, steps, wanted) in SCENES {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let theirs = peers.time_mujoco(scene, warm_up, steps)?;
            rounds.push([ours(peers, scene, warm_up, steps)?, theirs]);
        }
        let ratios: Vec<f64> = rounds.iter().map(|[ours, theirs]| theirs / ours).collect();
        let ratio = median(&ratios);
        let per_second =
            |which: usize| 1.0 / median(&rounds.iter().map(|round| round[which]).collect::<Vec<_>>());
        rows.push(Row {
            cells: vec![
                name.to_owned(),
                format!("{:.0}", per_second(0)),
                format!("{:.0}", per_second(1)),
                figure(ratio),
                figure(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
                format!("at least {wanted}"),
            ],
            holds: Some(ratio >= wanted),
        });
    }
    Ok(Section {
        title: "Speed",
        method: format!(
            "Steps in a second of processor time, by one thread. Bridgehead steps the whole world without plugins, \
             MuJoCo its model; each in {ROUNDS} alternating rounds after a warm-up in which the boxes land. The figures \
             are medians; a ratio compares a round of Bridgehead with the round of MuJoCo before it. The smallest of \
             {ROUNDS} ratios is below their median with a probability of 99 %."
        ),
        heads: vec!["", "Bridgehead, steps/s", "MuJoCo, steps/s", "ratio", "smallest ratio", "wanted"],
        rows,
        notes: vec![
            "[Physics](physics.md#where-the-time-goes) says where the time goes, and what was tried."
                .to_owned(),
        ],
    })
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
