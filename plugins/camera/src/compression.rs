//! Compressed colour images.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;

/// Option of the host, not of SDF.
const PATH: &str = "bridgehead:compression";
/// Quality of JPEG, of 100.
const QUALITY: u8 = 90;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Jpeg,
    /// Without loss.
    Png,
}

impl Compression {
    pub(crate) fn read(sensor: Params) -> Result<Self> {
        let Some(text) = sensor.text(PATH) else { return Ok(Compression::Jpeg) };
        match text.trim() {
            "jpeg" => Ok(Compression::Jpeg),
            "png" => Ok(Compression::Png),
            _ => Err(sensor.refuse(PATH, &text, "jpeg or png")),
        }
    }

    /// The text that compressed_image_transport of ROS writes.
    pub(crate) fn format(self) -> &'static str {
        match self {
            Compression::Jpeg => "rgb8; jpeg compressed bgr8",
            Compression::Png => "rgb8; png compressed bgr8",
        }
    }

    /// Returns the file; `None` if the image cannot be encoded.
    pub(crate) fn encode(self, pixels: &[[u8; 4]], size: [u32; 2]) -> Option<Vec<u8>> {
        match self {
            Compression::Jpeg => jpeg(pixels, size),
            Compression::Png => png(pixels, size),
        }
    }
}

fn jpeg(pixels: &[[u8; 4]], size: [u32; 2]) -> Option<Vec<u8>> {
    let [width, height] = size.map(|size| u16::try_from(size).ok());
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, QUALITY);
    encoder.encode(pixels.as_flattened(), width?, height?, jpeg_encoder::ColorType::Rgba).ok()?;
    Some(file)
}

fn png(pixels: &[[u8; 4]], [width, height]: [u32; 2]) -> Option<Vec<u8>> {
    let mut colors = Vec::with_capacity(3 * pixels.len());
    pixels.iter().for_each(|[r, g, b, _]| colors.extend([*r, *g, *b]));
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // The default takes longer than drawing.
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&colors).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_has_exactly_the_colours() {
        let pixels =
            [[10, 20, 30, 255], [0, 255, 7, 255], [1, 2, 3, 0], [9, 8, 7, 255], [4, 5, 6, 1], [0; 4]];
        let file = Compression::Png.encode(&pixels, [3, 2]).expect("a file");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
        let mut read = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut read).expect("pixels");
        assert_eq!((frame.width, frame.height, frame.color_type), (3, 2, png::ColorType::Rgb));
        let colors: Vec<u8> = pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        assert_eq!(read, colors);
    }

    #[test]
    fn an_image_that_jpeg_cannot_have_is_not_encoded() {
        assert!(Compression::Jpeg.encode(&[[0; 4]; 70_000], [70_000, 1]).is_none());
        assert!(Compression::Png.encode(&[[0; 4]; 70_000], [70_000, 1]).is_some());
    }
}
