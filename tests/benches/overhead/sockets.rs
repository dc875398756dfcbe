//! ZeroMQ as the CLOiSim bridge uses it, with both of its libraries, compared with libzmq used directly.
//!
//! The peer always uses libzmq, as clients do. All messages must arrive, or the figure means nothing.

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, scope};
use std::time::Duration;

use bridgehead_bridge_cloisim::frame::frame;
use bridgehead_bridge_cloisim::socket::{Backend, BackendKind, BindError, Publish, backend};
use bridgehead_bridge_cloisim::tag::{Tag, tag};
use bridgehead_host::clock;
use zmq::{Context, Socket, SocketType};

use crate::Outcome;
use crate::report::{Row, Section};
use crate::rounds::Rounds;

const ROUNDS: u32 = 9;
/// Bytes of a payload, and how many messages of that size a round has.
const SIZES: [(&str, usize, u32); 3] =
    [("64 B", 64, 50_000), ("1 kB", 1_000, 20_000), ("1 MB", 1_000_000, 200)];
/// Requests in a round.
const REQUESTS: u32 = 2_000;
/// How long a peer waits before it reports an error, milliseconds.
const PATIENCE_MS: i32 = 10_000;

/// What is measured.
const PEERS: [Peer; 3] = [Peer::Plain, Peer::Bridge(BackendKind::Libzmq), Peer::Bridge(BackendKind::Zeromq)];

/// The side that binds.
#[derive(Clone, Copy)]
enum Peer {
    /// libzmq, without the bridge.
    Plain,
    /// A back end of the bridge.
    Bridge(BackendKind),
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Peer::Plain => "libzmq alone",
            Peer::Bridge(BackendKind::Libzmq) => "`backend=libzmq`",
            Peer::Bridge(BackendKind::Zeromq) => "`backend=zeromq`",
        }
    }
}

/// Measures messages and answers of all three in alternating rounds.
pub(crate) fn section(_: &Path) -> Outcome<Section> {
    let mut rows = Vec::new();
    for (size, bytes, count) in SIZES {
        let rates = in_turns(|peer| Ok(f64::from(count) / flow(peer, bytes, count)?.as_secs_f64()))?;
        for (peer, rate) in PEERS.into_iter().zip(&rates) {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let megabytes = rate.map(|rate| rate * bytes as f64 / 1e6);
            let figure = format!("{rate:.0} messages/s; {megabytes:.1} MB/s");
            rows.push(Row::plain(format!("messages of {size}: {}", peer.name()), figure));
        }
        rows.extend(ratios(&format!("messages of {size}"), &rates));
    }
    let times = in_turns(|peer| Ok(answers(peer)?.as_secs_f64() * 1e6 / f64::from(REQUESTS)))?;
    for (peer, time) in PEERS.into_iter().zip(&times) {
        rows.push(Row::plain(
            format!("request and answer on an Info port: {}", peer.name()),
            format!("{time:.1} µs"),
        ));
    }
    rows.extend(ratios("request and answer", &times));
    Ok(Section {
        title: "Sockets of the CLOiSim bridge",
        method: "A port that binds sends messages to a client of libzmq over TCP on this machine; all messages of \
                 a round must arrive. Then a client sends requests of 64 bytes and waits for an answer of the same \
                 length. Both back ends of the bridge are compared with libzmq alone. Wall time.",
        rows,
    })
}

/// Figures of every peer, one after the other in each round.
fn in_turns(measure: impl Fn(Peer) -> Outcome<f64>) -> Outcome<[Rounds; 3]> {
    let mut figures: [Rounds; 3] = Default::default();
    for _ in 0..ROUNDS {
        for (peer, figures) in PEERS.into_iter().zip(&mut figures) {
            figures.push(measure(peer)?);
        }
    }
    Ok(figures)
}

fn ratios(what: &str, [plain, libzmq, zeromq]: &[Rounds; 3]) -> [Row; 2] {
    [("libzmq", libzmq), ("zeromq", zeromq)].map(|(name, figures)| {
        let ratio = figures.ratio_to(plain);
        Row::plain(format!("{what}: `backend={name}` to libzmq alone"), format!("{ratio:.2}"))
    })
}

/// Time for this many messages, from the first send to the last receive.
fn flow(peer: Peer, bytes: usize, count: u32) -> Outcome<Duration> {
    let port = free_port()?;
    let key = tag("carlaserData");
    let mut sender = sender(peer, port)?;
    let listener = connected(zmq::SUB, port, |socket| socket.set_subscribe(&key))?;
    greet(&mut sender, &listener, key)?;
    let message = frame(key, &vec![7; bytes]);
    let start = clock::now();
    scope(|threads| {
        let sending = Builder::new()
            .spawn_scoped(threads, || -> Outcome { (0..count).try_for_each(|_| sender.send(&message)) })?;
        let mut got = 0;
        while got < count {
            got += u32::from(listener.recv_bytes(0)?.len() == message.len());
        }
        let took = start.elapsed();
        sending.join().map_err(|_| "the sender panicked")??;
        Ok(took)
    })
}

/// Sends until the client receives: its subscription takes effect after a moment.
fn greet(sender: &mut Sender, listener: &Socket, key: Tag) -> Outcome {
    let deadline = clock::now() + Duration::from_secs(10);
    loop {
        sender.send(&frame(key, b"hello"))?;
        if listener.poll(zmq::POLLIN, 10)? > 0 {
            return Ok(());
        }
        if clock::now() > deadline {
            return Err("the client does not receive".into());
        }
    }
}

/// A port that sends.
enum Sender {
    Plain(Socket),
    /// A socket ends with its back end, which is dropped after it.
    Bridge {
        socket: Box<dyn Publish>,
        _backend: Box<dyn Backend>,
    },
}

impl Sender {
    fn send(&mut self, frame: &[u8]) -> Outcome {
        match self {
            Sender::Plain(socket) => Ok(socket.send(frame, 0)?),
            Sender::Bridge { socket, .. } => {
                // No client is slow here.
                _ = socket.send(frame)?;
                Ok(())
            }
        }
    }
}

/// Opens a sender with an unlimited queue.
fn sender(peer: Peer, port: u16) -> Outcome<Sender> {
    match peer {
        Peer::Plain => Ok(Sender::Plain(bound(zmq::PUB, port)?)),
        Peer::Bridge(kind) => {
            let backend = backend(kind, IpAddr::V4(Ipv4Addr::LOCALHOST))?;
            let socket = backend.publish(port, 0).map_err(|error| refused(&error))?;
            Ok(Sender::Bridge { socket, _backend: backend })
        }
    }
}

/// How long all answers of a round take.
fn answers(peer: Peer) -> Outcome<Duration> {
    let port = free_port()?;
    let key = tag("carlaserInfo");
    let answer = vec![7; 64];
    match peer {
        Peer::Plain => {
            let socket = bound(zmq::REP, port)?;
            socket.set_rcvtimeo(50)?;
            let is_over = AtomicBool::new(false);
            scope(|threads| {
                let (answer, is_over) = (frame(key, &answer), &is_over);
                let serving =
                    Builder::new().spawn_scoped(threads, move || serve(&socket, &answer, is_over))?;
                let took = ask(port, key);
                is_over.store(true, Ordering::Release);
                serving.join().map_err(|_| "the server panicked")??;
                took
            })
        }
        Peer::Bridge(kind) => {
            let backend = backend(kind, IpAddr::V4(Ipv4Addr::LOCALHOST))?;
            let _bound = backend
                .open_reply_port(port, key, Box::new(move |_| answer.clone()))
                .map_err(|error| refused(&error))?;
            ask(port, key)
        }
    }
}

fn serve(socket: &Socket, answer: &[u8], is_over: &AtomicBool) -> Outcome {
    while !is_over.load(Ordering::Acquire) {
        match socket.recv_bytes(0) {
            Ok(_) => socket.send(answer, 0)?,
            Err(zmq::Error::EAGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Sends requests with the socket options of real clients.
fn ask(port: u16, key: Tag) -> Outcome<Duration> {
    let options =
        |socket: &Socket| socket.set_req_relaxed(true).and_then(|()| socket.set_req_correlate(true));
    let client = connected(zmq::REQ, port, options)?;
    let question = frame(key, &[3; 64]);
    let once = || -> Outcome<usize> {
        client.send(&question, 0)?;
        Ok(client.recv_bytes(0)?.len())
    };
    // The first request waits for the connection, so it is not timed.
    once()?;
    let start = clock::now();
    for _ in 0..REQUESTS {
        if once()? != question.len() {
            return Err("an answer has another length than its request".into());
        }
    }
    Ok(start.elapsed())
}

fn bound(kind: SocketType, port: u16) -> Outcome<Socket> {
    let socket = Context::new().socket(kind)?;
    socket.set_linger(0)?;
    socket.set_sndhwm(0)?;
    socket.bind(&format!("tcp://127.0.0.1:{port}"))?;
    Ok(socket)
}

fn connected(
    kind: SocketType,
    port: u16,
    prepare: impl FnOnce(&Socket) -> zmq::Result<()>,
) -> Outcome<Socket> {
    let socket = Context::new().socket(kind)?;
    socket.set_linger(0)?;
    socket.set_rcvhwm(0)?;
    socket.set_rcvtimeo(PATIENCE_MS)?;
    prepare(&socket)?;
    socket.connect(&format!("tcp://127.0.0.1:{port}"))?;
    Ok(socket)
}

fn refused(error: &BindError) -> String {
    format!("{error:?}")
}

fn free_port() -> Outcome<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
