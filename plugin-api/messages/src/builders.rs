//! Constructors for the generated types: times, headers, identities, point cloud fields.
//!
//! They cover the needs of nearly every sensor; use struct literals for everything else.

use crate::builtin_interfaces::{Duration, Time};
use crate::geometry_msgs::{Point, Quaternion, Vector3};
use crate::sensor_msgs::PointField;
use crate::std_msgs::Header;

const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// Returns whole seconds, rounded down, and the nanoseconds after them; beyond the 32 bits of `sec`, the nearest bound.
fn split(nanos: i64) -> (i32, u32) {
    let (sec, nanosec) = (nanos.div_euclid(NANOS_PER_SECOND), nanos.rem_euclid(NANOS_PER_SECOND));
    match (i32::try_from(sec), u32::try_from(nanosec)) {
        (Ok(sec), Ok(nanosec)) => (sec, nanosec),
        _ if nanos < 0 => (i32::MIN, 0),
        _ => (i32::MAX, 999_999_999),
    }
}

fn join(sec: i32, nanosec: u32) -> i64 {
    i64::from(sec) * NANOS_PER_SECOND + i64::from(nanosec)
}

impl Time {
    /// Returns the time `nanos` after zero. ROS has 32 bits of seconds: times later than the year 2038 of the
    /// wall clock, or 68 years of simulation, become the last representable time.
    pub fn from_nanos(nanos: i64) -> Self {
        let (sec, nanosec) = split(nanos);
        Self { sec, nanosec }
    }

    /// Returns the nanoseconds since zero.
    pub fn to_nanos(&self) -> i64 {
        join(self.sec, self.nanosec)
    }
}

impl Duration {
    /// Returns a duration in nanoseconds, bounded like [`Time::from_nanos`].
    pub fn from_nanos(nanos: i64) -> Self {
        let (sec, nanosec) = split(nanos);
        Self { sec, nanosec }
    }

    /// Returns the length in nanoseconds.
    pub fn to_nanos(&self) -> i64 {
        join(self.sec, self.nanosec)
    }
}

impl Header {
    /// Returns a header for data at `stamp_ns` nanoseconds of simulated time, in frame `frame_id`.
    pub fn new(stamp_ns: i64, frame_id: impl Into<String>) -> Self {
        Self { stamp: Some(Time::from_nanos(stamp_ns)), frame_id: frame_id.into() }
    }

    /// Returns the stamp in nanoseconds; an absent one is zero.
    pub fn stamp_nanos(&self) -> i64 {
        self.stamp.as_ref().map_or(0, Time::to_nanos)
    }
}

impl Quaternion {
    /// Returns the identity rotation.
    pub const IDENTITY: Self = Self { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
}

impl Vector3 {
    /// Returns a vector with these components.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
}

impl Point {
    /// Returns a point at these coordinates, m.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
}

impl PointField {
    /// Returns a field of one value of type `datatype` at byte `offset` of a point.
    pub fn single(name: impl Into<String>, offset: u32, datatype: u32) -> Self {
        Self { name: name.into(), offset, datatype, count: 1 }
    }

    /// Returns the three fields `x`, `y`, `z` as 32-bit floats at the start of a point: 12 bytes.
    pub fn xyz_f32() -> Vec<Self> {
        ["x", "y", "z"]
            .into_iter()
            .zip([0, 4, 8])
            .map(|(name, at)| Self::single(name, at, Self::FLOAT32))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_down_and_come_back() {
        assert_eq!(Time::from_nanos(1_500_000_000), Time { sec: 1, nanosec: 500_000_000 });
        assert_eq!(Time::from_nanos(-1), Time { sec: -1, nanosec: 999_999_999 });
        for nanos in [0, 1, -1, 999_999_999, -1_000_000_000, i64::from(i32::MAX) * NANOS_PER_SECOND] {
            assert_eq!(Time::from_nanos(nanos).to_nanos(), nanos);
            assert_eq!(Duration::from_nanos(nanos).to_nanos(), nanos);
        }
    }

    #[test]
    fn times_beyond_32_bits_of_seconds_stop_at_the_bound() {
        assert_eq!(Time::from_nanos(i64::MAX), Time { sec: i32::MAX, nanosec: 999_999_999 });
        assert_eq!(Time::from_nanos(i64::MIN), Time { sec: i32::MIN, nanosec: 0 });
    }

    #[test]
    fn header_keeps_its_stamp() {
        assert_eq!(Header::new(2_000_000_001, "lidar").stamp_nanos(), 2_000_000_001);
        assert_eq!(Header::default().stamp_nanos(), 0);
    }

    #[test]
    fn xyz_fields_are_four_bytes_apart() {
        let offsets: Vec<u32> = PointField::xyz_f32().iter().map(|field| field.offset).collect();
        assert_eq!(offsets, [0, 4, 8]);
    }
}
