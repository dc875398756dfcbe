//! The thrust of a propeller. Pure.
//!
//! T = K ρ D⁴ ω |ω| (Fossen, Guidance and Control of Ocean Vehicles (1994), 4.2), with ω in rad/s as in Gazebo. K is
//! constant, or falls with the advance of the water: K = α₁ + α₂ (1 - w) v / (ω D).

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;

/// Its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Propeller {
    /// ρ D⁴, kg m.
    scale: f64,
    /// α₁, the thrust coefficient at rest; negative if the propeller turns against the axis to push along it.
    coefficient: f64,
    /// α₂ (1 - w) / D, 1/m.
    advance: f64,
}

impl Propeller {
    pub(crate) fn read(params: Params) -> Result<Self> {
        let density = params.positive_or("fluid_density", 1000.0)?;
        let diameter = params.positive_or("propeller_diameter", 0.02)?;
        let square = diameter * diameter;
        let scale = density * square * square;
        let wake = params.finite_or("wake_fraction", 0.2)?;
        let (first, second) = (params.positive_or("alpha_1", 1.0)?, params.finite_or("alpha_2", 0.0)?);
        if params.count("thrust_coefficient") > 0 {
            let coefficient = params.finite_or("thrust_coefficient", 1.0)?;
            if coefficient == 0.0 {
                return Err(params.refuse("thrust_coefficient", "0", "a number above or below 0"));
            }
            return Ok(Propeller { scale, coefficient, advance: 0.0 });
        }
        Ok(Propeller { scale, coefficient: first, advance: second * (1.0 - wake) / diameter })
    }

    /// Newtons at an angular velocity, rad/s, and a speed of the vehicle along the axis, m/s.
    pub(crate) fn thrust(&self, rate: f64, speed: f64) -> f64 {
        self.scale * rate.abs() * (self.coefficient * rate + self.advance * speed)
    }

    /// The angular velocity, rad/s, for a thrust.
    pub(crate) fn rate(&self, thrust: f64, speed: f64) -> f64 {
        let (size, turn) = (self.coefficient.abs(), thrust.signum() * self.coefficient.signum());
        let toward = thrust.signum() * self.advance * speed;
        let root = (toward * toward + 4.0 * size * thrust.abs() / self.scale).sqrt();
        turn * ((root - toward) / (2.0 * size)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_inverse_of_the_thrust() {
        // The propeller of Gazebo's LRAUV.
        let constant = Propeller { scale: 1000.0 * 0.2_f64.powi(4), coefficient: 0.004_422, advance: 0.0 };
        assert!((constant.thrust(30.0, 1.0) - 0.004_422 * 1.6 * 900.0).abs() < 1e-12);
        let falling = Propeller { advance: -0.003, ..constant };
        for propeller in [constant, falling] {
            for (thrust, speed) in [(6.0, 0.0), (6.0, 1.5), (-6.0, 1.5), (0.5, -1.0), (0.0, 0.0)] {
                let rate = propeller.rate(thrust, speed);
                assert!((propeller.thrust(rate, speed) - thrust).abs() < 1e-9, "{thrust} N at {speed} m/s");
            }
        }
        let backward = Propeller { coefficient: -0.004_422, ..constant };
        assert!((backward.rate(6.0, 0.0) + constant.rate(6.0, 0.0)).abs() < 1e-12);
        assert!((backward.thrust(backward.rate(6.0, 0.0), 0.0) - 6.0).abs() < 1e-9);
        // With the water it needs more turns for the same thrust.
        assert!(falling.rate(6.0, 1.5) > falling.rate(6.0, 0.0));
    }
}
