//! What happens if the disk refuses a file: the log waits, continues in a new part, or ends.

use std::io;

use super::{FileError, Sink, State};
use crate::connection::Limits;
use crate::part::Abandoned;
use crate::topic::Record;

impl State {
    /// Leaves the present part after an error of the disk.
    pub(super) fn fail(&mut self, error: &io::Error) {
        let Sink::Writing(part) = std::mem::replace(&mut self.sink, Sink::Finished) else { return };
        self.abandon(part.abandon(), error);
    }

    /// Waits for the disk, or gives up if the target is no file.
    fn abandon(&mut self, part: Abandoned, error: &io::Error) {
        let (sink, consequence) = if part.is_file() {
            let text = "it is complete up to the last flush, and the log continues in a new part when the disk \
                allows it";
            (Sink::Waiting(part), text)
        } else {
            self.lose(&part.records);
            (Sink::Broken, "further messages are counted as dropped and the run goes on")
        };
        let text = format!(
            "writing `{}` failed: {error}; {consequence}. Make room, or limit the log with max_size=",
            self.name
        );
        self.sink = sink;
        self.errors.push(FileError { code: "BH-BRG-114", text });
    }

    fn lose(&mut self, records: &[Record]) {
        records.iter().for_each(|record| self.loss.add_accepted(record.time.mark()));
    }

    /// Tries to continue in a new part, with the messages that are not in the one before.
    pub(super) fn resume(&mut self, needs_room: bool) {
        let (Sink::Waiting(last), Some(parts)) = (&mut self.sink, &mut self.parts) else { return };
        last.complete();
        let mut new = match parts.create(needs_room) {
            Ok(new) => new,
            Err(error) => return log::debug!("`{}` cannot continue yet: {error}", self.name),
        };
        let mut kept = last.records.iter();
        let written = kept.try_for_each(|record| {
            // Its type was checked when it was written first.
            new.part.prepare(record).map_err(|error| io::Error::other(error.to_string()))?;
            new.part.write(record)
        });
        if let Err(error) = written.and_then(|()| new.part.commit()) {
            parts.discard(new);
            return log::debug!("`{}` cannot continue yet: {error}", self.name);
        }
        self.earlier_bytes += last.size();
        let before = std::mem::replace(&mut self.name, new.path.display().to_string());
        self.sink = Sink::Writing(new.part);
        self.has_own_messages = true;
        self.report_loss(&before, &format!("continues in `{}`", new.path.display()));
    }

    fn report_loss(&mut self, name: &str, consequence: &str) {
        match self.loss.take_text() {
            Some(lost) => self.errors.push(FileError {
                code: "BH-BRG-117",
                text: format!("{lost} could not be written after `{name}` failed; the log {consequence}"),
            }),
            None => log::warn!("no message was lost after `{name}` failed; the log {consequence}"),
        }
    }

    /// Finishes the present part. If the disk refuses its end or is still full, tries one more part and counts what is
    /// lost.
    pub(super) fn finish(&mut self, limits: Limits) -> io::Result<()> {
        let finished = self.finish_part();
        if matches!(self.sink, Sink::Waiting(_)) {
            self.resume(false);
            self.write_ready(limits);
            // The error is in the list.
            drop(self.finish_part());
        }
        self.end_outage();
        finished
    }

    /// Finishes the present part, if there is one. An error that the log survives is not returned.
    fn finish_part(&mut self) -> io::Result<()> {
        if !matches!(self.sink, Sink::Writing(_)) {
            return Ok(());
        }
        let Sink::Writing(part) = std::mem::replace(&mut self.sink, Sink::Finished) else { return Ok(()) };
        let Err((error, part)) = part.finish() else { return Ok(()) };
        if !part.is_file() {
            self.lose(&part.records);
            return Err(error);
        }
        if part.records.is_empty() {
            // Only the index at the end is missing, which readers can do without.
            log::warn!("the end of `{}` has no index: {error}", self.name);
            return Ok(());
        }
        self.abandon(part, &error);
        Ok(())
    }

    /// Gives up a log that still waits for the disk.
    fn end_outage(&mut self) {
        if let Sink::Waiting(mut last) = std::mem::replace(&mut self.sink, Sink::Finished) {
            last.complete();
            self.lose(&last.records);
        }
        let waiting = self.merge.take_ready();
        self.lose(&waiting);
        if !self.loss.is_empty() {
            let name = self.name.clone();
            self.report_loss(&name, "ends there");
        }
    }
}
