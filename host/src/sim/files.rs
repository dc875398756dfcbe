//! The files that a run writes by itself: state hashes and received commands.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bridgehead_plugin_api::messages::{RecordTime, RecordWriter};

use super::SimError;
use crate::bus::{Delivery, Moment, Topic};
use crate::config::RunConfig;

/// Open output files. The first write error of a file closes it and is reported once.
#[derive(Default)]
pub(super) struct RunFiles {
    hash_log: Option<BufWriter<File>>,
    commands: Option<Commands>,
}

struct Commands {
    file: BufWriter<File>,
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
        let written = writeln!(file, "{} {} {hash:016x}", now.step, now.time_ns);
        written.err().map(|error| {
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
        commands.file.write_all(&commands.line).err().map(|error| {
            self.commands = None;
            format!("[BH-SIM-203] the command file is closed, because it cannot be written: {error}")
        })
    }

    /// Writes the buffers.
    pub(super) fn flush(&mut self) -> Vec<String> {
        let files = [self.hash_log.as_mut(), self.commands.as_mut().map(|commands| &mut commands.file)];
        let failed = files.into_iter().flatten().filter_map(|file| file.flush().err());
        failed.map(|error| format!("[BH-SIM-203] an output file cannot be written: {error}")).collect()
    }
}

fn create(path: &Path) -> Result<BufWriter<File>, SimError> {
    let refuse = |error: std::io::Error| SimError::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    File::create(path).map(BufWriter::new).map_err(refuse)
}
