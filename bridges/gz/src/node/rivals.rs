//! Other processes with topics or services of the same names. gz-transport allows them: subscribers receive both, and a
//! caller takes the service that it finds first. Mostly they are there by mistake, so each process is reported once.

use std::collections::BTreeSet;

/// Processes that are remembered: of more, none is reported any more.
const MAX_PROCESSES: usize = 256;

/// The processes that were reported.
#[derive(Debug, Default)]
pub(super) struct Rivals(BTreeSet<String>);

impl Rivals {
    /// Returns true if a process is to be reported: it is, from now on.
    pub(super) fn is_new(&mut self, process: &str) -> bool {
        self.0.len() < MAX_PROCESSES && self.0.insert(process.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_is_reported_once_and_not_without_end() {
        let mut rivals = Rivals::default();
        assert!(rivals.is_new("a") && !rivals.is_new("a") && rivals.is_new("b"));
        let reported = (0..10_000).filter(|number| rivals.is_new(&number.to_string())).count();
        assert_eq!(reported, MAX_PROCESSES - 2);
    }
}
