//! The last command and how long it holds. Times are simulated nanoseconds; pure, any thread.

use super::speed::Speed;
use crate::error::Result;
use crate::state::{StateReader, StateWriter};

/// The last command of the vehicle.
#[derive(Clone, Copy, Debug)]
pub struct HeldCommand {
    /// How long a command holds; `None` for until the next one.
    timeout_ns: Option<i64>,
    /// The command and when it came.
    latest: Option<(Speed, i64)>,
    has_refused: bool,
}

impl HeldCommand {
    /// No command yet.
    #[must_use]
    pub fn new(timeout_ns: Option<i64>) -> Self {
        HeldCommand { timeout_ns, latest: None, has_refused: false }
    }

    /// Keeps a command that came at `now_ns`.
    pub fn set(&mut self, speed: Speed, now_ns: i64) {
        self.latest = Some((speed, now_ns));
    }

    /// Forgets it.
    pub fn clear(&mut self) {
        self.latest = None;
    }

    /// Writes the last command.
    ///
    /// # Errors
    /// As [`StateWriter::put`].
    pub fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.latest)
    }

    /// Takes it back.
    ///
    /// # Errors
    /// As [`StateReader::take`].
    pub fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.latest = state.take()?;
        Ok(())
    }

    /// Notes that a command was refused, and says whether it was the first: worth a warning.
    pub fn refuse(&mut self) -> bool {
        !std::mem::replace(&mut self.has_refused, true)
    }

    /// The commanded speed at `now_ns`: zero without a command, or with one that is too old.
    #[must_use]
    pub fn at(&self, now_ns: i64) -> Speed {
        let Some((speed, since_ns)) = self.latest else {
            return Speed::ZERO;
        };
        let is_old = self.timeout_ns.is_some_and(|timeout| now_ns.saturating_sub(since_ns) > timeout);
        if is_old { Speed::ZERO } else { speed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORWARD: Speed = Speed { linear: 1.0, angular: 0.0 };

    #[test]
    fn a_command_holds_until_its_timeout() {
        let mut command = HeldCommand::new(Some(500));
        assert_eq!(command.at(0), Speed::ZERO);
        command.set(FORWARD, 100);
        assert_eq!(command.at(600), FORWARD);
        assert_eq!(command.at(601), Speed::ZERO);
        command.set(FORWARD, 700);
        assert_eq!(command.at(701), FORWARD);
    }

    #[test]
    fn without_a_timeout_a_command_holds_for_ever() {
        let mut command = HeldCommand::new(None);
        command.set(FORWARD, 0);
        assert_eq!(command.at(i64::MAX), FORWARD);
        command.clear();
        assert_eq!(command.at(i64::MAX), Speed::ZERO);
    }

    #[test]
    fn only_the_first_refusal_is_worth_a_warning() {
        let mut command = HeldCommand::new(None);
        assert!(command.refuse());
        assert!(!command.refuse());
    }
}
