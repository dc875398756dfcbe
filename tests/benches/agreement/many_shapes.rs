//! Thousands of shapes on a plane, awake and asleep, beside MuJoCo and the figures that Gazebo's developers published.

use crate::Outcome;
use crate::ours::STEP;
use crate::page::{Row, Section, figure};
use crate::peers::Peers;
use crate::speed::{Paired, Timed, pair};

const SCENES: [Timed; 4] = [
    Timed {
        scene: "shapes_awake",
        name: "1,000 each of boxes, cylinders and spheres, awake",
        warm_up: 100,
        steps: 20,
        wanted: 1.0,
    },
    Timed { scene: "shapes_asleep", name: "the same, asleep", warm_up: 800, steps: 200, wanted: 1.0 },
    Timed {
        scene: "mixed_awake",
        name: "600 each of boxes, cylinders, spheres, ellipsoids and capsules, awake",
        warm_up: 100,
        steps: 20,
        wanted: 1.0,
    },
    Timed { scene: "mixed_asleep", name: "the same, asleep", warm_up: 800, steps: 200, wanted: 1.0 },
];

/// Real-time factors of a Gazebo server with the world `3k_shapes`, awake and with automatic sleep, published in
/// <https://github.com/gazebosim/gz-sim/pull/3690>.
const PUBLISHED: [(&str, f64, f64); 4] = [
    ("DART", 0.008, 0.018),
    ("Bullet", 0.042, 1.625),
    ("MuJoCo by gz-physics", 0.119, 2.675),
    ("MuJoCo as a system", 0.166, 3.010),
];

/// Measures all scenes.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let mut rows = Vec::new();
    for timed in &SCENES {
        let Paired { ours, mujoco, ratio, bound } = pair(peers, timed)?;
        rows.push(Row {
            cells: vec![
                timed.name.to_owned(),
                figure(ours * STEP),
                figure(mujoco * STEP),
                figure(ratio),
                figure(bound),
                format!("at least {}", timed.wanted),
            ],
            holds: Some(bound >= timed.wanted),
        });
    }
    let published =
        PUBLISHED.map(|(engine, awake, asleep)| format!("{engine} {awake} awake and {asleep} asleep"));
    Ok(Section {
        title: "3,000 shapes",
        method: "Shapes that rest on a plane 1.5 m apart, as in Gazebo's world `3k_shapes`, and a mixture with two more kinds. \
                 Figures are simulated seconds in a second of processor time; rounds, ratio and bound are as above. Both let \
                 bodies sleep where a row says so, and nowhere else."
            .to_owned(),
        heads: vec!["", "Bridgehead, × real time", "MuJoCo, × real time", "ratio", "lower bound", "wanted"],
        rows,
        notes: vec![format!(
            "Gazebo's developers [published](https://github.com/gazebosim/gz-sim/pull/3690) real-time factors of the whole \
             server with `3k_shapes` on another machine: {}.",
            published.join(", ")
        )],
    })
}
