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
    has_expired: bool,
}

impl HeldCommand {
    /// No command yet.
    #[must_use]
    pub fn new(timeout_ns: Option<i64>) -> Self {
        HeldCommand { timeout_ns, latest: None, has_refused: false, has_expired: false }
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

    /// Returns the line for the log if a command of motion no longer holds at `now_ns`, once per instance: a vehicle that
    /// stops without an obvious reason looks broken.
    pub fn expiry(&mut self, now_ns: i64) -> Option<String> {
        let is_new = !self.has_expired && self.latest.is_some_and(|(speed, _)| speed != Speed::ZERO);
        let timeout = self.timeout_ns.filter(|_| is_new && self.at(now_ns) == Speed::ZERO)?;
        self.has_expired = true;
        Some(expired_text(timeout))
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

/// Returns the line for the log about a command that no longer holds after this time.
#[must_use]
pub fn expired_text(timeout_ns: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a time for people")]
    let seconds = timeout_ns as f64 / 1e9;
    format!(
        "the last command is older than {seconds} s of simulated time, so the vehicle stops; publish it again, or set \
         `command_timeout` to 0 for commands that hold until the next one; later ones that expire are not logged"
    )
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
    fn without_a_timeout_a_command_holds_until_the_next_one() {
        let mut command = HeldCommand::new(None);
        command.set(FORWARD, 0);
        assert_eq!(command.at(i64::MAX), FORWARD);
        command.clear();
        assert_eq!(command.at(i64::MAX), Speed::ZERO);
    }

    #[test]
    fn the_first_command_that_expires_is_logged_unless_it_was_a_stop() {
        let mut command = HeldCommand::new(Some(500_000_000));
        command.set(Speed::ZERO, 0);
        assert_eq!(command.expiry(i64::MAX), None);
        command.set(FORWARD, 0);
        assert_eq!(command.expiry(500_000_000), None);
        let text = command.expiry(500_000_001).expect("a line");
        assert!(text.contains("older than 0.5 s"), "{text}");
        assert_eq!(command.expiry(500_000_002), None);
        let mut endless = HeldCommand::new(None);
        endless.set(FORWARD, 0);
        assert_eq!(endless.expiry(i64::MAX), None);
    }

    #[test]
    fn only_the_first_refusal_is_worth_a_warning() {
        let mut command = HeldCommand::new(None);
        assert!(command.refuse());
        assert!(!command.refuse());
    }
}
