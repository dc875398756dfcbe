//! The data path: message types, topics, and the queues between the simulation, plugins and bridges.
//!
//! A plugin publishes into its own [`Outbox`]; at the end of each phase the simulation thread takes the
//! outboxes in document order and the [`Router`] hands each message to the subscriptions and to the
//! transmit queues of the bridges, without copying the payload. Messages from peers wait in the [`Inbox`]
//! until the simulation takes them, once per step.

pub mod actions;
mod buffer;
mod inbox;
mod memory;
mod outbox;
mod queue;
mod router;
mod saved;
mod service;
mod subscription;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod topic;
mod totals;
mod types;

pub use buffer::{BufferPool, LoanedBuffer, give, kept, lend, lent};
pub use inbox::{Arrival, Inbox};
pub use outbox::{Outbox, Outgoing, Publisher};
pub use queue::{Drops, Limits, Next, Overflow, Queued, TxQueue};
pub use router::{Converter, Delivery, Endpoint, EndpointCounters, Moment, Router};
pub use saved::{SavedMessage, SavedTopic};
pub use service::{Answer, Handler, PendingCall, ServicePoint, Services};
pub use subscription::Subscription;
pub use topic::{Bus, BusError, Qos, Role, Topic};
pub use totals::TopicReport;
pub use types::{RegisteredType, TypeError, TypeRegistry};
