//! The control plane: everything that may be asked of a running host from outside, in one table.
//!
//! The services are declared in `plugin-api/messages/proto`; [`table`] joins each declaration with what serves it.
//! Whoever brings calls in, the web server, a bridge, the command line, finds them as services of the bus, so that all
//! of them behave alike. A call is served in one of two ways:
//!
//! - A reader gets a [`View`], the snapshot of the last complete step. It is made once for all readers of a step, and
//!   only when somebody reads; readers run on a thread of their own, so the step does not wait for them.
//! - Everything else runs on the simulation thread between two steps, and may answer later: when the steps are done,
//!   when the world is loaded.
//!
//! Answers may come late and in any order; each call has its own.

mod attend;
mod bridges;
mod call;
mod desk;
mod entities;
mod ere;
mod event;
mod features;
mod filter;
mod lifecycle;
mod offer;
mod pending;
mod read;
mod result;
mod session;
mod spawn;
mod state;
mod states;
mod statistics;
mod steps;
mod table;
mod tap;
mod topics;
mod triggers;
mod view;
mod worlds;

pub use attend::Control;
pub use call::Reply;
pub use desk::{Desk, Offered};
pub use event::{Event, Listener};
pub use offer::OfferError;
pub use table::{Entry, entries};
pub use tap::Tap;
pub use view::{EntityView, Named, Roster, View};
