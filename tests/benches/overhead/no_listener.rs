//! A large lidar without listeners, compared with the same world without it.

use std::path::Path;

use crate::Outcome;
use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::scene::Scene;

const ROBOTS: u32 = 10;
const ROUNDS: u32 = 1001;
const STEPS: u32 = 500;

/// 16 rings of 1024 rays, ten times a second.
const LARGE_LIDAR: &str = r#"
<sensor name="lidar" type="gpu_lidar"><pose>0 0 0.3 0 0 0</pose><topic>points</topic><update_rate>10</update_rate><lidar>
<scan><horizontal><samples>1024</samples><min_angle>-3.14159265</min_angle><max_angle>3.13545673</max_angle></horizontal>
<vertical><samples>16</samples><min_angle>-0.26</min_angle><max_angle>0.26</max_angle></vertical></scan>
<range><min>0.1</min><max>100</max></range></lidar></sensor>"#;

/// Measures a world with the sensor and one without, in alternating rounds.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let mut without_lidars = start(&folder.join("without"), "")?;
    let mut with_lidars = start(&folder.join("with"), LARGE_LIDAR)?;
    let (mut without, mut with) = (Rounds::default(), Rounds::default());
    for _ in 0..ROUNDS {
        without.push_each(without_lidars.steps(STEPS)?, STEPS);
        with.push_each(with_lidars.steps(STEPS)?, STEPS);
    }
    without_lidars.finish()?;
    with_lidars.finish()?;
    let ratio = with.ratio_to(&without);
    Ok(Section {
        title: "A sensor without listeners",
        method: "Ten vehicles at rest, each with a lidar of 16 × 1024 rays at 10 Hz that has no listener, compared \
                 with the same world without lidars.",
        rows: vec![
            Row::plain("step without lidars", format!("{:.1} µs", without.map(|ns| ns / 1e3))),
            Row::plain(
                "step with lidars that have no listener",
                format!("{:.1} µs", with.map(|ns| ns / 1e3)),
            ),
            Row::with_target("ratio", format!("{ratio:.3}"), "at most 1.02", ratio.median() <= 1.02),
        ],
    })
}

fn start(folder: &Path, sensors: &str) -> Outcome<Driven> {
    std::fs::create_dir(folder)?;
    let world = Scene { robots: ROBOTS, sensors: sensors.to_owned() }.write(folder)?;
    let mut driven = Driven::start(world, &["diff_drive", "lidar"], |_| ())?;
    driven.steps(STEPS)?;
    Ok(driven)
}
