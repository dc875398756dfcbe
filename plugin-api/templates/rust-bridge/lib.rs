//! The bridge `@name@`: sends each message as JSON over UDP, and takes such datagrams from its peer.
//!
//! A datagram is the topic, a line feed, and the message as JSON. The connection string is `HOST:PORT` of the peer. When
//! the bridge connects, it sends an empty datagram, from which the peer learns its address.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::connection::{Form, Peer, Target};
use bridgehead_plugin_api::messages::{JsonPlan, Schema};
use bridgehead_plugin_api::prelude::*;

/// Longest wait of the loop that receives, after which it looks whether it shall end.
const POLL: Duration = Duration::from_millis(50);

/// One per vehicle, or one for the world. The host calls it from several threads at once.
struct @Type@ {
    /// The socket while it is connected.
    socket: Mutex<Option<Arc<UdpSocket>>>,
    /// Where messages of the peer go, by topic.
    incoming: Arc<Mutex<HashMap<String, Incoming>>>,
}

/// A topic that the peer may publish on.
struct Incoming {
    plan: JsonPlan,
    sink: Sink,
}

/// The host drops it when it no longer takes messages of its topic.
struct Subscriber {
    topic: String,
    incoming: Arc<Mutex<HashMap<String, Incoming>>>,
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        lock(&self.incoming).remove(&self.topic);
    }
}

/// Locks a mutex, also after a panic: its value is valid after each statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The form of connection strings: what errors say, and which keys there are.
static FORM: Form = Form {
    code: "PEER-001",
    target: Some(Target::new("PEER", "HOST:PORT")),
    keys: &[],
    example: "127.0.0.1:9000",
};

/// A parsed connection string.
struct Connection {
    peer: Peer,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        Ok(Connection {
            peer: options.target(|text| Peer::parse(text, None))?,
        })
    }
}

/// How messages of a topic become JSON and back. It is made once per topic, from the descriptor of its type.
fn plan_of(channel: &Channel<'_>) -> Result<JsonPlan> {
    let data_type = channel.data_type();
    let schema = Schema::new(data_type.descriptor_set.to_vec(), data_type.name.to_owned());
    let message = schema
        .resolve()
        .map_err(|error| Error::new(error.to_string()))?;
    Ok(JsonPlan::compile(&message))
}

impl @Type@ {
    fn socket(&self) -> Result<Arc<UdpSocket>> {
        lock(&self.socket)
            .clone()
            .ok_or_else(|| Error::new("not connected"))
    }

    /// Delivers a datagram of the peer.
    fn take(&self, datagram: &[u8]) -> Result {
        let text = str::from_utf8(datagram).map_err(|error| Error::new(error.to_string()))?;
        let (topic, json) = text
            .split_once('\n')
            .ok_or_else(|| Error::new("it has no line feed"))?;
        let incoming = lock(&self.incoming);
        let found = incoming
            .get(topic)
            .ok_or_else(|| Error::new(format!("nobody listens to `{topic}`")))?;
        let mut payload = Vec::new();
        found
            .plan
            .decode(json, &mut payload)
            .map_err(|error| Error::new(error.to_string()))?;
        found.sink.deliver(&Payload::from_vec(payload))
    }
}

impl Bridge for @Type@ {
    type Connection = Connection;
    type Publisher = JsonPlan;
    type Subscriber = Subscriber;
    const LOOPS: Loops = Loops::BOTH;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)
    }

    fn create(_: HostHandle) -> Result<Self> {
        Ok(@Type@ {
            socket: Mutex::default(),
            incoming: Arc::default(),
        })
    }

    fn connect(&self, connection: Connection) -> Result {
        let peer = connection.peer.look_up()?.remove(0);
        let socket = UdpSocket::bind(if peer.is_ipv4() {
            "0.0.0.0:0"
        } else {
            "[::]:0"
        })?;
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
        if self.socket().is_ok() {
            BridgeStatus::Connected
        } else {
            BridgeStatus::Disconnected
        }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<JsonPlan> {
        plan_of(channel)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Subscriber> {
        let topic = channel.topic().to_owned();
        lock(&self.incoming).insert(
            topic.clone(),
            Incoming {
                plan: plan_of(channel)?,
                sink,
            },
        );
        Ok(Subscriber {
            topic,
            incoming: Arc::clone(&self.incoming),
        })
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let socket = self.socket()?;
        while let Wait::Ready(item) = tx.next(None) {
            let mut datagram = [item.topic().as_bytes(), b"\n"].concat();
            let encoded = item.publisher().encode(item.bytes(), &mut datagram);
            // A datagram that is too large, or that the peer refuses because it does not run, counts as dropped.
            if encoded.is_err() || socket.send(&datagram).is_err() {
                item.reject();
            }
        }
        Ok(())
    }

    fn receive(&self, rx: &Rx<'_>) -> Result {
        let (socket, mut datagram) = (self.socket()?, vec![0; 65_536]);
        while !rx.is_interrupted() {
            match socket.recv(&mut datagram) {
                Ok(len) => {
                    if let Err(error) = self.take(&datagram[..len]) {
                        log::warn!("ignored a datagram: {error}");
                    }
                }
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
    bridge @Type@ { id: "@id@", name: "@name@", vendor: "@vendor@" }
}

#[cfg(test)]
mod tests;
