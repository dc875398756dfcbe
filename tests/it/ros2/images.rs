//! Images of a camera at the rate and size of real ones, received over each transport by another library.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::wire::{MODULES, over_each_transport};
use super::{Domain, Wire};
use crate::support::{Python, Served, Setup, is_long, is_quiet, root, world};

/// Images a second.
const RATE: u64 = 30;

/// The key of the images over Zenoh, without its domain.
const KEY: &str = "robot/eye/image_raw/sensor_msgs::msg::dds_::Image_/\
    RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47";

/// A camera of 1280 by 720 pixels in front of a box.
fn scene() -> String {
    let camera = format!(
        "<sensor name='eye' type='camera'><topic>eye</topic><update_rate>{RATE}</update_rate><camera>\
         <image><width>1280</width><height>720</height><format>R8G8B8</format></image></camera></sensor>"
    );
    world(&format!(
        "<scene><ambient>1 1 1 1</ambient><shadows>false</shadows></scene>\
         <model name='robot'><static>true</static><link name='mast'><pose>0 0 0.5 0 0 0</pose>{camera}</link></model>\
         <model name='box'><static>true</static><pose>3 0 0.5 0 0 0.3</pose><link name='l'><visual name='v'><geometry>\
         <box><size>1 1 1</size></box></geometry></visual></link></model>"
    ))
}

/// The numbers of images by their times.
fn numbers(found: &Value) -> Vec<u64> {
    let stamps = found["stamps"].as_array().expect("a list").iter();
    let nanos = stamps.map(|stamp| stamp.as_u64().expect("a time"));
    // A step of 1 ms follows the time at which an image is due.
    nanos.map(|nanos| (nanos * RATE + 500_000_000) / 1_000_000_000).collect()
}

/// What counts images over a transport; `None` without its library for Python.
#[track_caller]
fn counter(domain: &Domain, count: &str) -> Option<Command> {
    let Some(endpoint) = domain.endpoint() else {
        let mut command = Python::with("cyclonedds.domain")?.script("ros2/peer/images.py");
        command.args([&domain.number().to_string(), "rt/robot/eye/image_raw", count, "true"]);
        command.arg(root().join("plugin-api/messages/tests/golden"));
        return Some(command);
    };
    let mut command = Python::with(MODULES)?.script("zenoh/peer/images.py");
    command.args([endpoint, &format!("{}/{KEY}", domain.number()), count]);
    Some(command)
}

/// Fails if an image is missing. Over Zenoh, what a subscriber does not take within milliseconds is dropped, as by nodes of
/// ROS: beside other work some are missing, but most arrive.
#[track_caller]
fn expect_complete(wire: Wire, numbers: &[u64]) {
    let expected: Vec<u64> = (numbers[0]..).take(numbers.len()).collect();
    if wire == Wire::Dds || is_quiet() {
        assert_eq!(numbers, expected, "an image is missing");
    }
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    let missing = numbers[numbers.len() - 1] - expected[expected.len() - 1];
    assert!(missing <= numbers.len() as u64 / 2, "{missing} are missing: {numbers:?}");
}

over_each_transport!(images_of_720_rows_thirty_times_a_second_arrive_without_loss);

fn images_of_720_rows_thirty_times_a_second_arrive_without_loss(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let seconds = if is_long() { 10 } else { 3 };
    let Some(mut command) = counter(&domain, &(RATE * seconds).to_string()) else { return };
    let mut counter = command.stdout(Stdio::piped()).spawn().expect("python starts");
    let mut lines = BufReader::new(counter.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(line(), "ready");
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge(), "camera"]);
    let bridge = format!("robot={}", domain.bridge("sensors=reliable"));
    let host = Served::start(setup.world(&scene()).bridge(bridge));
    let found: Value = serde_json::from_str(&line()).expect("JSON");
    assert!(counter.wait().expect("our child").success());
    let numbers = numbers(&found);
    expect_complete(wire, &numbers);
    assert!(numbers.len() as u64 >= RATE * seconds, "{} images", numbers.len());
    assert_eq!(found["different"], 0, "the scene does not move");
    // The height, the width, the name of the format, the length of a row and the pixels.
    assert!(found["bytes"].as_u64().is_some_and(|bytes| bytes >= 1280 * 720 * 3), "{}", found["bytes"]);
    let wall = found["seconds"].as_f64().expect("seconds");
    let text = format!("{} images of {} bytes in {wall:.2} s", numbers.len(), found["bytes"]);
    drop(writeln!(std::io::stderr(), "{text}"));
    // A processor that has to draw them is slower than real time, but not much.
    #[expect(clippy::cast_precision_loss, reason = "few seconds")]
    let limit = seconds as f64 * 2.0;
    assert!(wall < limit || !is_quiet(), "{wall} s");
    drop(host);
}
