//! The images of one camera in the memory of the process.

use super::job::{Job, Workspace};
use super::lanes::LANES;
use super::samples::Samples;
use crate::error::RenderError;
use crate::target::{Images, Wanted};
use wide::f32x4;

/// Pixels of a side: more than any sensor has.
const LONGEST: u32 = 1 << 15;

/// What this renderer is called.
pub(crate) const NAME: &str = "processor";

/// The images of a camera, and the one that is to be drawn.
pub(crate) struct Target {
    size: [u32; 2],
    wanted: Wanted,
    colors: Samples,
    /// With four samples for colours.
    geometry: Option<Samples>,
    depth: Vec<f32>,
    work: Workspace,
    pub(super) job: Option<Job>,
}

impl Target {
    pub(super) fn new(size: [u32; 2], wanted: Wanted) -> Result<Self, RenderError> {
        let [width, height] = size;
        if width > LONGEST || height > LONGEST || width == 0 || height == 0 {
            return Err(RenderError::TooLarge { width, height, longest: LONGEST });
        }
        let has_four = match wanted.samples {
            0 | 1 => false,
            4 => wanted.color,
            other => {
                let why = format!("a pixel has 1 or 4 samples, not {other}");
                return Err(RenderError::Device { adapter: NAME.to_owned(), why });
            }
        };
        let pixels = size.map(|size| size as usize);
        Ok(Target {
            size,
            wanted,
            colors: Samples::new(pixels, has_four),
            geometry: (has_four && wanted.geometry).then(|| Samples::new(pixels, false)),
            depth: Vec::new(),
            work: Workspace::default(),
            job: None,
        })
    }

    pub(crate) fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// Draws what was asked for, and passes the images to `take`.
    pub(crate) fn read<T>(&mut self, take: impl FnOnce(Images<'_>) -> T) -> Result<T, RenderError> {
        let nothing =
            || RenderError::Device { adapter: NAME.to_owned(), why: "nothing was drawn".to_owned() };
        let job = self.job.take().ok_or_else(nothing)?;
        let size = self.size.map(|size| size as usize);
        job.draw(self.wanted, size, &mut self.colors, self.geometry.as_mut(), &mut self.work);
        self.colors.resolve();
        let geometry = self.geometry.as_ref().unwrap_or(&self.colors);
        if self.wanted.geometry {
            invert(geometry.inverse(), &mut self.depth);
        }
        Ok(take(Images {
            size: self.size,
            stride: geometry.stride() * size_of::<u32>(),
            color: self.wanted.color.then(|| bytemuck::cast_slice(self.colors.color())),
            depth: self.wanted.geometry.then(|| bytemuck::cast_slice(&self.depth)),
            visual: self.wanted.geometry.then(|| bytemuck::cast_slice(geometry.visual())),
        }))
    }
}

/// Depths: infinity where nothing is.
fn invert(inverse: &[f32], depth: &mut Vec<f32>) {
    depth.clear();
    for chunk in inverse.chunks_exact(LANES) {
        depth.extend((f32x4::ONE / super::lanes::load(chunk)).to_array());
    }
    depth.extend(inverse.chunks_exact(LANES).remainder().iter().map(|value| 1.0 / value));
}
