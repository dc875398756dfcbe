//! Messages with bytes of publishers of Rolling and Lyrical, which come at a key of their own.

use serde_json::json;

use super::{domain_and_peer, quit};
use crate::ros2::Peer;
use crate::support::{Served, Setup, eventually, world};

const IMAGE: &str = "7/in/image/sensor_msgs::msg::dds_::Image_/\
    RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47";
/// An attachment: the number 1, a time, and an identity.
const ATTACHMENT: &str = "01000000000000000100000000000000100102030405060708090a0b0c0d0e0f10";

/// A run that receives images and, for comparison, scans.
#[track_caller]
fn receiver(bridge: &str) -> Served {
    let receiver = |name: &str, kind: &str| {
        format!(
            "<plugin filename='triggered_publisher' name='{name}'><input type='sensor_msgs/msg/{kind}' topic='/in/{name}'/>\
             <output type='std_msgs/msg/Empty' topic='/received/{name}'/></plugin>"
        )
    };
    let plugins = receiver("image", "Image") + &receiver("scan", "LaserScan");
    let setup = Setup::new().in_real_time().plugins(&["zenoh", "triggered_publisher"]);
    Served::start(setup.world(&world(&plugins)).bridge(format!("*={bridge}")))
}

/// The end of the token of the subscription of a topic.
#[track_caller]
fn end_of_token(peer: &Peer, topic: &str) -> Option<String> {
    let graph = peer.graph();
    let tokens = graph["tokens"].as_array().expect("a list").iter();
    let texts = tokens.map(|token| token.as_str().expect("a text"));
    let token = texts.filter(|token| token.contains("/MS/")).find(|token| token.contains(topic));
    token.map(|token| token.split("RIHS01_").nth(1).expect("a hash")[65..].to_owned())
}

#[test]
fn bytes_of_rolling_arrive_at_either_key_and_the_token_says_so() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    for (distro, end, keys) in
        [("rolling", "::,64:,:,:,,/backends:cpu:", &["", "/_buf_cpu"][..]), ("jazzy", "::,64:,:,:,,", &[""])]
    {
        let host = receiver(&domain.bridge(&format!("distro={distro}")));
        eventually("the token is there", || end_of_token(&peer, "%in%image").is_some());
        assert_eq!(end_of_token(&peer, "%in%image").as_deref(), Some(end), "{distro}");
        assert_eq!(end_of_token(&peer, "%in%scan").as_deref(), Some("::,64:,:,:,,"), "{distro}");
        let received = peer.subscribe("/received/image", "std_msgs/msg/Empty", json!({}));
        let image = json!({"height": 1, "width": 2, "encoding": "mono8", "step": 2, "data": [7, 8]});
        let cdr = peer.tell("encode", json!({"type": "sensor_msgs/msg/Image", "message": image})).wait();
        let cdr = cdr.expect("CDR")["cdr"].as_str().expect("hexadecimal").to_owned();
        for key in keys {
            let line = json!({"key": format!("{IMAGE}{key}"), "payload": cdr, "attachment": ATTACHMENT});
            peer.tell("put", line).wait().expect("a subscriber");
            received.next();
        }
        quit(host);
        eventually("the token is gone", || end_of_token(&peer, "%in%image").is_none());
    }
}
