//! Parts of MCAP on a real disk: what readers find at any time, and how large the index becomes.

use std::fs::File;
use std::path::{Path, PathBuf};

use bridgehead_plugin_api::messages::std_msgs::Float64MultiArray;
use flate2::Crc;
use mcap::read::Options;
use mcap::{MessageStream, Summary};
use tempfile::TempDir;

use super::*;
use crate::test_support::{record_of, topic_of};

/// Messages of two kilobytes, which fill three chunks and a part of a fourth one.
const MESSAGES: u64 = 1400;
/// Bytes of the record "Data End (op=0x0F)": opcode, length and checksum.
const DATA_END: usize = 1 + 8 + 4;

fn part(path: &Path) -> Part {
    let file = File::options().read(true).write(true).create_new(true).open(path).expect("a new file");
    Part::begin(Format::Mcap, Disk::of_file(file)).expect("a part")
}

/// A folder and the path of a file in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.mcap");
    (folder, path)
}

/// Writes messages, and calls `each` after each with its number.
fn write(part: &mut Part, mut each: impl FnMut(&mut Part, u64)) {
    let topic = topic_of::<Float64MultiArray>("car1", "values");
    for number in 0..MESSAGES {
        let message = Float64MultiArray { data: vec![0.5; 256], ..Default::default() };
        let record = record_of(&topic, 0, number, &message);
        part.prepare(&record).expect("valid");
        part.write(&record).expect("written");
        each(part, number);
    }
}

/// Returns the number of messages that a reader finds, as many as are complete.
fn readable(bytes: &[u8]) -> u64 {
    let options = Options::IgnoreEndMagic | Options::ValidateChunkCrcs;
    let messages = MessageStream::new_with_options(bytes, options).expect("a reader");
    messages.take_while(Result::is_ok).count() as u64
}

/// Returns the number of messages in a complete file, whose checksums must be right.
fn count(bytes: &[u8]) -> u64 {
    let messages = MessageStream::new_with_options(bytes, Options::ValidateChunkCrcs.into());
    messages.expect("complete").inspect(|message| assert!(message.is_ok(), "{message:?}")).count() as u64
}

/// Checks the checksum in the record before the summary.
#[track_caller]
fn expect_checksum(bytes: &[u8]) {
    let summary = usize::try_from(mcap::read::footer(bytes).expect("a footer").summary_start).expect("small");
    let (data, record) = bytes[..summary].split_at(summary - DATA_END);
    let mut crc = Crc::new();
    crc.update(data);
    assert_eq!(record[record.len() - 4..], crc.sum().to_le_bytes());
}

#[test]
fn a_killed_process_leaves_all_messages_that_are_on_the_disk() {
    let (_folder, path) = place();
    let mut part = part(&path);
    write(&mut part, |part, number| {
        if number % 100 == 0 {
            part.commit().expect("committed");
        } else {
            // As if the process ended before the header of a chunk is corrected.
            part.write_batch().expect("written");
        }
        let bytes = std::fs::read(&path).expect("read");
        assert_eq!(readable(&bytes), number + 1);
    });
}

#[test]
fn a_failing_disk_leaves_a_file_with_all_committed_messages() {
    for last in [100, 800] {
        let (_folder, path) = place();
        let mut part = part(&path);
        write(&mut part, |part, number| {
            if number == last {
                part.commit().expect("committed");
                part.output.take_into(&mut Vec::new());
            }
        });
        let committed = MESSAGES - part.uncommitted.len() as u64;
        let abandoned = part.abandon();
        assert!(abandoned.is_ended);
        let bytes = std::fs::read(&path).expect("read");
        assert_eq!(count(&bytes), committed);
    }
}

#[test]
fn chunks_have_their_full_size_and_their_index_finds_each_message() {
    let (_folder, path) = place();
    let mut part = part(&path);
    write(&mut part, |part, _| part.commit().expect("committed"));
    assert!(part.finish().is_ok());
    let bytes = std::fs::read(&path).expect("read");
    assert_eq!(count(&bytes), MESSAGES);
    expect_checksum(&bytes);
    let summary = Summary::read(&bytes).expect("complete").expect("a summary");
    let sizes: Vec<u64> = summary.chunk_indexes.iter().map(|chunk| chunk.uncompressed_size >> 10).collect();
    assert!(sizes.len() == 4 && sizes[..3].iter().all(|size| (766..770).contains(size)), "{sizes:?} KiB");
    let found = summary.chunk_indexes.iter().flat_map(|chunk| {
        let indexes = summary.read_message_indexes(&bytes, chunk).expect("an index");
        let entries: Vec<_> = indexes.into_values().flatten().collect();
        let times = entries.into_iter().map(|entry| {
            let message = summary.seek_message(&bytes, chunk, &entry).expect("a message");
            assert_eq!(message.log_time, entry.log_time);
            message.log_time
        });
        times.collect::<Vec<_>>()
    });
    let found: Vec<u64> = found.collect();
    assert!(found.is_sorted());
    assert_eq!(found.len() as u64, MESSAGES);
}

#[test]
fn files_with_the_same_messages_are_equal_whenever_they_are_flushed() {
    let [first, second] = [1, 333].map(|interval| {
        let (_folder, path) = place();
        let mut part = part(&path);
        write(&mut part, |part, number| {
            if number % interval == 0 {
                part.commit().expect("committed");
            }
        });
        assert!(part.finish().is_ok());
        std::fs::read(&path).expect("read")
    });
    assert!(first == second);
}
