//! The TCP connection: address, opening, sending and receiving with waits that an interrupt ends.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridgehead_plugin_api::connection::{Form, Key, Peer, Target};
use bridgehead_plugin_api::prelude::*;

/// The port of the bridge of CyberRT.
const DEFAULT_PORT: u16 = 9090;
/// The steering limit of the plugin `ackermann` if it is not given, in radians.
const STEERING_LIMIT: f64 = 0.5;
/// Longest wait for the peer to accept, for each of its addresses.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Addresses of a host that are tried, such as one of IPv6 and one of IPv4. The host of plugins allows five seconds.
const MAX_ADDRESSES: usize = 2;
/// Longest wait of a loop, after which it checks whether it should end.
pub(crate) const POLL: Duration = Duration::from_millis(50);
/// Waits without progress after which a message of an ending connection is given up.
const MAX_STALLS: u32 = 10;

/// The form of connection strings.
static FORM: Form = Form {
    code: "EX-CRT-001",
    target: Some(Target::new("PEER", "HOST or HOST:PORT")),
    keys: &[&[Key::new(
        "steering_limit",
        "a positive angle in radians",
        "0.5",
        "Steering angle of 100 percent, as of the plugin `ackermann`.",
    )]],
    example: "127.0.0.1:9090;steering_limit=0.5",
};

/// What a connection string says.
#[derive(Debug, PartialEq)]
pub(crate) struct Address {
    pub(crate) peer: Peer,
    /// The angle of 100 percent of steering, in radians.
    pub(crate) steering_limit: f64,
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let peer = options.target(|text| Peer::parse(text, Some(DEFAULT_PORT)))?;
        let steering_limit = options.read("steering_limit", steering_limit)?.unwrap_or(STEERING_LIMIT);
        Ok(Address { peer, steering_limit })
    }
}

fn steering_limit(text: &str) -> Option<f64> {
    text.parse().ok().filter(|limit: &f64| *limit > 0.0 && limit.is_finite())
}

/// An open connection, used by both loops.
pub(crate) struct Link {
    stream: TcpStream,
    is_lost: AtomicBool,
    is_ending: AtomicBool,
}

impl Link {
    /// Connects to the first address of the host that accepts.
    pub(crate) fn open(peer: &Peer) -> Result<Self> {
        let mut last = None;
        for address in peer.look_up()?.into_iter().take(MAX_ADDRESSES) {
            match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                Ok(stream) => return Self::of(stream),
                Err(error) => last = Some(format!("{address} does not accept: {error}")),
            }
        }
        Err(Error::new(last.unwrap_or_else(|| format!("the peer `{peer}` has no address"))))
    }

    fn of(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLL))?;
        stream.set_write_timeout(Some(POLL))?;
        Ok(Link { stream, is_lost: AtomicBool::new(false), is_ending: AtomicBool::new(false) })
    }

    /// Returns true from the moment that a loop has found the connection unusable.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// Records that the connection is unusable, and ends what the other loop waits for. Returns true the first time.
    pub(crate) fn lose(&self) -> bool {
        let is_first = !self.is_lost.swap(true, Ordering::AcqRel);
        self.close();
        is_first
    }

    /// Lets a message that makes no progress be given up.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Release);
    }

    /// Closes both directions. What was sent before still arrives.
    pub(crate) fn close(&self) {
        // It fails if the peer was faster.
        drop(self.stream.shutdown(Shutdown::Both));
    }

    /// Sends all bytes, and waits as long as the peer does not read, unless the connection ends.
    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let (mut rest, mut stalls) = (bytes, 0);
        while !rest.is_empty() {
            match (&self.stream).write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => (rest, stalls) = (rest.get(count..).unwrap_or_default(), 0),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_timeout(&error) && !self.has_stalled(&mut stalls) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn has_stalled(&self, stalls: &mut u32) -> bool {
        *stalls += u32::from(self.is_ending.load(Ordering::Acquire));
        *stalls > MAX_STALLS
    }

    /// Returns what the peer sends, as a stream that ends with the interrupt.
    pub(crate) fn input<'a>(&'a self, rx: &'a Rx<'a>) -> impl Read + 'a {
        Input { link: self, rx }
    }
}

struct Input<'a> {
    link: &'a Link,
    rx: &'a Rx<'a>,
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.rx.is_interrupted() {
            match (&self.link.stream).read(buffer) {
                Err(error) if is_timeout(&error) => {}
                done => return done,
            }
        }
        Ok(0)
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
