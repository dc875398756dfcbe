//! The port for autopilots with clients that send in parts, send noise, stop reading and leave.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use super::*;
use crate::message::{Heartbeat, HilActuatorControls, HilSensor, frame};

const AUTOPILOT: Sender = Sender { system: 1, component: 1 };
const LONG: Duration = Duration::from_secs(10);

fn server() -> Server {
    let any = "127.0.0.1:0".parse().expect("an address");
    Server::listen(any, Sender { system: 1, component: 200 }).expect("a port")
}

fn connect(server: &mut Server) -> TcpStream {
    let stream = TcpStream::connect(server.address().expect("an address")).expect("connected");
    assert!(matches!(server.look(LONG), News::Connected(_)));
    stream
}

fn answer(time_usec: u64) -> Message {
    HilActuatorControls { time_usec, mode: 129, ..HilActuatorControls::default() }.into()
}

fn bytes(message: &Message) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame(&mut bytes, AUTOPILOT, 0, message);
    bytes
}

/// Looks until there is a message, or something else happens.
fn news(server: &mut Server) -> News {
    loop {
        match server.look(LONG) {
            News::Nothing => {}
            news => return news,
        }
    }
}

#[test]
fn messages_are_found_in_any_parts_and_among_other_bytes() {
    let mut server = server();
    let mut autopilot = connect(&mut server);
    let frames: Vec<u8> = [1, 2].iter().flat_map(|time| bytes(&answer(*time))).collect();
    for byte in &frames {
        autopilot.write_all(&[*byte]).expect("sent");
    }
    assert_eq!([news(&mut server), news(&mut server)], [1, 2].map(|time| News::Message(answer(time))));
    // Noise, a frame with a wrong checksum, and one of MAVLink 1.
    let mut wrong = bytes(&answer(3));
    wrong[20] ^= 1;
    let heartbeat: Message = Heartbeat { autopilot: 12, mavlink_version: 3, ..Heartbeat::default() }.into();
    let first = [0xfe, 9, 0, 1, 1, 0, 0, 0, 0, 0, 0, 12, 0, 0, 3, 0xb3, 0xfd];
    let checksum = mavlink_core::calculate_crc(&first[1..15], 50).to_le_bytes();
    let first = [&first[..15], &checksum].concat();
    autopilot
        .write_all(&[b"garbage \x00\x01", &wrong[..], &first, &bytes(&answer(4))].concat())
        .expect("sent");
    assert_eq!([news(&mut server), news(&mut server)], [heartbeat, answer(4)].map(News::Message));
    assert_eq!(server.strange(), 0, "so few bytes may be the beginning of a message");
    autopilot.write_all(&[7; 500]).expect("sent");
    while server.strange() == 0 {
        assert_eq!(server.look(LONG), News::Nothing);
    }
    assert!(server.strange() >= 300, "{}", server.strange());
}

#[test]
fn half_a_frame_is_nothing_and_an_end_is_noticed() {
    let mut server = server();
    let mut autopilot = connect(&mut server);
    let whole = bytes(&answer(1));
    autopilot.write_all(&whole[..50]).expect("sent");
    assert_eq!(server.look(LONG), News::Nothing);
    assert_eq!(server.look(Duration::ZERO), News::Nothing);
    autopilot.shutdown(Shutdown::Both).expect("ended");
    let News::Gone(_, reason) = news(&mut server) else { panic!("the end is noticed") };
    assert_eq!(reason, "it has ended the connection");
    assert!(!server.is_connected());
    connect(&mut server);
}

#[test]
fn a_second_autopilot_is_refused_and_the_first_one_stays() {
    let mut server = server();
    let mut autopilot = connect(&mut server);
    let mut second = TcpStream::connect(server.address().expect("an address")).expect("connected");
    assert!(matches!(news(&mut server), News::Refused(_)));
    assert_eq!(second.read(&mut [0]).expect("the end"), 0);
    autopilot.write_all(&bytes(&answer(1))).expect("sent");
    assert_eq!(news(&mut server), News::Message(answer(1)));
}

#[test]
fn an_autopilot_that_does_not_read_blocks_nothing() {
    let mut server = server();
    let mut autopilot = connect(&mut server);
    let sample = [HilSensor { time_usec: u64::MAX, fields_updated: 0x1fff, ..HilSensor::default() }.into()];
    while !server.is_full() {
        server.send(&sample);
    }
    let mut all = vec![0; 8 << 20];
    while server.is_full() {
        assert!(autopilot.read(&mut all).expect("bytes") > 0);
        assert_eq!(server.look(Duration::ZERO), News::Nothing);
    }
}
