//! Images of textures: PNG and JPEG, recognised by their content.
//!
//! The size in the header is checked before anything is decoded, so that a small file cannot fill the memory.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use png::{Decoder, Limits, Transformations};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Most pixels of an image, and the longest side.
const MOST_PIXELS: u64 = 64 << 20;
const LONGEST: u32 = 32_768;
/// The greatest memory of the decoder apart from the image itself, bytes.
const MOST_MEMORY: usize = 64 << 20;

/// The first bytes of image formats that are not read, and their names.
const OTHERS: &[(&[u8], &str)] = &[
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"DDS ", "DDS"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"RIFF", "WebP"),
    (b"\x00\x00\x02\x00", "TGA"),
    (b"\x00\x00\x0a\x00", "TGA"),
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
    /// It has another format.
    #[error("[BH-MSH-013] the texture is a {0} image; expected PNG or JPEG")]
    Format(&'static str),
    /// No known format.
    #[error("[BH-MSH-013] the texture is not an image; expected PNG or JPEG")]
    NoImage,
    /// Too many pixels.
    #[error(
        "[BH-MSH-013] the texture has {width} x {height} pixels; expected at most {MOST_PIXELS} in all, and {LONGEST} along a side"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// It is cut off, or otherwise damaged.
    #[error("[BH-MSH-013] the texture is damaged: {0}")]
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
    let other = OTHERS.iter().find(|(start, _)| bytes.starts_with(start));
    Err(other.map_or(ImageError::NoImage, |(_, name)| ImageError::Format(name)))
}

fn check(width: u32, height: u32) -> Result<(), ImageError> {
    let fits = u64::from(width) * u64::from(height) <= MOST_PIXELS && width.max(height) <= LONGEST;
    if fits { Ok(()) } else { Err(ImageError::TooLarge { width, height }) }
}

fn damaged(error: impl std::fmt::Display) -> ImageError {
    ImageError::Damaged(error.to_string())
}

fn png(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_MEMORY });
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
        .set_max_width(LONGEST as usize)
        .set_max_height(LONGEST as usize)
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
mod tests {
    use super::*;

    /// A PNG of one row: its header says another size if `size` is given.
    fn png_of(size: Option<(u32, u32)>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[255, 0, 0, 0, 0, 255]).expect("pixels");
        drop(writer);
        if let Some((width, height)) = size {
            bytes[16..20].copy_from_slice(&width.to_be_bytes());
            bytes[20..24].copy_from_slice(&height.to_be_bytes());
            let check = crc(&bytes[12..29]);
            bytes[29..33].copy_from_slice(&check.to_be_bytes());
        }
        bytes
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
        })
    }

    #[test]
    fn a_png_is_decoded_with_opacity() {
        let pixels = decode(&png_of(None)).expect("an image");
        assert_eq!((pixels.width, pixels.height), (2, 1));
        assert_eq!(pixels.rgba, [255, 0, 0, 255, 0, 0, 255, 255]);
        let info = examine(&png_of(None)).expect("an image");
        assert_eq!(info, ImageInfo { media_type: "image/png", width: 2, height: 1 });
    }

    #[test]
    fn a_bomb_is_refused_by_its_header() {
        for (width, height) in [(60_000, 60_000), (1, 40_000), (u32::MAX >> 1, 1)] {
            let error = decode(&png_of(Some((width, height)))).expect_err("too large");
            assert_eq!(error, ImageError::TooLarge { width, height });
        }
    }

    #[test]
    fn damage_and_other_formats_are_named() {
        let mut cut = png_of(None);
        cut.truncate(cut.len() - 20);
        assert!(matches!(examine(&cut), Err(ImageError::Damaged(_))));
        assert!(matches!(examine(b"\xff\xd8\xff\xe0 not one"), Err(ImageError::Damaged(_))));
        assert_eq!(examine(b"GIF89a"), Err(ImageError::Format("GIF")));
        assert_eq!(examine(b""), Err(ImageError::NoImage));
    }
}
