//! Each format byte by byte, and what can be read after a kill.

use std::io::Read;

use ::mcap::sans_io::{LinearReadEvent, LinearReader};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::sensor_msgs::Imu;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{Message, STEP_MARK_OPCODE, StepMark};
use flate2::read::GzDecoder;

use super::*;
use crate::test_support::{record, record_of, topic, topic_of};

const LINES: &str = concat!(
    r#"{"vehicle":"car1","topic":"/car1/speed","type":"std_msgs/msg/Float64","stamp":3000000,"seq":3,"step":3,"epoch":0,"message":{"data":3.0}}"#,
    "\n",
    r#"{"vehicle":"car1","topic":"/car1/speed","type":"std_msgs/msg/Float64","stamp":4000000,"seq":4,"step":4,"epoch":0,"message":{"data":4.0}}"#,
    "\n",
);

fn write(encoder: &mut dyn Encoder, record: &Record) {
    encoder.prepare(record).unwrap();
    encoder.write(record).unwrap();
}

/// A file with the messages of steps 3 and 4, flushed and not finished, as a kill leaves it.
fn killed(format: Format) -> (Output, Box<dyn Encoder>) {
    killed_in(format, true)
}

fn killed_in(format: Format, is_file: bool) -> (Output, Box<dyn Encoder>) {
    let shelf = Output::default();
    let mut encoder = format.begin(shelf.clone(), is_file).unwrap();
    let topic = topic("car1");
    write(encoder.as_mut(), &record(&topic, 0, 3));
    write(encoder.as_mut(), &record(&topic, 0, 4));
    encoder.flush().unwrap();
    (shelf, encoder)
}

/// Returns what can be read of a gzip stream, complete or not.
fn inflate(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let mut decoder = GzDecoder::new(bytes);
    let mut block = [0; 64];
    while let Ok(count @ 1..) = decoder.read(&mut block) {
        text.extend_from_slice(&block[..count]);
    }
    String::from_utf8(text).unwrap()
}

/// Returns the records of an MCAP file with their opcodes, up to its end or its truncation.
fn records(bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut reader = LinearReader::new();
    let (mut source, mut found) = (bytes, Vec::new());
    while let Some(Ok(event)) = reader.next_event() {
        match event {
            LinearReadEvent::ReadRequest(wanted) => {
                let read = source.read(reader.insert(wanted)).unwrap();
                reader.notify_read(read);
            }
            LinearReadEvent::Record { opcode, data } => found.push((opcode, data.to_vec())),
        }
    }
    found
}

#[test]
fn the_ending_of_a_name_selects_the_format() {
    assert_eq!(Format::of_target("a.b/run.mcap"), Some(Format::Mcap));
    assert_eq!(Format::of_target("run.jsonl"), Some(Format::JsonLines { gzip: false }));
    assert_eq!(Format::of_target("run.jsonl.gz"), Some(Format::JsonLines { gzip: true }));
    assert_eq!(Format::of_target("run.txt"), Some(Format::Text { gzip: false }));
    assert_eq!(Format::of_target("run.txt.gz"), Some(Format::Text { gzip: true }));
    assert_eq!(Format::of_target("-"), Some(Format::JsonLines { gzip: false }));
    assert_eq!(Format::of_target("run.gz"), None);
    assert_eq!(Format::of_target("mcap"), None);
}

#[test]
fn json_lines_can_be_read_before_the_end() {
    let (shelf, _encoder) = killed(Format::JsonLines { gzip: false });
    assert_eq!(shelf.text(), LINES);
}

#[test]
fn compressed_json_lines_can_be_read_before_the_end() {
    let (shelf, encoder) = killed(Format::JsonLines { gzip: true });
    assert_eq!(inflate(&shelf.bytes()), LINES);
    encoder.finish().unwrap();
    let mut whole = String::new();
    GzDecoder::new(shelf.bytes().as_slice()).read_to_string(&mut whole).unwrap();
    assert_eq!(whole, LINES, "the checksum at the end is right");
}

#[test]
fn text_is_a_line_with_type_and_topic_and_a_line_of_json() {
    let shelf = Output::default();
    let mut encoder = Format::Text { gzip: false }.begin(shelf.clone(), true).unwrap();
    let acceleration = Vector3 { x: 0.0, y: 0.5, z: 9.81 };
    let imu = Imu { linear_acceleration: Some(acceleration), ..Imu::default() };
    write(encoder.as_mut(), &record_of(&topic_of::<Imu>("car1", "imu"), 0, 3, &imu));
    encoder.finish().unwrap();
    let text = shelf.text();
    let (head, json) = text.split_once('\n').unwrap();
    assert_eq!(head, "sensor_msgs/msg/Imu /car1/imu");
    assert!(json.starts_with(r#"{"header":{"stamp":{"sec":0,"nanosec":0},"frame_id":""},"#), "{json}");
    assert!(json.contains(r#""linear_acceleration":{"x":0.0,"y":0.5,"z":9.81}"#), "{json}");
    assert!(json.ends_with("}\n"), "{json}");
}

#[test]
fn compressed_text_can_be_read_before_the_end() {
    let (shelf, _encoder) = killed(Format::Text { gzip: true });
    let pair = "std_msgs/msg/Float64 /car1/speed\n";
    assert_eq!(inflate(&shelf.bytes()), format!("{pair}{{\"data\":3.0}}\n{pair}{{\"data\":4.0}}\n"));
}

#[test]
fn mcap_can_be_read_before_the_end() {
    // Header, schema, channel, then a step mark before each message.
    let expected = [1, 3, 4, STEP_MARK_OPCODE, 5, STEP_MARK_OPCODE, 5];
    let opcodes = |shelf: &Output| -> Vec<u8> {
        records(&shelf.bytes()).into_iter().map(|(opcode, _)| opcode).collect()
    };
    let (shelf, _encoder) = killed(Format::Mcap);
    assert_eq!(opcodes(&shelf), expected);
    let (shelf, _encoder) = killed_in(Format::Mcap, false);
    assert_eq!(opcodes(&shelf), [&expected[..], &[7]].concat(), "a pipe gets the index of the chunk too");
}

#[test]
fn mcap_carries_schema_times_and_steps() {
    let (shelf, encoder) = killed(Format::Mcap);
    encoder.finish().unwrap();
    let bytes = shelf.bytes();
    let messages: Vec<_> = ::mcap::MessageStream::new(&bytes).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(messages.len(), 2);
    let message = &messages[0];
    assert_eq!((message.publish_time, message.log_time, message.sequence), (3_000_000, 3_000_000, 3));
    assert_eq!(message.channel.topic, "/car1/speed");
    assert_eq!(message.channel.message_encoding, "protobuf");
    assert_eq!(message.channel.metadata["vehicle"], "car1");
    assert_eq!(message.channel.metadata["ros_type"], "std_msgs/msg/Float64");
    let schema = message.channel.schema.as_ref().unwrap();
    assert_eq!((schema.name.as_str(), schema.encoding.as_str()), (Float64::FULL_NAME, "protobuf"));
    assert_eq!(schema.data, Float64::DESCRIPTOR_SET);

    let marks = records(&bytes).into_iter().filter(|(opcode, _)| *opcode == STEP_MARK_OPCODE);
    let steps: Vec<_> = marks.filter_map(|(_, data)| StepMark::from_bytes(&data)).collect();
    assert_eq!(steps, [StepMark { epoch: 0, step: 3 }, StepMark { epoch: 0, step: 4 }]);
    assert_eq!(::mcap::Summary::read(&bytes).unwrap().unwrap().stats.unwrap().message_count, 2);
}

#[test]
fn a_reset_does_not_turn_log_time_back() {
    let shelf = Output::default();
    let mut encoder = Format::Mcap.begin(shelf.clone(), true).unwrap();
    let topic = topic("car1");
    for (epoch, step) in [(0, 5), (0, 7), (1, 0), (1, 2), (2, 2)] {
        write(encoder.as_mut(), &record(&topic, epoch, step));
    }
    encoder.finish().unwrap();
    let bytes = shelf.bytes();
    let times: Vec<(u64, u64)> = ::mcap::MessageStream::new(&bytes)
        .unwrap()
        .map(|message| {
            message.map(|message| (message.publish_time / 1_000_000, message.log_time / 1_000_000)).unwrap()
        })
        .collect();
    assert_eq!(times, [(5, 5), (7, 7), (0, 7), (2, 9), (2, 9)]);
}

#[test]
fn no_format_reports_a_size_below_the_real_one() {
    for format in [Format::Mcap, Format::JsonLines { gzip: true }, Format::Text { gzip: false }] {
        let shelf = Output::default();
        let mut encoder = format.begin(shelf.clone(), true).unwrap();
        let topic = topic("car1");
        for step in 0..500 {
            write(encoder.as_mut(), &record(&topic, 0, step));
        }
        let before = encoder.size();
        encoder.flush().unwrap();
        let written = shelf.bytes().len() as u64;
        assert!(before + 300 >= written, "{format:?}: {before} before the flush, {written} after");
        // The index of the chunk follows once the chunk ends, 16 bytes for each message.
        let index = if format == Format::Mcap { 500 * 16 } else { 0 };
        assert_eq!(encoder.size(), written + index, "{format:?}");
    }
}
