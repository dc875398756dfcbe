//! Limits of ROS types: the range of an integer, the length of an array and of a string.

use crate::error::PayloadFault;
use crate::message_type::{Arity, Field};
use crate::ros::RosElement;

/// Checks that a field may have `found` elements. Zero elements are always allowed: an absent fixed array means zeros,
/// and a payload cannot distinguish absent from empty.
pub(crate) fn check_length(arity: Arity, found: usize) -> Result<(), PayloadFault> {
    let fits = |limit: u32| u32::try_from(found).is_ok_and(|found| found <= limit);
    match arity {
        Arity::One | Arity::Sequence => Ok(()),
        Arity::Bounded(limit) if fits(limit) => Ok(()),
        Arity::Bounded(limit) => Err(PayloadFault::Length { found, allowed: format!("at most {limit}") }),
        Arity::Fixed(length) if found == 0 || u32::try_from(found) == Ok(length) => Ok(()),
        Arity::Fixed(length) => {
            Err(PayloadFault::Length { found, allowed: format!("exactly {length}, or none for zeros") })
        }
    }
}

/// Checks that a string fits the bound of its ROS type, in bytes.
pub(crate) fn check_string(field: &Field, found: usize) -> Result<(), PayloadFault> {
    match field.ros_element() {
        RosElement::BoundedString(limit) => check_length(Arity::Bounded(limit), found),
        _ => Ok(()),
    }
}

/// Checks that an integer fits its ROS type.
pub(crate) fn check_range(field: &Field, value: i128) -> Result<(), PayloadFault> {
    let element = field.ros_element();
    match element.range() {
        Some((low, high)) if value < i128::from(low) || value > i128::from(high) => {
            Err(PayloadFault::OutOfRange { found: value.to_string(), ros_type: element.name() })
        }
        _ => Ok(()),
    }
}
