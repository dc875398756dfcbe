//! The connection graph: which elements and clients publish and subscribe to topics, and which offer services.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_websocket::{Frame, Link};

use super::callbacks::Failure;
use super::{Session, State};
use crate::lock::lock;
use crate::protocol::event::{self, Ends, GraphChanges};

/// Name of the host in the graph, for topics and services that no element of the world has.
const HOST: &str = "bridgehead";

/// Ends of all topics and services.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    published: Ends,
    subscribed: Ends,
    services: Ends,
}

impl Graph {
    fn of(state: &State, world: &WorldDescription) -> Self {
        let mut graph = Graph::default();
        for offered in state.channels.values() {
            let publishers = graph.published.entry(offered.channel.topic.clone()).or_default();
            publishers.extend(offered.publishers.iter().map(|(_, vehicle)| owner(vehicle)));
        }
        for input in &state.inputs {
            graph.subscribed.entry(input.topic.clone()).or_default().insert(owner(&input.vehicle));
        }
        for service in state.services.values() {
            graph.services.entry(service.name.clone()).or_default().insert(owner(&service.vehicle));
        }
        graph.add_elements(world);
        graph.add_clients(state);
        graph
    }

    /// Replaces owners of topics by the elements of the world that open them.
    fn add_elements(&mut self, world: &WorldDescription) {
        for element in world.elements.iter().filter(|element| !element.path.is_empty()) {
            for topic in &element.topics {
                let side = if topic.is_published { &mut self.published } else { &mut self.subscribed };
                if let Some(ends) = side.get_mut(&topic.topic) {
                    ends.remove(&owner(&element.vehicle));
                    ends.insert(element.path.clone());
                }
            }
        }
    }

    fn add_clients(&mut self, state: &State) {
        for client in state.clients.values() {
            let name = client.name();
            let topics = client.subscriptions.values().filter_map(|channel| state.channels.get(channel));
            for offered in topics {
                self.subscribed.entry(offered.channel.topic.clone()).or_default().insert(name.clone());
            }
            for publication in client.publications.values() {
                self.published.entry(publication.topic.clone()).or_default().insert(name.clone());
            }
        }
    }

    /// Returns the changes that make this graph of an earlier one; `None` if they are equal.
    fn changes_since(&self, earlier: &Graph) -> Option<GraphChanges> {
        let mut changes = GraphChanges {
            published: changed(&self.published, &earlier.published),
            subscribed: changed(&self.subscribed, &earlier.subscribed),
            services: changed(&self.services, &earlier.services),
            ..GraphChanges::default()
        };
        let has = |graph: &Graph, topic: &String| {
            graph.published.contains_key(topic) || graph.subscribed.contains_key(topic)
        };
        let known = earlier.published.keys().chain(earlier.subscribed.keys());
        changes.removed_topics = known.filter(|topic| !has(self, topic)).cloned().collect();
        changes.removed_topics.sort();
        changes.removed_topics.dedup();
        let services = earlier.services.keys().filter(|name| !self.services.contains_key(*name));
        changes.removed_services = services.cloned().collect();
        // A topic with only one kind of ends left has an empty list of the other kind.
        clear_gone(&mut changes.published, &self.published, &earlier.published, &changes.removed_topics);
        clear_gone(&mut changes.subscribed, &self.subscribed, &earlier.subscribed, &changes.removed_topics);
        (changes != GraphChanges::default()).then_some(changes)
    }
}

/// Returns the ends that differ from the earlier ones.
fn changed(now: &Ends, earlier: &Ends) -> Ends {
    let different = now.iter().filter(|(name, ids)| earlier.get(*name) != Some(*ids));
    different.map(|(name, ids)| (name.clone(), ids.clone())).collect::<BTreeMap<_, _>>()
}

fn clear_gone(changes: &mut Ends, now: &Ends, earlier: &Ends, removed: &[String]) {
    let gone = earlier.keys().filter(|topic| !now.contains_key(*topic) && !removed.contains(topic));
    changes.extend(gone.map(|topic| (topic.clone(), Default::default())));
}

fn owner(vehicle: &str) -> String {
    if vehicle.is_empty() { HOST.to_owned() } else { vehicle.to_owned() }
}

impl Session {
    /// Sends a client the connection graph, and its changes from then on.
    pub(super) fn subscribe_graph(&self, link: &Link) -> Vec<Failure> {
        let world = self.world();
        let mut state = lock(&self.state);
        let graph = Graph::of(&state, &world);
        let changes = graph.changes_since(&Graph::default()).unwrap_or_default();
        link.reply(Frame::text(event::connection_graph(&changes)));
        if let Some(client) = state.clients.get_mut(&link.id()) {
            client.graph = Some(graph);
        }
        Vec::new()
    }

    pub(super) fn unsubscribe_graph(&self, link: &Link) -> Vec<Failure> {
        if let Some(client) = lock(&self.state).clients.get_mut(&link.id()) {
            client.graph = None;
        }
        Vec::new()
    }

    /// Sends changes of the connection graph to the clients that asked for it.
    pub(super) fn send_graph(&self) {
        // A new description counts as a change.
        let world = self.world();
        if !self.has_new_graph.swap(false, Ordering::AcqRel) {
            return;
        }
        let mut state = lock(&self.state);
        if state.clients.values().all(|client| client.graph.is_none()) {
            return;
        }
        let graph = Graph::of(&state, &world);
        for client in state.clients.values_mut() {
            let Some(known) = &mut client.graph else { continue };
            if let Some(changes) = graph.changes_since(known) {
                client.link.reply(Frame::text(event::connection_graph(&changes)));
                known.clone_from(&graph);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ends(list: &[(&str, &[&str])]) -> Ends {
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>();
        list.iter().map(|(name, list)| ((*name).to_owned(), ids(list))).collect()
    }

    #[test]
    fn changes_name_what_is_new_different_and_gone() {
        let earlier = Graph {
            published: ends(&[("/a", &["x"]), ("/b", &["x"]), ("/c", &["x"])]),
            subscribed: ends(&[("/a", &["client"]), ("/d", &["y"])]),
            services: ends(&[("/s", &["bridgehead"])]),
        };
        let now = Graph {
            published: ends(&[("/a", &["x", "z"]), ("/b", &["x"])]),
            subscribed: ends(&[("/d", &["y"])]),
            services: Ends::new(),
        };
        let changes = now.changes_since(&earlier).expect("changes");
        assert_eq!(changes.published, ends(&[("/a", &["x", "z"])]));
        assert_eq!(changes.subscribed, ends(&[("/a", &[])]));
        assert_eq!(
            (changes.removed_topics, changes.removed_services),
            (vec!["/c".into()], vec!["/s".into()])
        );
        assert_eq!(now.changes_since(&now.clone()), None);
    }
}
