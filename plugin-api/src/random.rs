//! Random numbers that depend on nothing but a key and a counter, so that a sample's noise is the same
//! whatever ran before it, on any thread and in any order.

/// A stream of random numbers for one sample of one sensor.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014)
/// started at a hash of seed, path and sample number; logarithm and sine come from `libm`, so equal inputs
/// give equal bits on every machine.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    spare: Option<f64>,
}

/// SplitMix64's increment: 2^64 divided by the golden ratio, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64's output function.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// FNV-1a, 64 bit.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The random numbers of one sensor: a key made of the run's seed and the sensor's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomKey(u64);

impl RandomKey {
    /// The key of the element at `path` in a run with `seed`.
    #[must_use]
    pub fn new(seed: u64, path: &str) -> Self {
        RandomKey(mix(seed.wrapping_add(GOLDEN)) ^ mix(hash(path)))
    }

    /// The key of a part of the element, for numbers that do not belong to a sample.
    #[must_use]
    pub fn child(self, name: &str) -> Self {
        RandomKey(mix(self.0 ^ hash(name)))
    }

    /// The numbers of sample `number`.
    #[must_use]
    pub fn sample(self, number: u64) -> Random {
        Random { state: mix(self.0 ^ mix(number.wrapping_mul(GOLDEN))), spare: None }
    }
}

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in `[0, 1)`.
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit an f64 exactly")]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Normal with mean 0 and standard deviation 1, by the Box-Muller transform.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * self.uniform());
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// Normal with the given mean and standard deviation; the mean itself where that is 0.
    pub fn gaussian(&mut self, mean: f64, standard_deviation: f64) -> f64 {
        if standard_deviation == 0.0 { mean } else { mean + standard_deviation * self.normal() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_and_samples_give_equal_numbers() {
        let draw = |seed, path, sample| RandomKey::new(seed, path).sample(sample).normal();
        assert_eq!(draw(1, "car1/lidar", 7).to_bits(), draw(1, "car1/lidar", 7).to_bits());
        assert_ne!(draw(1, "car1/lidar", 7).to_bits(), draw(1, "car1/lidar", 8).to_bits());
        assert_ne!(draw(1, "car1/lidar", 7).to_bits(), draw(2, "car1/lidar", 7).to_bits());
        assert_ne!(draw(1, "car1/lidar", 7).to_bits(), draw(1, "car2/lidar", 7).to_bits());
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_deviation_one() {
        let key = RandomKey::new(42, "sensor");
        let numbers: Vec<f64> = (0..20_000).map(|sample| key.sample(sample).normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.05, "variance {variance}");
    }
}
