//! Nodes that talk to each other over real sockets, in one process.

use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::Duration;

use super::*;
use crate::discovery::{Datagram, Kind, MAX_DATAGRAM, Publisher, Scope, TopicDetails};
use crate::multicast::Multicast;
use crate::wall_clock;

/// Longest wait for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// Ports of discovery that no other process uses, for each test.
fn connection(number: u16) -> Connection {
    let base = 21_000 + 40 * u16::try_from(std::process::id() % 1000).expect("small") + 2 * number;
    format!("partition=t{number};ports={base},{}", base + 1).parse().expect("a connection")
}

fn nodes(number: u16) -> [Node; 2] {
    [(); 2].map(|()| Node::start(connection(number)).expect("a node"))
}

fn subscription(name: &str, type_name: &str) -> (Arc<Subscription>, Receiver<Vec<u8>>) {
    let (sender, received) = channel();
    let deliver = Box::new(move |bytes: &[u8]| drop(sender.send(bytes.to_vec())));
    let subscription = Subscription { name: name.to_owned(), type_name: type_name.to_owned(), deliver };
    (Arc::new(subscription), received)
}

#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = wall_clock::now() + PATIENCE;
    while !is_so() {
        assert!(wall_clock::now() < deadline, "{what}");
        sleep(Duration::from_millis(5));
    }
}

/// Sends a message until it arrives: what is sent before the subscription has arrived is lost. Some may still be on their
/// way.
#[track_caller]
fn deliver(node: &Node, topic: &Arc<Topic>, received: &Receiver<Vec<u8>>, message: u8) {
    wait_until("the message arrives", || {
        assert!(node.publish(topic, vec![message]));
        received.try_iter().any(|received| received == [message])
    });
}

/// Takes the next message that is not this one.
#[track_caller]
fn next_but(received: &Receiver<Vec<u8>>, ignored: u8) -> Vec<u8> {
    loop {
        let message = received.recv_timeout(PATIENCE).expect("a message");
        if message != [ignored] {
            return message;
        }
    }
}

#[test]
fn messages_reach_subscribers_of_their_topic_and_type_only() {
    let [one, other] = nodes(1);
    let topic = Topic::new("@/t1@/a".to_owned(), "gz.msgs.Double".to_owned(), false);
    one.advertise(&topic);
    let (right, received) = subscription("@/t1@/a", "gz.msgs.Double");
    let (wrong_type, nothing) = subscription("@/t1@/a", "gz.msgs.Float");
    let (longer_name, neither) = subscription("@/t1@/ab", "gz.msgs.Double");
    assert!(!topic.is_wanted(), "nobody listens yet");
    for subscription in [&right, &wrong_type, &longer_name] {
        other.subscribe(subscription);
    }
    wait_until("the publisher hears of it", || topic.is_wanted());
    deliver(&one, &topic, &received, 255);
    for number in 0..10 {
        assert!(one.publish(&topic, vec![number]));
    }
    let messages: Vec<_> = (0..10).map(|_| next_but(&received, 255)).collect();
    assert!(messages.iter().enumerate().all(|(place, message)| usize::from(message[0]) == place));
    assert!(nothing.try_recv().is_err() && neither.try_recv().is_err());
    other.unsubscribe(&right);
    other.unsubscribe(&wrong_type);
    wait_until("the publisher hears of the end", || !topic.is_wanted());
}

#[test]
fn a_late_subscriber_receives_the_last_message_of_a_latched_topic() {
    let [one, other] = nodes(2);
    let topic = Topic::new("@/t2@/a".to_owned(), "x".to_owned(), true);
    one.advertise(&topic);
    assert!(one.publish(&topic, vec![1]) && one.publish(&topic, vec![2]));
    let (subscription, received) = subscription("@/t2@/a", "x");
    other.subscribe(&subscription);
    // The first may be on its way still.
    assert_eq!(next_but(&received, 1), [2]);
    assert!(one.publish(&topic, vec![3]));
    assert_eq!(received.recv_timeout(PATIENCE).expect("the next message"), [3]);
}

#[test]
fn a_publisher_that_leaves_and_comes_back_is_found_again() {
    let [one, other] = nodes(3);
    let (subscription, received) = subscription("@/t3@/a", "x");
    other.subscribe(&subscription);
    for round in 0..3 {
        let topic = Topic::new("@/t3@/a".to_owned(), "x".to_owned(), false);
        one.advertise(&topic);
        wait_until("it is found", || topic.is_wanted());
        deliver(&one, &topic, &received, round);
        one.withdraw(&topic);
    }
    drop(one);
    let again = Node::start(connection(3)).expect("a node");
    let topic = Topic::new("@/t3@/a".to_owned(), "x".to_owned(), false);
    again.advertise(&topic);
    wait_until("the new process is found", || topic.is_wanted());
    deliver(&again, &topic, &received, 9);
}

#[test]
fn nodes_of_equal_connections_are_one() {
    let connection = connection(4);
    let first = Node::join(&connection).expect("a node");
    let second = Node::join(&connection).expect("a node");
    assert!(Arc::ptr_eq(&first, &second));
    let other =
        Node::join(&Connection { generation: crate::connection::Generation::Ignition, ..connection.clone() })
            .expect("a node");
    assert!(!Arc::ptr_eq(&first, &other));
    drop((first, second));
    let third = Node::join(&connection).expect("a node, after the end of the first");
    drop(third);
}

#[test]
fn garbage_of_every_kind_harms_nobody() {
    let [one, other] = nodes(5);
    let connection = connection(5);
    let group = std::net::Ipv4Addr::new(239, 255, 0, 7);
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::DGRAM, None).expect("a socket");
    socket.set_multicast_if_v4(&std::net::Ipv4Addr::LOCALHOST).expect("set");
    let mut seed = 7_u64;
    for length in 0..400_usize {
        let noise: Vec<u8> = (0..length)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed.to_le_bytes()[7]
            })
            .collect();
        let framed = [&u16::try_from(length).expect("short").to_le_bytes()[..], &noise].concat();
        for port in connection.ports {
            for bytes in [&noise, &framed] {
                socket.send_to(bytes, &std::net::SocketAddrV4::new(group, port).into()).expect("sent");
            }
        }
    }
    let topic = Topic::new("@/t5@/a".to_owned(), "x".to_owned(), false);
    one.advertise(&topic);
    let (subscription, received) = subscription("@/t5@/a", "x");
    other.subscribe(&subscription);
    wait_until("it is found", || topic.is_wanted());
    deliver(&one, &topic, &received, 1);
}

/// A publisher sends nothing before it is told of a subscriber, and what tells it can be lost.
#[test]
fn a_publisher_is_told_of_its_subscriber_at_each_announcement() {
    let Connection { ip, ports: [port, _], generation, .. } = connection(6);
    let peer = Multicast::open(ip, port, generation.groups()).expect("a port that is shared");
    let node = Node::start(connection(6)).expect("a node");
    let (wanted, _received) = subscription("@/t6@/a", "x");
    node.subscribe(&wanted);
    let mut buffer = Box::new([0; MAX_DATAGRAM]);
    let mut wait_for = |kind: Kind| {
        let mut heard = None;
        wait_until("the node says it", || {
            let datagram = peer.receive(&mut buffer).map(Datagram::decode_datagram);
            heard = datagram.and_then(Result::ok).filter(|datagram| datagram.kind() == kind);
            heard.is_some()
        });
        heard.and_then(|datagram| datagram.publisher)
    };
    wait_for(Kind::Subscribe);
    let announcement = Publisher {
        topic: "@/t6@/a".to_owned(),
        address: "tcp://127.0.0.1:1".to_owned(),
        process: "peer".to_owned(),
        node: "node".to_owned(),
        scope: Scope::All.into(),
        topic_details: Some(TopicDetails::new("", "x")),
        service_details: None,
    };
    for _ in 0..3 {
        peer.send(&Datagram::about("peer", Kind::Advertise, announcement.clone()));
        let connection = wait_for(Kind::NewConnection).expect("a publisher");
        assert_eq!(connection.topic_details.expect("its topic").control, "peer");
    }
}
