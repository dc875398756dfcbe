//! Commands of joints over time, as the scenes describe them: `scenes.py` has the same formulas.

use std::f64::consts::TAU;

use bridgehead_physics::JointCommand;
use serde_json::Value;

/// Times are multiples of a step, seconds.
const TOLERANCE: f64 = 1e-9;

/// How a joint is driven.
pub(crate) enum Drive {
    /// At a speed.
    Speed { target: f64, max_effort: f64 },
    /// To a position.
    Position(Position),
    /// By an effort for some seconds.
    Pulse { effort: f64, seconds: f64 },
}

/// A position over time.
pub(crate) struct Position {
    target: f64,
    stiffness: f64,
    damping: f64,
    max_effort: f64,
    /// Added to the target.
    swing: Wave,
    /// Its upper halves are added to the target.
    lift: Wave,
    /// Seconds over which all grows; none if zero.
    ramp: f64,
}

/// A sine.
#[derive(Default)]
struct Wave {
    amplitude: f64,
    rate_hz: f64,
    phase: f64,
}

impl Wave {
    fn read(value: &Value) -> Self {
        let number = |index: usize| value[index].as_f64().unwrap_or_default();
        Wave { amplitude: number(0), rate_hz: number(1), phase: number(2) }
    }

    /// Without its amplitude.
    fn at(&self, time: f64) -> f64 {
        (TAU * self.rate_hz * time + self.phase).sin()
    }
}

impl Drive {
    /// Reads a joint of a scene; none if it is not driven.
    pub(crate) fn read(joint: &Value) -> Option<Self> {
        let max_effort = joint["effort"].as_f64().unwrap_or(f64::INFINITY);
        if let Some(target) = joint["speed"].as_f64() {
            return Some(Drive::Speed { target, max_effort });
        }
        if let Some(effort) = joint["pulse"][0].as_f64() {
            return Some(Drive::Pulse { effort, seconds: joint["pulse"][1].as_f64()? });
        }
        Some(Drive::Position(Position {
            target: joint["position"].as_f64()?,
            stiffness: joint["kp"].as_f64()?,
            damping: joint["kd"].as_f64()?,
            max_effort,
            swing: Wave::read(&joint["swing"]),
            lift: Wave::read(&joint["lift"]),
            ramp: joint["ramp"].as_f64().unwrap_or_default(),
        }))
    }

    /// True if the command is not always the same.
    pub(crate) fn changes(&self) -> bool {
        match self {
            Drive::Speed { .. } => false,
            Drive::Position(position) => {
                position.swing.amplitude != 0.0 || position.lift.amplitude != 0.0 || position.ramp > 0.0
            }
            Drive::Pulse { .. } => true,
        }
    }

    /// The command of the step that begins at a time.
    pub(crate) fn at(&self, time: f64) -> JointCommand {
        match self {
            Drive::Speed { target, max_effort } => {
                JointCommand::Velocity { target: *target, max_effort: *max_effort }
            }
            Drive::Position(position) => JointCommand::Position {
                target: position.at(time),
                stiffness: position.stiffness,
                damping: position.damping,
                max_effort: position.max_effort,
            },
            Drive::Pulse { effort, seconds } if time < seconds - TOLERANCE => JointCommand::Effort(*effort),
            Drive::Pulse { .. } => JointCommand::Passive,
        }
    }
}

impl Position {
    fn at(&self, time: f64) -> f64 {
        let swing = self.swing.amplitude * self.swing.at(time);
        let lift = self.lift.amplitude * self.lift.at(time).max(0.0);
        let share = if self.ramp > 0.0 { (time / self.ramp).min(1.0) } else { 1.0 };
        share * (self.target + swing + lift)
    }
}
