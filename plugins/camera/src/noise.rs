//! Noise of colours.

use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::Random;

use crate::planes::byte;

/// Numbers with the distribution of the noise, from which pixels draw: a logarithm for each of a million pixels would
/// take longer than drawing them.
const TABLE: usize = 4096;

/// Adds noise to each channel of each pixel; it is given for colours from 0 to 1.
pub(crate) fn add_noise(pixels: &mut [[u8; 4]], noise: &Noise, time_ns: i64, mut random: Random) {
    let shift = noise.apply(0.0, time_ns, &mut random.clone());
    if noise.variance() == 0.0 && shift == 0.0 {
        return;
    }
    let table: Vec<f64> = (0..TABLE).map(|_| 255.0 * noise.apply(0.0, time_ns, &mut random)).collect();
    for pixel in pixels {
        let mut bits = random.bits();
        for channel in &mut pixel[..3] {
            let index = usize::try_from(bits & (TABLE as u64 - 1)).unwrap_or(0);
            *channel = byte(f64::from(*channel) + table[index]);
            bits >>= 12;
        }
    }
}
