//! Sockets of libzmq, the reference library with which CLOiSim's clients are built.
//!
//! One thread serves all reply and command ports. Replies are prepared in advance, so a client gets one at once in
//! any state of the simulation. The same thread receives the connection events of every port ([`monitor`]).

#[cfg(test)]
mod floods;
mod limits;
mod monitor;
mod publisher;

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::serving::during;
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
use publisher::{Connections, Publisher};

/// Poll time-out, after which the thread looks for new ports.
const POLL_TIMEOUT_MS: i64 = 20;
/// Messages that may wait on either side of a command port.
const HWM: i32 = 100;
/// Above this announced size the library closes the connection without notice. Smaller messages that are still too
/// large are read and logged.
const MAX_MESSAGE: i64 = 4 << 20;
/// After this silence the system asks whether the peer is still there, seconds; and how often, and how many times. Not
/// the heartbeats of the library: its version 4.3.4 ends the process (`!_io_error`) if the timer of a heartbeat fires for a
/// connection that has ended while messages of its peer were waiting.
const KEEPALIVE_IDLE_S: i32 = 2;
const KEEPALIVE_PERIOD_S: i32 = 2;
const KEEPALIVE_COUNT: i32 = 3;
/// Time after which a peer that confirms nothing is gone, milliseconds.
const MAX_SILENCE_MS: i32 = 8000;
/// Requests and commands that are taken from one port before the next port is served.
const MAX_PER_TURN: usize = 64;

pub(super) struct Libzmq {
    address: IpAddr,
    context: Context,
    changes: Mutex<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

/// Subscriptions of a client that wait until the next message is published, and the bytes of each, which begins with the
/// tag of the port. The library takes all that wait within a call that publishes, and searches those of all clients when
/// one leaves: without these limits, a flood keeps the thread that publishes busy for minutes.
const SUBSCRIBER: (i32, i64) = (8, 64);

/// A change of the ports that the thread serves.
enum Change {
    Add(Served),
    Remove(u64),
    End,
}

struct Served {
    id: u64,
    socket: Socket,
    role: Role,
}

enum Role {
    Reply(Tag, Inbound, RequestHandler),
    Receive(Inbound, CommandHandler),
    Monitor(ConnectionMonitor),
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
            socket.set_tcp_keepalive(1)?;
            socket.set_tcp_keepalive_idle(KEEPALIVE_IDLE_S)?;
            socket.set_tcp_keepalive_intvl(KEEPALIVE_PERIOD_S)?;
            socket.set_tcp_keepalive_cnt(KEEPALIVE_COUNT)?;
            set_option(&mut socket, zmq_sys::ZMQ_TCP_MAXRT, MAX_SILENCE_MS)?;
            socket.set_ipv6(self.address.is_ipv6())
        };
        options().map_err(failed)?;
        match socket.bind(&endpoint(self.address, port)) {
            Ok(()) => {}
            Err(zmq::Error::EADDRINUSE) => return Err(BindError::Taken),
            Err(error) => return Err(failed(error)),
        }
        let (events, monitor) = ConnectionMonitor::start(&self.context, &socket, port).map_err(failed)?;
        let connections = monitor.connections();
        // The monitor ends by itself after the socket is closed.
        self.hand_over(events, Role::Monitor(monitor));
        Ok((socket, connections))
    }

    /// Hands a socket to the thread until the guard is dropped.
    fn serve(&self, socket: Socket, role: Role) -> BoundPort {
        let (id, changes) = self.hand_over(socket, role);
        Box::new(Guard { id, changes: Mutex::new(changes) })
    }

    fn hand_over(&self, socket: Socket, role: Role) -> (u64, Sender<Change>) {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let changes = lock(&self.changes).clone();
        // If the thread has ended, the socket is dropped here.
        drop(changes.send(Change::Add(Served { id, socket, role })));
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

/// Sets an option for which the crate has no name.
#[expect(unsafe_code, reason = "the crate has no name for these options")]
fn set_option(socket: &mut Socket, option: u32, value: i32) -> zmq::Result<()> {
    let place = std::ptr::from_ref(&value).cast();
    // SAFETY: the socket is alive and exclusively borrowed; the option takes an `int`, which is copied.
    let code = unsafe {
        zmq_sys::zmq_setsockopt(socket.as_mut_ptr(), option.cast_signed(), place, size_of_val(&value))
    };
    match code {
        0 => Ok(()),
        // SAFETY: reads a thread-local number.
        _ => Err(zmq::Error::from_raw(unsafe { zmq_sys::zmq_errno() })),
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
        Ok(self.serve(socket, Role::Reply(tag, Inbound::new(port, tag), handler)))
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
        Ok(self.serve(socket, Role::Receive(Inbound::new(port, tag), handler)))
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
        let mut items: Vec<_> = ports.iter().map(|served| served.socket.as_poll_item(POLLIN)).collect();
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
        return monitor.process_events(&served.socket);
    }
    for _ in 0..MAX_PER_TURN {
        let Ok(parts) = served.socket.recv_multipart(DONTWAIT) else { return true };
        // The protocol uses the first part only.
        let part = parts.first().map_or(&[][..], Vec::as_slice);
        match &served.role {
            Role::Reply(tag, inbound, handler) => {
                let answer = frame(*tag, &handler(inbound.request(part)));
                if let Err(error) = served.socket.send(answer, DONTWAIT) {
                    log::debug!("a client disconnected before it got its reply: {error}");
                }
            }
            Role::Receive(inbound, handler) => inbound.command(part).into_iter().for_each(handler),
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
