//! Counts the messages that a log has lost, for its instances and for the user. Plain data.

use bridgehead_plugin_api::messages::StepMark;

/// Messages that were not written because the disk refused them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loss {
    /// Messages since the last report to the user.
    count: u64,
    first: StepMark,
    last: StepMark,
    /// Messages that were accepted and lost afterwards, which the host has counted as delivered.
    accepted: u64,
}

impl Loss {
    /// Counts a message that was refused, which the host counts as dropped.
    pub(crate) fn add_refused(&mut self, mark: StepMark) {
        if self.count == 0 {
            (self.first, self.last) = (mark, mark);
        }
        self.first = self.first.min(mark);
        self.last = self.last.max(mark);
        self.count += 1;
    }

    /// Counts a message that was accepted before.
    pub(crate) fn add_accepted(&mut self, mark: StepMark) {
        self.add_refused(mark);
        self.accepted += 1;
    }

    /// Counts a message that was accepted before, and that the file does not take: it is full, or the message is not of
    /// its type.
    pub(crate) fn add_unwanted(&mut self) {
        self.accepted += 1;
    }

    /// Returns true if nothing was lost since the last report to the user.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes the number of messages that were accepted and lost.
    pub(crate) fn take_accepted(&mut self) -> u64 {
        std::mem::take(&mut self.accepted)
    }

    /// Takes the description of the loss: `137 messages of the steps 120 to 250`; `None` if there is none.
    pub(crate) fn take_text(&mut self) -> Option<String> {
        let count = std::mem::take(&mut self.count);
        let messages = if count == 1 { "message" } else { "messages" };
        let (first, last) = (self.first.step, self.last.step);
        let steps = if self.first == self.last {
            format!("step {first}")
        } else {
            format!("the steps {first} to {last}")
        };
        (count > 0).then(|| format!("{count} {messages} of {steps}"))
    }
}
