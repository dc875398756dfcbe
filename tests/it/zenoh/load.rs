//! Large messages and many messages arrive without loss.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::ros2::{Domain, Wire};
use crate::support::{Python, Served, Setup, is_loaded, is_quiet, vehicle, world};

/// The key of the clouds, without its domain.
const CLOUDS: &str = "camera/points/sensor_msgs::msg::dds_::PointCloud2_/\
    RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5";

/// Publishes clouds with this number of bytes in their data, at a rate, and returns what a counter of them says; `None` if it
/// cannot run here.
#[track_caller]
fn count(bytes: usize, rate_hz: u32, count: u32) -> Option<Value> {
    let domain = Domain::over(Wire::Zenoh)?;
    let python = Python::with("zenoh.ext, rosbags.typesys, xxhash")?;
    let plugin = format!(
        "<plugin filename='cloud' name='cloud'><bytes>{bytes}</bytes><update_rate>{rate_hz}</update_rate>\
        <reliable>true</reliable></plugin>"
    );
    let mut command = python.script("zenoh/peer/count.py");
    let key = format!("{}/{CLOUDS}", domain.number());
    command.args([domain.endpoint().expect("a router"), &key, &count.to_string(), &bytes.to_string()]);
    let mut counter = command.stdout(Stdio::piped()).spawn().expect("python starts");
    let mut lines = BufReader::new(counter.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(line(), "{\"ready\": true}");
    let setup = Setup::new().in_real_time().plugins(&["zenoh"]).fixtures(&["cloud"]);
    let host =
        setup.world(&world(&vehicle("camera", &plugin))).bridge(format!("camera={}", domain.bridge("")));
    let _host = Served::start(host);
    let found = serde_json::from_str(&line()).expect("JSON");
    assert!(counter.wait().expect("our child").success());
    Some(found)
}

/// Fails if a message is lost. Beside other work a tenth may be: like a node of ROS, the run drops what a subscriber does not
/// take in time.
#[track_caller]
fn expect_all(bytes: usize, rate_hz: u32, number: u32) {
    let Some(found) = count(bytes, rate_hz, number) else { return };
    let [received, missing, short] = ["received", "missing", "short"].map(|name| found[name].as_u64());
    assert_eq!((received, short), (Some(u64::from(number)), Some(0)), "{found}");
    let may_miss = if is_quiet() { 0 } else { u64::from(number / 10) };
    assert!(missing.is_some_and(|missing| missing <= may_miss), "{found}");
    drop(writeln!(std::io::stderr(), "{number} clouds with {bytes} bytes of data: {found}"));
}

#[test]
fn a_megabyte_a_hundred_times_a_second_arrives_without_loss() {
    // A bridge that gets a third of a processor cannot send more.
    expect_all(1_000_000, if is_loaded() { 20 } else { 100 }, if is_loaded() { 60 } else { 300 });
}

#[test]
fn small_messages_a_thousand_times_a_second_arrive_without_loss() {
    expect_all(64, if is_loaded() { 200 } else { 1000 }, if is_loaded() { 600 } else { 3000 });
}
