//! The ports of a host with all its bridges, and an honest client for each.

use std::io::{ErrorKind, Read, Write as _};
use std::net::{TcpStream, UdpSocket};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::{IntoClientRequest as _, client};
use tungstenite::{Message, WebSocket};

use super::gz::GzPorts;
use crate::cloisim_peers::Place;
use crate::ros2::Domain;
use crate::support::{Connection, Served, free_port};

/// How long an honest client waits for an answer, after which it connects again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The ports of the IMU, counted from that of the service: the clock has two before them.
const INFO: u16 = 3;
const DATA: u16 = 4;

/// What a peer of ZeroMQ 3.0 says first: signature, version, the mechanism NULL and filler, then its type in three letters.
fn greeting(kind: &str) -> Vec<u8> {
    let mut mechanism = b"NULL".to_vec();
    mechanism.resize(20 + 1 + 31, 0);
    let ready = b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03";
    [b"\xff\0\0\0\0\0\0\0\0\x7f\x03\0", &*mechanism, ready, kind.as_bytes()].concat()
}

/// The message by which a subscriber of ZeroMQ 3.0 wants everything.
const SUBSCRIPTION: &[u8] = b"\0\x01\x01";

/// The ports.
#[derive(Clone, Debug)]
pub(crate) struct Ports {
    http: u16,
    rosbridge: u16,
    foxglove: u16,
    /// The WebSocket of CLOiSim that lists the devices.
    service: u16,
    /// Where a device of CLOiSim answers requests, and where it publishes, in ZeroMQ.
    info: u16,
    data: u16,
    /// Discovery and data of DDS.
    dds: [u16; 3],
    gz: GzPorts,
}

/// A WebSocket of the host.
#[derive(Clone, Copy, Debug)]
pub(super) enum Server {
    Http,
    Rosbridge,
    Foxglove,
    Cloisim,
}

/// A client of a WebSocket server that makes one request again and again.
pub(crate) struct HonestClient {
    socket: WebSocket<Connection>,
    request: Value,
    /// A part of the answer.
    answer: &'static str,
}

impl HonestClient {
    pub(crate) fn is_answered(&mut self) -> bool {
        self.socket.send(Message::text(self.request.to_string())).is_ok()
            && receives(&mut self.socket, self.answer)
    }
}

/// Whether a message with this part arrives.
fn receives(socket: &mut WebSocket<Connection>, part: &str) -> bool {
    std::iter::from_fn(|| socket.read().ok())
        .any(|message| message.to_text().is_ok_and(|text| text.contains(part)))
}

/// Whether a publisher has greeted a subscriber and sends it messages.
fn is_sent(subscriber: Option<TcpStream>) -> bool {
    let Some(stream) = subscriber else { return false };
    let mut received = Vec::new();
    match stream.take(1024).read_to_end(&mut received) {
        Ok(_) => received.len() == 1024,
        Err(error) => {
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::ConnectionReset
                ),
                "{error}"
            );
            false
        }
    }
}

impl Ports {
    /// Free ports; that of HTTP is known once the host runs.
    #[track_caller]
    pub(crate) fn free(place: &Place, domain: &Domain) -> Self {
        let service: u16 = place.service().parse().expect("a port");
        let base = 7400 + 250 * domain.number();
        let (rosbridge, foxglove) = (free_port(), free_port());
        let dds = [base, base + 10, base + 11];
        Ports {
            http: 0,
            rosbridge,
            foxglove,
            service,
            info: service + INFO,
            data: service + DATA,
            dds,
            gz: GzPorts::free(),
        }
    }

    /// The ports of a running host that serves HTTP at this address.
    #[track_caller]
    pub(crate) fn with_host(mut self, address: &str) -> Self {
        self.gz = self.gz.with_host();
        self.http = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
        self
    }

    /// The bridges with ports of their own, for the world and all vehicles.
    pub(crate) fn bridges(&self) -> [String; 3] {
        [
            self.gz.bridge(),
            format!("*=rosbridge:127.0.0.1:{};clients=64", self.rosbridge),
            format!("*=foxglove:127.0.0.1:{};clients=64", self.foxglove),
        ]
    }

    pub(super) fn dds(&self) -> [u16; 3] {
        self.dds
    }

    pub(super) fn port(&self, server: Server) -> u16 {
        match server {
            Server::Http => self.http,
            Server::Rosbridge => self.rosbridge,
            Server::Foxglove => self.foxglove,
            Server::Cloisim => self.service,
        }
    }

    /// All ports of TCP.
    pub(super) fn of_tcp(&self) -> [u16; 8] {
        let (publisher, replier) = (self.gz.publisher(), self.gz.replier());
        [self.http, self.rosbridge, self.foxglove, self.service, self.info, self.data, publisher, replier]
    }

    /// Opens a WebSocket; nothing if the server has too many clients already.
    pub(super) fn open(&self, server: Server) -> Option<WebSocket<Connection>> {
        let (port, path) = (
            self.port(server),
            match server {
                Server::Http => "/ws",
                Server::Rosbridge | Server::Foxglove => "/",
                Server::Cloisim => "/control",
            },
        );
        let stream = Connection::connect(("127.0.0.1", port), PATIENCE).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).expect("an option");
        let mut request = format!("ws://127.0.0.1:{port}{path}").into_client_request().expect("a request");
        if matches!(server, Server::Foxglove) {
            request
                .headers_mut()
                .insert("sec-websocket-protocol", "foxglove.sdk.v1".parse().expect("a value"));
        }
        client(request, stream).ok().map(|(socket, _)| socket)
    }

    /// Subscribes to the device in ZeroMQ.
    pub(super) fn subscribe(&self) -> Option<TcpStream> {
        let mut stream = Self::greet(self.data, "SUB")?;
        stream.write_all(SUBSCRIPTION).ok()?;
        Some(stream)
    }

    /// Connects to the port of the device for requests.
    pub(super) fn requester(&self) -> Option<TcpStream> {
        Self::greet(self.info, "REQ")
    }

    /// Subscribes to the topics of Gazebo.
    pub(super) fn gz_subscribe(&self) -> Option<TcpStream> {
        let mut stream = Self::greet(self.gz.publisher(), "SUB")?;
        stream.write_all(SUBSCRIPTION).ok()?;
        Some(stream)
    }

    /// Connects to the services of Gazebo, as a socket that routes.
    pub(super) fn gz_requester(&self) -> Option<TcpStream> {
        Self::greet(self.gz.replier(), "REQ")
    }

    pub(super) fn gz_announce(&self, datagram: &[u8]) {
        self.gz.announce(datagram);
    }

    fn greet(port: u16, kind: &str) -> Option<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).expect("an option");
        stream.set_write_timeout(Some(PATIENCE)).expect("an option");
        stream.write_all(&greeting(kind)).ok()?;
        // The greeting of the library, and what it is: before that it refuses subscriptions.
        let mut answer = [0; 64 + 2];
        stream.read_exact(&mut answer).ok()?;
        stream.read_exact(&mut vec![0; answer[65].into()]).ok()?;
        Some(stream)
    }

    /// Whether an honest client of each port gets what it asks for.
    pub(crate) fn all_answer(&self, host: &Served) -> bool {
        host.status("step") >= 0
            && self.clients().is_some_and(|mut clients| clients.iter_mut().all(HonestClient::is_answered))
            && self.open(Server::Foxglove).is_some_and(|mut socket| receives(&mut socket, "/core/imu"))
            && is_sent(self.subscribe())
            && is_sent(self.gz_subscribe())
    }

    /// Connects an honest client to each WebSocket server; nothing if one does not accept it.
    pub(crate) fn clients(&self) -> Option<Vec<HonestClient>> {
        let clients = [
            (Server::Http, json!({"op": "subscribe", "what": "state"}), "subscribed"),
            (
                Server::Rosbridge,
                json!({"op": "call_service", "service": "/get_status", "id": "honest"}),
                "honest",
            ),
            (
                Server::Foxglove,
                json!({"op": "getParameters", "parameterNames": [], "id": "honest"}),
                "honest",
            ),
            (Server::Cloisim, json!({"command": "device_list", "filter": ""}), "base_imu"),
        ];
        let open =
            |(server, request, answer)| Some(HonestClient { socket: self.open(server)?, request, answer });
        clients.into_iter().map(open).collect()
    }

    /// Sends a datagram to a port of DDS.
    pub(super) fn send_datagram(&self, port: u16, bytes: &[u8]) {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        // A port that nobody has opened refuses.
        drop(socket.send_to(bytes, ("127.0.0.1", port)));
    }
}
