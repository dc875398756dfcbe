//! The ports of the bridge to programs of Gazebo, which its datagrams tell.

use std::io::Read as _;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use crate::support::free_port;

const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 0, 7);
/// More than the time between two announcements.
const PATIENCE: Duration = Duration::from_secs(3);
/// What an address looks like in a datagram.
const ADDRESS: &str = "tcp://127.0.0.1:";

/// The ports of discovery, of topics and of services; and those that they tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct GzPorts {
    discovery: [u16; 2],
    /// Where messages are published, and where requests are taken.
    tcp: [u16; 2],
}

impl GzPorts {
    #[track_caller]
    pub(super) fn free() -> Self {
        GzPorts { discovery: [free_port(), free_port()], tcp: [0; 2] }
    }

    pub(super) fn bridge(&self) -> String {
        let [topics, services] = self.discovery;
        format!("*=gz:partition=floods;ports={topics},{services}")
    }

    /// With the ports that a running host tells.
    #[track_caller]
    pub(super) fn with_host(mut self) -> Self {
        for (port, discovery) in self.tcp.iter_mut().zip(self.discovery) {
            *port = told(discovery).expect("the bridge announces itself");
        }
        self
    }

    pub(super) fn publisher(&self) -> u16 {
        self.tcp[0]
    }

    pub(super) fn replier(&self) -> u16 {
        self.tcp[1]
    }

    /// Sends a datagram to everybody who discovers.
    pub(super) fn announce(&self, bytes: &[u8]) {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, None).expect("a socket");
        socket.set_multicast_if_v4(&Ipv4Addr::LOCALHOST).expect("an option");
        for port in self.discovery {
            // A full buffer refuses.
            drop(socket.send_to(bytes, &SocketAddrV4::new(GROUP, port).into()));
        }
    }
}

/// The port that the datagrams of a port of discovery tell.
fn told(discovery: u16) -> Option<u16> {
    let mut socket = Socket::new(Domain::IPV4, Type::DGRAM, None).expect("a socket");
    socket.set_reuse_address(true).expect("an option");
    socket.set_reuse_port(true).expect("an option");
    socket.set_read_timeout(Some(PATIENCE)).expect("an option");
    socket.bind(&SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, discovery).into()).expect("bound");
    socket.join_multicast_v4(&GROUP, &Ipv4Addr::LOCALHOST).expect("joined");
    let mut buffer = [0; 2048];
    // The first datagrams are heartbeats, without an address.
    (0..1000).find_map(|_| {
        let length = socket.read(&mut buffer).ok()?;
        port_in(&String::from_utf8_lossy(&buffer[..length]))
    })
}

fn port_in(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once(ADDRESS)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A datagram of a process that announces a topic or a service of its own, at a port that nobody listens at.
pub(super) fn announcement(number: u64) -> Vec<u8> {
    let text = |tag: u8, text: &str| {
        [&[tag << 3 | 2, u8::try_from(text.len()).expect("short")], text.as_bytes()].concat()
    };
    let process = format!("{number:036}");
    // Of some topics the run has a subscriber.
    let topic =
        if number.is_multiple_of(2) { format!("@/floods@/{number}") } else { "@/floods@/flood".into() };
    let details = [text(1, "unused"), text(2, "gz.msgs.Twist")].concat();
    let publisher = [
        text(1, &topic),
        text(2, &format!("{ADDRESS}{}", 1 + number % 1000)),
        text(3, &process),
        text(4, &process),
        vec![5 << 3, 2],
        [&[6 << 3 | 2, u8::try_from(details.len()).expect("short")], details.as_slice()].concat(),
    ]
    .concat();
    let length = u8::try_from(publisher.len()).expect("short");
    // A length over 127 has two bytes.
    let header = [7 << 3 | 2, length & 0x7f | 0x80, length >> 7];
    let body = [vec![2 << 3, 10], text(3, &process), vec![4 << 3, 1], header.to_vec(), publisher].concat();
    [&u16::try_from(body.len()).expect("short").to_le_bytes()[..], &body].concat()
}
