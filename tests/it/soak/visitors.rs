//! Clients that stay for a moment: some leave, some die during a call, some send noise.

use std::io::Write as _;
use std::net::{TcpStream, UdpSocket};

use serde_json::json;

use crate::cloisim_peers::{CloisimPeer, Place, proto};
use crate::floods::{Ports, flood};
use crate::ros2::{Domain, Peer};
use crate::support::{Python, Served, eventually, next_message};
use crate::zenoh::plain::Client;

/// Bytes of one piece of noise.
const NOISE: usize = 512;

/// What visitors need to know.
pub(super) struct Visitors<'a> {
    /// Of DDS and of Zenoh.
    domains: [&'a Domain; 2],
    place: &'a Place,
    ports: &'a Ports,
    python: &'a Python,
    random: u64,
}

/// A ROS client that is killed while it waits for a response.
#[track_caller]
fn dies_in_a_call(domain: &Domain, guest: &str) {
    let peer = Peer::start(domain).expect("a peer");
    let request = json!({"entity": guest});
    peer.call("get_entity_state", "simulation_interfaces/srv/GetEntityState", &request);
    drop(peer.ask("get_entities", "simulation_interfaces/srv/GetEntities", &json!({})));
}

/// A ROS client that reads a sensor of the vehicle and leaves properly.
#[track_caller]
fn reads_and_leaves(domain: &Domain, guest: &str) {
    let peer = Peer::start(domain).expect("a peer");
    let topic = format!("/{guest}/imu");
    let messages = peer.subscribe(&topic, "sensor_msgs/msg/Imu", json!({"reliable": false}));
    messages.next();
    peer.leave();
}

/// A program of Zenoh that asks for the latest messages, among them those of the vehicle, and is killed.
#[track_caller]
fn asks_for_everything(domain: &Domain, guest: &str) {
    let client = Client::connect(domain.endpoint().expect("a router")).expect("a client");
    let key = format!("bridgehead/{guest}/imu");
    eventually("its message is there", || {
        client.get("bridgehead/**").iter().any(|reply| reply["key"] == key)
    });
}

impl<'a> Visitors<'a> {
    pub(super) fn new(
        domains: [&'a Domain; 2],
        place: &'a Place,
        ports: &'a Ports,
        python: &'a Python,
    ) -> Self {
        Visitors { domains, place, ports, python, random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// One client visits; which kind depends on the number.
    #[track_caller]
    pub(super) fn visit(&mut self, host: &Served, number: u64, guest: &str) {
        let [dds, zenoh] = self.domains;
        match number % 10 {
            0 => dies_in_a_call(dds, guest),
            1 => reads_and_leaves(dds, guest),
            2 => self.reads_over_zmq_and_dies(guest),
            3 => drops_connections(host),
            4 => self.sends_noise(host),
            5 => self.floods(number),
            6 => dies_in_a_call(zenoh, guest),
            7 => reads_and_leaves(zenoh, guest),
            8 => asks_for_everything(zenoh, guest),
            _ => self.stops_reading(guest),
        }
    }

    #[track_caller]
    fn zmq(&self, guest: &str) -> CloisimPeer {
        let arguments = [&*self.place.service(), &proto(), guest, "base_imu"];
        let mut peer = CloisimPeer::start(self.python, "imu.py", &arguments);
        assert_eq!(peer.receive()["ready"], true);
        peer
    }

    /// A client of CLOiSim that is killed.
    #[track_caller]
    fn reads_over_zmq_and_dies(&self, guest: &str) {
        let mut peer = self.zmq(guest);
        let mut received = 0;
        while received == 0 {
            peer.send_line("report");
            received = peer.receive()["stamps"].as_array().expect("a list").len();
        }
    }

    /// A client of CLOiSim that stays connected without reading, and is killed.
    #[track_caller]
    fn stops_reading(&self, guest: &str) {
        let peer = self.zmq(guest);
        peer.signal(libc::SIGSTOP);
        // Wall time: the client does not read for some time.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }

    /// As much as a peer can send: another flood each time.
    fn floods(&self, number: u64) {
        let (row, bursts) =
            (usize::try_from(number / 10).unwrap_or_default(), number << 32..(number << 32) + 20);
        bursts.for_each(|burst| flood(self.ports, row, burst));
    }

    /// Bytes for every open port of the host: HTTP, the service of CLOiSim, and DDS.
    #[track_caller]
    fn sends_noise(&mut self, host: &Served) {
        for address in [host.address().to_owned(), format!("127.0.0.1:{}", self.place.service())] {
            let mut stream = TcpStream::connect(address).expect("the host listens");
            // The host may have closed the connection already.
            drop(stream.write_all(&self.noise()));
        }
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let base = 7400 + 250 * self.domains[0].number();
        for port in [base, base + 10, base + 11] {
            let mut packet = b"RTPS\x02\x03\x01\x10".to_vec();
            packet.extend(self.noise());
            socket.send_to(&packet, ("127.0.0.1", port)).expect("sent");
        }
    }

    /// Bytes of a generator (xorshift), different in each call.
    fn noise(&mut self) -> Vec<u8> {
        let mut next = || {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            self.random.to_le_bytes()[3]
        };
        (0..NOISE).map(|_| next()).collect()
    }
}

/// A WebSocket that ends without a farewell, and half a request.
#[track_caller]
fn drops_connections(host: &Served) {
    let mut socket = host.subscribe("state");
    next_message(&mut socket);
    let mut stream = TcpStream::connect(host.address()).expect("the host listens");
    stream.write_all(b"POST /api/get_status HTTP/1.1\r\nHost: ").expect("sent");
}
