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
    let mut times = Rounds::default();
    for _ in 0..ROUNDS {
        host.steps(STEPS)?;
        times.push(host.reset()?.as_secs_f64() * 1e3);
    }
    host.finish()?;
    let (figure, is_met) = (format!("{times:.2} ms"), times.median() < 2.0);
    Ok(Section {
        title: "A reset",
        method: "A hundred robots with drives, imus and lidars are reset to their loaded state: bodies, joints, and \
                 300 plugins. Processor time.",
        rows: vec![Row::with_target("reset of 100 robots", figure, "below 2 ms", is_met)],
    })
}
