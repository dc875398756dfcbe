//! The files that a run writes by itself: state hashes and received commands.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::io::{Seek, Write};
use std::path::Path;

use bridgehead_plugin_api::messages::{RecordTime, RecordWriter};

use super::error::SimError;
use crate::bus::{Delivery, Moment, Topic};
use crate::config::RunConfig;

/// Bytes that are collected before they are written.
const BATCH_BYTES: usize = 64 << 10;

/// Open output files. The first write error of a file closes it and is reported once.
#[derive(Default)]
pub(super) struct RunFiles {
    hash_log: Option<LineFile>,
    commands: Option<Commands>,
}

/// A file of lines. If the disk is full, it ends with a whole line.
struct LineFile {
    file: File,
    /// Whole lines that are not written yet.
    waiting: Vec<u8>,
}

impl LineFile {
    fn new(file: File) -> Self {
        LineFile { file, waiting: Vec::new() }
    }

    /// Writes the lines that were added to `waiting`, once they are many.
    fn write_batch(&mut self) -> io::Result<()> {
        if self.waiting.len() < BATCH_BYTES { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // Standard output and pipes have no position, and what was written to them stays.
        let before = self.file.stream_position();
        let written = self.file.write_all(&self.waiting);
        if let (Err(_), Ok(end)) = (&written, before) {
            self.cut(end);
        }
        self.waiting.clear();
        written
    }

    /// Shortens the file to the last whole line after `end` that was written.
    fn cut(&mut self, end: u64) {
        let Ok(now) = self.file.stream_position() else { return };
        let fits = usize::try_from(now.saturating_sub(end)).unwrap_or_default();
        let whole = self.waiting.get(..fits).and_then(|part| part.iter().rposition(|byte| *byte == b'\n'));
        let kept = whole.map_or(0, |at| at as u64 + 1);
        // If even this fails, the disk takes no change at all.
        drop(self.file.set_len(end + kept));
    }
}

impl Drop for LineFile {
    fn drop(&mut self) {
        // Only a run that ends without `flush` still has lines here.
        drop(self.flush());
    }
}

struct Commands {
    file: LineFile,
    writers: HashMap<u32, RecordWriter>,
    line: Vec<u8>,
}

impl RunFiles {
    /// Creates the configured files.
    pub(super) fn open(config: &RunConfig) -> Result<Self, SimError> {
        Ok(RunFiles {
            hash_log: config.hash_log.as_deref().map(create).transpose()?,
            commands: config
                .record_commands
                .as_deref()
                .map(|path| {
                    create(path).map(|file| Commands { file, writers: HashMap::new(), line: Vec::new() })
                })
                .transpose()?,
        })
    }

    /// Returns true if state hashes are written.
    pub(super) fn wants_hash(&self) -> bool {
        self.hash_log.is_some()
    }

    /// Returns true if commands are recorded.
    pub(super) fn records_commands(&self) -> bool {
        self.commands.is_some()
    }

    /// Writes `step time_ns hash`. Returns an error once.
    pub(super) fn write_hash(&mut self, now: Moment, hash: u64) -> Option<String> {
        let file = self.hash_log.as_mut()?;
        let written = writeln!(file.waiting, "{} {} {hash:016x}", now.step, now.time_ns);
        written.and_then(|()| file.write_batch()).err().map(|error| {
            self.hash_log = None;
            format!("[BH-SIM-203] the hash log is closed, because it cannot be written: {error}")
        })
    }

    /// Writes a received message. Returns an error once.
    pub(super) fn write_command(&mut self, topic: &Topic, delivery: &Delivery) -> Option<String> {
        let commands = self.commands.as_mut()?;
        let writer = commands
            .writers
            .entry(topic.id)
            .or_insert_with(|| RecordWriter::new(&topic.vehicle, &topic.name, &topic.data_type.message));
        let time = RecordTime {
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            epoch: delivery.reset_epoch,
        };
        commands.line.clear();
        if let Err(error) = writer.write(&time, &delivery.payload, &mut commands.line) {
            return Some(format!("[BH-SIM-204] a command on {} cannot be recorded: {error}", topic.name));
        }
        commands.file.waiting.extend_from_slice(&commands.line);
        commands.file.write_batch().err().map(|error| {
            self.commands = None;
            format!("[BH-SIM-203] the command file is closed, because it cannot be written: {error}")
        })
    }

    /// Writes the buffers.
    pub(super) fn flush(&mut self) -> Vec<String> {
        let mut failed = Vec::new();
        if let Some(Err(error)) = self.hash_log.as_mut().map(LineFile::flush) {
            self.hash_log = None;
            failed.push(error);
        }
        if let Some(Err(error)) = self.commands.as_mut().map(|commands| commands.file.flush()) {
            self.commands = None;
            failed.push(error);
        }
        let text = |error| format!("[BH-SIM-203] an output file cannot be written: {error}");
        failed.into_iter().map(text).collect()
    }
}

fn create(path: &Path) -> Result<LineFile, SimError> {
    let refuse =
        |error: io::Error| SimError::File { path: path.display().to_string(), reason: error.to_string() };
    File::create(path).map(LineFile::new).map_err(refuse)
}
