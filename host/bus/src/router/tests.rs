//! Routing, with queues and subscriptions in place of bridges and plugins.

use std::time::Duration;

use bridgehead_plugin_api::abi;
use bridgehead_plugin_api::messages::{Message, std_msgs};

use super::*;
use crate::testing::endpoint_of;
use crate::{Limits, Next, Qos, RegisteredType, Role, TypeRegistry, kept};

fn bools() -> Arc<RegisteredType> {
    let types = TypeRegistry::default();
    types.register(std_msgs::Bool::FULL_NAME, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("registered")
}

fn topic(bus: &Bus, name: &str, qos: Qos, role: Role) -> Arc<Topic> {
    bus.open("car1", name, &bools(), qos, role, "test").expect("topic")
}

fn outgoing(topic: &Topic, byte: u8) -> Vec<Outgoing> {
    vec![Outgoing { topic: topic.id, stamp_ns: 5, payload: Payload::from_vec(vec![byte]) }]
}

fn next(queue: &TxQueue) -> Option<(u64, Vec<u8>)> {
    match queue.next(Some(Duration::ZERO)) {
        Next::Message(message) => Some((message.sequence, message.payload.to_vec())),
        Next::TimedOut | Next::Interrupted => None,
    }
}

const NOW: Moment = Moment { step: 3, time_ns: 3_000_000, reset_epoch: 0 };

#[test]
fn one_message_reaches_bridges_and_plugins_without_a_copy() {
    let bus = Bus::default();
    let topic = topic(&bus, "x", Qos::default(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    let queues: Vec<_> = (0..2).map(|_| Arc::new(TxQueue::new(Limits::default()))).collect();
    for (bridge, queue) in queues.iter().enumerate() {
        router.connect(u32::try_from(bridge).expect("small"), queue, &[endpoint_of(&topic)]);
        queue.open();
        router.bridge_changed(u32::try_from(bridge).expect("small"), true);
    }
    let subscription = Arc::new(Subscription::new(Arc::clone(&topic), 0));
    router.subscribe(&subscription);
    assert_eq!(topic.listeners.load(Ordering::Relaxed), 3);
    assert_eq!(router.report()[0].listeners, 3);

    let mut messages = outgoing(&topic, 9);
    // Memory of the host: a small payload in memory of a plugin is copied once.
    messages[0].payload = kept(messages[0].payload.clone());
    let address = messages[0].payload.as_ptr();
    router.route("x", &mut messages, NOW, &|| false);
    for queue in &queues {
        let Next::Message(message) = queue.next(Some(Duration::ZERO)) else { panic!("no message") };
        assert_eq!((message.payload.as_ptr(), message.step, message.stamp_ns), (address, 3, 5));
    }
    assert_eq!(subscription.take(|delivery| delivery.payload.as_ptr()), Some(address));
}

#[test]
fn a_latched_message_waits_for_late_listeners() {
    let bus = Bus::default();
    let topic = topic(&bus, "scene", Qos::latched(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    router.route("x", &mut outgoing(&topic, 1), NOW, &|| false);
    let queue = Arc::new(TxQueue::new(Limits::default()));
    router.connect(0, &queue, &[endpoint_of(&topic)]);
    queue.open();
    router.bridge_changed(0, true);
    assert_eq!(next(&queue), Some((0, vec![1])));
    assert_eq!(next(&queue), None);
    let late = Arc::new(Subscription::new(Arc::clone(&topic), 0));
    router.subscribe(&late);
    assert_eq!(late.take(|delivery| delivery.payload[0]), Some(1));
}

#[test]
fn latched_messages_go_only_to_a_new_connection_in_the_order_of_publication() {
    let bus = Bus::default();
    let scenes: Vec<_> =
        ["a", "b"].iter().map(|name| topic(&bus, name, Qos::latched(), Role::Publisher)).collect();
    let mut router = Router::default();
    router.sync(&bus);
    router.route("x", &mut outgoing(&scenes[1], 1), NOW, &|| false);
    router.route("x", &mut outgoing(&scenes[0], 2), NOW, &|| false);
    let queue = Arc::new(TxQueue::new(Limits::default()));
    router.connect(0, &queue, &scenes.iter().map(endpoint_of).collect::<Vec<_>>());
    assert_eq!(next(&queue), None, "not connected");
    queue.open();
    router.bridge_changed(0, true);
    let received: Vec<_> = std::iter::from_fn(|| next(&queue)).collect();
    assert_eq!(received, [(0, vec![1]), (0, vec![2])]);

    let late = topic(&bus, "late", Qos::latched(), Role::Publisher);
    router.sync(&bus);
    router.route("x", &mut outgoing(&late, 3), NOW, &|| false);
    router.connect(0, &queue, &[endpoint_of(&late)]);
    assert_eq!(next(&queue), Some((0, vec![3])), "the new endpoint gets its message");
    assert_eq!(next(&queue), None, "the other endpoints had theirs");
}

#[test]
fn a_late_listener_gets_the_last_message_of_each_publisher() {
    let bus = Bus::default();
    let frames = topic(&bus, "tf_static", Qos::latched(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    for (publisher, byte) in [("lidar", 1), ("mast", 2), ("lidar", 3)] {
        router.route(publisher, &mut outgoing(&frames, byte), NOW, &|| false);
    }
    let all = |router: &mut Router| {
        let late = Arc::new(Subscription::new(Arc::clone(&frames), 0));
        router.subscribe(&late);
        std::iter::from_fn(|| late.take(|delivery| delivery.payload[0])).collect::<Vec<_>>()
    };
    assert_eq!(all(&mut router), [2, 3]);
    let saved = router.keep();
    let mut restored = Router::default();
    restored.sync(&bus);
    restored.expect(saved.clone());
    restored.restore(NOW);
    assert_eq!((all(&mut restored), restored.keep()), (vec![2, 3], saved));
}

#[test]
fn an_arrival_does_not_go_back_to_where_it_came_from() {
    let bus = Bus::default();
    let topic = topic(&bus, "cmd_vel", Qos::default(), Role::Subscriber);
    let mut router = Router::default();
    router.sync(&bus);
    let queues: Vec<_> = (0..2).map(|_| Arc::new(TxQueue::new(Limits::default()))).collect();
    for (bridge, queue) in queues.iter().enumerate() {
        queue.open();
        router.connect(u32::try_from(bridge).expect("small"), queue, &[endpoint_of(&topic)]);
    }
    let payload = Payload::from_vec(vec![4]);
    let arrival = Arrival { topic: topic.id, source: 1, at_step: None, stamp_ns: None, payload };
    let delivery = router.route_arrival(arrival, NOW, &|| false).expect("routed");
    assert_eq!(delivery.stamp_ns, NOW.time_ns);
    assert_eq!(next(&queues[0]), Some((0, vec![4])));
    assert_eq!(next(&queues[1]), None);
}

#[test]
fn sequence_numbers_start_again_with_a_reset() {
    let bus = Bus::default();
    let topic = topic(&bus, "x", Qos::default(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    let queue = Arc::new(TxQueue::new(Limits::default()));
    queue.open();
    router.connect(0, &queue, &[endpoint_of(&topic)]);
    router.route("x", &mut outgoing(&topic, 0), NOW, &|| false);
    router.route("x", &mut outgoing(&topic, 1), NOW, &|| false);
    router.reset();
    router.route("x", &mut outgoing(&topic, 2), NOW, &|| false);
    let sequences: Vec<_> = std::iter::from_fn(|| next(&queue)).map(|(sequence, _)| sequence).collect();
    assert_eq!(sequences, [0, 1, 0]);
    assert_eq!(router.report()[0].published, 3);
}

#[test]
fn the_totals_survive_a_bridge() {
    let bus = Bus::default();
    let topic = topic(&bus, "x", Qos::default(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    let queue = Arc::new(TxQueue::new(Limits::default()));
    router.connect(0, &queue, &[endpoint_of(&topic)]);
    router.route("x", &mut outgoing(&topic, 0), NOW, &|| false);
    router.disconnect(0);
    let report = &router.report()[0];
    assert_eq!((report.published, report.delivered, report.missed), (1, 0, 1));
}

#[test]
fn an_absolute_name_means_one_thing_for_all_plugins() {
    let types = TypeRegistry::default();
    let bools =
        types.register(std_msgs::Bool::FULL_NAME, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("a type");
    let bus = Bus::default();
    let open = |vehicle: &str, name: &str, role| {
        bus.open(vehicle, name, &bools, Qos::default(), role, "test").expect("a topic")
    };
    let (hears, other) = (open("car1", "/go", Role::Subscriber), open("car1", "go", Role::Subscriber));
    let mut router = Router::default();
    router.sync(&bus);
    let [hears, other] = [hears, other].map(|topic| Arc::new(Subscription::new(topic, 0)));
    router.subscribe(&hears);
    router.subscribe(&other);
    // The world's topic comes later and has a listener at once.
    let says = open("", "/go", Role::Publisher);
    router.sync(&bus);
    assert_eq!(says.listeners.load(Ordering::Relaxed), 1);
    router.route("x", &mut outgoing(&says, 7), NOW, &|| false);
    assert_eq!(hears.take(|delivery| delivery.payload[0]), Some(7));
    assert_eq!(other.take(|delivery| delivery.payload[0]), None);
}

/// Releases and retains nothing.
unsafe extern "C" fn nothing(_: *const abi::Buffer) {}

fn buffer_at_null(len: usize) -> abi::Buffer {
    abi::Buffer {
        struct_size: abi::Buffer::SIZE,
        reserved: 0,
        data: std::ptr::null(),
        len,
        ctx: std::ptr::null_mut(),
        retain: nothing,
        release: nothing,
    }
}

#[test]
fn bytes_at_null_reach_nobody_and_are_counted_as_dropped() {
    let (with_bytes, empty) = (buffer_at_null(8), buffer_at_null(0));
    let bus = Bus::default();
    let topic = topic(&bus, "x", Qos::latched(), Role::Publisher);
    let mut router = Router::default();
    router.sync(&bus);
    let subscription = Arc::new(Subscription::new(Arc::clone(&topic), 0));
    router.subscribe(&subscription);
    let mut publish = |buffer: &abi::Buffer| {
        // SAFETY: the buffers outlive router and subscription.
        let payload = unsafe { Payload::from_raw(buffer) };
        router.route("car/x", &mut vec![Outgoing { topic: topic.id, stamp_ns: 0, payload }], NOW, &|| false);
        (router.report()[0].dropped, subscription.take(|delivery| delivery.payload.len()))
    };
    assert_eq!(publish(&with_bytes), (1, None));
    assert_eq!(publish(&empty), (1, Some(0)));
    let reports = call::take_breaches_of("car/x");
    assert!(
        reports
            .iter()
            .any(|text| text.contains("[BH-PLG-134] plugin `car/x` published 8 bytes at address 0"))
    );
}
