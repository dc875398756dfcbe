//! Images of textures: PNG and JPEG, recognised by their content.
//!
//! The size in the header is checked before anything is decoded, so that a small file cannot fill the memory. Plain
//! functions, usable from any thread.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use png::{Decoder, Limits, Transformations};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// The most pixels of an image, which is 8192 x 8192, and the longest side.
const MAX_PIXELS: u64 = 64 << 20;
const LONGEST: u32 = 32_768;
/// The greatest memory of the decoder apart from the image itself, bytes.
const MAX_MEMORY: usize = 64 << 20;

/// The first bytes of image formats that are not read, and their names.
const OTHERS: &[(&[u8], &str)] = &[
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"DDS ", "DDS"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"\xabKTX", "KTX"),
];

/// What the header of an image says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageInfo {
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row after row from the top.
    pub rgba: Vec<u8>,
}

/// Why an image cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Its file cannot be read.
    #[error("[BH-MSH-013] the texture cannot be read: {0}")]
    Unreadable(String),
    /// It has another format.
    #[error("[BH-MSH-013] the texture is a {0} image, which is not supported; convert it to PNG")]
    Format(&'static str),
    /// No known format.
    #[error("[BH-MSH-013] the texture is not an image in a known format; expected PNG or JPEG")]
    NoImage,
    /// Too many pixels.
    #[error(
        "[BH-MSH-013] the texture has {width} × {height} pixels; expected at most {MAX_PIXELS} in all, and {LONGEST} \
         along a side"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// It is cut off, or otherwise damaged.
    #[error("[BH-MSH-013] the texture is damaged: {0}; write it again with an image editor")]
    Damaged(String),
}

/// Decodes an image to see that it is usable, and returns what its header says.
///
/// # Errors
/// Returns an error if it has another format, is too large, or is damaged.
pub fn examine(bytes: &[u8]) -> Result<ImageInfo, ImageError> {
    let pixels = decode(bytes)?;
    Ok(ImageInfo { media_type: format(bytes)?.media_type(), width: pixels.width, height: pixels.height })
}

/// Decodes an image. Colours of 16 bits are reduced to 8.
///
/// # Errors
/// Returns an error if it has another format, is too large, or is damaged.
pub fn decode(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let decode = match format(bytes)? {
        Format::Png => png,
        Format::Jpeg => jpeg,
    };
    // A panic of a decoder is damage too.
    catch_unwind(AssertUnwindSafe(|| decode(bytes)))
        .unwrap_or_else(|_| Err(ImageError::Damaged("its parts do not fit together".to_owned())))
}

#[derive(Clone, Copy)]
enum Format {
    Png,
    Jpeg,
}

impl Format {
    const fn media_type(self) -> &'static str {
        match self {
            Format::Png => "image/png",
            Format::Jpeg => "image/jpeg",
        }
    }
}

fn format(bytes: &[u8]) -> Result<Format, ImageError> {
    if bytes.starts_with(b"\x89PNG") {
        return Ok(Format::Png);
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Ok(Format::Jpeg);
    }
    Err(other_format(bytes).map_or(ImageError::NoImage, ImageError::Format))
}

/// Returns the name of a format that is not read.
fn other_format(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some("WebP");
    }
    let other = OTHERS.iter().find(|(start, _)| bytes.starts_with(start));
    other.map(|(_, name)| *name).or_else(|| is_tga(bytes).then_some("TGA"))
}

/// TGA has no signature: its header consists of small numbers, of which few are allowed.
fn is_tga(bytes: &[u8]) -> bool {
    let Some(header) = bytes.get(..18) else { return false };
    let (map, kind, bits) = (header[1], header[2], header[16]);
    map <= 1 && matches!(kind, 1..=3 | 9..=11) && matches!(bits, 8 | 15 | 16 | 24 | 32)
}

fn check(width: u32, height: u32) -> Result<(), ImageError> {
    let fits = u64::from(width) * u64::from(height) <= MAX_PIXELS && width.max(height) <= LONGEST;
    if fits { Ok(()) } else { Err(ImageError::TooLarge { width, height }) }
}

fn damaged(error: impl std::fmt::Display) -> ImageError {
    ImageError::Damaged(error.to_string())
}

fn png(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_MEMORY });
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let (width, height) = decoder.read_header_info().map_err(damaged)?.size();
    check(width, height)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = reader.output_buffer_size().ok_or(ImageError::TooLarge { width, height })?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(damaged)?;
    pixels.truncate(frame.buffer_size());
    let rgba = match frame.color_type.samples() {
        2 => pixels.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect(),
        _ => pixels,
    };
    Ok(Pixels { width, height, rgba })
}

fn jpeg(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| damaged("it has no size"))?;
    let size = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    check(size(width), size(height))?;
    let rgba = decoder.decode().map_err(damaged)?;
    Ok(Pixels { width: size(width), height: size(height), rgba })
}

#[cfg(test)]
mod tests;
