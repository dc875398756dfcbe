//! Bounds, logarithms and powers of four numbers, the same on every machine.
//!
//! Those of `wide` add products with one rounding or with two, and choose between a number and NaN, as the machine does.
//! These use only `+ - * /` and bits.

use bytemuck::cast;
use wide::{f32x4, i32x4};

/// The bits of the root of 1/2.
const ROOT_OF_HALF: i32x4 = i32x4::new([0x3f35_04f3; 4]);
/// Place of the exponent in a number, and the exponent of 1.
const FRACTION_BITS: i32 = 23;
const BIAS: i32x4 = i32x4::new([127; 4]);
/// The last bit of numbers of this size is 1: a number that is added to it is rounded to a whole one, which is then in
/// the last bits.
const WHOLE: f32x4 = f32x4::new([12_582_912.0; 4]);

/// Bounds of numbers.
pub(super) trait Bounded {
    /// Returns the greater one; the bound if a number is NaN.
    fn at_least(self, bound: Self) -> Self;

    /// Returns the smaller one; the bound if a number is NaN.
    fn at_most(self, bound: Self) -> Self;
}

impl Bounded for f32x4 {
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        // One instruction of these machines does the same.
        if cfg!(target_arch = "x86_64") {
            self.fast_max(bound)
        } else {
            self.simd_gt(bound).bitselect(self, bound)
        }
    }

    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        if cfg!(target_arch = "x86_64") {
            self.fast_min(bound)
        } else {
            self.simd_lt(bound).bitselect(self, bound)
        }
    }
}

/// Returns `base` to the power of `exponent`, for bases of 0 and more; 0 for a base of 0.
#[inline(always)]
pub(super) fn power(base: f32x4, exponent: f32x4) -> f32x4 {
    let is_positive = base.simd_gt(f32x4::ZERO);
    let logarithm = log2(base.at_least(f32x4::splat(1e-30)));
    is_positive.bitselect(exp2(logarithm * exponent), f32x4::ZERO)
}

/// Returns the logarithm to the base of two of numbers from 2⁻¹²⁶ on.
#[inline(always)]
pub(super) fn log2(value: f32x4) -> f32x4 {
    // The value is m · 2ⁿ, with m between the roots of 1/2 and of 2, and ln m is 2 artanh t.
    let bits: i32x4 = cast(value);
    let n = (bits - ROOT_OF_HALF) >> FRACTION_BITS;
    let m: f32x4 = cast(bits - (n << FRACTION_BITS));
    let t = (m - f32x4::ONE) / (m + f32x4::ONE);
    let (s, c) = (t * t, f32x4::splat);
    let series = (((c(1.0 / 9.0) * s + c(1.0 / 7.0)) * s + c(1.0 / 5.0)) * s + c(1.0 / 3.0)) * s + f32x4::ONE;
    f32x4::from_i32x4(n) + t * series * f32x4::splat(2.0 * std::f32::consts::LOG2_E)
}

/// Returns two to the power of a number, which is limited to -126 and 127.
#[inline(always)]
pub(super) fn exp2(value: f32x4) -> f32x4 {
    let value = value.at_least(f32x4::splat(-126.0)).at_most(f32x4::splat(127.0));
    let shifted = value + WHOLE;
    let n: i32x4 = cast::<_, i32x4>(shifted) - cast::<_, i32x4>(WHOLE);
    let r = (value - (shifted - WHOLE)) * f32x4::splat(std::f32::consts::LN_2);
    let c = f32x4::splat;
    let high = ((c(1.0 / 5040.0) * r + c(1.0 / 720.0)) * r + c(1.0 / 120.0)) * r + c(1.0 / 24.0);
    let series = (((high * r + c(1.0 / 6.0)) * r + c(1.0 / 2.0)) * r + f32x4::ONE) * r + f32x4::ONE;
    let scale: f32x4 = cast((n + BIAS) << FRACTION_BITS);
    series * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every size from 2⁻¹²⁶ to 2¹²⁷, with many bits.
    fn sizes() -> impl Iterator<Item = f32> {
        (0x0080_0000..0x7f00_0000_u32).step_by(99_991).map(f32::from_bits)
    }

    /// What a function of lanes returns, for one number.
    fn one(function: impl Fn(f32x4) -> f32x4, value: f32) -> f32 {
        let [first, second, third, fourth] = function(f32x4::splat(value)).to_array().map(f32::to_bits);
        assert!(first == second && second == third && third == fourth, "{value}");
        f32::from_bits(first)
    }

    #[test]
    fn logarithms_and_powers_have_the_precision_of_their_numbers() {
        for value in sizes().chain([1.0, 2.0, 0.5, 1.0 + f32::EPSILON, std::f32::consts::SQRT_2]) {
            let (found, exact) = (f64::from(one(log2, value)), libm::log2(f64::from(value)));
            assert!((found - exact).abs() <= 2e-7 * exact.abs(), "log2 of {value}: {found}, not {exact}");
        }
        for step in -126_000..=127_000_i32 {
            let value = f64::from(step) * 1e-3;
            #[expect(clippy::cast_possible_truncation, reason = "numbers of f32")]
            let value = value as f32;
            let (found, exact) = (f64::from(one(exp2, value)), libm::exp2(f64::from(value)));
            assert!((found / exact - 1.0).abs() < 3e-7, "2 to the power of {value}: {found}, not {exact}");
        }
    }

    #[test]
    fn powers_have_their_values_at_and_between_zero_and_one() {
        for exponent in [1e-3, 0.6, 1.0, 2.0, 30.0, 128.0] {
            let raised = |base: f32| one(|base| power(base, f32x4::splat(exponent)), base);
            assert_eq!((raised(0.0), raised(1.0)), (0.0, 1.0));
            for step in 1..1000_u16 {
                let base = f32::from(step) / 1000.0;
                let (found, exact) = (f64::from(raised(base)), libm::pow(base.into(), exponent.into()));
                assert!(
                    (found - exact).abs() < 2e-6,
                    "{base} to the power of {exponent}: {found}, not {exact}"
                );
            }
        }
    }

    /// Rust defines the bits of `+ - * /` with f32, unlike those of functions of vectors.
    #[test]
    fn the_bits_are_those_of_the_same_formulas_with_single_numbers() {
        let sum =
            |at: f32, coefficients: &[f32]| coefficients.iter().fold(0.0_f32, |sum, next| sum * at + next);
        let log2_of_one = |value: f32| {
            let bits = value.to_bits().cast_signed();
            let n = (bits - 0x3f35_04f3) >> 23;
            let m = f32::from_bits((bits - (n << 23)).cast_unsigned());
            let t = (m - 1.0) / (m + 1.0);
            #[expect(clippy::cast_precision_loss, reason = "at most 127")]
            let n = n as f32;
            let series = sum(t * t, &[1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0]);
            n + t * series * (2.0 * std::f32::consts::LOG2_E)
        };
        let exp2_of_one = |value: f32| {
            let n = value.round_ties_even();
            let rest = (value - n) * std::f32::consts::LN_2;
            let series = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 1.0 / 2.0, 1.0, 1.0];
            #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
            let scale = f32::from_bits(((n as i32 + 127) << 23).cast_unsigned());
            sum(rest, &series) * scale
        };
        for value in sizes() {
            let logarithm = one(log2, value);
            assert_eq!(logarithm.to_bits(), log2_of_one(value).to_bits(), "log2 of {value}");
            assert_eq!(
                one(exp2, logarithm).to_bits(),
                exp2_of_one(logarithm).to_bits(),
                "exp2 of {logarithm}"
            );
        }
    }

    #[test]
    fn bounds_choose_alike_between_zeros_and_numbers_and_nan() {
        let numbers = [f32::NAN, -0.0, 0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY];
        for (value, bound) in numbers.iter().flat_map(|value| numbers.map(|bound| (*value, bound))) {
            let greater = if value > bound { value } else { bound };
            let smaller = if value < bound { value } else { bound };
            let limited = f32x4::splat(bound);
            let found =
                [one(|value| value.at_least(limited), value), one(|value| value.at_most(limited), value)];
            assert_eq!(found.map(f32::to_bits), [greater, smaller].map(f32::to_bits), "{value} {bound}");
        }
    }
}
