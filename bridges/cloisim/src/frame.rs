//! The content of one ZeroMQ part: a tag and a payload. Also the binary format of images, which are not protobuf.

use crate::tag::{LEN, Tag};

/// Bytes before the pixels of an image: `RAWI` and six numbers.
const IMAGE_HEADER: usize = 28;

/// Concatenates a tag and a payload.
#[must_use]
pub fn frame(tag: Tag, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(LEN + payload.len());
    frame.extend_from_slice(&tag);
    frame.extend_from_slice(payload);
    frame
}

/// Returns what follows the tag; `None` if the frame is too short to have one.
#[must_use]
pub fn payload(frame: &[u8]) -> Option<&[u8]> {
    frame.get(LEN..)
}

/// Pixel format, with the number that clients use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum PixelFormat {
    /// 8 bits of grey.
    L8 = 1,
    /// 16 bits: grey, or depth in millimetres.
    L16 = 2,
    /// Red, green, blue.
    Rgb8 = 3,
    /// Blue, green, red.
    Bgr8 = 8,
    /// Depth in metres.
    Float32 = 13,
}

impl PixelFormat {
    /// Returns the format with a ROS name.
    #[must_use]
    pub fn of_encoding(encoding: &str) -> Option<Self> {
        Some(match encoding {
            "mono8" | "8UC1" => PixelFormat::L8,
            "mono16" | "16UC1" => PixelFormat::L16,
            "rgb8" => PixelFormat::Rgb8,
            "bgr8" => PixelFormat::Bgr8,
            "32FC1" => PixelFormat::Float32,
            _ => return None,
        })
    }

    /// Returns the format with an SDF name.
    #[must_use]
    pub fn of_sdf(name: &str) -> Option<Self> {
        Some(match name {
            "L8" | "L_INT8" => PixelFormat::L8,
            "L16" | "L_INT16" | "L_UINT16" => PixelFormat::L16,
            "R8G8B8" | "RGB_INT8" => PixelFormat::Rgb8,
            "B8G8R8" | "BGR_INT8" => PixelFormat::Bgr8,
            "R_FLOAT32" => PixelFormat::Float32,
            _ => return None,
        })
    }

    /// Returns the bytes of one pixel.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            PixelFormat::L8 => 1,
            PixelFormat::L16 => 2,
            PixelFormat::Rgb8 | PixelFormat::Bgr8 => 3,
            PixelFormat::Float32 => 4,
        }
    }
}

/// The header of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageHeader {
    /// Simulated time, nanoseconds.
    pub stamp_ns: i64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixel format.
    pub format: PixelFormat,
    /// Bytes of a row.
    pub step: u32,
}

/// Returns an image with its header in little endian. `pixels` are `height` rows of `step` bytes.
#[must_use]
pub fn image(header: &ImageHeader, pixels: &[u8]) -> Vec<u8> {
    let seconds = i32::try_from(header.stamp_ns.div_euclid(1_000_000_000)).unwrap_or(i32::MAX);
    let rest = i32::try_from(header.stamp_ns.rem_euclid(1_000_000_000)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(IMAGE_HEADER + pixels.len());
    bytes.extend_from_slice(&0x5241_5749_u32.to_le_bytes());
    bytes.extend_from_slice(&seconds.to_le_bytes());
    bytes.extend_from_slice(&rest.to_le_bytes());
    for number in [header.width, header.height, header.format as u32, header.step] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(pixels);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_tag_and_a_payload() {
        let whole = frame([1, 2, 3, 4, 5, 6, 7, 8], b"abc");
        assert_eq!(whole.len(), 11);
        assert_eq!(payload(&whole), Some(&b"abc"[..]));
        assert_eq!(payload(&whole[..7]), None);
    }

    #[test]
    fn an_image_header_is_little_endian() {
        let header = ImageHeader {
            stamp_ns: 2_000_000_003,
            width: 2,
            height: 1,
            format: PixelFormat::Float32,
            step: 8,
        };
        let bytes = image(&header, &[9; 8]);
        assert_eq!(bytes[..4], [0x49, 0x57, 0x41, 0x52]);
        assert_eq!(bytes[4..12], [2, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!(bytes[12..28], [2, 0, 0, 0, 1, 0, 0, 0, 13, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(bytes[28..], [9; 8]);
    }
}
