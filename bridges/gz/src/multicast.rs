//! The two sockets of discovery: everything that is said goes to a multicast group, once for topics and once for services.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};

use nix::ifaddrs::getifaddrs;
use socket2::{Domain, Protocol, Socket, Type};

use crate::discovery::{Datagram, MAX_DATAGRAM};

/// What a datagram is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Topics,
    Services,
}

impl Subject {
    pub(crate) const ALL: [Subject; 2] = [Subject::Topics, Subject::Services];
}

/// The socket of one subject.
#[derive(Debug)]
pub(crate) struct Multicast {
    socket: UdpSocket,
    groups: Vec<SocketAddrV4>,
    /// True if peers are of this machine. Linux gives a datagram to every socket of the port, whatever interface it came
    /// from.
    is_loopback: bool,
    /// The addresses of this machine.
    own: Vec<Ipv4Addr>,
}

impl Multicast {
    /// Opens the socket of a port, which other processes share, and joins groups.
    ///
    /// # Errors
    /// Returns an error if another process uses the port alone, or no interface has the address.
    pub(crate) fn open(ip: Ipv4Addr, port: u16, groups: &[Ipv4Addr]) -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
        socket.set_reuse_address(true)?;
        socket.set_reuse_port(true)?;
        socket.set_nonblocking(true)?;
        socket.bind(&SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, port).into())?;
        for group in groups {
            socket.join_multicast_v4(group, &ip)?;
        }
        socket.set_multicast_if_v4(&ip)?;
        socket.set_multicast_loop_v4(true)?;
        Ok(Multicast {
            socket: socket.into(),
            groups: groups.iter().map(|group| SocketAddrV4::new(*group, port)).collect(),
            is_loopback: ip.is_loopback(),
            own: own_addresses(),
        })
    }

    pub(crate) fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Sends a datagram to everybody. If the system takes none at the moment, it is lost: each is repeated within a second.
    pub(crate) fn send(&self, datagram: &Datagram) {
        let Some(bytes) = datagram.encode_datagram() else { return };
        for group in &self.groups {
            if let Err(error) = self.socket.send_to(&bytes, group) {
                log::debug!("a datagram of discovery is not sent: {error}");
            }
        }
    }

    /// Returns the next datagram that has arrived from a process that may be a peer.
    pub(crate) fn receive<'b>(&self, buffer: &'b mut [u8; MAX_DATAGRAM]) -> Option<&'b [u8]> {
        loop {
            match self.socket.recv_from(buffer) {
                Ok((length, from)) if self.is_peer(from) => return buffer.get(..length),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Returns true if a sender may be a peer: on the loopback, one of this machine.
    fn is_peer(&self, from: SocketAddr) -> bool {
        let IpAddr::V4(from) = from.ip() else { return false };
        from.is_loopback() || !self.is_loopback || self.is_own(from)
    }

    /// Returns true for the addresses of this machine.
    pub(crate) fn is_own(&self, ip: Ipv4Addr) -> bool {
        self.own.contains(&ip)
    }
}

/// Returns the IPv4 addresses of this machine.
fn own_addresses() -> Vec<Ipv4Addr> {
    let interfaces = getifaddrs().into_iter().flatten();
    interfaces.filter_map(|interface| Some(interface.address?.as_sockaddr_in()?.ip())).collect()
}
