//! The content of one ZeroMQ part: a tag and a payload. Also the binary format of images, which are not protobuf.

use crate::tag::{LEN, Tag};

/// Bytes before the pixels of an image: what kind it is, and six numbers.
const IMAGE_HEADER: usize = 28;

/// An image.
const RAWI: u32 = 0x5241_5749;
/// An image of classes.
const RAWS: u32 = 0x5241_5753;
/// Several images.
const RAWM: u32 = 0x5241_574D;

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

impl ImageHeader {
    /// Appends what follows the time: size, format and bytes of a row.
    fn put_layout(&self, bytes: &mut Vec<u8>) {
        put_numbers(bytes, [self.width, self.height, self.format as u32, self.step]);
    }
}

/// Returns an image with its header in little endian. `pixels` are `height` rows of `step` bytes.
#[must_use]
pub fn image(header: &ImageHeader, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(IMAGE_HEADER + pixels.len());
    put_start(&mut bytes, RAWI, header.stamp_ns);
    header.put_layout(&mut bytes);
    bytes.extend_from_slice(pixels);
    bytes
}

/// Returns an image whose pixels are numbers of classes, with the numbers and names of the classes.
#[must_use]
pub fn labelled_image(header: &ImageHeader, pixels: &[u8], classes: &[(u32, String)]) -> Vec<u8> {
    let names: usize = classes.iter().map(|(_, name)| 6 + name.len()).sum();
    let mut bytes = Vec::with_capacity(IMAGE_HEADER + pixels.len() + 4 + names);
    put_start(&mut bytes, RAWS, header.stamp_ns);
    header.put_layout(&mut bytes);
    bytes.extend_from_slice(pixels);
    put_numbers(&mut bytes, [u32::try_from(classes.len()).unwrap_or(u32::MAX)]);
    for (class, name) in classes {
        put_numbers(&mut bytes, [*class]);
        // Longer names are cut: the length has 16 bits.
        let len = u16::try_from(name.len()).unwrap_or(u16::MAX);
        bytes.extend_from_slice(&len.to_le_bytes());
        bytes.extend_from_slice(&name.as_bytes()[..usize::from(len)]);
    }
    bytes
}

/// Returns several images of one time.
#[must_use]
pub fn images<'a>(
    stamp_ns: i64,
    images: impl ExactSizeIterator<Item = (&'a ImageHeader, &'a [u8])>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_start(&mut bytes, RAWM, stamp_ns);
    put_numbers(&mut bytes, [u32::try_from(images.len()).unwrap_or(u32::MAX)]);
    for (header, pixels) in images {
        header.put_layout(&mut bytes);
        bytes.extend_from_slice(pixels);
    }
    bytes
}

/// Appends the kind of an image and its time.
fn put_start(bytes: &mut Vec<u8>, magic: u32, stamp_ns: i64) {
    let seconds = i32::try_from(stamp_ns.div_euclid(1_000_000_000)).unwrap_or(i32::MAX);
    let rest = i32::try_from(stamp_ns.rem_euclid(1_000_000_000)).unwrap_or(0);
    put_numbers(bytes, [magic]);
    bytes.extend_from_slice(&seconds.to_le_bytes());
    bytes.extend_from_slice(&rest.to_le_bytes());
}

fn put_numbers<const N: usize>(bytes: &mut Vec<u8>, numbers: [u32; N]) {
    numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
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

    fn header(width: u32) -> ImageHeader {
        ImageHeader { stamp_ns: 2_000_000_003, width, height: 1, format: PixelFormat::L16, step: 2 * width }
    }

    #[test]
    fn classes_follow_the_pixels() {
        let classes = [(1, "box".to_owned()), (300, "Büro".to_owned())];
        let bytes = labelled_image(&header(2), &[1, 0, 44, 1], &classes);
        assert_eq!(bytes[..4], [0x53, 0x57, 0x41, 0x52]);
        assert_eq!(bytes[4..28], image(&header(2), &[])[4..]);
        assert_eq!(bytes[28..36], [1, 0, 44, 1, 2, 0, 0, 0]);
        assert_eq!(bytes[36..45], [1, 0, 0, 0, 3, 0, b'b', b'o', b'x']);
        assert_eq!(bytes[45..51], [44, 1, 0, 0, 5, 0]);
        assert_eq!(&bytes[51..], "Büro".as_bytes());
    }

    #[test]
    fn several_images_have_one_time_and_a_layout_each() {
        let (one, two) = (header(1), header(2));
        let bytes = images(2_000_000_003, [(&one, &[7, 8][..]), (&two, &[1, 2, 3, 4][..])].into_iter());
        assert_eq!(bytes[..16], [0x4d, 0x57, 0x41, 0x52, 2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes[16..34], [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 8]);
        assert_eq!(bytes[34..], [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4]);
    }
}
