//! Images of colours and depths, in the raw format that clients read without protobuf.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::prost::bytes::Bytes;
use bridgehead_plugin_api::messages::sensor_msgs::Image;

use super::{ConversionError, Converter, Outputs};
use crate::device::{ImageConfig, Key, Slot};
use crate::frame::{ImageHeader, PixelFormat, image};

pub(super) struct Picture(pub(super) ImageConfig);

impl Converter for Picture {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let Shown { header, pixels } = Shown::read(message, &self.0)?;
        Ok(vec![(Key::Data, image(&header, &pixels))])
    }

    /// A black image, or one in which nothing was measured.
    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let Shown { header, pixels } = Shown::empty(&self.0, now);
        image(&header, &pixels)
    }
}

/// An image as clients receive it.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) header: ImageHeader,
    /// Rows of [`ImageHeader::step`] bytes.
    pub(super) pixels: Bytes,
}

impl Shown {
    /// Reads a message of the host. Depths become integers if the camera info says so.
    pub(super) fn read(message: &[u8], config: &ImageConfig) -> Result<Self, ConversionError> {
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
        let len = picture.height as usize * picture.step as usize;
        if picture.data.len() < len {
            let found = picture.data.len();
            return Err(ConversionError(format!("it has {found} bytes, but its size needs {len}")));
        }
        let stamp = picture.header.as_ref().and_then(|header| header.stamp.as_ref());
        let stamp_ns =
            stamp.map_or(0, |stamp| i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec));
        let Image { width, height, step, .. } = picture;
        let shown = Shown {
            header: ImageHeader { stamp_ns, width, height, format, step },
            pixels: picture.data.slice(..len),
        };
        let is_shortened = (format, config.format) == (PixelFormat::Float32, PixelFormat::L16);
        Ok(if is_shortened { shown.shorten(config.per_metre) } else { shown })
    }

    /// A black image, or one in which nothing was measured.
    pub(super) fn empty(config: &ImageConfig, now: i64) -> Self {
        let ImageConfig { width, height, format, .. } = *config;
        let step = width.saturating_mul(format.bytes());
        let header = ImageHeader { stamp_ns: now, width, height, format, step };
        Shown { header, pixels: vec![0; step as usize * height as usize].into() }
    }

    /// Converts metres to integer units; 0 if nothing was measured.
    fn shorten(mut self, per_metre: f64) -> Self {
        let mut short = Vec::with_capacity(self.pixels.len() / 2);
        for row in self.pixels.chunks_exact((self.header.step as usize).max(1)) {
            for pixel in row.chunks_exact(4).take(self.header.width as usize) {
                let metres = pixel.try_into().map_or(f32::NAN, f32::from_le_bytes);
                let units = (f64::from(metres) * per_metre).round();
                let units = if units.is_finite() { units.clamp(0.0, f64::from(u16::MAX)) } else { 0.0 };
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
                short.extend_from_slice(&(units as u16).to_le_bytes());
            }
        }
        self.header.format = PixelFormat::L16;
        self.header.step = self.header.width * PixelFormat::L16.bytes();
        self.pixels = short.into();
        self
    }
}
