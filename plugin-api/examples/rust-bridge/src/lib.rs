//! A bridge over UDP: one datagram per message, `topic NUL payload`, to and from one peer.
//!
//! Connection string: `HOST:PORT` of the peer. On connect the bridge sends an empty datagram, from which the peer
//! learns the bridge's address.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::connection::{Form, Peer, Target};
use bridgehead_plugin_api::prelude::*;

/// Time-out of a receive, after which the loop checks whether it should end.
const POLL: Duration = Duration::from_millis(50);

/// The largest payload of a datagram over IPv4.
const MAX_DATAGRAM: usize = 65_507;

/// Sinks of the incoming topics.
type Sinks = Mutex<HashMap<String, Sink>>;

struct UdpBridge {
    socket: Mutex<Option<Arc<UdpSocket>>>,
    sinks: Arc<Sinks>,
}

/// Removes its topic from the table when the host withdraws it.
struct Incoming {
    topic: String,
    sinks: Arc<Sinks>,
}

impl Drop for Incoming {
    fn drop(&mut self) {
        lock(&self.sinks).remove(&self.topic);
    }
}

/// Locks a mutex and ignores poisoning: the table is consistent after every statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The form of connection strings.
static FORM: Form = Form {
    code: "EX-UDP-001",
    target: Some(Target::new("PEER", "HOST:PORT")),
    keys: &[],
    example: "127.0.0.1:9000",
};

/// The peer that a connection string names.
struct UdpPeer(Peer);

impl FromStr for UdpPeer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        FORM.read(text)?.target(|text| Peer::parse(text, None)).map(UdpPeer)
    }
}

impl UdpBridge {
    fn socket(&self) -> Result<Arc<UdpSocket>> {
        lock(&self.socket).clone().ok_or_else(|| Error::new("not connected"))
    }

    fn deliver(&self, datagram: &[u8]) {
        let Some(end) = datagram.iter().position(|byte| *byte == 0) else { return };
        let (topic, payload) = (String::from_utf8_lossy(&datagram[..end]), &datagram[end + 1..]);
        let payload = Payload::from_vec(payload.to_vec());
        if let Some(Err(error)) = lock(&self.sinks).get(&*topic).map(|sink| sink.deliver(&payload)) {
            log::warn!("{topic}: {error}");
        }
    }
}

impl Bridge for UdpBridge {
    type Connection = UdpPeer;
    type Publisher = ();
    type Subscriber = Incoming;
    const LOOPS: Loops = Loops::BOTH;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)
    }

    fn create(_: HostHandle) -> Result<Self> {
        Ok(UdpBridge { socket: Mutex::default(), sinks: Arc::default() })
    }

    fn connect(&self, connection: UdpPeer) -> Result {
        let peer = connection.0.look_up()?.remove(0);
        let socket = UdpSocket::bind(if peer.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" })?;
        socket.set_read_timeout(Some(POLL))?;
        socket.connect(peer)?;
        socket.send(&[])?;
        *lock(&self.socket) = Some(Arc::new(socket));
        Ok(())
    }

    fn disconnect(&self) -> Result {
        *lock(&self.socket) = None;
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if self.socket().is_ok() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, _: &Channel<'_>) -> Result {
        Ok(())
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Incoming> {
        let topic = channel.topic().to_owned();
        lock(&self.sinks).insert(topic.clone(), sink);
        Ok(Incoming { topic, sinks: Arc::clone(&self.sinks) })
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let socket = self.socket()?;
        while let Wait::Ready(item) = tx.next(None) {
            let datagram = [item.topic().as_bytes(), &[0], item.bytes()].concat();
            // A peer that is not running yet refuses the datagram: this message is lost, a later one may arrive.
            if datagram.len() > MAX_DATAGRAM || socket.send(&datagram).is_err() {
                item.reject();
            }
        }
        Ok(())
    }

    fn receive(&self, rx: &Rx<'_>) -> Result {
        let (socket, mut datagram) = (self.socket()?, vec![0; MAX_DATAGRAM]);
        while !rx.is_interrupted() {
            match socket.recv(&mut datagram) {
                Ok(len) => self.deliver(&datagram[..len]),
                Err(error) => match error.kind() {
                    // Nothing came in time, the host was suspended and continued, or the peer does not run.
                    ErrorKind::WouldBlock
                    | ErrorKind::TimedOut
                    | ErrorKind::Interrupted
                    | ErrorKind::ConnectionRefused => {}
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }
}

bridgehead_plugin_api::export_plugin! {
    bridge UdpBridge { id: "org.example.bridge.udp", name: "udp", vendor: "Example" }
}

#[cfg(test)]
mod tests;
