//! Crafted RTPS datagrams: the host survives them with little memory, and its clients are still served.

use std::collections::HashSet;
use std::fs;
use std::net::UdpSocket;
use std::time::Duration;

use object::{Object as _, ObjectSymbol as _};
use serde_json::json;

use super::{Domain, Peer};
use crate::support::{Served, Setup, eventually, plugin, receive_from, root};

/// Most memory that the host ever used, MiB. Without attacks it is about 60.
const MEMORY_MIB: u64 = 300;
/// How many mutated datagrams the host gets.
const MUTATIONS: usize = 20_000;
/// Where the test receives what participants announce on this machine: the ports of the third one.
const SPY: u16 = 3;

const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const STATE: &str = "simulation_interfaces/srv/GetSimulationState";

const HEADER: usize = 20;
const HEARTBEAT: u8 = 0x07;
const GAP: u8 = 0x08;
const DATA_FRAG: u8 = 0x16;

/// Readers and writers of discovery: signs of life, publications, subscriptions.
const BUILTIN: [[u8; 4]; 3] = [[0, 2, 0, 0xc2], [0, 0, 3, 0xc2], [0, 0, 4, 0xc2]];

/// A host, a client, and a socket on which both announce themselves.
struct Scene {
    host: Served,
    peer: Peer,
    socket: UdpSocket,
    /// Announcements of participants, in full.
    announcements: Vec<Vec<u8>>,
    domain: Domain,
}

fn port(domain: &Domain, index: u16, is_user: bool) -> u16 {
    7400 + 250 * domain.number() + 10 + 2 * index + u16::from(is_user)
}

impl Scene {
    /// `None` without Cyclone DDS for Python.
    #[track_caller]
    fn start() -> Option<Self> {
        if !Peer::is_available() {
            return None;
        }
        let domain = Domain::free();
        let socket = UdpSocket::bind(("127.0.0.1", port(&domain, SPY, false))).expect("a port");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let worlds = root().join("tests/fixtures/worlds");
        let setup = Setup::new().in_real_time().plugins(&["ros2"]).run(&worlds.join("W1.sdf"));
        let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
        let host = Served::start(setup.args(["--start", "paused"]).bridge(bridge));
        eventually("it is paused", || host.state() == 2);
        let peer = Peer::start(&domain)?;
        let mut scene = Scene { host, peer, socket, announcements: Vec::new(), domain };
        scene.expect_served("before");
        scene.listen();
        Some(scene)
    }

    /// Receives until two participants have announced themselves.
    #[track_caller]
    fn listen(&mut self) {
        let mut bytes = [0; 65_536];
        while self.prefixes().len() < 2 {
            let (length, _) =
                receive_from(&self.socket, &mut bytes).expect("participants announce themselves");
            self.announcements.push(bytes[..length].to_vec());
        }
    }

    fn prefixes(&self) -> HashSet<[u8; 12]> {
        self.announcements.iter().map(|bytes| bytes[8..HEADER].try_into().expect("12 bytes")).collect()
    }

    /// Sends a datagram to both ports of the host.
    fn attack(&self, datagram: &[u8]) {
        for is_user in [false, true] {
            let address = ("127.0.0.1", port(&self.domain, 0, is_user));
            self.socket.send_to(datagram, address).expect("sent");
        }
    }

    /// Sends a submessage in the name of each participant, and of an unknown one.
    fn attack_as_all(&self, kind: u8, body: &[u8]) {
        for prefix in self.prefixes().into_iter().chain([*b"someone else"]) {
            self.attack(&datagram(prefix, kind, body));
        }
    }

    /// Fails unless the client is served, through endpoints that the host has not discovered yet.
    #[track_caller]
    fn expect_served(&self, name: &str) {
        let state = self.peer.call("get_simulation_state", STATE, &json!({}));
        assert_eq!(state["state"]["state"], 2);
        let response = self.peer.call("delete_entity", DELETE, &json!({"entity": name}));
        let text = response["result"]["error_message"].as_str().expect("a text");
        assert!(text.contains(name), "{response}");
    }

    /// Fails unless new clients and the old one are served, the host used little memory, and it ends as usual.
    #[track_caller]
    fn expect_unharmed(self) {
        self.expect_served("after");
        let _ = self.peer.subscribe("rt/clock", "rosgraph_msgs/msg/Clock", json!({"reliable": false}));
        let features = "simulation_interfaces/srv/GetSimulatorFeatures";
        let response = self.peer.call("get_simulator_features", features, &json!({}));
        assert!(response["features"]["features"].as_array().is_some_and(|features| !features.is_empty()));
        let late = Peer::start(&self.domain).expect("a second peer");
        let response = late.call("delete_entity", DELETE, &json!({"entity": "late"}));
        assert!(response["result"]["error_message"].as_str().is_some_and(|text| text.contains("late")));
        let memory = peak_memory(&self.host);
        assert!(memory < MEMORY_MIB, "the host used {memory} MiB");
        self.host.ok("set_simulation_state", json!({"state": {"state": 3}}));
        self.host.finish().expect_code(0);
    }
}

/// The most memory that the host used, MiB.
#[track_caller]
fn peak_memory(host: &Served) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", host.id())).expect("the host lives");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).expect("a number") / 1024
}

fn datagram(prefix: [u8; 12], kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).expect("short").to_le_bytes();
    [&b"RTPS\x02\x04\x01\x12"[..], &prefix, &[kind, 1], &length, body].concat()
}

fn number(value: i64) -> Vec<u8> {
    let [low @ .., h0, h1, h2, h3] = value.to_le_bytes();
    [&[h0, h1, h2, h3][..], &low].concat()
}

fn reader_of([a, b, c, _]: [u8; 4]) -> [u8; 4] {
    [a, b, c, 0xc7]
}

fn heartbeat(writer: [u8; 4], first: i64, last: i64, count: i32) -> Vec<u8> {
    [&reader_of(writer)[..], &writer, &number(first), &number(last), &count.to_le_bytes()].concat()
}

fn gap(writer: [u8; 4], start: i64, base: i64) -> Vec<u8> {
    [&reader_of(writer)[..], &writer, &number(start), &number(base), &[0; 4]].concat()
}

fn fragment(reader: [u8; 4], writer: [u8; 4], sequence: i64, size: u32) -> Vec<u8> {
    let head = [&[0, 0, 28, 0][..], &reader, &writer, &number(sequence)].concat();
    [&head[..], &1_u32.to_le_bytes(), &[1, 0, 0, 4], &size.to_le_bytes(), &[0; 1024]].concat()
}

#[test]
fn heartbeats_that_announce_two_billion_samples_do_no_harm() {
    let Some(scene) = Scene::start() else { return };
    for count in 1000..1010 {
        for writer in BUILTIN {
            scene.attack_as_all(HEARTBEAT, &heartbeat(writer, 1, 0x7fff_ffff, count));
        }
    }
    scene.expect_unharmed();
}

#[test]
fn fragments_that_announce_large_samples_do_no_harm() {
    let Some(scene) = Scene::start() else { return };
    for sequence in 100..300 {
        for size in [0xffff_fff0, 16 << 20, 1 << 20] {
            for writer in BUILTIN {
                scene.attack_as_all(DATA_FRAG, &fragment(reader_of(writer), writer, sequence, size));
            }
        }
    }
    scene.expect_unharmed();
}

#[test]
fn gaps_over_numbers_that_no_writer_has_announced_do_no_harm() {
    let Some(scene) = Scene::start() else { return };
    for writer in BUILTIN {
        scene.attack_as_all(GAP, &gap(writer, 50, 1 << 40));
        scene.attack_as_all(GAP, &gap(writer, 1000, i64::MAX));
    }
    scene.expect_unharmed();
}

/// A sequence of numbers that looks random (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("small")
    }

    /// Changes a byte or a word behind the header, or cuts the datagram.
    fn mutate(&mut self, datagram: &mut Vec<u8>) {
        const WORDS: [u32; 6] = [0, 1, 0x7fff_ffff, u32::MAX, 0xffff_fff0, 1 << 20];
        for _ in 0..=self.below(3) {
            let at = HEADER + self.below(datagram.len() - HEADER);
            match self.below(8) {
                0 => datagram.truncate(at.max(HEADER + 4)),
                1..4 => {
                    let word = WORDS[self.below(WORDS.len())].to_le_bytes();
                    datagram.iter_mut().skip(at & !3).zip(word).for_each(|(byte, new)| *byte = new);
                }
                _ => datagram[at] ^= 1 << self.below(8),
            }
        }
    }
}

/// The datagrams are sent in the name of a participant that does not exist: what they say about the client would be
/// true for the host.
#[test]
fn mutated_datagrams_do_no_harm() {
    let Some(scene) = Scene::start() else { return };
    let stranger = *b"someone else";
    let mut seeds: Vec<Vec<u8>> = scene.announcements.clone();
    for seed in &mut seeds {
        let prefix: [u8; 12] = seed[8..HEADER].try_into().expect("12 bytes");
        // In the announcement itself too.
        for at in 0..seed.len() - 12 {
            if seed[at..at + 12] == prefix {
                seed[at..at + 12].copy_from_slice(&stranger);
            }
        }
    }
    for writer in BUILTIN {
        for body in [heartbeat(writer, 1, 10, 1), heartbeat(writer, 5, 1 << 20, 2)] {
            seeds.push(datagram(stranger, HEARTBEAT, &body));
        }
        seeds.push(datagram(stranger, GAP, &gap(writer, 1, 100)));
        seeds.push(datagram(stranger, DATA_FRAG, &fragment(reader_of(writer), writer, 7, 100_000)));
    }
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..MUTATIONS {
        let mut datagram = seeds[numbers.below(seeds.len())].clone();
        numbers.mutate(&mut datagram);
        scene.attack(&datagram);
        if round.is_multiple_of(1000) {
            scene.expect_served("meanwhile");
        }
    }
    scene.expect_unharmed();
}

/// Addresses of the UDP sockets of the host over IPv4, as in `/proc/net/udp`.
#[track_caller]
fn bound_addresses(host: &Served) -> Vec<String> {
    let process = format!("/proc/{}", host.id());
    let links = fs::read_dir(format!("{process}/fd")).expect("the host lives").flatten();
    let sockets: HashSet<String> = links
        .filter_map(|link| fs::read_link(link.path()).ok()?.to_str().map(ToOwned::to_owned))
        .filter_map(|target| Some(target.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let table = fs::read_to_string(format!("{process}/net/udp")).expect("a table");
    let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| sockets.contains(row[9])).map(|row| row[1].to_owned()).collect()
}

#[test]
fn the_loopback_interface_alone_means_no_socket_at_other_addresses() {
    let domain = Domain::free();
    let worlds = root().join("tests/fixtures/worlds");
    let setup = Setup::new().in_real_time().plugins(&["ros2"]).run(&worlds.join("W1.sdf"));
    let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
    let host = Served::start(setup.args(["--start", "paused"]).bridge(bridge));
    eventually("it is paused", || host.state() == 2);
    let addresses = bound_addresses(&host);
    // 127.0.0.1, and the group 239.255.0.1, as the kernel writes them.
    let is_local = |address: &String| address.starts_with("0100007F:") || address.starts_with("0100FFEF:");
    assert!(addresses.len() >= 4 && addresses.iter().all(is_local), "{addresses:?}");
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    host.finish().expect_code(0);
}

#[test]
fn the_library_receives_only_through_its_guard() {
    let bytes = fs::read(plugin("ros2")).expect("the library is built");
    let file = object::File::parse(&*bytes).expect("a library");
    let imports: Vec<&str> = file
        .dynamic_symbols()
        .filter(object::ObjectSymbol::is_undefined)
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| matches!(*name, "recvmsg" | "recvmmsg" | "bind"))
        .collect();
    assert_eq!(imports, Vec::<&str>::new());
}
