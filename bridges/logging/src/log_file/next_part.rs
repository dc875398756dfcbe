//! What happens at `part_size`: the log continues in a new part, which begins with what is needed to read it alone.

use std::io;

use super::{Outcome, Sink, State};
use crate::connection::Limits;
use crate::topic::Record;

impl State {
    /// Returns the size that the present part must not exceed. It takes a message that is larger alone.
    pub(super) fn part_limit(&self, limits: Limits) -> u64 {
        match &self.sink {
            Sink::Writing(part) if part.is_file() && self.has_own_messages => {
                limits.part_size.unwrap_or(u64::MAX)
            }
            Sink::Writing(_) | Sink::Waiting(_) | Sink::Broken | Sink::Finished => u64::MAX,
        }
    }

    /// Finishes the present part, whose messages are all committed, and writes a message into the next one. If the disk
    /// refuses it, the log waits as after any error of the disk.
    pub(super) fn write_into_next_part(&mut self, record: Record, limits: Limits) -> Outcome {
        let Some(parts) = &mut self.parts else { return Outcome::Refused };
        let new = match parts.create(true) {
            Ok(new) => new,
            Err(error) => {
                self.fail(&error);
                return self.keep(record);
            }
        };
        let before = std::mem::replace(&mut self.sink, Sink::Writing(new.part));
        if let Sink::Writing(before) = before {
            self.earlier_bytes += before.size();
            if let Err((error, _)) = before.finish() {
                log::warn!("the end of `{}` has no index: {error}", self.name);
            }
        }
        self.name = new.path.display().to_string();
        log::debug!("the log continues in `{}`", self.name);
        self.has_own_messages = false;
        for copy in self.repeated.at(&record.time) {
            if let Err(error) = self.write_copy(&copy) {
                self.fail(&error);
                return self.keep(record);
            }
        }
        self.write(record, limits)
    }

    fn write_copy(&mut self, copy: &Record) -> io::Result<()> {
        let Sink::Writing(part) = &mut self.sink else { return Ok(()) };
        // Its type was checked when it was written first.
        part.prepare(copy).map_err(|error| io::Error::other(error.to_string()))?;
        part.write(copy)
    }
}
