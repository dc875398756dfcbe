//! Textures: four neighbours in each of two copies are mixed, as devices do.

use bridgehead_mesh::image::Pixels;
use wide::f32x4;

use super::functions::{Bounded as _, log2};
use super::lanes::{LANES, Vectors};
use crate::material::linear_channel;

/// An image and its smaller copies.
pub(crate) struct Texture {
    levels: Vec<Pixels>,
    /// Numbers of the bytes of a channel, by byte.
    values: [f32; 256],
}

/// A colour and an opacity for each pixel.
pub(super) struct Texels {
    pub(super) color: Vectors,
    pub(super) opacity: f32x4,
}

/// Where in a texture pixels are: coordinates, which repeat, and how they change from pixel to pixel.
#[derive(Default)]
pub(super) struct Footprint {
    pub(super) u: f32x4,
    pub(super) v: f32x4,
    /// Changes from a column to the next, and from a row to the next.
    pub(super) across: [f32x4; 2],
    pub(super) down: [f32x4; 2],
}

impl Texture {
    pub(super) fn new(levels: Vec<Pixels>, is_color: bool) -> Self {
        let mut values = [0.0; 256];
        for (value, byte) in values.iter_mut().zip(0..=u8::MAX) {
            let share = f32::from(byte) / 255.0;
            *value = if is_color { linear_channel(share) } else { share };
        }
        Texture { levels, values }
    }

    /// Returns what the pixels of the mask show; the others are 0.
    pub(super) fn sample(&self, at: &Footprint, mask: u32) -> Texels {
        let lod = self.detail(at).to_array();
        let (u, v) = (at.u.to_array(), at.v.to_array());
        let mut channels = [[0.0; LANES]; 4];
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            let texel = self.mixed(u[lane], v[lane], lod[lane]);
            for (channel, value) in channels.iter_mut().zip(texel) {
                channel[lane] = value;
            }
        }
        let [r, g, b, a] = channels.map(f32x4::new);
        Texels { color: Vectors::of([r, g, b]), opacity: a }
    }

    /// The level whose pixels are as large as those of the image; 0 is the largest copy.
    fn detail(&self, at: &Footprint) -> f32x4 {
        let Some(Pixels { width, height, .. }) = self.levels.first() else { return f32x4::ZERO };
        #[expect(clippy::cast_precision_loss, reason = "sizes of images")]
        let (width, height) = (f32x4::splat(*width as f32), f32x4::splat(*height as f32));
        let square = |[u, v]: [f32x4; 2]| {
            let (u, v) = (u * width, v * height);
            u * u + v * v
        };
        let square = square(at.across).at_least(square(at.down)).at_least(f32x4::splat(1e-20));
        // The logarithm to the base of two of the length.
        (log2(square) * f32x4::splat(0.5)).at_least(f32x4::ZERO)
    }

    fn mixed(&self, u: f32, v: f32, lod: f32) -> [f32; 4] {
        let last = self.levels.len().saturating_sub(1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 0")]
        let level = (lod as usize).min(last);
        let near = self.bilinear(level, u, v);
        #[expect(clippy::cast_precision_loss, reason = "at most 15")]
        let share = lod - level as f32;
        if share <= 0.0 || level == last {
            return near;
        }
        let far = self.bilinear(level + 1, u, v);
        std::array::from_fn(|channel| near[channel] + (far[channel] - near[channel]) * share)
    }

    fn bilinear(&self, level: usize, u: f32, v: f32) -> [f32; 4] {
        let Some(pixels) = self.levels.get(level) else { return [0.0; 4] };
        let (columns, x) = neighbours(u, pixels.width);
        let (rows, y) = neighbours(v, pixels.height);
        let texel = |row: usize, column: usize| {
            let at = (row * pixels.width as usize + column) * 4;
            let bytes = pixels.rgba.get(at..at + 4).unwrap_or(&[0; 4]);
            std::array::from_fn::<_, 4, _>(|channel| {
                // Opacity is linear in any case.
                let byte = bytes[channel];
                if channel == 3 { f32::from(byte) / 255.0 } else { self.values[usize::from(byte)] }
            })
        };
        let [[a, b], [c, d]] = rows.map(|row| columns.map(|column| texel(row, column)));
        std::array::from_fn(|channel| {
            let upper = a[channel] + (b[channel] - a[channel]) * x;
            let lower = c[channel] + (d[channel] - c[channel]) * x;
            upper + (lower - upper) * y
        })
    }
}

/// Returns the two pixels around a coordinate, and the share of the second one.
fn neighbours(coordinate: f32, size: u32) -> ([usize; 2], f32) {
    #[expect(clippy::cast_precision_loss, reason = "sizes of images")]
    let at = (coordinate - floor(coordinate)) * size as f32 - 0.5;
    let below = floor(at);
    let size = size as usize;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the image, or -1; a number that is none gives 0"
    )]
    let below_index = below as isize;
    let first =
        if below_index < 0 { size.saturating_sub(1) } else { below_index.unsigned_abs().min(size - 1) };
    let second = if first + 1 < size { first + 1 } else { 0 };
    ([first, second], at - below)
}

/// Faster than `floor` of the standard library, which is a call without newer instructions.
#[inline(always)]
fn floor(value: f32) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "larger numbers are whole"
    )]
    let truncated = value as i32 as f32;
    if truncated > value { truncated - 1.0 } else { truncated }
}
