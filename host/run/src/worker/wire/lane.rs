//! The sockets of a worker, and on which of them each request may come.

use super::model::ModelRequest;
use super::protocol::Request;

/// A socket of a worker. Also the number of the slot in shared memory for payloads that the worker sends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worker) enum Lane {
    /// Lifecycle calls.
    Main,
    /// The transmit loop.
    Transmit,
    /// The receive loop.
    Receive,
    /// Requests of all other threads of the plugin.
    Others,
}

impl Lane {
    /// All lanes, in the order of their numbers.
    pub(in crate::worker) const ALL: [Lane; 4] = [Lane::Main, Lane::Transmit, Lane::Receive, Lane::Others];

    pub(in crate::worker) const fn number(self) -> usize {
        self as usize
    }
}

impl Request<'_> {
    /// Returns the only lane on which this request is answered; `None` if there is no such restriction, or if the function
    /// of the host checks its thread by itself.
    ///
    /// These requests use what belongs to a call that is running on that lane: the registrar, the writer of a state, the
    /// contexts of the loops. On another lane, another thread of the host would use it at the same time.
    pub(in crate::worker) const fn lane(&self) -> Option<Lane> {
        match self {
            Request::AddType { .. } | Request::AddCreator { .. } => Some(Lane::Main),
            Request::Next { .. } | Request::Reject | Request::Pending => Some(Lane::Transmit),
            Request::Wait { .. } => Some(Lane::Receive),
            Request::Model(request) => request.lane(),
            Request::Host { .. }
            | Request::Explain { .. }
            | Request::ShouldStop
            | Request::Status(_)
            | Request::TxInterrupted
            | Request::Interrupted
            | Request::RxInterrupted
            | Request::Deliver { .. }
            | Request::CallService { .. } => None,
        }
    }
}

impl ModelRequest<'_> {
    const fn lane(&self) -> Option<Lane> {
        match self {
            ModelRequest::Write { .. } | ModelRequest::SampleTimes { .. } => Some(Lane::Main),
            ModelRequest::Advertise { .. }
            | ModelRequest::Subscribe { .. }
            | ModelRequest::Offer { .. }
            | ModelRequest::Listeners { .. }
            | ModelRequest::Publish { .. }
            | ModelRequest::Take { .. }
            | ModelRequest::TakeCall { .. }
            | ModelRequest::Reply { .. } => None,
        }
    }
}
