//! RTPS datagrams that the bridge sends itself, where `rustdds` does not send what other vendors need.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use super::guid::Guid;
use super::options::Network;

/// The RTPS header of `rustdds`, with its protocol version.
const HEADER: [u8; 8] = [b'R', b'T', b'P', b'S', 2, 4, 1, 0x12];

/// Kinds of submessages, and the flag for little endian, which all of them have here.
const INFO_DST: u8 = 0x0e;
const LITTLE_ENDIAN: u8 = 1;

/// One submessage from a local endpoint to a remote one (RTPS 2.5, 9.4.5).
pub(super) struct Submessage<'a> {
    /// Sender; its participant is the source.
    pub(super) from: Guid,
    /// Receiver; its participant is the destination.
    pub(super) to: Guid,
    /// Kind of the submessage.
    pub(super) kind: u8,
    /// Flags without the byte order.
    pub(super) flags: u8,
    /// Content after its header.
    pub(super) body: &'a [u8],
}

impl Submessage<'_> {
    /// Returns the header, the destination (9.4.5.8) and the submessage.
    fn datagram(&self) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        bytes.extend(self.from.prefix());
        let to = self.to.prefix();
        for (kind, flags, body) in [(INFO_DST, 0, &to[..]), (self.kind, self.flags, self.body)] {
            bytes.extend([kind, flags | LITTLE_ENDIAN]);
            bytes.extend(u16::try_from(body.len()).unwrap_or_default().to_le_bytes());
            bytes.extend(body);
        }
        bytes
    }

    /// Sends it once to `addresses`, on the interfaces in use.
    pub(super) fn send(&self, network: &Network, addresses: impl Iterator<Item = SocketAddr>) {
        let datagram = self.datagram();
        let is_usable = |address: &SocketAddr| address.is_ipv4() && address.port() != 0;
        let addresses: Vec<SocketAddr> = addresses.filter(is_usable).collect();
        let sources = match network {
            Network::All => vec![IpAddr::V4(Ipv4Addr::UNSPECIFIED)],
            Network::Only(sources) => sources.clone(),
        };
        for socket in sources.into_iter().filter_map(|source| UdpSocket::bind((source, 0)).ok()) {
            for address in &addresses {
                drop(socket.send_to(&datagram, address));
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns what arrives when `send` sends to this address.
    pub(crate) fn received(send: impl FnOnce(&Network, SocketAddr)) -> Vec<u8> {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let address = socket.local_addr().expect("an address");
        send(&Network::Only(vec![address.ip()]), address);
        let mut bytes = vec![0; 256];
        let (length, _) = bridgehead_http_client::receive_from(&socket, &mut bytes).expect("a datagram");
        bytes.truncate(length);
        bytes
    }

    /// Returns an address of a vendor whose other bytes are all `rest`.
    pub(crate) fn guid(vendor: u8, rest: u8) -> Guid {
        let mut bytes = [rest; 16];
        bytes[..2].copy_from_slice(&[1, vendor]);
        Guid(bytes)
    }

    #[test]
    fn a_submessage_follows_the_addresses() {
        let (from, to) = (guid(0x12, 9), guid(0x0f, 8));
        let message = Submessage { from, to, kind: 0x07, flags: 2, body: &[1, 2, 3, 4] };
        let bytes = received(|network, address| message.send(network, [address].into_iter()));
        assert_eq!(bytes[..8], *b"RTPS\x02\x04\x01\x12");
        assert_eq!((&bytes[8..20], &bytes[20..24]), (&from.0[..12], &[0x0e, 1, 12, 0][..]));
        assert_eq!((&bytes[24..36], &bytes[36..]), (&to.0[..12], &[0x07, 3, 4, 0, 1, 2, 3, 4][..]));
    }
}
