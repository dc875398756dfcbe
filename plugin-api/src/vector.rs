//! Arithmetic of vectors as the ABI passes them. Pure; any thread.

/// A vector, or a point.
pub type Vector = [f64; 3];

/// `a + b`.
#[must_use]
pub fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// `a - b`.
#[must_use]
pub fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// `a` times a number.
#[must_use]
pub fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|value| value * factor)
}

/// Scalar product.
#[must_use]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product.
#[must_use]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length.
#[must_use]
pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The vector of length one in the direction of `a`; `None` if `a` is too short to have one.
#[must_use]
pub fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 1e-12 && length.is_finite()).then(|| scale(a, 1.0 / length))
}

/// The part of `a` that is perpendicular to the unit vector `normal`.
#[must_use]
pub fn across(a: Vector, normal: Vector) -> Vector {
    sub(a, scale(normal, dot(a, normal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_are_those_of_the_right_handed_axes() {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!([cross(x, y), cross(y, z), cross(z, x)], [z, x, y]);
        assert_eq!((dot(x, y), dot(z, scale(z, 2.0))), (0.0, 2.0));
        assert_eq!((unit([0.0, 0.0, 4.0]), unit([0.0; 3])), (Some(z), None));
        assert!((length(unit([1.0, 3.0, 4.0]).expect("long enough")) - 1.0).abs() < 1e-15);
        assert_eq!(across([1.0, 2.0, 3.0], z), sub(add(x, scale(y, 2.0)), [0.0; 3]));
    }
}
