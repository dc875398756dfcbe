//! Images of a camera at the rate and size of real ones, received by another implementation of DDS.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use super::Domain;
use crate::support::{Python, Served, Setup, is_long, is_quiet, root, world};

/// Images a second.
const RATE: u64 = 30;

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

#[test]
fn images_of_720_rows_thirty_times_a_second_arrive_without_loss() {
    let domain = Domain::free();
    let Some(python) = Python::with("cyclonedds.domain") else { return };
    let seconds = if is_long() { 10 } else { 3 };
    let texts = root().join("plugin-api/messages/tests/golden");
    let mut command = python.script("ros2/peer/images.py");
    let count = (RATE * seconds).to_string();
    command.args([&domain.number().to_string(), "rt/robot/eye/image_raw", &count, "true"]).arg(texts);
    let mut counter = command.stdout(Stdio::piped()).spawn().expect("python starts");
    let mut lines = BufReader::new(counter.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(line(), "ready");
    let setup = Setup::new().in_real_time().plugins(&["ros2", "camera"]);
    let bridge = format!("robot=ros2:domain={};interface=lo;sensors=reliable", domain.number());
    let host = Served::start(setup.world(&scene()).bridge(bridge));
    let found: Value = serde_json::from_str(&line()).expect("JSON");
    assert!(counter.wait().expect("our child").success());
    let numbers = numbers(&found);
    let expected: Vec<u64> = (numbers[0]..).take(numbers.len()).collect();
    assert_eq!(numbers, expected, "an image is missing");
    assert!(numbers.len() as u64 >= RATE * seconds, "{} images", numbers.len());
    assert_eq!(found["different"], 0, "the scene does not move");
    // The height, the width, the name of the format, the length of a row and the pixels.
    assert!(found["bytes"].as_u64().is_some_and(|bytes| bytes >= 1280 * 720 * 3), "{}", found["bytes"]);
    let wall = found["seconds"].as_f64().expect("seconds");
    eprintln!("{} images of {} bytes in {wall:.2} s", numbers.len(), found["bytes"]);
    // A processor that has to draw them is slower than real time, but not much.
    #[expect(clippy::cast_precision_loss, reason = "few seconds")]
    let limit = seconds as f64 * 2.0;
    assert!(wall < limit || !is_quiet(), "{wall} s");
    drop(host);
}
