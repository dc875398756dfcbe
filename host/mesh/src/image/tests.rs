//! Pixels, sizes in headers, damage, and formats that are not read.

use proptest::prelude::*;

use super::*;

/// 16 × 16 pixels of one colour, whose planes of colour have half the size; the same in grey; and in scans of growing
/// precision.
const COLOR: &[u8] = include_bytes!("../../../../tests/fuzz/corpus/texture/color.jpg");
const GREY: &[u8] = include_bytes!("../../../../tests/fuzz/corpus/texture/grey.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../../../../tests/fuzz/corpus/texture/progressive.jpg");

/// A PNG of one row.
fn png_of(color: png::ColorType, depth: png::BitDepth, width: u32, row: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(row).expect("pixels");
    drop(writer);
    bytes
}

fn rgb() -> Vec<u8> {
    png_of(png::ColorType::Rgb, png::BitDepth::Eight, 2, &[255, 0, 0, 0, 0, 255])
}

/// The PNG with another size in its header.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = rgb();
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let check = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&check.to_be_bytes());
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

#[test]
fn a_png_of_any_colours_has_eight_bits_and_opacity() {
    use png::BitDepth::{Eight, One, Sixteen};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
    for (color, depth, row, expected) in [
        (Rgb, Eight, &[9, 8, 7, 0, 0, 255][..], [9, 8, 7, 255, 0, 0, 255, 255]),
        (Rgba, Eight, &[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
        (Grayscale, Eight, &[5, 6], [5, 5, 5, 255, 6, 6, 6, 255]),
        (Grayscale, One, &[0b0100_0000], [0, 0, 0, 255, 255, 255, 255, 255]),
        (Grayscale, Sixteen, &[5, 99, 6, 99], [5, 5, 5, 255, 6, 6, 6, 255]),
        (GrayscaleAlpha, Eight, &[5, 50, 6, 60], [5, 5, 5, 50, 6, 6, 6, 60]),
    ] {
        let bytes = png_of(color, depth, 2, row);
        let pixels = decode(&bytes).expect("an image");
        assert_eq!(pixels, Pixels { width: 2, height: 1, rgba: expected.to_vec() }, "{color:?} {depth:?}");
        let info = ImageInfo { media_type: "image/png", width: 2, height: 1 };
        assert_eq!(examine(&bytes), Ok(info), "{color:?} {depth:?}");
    }
}

#[test]
fn a_jpeg_has_its_colours() {
    // Y 150, Cb 100, Cr 180, by ITU-T T.871.
    for (bytes, expected) in
        [(COLOR, [223, 123, 100, 255]), (PROGRESSIVE, [223, 123, 100, 255]), (GREY, [150, 150, 150, 255])]
    {
        let pixels = decode(bytes).expect("an image");
        assert_eq!((pixels.width, pixels.height, pixels.rgba.len()), (16, 16, 1024));
        let is_near =
            |pixel: &[u8]| pixel.iter().zip(expected).all(|(part, wanted)| part.abs_diff(wanted) <= 2);
        assert!(pixels.rgba.chunks(4).all(is_near), "{:?}", &pixels.rgba[..4]);
        assert_eq!(examine(bytes), Ok(ImageInfo { media_type: "image/jpeg", width: 16, height: 16 }));
    }
}

#[test]
fn a_bomb_is_refused_by_its_header() {
    for (width, height) in [(60_000, 60_000), (1, 40_000), (u32::MAX >> 1, 1), (8193, 8193)] {
        assert_eq!(decode(&claiming(width, height)), Err(ImageError::TooLarge { width, height }));
    }
    let size = COLOR.windows(2).position(|two| two == [0xff, 0xc0]).expect("a header") + 5;
    let mut jpeg = COLOR.to_vec();
    jpeg[size..size + 4].fill(0xff);
    assert_eq!(examine(&jpeg), Err(ImageError::TooLarge { width: 65_535, height: 65_535 }));
}

#[test]
fn damaged_images_are_refused() {
    let png = rgb();
    for whole in [&png[..], COLOR] {
        for part in [20, whole.len() / 2, whole.len() - 20] {
            assert!(matches!(examine(&whole[..part]), Err(ImageError::Damaged(_))), "{part}");
        }
    }
    let mut altered = rgb();
    let at = altered.len() - 18;
    altered[at] ^= 0xff;
    assert!(matches!(examine(&altered), Err(ImageError::Damaged(_))), "{:?}", examine(&altered));
}

#[test]
fn other_formats_are_named() {
    let tga = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3];
    for (bytes, name) in [
        (&tga[..], "TGA"),
        (b"BM\x3a\0\0\0", "BMP"),
        (b"DDS \x7c\0\0\0", "DDS"),
        (b"II*\0\x08\0\0\0", "TIFF"),
        (b"MM\0*\0\0\0\x08", "TIFF"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "WebP"),
        (b"GIF89a", "GIF"),
    ] {
        assert_eq!(examine(bytes), Err(ImageError::Format(name)));
    }
    for bytes in [&b""[..], b"RIFF\x24\0\0\0WAVEfmt ", b"<svg/>", &[0; 30]] {
        assert_eq!(examine(bytes), Err(ImageError::NoImage));
    }
    let text = ImageError::Format("TGA").to_string();
    assert_eq!(text, "[BH-MSH-013] the texture is a TGA image, which is not supported; convert it to PNG");
}

proptest! {
    #[test]
    fn examined_images_can_be_decoded(width in 1_u32..20, seed: u8, at: prop::sample::Index, bit in 0_u8..8) {
        let row: Vec<u8> = (0..3 * width).map(|index| seed.wrapping_mul(31).wrapping_add(index.to_le_bytes()[0])).collect();
        let mut bytes = png_of(png::ColorType::Rgb, png::BitDepth::Eight, width, &row);
        prop_assert_eq!(decode(&bytes).expect("an image").rgba.len(), 4 * width as usize);
        let index = at.index(bytes.len());
        bytes[index] ^= 1_u8 << bit;
        let pixels = decode(&bytes).map(|pixels| (pixels.width, pixels.height));
        prop_assert_eq!(examine(&bytes).map(|info| (info.width, info.height)), pixels);
    }
}
