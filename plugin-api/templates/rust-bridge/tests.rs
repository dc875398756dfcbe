//! The bridge in a host inside of the test process, with a peer on the loopback interface.

use std::net::UdpSocket;
use std::time::Duration;

use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::testing::{TestBridge, TestHost};

use super::@Type@;

/// A peer on a free port, with the connection string for it.
fn peer() -> (UdpSocket, String) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    socket
        .set_read_timeout(Some(Duration::from_secs(10)))
        .expect("a time-out");
    let address = socket.local_addr().expect("an address").to_string();
    (socket, address)
}

#[test]
fn messages_go_out_as_json() {
    let (peer, address) = peer();
    let host = TestHost::builder().vehicle("car1").build();
    let mut bridge = TestBridge::<@Type@>::connected(host, &address);
    let speed = bridge
        .advertise::<Float64>("speed", Qos::default())
        .expect("a publisher");
    bridge.publish(&speed, &Float64 { data: 2.5 });
    let mut datagram = [0; 100];
    assert_eq!(peer.recv(&mut datagram).expect("the first datagram"), 0);
    let len = peer.recv(&mut datagram).expect("a message");
    assert_eq!(
        str::from_utf8(&datagram[..len]),
        Ok("/car1/speed\n{\"data\":2.5}")
    );
    bridge.disconnect().expect_done();
}

#[test]
fn json_of_the_peer_comes_in() {
    let (peer, address) = peer();
    let mut bridge = TestBridge::<@Type@>::create(TestHost::builder().vehicle("car1").build());
    let speed = bridge
        .subscribe::<Float64>("speed", Qos::default())
        .expect("a subscriber");
    bridge.connect(&address).expect_done();
    let (_, bridge_address) = peer.recv_from(&mut [0; 1]).expect("the first datagram");
    for datagram in [
        "no line feed",
        "/car1/speed\nno json",
        "/car1/speed\n{\"data\":-1.0}",
    ] {
        peer.send_to(datagram.as_bytes(), bridge_address)
            .expect("a datagram is sent");
    }
    assert_eq!(speed.wait_deliveries(1)[0].decode::<Float64>().data, -1.0);
}

#[test]
fn a_wrong_connection_string_is_refused() {
    let error = TestBridge::<@Type@>::validate("9000").expect_failed();
    assert_eq!(
        error.text(),
        "[PEER-001] connection string: PEER must be HOST:PORT, found `9000`; expected PEER, such as 127.0.0.1:9000"
    );
    // A name is looked up when the bridge connects.
    TestBridge::<@Type@>::validate("peer.invalid:9000").expect_done();
}
