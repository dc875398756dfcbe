//! Every type of the bridge's table, exchanged with Gazebo's own library field by field, in both directions.
//!
//! The run publishes with the plugin `triggered_publisher`, and its log shows what it receives.

mod table;

use std::collections::BTreeSet;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::peer::{Peer, Place};
use crate::support::{Served, Setup, root, vehicle, world};
use table::{ABSENT, ROWS, Row};

/// Bytes that the peer sends, as text and as they are.
const BYTES: (&str, &[u8]) = ("data: \"a\\000\\377z\"", b"a\0\xffz");

/// The rows of the table in the README of the bridge: type of the run, type of Gazebo.
fn documented() -> BTreeSet<(String, String)> {
    let text = fs::read_to_string(root().join("bridges/gz/README.md")).expect("the README");
    let is_of_types = |line: &&str| line.starts_with("| `") && line.contains("/msg/");
    let pair = |line: &str| {
        let mut names = line.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((names.next()?, names.next()?))
    };
    text.lines().filter(is_of_types).filter_map(pair).collect()
}

#[test]
fn the_table_has_every_type_of_the_bridge() {
    let of = |(ours, gz): (&str, &str)| (ours.to_owned(), gz.to_owned());
    let tested: BTreeSet<_> = ROWS.iter().map(|row| of((row.ours, row.gz))).collect();
    let absent: BTreeSet<_> = ABSENT.iter().copied().map(of).collect();
    assert!(tested.is_disjoint(&absent));
    assert_eq!(&tested | &absent, documented());
    assert_eq!(tested.len(), ROWS.len(), "no row twice");
}

#[test]
fn the_library_has_the_types_that_are_tested_and_not_the_others() {
    let Some(place) = Place::find() else { return };
    let peer = place.peer();
    for row in ROWS {
        assert!(peer.canonical(row.gz, "").is_some(), "{}", row.gz);
    }
    for (_, gz) in ABSENT {
        assert!(peer.canonical(gz, "").is_none(), "{gz} can be tested");
    }
}

/// A world that publishes the messages of all rows for each message on `/go`, and for each message on `/in/…` an empty one
/// on `/received/…`.
fn all_types() -> String {
    let output = |row: &Row| {
        let also = row.received().map(|text| row.output("back", &text)).unwrap_or_default();
        row.output("out", &row.sent()) + &also
    };
    let outputs: String = ROWS.iter().map(output).collect();
    let receiver = |row: &Row| {
        format!(
            "<plugin filename='triggered_publisher' name='of_{name}'><input type='{ours}' topic='/in/{name}'/>\
             <output type='std_msgs/msg/Empty' topic='/received/{name}'/></plugin>\n",
            name = row.name(),
            ours = row.ours
        )
    };
    let receivers: String = ROWS.iter().map(receiver).collect();
    world(&format!(
        "<plugin filename='triggered_publisher' name='all'><input type='std_msgs/msg/Empty' topic='/go'/>{outputs}</plugin>\n\
         {receivers}"
    ))
}

/// Checks what the peer receives of every row.
fn receive_all(peer: &Peer) {
    for row in ROWS {
        peer.subscribe(&row.topic("out"), row.gz);
    }
    peer.repeat("/go", "Empty", "");
    for row in ROWS {
        let expected = peer.canonical(row.gz, &row.on_wire()).expect("a type of the library");
        assert_eq!(peer.next(&row.topic("out")), expected, "{} from the run", row.ours);
    }
    peer.stop("/go");
}

/// Sends the message of every row.
fn send_all(peer: &Peer) {
    for row in ROWS {
        peer.subscribe(&row.topic("received"), "Empty");
        let bytes = if row.has_bytes { BYTES.0 } else { "" };
        peer.repeat(&row.topic("in"), row.gz, &format!("{} {bytes}", row.on_wire()));
    }
    for row in ROWS {
        peer.next(&row.topic("received"));
        peer.stop(&row.topic("in"));
    }
}

/// Whether a message leaves out a field.
fn has_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty() || values.iter().any(has_default),
        Value::Object(members) => members.values().any(has_default),
    }
}

#[test]
fn messages_of_every_type_arrive_in_both_directions_with_every_field() {
    let Some(place) = Place::find() else { return };
    let setup = Setup::new().plugins(&["gz", "logging", "triggered_publisher"]).in_real_time();
    let setup = setup.world(&all_types()).bridge(place.bridge()).bridge("*=logging:out/run.jsonl");
    let host = Served::start(setup);
    let peer = place.peer();
    receive_all(&peer);
    send_all(&peer);
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let message = |kind: &str, row: &Row| {
        let topic = row.topic(kind);
        let line = lines.iter().find(|line| line.is_topic(&topic));
        let mut message = line.unwrap_or_else(|| panic!("no message on {topic}"))["message"].clone();
        if row.has_bytes && kind != "in" {
            message["data"] = json!(STANDARD.encode(BYTES.1));
        }
        message
    };
    for row in ROWS {
        let sent = message("out", row);
        assert!(!has_default(&sent), "{}: a field is left out of {sent}", row.ours);
        let expected = if row.received().is_some() { message("back", row) } else { sent };
        assert_eq!(message("in", row), expected, "{} to the run", row.ours);
    }
}

#[test]
fn bytes_of_pictures_and_clouds_arrive() {
    let Some(place) = Place::find() else { return };
    let camera = "<sensor name='big' type='depth_camera'><update_rate>50</update_rate><camera>\
        <horizontal_fov>1</horizontal_fov><image><width>2</width><height>1</height><format>R_FLOAT32</format></image>\
        <clip><near>0.1</near><far>10</far></clip></camera></sensor>";
    let cloud =
        "<plugin filename='cloud' name='cloud'><bytes>3</bytes><update_rate>50</update_rate></plugin>";
    let model = format!("<model name='car1'><link name='mast'>{camera}</link></model>");
    let body = vehicle("car2", cloud) + &model;
    let setup = Setup::new().plugins(&["gz"]).fixtures(&["big_picture", "cloud"]).in_real_time();
    let host = Served::start(setup.world(&world(&body)).bridge(place.bridge()));
    let peer = place.peer();
    peer.subscribe("/car1/big/image_raw", "Image");
    peer.subscribe("/car2/points", "PointCloudPacked");
    let picture = peer.next("/car1/big/image_raw");
    let expected = "width: 2 height: 1 step: 8 data: \"????????\" pixel_format_type: R_FLOAT32";
    assert!(picture.ends_with(expected), "{picture}");
    let cloud = peer.next("/car2/points");
    let number = cloud.split("width: ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a width");
    let byte = number.parse::<u32>().expect("a number").to_le_bytes()[0];
    let expected = peer.canonical("Bytes", &format!("data: \"{}\"", format!("\\{byte:03o}").repeat(3)));
    assert!(cloud.contains(&expected.expect("a type of the library")), "{cloud}");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
