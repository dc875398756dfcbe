//! The images of one camera.

use crate::{device, processor};

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Colours.
    pub color: bool,
    /// Depths and visuals.
    pub geometry: bool,
    /// Colours are the mean of so many samples of each pixel: 1 or 4.
    pub samples: u32,
}

/// The images of one camera.
pub struct Target {
    pub(crate) wanted: Wanted,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Device(Box<device::Target>),
    Processor(Box<processor::Target>),
}

impl Target {
    /// Returns what it has.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }
}

/// The pixels of one image.
#[derive(Clone, Copy, Debug)]
pub struct Images<'a> {
    pub(crate) size: [u32; 2],
    /// Bytes between the beginnings of two rows.
    pub(crate) stride: usize,
    pub(crate) color: Option<&'a [u8]>,
    pub(crate) depth: Option<&'a [u8]>,
    pub(crate) visual: Option<&'a [u8]>,
}

impl<'a> Images<'a> {
    /// Rows of colours from the top: red, green, blue, and opacity, in sRGB.
    pub fn color(&self) -> Option<impl Iterator<Item = &'a [[u8; 4]]> + use<'a>> {
        Some(self.rows(self.color?).map(|row| row.as_chunks().0))
    }

    /// Rows of depths from the top, metres along the optical axis; infinity where nothing is.
    pub fn depth(&self) -> Option<impl Iterator<Item = &'a [[u8; 4]]> + use<'a>> {
        Some(self.rows(self.depth?).map(|row| row.as_chunks().0))
    }

    /// Rows of visuals from the top: index in the scene plus one; 0 where nothing is.
    pub fn visual(&self) -> Option<impl Iterator<Item = &'a [[u8; 4]]> + use<'a>> {
        Some(self.rows(self.visual?).map(|row| row.as_chunks().0))
    }

    fn rows(&self, plane: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let [width, height] = self.size.map(|size| size as usize);
        plane.chunks(self.stride).take(height).filter_map(move |row| row.get(..width * 4))
    }
}
