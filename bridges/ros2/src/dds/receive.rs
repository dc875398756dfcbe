//! The thread of a participant: it hands samples to handlers, takes in events of discovery and publishes the graph.
//!
//! It sleeps until it is signalled; `rustdds` signals through wakers.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_core::Stream;
use rustdds::{DomainParticipantStatusEvent as Event, DomainParticipantStatusListener, StatusEvented};

use super::participant::Core;
use crate::wall;

/// How long changes of the graph are gathered: endpoints come in crowds.
const GATHER: Duration = Duration::from_millis(20);

/// What the thread is to do.
pub(super) enum Signal {
    /// Samples have come in.
    Samples(Weak<dyn Source>),
    /// Discovery has news.
    Discovery,
    /// An endpoint of ours has come or gone.
    Graph,
    /// The participant ends.
    Stop,
}

/// Where samples come in.
pub(super) trait Source: Send + Sync {
    /// Hands over everything there is and asks to be woken by what comes next.
    fn drain(self: Arc<Self>);
}

/// Sends a signal when `rustdds` wakes it.
struct SignalWaker {
    signals: Mutex<Sender<Signal>>,
    source: Option<Weak<dyn Source>>,
}

impl Wake for SignalWaker {
    fn wake(self: Arc<Self>) {
        let signal = match &self.source {
            Some(source) => Signal::Samples(Weak::clone(source)),
            None => Signal::Discovery,
        };
        // Nobody listens any more once the participant has ended.
        drop(crate::lock::lock(&self.signals).send(signal));
    }
}

/// A waker that signals samples of `source`, or news of discovery where there is none.
pub(super) fn waker(signals: &Sender<Signal>, source: Option<Weak<dyn Source>>) -> Waker {
    Waker::from(Arc::new(SignalWaker { signals: Mutex::new(signals.clone()), source }))
}

/// Runs until [`Signal::Stop`].
pub(super) fn run(core: &Core, signals: &Receiver<Signal>) {
    let listener = core.dds.status_listener();
    take_events(core, &listener);
    while let Ok(signal) = next(core, signals) {
        match signal {
            Signal::Samples(source) => {
                if let Some(source) = source.upgrade() {
                    source.drain();
                }
            }
            Signal::Discovery => take_events(core, &listener),
            Signal::Graph => {
                if !publish_graph(core, &listener, signals) {
                    return;
                }
            }
            Signal::Stop => return,
        }
    }
}

/// The next signal. Writers that are to be asked something meanwhile are.
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

/// Waits for further changes, serving everything else meanwhile, and publishes once. False when told to stop.
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
                // Under a stream of samples there is never silence.
                break;
            }
            Signal::Discovery => take_events(core, listener),
            Signal::Graph => {}
            Signal::Stop => return false,
        }
    }
    core.graph.publish();
    true
}

/// Takes in all events there are and asks to be woken by the next.
fn take_events(core: &Core, listener: &DomainParticipantStatusListener) {
    let waker = waker(&core.signals(), None);
    let mut context = Context::from_waker(&waker);
    let mut events = listener.as_async_status_stream();
    while let Poll::Ready(Some(event)) = std::pin::Pin::new(&mut events).poll_next(&mut context) {
        core.peers.take(&event);
        if let Event::RemoteWriterMatched { local_reader, remote_writer } = event {
            core.resend_requests.plan(remote_writer.into(), local_reader.into());
        }
    }
}
