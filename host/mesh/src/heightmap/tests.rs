//! Heights from generated images of every kind, complete and broken.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;
use bridgehead_sdf::{Budget, Origin};
use png::{BitDepth, ColorType, Encoder};
use proptest::prelude::*;
use proptest::sample::Index;
use std::path::PathBuf;
use tempfile::TempDir;

/// A PNG of raw pixels.
fn encoded(width: u32, height: u32, color: ColorType, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 9, 9, 100, 0, 0, 200, 5, 5]);
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    bytes
}

fn grey(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    encoded(width, height, ColorType::Grayscale, BitDepth::Eight, pixels)
}

fn written(content: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("map.png");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn read_with(content: &[u8], relief: &Relief) -> Result<Heights, MeshError> {
    let (_folder, path) = written(content);
    Heights::load(&path, relief, Budget::default().of(&Origin::default()))
}

const RELIEF: Relief =
    Relief { size: DVec3::new(4.0, 8.0, 5.0), position: DVec3::new(10.0, 20.0, 30.0), sampling: 1 };
const GREYS: [u8; 6] = [0, 20, 40, 60, 80, 100];

fn read(content: &[u8]) -> Result<Heights, MeshError> {
    read_with(content, &RELIEF)
}

#[test]
fn the_brightest_pixel_is_as_high_as_the_size_says() {
    let map = read(&grey(3, 2, &GREYS)).unwrap();
    assert_eq!((map.columns, map.rows), (3, 2));
    assert_eq!(map.heights, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let below = Relief { size: DVec3::new(4.0, 8.0, -5.0), ..RELIEF };
    assert_eq!(read_with(&grey(3, 2, &GREYS), &below).unwrap().heights, [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!(read(&grey(2, 2, &[0; 4])).unwrap().heights, [0.0; 4]);
}

#[test]
fn the_top_of_the_image_lies_towards_y_and_faces_look_up() {
    let triangles = read(&grey(3, 2, &GREYS)).unwrap().triangles();
    assert_eq!(triangles.points[0], DVec3::new(8.0, 24.0, 30.0));
    assert_eq!(triangles.points[2], DVec3::new(12.0, 24.0, 32.0));
    assert_eq!(triangles.points[5], DVec3::new(12.0, 16.0, 35.0));
    assert_eq!(triangles.indices.len(), 4);
    for triangle in &triangles.indices {
        let [a, b, c] = triangle.map(|at| triangles.points[at as usize]);
        assert!((b - a).cross(c - a).z > 0.0, "{triangle:?}");
    }
}

#[test]
fn samples_between_pixels_lie_between_their_heights() {
    let relief = Relief { size: DVec3::new(1.0, 1.0, 2.0), sampling: 2, ..RELIEF };
    let map = read_with(&grey(2, 2, &[0, 100, 200, 100]), &relief).unwrap();
    assert_eq!((map.columns, map.rows), (3, 3));
    assert_eq!(map.heights, [0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 2.0, 1.5, 1.0]);
}

#[test]
fn images_of_every_depth_and_colour_are_read() {
    let heights = |color, depth, pixels: &[u8]| read(&encoded(2, 2, color, depth, pixels)).unwrap().heights;
    let deep = [0, 0, 0x40, 0, 0x80, 0, 0xff, 0xff];
    let wanted = [0.0, 16_384.0, 32_768.0, 65_535.0].map(|value| value / 65_535.0 * 5.0);
    assert_eq!(heights(ColorType::Grayscale, BitDepth::Sixteen, &deep), wanted);
    assert_eq!(
        heights(ColorType::Grayscale, BitDepth::One, &[0b0100_0000, 0b1000_0000]),
        [0.0, 5.0, 5.0, 0.0]
    );
    let red = [0, 80, 90, 255, 1, 2, 0, 3, 4, 255, 5, 6];
    assert_eq!(heights(ColorType::Rgb, BitDepth::Eight, &red), [0.0, 5.0, 0.0, 5.0]);
    let alpha = [0, 9, 100, 9, 200, 0, 100, 255];
    assert_eq!(heights(ColorType::GrayscaleAlpha, BitDepth::Eight, &alpha), [0.0, 2.5, 5.0, 2.5]);
    assert_eq!(heights(ColorType::Indexed, BitDepth::Eight, &[0, 1, 2, 1]), [0.0, 2.5, 5.0, 2.5]);
}

#[test]
fn invalid_heightmaps_are_refused_with_the_expected_format() {
    let row = grey(4, 1, &[0; 4]);
    let huge = grey(1026, 1025, &[0; 1026 * 1025]);
    // A header that promises a terabyte, with nothing behind it.
    let mut bomb = row.clone();
    bomb.splice(16..24, [0, 16, 0, 0, 0, 16, 0, 0]);
    let sum = crc(&bomb[12..29]).to_be_bytes();
    bomb.splice(29..33, sum);
    let cut = grey(3, 2, &GREYS);
    for (content, texts) in [
        (row.as_slice(), ["BH-MSH-010", "4 × 1 pixels"]),
        (&huge, ["BH-MSH-010", "1026 × 1025 pixels"]),
        (&bomb, ["BH-MSH-010", "1048576 × 1048576 pixels"]),
        (b"", ["BH-MSH-009", "expected a PNG"]),
        (b"hello", ["BH-MSH-009", "expected a PNG"]),
        (b"\xff\xd8\xff\xe0", ["BH-MSH-009", "it is a JPEG image"]),
        (b"II*\0rest", ["BH-MSH-009", "it is a TIFF image"]),
        (&cut[..cut.len() - 30], ["BH-MSH-009", "it is broken"]),
    ] {
        let error = read(content).unwrap_err().to_string();
        assert!(texts.iter().all(|text| error.contains(text)) && error.contains("map.png"), "{error}");
    }
    let absent =
        Heights::load(Path::new("/nowhere/map.png"), &RELIEF, Budget::default().of(&Origin::default()))
            .unwrap_err()
            .to_string();
    assert!(absent.contains("BH-MSH-009") && absent.contains("cannot be read"), "{absent}");
}

/// The checksum of a PNG chunk, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn numbers_that_make_no_surface_are_refused() {
    let nan = DVec3::new(1.0, 1.0, f64::NAN);
    for (relief, text) in [
        (Relief { size: DVec3::new(0.0, 1.0, 1.0), ..RELIEF }, "a size of [0, 1, 1]"),
        (Relief { size: DVec3::new(1.0, -1.0, 1.0), ..RELIEF }, "a size of"),
        (Relief { size: nan, ..RELIEF }, "a size of"),
        (Relief { position: nan, ..RELIEF }, "a position of"),
        (Relief { sampling: 0, ..RELIEF }, "a sampling of 0"),
        (Relief { size: DVec3::new(1e-6, 1.0, 1.0), ..RELIEF }, "m apart"),
    ] {
        let error = read_with(&grey(3, 2, &GREYS), &relief).unwrap_err().to_string();
        assert!(error.contains("BH-MSH-011") && error.contains(text), "{error}");
    }
    for sampling in [2000, u32::MAX] {
        let error = read_with(&grey(3, 2, &GREYS), &Relief { sampling, ..RELIEF }).unwrap_err().to_string();
        assert!(error.contains("BH-MSH-010"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn altered_images_are_a_map_or_refused(
        kind in 0..3_usize,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..5),
        end in prop::option::of(any::<Index>()),
    ) {
        let mut bytes = match kind {
            0 => grey(3, 2, &GREYS),
            1 => encoded(2, 2, ColorType::Indexed, BitDepth::Eight, &[0, 1, 2, 1]),
            _ => encoded(2, 1, ColorType::Rgba, BitDepth::Sixteen, &[7; 16]),
        };
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        // The checksum of the header would hide most of what is wrong with it.
        let sum = crc(&bytes[12..29]).to_be_bytes();
        bytes.splice(29..33, sum);
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len() + 1));
        }
        match read(&bytes) {
            Ok(map) => prop_assert!(map.heights.iter().all(|height| (0.0..=5.0).contains(height))),
            Err(error) => {
                let text = error.to_string();
                prop_assert!(text.starts_with("[BH-MSH-0") && !text.contains("fit together"), "{}", text);
            }
        }
    }
}
