//! Sockets of the crate `zeromq`, in pure Rust, for machines without a C++ compiler.
//!
//! The crate reserves as much memory as a peer announces, so the connection string allows it on this machine only. It
//! ignores `depth`: its own queues for slow subscribers are bounded in messages. Its tasks run on a separate runtime,
//! which ends with the backend.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::time::Duration;

use bridgehead_plugin_api::Result;
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinHandle;
use zeromq::{
    PubSocket, RepSocket, ReqSocket, Socket, SocketEvent, SocketRecv, SocketSend, SubSocket, ZmqError,
    ZmqMessage,
};

use super::inbound::Inbound;
use super::{
    Backend, BindError, BoundPort, CommandHandler, Publish, RequestHandler, RequestOutcome, RequestPort,
    Sent, SocketError, endpoint, log_foreign_peer, thread_error,
};
use crate::frame::frame;
use crate::repeat_counter::RepeatCounter;
use crate::tag::Tag;

/// Time limit for the shutdown of the runtime.
const END: Duration = Duration::from_secs(1);
/// Interval at which a pending request checks whether it is over.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Delay before a port is read again after an error.
const RETRY_DELAY: Duration = Duration::from_millis(20);

pub(super) struct PureRust {
    address: IpAddr,
    runtime: Option<Runtime>,
    handle: Handle,
}

impl PureRust {
    pub(super) fn start(address: IpAddr) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cloisim-zeromq")
            .enable_all()
            .build()
            .map_err(thread_error)?;
        Ok(PureRust { address, handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    fn bind<S: Socket>(&self, port: u16) -> Result<S, BindError> {
        bind(&self.handle, self.address, port)
    }
}

fn bind<S: Socket>(handle: &Handle, address: IpAddr, port: u16) -> Result<S, BindError> {
    handle.block_on(async {
        let mut socket = S::new();
        match socket.bind(&endpoint(address, port)).await {
            Ok(_) => {
                monitor(handle, &mut socket, port);
                Ok(socket)
            }
            Err(ZmqError::Network(error)) if error.kind() == ErrorKind::AddrInUse => Err(BindError::Taken),
            Err(error) => Err(BindError::Failed(SocketError::new(&error))),
        }
    })
}

/// Watches connection events of a port until its socket is closed.
fn monitor(handle: &Handle, socket: &mut impl Socket, port: u16) {
    let mut events = socket.monitor();
    handle.spawn(async move {
        let foreign_peers = RepeatCounter::default();
        while let Ok(event) = events.recv().await {
            if matches!(event, SocketEvent::AcceptFailed(_)) {
                log_foreign_peer(port, &foreign_peers);
            }
        }
    });
}

impl Backend for PureRust {
    fn publish(&self, port: u16, _: i32) -> Result<Box<dyn Publish>, BindError> {
        let socket = self.bind::<PubSocket>(port)?;
        Ok(Box::new(Publisher { socket: Some(socket), handle: self.handle.clone() }))
    }

    fn open_reply_port(&self, port: u16, tag: Tag, handler: RequestHandler) -> Result<BoundPort, BindError> {
        let mut socket = self.bind::<RepSocket>(port)?;
        let inbound = Inbound::new(port, tag);
        let task = self.handle.spawn(async move {
            loop {
                match socket.recv().await {
                    Ok(request) => {
                        let answer = frame(tag, &handler(inbound.request(&first(&request))));
                        drop(socket.send(ZmqMessage::from(answer)).await);
                    }
                    Err(_) => tokio::time::sleep(RETRY_DELAY).await,
                }
            }
        });
        Ok(Box::new(Guard(task)))
    }

    /// Subscribes to everything, since this library takes only texts as filters and a tag is binary; the tag is
    /// checked here.
    fn open_command_port(
        &self,
        port: u16,
        tag: Tag,
        handler: CommandHandler,
    ) -> Result<BoundPort, BindError> {
        let mut socket = self.bind::<SubSocket>(port)?;
        let subscribed = self.handle.block_on(socket.subscribe(""));
        subscribed.map_err(|error| BindError::Failed(SocketError::new(&error)))?;
        let inbound = Inbound::new(port, tag);
        let task = self.handle.spawn(async move {
            loop {
                match socket.recv().await {
                    Ok(message) => inbound.command(&first(&message)).into_iter().for_each(&handler),
                    Err(_) => tokio::time::sleep(RETRY_DELAY).await,
                }
            }
        });
        Ok(Box::new(Guard(task)))
    }

    fn open_request_port(&self, port: u16) -> Result<Box<dyn RequestPort>, BindError> {
        let socket = Some(self.bind(port)?);
        Ok(Box::new(RequestSocket { socket, address: self.address, port, handle: self.handle.clone() }))
    }
}

impl Drop for PureRust {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(END);
        }
    }
}

/// Returns the first part of a message; clients send no others.
fn first(message: &ZmqMessage) -> Vec<u8> {
    message.get(0).map(|part| part.to_vec()).unwrap_or_default()
}

/// Ends a task when it is dropped.
struct Guard(JoinHandle<()>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct Publisher {
    socket: Option<PubSocket>,
    handle: Handle,
}

impl Publish for Publisher {
    fn send(&mut self, frame: &[u8]) -> Result<Sent, SocketError> {
        let Some(socket) = &mut self.socket else { return Ok(Sent::ToAll) };
        let sent = self.handle.block_on(socket.send(ZmqMessage::from(frame.to_vec())));
        // Its queues have no limit here: a slow subscriber costs memory and loses nothing.
        sent.map(|()| Sent::ToAll).map_err(|error| SocketError::new(&error))
    }
}

impl Drop for Publisher {
    /// Drops the socket within the runtime, since it ends its tasks there.
    fn drop(&mut self) {
        let _inside = self.handle.enter();
        self.socket = None;
    }
}

struct RequestSocket {
    socket: Option<ReqSocket>,
    address: IpAddr,
    port: u16,
    handle: Handle,
}

impl RequestPort for RequestSocket {
    /// The socket cannot be used after an error or a missing reply, so it is opened again.
    fn request(
        &mut self,
        frame: &[u8],
        timeout: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<RequestOutcome, SocketError> {
        if self.socket.is_none() {
            let socket = bind(&self.handle, self.address, self.port);
            self.socket = Some(socket.map_err(|error| match error {
                BindError::Taken => SocketError("another program has taken the port".to_owned()),
                BindError::Failed(error) => error,
            })?);
        }
        let Some(socket) = &mut self.socket else { return Ok(RequestOutcome::NoClient) };
        let question = ZmqMessage::from(frame.to_vec());
        if self.handle.block_on(socket.send(question)).is_err() {
            return Ok(RequestOutcome::NoClient);
        }
        let mut left = timeout;
        while !left.is_zero() && !is_over() {
            let slice = left.min(POLL_INTERVAL);
            left -= slice;
            let waited = self.handle.block_on(async { tokio::time::timeout(slice, socket.recv()).await });
            match waited {
                Ok(Ok(answer)) => return Ok(RequestOutcome::Replied(first(&answer))),
                Ok(Err(_)) => break,
                Err(_) => {}
            }
        }
        let _inside = self.handle.enter();
        self.socket = None;
        Ok(RequestOutcome::TimedOut)
    }
}

impl Drop for RequestSocket {
    fn drop(&mut self) {
        let _inside = self.handle.enter();
        self.socket = None;
    }
}
