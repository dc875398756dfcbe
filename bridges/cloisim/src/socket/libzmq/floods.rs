//! Peers that flood the ports: the library and this process survive, and clients are served.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::Duration;

use bridgehead_zeromq::limits;

use super::*;
use crate::socket::tests::free_port;

const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const TAG: Tag = [1, 2, 3, 4, 5, 6, 7, 8];

/// Connects as a peer of the library that has this type, and completes the handshake (ZMTP 3.1, NULL).
fn peer(port: u16, kind: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect((LOCAL, port)).expect("a connection");
    let mut hello = [&[0xff][..], &[0; 8], &[0x7f, 3, 1], b"NULL", &[0; 16], &[0], &[0; 31]].concat();
    let ready =
        [b"\x05READY\x0bSocket-Type\0\0\0", &[u8::try_from(kind.len()).expect("short")][..], kind].concat();
    hello.extend([4, u8::try_from(ready.len()).expect("short")]);
    hello.extend(ready);
    stream.write_all(&hello).expect("sent");
    stream
}

/// A message that subscribes to four bytes.
fn subscription(topic: u32) -> [u8; 7] {
    let [a, b, c, d] = topic.to_be_bytes();
    [0, 5, 1, a, b, c, d]
}

/// With heartbeats, the timer of a connection that has ended full of subscriptions ends the process.
#[test]
fn peers_that_subscribe_much_and_leave_do_not_end_the_process() {
    let (backend, port) = (Libzmq::start(LOCAL).expect("a backend"), free_port());
    let mut publisher = backend.publish(port, 10).expect("a port");
    for round in 0..30_u32 {
        let mut stream = peer(port, b"SUB");
        let flood: Vec<u8> = (0..3000).flat_map(|number| subscription(round * 3000 + number)).collect();
        // It may be disconnected while it sends.
        drop(stream.write_all(&flood));
    }
    // Wall time: longer than the period that heartbeats of the library would have; silent, so that what has arrived
    // stays.
    std::thread::sleep(Duration::from_millis(2500));
    for _ in 0..20 {
        publisher.send(&frame(TAG, b"x")).expect("sent");
        std::thread::sleep(Duration::from_millis(10));
    }
    let client = Context::new().socket(zmq::SUB).expect("a socket");
    client.set_subscribe(&TAG).expect("an option");
    client.set_rcvtimeo(20).expect("an option");
    client.connect(&endpoint(LOCAL, port)).expect("a connection");
    let deadline = wall_clock::now() + Duration::from_secs(20);
    while client.recv_bytes(0).is_err() {
        assert!(wall_clock::now() < deadline, "a client is served");
        publisher.send(&frame(TAG, b"x")).expect("sent");
    }
}

#[test]
fn a_peer_that_subscribes_without_end_is_disconnected() {
    let (backend, port) = (Libzmq::start(LOCAL).expect("a backend"), free_port());
    let mut publisher = backend.publish(port, 10).expect("a port");
    let mut stream = peer(port, b"SUB");
    stream.set_nonblocking(true).expect("an option");
    let deadline = wall_clock::now() + Duration::from_secs(20);
    let mut number = 0;
    let is_over = |error: &std::io::Error| error.kind() != std::io::ErrorKind::WouldBlock;
    loop {
        assert!(wall_clock::now() < deadline, "it is disconnected");
        let some: Vec<u8> = (0..1000).flat_map(|next| subscription(number + next)).collect();
        number += 1000;
        if stream.write_all(&some).is_err_and(|error| is_over(&error)) {
            break;
        }
        publisher.send(&frame(TAG, b"x")).expect("sent");
    }
}

#[test]
fn a_port_has_a_limit_of_connections() {
    let (backend, port) = (Libzmq::start(LOCAL).expect("a backend"), free_port());
    let _publisher = backend.publish(port, 10).expect("a port");
    let deadline = wall_clock::now() + Duration::from_secs(20);
    let mut peers: Vec<TcpStream> = (0..limits::CONNECTIONS + 50).map(|_| peer(port, b"SUB")).collect();
    let ended = |peers: &mut Vec<TcpStream>| {
        let ends = |stream: &mut TcpStream| {
            stream.set_nonblocking(true).expect("an option");
            let mut bytes = [0; 1000];
            loop {
                match stream.read(&mut bytes) {
                    Ok(0) => return true,
                    Ok(_) => {}
                    Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
                }
            }
        };
        peers.iter_mut().map(ends).filter(|is_over| *is_over).count()
    };
    loop {
        let count = ended(&mut peers);
        if count >= 40 {
            assert!(count <= 60, "{count} of {}", peers.len());
            break;
        }
        assert!(wall_clock::now() < deadline, "{count} were disconnected");
        std::thread::sleep(Duration::from_millis(20));
    }
}
