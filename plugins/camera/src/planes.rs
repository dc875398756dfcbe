//! The pixels of one exposure: colours, depths and visuals, by rows from the top.

use bridgehead_render::Images;
use glam::DVec2;

use crate::lens::{Plan, Source};

/// Reused from exposure to exposure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    /// Red, green, blue, opacity, in sRGB; empty if not drawn.
    pub(crate) color: Vec<[u8; 4]>,
    /// Metres along the optical axis; infinity where nothing is.
    pub(crate) depth: Vec<f32>,
    /// Index of the visual in the scene plus one; 0 where nothing is.
    pub(crate) visual: Vec<u32>,
}

impl Planes {
    pub(crate) fn clear(&mut self) {
        self.color.clear();
        self.depth.clear();
        self.visual.clear();
    }

    /// Appends all rows of drawn images.
    pub(crate) fn append(&mut self, images: Images<'_>) {
        for row in images.color().into_iter().flatten() {
            self.color.extend_from_slice(row);
        }
        for row in images.depth().into_iter().flatten() {
            self.depth.extend(row.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        }
        for row in images.visual().into_iter().flatten() {
            self.visual.extend(row.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        }
    }

    /// Puts the image together from the parts of a plan. Colours are interpolated, depths and visuals are those of the
    /// nearest pixel.
    pub(crate) fn gather(&mut self, plan: &Plan, sources: &[Source], parts: &[Planes]) {
        self.clear();
        let part = |source: &Source| {
            let (number, at) = (*source)?;
            let index = usize::from(number);
            Some((parts.get(index)?, plan.parts.get(index)?.size, at))
        };
        if parts.iter().any(|part| !part.color.is_empty()) {
            self.color.extend(sources.iter().map(|source| {
                part(source).map_or([0, 0, 0, 255], |(part, size, at)| mixed(&part.color, size, at))
            }));
        }
        if parts.iter().any(|part| !part.depth.is_empty()) {
            self.depth.extend(sources.iter().map(|source| {
                part(source)
                    .map_or(f32::INFINITY, |(part, size, at)| nearest(&part.depth, size, at, f32::INFINITY))
            }));
            self.visual.extend(
                sources.iter().map(|source| {
                    part(source).map_or(0, |(part, size, at)| nearest(&part.visual, size, at, 0))
                }),
            );
        }
    }
}

fn nearest<T: Copy>(plane: &[T], size: [u32; 2], at: DVec2, missing: T) -> T {
    let (column, row) = (within(at.x.round(), size[0]), within(at.y.round(), size[1]));
    plane.get(row * size[0] as usize + column).copied().unwrap_or(missing)
}

fn mixed(plane: &[[u8; 4]], size: [u32; 2], at: DVec2) -> [u8; 4] {
    let low = at.floor();
    let share = at - low;
    let pixel = |x: f64, y: f64| {
        let (column, row) = (within(x, size[0]), within(y, size[1]));
        plane.get(row * size[0] as usize + column).copied().unwrap_or_default()
    };
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| {
        let weight =
            (if x > 0.0 { share.x } else { 1.0 - share.x }) * (if y > 0.0 { share.y } else { 1.0 - share.y });
        (weight, pixel(low.x + x, low.y + y))
    });
    std::array::from_fn(|channel| {
        let sum: f64 = corners.iter().map(|(weight, pixel)| weight * f64::from(pixel[channel])).sum();
        byte(sum)
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of a byte")]
pub(crate) fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
fn within(index: f64, size: u32) -> usize {
    index.clamp(0.0, f64::from(size.saturating_sub(1))) as usize
}
