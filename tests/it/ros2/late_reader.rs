//! A run that reads what was published before it came: the plugin `late_reader` subscribes to a latched topic.

use serde_json::json;

use super::wire::over_each_transport;
use super::{Domain, Peer, Wire};
use crate::support::{Served, Setup, vehicle, world};

const TEXT: &str = "std_msgs/msg/String";

/// A run whose vehicle reads `/car1/kept` and publishes on `/car1/read` what it has read.
pub(crate) fn late_reader(domain: &Domain, wire: Wire) -> Served {
    let plugin = "<plugin filename='late_reader' name='late_reader'/>";
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge()]).fixtures(&["late_reader"]);
    let setup = setup.world(&world(&vehicle("car1", plugin)));
    Served::start(setup.bridge(format!("*={}", domain.bridge(""))))
}

over_each_transport!(a_run_reads_what_was_published_before_it_came);

fn a_run_reads_what_was_published_before_it_came(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let other = Peer::start(&domain).expect("a second peer");
    let latched = json!({"transient_local": true, "depth": 10});
    // The peer publishes once there is a subscriber.
    let early = other.subscribe("/car1/kept", TEXT, latched.clone());
    let read = other.subscribe("/car1/read", TEXT, latched.clone());
    let [first, second] = ["one", "two"].map(|text| json!({"data": text}));
    peer.publish("/car1/kept", TEXT, &first, latched.clone());
    assert_eq!(early.next(), first);
    let _host = late_reader(&domain, wire);
    assert_eq!(read.next(), first);
    peer.publish("/car1/kept", TEXT, &second, latched);
    assert_eq!(read.next(), second);
}
