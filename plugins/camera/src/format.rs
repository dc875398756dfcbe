//! Formats of colour images.

use bridgehead_plugin_api::Result;

use crate::element::Element;

/// A format of SDF, with its encoding in ROS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Rgb8,
    Bgr8,
    Rgba8,
    Mono8,
    Mono16,
    /// Channel of the pixels of a square of two by two, by rows.
    Bayer([u8; 4]),
}

const FORMATS: &[(&str, Format)] = &[
    ("R8G8B8", Format::Rgb8),
    ("RGB_INT8", Format::Rgb8),
    ("B8G8R8", Format::Bgr8),
    ("BGR_INT8", Format::Bgr8),
    ("R8G8B8A8", Format::Rgba8),
    ("RGBA_INT8", Format::Rgba8),
    ("L8", Format::Mono8),
    ("L_INT8", Format::Mono8),
    ("L16", Format::Mono16),
    ("L_INT16", Format::Mono16),
    ("BAYER_RGGB8", Format::Bayer([0, 1, 1, 2])),
    ("BAYER_BGGR8", Format::Bayer([2, 1, 1, 0])),
    ("BAYER_GBRG8", Format::Bayer([1, 2, 0, 1])),
    ("BAYER_GRBG8", Format::Bayer([1, 0, 2, 1])),
];

/// Formats of depth images, which cameras of other types may have too.
const DEPTHS: &[&str] = &["R_FLOAT32", "R_FLOAT16", "R32F", "FLOAT32"];

impl Format {
    pub(crate) fn read(camera: &Element) -> Result<Self> {
        const PATH: &str = "image/format";
        let Some(text) = camera.text(PATH) else { return Ok(Format::Rgb8) };
        let name = text.trim().to_uppercase();
        if DEPTHS.contains(&name.as_str()) {
            return Ok(Format::Rgb8);
        }
        let found = FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format);
        let names = || FORMATS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| camera.refuse(PATH, &text, format!("one of {}", names())))
    }

    /// Name in ROS.
    pub(crate) fn encoding(self) -> &'static str {
        match self {
            Format::Rgb8 => "rgb8",
            Format::Bgr8 => "bgr8",
            Format::Rgba8 => "rgba8",
            Format::Mono8 => "mono8",
            Format::Mono16 => "mono16",
            Format::Bayer([0, ..]) => "bayer_rggb8",
            Format::Bayer([2, ..]) => "bayer_bggr8",
            Format::Bayer([_, 2, ..]) => "bayer_gbrg8",
            Format::Bayer(_) => "bayer_grbg8",
        }
    }

    /// Bytes of a pixel.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Format::Rgb8 | Format::Bgr8 => 3,
            Format::Rgba8 => 4,
            Format::Mono8 | Format::Bayer(_) => 1,
            Format::Mono16 => 2,
        }
    }

    /// Appends the pixels of rows from the top.
    pub(crate) fn write(self, pixels: &[[u8; 4]], width: usize, out: &mut Vec<u8>) {
        match self {
            Format::Rgb8 => pixels.iter().for_each(|[r, g, b, _]| out.extend([*r, *g, *b])),
            Format::Bgr8 => pixels.iter().for_each(|[r, g, b, _]| out.extend([*b, *g, *r])),
            Format::Rgba8 => out.extend(pixels.as_flattened()),
            Format::Mono8 => out.extend(pixels.iter().map(|pixel| luma(*pixel))),
            Format::Mono16 => {
                pixels.iter().for_each(|pixel| out.extend((u16::from(luma(*pixel)) * 257).to_le_bytes()));
            }
            Format::Bayer(channels) => {
                let all = pixels.iter().enumerate();
                out.extend(all.map(|(index, pixel)| {
                    let (column, row) = (index % width.max(1), index / width.max(1));
                    pixel[usize::from(channels[(row % 2) * 2 + column % 2])]
                }));
            }
        }
    }
}

/// Brightness according to ITU-R BT.601, as OpenCV converts colours to grey.
fn luma([r, g, b, _]: [u8; 4]) -> u8 {
    let sum = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500;
    u8::try_from(sum / 1000).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_bytes_in_its_order() {
        let pixels = [[10, 20, 30, 40], [50, 60, 70, 80], [1, 2, 3, 4], [5, 6, 7, 8]];
        let expected: &[(&str, &str, &[u8])] = &[
            ("R8G8B8", "rgb8", &[10, 20, 30, 50, 60, 70, 1, 2, 3, 5, 6, 7]),
            ("B8G8R8", "bgr8", &[30, 20, 10, 70, 60, 50, 3, 2, 1, 7, 6, 5]),
            ("L8", "mono8", &[18, 58, 2, 6]),
            ("L16", "mono16", &[18, 18, 58, 58, 2, 2, 6, 6]),
            ("BAYER_RGGB8", "bayer_rggb8", &[10, 60, 2, 7]),
            ("BAYER_BGGR8", "bayer_bggr8", &[30, 60, 2, 5]),
            ("BAYER_GBRG8", "bayer_gbrg8", &[20, 70, 1, 6]),
            ("BAYER_GRBG8", "bayer_grbg8", &[20, 50, 3, 6]),
        ];
        for (name, encoding, bytes) in expected {
            let (_, format) = FORMATS.iter().find(|(known, _)| known == name).expect("known");
            let mut out = Vec::new();
            format.write(&pixels, 2, &mut out);
            assert_eq!((format.encoding(), out.as_slice()), (*encoding, *bytes), "{name}");
            assert_eq!(out.len(), 4 * format.bytes() as usize);
        }
    }
}
