//! Checks `ros_constant` annotations: `type NAME=value`, the value within its type.

use super::element::parse_scalar;
use super::{AnnotationFault, RosElement};

/// Checks one constant line of a `.msg` file.
pub(crate) fn check_constant(line: &str) -> Result<(), AnnotationFault> {
    let parts =
        line.split_once('=').and_then(|(left, value)| Some((left.trim().split_once(' ')?, value.trim())));
    let Some(((element, name), value)) = parts else { return Err(AnnotationFault::Constant) };
    let name = name.trim();
    if !is_constant_name(name) {
        return Err(AnnotationFault::ConstantName(name.to_owned()));
    }
    if line.contains('\n') {
        return Err(AnnotationFault::Lines);
    }
    check_value(parse_scalar(element)?, value)
}

/// Checks the text of a value of this type.
pub(crate) fn check_value(element: RosElement, value: &str) -> Result<(), AnnotationFault> {
    let fits = match element {
        RosElement::Bool => matches!(value, "true" | "false" | "0" | "1"),
        RosElement::Float32 | RosElement::Float64 => value.parse::<f64>().is_ok_and(f64::is_finite),
        RosElement::String | RosElement::BoundedString(_) => !value.contains('\n'),
        RosElement::Message => false,
        integer => integer.range().is_some_and(|(low, high)| {
            value.parse::<i128>().is_ok_and(|value| i128::from(low) <= value && value <= i128::from(high))
        }),
    };
    if fits { Ok(()) } else { Err(AnnotationFault::Value { value: value.to_owned(), element }) }
}

fn is_constant_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}
