//! Instances in a test host: how they share a server, and what they refuse.

use std::net::TcpListener;

use bridgehead_plugin_api::bridge::BridgeStatus;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::testing::{TestBridge, TestHost};

use super::*;

type Instance = TestBridge<FoxgloveBridge>;

/// Returns a connection string with a free port.
fn free() -> (u16, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (port, format!("127.0.0.1:{port}"))
}

fn of(vehicle: &str) -> Instance {
    Instance::create(TestHost::builder().vehicle(vehicle).build())
}

#[test]
fn instances_with_equal_connection_strings_share_a_server_until_the_last_has_disconnected() {
    let (port, connection) = free();
    let [mut first, mut second] = ["car1", "car2"].map(of);
    for instance in [&mut first, &mut second] {
        assert_eq!(instance.status(), BridgeStatus::Disconnected);
        instance.connect(&connection).expect_done();
        assert_eq!(instance.status(), BridgeStatus::Connected);
    }
    first.disconnect().expect_done();
    assert!(TcpListener::bind(("127.0.0.1", port)).is_err(), "the second instance uses the server");
    second.disconnect().expect_done();
    assert!(TcpListener::bind(("127.0.0.1", port)).is_ok(), "the server has ended");
    first.connect(&connection).expect_done();
}

#[test]
fn an_address_with_other_options_is_refused_with_the_reason() {
    let (port, connection) = free();
    let mut first = of("car1");
    first.connect(&connection).expect_done();
    for other in [format!("{connection};encoding=json"), format!("{connection};backlog=3")] {
        let outcome = format!("{:?}", of("car2").connect(&other));
        assert!(outcome.contains("BH-FOX-002") && outcome.contains("equal connection strings"), "{outcome}");
        assert!(outcome.contains(&port.to_string()), "{outcome}");
    }
    let foreign = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = format!("{}", foreign.local_addr().expect("an address"));
    let outcome = format!("{:?}", of("car2").connect(&taken));
    assert!(outcome.contains("BH-FOX-002") && outcome.contains("cannot listen"), "{outcome}");
}

#[test]
fn an_address_that_others_reach_needs_a_token() {
    let outcome = format!("{:?}", of("car1").connect("0.0.0.0:0"));
    assert!(outcome.contains("BH-FOX-002") && outcome.contains("token="), "{outcome}");
}

#[test]
fn a_topic_of_two_types_is_offered_with_the_first_of_them() {
    let (_, connection) = free();
    let [mut first, mut second] = ["car1", "car2"].map(of);
    first.connect(&connection).expect_done();
    second.connect(&connection).expect_done();
    first.advertise::<Float64>("/shared", Qos::default()).expect("a topic");
    second.advertise::<Float64>("/shared", Qos::default()).expect("the same topic");
    let refused =
        second.advertise::<Bool>("/shared", Qos::default()).err().map(|outcome| format!("{outcome:?}"));
    let text = refused.expect("another type");
    assert!(text.contains("BH-FOX-003") && text.contains("std_msgs/msg/Float64"), "{text}");
}

#[test]
fn wrong_connection_strings_are_refused_before_anything_starts() {
    Instance::validate("").expect_done();
    let outcome = format!("{:?}", Instance::validate("nowhere"));
    assert!(outcome.contains("BH-FOX-001") && outcome.contains("nowhere"), "{outcome}");
}
