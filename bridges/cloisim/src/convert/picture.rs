//! Images of colours and depths, in the raw format that clients read without protobuf.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::Image;

use super::{ConversionError, Converter, Outputs};
use crate::device::{Key, Slot};
use crate::frame::{ImageHeader, PixelFormat, image};

pub(super) struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The format that the camera info names.
    pub(super) format: PixelFormat,
    /// Units of 16-bit pixels per metre.
    pub(super) per_metre: f64,
}

impl Converter for Picture {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let picture = Image::decode(message)?;
        let Some(format) = PixelFormat::of_encoding(&picture.encoding) else {
            return Err(ConversionError(format!(
                "its pixel format `{}` is not supported by clients",
                picture.encoding
            )));
        };
        if picture.is_bigendian != 0 && format.bytes() > 1 {
            return Err(ConversionError("its pixels are big-endian".to_owned()));
        }
        let stamp = picture.header.as_ref().and_then(|header| header.stamp.as_ref());
        let stamp_ns =
            stamp.map_or(0, |stamp| i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec));
        let len = picture.height as usize * picture.step as usize;
        let Some(pixels) = picture.data.get(..len) else {
            return Err(ConversionError(format!(
                "it has {} bytes, but its size needs {len}",
                picture.data.len()
            )));
        };
        let mut header = ImageHeader {
            stamp_ns,
            width: picture.width,
            height: picture.height,
            format,
            step: picture.step,
        };
        let payload = if (format, self.format) == (PixelFormat::Float32, PixelFormat::L16) {
            header.format = PixelFormat::L16;
            header.step = picture.width * PixelFormat::L16.bytes();
            image(&header, &self.shorten(pixels, &picture))
        } else {
            image(&header, pixels)
        };
        Ok(vec![(Key::Data, payload)])
    }

    /// A black image, or one in which nothing was measured.
    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let step = self.width.saturating_mul(self.format.bytes());
        let header =
            ImageHeader { stamp_ns: now, width: self.width, height: self.height, format: self.format, step };
        image(&header, &vec![0; step as usize * self.height as usize])
    }
}

impl Picture {
    /// Converts metres to integer units; 0 if nothing was measured.
    fn shorten(&self, pixels: &[u8], picture: &Image) -> Vec<u8> {
        let mut short = Vec::with_capacity(pixels.len() / 2);
        for row in pixels.chunks_exact((picture.step as usize).max(1)) {
            for pixel in row.chunks_exact(4).take(picture.width as usize) {
                let metres = pixel.try_into().map_or(f32::NAN, f32::from_le_bytes);
                let units = (f64::from(metres) * self.per_metre).round();
                let units = if units.is_finite() { units.clamp(0.0, f64::from(u16::MAX)) } else { 0.0 };
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
                short.extend_from_slice(&(units as u16).to_le_bytes());
            }
        }
        short
    }
}
