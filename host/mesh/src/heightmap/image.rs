//! The grey values of a PNG image.

use std::io::Cursor;

use png::{BitDepth, Decoder, DecodingError, Limits, Transformations};

/// The greatest memory of the decoder apart from the image itself, bytes.
const MAX_MEMORY: usize = 64 << 20;

/// The first bytes of other image formats, and their names.
const OTHERS: &[(&[u8], &str)] = &[
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\0", "a TIFF image, the format of many digital elevation models"),
    (b"MM\0*", "a TIFF image, the format of many digital elevation models"),
    (b"BM", "a BMP image"),
    (b"GIF8", "a GIF image"),
];

/// Grey values, row after row from the top.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grey {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) values: Vec<u16>,
}

/// What is wrong with an image.
#[derive(Debug, PartialEq)]
pub(super) enum Refusal {
    /// The image has another format or is incomplete.
    Content(String),
    /// Its width and height are out of bounds.
    Size(u32, u32),
}

impl From<DecodingError> for Refusal {
    fn from(error: DecodingError) -> Self {
        Refusal::Content(format!("it is broken: {error}"))
    }
}

/// Decodes an image if `fits` accepts its size, which is checked before anything is decoded. The red channel
/// of colours is used, as in Gazebo.
pub(super) fn decode(bytes: &[u8], fits: impl Fn(u32, u32) -> bool) -> Result<Grey, Refusal> {
    if let Some((_, kind)) = OTHERS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(Refusal::Content(format!("it is {kind}")));
    }
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_MEMORY });
    decoder.set_transformations(Transformations::EXPAND);
    let (width, height) = decoder.read_header_info()?.size();
    if !fits(width, height) {
        return Err(Refusal::Size(width, height));
    }
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().ok_or(Refusal::Size(width, height))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels)?;
    let channels = frame.color_type.samples();
    let values: Vec<u16> = match frame.bit_depth {
        BitDepth::Sixteen => {
            pixels.chunks_exact(2 * channels).map(|pixel| u16::from_be_bytes([pixel[0], pixel[1]])).collect()
        }
        // Fewer bits were expanded to eight.
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => {
            pixels.chunks_exact(channels).map(|pixel| u16::from(pixel[0])).collect()
        }
    };
    Ok(Grey { columns: frame.width as usize, rows: frame.height as usize, values })
}
