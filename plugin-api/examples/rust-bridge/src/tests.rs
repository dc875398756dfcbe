//! The bridge and a test peer on the loopback interface.

use std::net::UdpSocket;
use std::time::Duration;

use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::std_msgs::{Float64, String as Text};
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TxCounts, encode};

use super::UdpBridge;

/// A peer on a free port, with the connection string for it.
fn peer() -> (UdpSocket, String) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    socket.set_read_timeout(Some(Duration::from_secs(10))).expect("time-out");
    let address = socket.local_addr().expect("address").to_string();
    (socket, address)
}

fn car() -> TestHost {
    TestHost::builder().vehicle("car1").build()
}

#[test]
fn a_message_arrives_as_topic_nul_payload() {
    let (peer, address) = peer();
    let mut bridge = TestBridge::<UdpBridge>::connected(car(), &address);
    let speed = bridge.advertise::<Float64>("speed", Qos::default()).expect("publisher");
    bridge.publish(&speed, &Float64 { data: 2.5 });
    let mut datagram = [0; 100];
    assert_eq!(peer.recv(&mut datagram).expect("greeting"), 0);
    let len = peer.recv(&mut datagram).expect("message");
    let expected = [b"/car1/speed\0".as_slice(), &encode(&Float64 { data: 2.5 })].concat();
    assert_eq!(datagram[..len], expected);
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts(), TxCounts { delivered: 1, rejected: 0, waiting: 0, dropped: 0 });
}

#[test]
fn messages_of_the_peer_are_delivered() {
    let (peer, address) = peer();
    let mut bridge = TestBridge::<UdpBridge>::create(car());
    let speed = bridge.subscribe::<Float64>("speed", Qos::default()).expect("subscriber");
    bridge.connect(&address).expect_done();
    let (_, bridge_address) = peer.recv_from(&mut [0; 1]).expect("greeting");
    for topic in ["/car1/other", "/car1/speed"] {
        let datagram = [topic.as_bytes(), &[0], &encode(&Float64 { data: -1.0 })].concat();
        peer.send_to(&datagram, bridge_address).expect("send");
    }
    let delivered = speed.wait_deliveries(1);
    assert_eq!(delivered.len(), 1, "a topic without subscriber is dropped");
    assert_eq!(delivered[0].decode::<Float64>().data, -1.0);
}

#[test]
fn a_message_too_large_for_a_datagram_is_rejected() {
    let (_peer, address) = peer();
    let mut bridge = TestBridge::<UdpBridge>::connected(car(), &address);
    let text = bridge.advertise::<Text>("text", Qos::default()).expect("publisher");
    bridge.publish(&text, &Text { data: "x".repeat(70_000) });
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts(), TxCounts { delivered: 0, rejected: 1, waiting: 0, dropped: 0 });
}

#[test]
fn a_wrong_connection_string_is_refused_with_the_expected_form() {
    let error = TestBridge::<UdpBridge>::validate("9000").expect_failed();
    let text = "[EX-UDP-001] connection string: PEER must be HOST:PORT, found `9000`; expected PEER, such as 127.0.0.1:9000";
    assert_eq!(error.text(), text);
    // A name is looked up when the bridge connects.
    TestBridge::<UdpBridge>::validate("peer.invalid:9000").expect_done();
}
