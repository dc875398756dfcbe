//! Colours in sRGB, as files and SDF write them, and in linear light, as glTF does (IEC 61966-2-1).

/// Returns a colour in linear light as sRGB.
pub(super) fn of_linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|part| {
        let part = f64::from(part);
        narrow(if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * libm::pow(part, 1.0 / 2.4) - 0.055 })
    })
}

/// Returns a colour in sRGB as linear light.
pub(super) fn linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|part| {
        let part = f64::from(part);
        narrow(if part <= 0.040_45 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) })
    })
}

#[expect(clippy::cast_possible_truncation, reason = "colours are f32")]
fn narrow(part: f64) -> f32 {
    part as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_the_same_after_both_conversions() {
        for part in 0..=255_u8 {
            let color = [f32::from(part) / 255.0; 3];
            assert!((of_linear(linear(color))[0] - color[0]).abs() < 1e-6, "{part}");
        }
        assert_eq!(
            (linear([0.0, 1.0, 0.5])[..2].to_vec(), of_linear([0.0, 1.0, 0.5])[..2].to_vec()),
            (vec![0.0, 1.0], vec![0.0, 1.0])
        );
        assert!((linear([0.5; 3])[0] - 0.2140).abs() < 1e-4);
    }
}
