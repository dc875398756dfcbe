//! The velocity of the wind from that of the world: mean values that approach it, waves, and noise.

use std::f64::consts::TAU;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Params};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::state::{StateReader, StateWriter};
use serde::{Deserialize, Serialize};

/// Time constant without a parameter, seconds, as in Gazebo.
const RISE: f64 = 1.0;

/// A value that approaches its target and swings about it.
struct Part {
    /// Seconds in which the mean comes e times closer; 0 for at once.
    rise: f64,
    amplitude: f64,
    /// Seconds.
    period: f64,
    noise: Noise,
}

/// The mean values: horizontal speed, m/s, direction, rad, and vertical velocity, m/s.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Means {
    speed: f64,
    /// `None` before the first step: it begins with the direction of the world's wind.
    direction: Option<f64>,
    vertical: f64,
}

/// The wind.
pub(super) struct Gusts {
    speed: Part,
    direction: Part,
    vertical: Part,
    key: RandomKey,
    means: Means,
}

impl Gusts {
    pub(super) fn read(host: HostHandle) -> Result<Self> {
        let (params, attachment) = (host.params()?, host.model()?.attachment()?);
        let key = RandomKey::new(attachment.seed, &attachment.path);
        let direction = Part::read(params, "horizontal/direction", "sin/amplitude", key)?;
        Ok(Gusts {
            speed: Part::read(params, "horizontal/magnitude", "sin/amplitude_percent", key)?,
            // Degrees in the file.
            direction: Part { amplitude: direction.amplitude.to_radians(), ..direction },
            vertical: Part::read(params, "vertical", "sin/amplitude", key)?,
            key,
            means: Means::default(),
        })
    }

    pub(super) fn reset(&mut self) {
        self.means = Means::default();
    }

    pub(super) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.means)
    }

    pub(super) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.means = state.take()?;
        Ok(())
    }

    /// Returns the wind of the next step, from that of the world, m/s.
    pub(super) fn advance(&mut self, world: [f64; 3], step: &Step) -> [f64; 3] {
        let mut random = self.key.sample(step.number);
        let means = &mut self.means;
        self.speed.approach(&mut means.speed, libm::hypot(world[0], world[1]), step);
        let toward = libm::atan2(world[1], world[0]);
        let mut direction = means.direction.unwrap_or(toward);
        self.direction.approach(&mut direction, toward, step);
        means.direction = Some(direction);
        self.vertical.approach(&mut means.vertical, world[2], step);
        let speed = means.speed * (1.0 + self.speed.wave(step));
        let speed = self.speed.noise.apply(speed, step.time_ns, &mut random);
        let direction = direction + self.direction.wave(step);
        let direction = self.direction.noise.apply(direction, step.time_ns, &mut random);
        let vertical = means.vertical + self.vertical.wave(step);
        let vertical = self.vertical.noise.apply(vertical, step.time_ns, &mut random);
        let (sin, cos) = libm::sincos(direction);
        [speed * cos, speed * sin, vertical]
    }
}

impl Part {
    fn read(params: Params, path: &str, amplitude: &str, key: RandomKey) -> Result<Self> {
        Ok(Part {
            rise: params.not_negative_or(&format!("{path}/time_for_rise"), RISE)?,
            amplitude: params.finite_or(&format!("{path}/{amplitude}"), 0.0)?,
            period: params.positive_or(&format!("{path}/sin/period"), 1.0)?,
            noise: Noise::read(params, &format!("{path}/noise"), key.child(path))?,
        })
    }

    /// Moves a mean value towards its target, as far as in one step.
    fn approach(&self, mean: &mut f64, target: f64, step: &Step) {
        let share = if self.rise > 0.0 { 1.0 - libm::exp(-step.width() / self.rise) } else { 1.0 };
        *mean += share * (target - *mean);
    }

    #[expect(clippy::cast_precision_loss, reason = "below 2^53 for four months")]
    fn wave(&self, step: &Step) -> f64 {
        self.amplitude * libm::sin(TAU * step.time_ns as f64 * 1e-9 / self.period)
    }
}
