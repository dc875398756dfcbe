//! Paths into payloads, defaults, and bytes that are damaged.

use prost::Message as _;

use super::*;
use crate::geometry_msgs::TransformStamped;
use crate::nav_msgs::Odometry;
use crate::sensor_msgs::{Image, LaserScan};
use crate::std_msgs::{Bool, Header, String as Text};
use crate::{Message, tf2_msgs::TfMessage};

fn path<M: Message>(text: &str) -> FieldPath {
    FieldPath::compile(&M::schema().resolve().expect("a type"), text).expect("a path")
}

fn refusal<M: Message>(text: &str) -> String {
    FieldPath::compile(&M::schema().resolve().expect("a type"), text).expect_err("refused").to_string()
}

#[test]
fn a_number_deep_inside_is_found() {
    let mut odometry = Odometry::default();
    odometry.pose.get_or_insert_default().pose.get_or_insert_default().position.get_or_insert_default().x =
        -5.25;
    odometry.header = Some(Header { frame_id: "odom".into(), ..Header::default() });
    let payload = odometry.encode_to_vec();
    let x = path::<Odometry>("pose.pose.position.x");
    assert_eq!((x.kind(), x.text()), (FieldKind::Number, "pose.pose.position.x"));
    assert_eq!(x.read(&payload), Ok(Some(FieldValue::Number(-5.25))));
    assert_eq!(path::<Odometry>("header.frame_id").read(&payload), Ok(Some(FieldValue::Text("odom"))));
}

#[test]
fn what_is_absent_has_its_default() {
    assert_eq!(path::<Odometry>("pose.pose.position.x").read(&[]), Ok(Some(FieldValue::Number(0.0))));
    assert_eq!(path::<Bool>("data").read(&[]), Ok(Some(FieldValue::Bool(false))));
    assert_eq!(path::<Text>("data").read(&[]), Ok(Some(FieldValue::Text(""))));
    assert_eq!(path::<Odometry>("pose.covariance[35]").read(&[]), Ok(Some(FieldValue::Number(0.0))));
    assert_eq!(path::<LaserScan>("ranges[0]").read(&[]), Ok(None));
    assert_eq!(path::<LaserScan>("ranges.length").read(&[]), Ok(Some(FieldValue::Number(0.0))));
}

#[test]
fn elements_are_counted_from_zero() {
    let scan = LaserScan { ranges: vec![1.5, 2.5, f32::INFINITY], ..LaserScan::default() };
    let payload = scan.encode_to_vec();
    assert_eq!(path::<LaserScan>("ranges[1]").read(&payload), Ok(Some(FieldValue::Number(2.5))));
    assert_eq!(path::<LaserScan>("ranges[2]").read(&payload), Ok(Some(FieldValue::Number(f64::INFINITY))));
    assert_eq!(path::<LaserScan>("ranges[3]").read(&payload), Ok(None));
    assert_eq!(path::<LaserScan>("ranges.length").read(&payload), Ok(Some(FieldValue::Number(3.0))));
    let frames =
        ["a", "b"].map(|name| TransformStamped { child_frame_id: name.into(), ..Default::default() });
    let payload = TfMessage { transforms: frames.to_vec() }.encode_to_vec();
    assert_eq!(
        path::<TfMessage>("transforms[1].child_frame_id").read(&payload),
        Ok(Some(FieldValue::Text("b")))
    );
    assert_eq!(path::<TfMessage>("transforms.length").read(&payload), Ok(Some(FieldValue::Number(2.0))));
    let payload = Image { data: vec![7, 9].into(), ..Image::default() }.encode_to_vec();
    assert_eq!(path::<Image>("data[1]").read(&payload), Ok(Some(FieldValue::Number(9.0))));
}

#[test]
fn a_path_that_leads_nowhere_says_what_there_is() {
    assert!(refusal::<Bool>("date").contains("std_msgs/msg/Bool has no field `date`; it has `data`"));
    assert!(refusal::<Odometry>("pose.pose").contains("go on with one of `position`, `orientation`"));
    assert!(refusal::<LaserScan>("ranges").contains("write `ranges[0]`"));
    assert!(refusal::<Bool>("data.x").contains("a single value has no fields"));
    assert!(refusal::<Bool>("data[0]").contains("is not an array"));
    assert!(refusal::<LaserScan>("ranges[x]").contains("a name with an index"));
    assert!(refusal::<Odometry>("pose.covariance[36]").contains("has 36 elements"));
    assert!(refusal::<Bool>("").contains("has no field ``"));
}

#[test]
fn damaged_bytes_are_errors() {
    let x = path::<Odometry>("pose.pose.position.x");
    let mut odometry = Odometry::default();
    odometry.pose.get_or_insert_default().pose.get_or_insert_default().position.get_or_insert_default().x =
        1.0;
    let payload = odometry.encode_to_vec();
    for cut in 1..payload.len() {
        // Cut between two fields it is a shorter message; elsewhere an error. Never a panic.
        drop(x.read(&payload[..cut]));
    }
    assert!(x.read(&payload[..payload.len() - 1]).is_err());
    assert!(path::<Text>("data").read(&[0x0a, 1, 0xff]).is_err());
    assert!(path::<Bool>("data").read(&[0x0a, 1, 1]).is_err());
}

fn numbers<M: Message>(text: &str, payload: &[u8]) -> Vec<f64> {
    let path = NumbersPath::compile(&M::schema().resolve().expect("a type"), text).expect("a path");
    let mut all = Vec::new();
    let count = path.read(payload, |index, value| {
        assert_eq!(index, all.len());
        all.push(value);
    });
    assert_eq!(count, Ok(all.len()));
    all
}

#[test]
fn whole_arrays_are_read_in_order() {
    let scan = LaserScan { ranges: vec![1.5, 2.5, f32::INFINITY], ..LaserScan::default() };
    assert_eq!(numbers::<LaserScan>("ranges", &scan.encode_to_vec()), [1.5, 2.5, f64::INFINITY]);
    assert_eq!(numbers::<LaserScan>("ranges", &[]), [0.0; 0]);
    let image = Image { data: vec![7, 9].into(), ..Image::default() };
    assert_eq!(numbers::<Image>("data", &image.encode_to_vec()), [7.0, 9.0]);
    let mut odometry = Odometry::default();
    assert_eq!(numbers::<Odometry>("pose.covariance", &odometry.encode_to_vec()), [0.0; 36], "absent");
    odometry.pose.get_or_insert_default().covariance = (0..36).map(f64::from).collect();
    let expected: Vec<f64> = (0..36).map(f64::from).collect();
    assert_eq!(numbers::<Odometry>("pose.covariance", &odometry.encode_to_vec()), expected);
}

#[test]
fn only_arrays_of_numbers_are_read_as_such() {
    let refused = |text: &str| {
        let refused = NumbersPath::compile(&TfMessage::schema().resolve().expect("a type"), text);
        refused.expect_err("refused").to_string()
    };
    assert_eq!(
        refused("transforms"),
        "`transforms`: the path ends at a geometry_msgs/msg/TransformStamped; go on with one of `header`, `child_frame_id`, `transform`"
    );
    assert!(refused("transforms[0].child_frame_id").contains("is not an array"));
    let cut = LaserScan { ranges: vec![1.5, 2.5], ..LaserScan::default() }.encode_to_vec();
    let path =
        NumbersPath::compile(&LaserScan::schema().resolve().expect("a type"), "ranges").expect("a path");
    for length in 1..cut.len() {
        assert!(path.read(&cut[..length], |_, _| ()).is_err(), "{length}");
    }
}
