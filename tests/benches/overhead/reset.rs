//! Duration of a reset of a hundred robots.

use std::path::Path;

use crate::Outcome;
use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::scene::{Scene, USUAL_SENSORS};

const ROBOTS: u32 = 100;
const ROUNDS: u32 = 15;
/// Steps between resets, so that there is state to reset.
const STEPS: u32 = 50;

/// Measures resets of the state during a run.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let world = Scene { robots: ROBOTS, sensors: USUAL_SENSORS.to_owned() }.write(folder)?;
    let mut host = Driven::start(world, &["diff_drive", "imu", "lidar"], |_| ())?;
    let [mut resets, mut steps] = [Rounds::default(), Rounds::default()];
    for _ in 0..ROUNDS {
        steps.push_each(host.steps(STEPS)?, STEPS);
        resets.push_each(host.reset()?, 1);
    }
    host.finish()?;
    let times = resets.map(|ns| ns / 1e6);
    let (figure, is_met) = (format!("{times:.2} ms"), times.median() < 2.0);
    let ratio = resets.ratio_to(&steps);
    let bound = ratio.upper_bound();
    Ok(Section {
        title: "A reset",
        method: "A hundred robots with drives, imus and lidars are reset to their loaded state: bodies, joints, and \
                 300 plugins. Processor time; the step is the mean of those between two resets.",
        rows: vec![
            Row::with_target("reset of 100 robots", figure, "below 2 ms", is_met),
            Row::plain("ratio to a step", format!("{ratio:.2}")),
            Row::with_target("upper 95 % bound of the ratio", format!("{bound:.2}"), "below 1", bound < 1.0),
        ],
    })
}
