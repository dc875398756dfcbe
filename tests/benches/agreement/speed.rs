//! Processor time of a step, compared with MuJoCo in paired rounds.

use crate::Outcome;
use crate::cpu;
use crate::page::{Row, Section, figure};
use crate::peers::Peers;

/// A scene that is timed.
pub(crate) struct Timed {
    pub(crate) scene: &'static str,
    /// The name on the page.
    pub(crate) name: &'static str,
    /// Steps before a round.
    pub(crate) warm_up: u32,
    /// Steps of a round.
    pub(crate) steps: u32,
    /// The least wanted ratio.
    pub(crate) wanted: f64,
}

const SCENES: [Timed; 5] = [
    Timed { scene: "boxes_100", name: "100 boxes", warm_up: 500, steps: 500, wanted: 4.0 },
    Timed { scene: "boxes_1000", name: "1000 boxes", warm_up: 800, steps: 60, wanted: 4.0 },
    Timed { scene: "drives_100", name: "100 differential drives", warm_up: 200, steps: 300, wanted: 2.0 },
    Timed {
        scene: "arms_10",
        name: "ten arms with seven axes, position control",
        warm_up: 200,
        steps: 500,
        wanted: 2.0,
    },
    Timed {
        scene: "quadruped_timed",
        name: "a quadruped with 12 joints that stands, position control",
        warm_up: 500,
        steps: 2000,
        wanted: 1.5,
    },
];
/// Rounds of both.
pub(crate) const ROUNDS: u32 = 9;
/// How sure the lower bound is.
const CONFIDENCE: f64 = 0.95;

/// Steps in a second, and how many times as many as those of MuJoCo.
pub(crate) struct Paired {
    pub(crate) ours: f64,
    pub(crate) mujoco: f64,
    /// The median of the ratios of all rounds.
    pub(crate) ratio: f64,
    /// Below the median of all possible ratios with [`CONFIDENCE`].
    pub(crate) bound: f64,
}

/// Processor time of a step, seconds.
fn ours(peers: &Peers, timed: &Timed) -> Outcome<f64> {
    let mut world = peers.load(timed.scene)?.world;
    for _ in 0..timed.warm_up {
        world.step()?;
    }
    let mut result = Ok(());
    let took = cpu::of(|| result = (0..timed.steps).try_for_each(|_| world.step()));
    result?;
    Ok(took.as_secs_f64() / f64::from(timed.steps))
}

/// Measures both in alternating rounds.
pub(crate) fn pair(peers: &Peers, timed: &Timed) -> Outcome<Paired> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let theirs = peers.time_mujoco(timed.scene, timed.warm_up, timed.steps)?;
        rounds.push([ours(peers, timed)?, theirs]);
    }
    let mut ratios: Vec<f64> = rounds.iter().map(|[ours, theirs]| theirs / ours).collect();
    ratios.sort_by(f64::total_cmp);
    let per_second = |which: usize| {
        let mut rates: Vec<f64> = rounds.iter().map(|round| 1.0 / round[which]).collect();
        rates.sort_by(f64::total_cmp);
        median(&rates)
    };
    let bound = ratios.get(rank(ROUNDS)).copied().unwrap_or(f64::NAN);
    Ok(Paired { ours: per_second(0), mujoco: per_second(1), ratio: median(&ratios), bound })
}

/// How many of the smallest of some values may be left out so that the next one is still below the median of their
/// distribution with [`CONFIDENCE`], whatever that distribution is: each value is below the median with a probability of a
/// half.
fn rank(count: u32) -> usize {
    let mut below = 0.5_f64.powf(f64::from(count));
    let (mut ways, mut left_out) = (below, 0);
    for chosen in 0..count {
        ways *= f64::from(count - chosen) / f64::from(chosen + 1);
        below += ways;
        if below > 1.0 - CONFIDENCE {
            break;
        }
        left_out += 1;
    }
    left_out
}

fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// How a ratio and its bound are measured.
pub(crate) fn method() -> String {
    let place =
        ["smallest", "second smallest", "third smallest"].get(rank(ROUNDS)).copied().unwrap_or("next");
    format!(
        "Steps in a second of processor time, by one thread. Bridgehead steps the whole world without plugins, MuJoCo its \
         model, each in a fresh process or world, in {ROUNDS} alternating rounds after a warm-up; nothing sleeps. The figures \
         are medians; a ratio compares a round of Bridgehead with the round of MuJoCo before it. The lower bound is the \
         {place} of the {ROUNDS} ratios: it is below the median of all possible ratios with a confidence of at least \
         {:.0} %, whatever their distribution is. The lower bound must reach what is wanted.",
        CONFIDENCE * 100.0
    )
}

/// Measures all scenes.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let mut rows = Vec::new();
    for timed in &SCENES {
        let Paired { ours, mujoco, ratio, bound } = pair(peers, timed)?;
        rows.push(Row {
            cells: vec![
                timed.name.to_owned(),
                format!("{ours:.0}"),
                format!("{mujoco:.0}"),
                figure(ratio),
                figure(bound),
                format!("at least {}", timed.wanted),
            ],
            holds: Some(bound >= timed.wanted),
        });
    }
    Ok(Section {
        title: "Speed",
        method: method() + " The warm-up is so long that boxes have landed.",
        heads: vec!["", "Bridgehead, steps/s", "MuJoCo, steps/s", "ratio", "lower bound", "wanted"],
        rows,
        notes: vec![
            "[Physics](physics.md#where-the-time-goes) says where the time goes, and what was tried."
                .to_owned(),
        ],
    })
}
