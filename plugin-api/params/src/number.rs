//! Whole numbers in texts.

use std::str::FromStr;

/// The greatest number up to which every whole number is a double.
const MAX: f64 = 9_007_199_254_740_992.0;

/// Returns the whole number in a text. It may be written as a decimal, such as `3.0` or `1e3`, because exporters and
/// xacro compute in decimals.
#[must_use]
pub fn whole_number<T: FromStr + TryFrom<i64>>(text: &str) -> Option<T> {
    let text = text.trim();
    text.parse().ok().or_else(|| T::try_from(decimal(text)?).ok())
}

fn decimal(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok()?;
    let is_whole = number.abs() <= MAX && number.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    is_whole.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every spelling of a whole number, for numbers at the limits of each type.
    #[test]
    fn decimals_without_a_fraction_are_whole_numbers() {
        for number in [0_i64, 1, 3, 640, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, -32_768] {
            let spellings = [
                format!("{number}"),
                format!("{number}.0"),
                format!("{number}.000"),
                format!("{number}."),
                format!(" {number}.0 "),
                format!("{number}e0"),
                format!("{number}0e-1"),
            ];
            for text in &spellings {
                assert_eq!(whole_number(text), Some(number), "{text}");
                assert_eq!(whole_number(text), u16::try_from(number).ok(), "{text}");
                assert_eq!(whole_number(text), u32::try_from(number).ok(), "{text}");
                assert_eq!(whole_number(text), usize::try_from(number).ok(), "{text}");
                assert_eq!(whole_number(text), i32::try_from(number).ok(), "{text}");
            }
        }
        assert_eq!(whole_number("18446744073709551615"), Some(u64::MAX));
    }

    #[test]
    fn what_is_no_whole_number_is_none() {
        for text in
            ["", " ", "3.5", "0.999", "1e-3", "nan", "inf", "-inf", "1e16", "3 4", "three", "0x10", "3.0f"]
        {
            assert_eq!(whole_number::<i64>(text), None, "{text}");
        }
    }
}
