//! Protobuf to CDR and back, against prost encoding the message and against copying the bytes, in nanoseconds.
//!
//! Run with `cargo bench -p bridgehead-messages --bench cdr`; compare the ratios, which depend little on the machine.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints and reads the clock")]

use std::hint::black_box;
use std::time::Instant;

use bridgehead_messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_messages::sensor_msgs::{Imu, LaserScan, PointCloud2};
use bridgehead_messages::std_msgs::Header;
use bridgehead_messages::tf2_msgs::TfMessage;
use bridgehead_messages::{CdrPlan, Message, geometry_msgs};

fn main() {
    compare(
        "imu",
        500,
        &Imu {
            header: Some(Header::new(1_234_567_890, "car1/imu")),
            orientation: Some(Quaternion { x: 0.01, y: -0.02, z: 0.3, w: 0.953 }),
            orientation_covariance: vec![0.0001; 9],
            angular_velocity: Some(Vector3::new(0.012_345, -0.023_456, 0.3)),
            angular_velocity_covariance: vec![0.000_25; 9],
            linear_acceleration: Some(Vector3::new(0.123_456_789, -0.05, 9.806_65)),
            linear_acceleration_covariance: vec![0.0017; 9],
        },
    );
    compare(
        "laser scan, 640 ranges",
        500,
        &LaserScan {
            header: Some(Header::new(1_234_567_890, "car1/lidar")),
            ranges: vec![1.37; 640],
            ..LaserScan::default()
        },
    );
    let transform = geometry_msgs::Transform {
        translation: Some(Vector3::new(1.0, 2.0, 3.0)),
        rotation: Some(Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }),
    };
    let stamped = geometry_msgs::TransformStamped {
        header: Some(Header::new(1_234_567_890, "world")),
        child_frame_id: "car1/base_link".to_owned(),
        transform: Some(transform),
    };
    compare("50 transforms", 100, &TfMessage { transforms: vec![stamped; 50] });
    compare(
        "point cloud, 1 MB",
        20,
        &PointCloud2 {
            header: Some(Header::new(1_234_567_890, "car1/lidar")),
            data: vec![7; 1_000_000].into(),
            ..PointCloud2::default()
        },
    );
}

fn compare<M: Message>(name: &str, calls: u32, message: &M) {
    let payload = message.encode_to_vec();
    let Ok(message_type) = M::schema().resolve() else { return };
    let plan = CdrPlan::compile(&message_type);
    let (mut cdr, mut back, mut copy) = (Vec::new(), Vec::new(), Vec::new());
    let written = nanoseconds(calls, || {
        cdr.clear();
        plan.encode(black_box(&payload), &mut cdr).is_ok()
    });
    let read = nanoseconds(calls, || {
        back.clear();
        plan.decode(black_box(&cdr), &mut back).is_ok()
    });
    let prost = nanoseconds(calls, || {
        back.clear();
        message.encode(black_box(&mut back)).is_ok()
    });
    let copied = nanoseconds(calls, || {
        copy.clear();
        copy.extend_from_slice(black_box(&cdr));
        !black_box(&copy).is_empty()
    });
    println!("{name}: {} bytes of protobuf, {} of CDR", payload.len(), cdr.len());
    println!("  plan to CDR   {written:8.0} ns");
    println!("  plan from CDR {read:8.0} ns");
    println!("  prost encode  {prost:8.0} ns");
    println!("  memcpy        {copied:8.0} ns");
}

/// Best of several rounds: other programs on the machine only add time.
fn nanoseconds(calls: u32, mut run: impl FnMut() -> bool) -> f64 {
    let rounds = (0..40).map(|_| {
        let start = Instant::now();
        assert!((0..calls).all(|_| run()), "the conversion failed");
        start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    });
    rounds.fold(f64::INFINITY, f64::min)
}
