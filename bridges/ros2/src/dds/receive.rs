//! The thread of a participant: calls handlers, processes discovery events and publishes the graph.
//!
//! It sleeps until it is signalled ([`Signal`]).

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::serving::during;
use bridgehead_ros2_node::wall_clock;
use futures_core::Stream;
use rustdds::{DomainParticipantStatusEvent as Event, DomainParticipantStatusListener, StatusEvented};

use super::guard::matched;
use super::participant_state::ParticipantState;
use super::signal::Signal;

/// How long changes of the graph are collected, since endpoints often appear in groups.
const GATHER: Duration = Duration::from_millis(20);
/// Least time between two publications of the graph. A dead reader counts as alive for up to 20 s; its writer must have
/// room for all that is written until then ([`History::Newest`](super::qos::History::Newest)).
const INTERVAL: Duration = Duration::from_millis(100);
/// When a publication that failed is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// When the graph is published next.
#[derive(Default)]
struct Publication {
    due: Option<Instant>,
    last: Option<Instant>,
}

impl Publication {
    /// Plans one for a change.
    fn plan(&mut self, now: Instant) {
        let earliest = self.last.map_or(now, |last| last + INTERVAL);
        self.due.get_or_insert(earliest.max(now + GATHER));
    }

    /// Publishes if that is due.
    fn run(&mut self, now: Instant, publish: impl FnOnce() -> bool) {
        if self.due.is_some_and(|due| now >= due) {
            self.due = (!publish()).then(|| now + RETRY);
            self.last = Some(now);
        }
    }
}

/// Runs until [`Signal::Stop`].
pub(super) fn run(participant: &ParticipantState, signals: &Receiver<Signal>) {
    let listener = participant.raw.dds().status_listener();
    let mut publication = Publication::default();
    process_events(participant, &listener);
    while let Ok(signal) = next(participant, signals, &mut publication) {
        match signal {
            Signal::Samples(source) => {
                if let Some(source) = source.upgrade() {
                    during("the messages of a topic", None, || source.drain());
                }
            }
            Signal::Discovery => during("discovery", None, || process_events(participant, &listener)),
            Signal::Graph => publication.plan(wall_clock::now()),
            Signal::Stop => return,
        }
    }
}

/// Returns the next signal; publishes the graph and sends resend requests when they are due meanwhile.
fn next(
    participant: &ParticipantState,
    signals: &Receiver<Signal>,
    publication: &mut Publication,
) -> Result<Signal, RecvTimeoutError> {
    loop {
        publication.run(wall_clock::now(), || participant.publish_graph());
        let when = [participant.request_resends(), publication.due].into_iter().flatten().min();
        let Some(when) = when else {
            return signals.recv().map_err(RecvTimeoutError::from);
        };
        match signals.recv_timeout(when.saturating_duration_since(wall_clock::now())) {
            Err(RecvTimeoutError::Timeout) => {}
            signal => return signal,
        }
    }
}

/// Processes all pending events and registers the waker for the next ones.
fn process_events(participant: &ParticipantState, listener: &DomainParticipantStatusListener) {
    let waker = participant.signals.waker(None);
    let mut context = Context::from_waker(&waker);
    let mut events = listener.as_async_status_stream();
    while let Poll::Ready(Some(event)) = std::pin::Pin::new(&mut events).poll_next(&mut context) {
        participant.peers.process(&event);
        if let Event::RemoteWriterMatched { local_reader, remote_writer } = event {
            matched::note(local_reader.into(), remote_writer.into());
            participant.resend_requests.plan(remote_writer.into(), local_reader.into());
        } else if has_departed(&event) {
            participant.note_departure();
        }
    }
}

fn has_departed(event: &Event) -> bool {
    matches!(event, Event::ParticipantLost { .. } | Event::ReaderLost { .. } | Event::WriterLost { .. })
}

#[cfg(test)]
mod tests {
    use super::super::qos::NEWEST_WINDOW;
    use super::*;

    #[test]
    fn there_is_room_for_all_that_is_written_until_a_dead_reader_counts_as_gone() {
        let longest = Duration::from_secs(20);
        assert!(longest.div_duration_f64(INTERVAL) < f64::from(NEWEST_WINDOW));
    }

    #[test]
    fn changes_are_published_together_at_intervals_and_again_after_a_failure() {
        let mut publication = Publication::default();
        let started = wall_clock::now();
        let at = |ms: u64| started + Duration::from_millis(ms);
        let mut published = Vec::new();
        for ms in (0..500).step_by(2) {
            publication.plan(at(ms));
            publication.run(at(ms), || {
                published.push(ms);
                true
            });
        }
        assert_eq!(published, [20, 120, 220, 320, 420]);
        for is_published in [false, true] {
            publication.due = Some(started);
            publication.run(at(600), || is_published);
            assert_eq!(publication.due, (!is_published).then(|| at(600) + RETRY));
        }
    }
}
