//! The depths that a light sees.

use glam::Mat4;
use wide::f32x4;

use super::clip::{Corner, cut, outside};
use super::facet::lanes;
use super::functions::Bounded as _;
use super::lanes::{LANES, Vectors, load, store};
use super::raster::{CENTER, Edges, Plane, Point, area};
use crate::batch::Instance;
use crate::shapes::Triangles;

/// Depths as a light sees them, 1 where nothing is, and where they are.
#[derive(Default)]
pub(super) struct ShadowMap {
    size: usize,
    /// Numbers between the beginnings of two rows.
    stride: usize,
    depths: Vec<f32>,
}

/// How far an open surface is moved away from the light so that it does not shade itself, in steps of its depth from a
/// pixel to the next, and in steps of 32-bit numbers below 1.
const SLOPE_BIAS: f64 = 2.0;
const CONSTANT_BIAS: f64 = 2.0 / 16_777_216.0;

impl ShadowMap {
    /// Empties the map.
    pub(super) fn clear(&mut self, size: usize) {
        self.size = size;
        self.stride = size + LANES;
        self.depths.clear();
        // One row more: the last one has a neighbour too.
        self.depths.resize((size + 1) * self.stride, 1.0);
    }

    /// Draws triangles; of closed shapes only what faces away from the light.
    pub(super) fn cast(
        &mut self,
        matrix: &Mat4,
        triangles: &Triangles,
        instance: &Instance,
        is_closed: bool,
    ) {
        let corners: Vec<Corner> = triangles
            .positions()
            .map(|position| {
                let position = instance.rotation * (position * instance.scale) + instance.position;
                Corner { clip: *matrix * position.extend(1.0), ..Corner::default() }
            })
            .collect();
        for indices in triangles.indices.chunks_exact(3) {
            let corner = |index: usize| corners.get(indices[index] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
            let [of_a, of_b, of_c] = [a, b, c].map(|corner| outside(corner.clip));
            if of_a & of_b & of_c != 0 {
                continue;
            }
            match of_a | of_b | of_c {
                0 => self.fill([a, b, c], is_closed),
                planes => {
                    let rest = cut([a, b, c], planes);
                    rest.triangles().for_each(|part| self.fill(part.map(|corner| *corner), is_closed));
                }
            }
        }
    }

    fn fill(&mut self, corners: [Corner; 3], is_closed: bool) {
        #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
        let size = self.size as f64;
        let points = corners.map(|corner| {
            let [x, y] = [corner.clip.x, corner.clip.y].map(|value| f64::from(value / corner.clip.w));
            Point::snapped((x * 0.5 + 0.5) * size, (0.5 - y * 0.5) * size)
        });
        let area = area(points);
        let is_hidden = if is_closed { area <= 0.0 } else { area == 0.0 };
        if is_hidden || area.is_nan() {
            return;
        }
        let depth = Plane::new(points, area, corners.map(|corner| corner.clip.z / corner.clip.w));
        let bias = match is_closed {
            true => 0.0,
            false => SLOPE_BIAS * depth.across.abs().max(depth.down.abs()) + CONSTANT_BIAS,
        };
        #[expect(clippy::cast_possible_truncation, reason = "depths have 32 bits")]
        let (bias, along) = (f32x4::splat(bias as f32), f32x4::splat(4.0 * depth.across as f32));
        for (row, run) in Edges::new(points).runs(CENTER, [self.size; 2]) {
            #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
            let y = row as f64;
            #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
            let start = lanes(&depth, run.start as f64 + CENTER[0], y + CENTER[1]) + bias;
            let begin = row * self.stride;
            let Some(pixels) = self.depths.get_mut(begin + run.start..begin + run.end) else { continue };
            let mut new = start;
            let mut places = pixels.chunks_exact_mut(LANES);
            for place in &mut places {
                store(place, load(place).at_most(new));
                new += along;
            }
            for (place, new) in places.into_remainder().iter_mut().zip(new.to_array()) {
                *place = place.min(new);
            }
        }
    }

    /// Returns the share of four places, given by column, row (0 to 1) and depth, that light reaches: the mean of four
    /// pixels, as devices compute it.
    #[inline(always)]
    pub(super) fn lit(&self, place: Vectors) -> f32x4 {
        #[expect(clippy::cast_precision_loss, reason = "sizes of images")]
        let (size, stride) = (self.size as f32, self.stride as f32);
        let (half, last) = (f32x4::splat(0.5), f32x4::splat(size - 1.0));
        // Beyond the border, the map goes on as at its last pixels.
        let pixel = |share: f32x4| {
            let at = (share * f32x4::splat(size) - half).at_least(f32x4::ZERO).at_most(last);
            let first = f32x4::from_i32x4(at.fast_trunc_int());
            (first, at - first)
        };
        let ((left, across), (above, down)) = (pixel(place.x), pixel(place.y));
        // A map has fewer pixels than there are whole numbers of 32 bits without gaps.
        let indices = (above * f32x4::splat(stride) + left).fast_trunc_int().to_array();
        let mut stored = [[0.0; LANES]; 4];
        for (lane, index) in indices.into_iter().enumerate() {
            #[expect(clippy::cast_sign_loss, reason = "at least 0")]
            let index = index as usize;
            if let Some(pixels) = self.depths.get(index..index + self.stride + 2) {
                stored[0][lane] = pixels[0];
                stored[1][lane] = pixels[1];
                stored[2][lane] = pixels[self.stride];
                stored[3][lane] = pixels[self.stride + 1];
            }
        }
        let depth = place.z;
        let [a, b, c, d] = stored.map(|stored| depth.simd_le(f32x4::new(stored)) & f32x4::ONE);
        let (upper, lower) = (a + (b - a) * across, c + (d - c) * across);
        upper + (lower - upper) * down
    }
}
