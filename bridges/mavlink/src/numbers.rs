//! Numbers in the widths of messages. What does not fit is the nearest number that does; what is no number is 0.

/// Returns a list of numbers as `f32`.
#[expect(clippy::cast_possible_truncation, reason = "messages have this width")]
pub(crate) fn floats<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

/// Returns a number as `f32`.
pub(crate) fn float(value: f64) -> f32 {
    let [value] = floats([value]);
    value
}

/// Returns the nearest `i16`.
#[expect(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
pub(crate) fn to_i16(value: f64) -> i16 {
    value.round() as i16
}

/// Returns the nearest `u16`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts of floats saturate")]
pub(crate) fn to_u16(value: f64) -> u16 {
    value.round() as u16
}

/// Returns the nearest `i32`.
#[expect(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
pub(crate) fn to_i32(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_kept_within_their_width() {
        assert_eq!([1.5, -1.5, 1e9, -1e9, f64::NAN].map(to_i16), [2, -2, i16::MAX, i16::MIN, 0]);
        assert_eq!([0.4, -3.0, f64::INFINITY].map(to_u16), [0, 0, u16::MAX]);
        assert_eq!(to_i32(473_977_418.2), 473_977_418);
        assert_eq!((float(0.5), floats([1.0, -2.0])), (0.5, [1.0, -2.0]));
    }
}
