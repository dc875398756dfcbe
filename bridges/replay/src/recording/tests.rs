//! Recordings in every format: complete, truncated and invalid.

use std::io::{Cursor, Write};

use ::mcap::records::MessageHeader;
use ::mcap::write::{PrivateRecordOptions, WriteOptions};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{Message, STEP_MARK_OPCODE};
use flate2::write::GzEncoder;
use prost::Message as _;

use super::*;

/// Returns position, topic and step of every message, and the error that ended the reading.
fn read(recording: &mut dyn Recording) -> (Vec<String>, Option<String>) {
    let mut found = Vec::new();
    loop {
        match recording.next() {
            Ok(Some(entry)) => found.push(format!("{} {} {}", entry.position, entry.topic, entry.mark.step)),
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

fn read_lines(bytes: &[u8]) -> (Vec<String>, Option<String>) {
    read(&mut lines::LineRecording::new("cmd.jsonl".into(), bytes))
}

fn read_file(name: &str, format: Format, bytes: &[u8]) -> (Vec<String>, Option<String>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let (found, error) = read(open(&path, format).unwrap().as_mut());
    let short = |text: String| text.replace(&format!("{}/", directory.path().display()), "");
    (found.into_iter().map(short).collect(), error.map(short))
}

/// An MCAP file with Float64 messages at steps 3 and 4.
fn mcap_bytes(encoding: &str, marks: bool, end: bool) -> Vec<u8> {
    let options = WriteOptions::new().compression(None);
    let mut writer = options.create(Cursor::new(Vec::new())).unwrap();
    let schema = writer.add_schema(Float64::FULL_NAME, "protobuf", Float64::DESCRIPTOR_SET).unwrap();
    let channel = writer.add_channel(schema, "/car1/speed", encoding, &Default::default()).unwrap();
    for step in 3..5_u32 {
        if marks {
            let mark = StepMark { epoch: 0, step: u64::from(step) }.to_bytes();
            let options = PrivateRecordOptions::IncludeInChunks.into();
            writer.write_private_record(STEP_MARK_OPCODE, &mark, options).unwrap();
        }
        let time = u64::from(step) * 1_000_000;
        let header =
            MessageHeader { channel_id: channel, sequence: step, log_time: time, publish_time: time };
        let payload = Float64 { data: f64::from(step) }.encode_to_vec();
        writer.write_to_known_channel(&header, &payload).unwrap();
    }
    if end {
        writer.finish().unwrap();
    } else {
        writer.flush().unwrap();
    }
    writer.into_inner().into_inner()
}

const TWO: &[u8] = b"# by hand\n\n{\"topic\":\"/a\",\"step\":1,\"message\":{}}\n{\"topic\":\"/b\",\"step\":2,\"message\":{}}\n";

#[test]
fn lines_are_read_with_their_numbers() {
    assert_eq!(read_lines(TWO), (vec!["cmd.jsonl:3 /a 1".to_owned(), "cmd.jsonl:4 /b 2".to_owned()], None));
    assert_eq!(read_lines(b""), (vec![], None));
}

#[test]
fn an_invalid_line_is_an_error_with_file_and_line() {
    let (found, error) = read_lines(b"{\"topic\":\"/a\",\"step\":1,\"message\":{}}\nnonsense\n");
    assert_eq!(found.len(), 1);
    let error = error.unwrap();
    assert!(error.starts_with("[BH-BRG-123] cmd.jsonl:2: the text is not JSON at byte 0"), "{error}");
    assert!(error.starts_with("[BH-BRG-123]"), "{error}");

    let (_, error) = read_lines(b"\xff\n");
    assert_eq!(error.unwrap(), "[BH-BRG-123] cmd.jsonl:1: the line is not UTF-8");
}

#[test]
fn a_truncated_last_line_ends_the_recording() {
    let cut = &TWO[..TWO.len() - 5];
    assert_eq!(read_lines(cut), (vec!["cmd.jsonl:3 /a 1".to_owned()], None));
}

#[test]
fn truncated_compressed_lines_are_read_up_to_the_truncation() {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(TWO).unwrap();
    encoder.flush().unwrap();
    let killed = encoder.get_ref().clone();
    let whole = encoder.finish().unwrap();
    for bytes in [killed, whole] {
        let (found, error) = read_file("cmd.jsonl.gz", Format::JsonLines { gzip: true }, &bytes);
        assert_eq!(
            (found, error),
            (vec!["cmd.jsonl.gz:3 /a 1".to_owned(), "cmd.jsonl.gz:4 /b 2".to_owned()], None)
        );
    }
    let (_, error) = read_file("cmd.jsonl.gz", Format::JsonLines { gzip: true }, b"plain text");
    assert!(error.unwrap().starts_with("[BH-BRG-123] cmd.jsonl.gz:1: invalid gzip header"));
}

#[test]
fn mcap_is_read_complete_or_truncated() {
    let expected =
        vec!["run.mcap: message 1 /car1/speed 3".to_owned(), "run.mcap: message 2 /car1/speed 4".to_owned()];
    for end in [true, false] {
        let found = read_file("run.mcap", Format::Mcap, &mcap_bytes("protobuf", true, end));
        assert_eq!(found, (expected.clone(), None));
    }
}

#[test]
fn mcap_of_another_program_is_refused_with_a_reason() {
    let (_, error) = read_file("run.mcap", Format::Mcap, &mcap_bytes("protobuf", false, true));
    assert!(
        error.unwrap().starts_with("[BH-BRG-123] run.mcap: message 1: the file does not say in which step")
    );
    let (_, error) = read_file("run.mcap", Format::Mcap, &mcap_bytes("cdr", true, true));
    assert!(error.unwrap().contains("`/car1/speed` is recorded as `cdr`; expected protobuf"));
    let (_, error) = read_file("run.mcap", Format::Mcap, &[b'x'; 100]);
    assert!(error.unwrap().starts_with(
        "[BH-BRG-123] run.mcap: message 0: the file cannot be read after this: Bad magic number"
    ));
}

#[test]
fn a_missing_file_is_named() {
    let error =
        open(Path::new("/nowhere/a.jsonl"), Format::JsonLines { gzip: false }).err().unwrap().to_string();
    assert!(
        error.starts_with("[BH-BRG-122] the recording `/nowhere/a.jsonl` cannot be opened: No such file"),
        "{error}"
    );
}
