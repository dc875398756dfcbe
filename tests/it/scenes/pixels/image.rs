//! An image as pixels.

use std::io::Cursor;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Pixels of four bytes, row by row from the upper left.
pub(super) struct Image {
    width: usize,
    height: usize,
    pub(super) rgba: Vec<u8>,
}

impl Image {
    /// Decodes a PNG or a JPEG file.
    #[track_caller]
    pub(super) fn read(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"\x89PNG") { png(bytes) } else { jpeg(bytes) }
    }

    /// The pixel at texture coordinates from the upper left, which repeat.
    pub(super) fn nearest(&self, u: f64, v: f64) -> [u8; 4] {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the count"
        )]
        let place = |at: f64, count: usize| ((at.rem_euclid(1.0) * count as f64) as usize).min(count - 1);
        let at = 4 * (place(v, self.height) * self.width + place(u, self.width));
        self.rgba[at..at + 4].try_into().expect("a pixel")
    }
}

fn png(bytes: &[u8]) -> Image {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => {
            pixels.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect()
        }
        other => panic!("{other:?} after the transformations"),
    };
    Image { width: info.width as usize, height: info.height as usize, rgba }
}

fn jpeg(bytes: &[u8]) -> Image {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let rgba = decoder.decode().expect("a JPEG file");
    let (width, height) = decoder.dimensions().expect("a size");
    Image { width, height, rgba }
}
