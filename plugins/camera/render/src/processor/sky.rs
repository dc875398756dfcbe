//! The sky, and fog.

use glam::Vec3;
use wide::f32x4;

use super::functions::{Bounded as _, exp2, power};
use super::lanes::{STEPS, Vectors};
use super::raster::CENTER;
use crate::frame::{FogKind, Frame};

/// The sky is so far away, metres.
const SKY: f32 = 1e6;

/// Returns the colours of four pixels of the sky, from a column on.
pub(super) fn sky(frame: &Frame, column: f64, row: f64) -> Vectors {
    #[expect(clippy::cast_possible_truncation, reason = "pixels have 32 bits")]
    let (x, y) = ((column + CENTER[0]) as f32, (row + CENTER[1]) as f32);
    let start = frame.corner + frame.right * x + frame.down * y;
    let ray = Vectors::splat(start).plus(Vectors::splat(frame.right).scale(STEPS));
    let up = ray.normalize().z;
    let limited = |value: f32x4| value.at_least(f32x4::ZERO).at_most(f32x4::ONE);
    let mix = |from: Vec3, to: Vec3, share: f32x4| {
        Vectors::splat(from).plus(Vectors::splat(to - from).scale(share))
    };
    let high =
        mix(Vec3::new(0.55, 0.72, 0.9), Vec3::new(0.13, 0.31, 0.7), power(limited(up), f32x4::splat(0.6)));
    let low = Vectors::splat(Vec3::new(0.35, 0.36, 0.38));
    let step = limited((up + f32x4::splat(0.03)) / f32x4::splat(0.04));
    let smooth = step * step * (f32x4::splat(3.0) - step * f32x4::splat(2.0));
    let day = f32x4::splat(0.03 + (1.0 - 0.03) * frame.day);
    let color = low.plus(high.minus(low).scale(smooth)).scale(day);
    with_fog(frame, color, f32x4::splat(SKY))
}

/// Returns colours as they are seen through the fog, at a distance in metres.
#[inline(always)]
pub(super) fn with_fog(frame: &Frame, color: Vectors, distance: f32x4) -> Vectors {
    let Some(fog) = &frame.fog else { return color };
    let (zero, one) = (f32x4::ZERO, f32x4::ONE);
    let share = match fog.kind {
        FogKind::Constant => f32x4::splat(fog.density),
        FogKind::Linear => {
            let range = (fog.end - fog.start).max(1e-6);
            let share = (distance - f32x4::splat(fog.start)) / f32x4::splat(range);
            share.at_least(zero).at_most(one) * f32x4::splat(fog.density)
        }
        FogKind::Quadratic => {
            let depth = distance * f32x4::splat(fog.density);
            one - exp2(depth * depth * f32x4::splat(-std::f32::consts::LOG2_E))
        }
    };
    let fog = Vectors::splat(fog.color);
    color.plus(fog.minus(color).scale(share.at_least(zero).at_most(one)))
}
