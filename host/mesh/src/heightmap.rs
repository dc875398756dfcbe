//! `<heightmap>`: a surface from the grey values of an image.
//!
//! As in Gazebo, the brightest pixel has the height of `<size>`, black is at 0, and the top of the image is
//! towards +y; a negative height swaps bright and dark. Unlike there, an image may have any size and need not
//! be square.

mod image;

use std::path::Path;

use super::{MeshError, Triangles, contained};
use bridgehead_pose::{DVec2, DVec3};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, ReadError};
use image::{Grey, Refusal, decode};

/// The least distance between samples, metres.
const MIN_SPACING: f64 = 1e-6;

/// How to turn an image into a surface, as `<heightmap>` in SDF describes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relief {
    /// Extent along x and y, and the height of the brightest pixel, metres.
    pub size: DVec3,
    /// The centre of the map, at height 0.
    pub position: DVec3,
    /// Samples for each pixel along each side.
    pub sampling: u32,
}

/// Heights over a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Samples from -x to +x, two or more.
    pub columns: usize,
    /// Samples from +y to -y, two or more.
    pub rows: usize,
    /// Metres above the position, row after row.
    pub heights: Vec<f64>,
    /// From the first to the last sample along x and y, metres.
    pub extent: DVec2,
    /// The centre of the map.
    pub position: DVec3,
}

impl Heights {
    /// Reads a PNG image, with any extension.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a PNG or too large, the relief does not define a surface, or
    /// the budget of `account` does not suffice.
    pub fn load(path: &Path, relief: &Relief, account: Account<'_>) -> Result<Self, MeshError> {
        check(relief)?;
        let bytes = account.read(path).map_err(|error| match error {
            ReadError::Stopped(finding) => MeshError::Stopped(finding),
            reason => MeshError::Image {
                file: path.display().to_string(),
                found: format!("it cannot be read: {reason}"),
            },
        })?;
        Heights::of_bytes(path, &bytes, relief, account)
    }

    /// Reads the content of the file at `path`.
    pub(crate) fn of_bytes(
        path: &Path,
        bytes: &[u8],
        relief: &Relief,
        account: Account<'_>,
    ) -> Result<Self, MeshError> {
        check(relief)?;
        let file = path.display().to_string();
        let refuse = |found: String| MeshError::Image { file: file.clone(), found };
        let fits = |width, height| sampled(width, height, relief.sampling).is_some();
        let grey = contained(|| Ok(decode(bytes, fits))).map_err(|cause| refuse(cause.to_string()))?;
        match grey {
            Ok(grey) => {
                let heights = Heights::of_image(&grey, relief)?;
                // Two triangles and a corner for each sample.
                let size = 3 * heights.heights.len() as u64;
                account.charge(Limit::Triangles, size).map_err(MeshError::Stopped)?;
                Ok(heights)
            }
            Err(Refusal::Content(found)) => Err(refuse(found)),
            Err(Refusal::Size(width, height)) => {
                let (sampling, most) = (relief.sampling, Limit::Samples.most());
                Err(MeshError::ImageSize { file, width, height, sampling, most })
            }
        }
    }

    fn of_image(grey: &Grey, relief: &Relief) -> Result<Self, MeshError> {
        let step = relief.sampling as usize;
        let (columns, rows) = ((grey.columns - 1) * step + 1, (grey.rows - 1) * step + 1);
        let extent = relief.size.truncate();
        let spacing = extent / DVec2::new(count(columns - 1), count(rows - 1));
        if spacing.min_element() < MIN_SPACING {
            let found = format!("samples that are {} m apart", spacing.min_element());
            return Err(MeshError::Relief { found });
        }
        let heights = heights(grey, (columns, rows), relief);
        Ok(Heights { columns, rows, heights, extent, position: relief.position })
    }

    /// The surface as seen from above, not closed. Squares are split from the corner at -x -y to that at +x
    /// +y.
    #[must_use]
    pub fn triangles(&self) -> Triangles {
        let corner = self.position + DVec3::new(-self.extent.x, self.extent.y, 0.0) / 2.0;
        let across = self.extent / DVec2::new(count(self.columns - 1), count(self.rows - 1));
        let points = self.heights.iter().enumerate().map(|(at, height)| {
            let (row, column) = (at / self.columns, at % self.columns);
            corner + DVec3::new(across.x * count(column), -across.y * count(row), *height)
        });
        let squares = (1..self.rows).flat_map(|row| (1..self.columns).map(move |column| (row, column)));
        let index =
            |row: usize, column: usize| u32::try_from(row * self.columns + column).unwrap_or(u32::MAX);
        let indices = squares.flat_map(|(row, column)| {
            let [above, below] = [row - 1, row].map(|row| [index(row, column - 1), index(row, column)]);
            [[above[0], below[0], above[1]], [below[0], below[1], above[1]]]
        });
        Triangles { points: points.collect(), indices: indices.collect() }
    }
}

fn check(relief: &Relief) -> Result<(), MeshError> {
    let refuse = |found: String| Err(MeshError::Relief { found });
    let Relief { size, position, sampling } = *relief;
    if !(size.is_finite() && size.x > 0.0 && size.y > 0.0) {
        return refuse(format!("a size of {size}"));
    }
    if !position.is_finite() {
        return refuse(format!("a position of {position}"));
    }
    if sampling == 0 { refuse("a sampling of 0".to_owned()) } else { Ok(()) }
}

/// The number of samples, if each side has enough and the total is not too large.
fn sampled(width: u32, height: u32, sampling: u32) -> Option<u64> {
    let side = |pixels: u32| (u64::from(pixels.checked_sub(1)?) * u64::from(sampling)).checked_add(1);
    let (columns, rows) = (side(width)?, side(height)?);
    let samples = columns.checked_mul(rows)?;
    (columns > 1 && rows > 1 && samples <= Limit::Samples.most()).then_some(samples)
}

fn heights(grey: &Grey, (columns, rows): (usize, usize), relief: &Relief) -> Vec<f64> {
    let brightest = f64::from(grey.values.iter().copied().max().unwrap_or(0).max(1));
    let step = relief.sampling as usize;
    let height = relief.size.z;
    let lift = |value: f64| {
        let from_ground = if height < 0.0 { brightest - value } else { value };
        height.abs() * (from_ground / brightest)
    };
    let samples = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    samples.map(|(row, column)| lift(sample(grey, row, column, step))).collect()
}

/// The grey value at a sample: that of a pixel, or interpolated between the four around it.
fn sample(grey: &Grey, row: usize, column: usize, step: usize) -> f64 {
    let value = |row: usize, column: usize| {
        f64::from(grey.values.get(row * grey.columns + column).copied().unwrap_or(0))
    };
    let across = |row: usize| between(column, step, grey.columns, |column| value(row, column));
    between(row, step, grey.rows, across)
}

fn between(sample: usize, step: usize, pixels: usize, value: impl Fn(usize) -> f64) -> f64 {
    let (before, rest) = (sample / step, sample % step);
    let low = value(before);
    if rest == 0 {
        low
    } else {
        low + (value((before + 1).min(pixels - 1)) - low) * (count(rest) / count(step))
    }
}

#[expect(clippy::cast_precision_loss, reason = "samples are counted in millions")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
