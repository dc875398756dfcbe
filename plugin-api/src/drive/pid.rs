//! A PID controller with the terms and clamps of Gazebo's. Pure except for reading its parameters; any thread.

use crate::error::Result;
use crate::host::Params;
use crate::state::{StateReader, StateWriter};

/// Gains and clamps. A clamp with its lower bound above its upper one has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Per unit of error.
    pub p: f64,
    /// Per unit of error and second.
    pub i: f64,
    /// Per unit of error per second.
    pub d: f64,
    /// Least integral term, with Gazebo's sign.
    pub i_min: f64,
    /// Greatest integral term.
    pub i_max: f64,
    /// Least command.
    pub cmd_min: f64,
    /// Greatest command.
    pub cmd_max: f64,
    /// Added to every command.
    pub offset: f64,
}

/// One controller.
#[derive(Clone, Copy, Debug)]
pub struct Pid {
    gains: Gains,
    /// The integral term, already multiplied by its gain.
    integral: f64,
    /// The error of the last call.
    before: Option<f64>,
}

impl Gains {
    /// Zero gains with the default clamps of Gazebo's controllers of single joints.
    pub const NONE: Gains =
        Gains { i_min: -1.0, i_max: 1.0, cmd_min: -1000.0, cmd_max: 1000.0, ..Gains::UNCLAMPED };

    /// Zero gains without effective clamps: the defaults of Gazebo's trajectory controller.
    pub const UNCLAMPED: Gains =
        Gains { p: 0.0, i: 0.0, d: 0.0, i_min: 0.0, i_max: -1.0, cmd_min: 0.0, cmd_max: -1.0, offset: 0.0 };

    /// Reads `p_gain`, `i_gain`, … with `prefix` before and `suffix` after each name; missing ones are those of
    /// `self`.
    ///
    /// # Errors
    /// Returns an error if one of them is not a number.
    pub fn read(self, params: Params, prefix: &str, suffix: &str) -> Result<Self> {
        let number = |name: &str, default: f64| {
            let path = format!("{prefix}{name}{suffix}");
            let value = params.get_or(&path, default)?;
            if value.is_nan() { Err(params.refuse(&path, "NaN", "a number")) } else { Ok(value) }
        };
        Ok(Gains {
            p: number("p_gain", self.p)?,
            i: number("i_gain", self.i)?,
            d: number("d_gain", self.d)?,
            i_min: number("i_min", self.i_min)?,
            i_max: number("i_max", self.i_max)?,
            cmd_min: number("cmd_min", self.cmd_min)?,
            cmd_max: number("cmd_max", self.cmd_max)?,
            offset: number("cmd_offset", self.offset)?,
        })
    }
}

impl Pid {
    /// A controller without a past.
    #[must_use]
    pub fn new(gains: Gains) -> Self {
        Pid { gains, integral: 0.0, before: None }
    }

    /// Clears the integral and the last error.
    pub fn reset(&mut self) {
        *self = Pid::new(self.gains);
    }

    /// Writes what it remembers.
    ///
    /// # Errors
    /// As [`StateWriter::put`].
    pub fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.integral, self.before))
    }

    /// Takes it back.
    ///
    /// # Errors
    /// As [`StateReader::take`].
    pub fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.integral, self.before) = state.take()?;
        Ok(())
    }

    /// Returns the command for an error (target minus actual value) after `seconds`.
    pub fn advance(&mut self, error: f64, seconds: f64) -> f64 {
        let Gains { p, i, d, i_min, i_max, cmd_min, cmd_max, offset } = self.gains;
        // Gazebo integrates the error with the opposite sign, and its worlds give the bounds for that sum.
        self.integral = clamp(self.integral + i * error * seconds, -i_max, -i_min);
        let slope = self.before.replace(error).map_or(0.0, |before| (error - before) / seconds);
        clamp(offset + p * error + self.integral + d * slope, cmd_min, cmd_max)
    }
}

fn clamp(value: f64, min: f64, max: f64) -> f64 {
    if min <= max { value.clamp(min, max) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-12
    }

    #[test]
    fn each_term_contributes() {
        let gains = Gains { p: 2.0, i: 10.0, d: 0.5, i_min: -5.0, i_max: 5.0, offset: 0.25, ..Gains::NONE };
        let mut pid = Pid::new(gains);
        // The first call has no slope.
        assert!(close(pid.advance(1.0, 0.1), 0.25 + 2.0 + 1.0));
        assert!(close(pid.advance(0.5, 0.1), 0.25 + 1.0 + 1.5 - 2.5));
        pid.reset();
        assert!(close(pid.advance(1.0, 0.1), 0.25 + 2.0 + 1.0));
    }

    #[test]
    fn integral_and_command_are_clamped() {
        let mut pid = Pid::new(Gains { i: 100.0, cmd_max: 0.5, ..Gains::NONE });
        for _ in 0..10 {
            assert!(pid.advance(1.0, 0.1) <= 0.5);
        }
        // The integral stopped at 1, so it takes a tenth of a second of the opposite error to leave the clamp.
        assert!(close(pid.advance(-0.1, 0.1), 0.0));
    }

    #[test]
    fn bounds_of_the_integral_are_for_gazebos_sign() {
        let gains = Gains { i: 1.0, i_min: -2.0, i_max: 0.5, ..Gains::NONE };
        let (mut up, mut down) = (Pid::new(gains), Pid::new(gains));
        assert!(close(up.advance(10.0, 1.0), 2.0));
        assert!(close(down.advance(-10.0, 1.0), -0.5));
    }

    #[test]
    fn an_inverted_clamp_has_no_effect() {
        let mut pid = Pid::new(Gains { p: 1.0, i: 1.0, ..Gains::UNCLAMPED });
        assert!(close(pid.advance(5.0, 1.0), 10.0));
        assert!(close(pid.advance(-2000.0, 1.0), -3995.0));
    }
}
