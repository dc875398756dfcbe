//! Recordings that are written here, whole, truncated and damaged.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    Scene, SceneAsset, SceneNode, ScenePoses,
};
use bridgehead_plugin_api::messages::geometry_msgs::{Point, Pose};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{Message, STEP_MARK_OPCODE, Schema, StepMark};
use mcap::records::MessageHeader;
use mcap::write::{PrivateRecordOptions, WriteOptions};
use proptest::prelude::*;

use super::*;

const MS: u64 = 1_000_000;
/// Messages of numbers and poses, one each in ten milliseconds.
const COUNT: u64 = 50;

/// Writes a recording: a scene with a mesh, then poses and numbers.
struct Tape(mcap::Writer<Cursor<Vec<u8>>>);

impl Tape {
    fn begin() -> Self {
        let options = WriteOptions::new().compression(None).chunk_size(Some(700));
        Tape(options.create(Cursor::new(Vec::new())).expect("a writer"))
    }

    fn write<M: Message>(&mut self, topic: &str, time_ms: u64, message: &M) {
        let schema = Schema::of::<M>();
        let schema = self.0.add_schema(M::FULL_NAME, "protobuf", schema.descriptor_set()).expect("a schema");
        let channel = self.0.add_channel(schema, topic, "protobuf", &BTreeMap::new()).expect("a channel");
        let mark = StepMark { epoch: 0, step: time_ms };
        let options = PrivateRecordOptions::IncludeInChunks.into();
        self.0.write_private_record(STEP_MARK_OPCODE, &mark.to_bytes(), options).expect("a mark");
        let (log_time, publish_time) = (time_ms * MS, time_ms * MS);
        let header = MessageHeader { channel_id: channel, sequence: 7, log_time, publish_time };
        self.0.write_to_known_channel(&header, &message.encode_to_vec()).expect("a message");
    }

    fn end(mut self) -> Vec<u8> {
        self.0.finish().expect("the end");
        self.0.into_inner().into_inner()
    }
}

fn pose(x: f64) -> Pose {
    Pose { position: Some(Point { x, y: 0.0, z: 0.0 }), ..Pose::default() }
}

/// The x of the two nodes at the message with that number.
fn places(number: u64) -> [f64; 2] {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let number = number as f64;
    [number, if number < 20.0 { 5.0 } else { number * 2.0 }]
}

fn recorded() -> Vec<u8> {
    let mut tape = Tape::begin();
    let asset =
        SceneAsset { hash: "abc".into(), media_type: "image/png".into(), content: vec![1, 2, 3].into() };
    tape.write("/scene/assets", 0, &asset);
    let node = |name: &str| SceneNode { name: name.into(), ..SceneNode::default() };
    let nodes = vec![node("a"), node("b")];
    tape.write("/scene", 0, &Scene { revision: 4, world: "yard".into(), nodes, ..Scene::default() });
    let mut known = [f64::NAN; 2];
    for number in 0..COUNT {
        let now = places(number);
        let is_complete = number % 10 == 0;
        let moved: Vec<u32> = (0..2).filter(|&node| known[node as usize] != now[node as usize]).collect();
        let shown = |node: &u32| pose(now[*node as usize]);
        let (nodes, poses) = if is_complete {
            (Vec::new(), now.map(pose).to_vec())
        } else {
            (moved.clone(), moved.iter().map(shown).collect())
        };
        known = now;
        tape.write("/scene/poses", number * 10, &ScenePoses { revision: 4, is_complete, nodes, poses });
        tape.write("/number", number * 10 + 5, &Float64 { data: now[0] });
    }
    tape.end()
}

/// Opens bytes as a recording; the folder keeps the file.
fn opened(bytes: &[u8]) -> (Result<Recording, RecordingError>, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("run.mcap");
    std::fs::write(&path, bytes).expect("a file");
    (Recording::open(&path), folder)
}

/// Reads everything that a view reads.
fn use_all(recording: &Recording) {
    let (begin, end) = recording.times();
    let mut poses = Poses::default();
    for time in [end, begin, begin / 2 + end / 2, u64::MAX, 0] {
        drop(poses.at(recording, time));
        drop((recording.scene_at(time), recording.description_at(time), recording.newest_at(time)));
        assert!(recording.next_after(time).is_none_or(|next| next > time));
        assert!(recording.world_at(time).len() < 100);
    }
    for topic in recording.topics() {
        for entry in &topic.entries {
            let mut json = Vec::new();
            // What is damaged is no message.
            drop(recording.bytes(entry).map(|bytes| topic.plan.encode(&bytes, &mut json)));
        }
    }
}

#[test]
fn everything_is_found_by_its_time() {
    let (recording, _folder) = opened(&recorded());
    let recording = recording.expect("a recording");
    assert_eq!(recording.times(), (0, 495 * MS));
    let contents = recording.contents();
    assert_eq!((contents.messages, contents.topics), (102, 4));
    assert!(contents.has_scene && contents.problems.is_empty(), "{contents:?}");
    assert_eq!(recording.world_at(0), "yard");
    assert_eq!(recording.scene_at(3).expect("a scene").nodes.len(), 2);
    assert_eq!(&*recording.asset("abc").expect("a file").content, [1, 2, 3]);
    assert!(recording.asset("abd").is_none() && recording.topic("/other").is_none());
    let numbers = recording.topic("/number").expect("a topic");
    assert!(numbers.newest_at(4 * MS).is_none());
    let newest = numbers.newest_at(205 * MS).expect("a message");
    assert_eq!((newest.step, newest.stamp_ns, newest.sequence), (205, 205_000_000, 7));
    assert_eq!(recording.message::<Float64>(newest).map(|number| number.data), Some(20.0));
    assert_eq!(numbers.between(100 * MS, 200 * MS).len(), 10);
    assert_eq!(recording.next_after(200 * MS), Some(205 * MS));
    assert_eq!(recording.next_after(495 * MS), None);
}

#[test]
fn poses_are_those_of_the_time_whatever_was_read_before() {
    let (recording, _folder) = opened(&recorded());
    let recording = recording.expect("a recording");
    let mut poses = Poses::default();
    let mut at = |number: u64| {
        let block = poses.at(&recording, number * 10 * MS + 1).expect("poses");
        assert_eq!((block.revision, block.moment.step), (4, number * 10));
        block.poses().map(|pose| pose[0]).collect::<Vec<f64>>()
    };
    for number in (0..COUNT).chain([49, 3, 48, 0, 25, 24, 26, 11, 10, 9]) {
        assert_eq!(at(number), places(number), "{number}");
    }
    let (empty, _folder) = opened(&{
        let mut tape = Tape::begin();
        tape.write("/number", 1, &Float64 { data: 1.0 });
        tape.end()
    });
    let empty = empty.expect("a recording");
    assert!(Poses::default().at(&empty, u64::MAX).is_none() && !empty.contents().has_scene);
}

#[test]
fn a_file_that_ends_anywhere_shows_what_is_before() {
    let whole = recorded();
    let mut last = 0;
    for length in (0..whole.len()).step_by(37) {
        let (found, _folder) = opened(&whole[..length]);
        match found {
            Ok(recording) => {
                use_all(&recording);
                let messages = recording.contents().messages;
                assert!(messages >= last, "{messages} messages in {length} bytes");
                last = messages;
            }
            Err(RecordingError::NotMcap { found, .. }) => assert!(length < 8, "{found}"),
            Err(RecordingError::Empty { .. }) => assert_eq!(last, 0),
            Err(error @ RecordingError::Unreadable { .. }) => panic!("{error}"),
        }
    }
    assert!(last > 90, "{last}");
    let (cut, _folder) = opened(&whole[..whole.len() / 2]);
    let problems = cut.expect("a recording").contents().problems;
    assert!(problems.iter().any(|problem| problem.contains("incomplete at byte")), "{problems:?}");
}

#[test]
fn other_files_are_refused_with_what_they_are() {
    let (found, _folder) = opened(b"{\"topic\":\"/clock\"}");
    let text = found.err().expect("an error").to_string();
    assert!(text.contains("BH-REC-002") && text.contains("{\\\"topic"), "{text}");
    let (found, _folder) = opened(b"");
    assert!(found.err().expect("an error").to_string().contains("it is empty"));
    let error = Recording::open(&std::env::temp_dir()).err().expect("an error").to_string();
    assert!(
        error.contains("BH-REC-001") && error.contains("it is a folder; only regular files are read"),
        "{error}"
    );
}

#[test]
fn a_compressed_chunk_is_named() {
    let mut bytes = recorded();
    // The name of the compression is after the head of the chunk and 28 bytes of its header.
    let chunk = (8..bytes.len()).find(|&at| bytes[at] == mcap::records::op::CHUNK).expect("a chunk");
    let at = chunk + 9 + 28;
    assert_eq!(bytes[at..at + 4], [0; 4], "no compression");
    bytes[at] = 4;
    bytes.splice(at + 4..at + 4, *b"zstd");
    let length = u64::from_le_bytes(bytes[chunk + 1..chunk + 9].try_into().expect("a length")) + 4;
    bytes[chunk + 1..chunk + 9].copy_from_slice(&length.to_le_bytes());
    let (found, _folder) = opened(&bytes);
    let text = found.err().expect("an error").to_string();
    assert!(text.contains("BH-REC-003") && text.contains("compressed with zstd"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_bytes_never_end_the_program(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)
    ) {
        let mut bytes = recorded();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let (Ok(recording), _folder) = opened(&bytes) {
            use_all(&recording);
        }
    }
}
