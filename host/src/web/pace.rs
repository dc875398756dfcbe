//! When the next message of a subscription with a rate is due. Thread of the server.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::endpoint::Endpoint;

/// When the next message is due.
pub(super) struct Pace {
    pub(super) period: Duration,
    pub(super) due: Instant,
    /// True if its content is asked for when it is due; otherwise messages are in the mailbox.
    pub(super) is_polled: bool,
    /// The service to poll.
    pub(super) service: Option<Arc<Endpoint>>,
}

impl Pace {
    /// Postpones the next message by the whole periods between two instants.
    pub(super) fn postpone(&mut self, from: Instant, to: Instant) {
        self.due += self.period * whole(to.saturating_duration_since(from), self.period);
    }

    /// Leaves out the messages that are late by more than a period; returns their number.
    pub(super) fn skip(&mut self, now: Instant) -> u32 {
        let skipped = whole(now.saturating_duration_since(self.due), self.period);
        self.due += self.period * skipped;
        skipped
    }
}

/// Returns how many whole periods a time has.
fn whole(time: Duration, period: Duration) -> u32 {
    u32::try_from(time.as_nanos() / period.as_nanos().max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_millis(20);

    /// A client that gets messages, at times in milliseconds since its subscription.
    struct Client {
        pace: Pace,
        begin: Instant,
        lost: u32,
    }

    impl Client {
        fn new() -> Self {
            let begin = Instant::now();
            Client {
                pace: Pace { period: PERIOD, due: begin, is_polled: true, service: None },
                begin,
                lost: 0,
            }
        }

        fn at(&self, millis: u64) -> Instant {
            self.begin + Duration::from_millis(millis)
        }

        /// The run is asked for a message, answers after some time, and the client reads the message after some more.
        fn get(&mut self, asked: u64, answered: u64, read: u64) {
            let [asked, answered, read] = [asked, answered, read].map(|millis| self.at(millis));
            self.pace.postpone(asked, answered);
            self.pace.due += PERIOD;
            self.lost += self.pace.skip(read);
        }

        fn due(&self) -> u64 {
            u64::try_from((self.pace.due - self.begin).as_millis()).expect("a short time")
        }
    }

    #[test]
    fn a_client_that_reads_at_once_gets_every_message_on_time() {
        let mut client = Client::new();
        (0..50).for_each(|number| client.get(20 * number, 20 * number + 3, 20 * number + 4));
        assert_eq!((client.lost, client.due()), (0, 1000));
    }

    #[test]
    fn a_run_that_answers_late_loses_nothing() {
        let mut client = Client::new();
        client.get(0, 70, 71);
        assert_eq!((client.lost, client.due()), (0, 80));
        client.get(80, 380, 381);
        assert_eq!((client.lost, client.due()), (0, 400));
    }

    #[test]
    fn a_client_at_half_speed_loses_every_second_message() {
        let mut client = Client::new();
        let mut received = 0;
        let mut now = 0;
        while now < 4000 {
            let asked = now.max(client.due());
            client.get(asked, asked + 1, asked + 40);
            (received, now) = (received + 1, asked + 40);
        }
        assert!(
            (received + client.lost).abs_diff(200) <= 1 && client.lost.abs_diff(100) <= 1,
            "{}",
            client.lost
        );
    }
}
