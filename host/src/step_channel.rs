//! The step channel: a Unix socket over which one client sends commands, runs steps and reads numbers, in one round trip.
//!
//! The simulation thread itself reads the socket, between two steps and while nothing runs, so that a step costs no switch
//! between threads of the host. `docs/step-channel.md` describes the bytes for clients.
//!
//! [`StepChannel`] owns the socket and the client; [`WithStepChannel`] joins it with another controller. Simulation thread
//! only.

mod act;
mod client;
mod connection;
mod declaration;
mod error;
mod listener;
mod observe;
mod pending;
mod topics;
mod wire;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub use error::OpenError;

use crate::api::{Bell, RequestInbox};
use crate::clock;
use crate::sim::{Controller, Simulation};
use client::{Client, Fate};
use connection::Connection;
use error::Refusal;
use listener::Listener;

/// How often the socket is looked at while the run does not wait for it.
const LOOK: Duration = Duration::from_millis(10);
/// How long a refused connection stays open, and how many of them.
const LINGER: Duration = Duration::from_secs(1);
const MAX_REFUSED: usize = 16;

/// The socket, and the client that is connected.
pub struct StepChannel {
    listener: Listener,
    client: Option<Client>,
    /// Connections that were refused, with the time at which they are closed: until then they can send their greeting,
    /// which would fail on a closed one before they have read why.
    refused: Vec<(Connection, Instant)>,
    bell: Arc<Bell>,
    /// Something came while the simulation waited: a connection, or bytes of the client.
    is_ready: Ready,
    /// When the socket is looked at next, if nothing runs that waits for it.
    look_at: Instant,
}

/// What is worth a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ready {
    listener: bool,
    client: bool,
}

impl Ready {
    const ALL: Ready = Ready { listener: true, client: true };
}

impl StepChannel {
    /// Opens the socket. It is removed when the channel is dropped.
    ///
    /// # Errors
    /// Returns an error if another host serves the socket, or if it cannot be created.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let listener = Listener::open(path)?;
        let of_system = |source| OpenError::System { path: path.to_owned(), source };
        let bell = Arc::new(Bell::new().map_err(of_system)?);
        log::info!("`{}` serves the step channel", path.display());
        let is_ready = Ready::default();
        let refused = Vec::new();
        Ok(StepChannel { listener, client: None, refused, bell, is_ready, look_at: clock::now() })
    }

    fn is_wanted(&self, simulation: &Simulation) -> bool {
        let has_work = |client: &Client| client.has_work(simulation);
        self.is_ready != Ready::default()
            || self.client.as_ref().is_some_and(has_work)
            || clock::now() >= self.look_at
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        let now = clock::now();
        if now >= self.look_at {
            self.is_ready = Ready::ALL;
            self.look_at = now + LOOK;
            self.refused.retain(|(_, until)| now < *until);
        }
        let is_ready = std::mem::take(&mut self.is_ready);
        self.serve_client(simulation, is_ready.client);
        if is_ready.listener {
            self.admit(simulation, now);
        }
    }

    /// Carries out what the client asks for, and lets it go if it has left.
    fn serve_client(&mut self, simulation: &mut Simulation, is_ready: bool) {
        let fate = self.client.as_mut().map(|client| client.serve(simulation, is_ready));
        if fate == Some(Fate::Gone)
            && let Some(client) = self.client.take()
        {
            client.leave(simulation);
        }
    }

    /// Takes new connections: one becomes the client, the others are told that there is one.
    fn admit(&mut self, simulation: &mut Simulation, now: Instant) {
        while let Some(mut connection) = self.listener.accept() {
            // The client may have left since it was looked at: whoever comes after it must not be refused.
            self.serve_client(simulation, true);
            let is_taken = self.client.as_mut().is_some_and(Client::holds_channel);
            if is_taken {
                connection.refuse(&Refusal::Taken);
                self.refused.truncate(MAX_REFUSED - 1);
                self.refused.push((connection, now + LINGER));
                continue;
            }
            let former = self.client.replace(Client::new(connection));
            former.into_iter().for_each(|former| former.leave(simulation));
            // Its first bytes may be there already.
            self.is_ready.client = true;
        }
    }

    /// Waits at most `time` for a request, a connection or the next bytes of the client.
    fn wait(&mut self, requests: &RequestInbox, time: Duration) {
        if self.is_ready != Ready::default() || self.client.as_ref().is_some_and(Client::has_frame) {
            return;
        }
        let (listener, client) = (&self.listener, self.client.as_ref());
        let mut is_ready = Ready::default();
        requests.wait_with(&self.bell, |bell| {
            let timeout = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
            let of_client = client.map_or(PollFlags::empty(), Client::awaited);
            let mut waited = [
                PollFd::new(bell, PollFlags::IN),
                PollFd::new(listener, PollFlags::IN),
                // Without a client, the listener again: an array of two would be another wait.
                match client {
                    Some(client) => PollFd::new(client, of_client),
                    None => PollFd::new(listener, PollFlags::IN),
                },
            ];
            let polled = poll(&mut waited, Some(&timeout));
            let [_, listener, client] = waited.map(|waited| !waited.revents().is_empty());
            // An error is an interruption by a signal, after which everything is looked at.
            is_ready = if polled.is_err() { Ready::ALL } else { Ready { listener, client } };
        });
        self.is_ready = is_ready;
    }
}

/// Any bytes as those of a client: its greeting, frames and declarations. Returns true if all of them are valid.
#[cfg(any(test, fuzzing, doc))]
pub(crate) fn is_valid(bytes: &[u8]) -> bool {
    let Some((greeting, mut rest)) = bytes.split_first_chunk() else { return false };
    if wire::check_greeting(greeting).is_err() {
        return false;
    }
    while let Some((head, behind)) = rest.split_first_chunk() {
        let Ok((kind, length)) = wire::header(head) else { return false };
        let Some((body, next)) = behind.split_at_checked(length) else { return false };
        match wire::request(kind, body) {
            Ok(wire::Request::Declare(text)) if declaration::parse(text).is_err() => return false,
            Ok(wire::Request::Step { values, .. }) => values.copy_to(&mut Vec::new()),
            Ok(_) => {}
            Err(_) => return false,
        }
        rest = next;
    }
    rest.is_empty()
}

/// Another controller, and the step channel beside it.
pub struct WithStepChannel<'a, C: Controller> {
    control: &'a mut C,
    channel: StepChannel,
    /// Which of the two has something to do.
    wanted: Cell<(bool, bool)>,
}

impl<'a, C: Controller> WithStepChannel<'a, C> {
    /// Joins both.
    pub fn new(control: &'a mut C, channel: StepChannel) -> Self {
        WithStepChannel { control, channel, wanted: Cell::default() }
    }
}

impl<C: Controller> Controller for WithStepChannel<'_, C> {
    fn is_wanted(&self, simulation: &Simulation) -> bool {
        let wanted = (self.control.is_wanted(simulation), self.channel.is_wanted(simulation));
        self.wanted.set(wanted);
        wanted.0 || wanted.1
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        let (of_control, of_channel) = self.wanted.take();
        if of_control {
            self.control.serve(simulation);
        }
        if of_channel {
            self.channel.serve(simulation);
        }
    }

    fn wait(&mut self, requests: &RequestInbox, time: Duration) {
        self.channel.wait(requests, time);
    }
}
