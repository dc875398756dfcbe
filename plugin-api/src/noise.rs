//! The noise of one measured quantity, as SDF's `<noise>` element describes it.
//!
//! Random numbers come from the caller ([`crate::random`]), and a bias that wanders depends on time alone, so equal
//! samples of equal runs are equal, whatever was sampled before.

mod drift;

use crate::error::Result;
use crate::host::Params;
use crate::random::{Random, RandomKey};
use drift::Drift;

/// Gaussian noise around a bias, in the unit of the quantity it belongs to.
#[derive(Clone, Debug, Default)]
pub struct Noise {
    mean: f64,
    stddev: f64,
    bias: f64,
    drift: Option<Drift>,
    /// Step of the quantised result; 0 for none.
    precision: f64,
}

impl Noise {
    /// No noise.
    pub const NONE: Noise = Noise { mean: 0.0, stddev: 0.0, bias: 0.0, drift: None, precision: 0.0 };

    /// Gaussian noise without bias.
    #[must_use]
    pub fn gaussian(mean: f64, stddev: f64) -> Self {
        Noise { mean, stddev, ..Noise::NONE }
    }

    /// Reads the `<noise>` element at `path`: `type` (attribute or element: `none`, `gaussian`,
    /// `gaussian_quantized`), `mean`, `stddev`, `bias_mean`, `bias_stddev`, `dynamic_bias_stddev`,
    /// `dynamic_bias_correlation_time`, `precision`. No element is no noise; an element without a type is gaussian.
    ///
    /// The bias is one number per run and quantity: normal with `bias_mean` and `bias_stddev`, with a random
    /// sign, as Gazebo draws it. It depends on `key` and `path` alone. A dynamic bias wanders around it: white noise
    /// of density `dynamic_bias_stddev` (units per √s) drives it, and it forgets with the correlation time (s);
    /// without one of the two there is none.
    ///
    /// # Errors
    /// Returns an error if the type is unknown, or a value is not a finite number or is a negative deviation.
    pub fn read(params: Params, path: &str, key: RandomKey) -> Result<Self> {
        let is_quantized = match noise_type(params, path)? {
            Type::None => return Ok(Noise::NONE),
            Type::Gaussian => false,
            Type::GaussianQuantized => true,
        };
        let number = |name: &str| finite(params, &format!("{path}/{name}"));
        let deviation = |name: &str| positive(params, &format!("{path}/{name}"));
        Ok(Noise {
            mean: number("mean")?,
            stddev: deviation("stddev")?,
            bias: draw_bias(number("bias_mean")?, deviation("bias_stddev")?, key.child(path)),
            drift: drift(
                deviation("dynamic_bias_stddev")?,
                deviation("dynamic_bias_correlation_time")?,
                key.child(path).child("dynamic_bias"),
            ),
            precision: if is_quantized { deviation("precision")? } else { 0.0 },
        })
    }

    /// The measured value for a true one, at a simulated time in nanoseconds.
    #[must_use]
    pub fn apply(&self, value: f64, time_ns: i64, random: &mut Random) -> f64 {
        let drift = self.drift.as_ref().map_or(0.0, |drift| drift.at(time_ns));
        let noisy = random.gaussian(value + self.bias + drift + self.mean, self.stddev);
        if self.precision > 0.0 { (noisy / self.precision).round() * self.precision } else { noisy }
    }

    /// Variance of the measured values around their mean.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.stddev * self.stddev
    }
}

enum Type {
    None,
    Gaussian,
    GaussianQuantized,
}

fn noise_type(params: Params, path: &str) -> Result<Type> {
    let candidates = [format!("{path}/@type"), format!("{path}/type")];
    let Some((place, text)) = candidates.iter().find_map(|place| Some((place, params.text(place)?))) else {
        return Ok(if params.count(path) == 0 { Type::None } else { Type::Gaussian });
    };
    match text.as_str() {
        "none" => Ok(Type::None),
        "gaussian" => Ok(Type::Gaussian),
        "gaussian_quantized" => Ok(Type::GaussianQuantized),
        other => Err(params.refuse(place, other, "`none`, `gaussian` or `gaussian_quantized`")),
    }
}

fn finite(params: Params, path: &str) -> Result<f64> {
    let value = params.get_or(path, 0.0)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(params.refuse(path, &value.to_string(), "a finite number"))
    }
}

fn positive(params: Params, path: &str) -> Result<f64> {
    let value = finite(params, path)?;
    if value >= 0.0 { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "0 or more")) }
}

fn drift(stddev: f64, correlation_time: f64, key: RandomKey) -> Option<Drift> {
    (stddev > 0.0 && correlation_time > 0.0).then(|| Drift::new(stddev, correlation_time, key))
}

fn draw_bias(mean: f64, stddev: f64, key: RandomKey) -> f64 {
    let mut random = key.sample(0);
    let bias = random.gaussian(mean, stddev);
    if random.uniform() < 0.5 { -bias } else { bias }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: fn(&str) -> RandomKey = |path| RandomKey::new(1, path);

    #[test]
    fn no_noise_changes_nothing() {
        assert_eq!(Noise::NONE.apply(1.25, 0, &mut KEY("a").sample(0)).to_bits(), 1.25_f64.to_bits());
    }

    #[test]
    fn measured_values_have_the_mean_and_the_variance_asked_for() {
        let noise = Noise::gaussian(0.5, 0.1);
        let values: Vec<f64> = (0..10_000).map(|n| noise.apply(2.0, 0, &mut KEY("a").sample(n))).collect();
        let mean = values.iter().sum::<f64>() / 10_000.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 10_000.0;
        assert!((mean - 2.5).abs() < 0.004, "mean {mean}");
        assert!((variance - noise.variance()).abs() < 0.0005, "variance {variance}");
    }

    #[test]
    fn quantised_values_are_multiples_of_the_precision() {
        let noise = Noise { precision: 0.25, ..Noise::gaussian(0.0, 1.0) };
        for sample in 0..100 {
            let steps = noise.apply(0.1, 0, &mut KEY("a").sample(sample)) / 0.25;
            assert_eq!(steps.fract().to_bits() << 1, 0, "{steps}");
        }
    }

    #[test]
    fn a_bias_keeps_its_size_and_has_either_sign() {
        let biases: Vec<f64> = (0..64).map(|n| draw_bias(0.3, 0.0, RandomKey::new(n, "imu"))).collect();
        assert!(biases.iter().all(|bias| (bias.abs() - 0.3).abs() < 1e-15));
        assert!(biases.iter().any(|bias| *bias > 0.0) && biases.iter().any(|bias| *bias < 0.0));
    }
}
