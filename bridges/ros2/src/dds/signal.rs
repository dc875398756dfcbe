//! Tasks for the thread of a participant, and the wakers through which `rustdds` signals them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::task::{Wake, Waker};

/// A task of the thread.
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

/// Gives tasks to the thread of one participant. Usable from any thread.
#[derive(Clone)]
pub(super) struct Signals(Sender<Signal>);

impl Signals {
    /// Creates it with the end at which the thread receives.
    pub(super) fn new() -> (Self, Receiver<Signal>) {
        let (sender, received) = channel();
        (Signals(sender), received)
    }

    /// Gives the thread a task.
    pub(super) fn send(&self, signal: Signal) {
        // The receiver is gone once the participant has ended.
        drop(self.0.send(signal));
    }

    /// Returns a waker that signals samples of `source`, or discovery events if it is `None`.
    pub(super) fn waker(&self, source: Option<Weak<dyn SampleSource>>) -> Waker {
        Waker::from(Arc::new(SignalWaker { signals: self.clone(), source }))
    }
}

/// Sends a signal when `rustdds` wakes it.
struct SignalWaker {
    signals: Signals,
    source: Option<Weak<dyn SampleSource>>,
}

impl Wake for SignalWaker {
    fn wake(self: Arc<Self>) {
        self.signals.send(match &self.source {
            Some(source) => Signal::Samples(Weak::clone(source)),
            None => Signal::Discovery,
        });
    }
}
