//! Bytes of colours in sRGB.

use std::sync::LazyLock;

use glam::Vec3;
use wide::f32x4;

use super::functions::Bounded as _;
use super::lanes::{LANES, Vectors};
use crate::material::linear_channel;

/// Linear values of the bytes.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut values = [0.0; 256];
    for (value, byte) in values.iter_mut().zip(0..=u8::MAX) {
        *value = linear_channel(f32::from(byte) / 255.0);
    }
    values
});

/// Bytes by the square root of the linear value, which is the finer the darker it is: a step is at most a tenth of a
/// byte. A table of this size stays in the fastest memory.
static BYTES: LazyLock<[u8; STEPS]> = LazyLock::new(|| {
    let mut bytes = [0; STEPS];
    for (byte, step) in bytes.iter_mut().zip(0_u16..) {
        *byte = byte_of(step);
    }
    bytes
});

const STEPS: usize = 4096;
const LAST: f32 = 4095.0;

fn byte_of(step: u16) -> u8 {
    let root = f64::from(step) / f64::from(LAST);
    let linear = root * root;
    let encoded =
        if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = (encoded * 255.0).round() as u8;
    byte
}

/// Converts between linear colours and pixels.
#[derive(Clone, Copy)]
pub(super) struct Srgb {
    linear: &'static [f32; 256],
    bytes: &'static [u8; STEPS],
}

impl Srgb {
    pub(super) fn new() -> Self {
        Srgb { linear: &LINEAR, bytes: &BYTES }
    }

    #[inline(always)]
    pub(super) fn linear(self, byte: u8) -> f32 {
        self.linear[usize::from(byte)]
    }

    /// Returns opaque pixels.
    #[inline(always)]
    pub(super) fn pixels(self, colors: Vectors) -> [u32; LANES] {
        let index = |values: f32x4| {
            // In this order, a number that is none becomes 0.
            let root = values.at_least(f32x4::ZERO).at_most(f32x4::ONE).sqrt();
            (root * f32x4::splat(LAST)).fast_round_int().to_array()
        };
        let [red, green, blue] = [colors.x, colors.y, colors.z].map(index);
        std::array::from_fn(|lane| {
            #[expect(clippy::cast_sign_loss, reason = "0 to 4095")]
            let byte = |index: i32| u32::from(self.bytes[index as usize % STEPS]);
            byte(red[lane]) | byte(green[lane]) << 8 | byte(blue[lane]) << 16 | 0xff00_0000
        })
    }

    pub(super) fn pixel(self, color: Vec3) -> u32 {
        self.pixels(Vectors::splat(color))[0]
    }

    /// Returns the linear colours of pixels.
    #[inline(always)]
    pub(super) fn colors(self, pixels: [u32; LANES]) -> Vectors {
        let channel = |shift: u32| {
            #[expect(clippy::cast_possible_truncation, reason = "one byte of a pixel")]
            let linear = |pixel: u32| self.linear((pixel >> shift) as u8);
            f32x4::new(pixels.map(linear))
        };
        Vectors::of([channel(0), channel(8), channel(16)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_linear_and_back() {
        let srgb = Srgb::new();
        for byte in 0..=u8::MAX {
            let pixel = srgb.pixel(Vec3::splat(srgb.linear(byte)));
            assert_eq!(pixel.to_le_bytes(), [byte, byte, byte, 255]);
            assert!((srgb.colors([pixel; LANES]).y.to_array()[3] - srgb.linear(byte)).abs() < 1e-9);
        }
        assert_eq!(srgb.pixel(Vec3::new(-1.0, 7.0, f32::NAN)) & 0x0000_ffff, 0x0000_ff00);
    }
}
