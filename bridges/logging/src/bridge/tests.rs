//! The bridge in a test host: connecting, writing, sharing a file, failing.

use std::path::{Path, PathBuf};

use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::RecordLine;
use bridgehead_plugin_api::messages::sensor_msgs::{CompressedImage, Image};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TestPublisher, TxCounts};

use super::*;

type Logging = TestBridge<LoggingBridge>;

/// A connected bridge with one publisher, and the file it writes.
fn scene(directory: &Path, options: &str) -> (Logging, TestPublisher, PathBuf) {
    let host = TestHost::builder().vehicle("car1").build();
    let path = directory.join("run.jsonl");
    let mut bridge = Logging::create(host);
    let publisher = bridge.advertise::<Float64>("/car1/speed", Qos::default()).expect("a publisher");
    bridge.connect(&format!("{}{options}", path.display())).expect_done();
    (bridge, publisher, path)
}

/// Topic, step and sequence number of each line.
fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let read = |line: &str| {
        let line = RecordLine::parse(line).unwrap();
        format!("{} {} {}", line.topic, line.step, line.sequence.unwrap())
    };
    text.lines().map(read).collect()
}

#[test]
fn a_connection_string_is_checked_before_anything_starts() {
    Logging::validate("/nowhere/run.mcap;topics=/car1/*").expect_done();
    let error = Logging::validate("run.bag").expect_failed();
    assert!(error.text().contains("found `run.bag`"), "{error}");
}

#[test]
fn every_message_of_a_run_is_written_with_its_step() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bridge, publisher, path) = scene(directory.path(), "");
    assert_eq!(bridge.registrations().publishers(), [ANY_TYPE]);
    assert_eq!(bridge.status(), BridgeStatus::Connected);
    for step in 1..=3 {
        bridge.host().advance(1);
        bridge.publish(&publisher, &Float64 { data: f64::from(step) });
    }
    bridge.disconnect().expect_done();
    assert_eq!(lines(&path), ["/car1/speed 1 0", "/car1/speed 2 1", "/car1/speed 3 2"]);
    assert_eq!(bridge.counts(), TxCounts { delivered: 3, rejected: 0, waiting: 0, dropped: 0 });
    assert_eq!(bridge.status(), BridgeStatus::Disconnected);
}

#[test]
fn a_message_reaches_the_disk_while_the_run_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let (bridge, publisher, path) = scene(directory.path(), "");
    bridge.publish(&publisher, &Float64 { data: 1.0 });
    bridge.host().wait_until("the line is on the disk", |_| lines(&path).len() == 1);
    bridge.publish(&publisher, &Float64 { data: 2.0 });
    bridge.host().wait_until("the second one too", |_| lines(&path).len() == 2);
}

#[test]
fn topics_that_do_not_match_are_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bridge, speed, path) = scene(directory.path(), ";topics=/car1/heading");
    let heading = bridge.advertise::<Float64>("/car1/heading", Qos::default()).expect("a publisher");
    bridge.publish(&speed, &Float64 { data: 1.0 });
    bridge.publish(&heading, &Float64 { data: 2.0 });
    bridge.disconnect().expect_done();
    assert_eq!(lines(&path), ["/car1/heading 0 0"]);
    assert_eq!(bridge.counts().rejected, 0);
}

/// A raw image is left out only if the same image is written compressed.
#[test]
fn an_image_is_written_once() {
    let written = |options: &str| {
        let directory = tempfile::tempdir().unwrap();
        let (mut bridge, _, path) = scene(directory.path(), options);
        let names = ["/car1/cam/image_raw", "/car1/depth/image_raw"];
        let raw = names.map(|name| bridge.advertise::<Image>(name, Qos::default()).expect("a publisher"));
        let twin = bridge.advertise::<CompressedImage>("/car1/cam/image_raw/compressed", Qos::default());
        for publisher in &raw {
            bridge.publish(publisher, &Image::default());
        }
        if let Ok(twin) = &twin {
            bridge.publish(twin, &CompressedImage::default());
        }
        bridge.disconnect().expect_done();
        assert_eq!(bridge.counts().rejected, 0);
        lines(&path).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = ["/car1/cam/image_raw", "/car1/depth/image_raw", "/car1/cam/image_raw/compressed"];
    assert_eq!(written(""), all);
    assert_eq!(written(";images=compressed"), all[1..]);
    assert_eq!(written(";images=compressed;topics=!*/compressed"), all[..2]);
}

#[test]
fn an_existing_file_fails_the_connection() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("run.jsonl"), "precious").unwrap();
    let mut bridge = Logging::create(TestHost::new());
    let error = bridge.connect(&directory.path().join("run.jsonl").display().to_string()).expect_failed();
    assert!(error.text().contains("exists and is not replaced"), "{error}");
    assert_eq!(bridge.status(), BridgeStatus::Disconnected);
}

#[test]
fn a_full_disk_is_reported_once_and_the_run_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", directory.path().join("run.jsonl")).unwrap();
    let (mut bridge, publisher, _) = scene(directory.path(), ";overwrite=true");
    bridge.publish(&publisher, &Float64 { data: 1.0 });
    bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
    for step in 0..10 {
        bridge.publish(&publisher, &Float64 { data: f64::from(step) });
    }
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts(), TxCounts { delivered: 1, rejected: 10, waiting: 0, dropped: 0 });
    let errors = bridge.host().reported_errors();
    let codes: Vec<&str> = errors.iter().map(|(code, _)| code.as_str()).collect();
    assert_eq!(codes, ["BH-BRG-114", "BH-BRG-117"], "{errors:?}");
    assert!(errors[1].1.starts_with("11 messages of step 0 could not be written"), "{}", errors[1].1);
    assert_eq!(bridge.host().lost(), 1, "the message that was accepted first");
    assert!(errors[0].1.contains("No space left on device"), "{}", errors[0].1);
}

#[test]
fn two_vehicles_may_share_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let (mut one, speed, path) = scene(directory.path(), "");
    let mut two = Logging::create(TestHost::builder().vehicle("car2").build());
    let other = two.advertise::<Float64>("/car2/speed", Qos::default()).expect("a publisher");
    two.connect(&path.display().to_string()).expect_done();
    for bridge in [&one, &two] {
        bridge.host().advance(1);
    }
    two.publish(&other, &Float64 { data: 2.0 });
    two.wait_sent();
    one.publish(&speed, &Float64 { data: 1.0 });
    for bridge in [&one, &two] {
        bridge.host().advance(1);
    }
    one.disconnect().expect_done();
    two.disconnect().expect_done();
    assert_eq!(lines(&path), ["/car1/speed 1 0", "/car2/speed 1 0"]);
}

#[test]
fn a_path_of_a_world_file_stays_inside_the_output_directory() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out").display().to_string();
    let host = TestHost::builder().params([("@origin", "world"), ("output_dir", &output)]).build();
    let mut bridge = Logging::create(host);
    let error = bridge.connect("../run.jsonl").expect_failed();
    assert!(error.text().contains("outside the output directory"), "{error}");
    bridge.connect("run.jsonl").expect_done();
    bridge.disconnect().expect_done();
    assert!(directory.path().join("out/run.jsonl").exists());
}
