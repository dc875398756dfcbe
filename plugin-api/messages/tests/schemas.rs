//! Every message of the crate against the ROS definition of the same name, and the stable properties of schemas.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use bridgehead_messages::{Message, Schema, Service, SetBool, all_schemas, ros, sensor_msgs};

/// The ROS 2 definition, without comments, constants first, contained types with their package.
fn golden(ros_type: &ros::RosTypeName) -> String {
    let file = format!("{}.{}.msg", ros_type.package(), ros_type.name());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(&file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_message_has_the_fields_and_constants_of_its_ros_counterpart() {
    for schema in all_schemas() {
        let message = schema.resolve().unwrap();
        assert_eq!(ros::msg_text(&message), golden(message.ros_type()), "{}", message.full_name());
    }
}

#[test]
fn every_golden_file_has_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    assert_eq!(fs::read_dir(folder).unwrap().count(), all_schemas().count());
}

#[test]
fn fingerprints_and_names_are_unique() {
    let types: Vec<_> = all_schemas().map(|schema| schema.resolve().unwrap()).collect();
    let names: HashSet<&str> = types.iter().map(|message| message.full_name()).collect();
    let fingerprints: HashSet<_> = types.iter().map(|message| message.fingerprint()).collect();
    assert_eq!((names.len(), fingerprints.len()), (types.len(), types.len()));
}

#[test]
fn protobuf_and_ros_names_agree() {
    for schema in all_schemas() {
        let message = schema.resolve().unwrap();
        let ros = message.ros_type();
        let expected = format!("bridgehead.{}.v1.{}", ros.package(), ros.name().replace('_', ""));
        assert_eq!(message.full_name(), expected);
    }
}

/// A changed number here means that logs and plugins of earlier releases no longer agree with this one.
#[test]
fn fingerprints_are_stable() {
    let fingerprint = |schema: Schema| schema.resolve().unwrap().fingerprint().to_string();
    assert_eq!(fingerprint(sensor_msgs::LaserScan::schema()), "804641d6037d9f59");
    assert_eq!(fingerprint(sensor_msgs::PointCloud2::schema()), "53197c312d5aaa97");
}

#[test]
fn a_schema_is_small_and_free_of_proto2_files() {
    for schema in all_schemas() {
        let text = String::from_utf8_lossy(schema.descriptor_set());
        assert!(!text.contains("google/protobuf/descriptor.proto"), "{}", schema.full_name());
        assert!(schema.descriptor_set().len() < 16_000, "{}", schema.full_name());
    }
}

#[test]
fn dependencies_come_before_their_users() {
    let scan = sensor_msgs::LaserScan::schema().resolve().unwrap();
    let names: Vec<&str> = scan.dependencies().iter().map(|message| message.full_name()).collect();
    assert_eq!(names, ["bridgehead.builtin_interfaces.v1.Time", "bridgehead.std_msgs.v1.Header"]);
}

#[test]
fn services_are_named_after_their_halves() {
    let request = <SetBool as Service>::Request::schema().resolve().unwrap();
    assert_eq!(request.ros_type().to_string(), format!("{}_Request", SetBool::ROS_NAME));
}
