//! `<heightmap>` of SDF: a grid of heights out of the grey values of an image.
//!
//! As Gazebo's `ImageHeightmap` and its physics have it: the image is a square of 2ⁿ + 1 pixels; the brightest pixel is
//! as high as `size.z`, and black is at 0; a negative `size.z` swaps the two; the top of the image lies towards +y; the
//! red channel counts. Other than there, the grid is as wide as `size` says, and its position is followed.

use std::io::Cursor;
use std::path::Path;

use glam::{DVec2, DVec3};
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use crate::file::{self, MOST_BYTES, contained};
use crate::mesh::index;
use crate::{Mesh, MeshError};

/// The longest side of the image and of the grid, which then takes 128 MiB.
const MOST_SIDE: u32 = 4097;

/// Heights over a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    side: usize,
    heights: Vec<f64>,
    extent: DVec2,
    position: DVec3,
}

/// Reads an image, PNG or JPEG whatever its extension, as heights.
///
/// `size` is the extent along x and y and the height of the brightest pixel, metres; `position` is where the middle of
/// the map stands at height 0, metres. With `sampling` above 1 each pixel gives as many samples along each axis,
/// interpolated between pixels.
///
/// # Errors
/// Where the image cannot be read, is no image, or is not a square of 2ⁿ + 1 pixels; where the size is not finite and
/// above 0 along x and y, the position not finite, or the sampling gives no grid of up to 4097 samples along a side.
pub fn heightmap(path: &Path, size: DVec3, position: DVec3, sampling: u32) -> Result<Heightmap, MeshError> {
    check_settings(size, position)?;
    let file = path.display().to_string();
    let bytes = file::read(path, MOST_BYTES)?;
    let panicked = || Err(Failure::Broken("its reader gave up".to_owned()));
    let image = contained(|| decode(&bytes)).unwrap_or_else(panicked).map_err(|failure| match failure {
        Failure::Broken(found) => MeshError::Image { file: file.clone(), found },
        Failure::Size(width, height) => wrong_size(file.clone(), width, height),
    })?;
    let side = sampled_side(image.side, sampling)?;
    let heights = image.heights(side, sampling, size.z);
    Ok(Heightmap { side, heights, extent: size.truncate(), position })
}

impl Heightmap {
    /// Samples along each side.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Metres above the position; row after row from +y to -y, each from -x to +x.
    #[must_use]
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// From the first to the last sample along x and y, metres.
    #[must_use]
    pub fn extent(&self) -> DVec2 {
        self.extent
    }

    /// Where the middle of the map stands, metres.
    #[must_use]
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// Its surface, seen from above, in the frame that its position is given in; it is not closed. Squares are parted
    /// from the corner at -x +y to that at +x -y.
    #[must_use]
    pub fn to_mesh(&self) -> Mesh {
        let cells = self.side.saturating_sub(1);
        let corner = self.position + DVec3::new(-self.extent.x, self.extent.y, 0.0) / 2.0;
        #[expect(clippy::cast_precision_loss, reason = "sides are short")]
        let share = |at: usize| at as f64 / cells as f64;
        let point = |(at, height): (usize, &f64)| {
            let (row, column) = (at / self.side, at % self.side);
            corner + DVec3::new(share(column) * self.extent.x, -share(row) * self.extent.y, *height)
        };
        let points = self.heights.iter().enumerate().map(point).collect();
        let squares = (0..cells).flat_map(|row| (0..cells).map(move |column| (row, column)));
        let triangles = squares.flat_map(|(row, column)| {
            let [a, b] = [index(row * self.side + column), index((row + 1) * self.side + column)];
            [[a, b, b + 1], [a, b + 1, a + 1]]
        });
        Mesh { points, triangles: triangles.collect() }
    }
}

fn check_settings(size: DVec3, position: DVec3) -> Result<(), MeshError> {
    let refuse = |name, found: DVec3, expected| {
        Err(MeshError::Setting { name, found: found.to_string(), expected })
    };
    if !(size.is_finite() && size.x > 0.0 && size.y > 0.0) {
        return refuse("size of the heightmap", size, "finite numbers, above 0 along x and y");
    }
    if !position.is_finite() {
        return refuse("position of the heightmap", position, "three finite numbers");
    }
    Ok(())
}

fn wrong_size(file: String, width: u32, height: u32) -> MeshError {
    let longest = width.max(height).clamp(2, MOST_SIDE);
    let fitting = (longest - 1).next_power_of_two() + 1;
    MeshError::ImageSize { file, width, height, most: MOST_SIDE, fitting }
}

/// Samples between pixels, and one for the last pixel.
fn sampled_side(side: u32, sampling: u32) -> Result<usize, MeshError> {
    let sampled = (side - 1).checked_mul(sampling).and_then(|steps| steps.checked_add(1));
    match sampled.filter(|sampled| sampling > 0 && *sampled <= MOST_SIDE) {
        Some(sampled) => Ok(sampled as usize),
        None => Err(MeshError::Setting {
            name: "sampling of the heightmap",
            found: sampling.to_string(),
            expected: "1 or more, with up to 4097 samples along a side",
        }),
    }
}

enum Failure {
    Broken(String),
    Size(u32, u32),
}

impl From<image::ImageError> for Failure {
    fn from(error: image::ImageError) -> Self {
        Failure::Broken(format!("its reader says: {error}"))
    }
}

/// Grey values of a square.
struct Grey {
    side: u32,
    values: Vec<u16>,
}

fn decode(bytes: &[u8]) -> Result<Grey, Failure> {
    let format = image::guess_format(bytes)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(Failure::Broken(format!("it is {format:?}")));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let side = width;
    if width != height || !(2..=MOST_SIDE).contains(&side) || !(side - 1).is_power_of_two() {
        return Err(Failure::Size(width, height));
    }
    let pixels = DynamicImage::from_decoder(decoder)?.into_rgb16();
    Ok(Grey { side, values: pixels.pixels().map(|pixel| pixel.0[0]).collect() })
}

impl Grey {
    /// Metres, for a grid of `side` samples, `sampling` for each pixel.
    fn heights(&self, side: usize, sampling: u32, height: f64) -> Vec<f64> {
        let brightest = f64::from(self.values.iter().copied().max().unwrap_or(0).max(1));
        let scale = height.abs() / brightest;
        let (pixels, step) = (self.side as usize, sampling as usize);
        let samples = (0..side * side).map(|at| {
            let (row, column) = (at / side, at % side);
            let across = |row: usize| {
                let value = |column: usize| f64::from(self.values[row * pixels + column]);
                between(column, step, pixels, value)
            };
            between(row, step, pixels, across)
        });
        let lift = |grey: f64| if height < 0.0 { -height - grey * scale } else { grey * scale };
        samples.map(lift).collect()
    }
}

/// The value at a sample, between those of the pixels before and after it.
fn between(sample: usize, step: usize, pixels: usize, value: impl Fn(usize) -> f64) -> f64 {
    let (before, rest) = (sample / step, sample % step);
    let (low, high) = (value(before), value((before + 1).min(pixels - 1)));
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let share = rest as f64 / step as f64;
    low + (high - low) * share
}
