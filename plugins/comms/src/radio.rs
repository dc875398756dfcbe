//! A radio link: path loss with distance and packet loss with noise. Pure.
//!
//! The log-distance model of Rappaport, Wireless Communications (2002), 4.9: L = l₀ + 10 n log₁₀ d, with a normal
//! deviation. Gazebo's `RFComms.cc` takes the bit error rate of QPSK, erfc(√(P / N)), as that of a byte; so does this one.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::random::Random;

/// Its constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Radio {
    /// Metres; 0 or less for no bound.
    most_range: f64,
    exponent: f64,
    /// Loss at one metre, dB, and its deviation.
    loss: f64,
    deviation: f64,
    /// dBm.
    power: f64,
    noise: f64,
    /// Bits in a second.
    pub(crate) capacity: f64,
}

impl Radio {
    pub(crate) fn read(params: Params) -> Result<Self> {
        let (range, radio) = (|name| format!("range_config/{name}"), |name| format!("radio_config/{name}"));
        let modulation: String = params.get_or(&radio("modulation"), "QPSK".to_owned())?;
        if modulation != "QPSK" {
            return Err(params.refuse(&radio("modulation"), &modulation, "`QPSK`"));
        }
        Ok(Radio {
            most_range: params.finite_or(&range("max_range"), 50.0)?,
            exponent: params.not_negative_or(&range("fading_exponent"), 2.5)?,
            loss: params.finite_or(&range("l0"), 40.0)?,
            deviation: params.not_negative_or(&range("sigma"), 10.0)?,
            power: params.finite_or(&radio("tx_power"), 27.0)?,
            noise: params.finite_or(&radio("noise_floor"), -90.0)?,
            capacity: params.positive_or(&radio("capacity"), 54_000_000.0)?,
        })
    }

    /// The strength of the received signal at a distance, dBm; `None` out of range.
    pub(crate) fn strength(&self, distance: f64, random: &mut Random) -> Option<f64> {
        if self.most_range > 0.0 && distance > self.most_range {
            return None;
        }
        let loss = self.loss + 10.0 * self.exponent * libm::log10(distance.max(1e-3));
        Some(random.gaussian(self.power - loss, self.deviation))
    }

    /// The chance that one of `bytes` is wrong at a strength, dBm.
    pub(crate) fn failure(&self, strength: f64, bytes: f64) -> f64 {
        let ratio = libm::pow(10.0, (strength - self.noise) / 10.0);
        let wrong = libm::erfc(ratio.sqrt()).min(1.0);
        -libm::expm1(bytes * libm::log1p(-wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::random::RandomKey;

    const RADIO: Radio = Radio {
        most_range: 100.0,
        exponent: 2.5,
        loss: 40.0,
        deviation: 0.0,
        power: 20.0,
        noise: -75.0,
        capacity: 1e6,
    };

    #[test]
    fn the_strength_falls_with_the_logarithm_of_the_distance() {
        let mut random = RandomKey::new(0, "radio").sample(0);
        assert_eq!(RADIO.strength(1.0, &mut random), Some(-20.0));
        assert_eq!(RADIO.strength(10.0, &mut random), Some(-45.0));
        assert_eq!(RADIO.strength(100.1, &mut random), None);
        let far = Radio { most_range: 0.0, ..RADIO };
        assert_eq!(far.strength(1e6, &mut random), Some(-170.0));
        let noisy = Radio { deviation: 3.0, ..RADIO };
        let values: Vec<f64> = (0..2000).filter_map(|_| noisy.strength(10.0, &mut random)).collect();
        let mean = values.iter().sum::<f64>() / 2000.0;
        assert!((mean + 45.0).abs() < 0.3, "{mean}");
    }

    #[test]
    fn a_packet_fails_with_its_first_wrong_byte() {
        assert!(RADIO.failure(-45.0, 8000.0) < 1e-12);
        // At the noise floor: erfc(1) = 0.157299.
        assert!((RADIO.failure(-75.0, 1.0) - 0.157_299).abs() < 1e-6);
        assert!((RADIO.failure(-75.0, 2.0) - (1.0 - 0.842_701_f64.powi(2))).abs() < 1e-6);
        assert!((RADIO.failure(-300.0, 8.0) - 1.0).abs() < 1e-9);
    }
}
