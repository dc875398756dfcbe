//! Texts of SDF as numbers, flags, vectors, colours and poses; `None` for any other text. What becomes of such a text is
//! left to the callers. Pure functions, usable from any thread.

use crate::element::Rgba;
use bridgehead_params::whole_number;
use bridgehead_pose::Pose;
use glam::{DQuat, DVec3};

/// Largest component of a pose, a size or another vector, and largest length: metres, m/s, m/s². Beyond it, physics has
/// no precision left, and squares of such numbers soon have no value.
pub(crate) const MAX: f64 = 1e9;

/// A number, which may be infinite or no number.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// A whole number; hexadecimal with `0x`.
pub(crate) fn parse_integer(text: &str) -> Option<u32> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => whole_number(text),
    }
}

/// A flag, as SDF writes it.
pub(crate) fn parse_flag(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Exactly `N` finite numbers separated by whitespace.
pub(crate) fn parse_numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let mut words = text.split_whitespace();
    for number in &mut numbers {
        *number = parse_number(words.next()?).filter(|number| number.is_finite())?;
    }
    words.next().is_none().then_some(numbers)
}

/// Returns true if no number is too large for physics.
pub(crate) fn are_bounded<const N: usize>(numbers: &[f64; N]) -> bool {
    numbers.iter().all(|number| number.abs() <= MAX)
}

/// A colour, whose alpha may be left out.
pub(crate) fn parse_color(text: &str) -> Option<Rgba> {
    let [red, green, blue, alpha] = match parse_numbers::<4>(text) {
        Some(numbers) => numbers,
        None => parse_numbers::<3>(text).map(|[red, green, blue]| [red, green, blue, 1.0])?,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a colour needs no more than eight bits")]
    let color = [red as f32, green as f32, blue as f32, alpha as f32];
    color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color)
}

/// A position and roll, pitch, yaw.
pub(crate) fn parse_euler_pose(text: &str, degrees: bool) -> Option<Pose> {
    let [x, y, z, roll, pitch, yaw] = parse_numbers::<6>(text).filter(are_bounded)?;
    let scale = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
    Some(Pose::from_rpy(DVec3::new(x, y, z), roll * scale, pitch * scale, yaw * scale))
}

/// A position and a quaternion, which need not have unit length.
pub(crate) fn parse_quaternion_pose(text: &str) -> Option<Pose> {
    let [x, y, z, qx, qy, qz, qw] = parse_numbers::<7>(text).filter(are_bounded)?;
    let rotation = DQuat::from_xyzw(qx, qy, qz, qw);
    (rotation.length() > 1e-9).then(|| Pose::new(DVec3::new(x, y, z), rotation.normalize()))
}
