//! The thread of a participant: calls handlers, processes discovery events and publishes the graph.
//!
//! It sleeps until it is signalled; `rustdds` signals through wakers.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_core::Stream;
use rustdds::{DomainParticipantStatusEvent as Event, DomainParticipantStatusListener, StatusEvented};

use super::guard::matched;
use super::participant::Core;
use crate::wall;

/// How long changes of the graph are collected, since endpoints often appear in groups.
const GATHER: Duration = Duration::from_millis(20);

/// Tasks of the thread.
pub(super) enum Signal {
    /// Samples have arrived.
    Samples(Weak<dyn SampleSource>),
    /// Discovery has events.
    Discovery,
    /// A local endpoint was added or removed.
    Graph,
    /// The participant ends.
    Stop,
}

/// A source of samples.
pub(super) trait SampleSource: Send + Sync {
    /// Hands over all samples and registers the waker for the next ones.
    fn drain(self: Arc<Self>);
}

/// Sends a signal when `rustdds` wakes it.
struct SignalWaker {
    signals: Mutex<Sender<Signal>>,
    source: Option<Weak<dyn SampleSource>>,
}

impl Wake for SignalWaker {
    fn wake(self: Arc<Self>) {
        let signal = match &self.source {
            Some(source) => Signal::Samples(Weak::clone(source)),
            None => Signal::Discovery,
        };
        // The receiver is gone once the participant has ended.
        drop(crate::lock::lock(&self.signals).send(signal));
    }
}

/// Returns a waker that signals samples of `source`, or discovery events if it is `None`.
pub(super) fn waker(signals: &Sender<Signal>, source: Option<Weak<dyn SampleSource>>) -> Waker {
    Waker::from(Arc::new(SignalWaker { signals: Mutex::new(signals.clone()), source }))
}

/// Runs until [`Signal::Stop`].
pub(super) fn run(core: &Core, signals: &Receiver<Signal>) {
    let listener = core.dds.status_listener();
    process_events(core, &listener);
    while let Ok(signal) = next(core, signals) {
        match signal {
            Signal::Samples(source) => {
                if let Some(source) = source.upgrade() {
                    source.drain();
                }
            }
            Signal::Discovery => process_events(core, &listener),
            Signal::Graph => {
                if !publish_graph(core, &listener, signals) {
                    return;
                }
            }
            Signal::Stop => return,
        }
    }
}

/// Returns the next signal; sends resend requests that become due meanwhile.
fn next(core: &Core, signals: &Receiver<Signal>) -> Result<Signal, RecvTimeoutError> {
    loop {
        let Some(when) = core.request_resends() else {
            return signals.recv().map_err(RecvTimeoutError::from);
        };
        match signals.recv_timeout(when.saturating_duration_since(wall::now())) {
            Err(RecvTimeoutError::Timeout) => {}
            signal => return signal,
        }
    }
}

/// Waits for further changes while it serves other signals, then publishes once. Returns false on [`Signal::Stop`].
fn publish_graph(
    core: &Core,
    listener: &DomainParticipantStatusListener,
    signals: &Receiver<Signal>,
) -> bool {
    while let Ok(signal) = signals.recv_timeout(GATHER) {
        match signal {
            Signal::Samples(source) => {
                if let Some(source) = source.upgrade() {
                    source.drain();
                }
                // With a steady stream of samples the time-out would never come.
                break;
            }
            Signal::Discovery => process_events(core, listener),
            Signal::Graph => {}
            Signal::Stop => return false,
        }
    }
    core.publish_graph();
    true
}

/// Processes all pending events and registers the waker for the next ones.
fn process_events(core: &Core, listener: &DomainParticipantStatusListener) {
    let waker = waker(&core.signals(), None);
    let mut context = Context::from_waker(&waker);
    let mut events = listener.as_async_status_stream();
    while let Poll::Ready(Some(event)) = std::pin::Pin::new(&mut events).poll_next(&mut context) {
        core.peers.process(&event);
        if let Event::RemoteWriterMatched { local_reader, remote_writer } = event {
            matched::note(local_reader.into(), remote_writer.into());
            core.resend_requests.plan(remote_writer.into(), local_reader.into());
        } else if has_departed(&event) {
            core.note_departure();
        }
    }
}

fn has_departed(event: &Event) -> bool {
    matches!(event, Event::ParticipantLost { .. } | Event::ReaderLost { .. } | Event::WriterLost { .. })
}
