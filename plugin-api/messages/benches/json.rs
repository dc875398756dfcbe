//! Protobuf to JSON: the compiled plan against prost decode with serde_json, in nanoseconds per message.
//!
//! Run with `cargo bench -p bridgehead-messages`; compare the ratios, which depend little on the machine.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints and reads the clock")]

use std::hint::black_box;
use std::time::Instant;

use bridgehead_messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_messages::sensor_msgs::{Imu, LaserScan};
use bridgehead_messages::std_msgs::Header;
use bridgehead_messages::{JsonPlan, Message};
use serde::ser::{Serialize, SerializeStruct, Serializer};

fn main() {
    let imu = Imu {
        header: Some(Header::new(1_234_567_890, "car1/imu")),
        orientation: Some(Quaternion { x: 0.01, y: -0.02, z: 0.3, w: 0.953 }),
        orientation_covariance: vec![0.0001; 9],
        angular_velocity: Some(Vector3::new(0.012_345, -0.023_456, 0.3)),
        angular_velocity_covariance: vec![0.000_25; 9],
        linear_acceleration: Some(Vector3::new(0.123_456_789, -0.05, 9.806_65)),
        linear_acceleration_covariance: vec![0.0017; 9],
    };
    compare("imu", &imu, |imu| serde_json::to_vec(&Shown(imu)).unwrap_or_default());

    let scan = LaserScan {
        header: Some(Header::new(1_234_567_890, "car1/lidar")),
        angle_min: -1.5655,
        angle_max: 1.5656,
        angle_increment: 0.0049,
        scan_time: 0.1,
        range_min: 0.1,
        range_max: 30.0,
        ranges: (0..640_u16).map(|ray| 1.0 + (f32::from(ray) * 0.37).sin()).collect(),
        ..LaserScan::default()
    };
    compare("laser scan, 640 ranges", &scan, |scan| serde_json::to_vec(&Shown(scan)).unwrap_or_default());
}

fn compare<M: Message + PartialEq>(name: &str, message: &M, serialize: impl Fn(&M) -> Vec<u8>) {
    let payload = message.encode_to_vec();
    let Ok(message_type) = M::schema().resolve() else { return };
    let plan = JsonPlan::compile(&message_type);
    let mut json = Vec::new();
    let planned = nanoseconds(|| {
        json.clear();
        black_box(plan.encode(black_box(&payload), &mut json)).is_ok()
    });
    let reference = nanoseconds(|| {
        M::decode(black_box(payload.as_slice()))
            .is_ok_and(|decoded| !black_box(serialize(&decoded)).is_empty())
    });
    let text = String::from_utf8_lossy(&json).into_owned();
    let mut back = Vec::new();
    let decoded = nanoseconds(|| {
        back.clear();
        black_box(plan.decode(black_box(&text), &mut back)).is_ok()
    });
    assert_eq!(text.as_bytes(), serialize(message), "both ways write the same text");
    println!("{name}: {} bytes of protobuf, {} of JSON", payload.len(), json.len());
    println!("  plan to JSON       {planned:8.0} ns");
    println!("  prost + serde_json {reference:8.0} ns   {:.2} times the plan", reference / planned);
    println!("  plan from JSON     {decoded:8.0} ns");
}

/// Best of several rounds: other programs on the machine only add time.
fn nanoseconds(mut run: impl FnMut() -> bool) -> f64 {
    const CALLS: u32 = 500;
    let rounds = (0..40).map(|_| {
        let start = Instant::now();
        assert!((0..CALLS).all(|_| run()), "the conversion failed");
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    });
    rounds.fold(f64::INFINITY, f64::min)
}

/// The reference: derived serde on the generated types.
struct Shown<'a, T>(&'a T);

macro_rules! shown {
    ($type:ty, $name:literal, $count:literal, $($field:literal: $value:expr),+) => {
        impl Serialize for Shown<'_, $type> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut shown = serializer.serialize_struct($name, $count)?;
                $(shown.serialize_field($field, &$value(self.0))?;)+
                shown.end()
            }
        }
    };
}

#[derive(serde::Serialize)]
struct Stamp {
    sec: i32,
    nanosec: u32,
}

fn stamp(header: &Header) -> Option<Stamp> {
    header.stamp.as_ref().map(|stamp| Stamp { sec: stamp.sec, nanosec: stamp.nanosec })
}

shown!(Header, "Header", 2, "stamp": stamp, "frame_id": |header: &Header| header.frame_id.clone());
shown!(Vector3, "Vector3", 3, "x": |v: &Vector3| v.x, "y": |v: &Vector3| v.y, "z": |v: &Vector3| v.z);
shown!(Quaternion, "Quaternion", 4, "x": |q: &Quaternion| q.x, "y": |q: &Quaternion| q.y,
    "z": |q: &Quaternion| q.z, "w": |q: &Quaternion| q.w);

impl Serialize for Shown<'_, Imu> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let imu = self.0;
        let mut shown = serializer.serialize_struct("Imu", 7)?;
        shown.serialize_field("header", &imu.header.as_ref().map(Shown))?;
        shown.serialize_field("orientation", &imu.orientation.as_ref().map(Shown))?;
        shown.serialize_field("orientation_covariance", &imu.orientation_covariance)?;
        shown.serialize_field("angular_velocity", &imu.angular_velocity.as_ref().map(Shown))?;
        shown.serialize_field("angular_velocity_covariance", &imu.angular_velocity_covariance)?;
        shown.serialize_field("linear_acceleration", &imu.linear_acceleration.as_ref().map(Shown))?;
        shown.serialize_field("linear_acceleration_covariance", &imu.linear_acceleration_covariance)?;
        shown.end()
    }
}

impl Serialize for Shown<'_, LaserScan> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scan = self.0;
        let mut shown = serializer.serialize_struct("LaserScan", 10)?;
        shown.serialize_field("header", &scan.header.as_ref().map(Shown))?;
        shown.serialize_field("angle_min", &scan.angle_min)?;
        shown.serialize_field("angle_max", &scan.angle_max)?;
        shown.serialize_field("angle_increment", &scan.angle_increment)?;
        shown.serialize_field("time_increment", &scan.time_increment)?;
        shown.serialize_field("scan_time", &scan.scan_time)?;
        shown.serialize_field("range_min", &scan.range_min)?;
        shown.serialize_field("range_max", &scan.range_max)?;
        shown.serialize_field("ranges", &scan.ranges)?;
        shown.serialize_field("intensities", &scan.intensities)?;
        shown.end()
    }
}
