//! Valid connection strings and refused ones.

use bridgehead_ros2_node::service::generation::Generation;

use super::*;
use crate::dds::Node;

fn parse(text: &str) -> Result<Connection> {
    Connection::parse_in(text, Environment::EMPTY)
}

#[test]
fn an_empty_string_gives_the_defaults() {
    for text in ["", ";", " ; "] {
        let connection = parse(text).expect("valid");
        assert_eq!((connection.domain, connection.interfaces), (0, InterfaceChoice::All));
        assert_eq!((connection.mapping, connection.gid), (Mapping::Auto, GidSize::Short));
        let Settings { node, names, has_reliable_sensors, generation } = connection.settings;
        assert_eq!(node, Node { namespace: "/".into(), name: "bridgehead".into() });
        assert_eq!((generation, has_reliable_sensors), (Generation::Two, false));
        assert_eq!(names.resolve("/car1/scan"), "/car1/scan");
    }
}

#[test]
fn every_part_can_be_given() {
    let text = "domain=7;mapping=fastdds;namespace=/sim/;generation=1;interface=lo, 10.0.0.7;distro=humble;\
        node=/sim/host;sensors=reliable;remap=/car1/scan:=/scan,/car1/imu:=imu";
    let connection = parse(text).expect("valid");
    assert_eq!(connection.domain, 7);
    assert_eq!(connection.interfaces, InterfaceChoice::Interfaces(vec!["lo".into(), "10.0.0.7".into()]));
    assert_eq!((connection.mapping, connection.gid), (Mapping::FastDds, GidSize::Long));
    let Settings { node, names, has_reliable_sensors, generation } = connection.settings;
    assert_eq!(node, Node { namespace: "/sim".into(), name: "host".into() });
    assert_eq!((generation, has_reliable_sensors), (Generation::One, true));
    let names = ["/car1/scan", "/car1/imu", "/car1/odom"].map(|name| names.resolve(name));
    assert_eq!(names, ["/scan", "/sim/imu", "/sim/car1/odom"]);
}

#[test]
fn the_string_takes_precedence_over_the_variables() {
    let environment = Environment::of(&|name| match name {
        "ROS_DOMAIN_ID" => Some("5".into()),
        "ROS_LOCALHOST_ONLY" => Some("1".into()),
        "ROS_DISTRO" => Some("humble".into()),
        _ => None,
    });
    let of = |text| {
        let connection = Connection::parse_in(text, environment).expect("valid");
        (connection.domain, connection.interfaces, connection.gid)
    };
    assert_eq!(of(""), (5, InterfaceChoice::Interfaces(vec!["lo".into()]), GidSize::Long));
    assert_eq!(of("domain=6;interface=all;distro=jazzy"), (6, InterfaceChoice::All, GidSize::Short));
}

#[test]
fn a_wrong_variable_has_no_effect_if_the_string_gives_the_part() {
    let environment = Environment::of(&|name| (name == "ROS_DOMAIN_ID").then(|| "x".to_owned()));
    assert!(Connection::parse_in("", environment).is_err());
    assert!(Connection::parse_in("domain=1", environment).is_ok());
}

#[test]
fn errors_name_the_wrong_part() {
    for (text, named) in [
        ("domain", "`domain` is not of the form `key=value`"),
        ("domain=233", "`domain=` must be a number from 0 to 232, found `233`"),
        ("domain=1;domain=2", "`domain=` is given twice"),
        ("domian=1", "`domian=` is not a known key"),
        ("interface=", "`interface=` must be all, or names"),
        ("interface=lo,,eth0", "found `lo,,eth0`"),
        ("distro=noetic", "`distro=` must be a distribution of ROS 2: foxy"),
        ("mapping=dds", "`mapping=` must be auto, cyclone or fastdds, found `dds`"),
        ("generation=3", "`generation=` must be 1 or 2, found `3`"),
        ("namespace=/a b", "`namespace=` must be a namespace, such as / or /sim, found `/a b`"),
        ("node=/", "`node=` must be a node name"),
        ("sensors=yes", "`sensors=` must be best_effort or reliable, found `yes`"),
        ("remap=/a=/b", "`remap=` must be rules FROM:=TO"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.text().contains(named), "{text}: {error}");
        assert!(error.text().contains("interface=lo") && error.text().starts_with("[BH-ROS-001]"), "{error}");
    }
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}
