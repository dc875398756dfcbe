//! The loop of a connection: the end of a step, the answer to the autopilot, its next packet, the release of steps.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use crate::packet::{self, Packet};

/// How long one wait for a packet takes, so that the loop notices the end of the connection and a reset.
const SLICE: Duration = Duration::from_millis(20);

/// The autopilot at the other side.
pub(crate) struct Peer {
    socket: UdpSocket,
    /// Where its last packet came from.
    address: Option<SocketAddr>,
    /// Number of its last frame.
    frame: Option<u32>,
    /// The answer to it.
    answer: String,
    /// Datagrams that were no packets.
    pub(crate) strange: u64,
}

/// What a packet means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Commands of the next frame. `is_restart` if the autopilot counts its frames anew.
    Frame { packet: Packet, is_restart: bool },
    /// Nothing new yet.
    Nothing,
}

impl Peer {
    /// Listens at an address.
    ///
    /// # Errors
    /// Returns an error if the port is taken or the address is none of this machine.
    pub(crate) fn listen(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(SLICE))?;
        Ok(Peer { socket, address: None, frame: None, answer: String::new(), strange: 0 })
    }

    /// Returns the address at which it listens.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Answers the last frame.
    pub(crate) fn answer(&mut self, text: String) {
        self.answer = text;
        self.send();
    }

    fn send(&self) {
        if let Some(address) = self.address.filter(|_| !self.answer.is_empty()) {
            // A datagram that is lost is asked for again, also one that the system refuses because nobody listens now.
            let _ = self.socket.send_to(self.answer.as_bytes(), address);
        }
    }

    /// Waits shortly for a packet. A frame that was answered already is answered again: its answer was lost.
    ///
    /// # Errors
    /// Returns an error if the socket fails.
    pub(crate) fn receive(&mut self) -> io::Result<News> {
        let mut bytes = [0; packet::MAX + 1];
        let (len, from) = match self.socket.recv_from(&mut bytes) {
            Ok(received) => received,
            Err(error) if is_passing(error.kind()) => return Ok(News::Nothing),
            Err(error) => return Err(error),
        };
        let Some(packet) = Packet::read(bytes.get(..len).unwrap_or_default()) else {
            self.strange += 1;
            return Ok(News::Nothing);
        };
        self.address = Some(from);
        let before = self.frame.replace(packet.frame);
        if before == Some(packet.frame) {
            self.send();
            return Ok(News::Nothing);
        }
        let is_restart = before.is_some_and(|before| packet.frame < before);
        Ok(News::Frame { packet, is_restart })
    }
}

/// Returns true if the socket can be used further. A datagram to a port without a listener is reported by the next call.
fn is_passing(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::WouldBlock
            | io::ErrorKind::TimedOut
            | io::ErrorKind::Interrupted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Returns the number of steps of a frame: as many as fit into the time of one at the rate that the autopilot wants, at
/// least one, and less than the 100 ms after which ArduPilot's clock does not follow.
pub(crate) fn steps_of_frame(rate: u16, width_ns: i64) -> u64 {
    let width = u64::try_from(width_ns).unwrap_or(0).max(1);
    let wanted = 1_000_000_000_u64.checked_div(u64::from(rate)).unwrap_or(width);
    (wanted.min(90_000_000) / width).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::bytes_of;

    fn pair() -> (Peer, UdpSocket) {
        let peer = Peer::listen("127.0.0.1:0".parse().expect("an address")).expect("a socket");
        let autopilot = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        autopilot.connect(peer.address().expect("an address")).expect("connected");
        autopilot.set_read_timeout(Some(Duration::from_secs(10))).expect("set");
        (peer, autopilot)
    }

    fn frame(number: u32) -> Vec<u8> {
        bytes_of(18_458, 400, number, &[1500; 16])
    }

    /// Sends a datagram and returns what it means.
    fn news(peer: &mut Peer, autopilot: &UdpSocket, bytes: &[u8]) -> News {
        autopilot.send(bytes).expect("sent");
        peer.receive().expect("received")
    }

    fn received(autopilot: &UdpSocket) -> String {
        let mut bytes = [0; 1000];
        let len = autopilot.recv(&mut bytes).expect("an answer");
        String::from_utf8_lossy(&bytes[..len]).into_owned()
    }

    #[test]
    fn each_frame_is_taken_once_and_a_lost_answer_sent_again() {
        let (mut peer, autopilot) = pair();
        let is_frame = |news: News| matches!(news, News::Frame { is_restart: false, .. });
        assert!(is_frame(news(&mut peer, &autopilot, &frame(1))));
        peer.answer("one".to_owned());
        assert_eq!(received(&autopilot), "one");
        assert_eq!(news(&mut peer, &autopilot, &frame(1)), News::Nothing);
        assert_eq!(received(&autopilot), "one");
        assert!(is_frame(news(&mut peer, &autopilot, &frame(2))));
    }

    #[test]
    fn a_restart_is_noticed_also_from_another_port() {
        let (mut peer, autopilot) = pair();
        news(&mut peer, &autopilot, &frame(5000));
        let again = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        again.connect(peer.address().expect("an address")).expect("connected");
        again.set_read_timeout(Some(Duration::from_secs(10))).expect("set");
        let restart = news(&mut peer, &again, &frame(1));
        assert!(matches!(restart, News::Frame { is_restart: true, .. }), "{restart:?}");
        peer.answer("new".to_owned());
        assert_eq!(received(&again), "new");
    }

    #[test]
    fn other_datagrams_are_counted_and_silence_is_nothing() {
        let (mut peer, autopilot) = pair();
        assert_eq!(peer.receive().expect("silence"), News::Nothing);
        for bytes in [&b""[..], b"hello", &[0; 72], &[0xff; 3000]] {
            assert_eq!(news(&mut peer, &autopilot, bytes), News::Nothing);
        }
        assert_eq!(peer.strange, 4);
    }

    #[test]
    fn a_frame_is_at_most_as_long_as_the_autopilot_wants() {
        let steps = [
            (400, 1_000_000),
            (1000, 1_000_000),
            (1200, 1_000_000),
            (50, 4_000_000),
            (0, 1_000_000),
            (1, 1_000_000),
        ];
        assert_eq!(steps.map(|(rate, width)| steps_of_frame(rate, width)), [2, 1, 1, 5, 1, 90]);
    }
}
