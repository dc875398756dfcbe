//! A disk that fills and empties while a log is written: every file is complete, and every message is in one of the
//! files or counted as lost.

use std::io::Read;
use std::str::FromStr;

use bridgehead_plugin_api::messages::sensor_msgs::LaserScan;
use flate2::read::GzDecoder;

use super::*;
use crate::small_disk::SmallDisk;
use crate::test_support::{record_of, topic_of};

/// Targets of all formats.
const NAMES: [&str; 5] = ["run.mcap", "run.jsonl", "run.jsonl.gz", "run.txt", "run.txt.gz"];

/// A message of about 3 KiB that does not compress well.
fn scan(step: u64) -> LaserScan {
    let mut state = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let ranges = (0..700).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32
    });
    LaserScan { ranges: ranges.collect(), ..LaserScan::default() }
}

/// Writes messages on a topic and counts what became of them.
struct Writer {
    member: Member,
    topic: Arc<crate::topic::Topic>,
    step: u64,
    refused: u64,
    now: Duration,
}

impl Writer {
    fn new(member: Member) -> Self {
        let topic = topic_of::<LaserScan>("car1", "scan");
        Writer { member, topic, step: 0, refused: 0, now: Duration::ZERO }
    }

    /// Writes `count` messages, with a flush after every fourth one.
    fn write(&mut self, count: u64) {
        for _ in 0..count {
            self.step += 1;
            let record = record_of(&self.topic, 0, self.step, &scan(self.step));
            self.refused += u64::from(self.member.take(record) == Outcome::Refused);
            if self.step.is_multiple_of(4) {
                self.now += FLUSH_INTERVAL;
                self.member.flush_if_due(self.now);
            }
        }
    }
}

/// Returns the number of messages in a file, which must be complete.
fn count(path: &Path) -> u64 {
    let bytes = std::fs::read(path).unwrap();
    let name = path.display().to_string();
    if name.ends_with(".mcap") {
        assert!(bytes.ends_with(b"\x89MCAP0\r\n"), "{name} has its end");
        let messages = ::mcap::MessageStream::new(&bytes).unwrap();
        return messages.collect::<Result<Vec<_>, _>>().expect(&name).len() as u64;
    }
    let mut text = String::new();
    if name.ends_with(".gz") {
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect(&name);
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    assert!(text.is_empty() || text.ends_with('\n'), "{name} ends with a whole line");
    let lines = text.lines().count() as u64;
    if name.contains(".txt") { lines / 2 } else { lines }
}

/// Returns the number at the begin of each report of a loss.
fn lost(errors: &[FileError]) -> u64 {
    let losses = errors.iter().filter(|error| error.code == "BH-BRG-117");
    losses.map(|error| error.text.split(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn every_message_is_in_a_complete_file_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 6 << 10, "") else { return };
    for name in NAMES {
        for options in ["", ";overwrite=true"] {
            let connection =
                Connection::from_str(&format!("{}{options}", disk.path(name).display())).unwrap();
            let member = registry::open(&connection, &Origin::User, StepMark::default()).unwrap();
            let mut writer = Writer::new(member);
            for _ in 0..3 {
                writer.write(50);
                disk.fill();
                writer.write(100);
                assert!(!writer.member.is_broken(), "{name}: the host does not reconnect");
                for part in disk.parts("run") {
                    count(&part);
                }
                disk.free();
            }
            writer.write(50);
            writer.member.end();
            registry::close(&writer.member).unwrap();

            let errors = writer.member.take_errors();
            let parts = disk.parts("run");
            let written: u64 = parts.iter().map(|part| count(part)).sum();
            assert_eq!(parts.len(), 4, "{name}{options}: {errors:?}");
            assert!(parts.iter().all(|part| count(part) >= 40), "{name}");
            assert_eq!(written + lost(&errors), writer.step, "{name}{options}: {errors:?}");
            assert_eq!(lost(&errors), writer.refused + writer.member.take_lost(), "{name}{options}");
            assert!(lost(&errors) > 100, "{name}: the disk was full");
            assert_eq!(errors.len(), 6, "{name}: {errors:?}");
            parts.iter().for_each(|part| std::fs::remove_file(part).unwrap());
        }
    }
}

#[test]
fn a_disk_that_stays_full_costs_what_is_not_written_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 2 << 10, "") else { return };
    for name in NAMES {
        let connection = Connection::from_str(&disk.path(name).display().to_string()).unwrap();
        let member = registry::open(&connection, &Origin::User, StepMark::default()).unwrap();
        let mut writer = Writer::new(member);
        writer.write(50);
        disk.fill();
        writer.write(50);
        writer.member.end();
        registry::close(&writer.member).unwrap();
        let errors = writer.member.take_errors();
        assert!(errors.last().unwrap().text.ends_with("the log ends there"), "{name}: {errors:?}");
        assert_eq!(disk.parts("run"), [disk.path(name)], "{name}");
        assert_eq!(count(&disk.path(name)) + lost(&errors), 100, "{name}: {errors:?}");
        assert!(count(&disk.path(name)) >= 48, "{name}");
        std::fs::remove_file(disk.path(name)).unwrap();
        disk.free();
    }
}

#[test]
fn the_limit_is_for_all_parts_together() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 4 << 10, "") else { return };
    for name in NAMES {
        let connection = format!("{};max_size=600K", disk.path(name).display());
        let connection = Connection::from_str(&connection).unwrap();
        let member = registry::open(&connection, &Origin::User, StepMark::default()).unwrap();
        let mut writer = Writer::new(member);
        writer.write(60);
        disk.fill();
        writer.write(12);
        disk.free();
        writer.write(600);
        writer.member.end();
        registry::close(&writer.member).unwrap();
        let errors = writer.member.take_errors();
        assert_eq!(errors.last().unwrap().code, "BH-BRG-115", "{name}: {errors:?}");
        let parts = disk.parts("run");
        assert_eq!(parts.len(), 2, "{name}: {errors:?}");
        let size: u64 = parts.iter().map(|part| std::fs::metadata(part).unwrap().len()).sum();
        // The summary of an MCAP file is not included.
        assert!((400 << 10..625 << 10).contains(&size), "{name}: {size}");
        assert!(parts.iter().all(|part| count(part) > 0), "{name}");
        parts.iter().for_each(|part| std::fs::remove_file(part).unwrap());
    }
}
