//! Sockets of libzmq, the reference library with which CLOiSim's clients are built.
//!
//! One thread serves all reply and command ports. Replies are prepared in advance, so a client gets one at once in
//! any state of the simulation. The same thread receives the connection events of every port ([`monitor`]).

#[cfg(test)]
mod floods;
mod monitor;
mod publisher;

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::serving::during;
use bridgehead_zeromq::{Connections, WAITING_SUBSCRIPTIONS, keep_alive};
use zmq::{Context, DONTWAIT, POLLIN, Socket, SocketType};

use super::inbound::Inbound;
use super::{
    Backend, BindError, BoundPort, CommandHandler, Publish, RequestHandler, RequestOutcome, RequestPort,
    SocketError, endpoint, thread_error,
};
use crate::codes::{PEER_LIMITED, SOCKET_FAILED};
use crate::frame::frame;
use crate::lock::lock;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::tag::Tag;
use crate::wall_clock;
use monitor::ConnectionMonitor;
use publisher::Publisher;

/// Poll time-out, after which the thread looks for new ports.
const POLL_TIMEOUT_MS: i64 = 20;
/// Messages that may wait on either side of a command port.
const HWM: i32 = 100;
/// Above this announced size the library closes the connection without notice. Smaller messages that are still too
/// large are read and logged.
const MAX_MESSAGE: i64 = 4 << 20;
/// Requests and commands that are taken from one port before the next port is served.
const MAX_PER_TURN: usize = 64;

pub(super) struct Libzmq {
    address: IpAddr,
    context: Context,
    changes: Mutex<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

/// Subscriptions of a client that wait until the next message is published, and the bytes of each, which begins with the
/// tag of the port.
const SUBSCRIBER: (i32, i64) = (WAITING_SUBSCRIPTIONS, 64);

/// A change of the ports that the thread serves.
enum Change {
    Add(Served),
    Remove(u64),
    End,
}

struct Served {
    id: u64,
    role: Role,
}

enum Role {
    Reply(Socket, Tag, Inbound, RequestHandler),
    Receive(Socket, Inbound, CommandHandler),
    Monitor(ConnectionMonitor),
}

impl Role {
    fn socket(&self) -> &Socket {
        match self {
            Role::Reply(socket, ..) | Role::Receive(socket, ..) => socket,
            Role::Monitor(monitor) => monitor.socket(),
        }
    }
}

impl Libzmq {
    pub(super) fn start(address: IpAddr) -> Result<Self> {
        let (changes, inbox) = channel();
        let thread = std::thread::Builder::new().name("cloisim-serve".into()).spawn(move || serve(&inbox));
        let thread = Some(thread.map_err(thread_error)?);
        Ok(Libzmq { address, context: Context::new(), changes: Mutex::new(changes), thread })
    }

    fn bind(&self, kind: SocketType, port: u16, depth: i32) -> Result<Socket, BindError> {
        self.bind_monitored(kind, port, depth).map(|(socket, _)| socket)
    }

    /// Binds a socket and returns the set of its connections, which is kept up to date.
    fn bind_monitored(
        &self,
        kind: SocketType,
        port: u16,
        depth: i32,
    ) -> Result<(Socket, Connections), BindError> {
        let mut socket = self.context.socket(kind).map_err(failed)?;
        let mut options = || -> zmq::Result<()> {
            socket.set_linger(0)?;
            socket.set_sndhwm(depth)?;
            let (waiting, largest) = if kind == zmq::PUB { SUBSCRIBER } else { (HWM, MAX_MESSAGE) };
            socket.set_rcvhwm(waiting)?;
            socket.set_maxmsgsize(largest)?;
            keep_alive(&mut socket)?;
            socket.set_ipv6(self.address.is_ipv6())
        };
        options().map_err(failed)?;
        match socket.bind(&endpoint(self.address, port)) {
            Ok(()) => {}
            Err(zmq::Error::EADDRINUSE) => return Err(BindError::Taken),
            Err(error) => return Err(failed(error)),
        }
        let monitor = ConnectionMonitor::start(&self.context, &socket, port).map_err(failed)?;
        let connections = monitor.connections();
        // The monitor ends by itself after the socket is closed.
        self.hand_over(Role::Monitor(monitor));
        Ok((socket, connections))
    }

    /// Hands a socket to the thread until the guard is dropped.
    fn serve(&self, role: Role) -> BoundPort {
        let (id, changes) = self.hand_over(role);
        Box::new(Guard { id, changes: Mutex::new(changes) })
    }

    fn hand_over(&self, role: Role) -> (u64, Sender<Change>) {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let changes = lock(&self.changes).clone();
        // If the thread has ended, the socket is dropped here.
        drop(changes.send(Change::Add(Served { id, role })));
        (id, changes)
    }
}

/// Logs, at powers of ten, that a peer was disconnected because it does more than a client does.
fn log_limited(port: u16, what: &str, count: &RepeatCounter) {
    if let Some(count) = count.record() {
        let times_so_far = times_so_far(count);
        log::warn!("[{PEER_LIMITED}] port {port}: {what}, and was disconnected{times_so_far}");
    }
}

fn failed(error: zmq::Error) -> BindError {
    BindError::Failed(SocketError::new(&error))
}

impl Backend for Libzmq {
    fn publish(&self, port: u16, depth: i32) -> Result<Box<dyn Publish>, BindError> {
        let (socket, connections) = self.bind_monitored(zmq::PUB, port, depth)?;
        Ok(Box::new(Publisher::new(socket, port, connections).map_err(failed)?))
    }

    fn open_reply_port(&self, port: u16, tag: Tag, handler: RequestHandler) -> Result<BoundPort, BindError> {
        let socket = self.bind(zmq::REP, port, HWM)?;
        Ok(self.serve(Role::Reply(socket, tag, Inbound::new(port, tag), handler)))
    }

    /// Subscribes to everything: the library would drop commands with another tag silently, here they are logged.
    fn open_command_port(
        &self,
        port: u16,
        tag: Tag,
        handler: CommandHandler,
    ) -> Result<BoundPort, BindError> {
        let socket = self.bind(zmq::SUB, port, HWM)?;
        socket.set_subscribe(b"").map_err(failed)?;
        Ok(self.serve(Role::Receive(socket, Inbound::new(port, tag), handler)))
    }

    fn open_request_port(&self, port: u16) -> Result<Box<dyn RequestPort>, BindError> {
        let socket = self.bind(zmq::REQ, port, HWM)?;
        // Allows the next request if the previous one got no reply.
        let options = || socket.set_req_relaxed(true).and_then(|()| socket.set_req_correlate(true));
        options().map_err(failed)?;
        Ok(Box::new(RequestSocket(socket)))
    }
}

impl Drop for Libzmq {
    fn drop(&mut self) {
        let changes = lock(&self.changes);
        drop(changes.send(Change::End));
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            log::error!("[{SOCKET_FAILED}] the thread that serves ports has panicked");
        }
    }
}

/// Closes a port.
struct Guard {
    id: u64,
    changes: Mutex<Sender<Change>>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let changes = lock(&self.changes);
        drop(changes.send(Change::Remove(self.id)));
    }
}

/// Serves ports until [`Change::End`].
fn serve(inbox: &Receiver<Change>) {
    let mut ports: Vec<Served> = Vec::new();
    loop {
        for change in inbox.try_iter() {
            match change {
                Change::Add(served) => ports.push(served),
                Change::Remove(id) => ports.retain(|served| served.id != id),
                Change::End => return,
            }
        }
        if ports.is_empty() {
            std::thread::sleep(Duration::from_millis(POLL_TIMEOUT_MS.unsigned_abs()));
            continue;
        }
        let mut items: Vec<_> =
            ports.iter().map(|served| served.role.socket().as_poll_item(POLLIN)).collect();
        if let Err(error) = zmq::poll(&mut items, POLL_TIMEOUT_MS) {
            log::debug!("waiting for clients: {error}");
            std::thread::sleep(Duration::from_millis(POLL_TIMEOUT_MS.unsigned_abs()));
            continue;
        }
        let mut ready = items.iter().map(zmq::PollItem::is_readable).collect::<Vec<bool>>().into_iter();
        ports.retain(|served| {
            !ready.next().unwrap_or(false) || during("the requests of a port", None, || process_port(served))
        });
    }
}

/// Returns false if the port is closed.
fn process_port(served: &Served) -> bool {
    if let Role::Monitor(monitor) = &served.role {
        return monitor.process_events();
    }
    for _ in 0..MAX_PER_TURN {
        let Ok(parts) = served.role.socket().recv_multipart(DONTWAIT) else { return true };
        // The protocol uses the first part only.
        let part = parts.first().map_or(&[][..], Vec::as_slice);
        match &served.role {
            Role::Reply(socket, tag, inbound, handler) => {
                let answer = frame(*tag, &handler(inbound.request(part)));
                if let Err(error) = socket.send(answer, DONTWAIT) {
                    log::debug!("a client disconnected before it got its reply: {error}");
                }
            }
            Role::Receive(_, inbound, handler) => inbound.command(part).into_iter().for_each(handler),
            Role::Monitor(_) => {}
        }
    }
    true
}

struct RequestSocket(Socket);

impl RequestPort for RequestSocket {
    fn request(
        &mut self,
        frame: &[u8],
        timeout: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<RequestOutcome, SocketError> {
        match self.0.send(frame, DONTWAIT) {
            Ok(()) => {}
            Err(zmq::Error::EAGAIN) => return Ok(RequestOutcome::NoClient),
            Err(error) => return Err(SocketError::new(&error)),
        }
        let deadline = wall_clock::now() + timeout;
        while wall_clock::now() < deadline && !is_over() {
            if self.0.poll(POLLIN, POLL_TIMEOUT_MS).map_err(|error| SocketError::new(&error))? > 0 {
                let answer = self.0.recv_bytes(DONTWAIT).map_err(|error| SocketError::new(&error))?;
                return Ok(RequestOutcome::Replied(answer));
            }
        }
        Ok(RequestOutcome::TimedOut)
    }
}
