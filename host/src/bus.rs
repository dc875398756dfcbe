//! The data path: message types, topics, and the queues between the simulation, plugins and bridges.
//!
//! A plugin publishes into its own [`Outbox`]; at the end of each phase the simulation thread takes the
//! outboxes in document order and the [`Router`] hands each message to the subscriptions and to the
//! transmit queues of the bridges, without copying the payload. What comes from peers waits in the
//! [`Inbox`] until the simulation latches it in, once per step.

mod buffer;
mod inbox;
mod kept;
mod outbox;
mod queue;
mod router;
mod service;
mod subscription;
mod topic;
mod totals;
mod types;

pub use buffer::{BufferPool, Lent};
pub use inbox::{Arrival, Inbox};
pub use kept::{Kept, KeptTopic};
pub use outbox::{Outbox, Outgoing, Publisher};
pub use queue::{Limits, Next, Overflow, Queued, TxQueue};
pub use router::{Delivery, Endpoint, EndpointCounters, Moment, Router};
pub use service::{Answer, Handler, PendingCall, ServicePoint, Services};
pub use subscription::Subscription;
pub use topic::{Bus, BusError, Qos, Role, Topic};
pub use totals::TopicReport;
pub use types::{RegisteredType, TypeError, TypeRegistry};
