//! The compression of rosbridge that puts JSON into the pixels of a PNG image, and back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Limits};

/// Bytes of a pixel.
const PIXEL: usize = 3;

/// Returns the base64 text of an image whose pixels are `json`, filled up with line ends.
pub(crate) fn to_image(json: &[u8]) -> Result<String, String> {
    let width = (json.len() / PIXEL).isqrt().max(1);
    let height = json.len().div_ceil(PIXEL * width).max(1);
    let mut pixels = json.to_vec();
    pixels.resize(width * height * PIXEL, b'\n');
    let too_large = |_| "the message is too large for an image".to_owned();
    let (columns, rows) =
        (u32::try_from(width).map_err(too_large)?, u32::try_from(height).map_err(too_large)?);
    let mut image = Vec::new();
    let mut encoder = Encoder::new(&mut image, columns, rows);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let write = |error: png::EncodingError| error.to_string();
    let mut writer = encoder.write_header().map_err(write)?;
    writer.write_image_data(&pixels).map_err(write)?;
    writer.finish().map_err(write)?;
    Ok(STANDARD.encode(image))
}

/// Returns the text in an image of at most `limit` bytes of pixels.
pub(crate) fn from_image(base64: &str, limit: usize) -> Result<String, String> {
    let image =
        STANDARD.decode(base64.trim()).map_err(|error| format!("the image is not base64: {error}"))?;
    let mut decoder = Decoder::new_with_limits(std::io::Cursor::new(image), Limits { bytes: limit });
    decoder.set_transformations(png::Transformations::IDENTITY);
    let read = |error: png::DecodingError| format!("the image is not a PNG: {error}");
    let mut reader = decoder.read_info().map_err(read)?;
    let size = reader.output_buffer_size().filter(|size| *size <= limit);
    let Some(size) = size else { return Err(format!("the image has more than {limit} bytes")) };
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(read)?;
    pixels.truncate(frame.buffer_size());
    String::from_utf8(pixels).map_err(|_| "the pixels are not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_with_line_ends() {
        for text in ["", "{}", "{\"op\":\"publish\"}", &"x".repeat(100_000)] {
            let image = to_image(text.as_bytes()).expect("an image");
            assert_eq!(from_image(&image, 1 << 20).expect("a text").trim_end_matches('\n'), text);
        }
    }

    #[test]
    fn large_and_wrong_images_are_refused() {
        let image = to_image("x".repeat(10_000).as_bytes()).expect("an image");
        assert!(from_image(&image, 1000).is_err());
        for wrong in ["", "!", "aGVsbG8=", &image[..image.len() / 2]] {
            assert!(from_image(wrong, 1 << 20).is_err(), "{wrong}");
        }
    }
}
