//! One client of the server: what it has subscribed to, and what waits to be done for it.
//!
//! Requests are carried out on the server's thread. Responses of the run arrive on any thread; they are kept here and
//! encoded on the server's thread too.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_websocket::{Backlog, Frame, Link};

use crate::codes::LIMIT;
use crate::encode::encoder::object;
use crate::encode::fragment::Fragments;
use crate::encode::json::quoted;
use crate::fault::{Fault, Level};
use crate::hub::Hub;
use crate::lock::lock;
use crate::request::Splitter;
use crate::service::Call;
use crate::subscription::Subscription;

/// What may wait for a client before requests of other clients are refused: less than what disconnects it.
const MAX_PASSED: Backlog = Backlog { frames: 2000, bytes: 16 << 20 };

/// Something to do on the server's thread.
pub(crate) type Later = Box<dyn FnOnce(&Hub, &Arc<Client>) + Send>;

/// A topic that the client has announced, with an identifier and a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Advertised {
    pub(crate) id: Option<String>,
    pub(crate) kind: String,
}

/// One client.
pub(crate) struct Client {
    pub(crate) link: Link,
    level: Mutex<Level>,
    pub(crate) input: Mutex<Input>,
    pub(crate) subscriptions: Mutex<BTreeMap<String, Arc<Subscription>>>,
    pub(crate) advertised: Mutex<BTreeMap<String, Vec<Advertised>>>,
    /// Calls without a response, by their number.
    pub(crate) calls: Mutex<BTreeMap<u64, Call>>,
    later: Mutex<VecDeque<Later>>,
    /// Bytes of messages that wait until they are due.
    pub(crate) held: Arc<AtomicUsize>,
}

/// Incomplete input.
#[derive(Default)]
pub(crate) struct Input {
    pub(crate) splitter: Splitter,
    pub(crate) fragments: Fragments,
}

impl Client {
    pub(crate) fn new(link: &Link) -> Self {
        Client {
            link: link.clone(),
            level: Mutex::default(),
            input: Mutex::default(),
            subscriptions: Mutex::default(),
            advertised: Mutex::default(),
            calls: Mutex::default(),
            later: Mutex::default(),
            held: Arc::default(),
        }
    }

    pub(crate) fn set_level(&self, level: Level) {
        *lock(&self.level) = level;
    }

    /// Sends a status message if the client has requested its level.
    pub(crate) fn status(&self, level: Level, id: Option<&str>, text: &str) {
        if let Some(frame) = self.status_frame(level, id, text) {
            self.link.reply(frame);
        }
    }

    /// Returns a status message if the client has requested its level.
    pub(crate) fn status_frame(&self, level: Level, id: Option<&str>, text: &str) -> Option<Frame> {
        if *lock(&self.level) < level {
            return None;
        }
        let (name, text) = (quoted(level.name()), quoted(text));
        let mut members = vec![("op", "\"status\""), ("level", name.as_str()), ("msg", text.as_str())];
        let id = id.map(quoted);
        if let Some(id) = &id {
            members.insert(1, ("id", id));
        }
        Some(Frame::text(object(&members)))
    }

    /// Reports a failed request.
    pub(crate) fn fail(&self, id: Option<&str>, fault: &Fault) {
        self.status(Level::Error, id, &fault.to_string());
    }

    /// Passes a request of another client on.
    ///
    /// # Errors
    /// Returns an error if so much waits for this client already that further requests could have it disconnected.
    pub(crate) fn pass_on(&self, members: &[(&str, &str)]) -> Result<(), Fault> {
        let waiting = self.link.waiting();
        if waiting.frames >= MAX_PASSED.frames || waiting.bytes >= MAX_PASSED.bytes {
            return Err(Fault::new(LIMIT, "the client that offers it reads too slowly; try again later"));
        }
        self.link.reply(Frame::text(object(members)));
        Ok(())
    }

    /// Has something done on the server's thread.
    pub(crate) fn later(&self, work: Later) {
        lock(&self.later).push_back(work);
        self.link.wake();
    }

    /// Does what waits, and returns the time until something is due.
    pub(crate) fn poll(self: &Arc<Self>, hub: &Hub, now: Instant) -> Option<Duration> {
        loop {
            let work = lock(&self.later).pop_front();
            let Some(work) = work else { break };
            work(hub, self);
        }
        let subscriptions: Vec<Arc<Subscription>> = lock(&self.subscriptions).values().cloned().collect();
        let due = subscriptions.iter().filter_map(|subscription| subscription.poll(now));
        due.chain(crate::service::expire(self, now)).chain(hub.goals.expire(self, now)).min()
    }
}
