//! The plugin in a test host, with a participant as the peer.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos as Asked;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{ModelDescription, WorldDescription};
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped, Vector3};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{CdrPlan, Message};
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TestPublisher};

use bridgehead_plugin_api::bridge::BridgeStatus;
use bridgehead_ros2_node::bridge::NodeBridge;
use bridgehead_ros2_node::wall_clock;

use super::*;
use crate::dds::tests::{participant, unique};
use crate::dds::{Participant, Qos, Sample};

const CONNECTION: &str = "domain=99;interface=lo";
/// Far longer than any test takes.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Interval between attempts while peers discover each other.
const MOMENT: Duration = Duration::from_millis(20);

type Bridge = TestBridge<NodeBridge<Dds>>;

fn plan<M: Message>() -> CdrPlan {
    bridgehead_ros2_node::topic::plan_of(&M::schema()).expect("a plan")
}

fn listen<M: Message>(peer: &Arc<Participant>, topic: &str, qos: Qos) -> (Reader, Receiver<Sample>) {
    let (sender, received) = channel();
    let kind = plan::<M>().message_type().ros_type().dds();
    let take = move |sample| drop(sender.send(sample));
    let reader = Reader::open(peer, &format!("rt{topic}"), &kind, qos, take).expect("a reader");
    (reader, received)
}

fn decode<M: Message + Default>(sample: &Sample) -> M {
    let mut payload = Vec::new();
    plan::<M>().decode_body(&sample.body, &mut payload).expect("CDR of the type");
    M::decode(payload.as_slice()).expect("a message")
}

fn body<M: Message>(message: &M) -> Vec<u8> {
    let mut body = Vec::new();
    plan::<M>().encode_body(&message.encode_to_vec(), &mut body).expect("CDR of the type");
    body
}

/// Publishes until the peer receives it.
fn publish_until_heard(bridge: &Bridge, to: &TestPublisher, received: &Receiver<Sample>) -> Sample {
    let deadline = wall_clock::now() + TIMEOUT;
    loop {
        bridge.publish(to, &Float64 { data: 2.5 });
        match received.recv_timeout(MOMENT) {
            Ok(sample) => return sample,
            Err(_) => assert!(wall_clock::now() < deadline, "the peer receives it"),
        }
    }
}

#[test]
fn topics_are_sent_whether_created_before_or_after_the_connection() {
    let (peer, car) = (participant("peer"), unique("car"));
    let mut bridge = Bridge::create(TestHost::builder().vehicle(&car).build());
    let topics = ["early", "late"].map(|name| format!("/{car}/{name}"));
    let heard = topics.each_ref().map(|topic| listen::<Float64>(&peer, topic, Qos::DEFAULT));
    let early = bridge.advertise::<Float64>(&topics[0], Asked::default()).expect("a publisher");
    assert_eq!(bridge.status(), BridgeStatus::Disconnected);
    bridge.connect(CONNECTION).expect_done();
    assert_eq!(bridge.status(), BridgeStatus::Connected);
    let late = bridge.advertise::<Float64>(&topics[1], Asked::default()).expect("a publisher");
    for (publisher, (_, received)) in [early, late].iter().zip(&heard) {
        let sample = publish_until_heard(&bridge, publisher, received);
        assert_eq!(decode::<Float64>(&sample).data.to_bits(), 2.5_f64.to_bits());
    }
}

#[test]
fn a_disconnected_bridge_is_silent_and_resumes_with_the_next_connection() {
    let (peer, car) = (participant("peer"), unique("car"));
    let mut bridge = Bridge::create(TestHost::builder().vehicle(&car).build());
    let topic = format!("/{car}/speed");
    let publisher = bridge.advertise::<Float64>(&topic, Asked::default()).expect("a publisher");
    for _ in 0..2 {
        let (_reader, received) = listen::<Float64>(&peer, &topic, Qos::DEFAULT);
        bridge.connect(CONNECTION).expect_done();
        let sample = publish_until_heard(&bridge, &publisher, &received);
        bridge.disconnect().expect_done();
        assert_eq!(bridge.status(), BridgeStatus::Disconnected);
        let deadline = wall_clock::now() + TIMEOUT;
        while peer.known_writer(sample.id.guid).is_some() {
            assert!(wall_clock::now() < deadline, "the peer has forgotten the writer");
            std::thread::sleep(MOMENT);
        }
    }
}

#[test]
fn an_invalid_message_is_dropped_and_logged_once() {
    let (peer, car) = (participant("peer"), unique("car"));
    let host = TestHost::builder().vehicle(&car).build();
    let mut bridge = Bridge::connected(host, CONNECTION);
    let topic = format!("/{car}/speed");
    let publisher = bridge.advertise::<Float64>(&topic, Asked::default()).expect("a publisher");
    let (_reader, received) = listen::<Float64>(&peer, &topic, Qos::DEFAULT);
    publish_until_heard(&bridge, &publisher, &received);
    for _ in 0..2 {
        bridge.publish_payload(&publisher, &Payload::from_vec(vec![0xff]));
    }
    bridge.wait_sent();
    assert_eq!(bridge.counts().rejected, 2);
}

#[test]
fn velocities_are_received_with_and_without_stamp() {
    let (peer, car) = (participant("peer"), unique("car"));
    let mut bridge = Bridge::connected(TestHost::builder().vehicle(&car).build(), CONNECTION);
    let topic = format!("/{car}/cmd_vel");
    let sink = bridge.subscribe::<Twist>(&topic, Asked::default()).expect("a subscriber");
    let twist = |x| Twist { linear: Some(Vector3 { x, ..Vector3::default() }), ..Twist::default() };
    let stamped = TwistStamped { twist: Some(twist(2.0)), ..TwistStamped::default() };
    let bodies = [
        ("geometry_msgs::msg::dds_::Twist_", body(&twist(1.0))),
        ("geometry_msgs::msg::dds_::TwistStamped_", body(&stamped)),
    ];
    for (count, (kind, body)) in bodies.into_iter().enumerate() {
        let writer = Writer::open(&peer, &format!("rt{topic}"), kind, Qos::DEFAULT).expect("a writer");
        // A discovered reader has this type; the other reader of the same topic does not count.
        assert!(writer.await_reader(|_, peer| peer.is_some_and(|peer| peer.kind == kind), TIMEOUT).is_some());
        writer.write(body, WriteOptions::default()).expect("written");
        let delivered = sink.wait_deliveries(count + 1);
        let x = delivered[count].decode::<Twist>().linear.expect("a velocity").x;
        assert!((x - 1.0 - count as f64).abs() < 1e-12, "{x}");
    }
    assert_eq!(sink.deliveries().len(), 2);
}

#[test]
fn the_urdf_of_a_vehicle_is_kept_for_late_readers() {
    let (peer, car) = (participant("peer"), unique("car"));
    let model =
        ModelDescription { name: car.clone(), urdf: "<robot/>".to_owned(), ..ModelDescription::default() };
    let world = WorldDescription { revision: 1, models: vec![model], ..WorldDescription::default() };
    let host = TestHost::builder().vehicle(&car).description(world).build();
    let _bridge = Bridge::connected(host, CONNECTION);
    let topic = format!("/{car}/robot_description");
    let (_reader, received) =
        listen::<bridgehead_plugin_api::messages::std_msgs::String>(&peer, &topic, Qos::LATCHED);
    let sample = received.recv_timeout(TIMEOUT).expect("the description");
    let text: bridgehead_plugin_api::messages::std_msgs::String = decode(&sample);
    assert_eq!(text.data, "<robot/>");
}

#[test]
fn a_wrong_connection_string_is_refused_with_the_reason() {
    for (connection, code) in [("domain=x", "[BH-ROS-001]"), ("domain=99;interface=nowhere0", "[BH-ROS-005]")]
    {
        let mut bridge = Bridge::create(TestHost::new());
        let failure = bridge.connect(connection).expect_failed();
        assert!(failure.text().contains(code), "{connection}: {}", failure.text());
        assert_eq!(bridge.status(), BridgeStatus::Disconnected);
    }
}
