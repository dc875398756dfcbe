//! The graph as a peer sees it, with the names of ROS over each transport.
//!
//! Over DDS a service is two topics, `rq/…Request` and `rr/…Reply`, and the topic `/scan` is `rt/scan`; over Zenoh tokens
//! contain the names of ROS.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Peer, Wire};

/// The endpoints of others at one time.
pub(crate) struct Seen {
    wire: Wire,
    graph: Value,
}

impl Seen {
    #[track_caller]
    pub(crate) fn by(peer: &Peer, wire: Wire) -> Self {
        Seen { wire, graph: peer.graph() }
    }

    fn endpoints(&self) -> impl Iterator<Item = &Value> {
        self.graph["endpoints"].as_array().expect("endpoints").iter()
    }

    /// How many endpoints have this kind, name and type, in the words of the transport.
    fn count(&self, name: [&str; 2], [kind, topic]: [&str; 2], ros_type: &str) -> usize {
        let [name_of_name, name_of_kind] = name;
        self.endpoints()
            .filter(|one| one[name_of_name] == topic && one[name_of_kind] == kind && one["type"] == ros_type)
            .count()
    }

    /// Whether a service of this name and type is offered exactly once, with everything that belongs to it.
    pub(crate) fn has_service(&self, service: &str, ros_type: &str) -> bool {
        match self.wire {
            Wire::Dds => {
                let halves = [("reader", "rq", "Request", "Request"), ("writer", "rr", "Reply", "Response")];
                halves.iter().all(|(kind, prefix, end, half)| {
                    let (topic, of) =
                        (format!("{prefix}/{service}{end}"), dds_name(&format!("{ros_type}_{half}")));
                    self.count(["topic", "kind"], [kind, &topic], &of) == 1
                })
            }
            Wire::Zenoh => self.count(["name", "kind"], ["SS", &format!("/{service}")], ros_type) == 1,
        }
    }

    /// Whether a topic of this name and type is published exactly once.
    pub(crate) fn has_publisher(&self, topic: &str, ros_type: &str) -> bool {
        match self.wire {
            Wire::Dds => {
                let name = format!("rt{topic}");
                self.count(["topic", "kind"], ["writer", &name], &dds_name(ros_type)) == 1
            }
            Wire::Zenoh => self.count(["name", "kind"], ["MP", topic], ros_type) == 1,
        }
    }

    /// The published topics, each with the participant or the session that publishes it.
    pub(crate) fn publishers(&self) -> BTreeSet<(String, String)> {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let found = self.endpoints().filter_map(|one| match self.wire {
            Wire::Dds if one["kind"] == "writer" => {
                let topic = text(&one["topic"]).strip_prefix("rt")?.to_owned();
                Some((topic, text(&one["participant"])))
            }
            Wire::Zenoh if one["kind"] == "MP" => {
                Some((text(&one["name"]), format!("{} {}", text(&one["zid"]), one["nid"])))
            }
            Wire::Dds | Wire::Zenoh => None,
        });
        found.collect()
    }

    /// Whether somebody publishes a topic.
    pub(crate) fn has_topic(&self, topic: &str) -> bool {
        self.publishers().iter().any(|(found, _)| found == topic)
    }

    /// Whether the peer is alone.
    pub(crate) fn is_empty(&self) -> bool {
        let nodes = match self.wire {
            Wire::Dds => &self.graph["participants"],
            Wire::Zenoh => &self.graph["tokens"],
        };
        nodes.as_array().is_some_and(Vec::is_empty)
    }

    /// Namespace and name of the only node besides that of the peer. Over DDS, nodes are in a topic.
    #[track_caller]
    pub(crate) fn node(&self, peer: &Peer) -> (Value, Value) {
        match self.wire {
            Wire::Dds => {
                let latched = json!({"transient_local": true, "depth": 1});
                let info = "rmw_dds_common/msg/ParticipantEntitiesInfo";
                let nodes = peer.subscribe("ros_discovery_info", info, latched).next();
                let node = &nodes["node_entities_info_seq"][0];
                (node["node_namespace"].clone(), node["node_name"].clone())
            }
            Wire::Zenoh => {
                let nodes = self.graph["nodes"].as_array().expect("a list");
                assert_eq!(nodes.len(), 1, "{nodes:?}");
                (nodes[0]["namespace"].clone(), nodes[0]["node"].clone())
            }
        }
    }
}

/// `package::srv::dds_::Name_` of `package/srv/Name`.
fn dds_name(ros_type: &str) -> String {
    let parts: Vec<&str> = ros_type.split('/').collect();
    format!("{}::{}::dds_::{}_", parts[0], parts[1], parts[2])
}
