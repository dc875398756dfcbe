//! Routers that come late, go away and come back, and sessions in each mode.

use serde_json::json;

use super::{CLOCK, domain_and_peer, expect_answer, quit, two_vehicles};
use crate::ros2::{Domain, Peer, Router, Wire};
use crate::support::{Served, Setup, free_port};

#[test]
fn a_run_in_each_mode_is_found() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let endpoint = domain.endpoint().expect("a router");
    for connection in [
        format!("mode=client;connect={endpoint}"),
        format!("mode=router;connect={endpoint};listen=tcp/127.0.0.1:{}", free_port()),
    ] {
        let host = two_vehicles(&format!("zenoh:domain=7;{connection}"));
        expect_answer(&peer);
        quit(host);
    }
}

#[test]
fn a_run_can_be_the_router() {
    let endpoint = format!("tcp/127.0.0.1:{}", free_port());
    let host = two_vehicles(&format!("zenoh:domain=7;mode=router;listen={endpoint}"));
    let domain = Domain::with_router_of_another(&endpoint);
    let Some(peer) = Peer::start(&domain) else { return };
    expect_answer(&peer);
    // Its peers find each other too.
    let other = Peer::start(&domain).expect("a second peer");
    let heard = other.subscribe("/talk", "std_msgs/msg/Bool", json!({}));
    peer.publish("/talk", "std_msgs/msg/Bool", &json!({"data": true}), json!({}));
    assert_eq!(heard.next(), json!({"data": true}));
    quit(host);
}

#[test]
fn a_router_may_come_late_go_away_and_come_back() {
    let endpoint = format!("tcp/127.0.0.1:{}", free_port());
    if !Peer::is_available_over(Wire::Zenoh) {
        return;
    }
    let bridge = format!("*=zenoh:domain=7;connect={endpoint}");
    let mut host = Served::start(Setup::new().plugins(&["zenoh"]).without_world().bridge(bridge));
    let line = host.wait_for("[BH-ZEN-004]");
    assert!(line.contains(&endpoint) && line.contains("rmw_zenohd"), "{line}");
    let domain = Domain::with_router_of_another(&endpoint);
    let router = Router::start_at(&endpoint).expect("a router");
    let peer = Peer::start(&domain).expect("a peer");
    expect_answer(&peer);
    let clock = peer.subscribe("/clock", CLOCK, json!({}));
    clock.next();
    drop(router);
    // The two know each other.
    expect_answer(&peer);
    let _router = Router::start_at(&endpoint).expect("a router");
    let late = Peer::start(&domain).expect("a late peer");
    expect_answer(&late);
    expect_answer(&peer);
    quit(host);
}

#[test]
fn a_client_is_connected_as_soon_as_its_router_is_there() {
    let endpoint = format!("tcp/127.0.0.1:{}", free_port());
    if !Peer::is_available_over(Wire::Zenoh) {
        return;
    }
    let bridge = format!("*=zenoh:domain=7;mode=client;connect={endpoint}");
    let mut host = Served::start(Setup::new().plugins(&["zenoh"]).without_world().bridge(bridge));
    let line = host.wait_for("[BH-ZEN-002]");
    assert!(line.contains(&endpoint) && line.contains("mode=client"), "{line}");
    let _router = Router::start_at(&endpoint).expect("a router");
    let peer = Peer::start(&Domain::with_router_of_another(&endpoint)).expect("a peer");
    expect_answer(&peer);
    quit(host);
}

#[test]
fn an_address_that_is_taken_is_an_error_that_names_it() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let setup = Setup::new().plugins(&["zenoh"]).without_world();
    let bridge = format!("*=zenoh:mode=router;listen=tcp/127.0.0.1:{port}");
    let mut host = Served::start(setup.bridge(bridge));
    let line = host.wait_for("[BH-ZEN-002]");
    assert!(line.contains(&port.to_string()) && line.contains("listen="), "{line}");
    quit(host);
}
