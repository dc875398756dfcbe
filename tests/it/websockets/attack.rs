//! One hostile connection: a handshake or a part of it, some frames, and an end without manners.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsRawFd as _;
use std::time::Duration;

use bridgehead_host::clock;

use super::frames::{self, frame};
use super::random::Random;
use super::server::Server;
use super::talk::Talk;

/// Longest wait for a server that does not read, or does not answer a handshake.
const PATIENCE: Duration = Duration::from_millis(200);
/// The content of a ping after the last frame.
const SETTLED: &[u8] = b"everything was taken";
/// Most frames of a connection.
const MAX_FRAMES: usize = 40;

/// A hostile client.
pub(super) struct Attacker<'a> {
    server: Server,
    talk: &'a Talk,
    random: Random,
    /// Connections that stay open without being read.
    kept: Vec<TcpStream>,
}

impl<'a> Attacker<'a> {
    pub(super) fn new(server: Server, talk: &'a Talk, seed: u64) -> Self {
        Attacker { server, talk, random: Random::new(seed), kept: Vec::new() }
    }

    /// Makes a connection and uses it. Returns the number of frames that were sent.
    pub(super) fn connect(&mut self) -> usize {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.server.port)) else { return 0 };
        stream.set_read_timeout(Some(PATIENCE)).expect("an option");
        stream.set_write_timeout(Some(PATIENCE)).expect("an option");
        if self.random.once_in(12) {
            self.begin_badly(&mut stream);
            self.leave(stream);
            return 1;
        }
        let is_open = stream.write_all(self.handshake().as_bytes()).is_ok() && is_accepted(&mut stream);
        let sent = if is_open { self.send_frames(&mut stream) } else { 0 };
        self.leave(stream);
        sent
    }

    fn handshake(&self) -> String {
        let subprotocol = self.server.subprotocol().map(|name| format!("Sec-WebSocket-Protocol: {name}\r\n"));
        format!(
            "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{}\r\n",
            self.server.path(),
            subprotocol.unwrap_or_default()
        )
    }

    /// Sends a part of a handshake, or a wrong one.
    fn begin_badly(&mut self, stream: &mut TcpStream) {
        let handshake = self.handshake();
        let cut = self.random.below(handshake.len());
        let bytes = match self.random.below(6) {
            0 => handshake.as_bytes()[..cut].to_vec(),
            1 => handshake.replace("13", "12").into_bytes(),
            2 => handshake.replace("websocket", "gopher").into_bytes(),
            3 => format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000)).into_bytes(),
            4 => self.random.bytes(300),
            _ => {
                let mut bytes = handshake.into_bytes();
                self.random.damage(&mut bytes);
                bytes
            }
        };
        drop(stream.write_all(&bytes));
    }

    /// Sends frames. Most clients then wait until the server has taken them; what the others have sent may be lost with
    /// their connections.
    fn send_frames(&mut self, stream: &mut TcpStream) -> usize {
        let is_patient = !self.random.once_in(4);
        let count = 1 + self.random.below(MAX_FRAMES);
        for number in 0..count {
            let bytes = self.next_frame();
            if stream.write_all(&bytes).is_err() {
                return number + 1;
            }
            if is_patient {
                drain(stream);
            }
        }
        if is_patient {
            await_pong(stream, &frame(&mut self.random, true, 9, SETTLED));
        }
        count
    }

    fn next_frame(&mut self) -> Vec<u8> {
        let (opcode, payload) = self.talk.next(&mut self.random);
        let random = &mut self.random;
        match random.below(20) {
            0 => frames::broken(random, &payload),
            1..4 => frames::fragmented(random, opcode, &payload),
            4 => frames::control(random),
            _ => frame(random, true, opcode, &payload),
        }
    }

    /// Ends the connection in one of several ways, or keeps it for some time.
    fn leave(&mut self, mut stream: TcpStream) {
        match self.random.below(5) {
            0 => reset_at_end(&stream),
            1 => {
                drop(stream.shutdown(Shutdown::Write));
                drain(&mut stream);
            }
            2 => drop(stream.write_all(&frame(&mut self.random, true, 8, b"\x03\xe8"))),
            3 => {
                self.kept.push(stream);
                if self.kept.len() > 10 {
                    self.kept.remove(0);
                }
            }
            _ => {}
        }
    }
}

/// Reads the response to a handshake; returns true if the connection is open.
fn is_accepted(stream: &mut TcpStream) -> bool {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return false,
        }
    }
    head.starts_with(b"HTTP/1.1 101")
}

/// Sends a ping, and reads until its answer or the end of the connection; not for long, since the server may wait for the
/// rest of a frame.
fn await_pong(stream: &mut TcpStream, ping: &[u8]) {
    if stream.write_all(ping).is_err() {
        return;
    }
    let (begin, mut received, mut buffer) = (clock::now(), Vec::new(), [0; 1 << 16]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        received.extend_from_slice(&buffer[..count]);
        let is_answered = received.windows(SETTLED.len()).any(|part| part == SETTLED);
        // Wall time: the server may wait for the rest of a frame.
        if is_answered || begin.elapsed() > PATIENCE {
            return;
        }
        received.drain(..received.len().saturating_sub(SETTLED.len()));
    }
}

/// Reads what has arrived.
fn drain(stream: &mut TcpStream) {
    drop(stream.set_nonblocking(true));
    let mut buffer = [0; 1 << 16];
    while matches!(stream.read(&mut buffer), Ok(1..)) {}
    drop(stream.set_nonblocking(false));
}

/// Makes the system send a reset when the connection is closed.
#[expect(unsafe_code, reason = "std cannot set this option")]
fn reset_at_end(stream: &TcpStream) {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    let size = libc::socklen_t::try_from(size_of::<libc::linger>()).expect("small");
    // SAFETY: the option has this type and size, and the descriptor is open.
    let outcome = unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_LINGER,
            std::ptr::from_ref(&linger).cast(),
            size,
        )
    };
    assert_eq!(outcome, 0, "an option of a socket");
}
