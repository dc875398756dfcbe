//! `ros_discovery_info`: the endpoints of each node, for `ros2 node list` and `ros2 node info`.

use std::collections::BTreeSet;
use std::sync::Mutex;

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;
use bytes::Bytes;

use super::guid::Guid;
use super::options::{GidSize, Node};
use super::qos::{History, Qos};
use super::raw::{self, Outgoing};
use super::raw_participant::RawParticipant;
use super::signal::{Signal, Signals};

/// The DDS topic, without a prefix.
const TOPIC: &str = "ros_discovery_info";
/// Its DDS type.
const TYPE: &str = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
const QOS: Qos = Qos { history: History::Newest, ..Qos::LATCHED };

/// The node, its endpoints, and the writer that publishes them. Usable from any thread; the thread of the participant
/// publishes.
pub(super) struct Graph {
    gid: GidSize,
    participant: Guid,
    listed: Mutex<Listed>,
    writer: Mutex<Option<raw::Writer>>,
    signals: Signals,
}

struct Listed {
    node: Node,
    readers: BTreeSet<Guid>,
    writers: BTreeSet<Guid>,
}

impl Graph {
    pub(super) fn new(node: Node, gid: GidSize, participant: Guid, signals: Signals) -> Self {
        let listed = Listed { node, readers: BTreeSet::new(), writers: BTreeSet::new() };
        Graph { gid, participant, listed: Mutex::new(listed), writer: Mutex::default(), signals }
    }

    /// Starts publishing.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create the writer.
    pub(super) fn open(&self, participant: &RawParticipant) -> Result {
        *lock(&self.writer) = Some(participant.writer(TOPIC, TYPE, QOS)?);
        Ok(())
    }

    /// Stops publishing.
    pub(super) fn close(&self) {
        drop(lock(&self.writer).take());
    }

    pub(super) fn add_reader(&self, guid: Guid) {
        lock(&self.listed).readers.insert(guid);
    }

    pub(super) fn add_writer(&self, guid: Guid) {
        lock(&self.listed).writers.insert(guid);
    }

    pub(super) fn remove(&self, guid: Guid) {
        let mut listed = lock(&self.listed);
        listed.readers.remove(&guid);
        listed.writers.remove(&guid);
    }

    /// Changes the list and has it published.
    pub(super) fn change(&self, change: impl Fn(&Graph)) {
        change(self);
        self.signals.send(Signal::Graph);
    }

    /// Changes names with another participant, lists its endpoints too, and has both lists published. The other one keeps
    /// its own endpoints. Only one thread at a time may call this.
    pub(super) fn take_over(&self, other: &Graph) {
        let (mut listed, mut from) = (lock(&self.listed), lock(&other.listed));
        std::mem::swap(&mut listed.node, &mut from.node);
        listed.readers.extend(&from.readers);
        listed.writers.extend(&from.writers);
        let is_own = |guid: &Guid| guid.prefix() == other.participant.prefix();
        from.readers.retain(is_own);
        from.writers.retain(is_own);
        drop((listed, from));
        [self, other].iter().for_each(|graph| graph.signals.send(Signal::Graph));
    }

    /// Publishes the current state. Returns false if that must be tried again.
    pub(super) fn publish(&self) -> bool {
        let body = self.body();
        let writer = lock(&self.writer);
        let Some(writer) = &*writer else { return true };
        let written = writer.write(Outgoing(Bytes::from(body)), None);
        if let Err(error) = &written {
            log::warn!("the list of nodes cannot be sent now: {error}");
        }
        written.is_ok()
    }

    /// Returns `Gid gid` and one `NodeEntitiesInfo` as a CDR body.
    fn body(&self) -> Vec<u8> {
        let listed = lock(&self.listed);
        let mut body = Vec::new();
        self.put_gid(&mut body, self.participant);
        put_length(&mut body, 1);
        put_text(&mut body, &listed.node.namespace);
        put_text(&mut body, &listed.node.name);
        for guids in [&listed.readers, &listed.writers] {
            put_length(&mut body, guids.len());
            guids.iter().for_each(|guid| self.put_gid(&mut body, *guid));
        }
        align(&mut body);
        body
    }

    fn put_gid(&self, body: &mut Vec<u8>, guid: Guid) {
        body.extend_from_slice(&guid.0);
        body.resize(body.len() + self.gid.bytes() - guid.0.len(), 0);
    }
}

fn align(body: &mut Vec<u8>) {
    body.resize(body.len().next_multiple_of(4), 0);
}

fn put_length(body: &mut Vec<u8>, length: usize) {
    align(body);
    body.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_text(body: &mut Vec<u8>, text: &str) {
    put_length(body, text.len() + 1);
    body.extend_from_slice(text.as_bytes());
    body.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(number: u8) -> Guid {
        Guid([number; 16])
    }

    fn empty(name: &str, gid: GidSize, participant: u8) -> Graph {
        let node = Node { namespace: "/".to_owned(), name: name.to_owned() };
        Graph::new(node, gid, guid(participant), Signals::new().0)
    }

    fn graph(gid: GidSize) -> Graph {
        let graph = empty("host", gid, 1);
        graph.add_reader(guid(2));
        graph.add_writer(guid(3));
        graph.add_writer(guid(4));
        graph.add_writer(guid(5));
        graph.remove(guid(4));
        graph
    }

    /// A node `/host` with a reader and two writers, addresses padded to `width`.
    fn expected(width: usize) -> Vec<u8> {
        let gid = |number: u8| {
            let mut bytes = vec![number; 16];
            bytes.resize(width, 0);
            bytes
        };
        let mut body = gid(1);
        body.extend([1, 0, 0, 0]);
        body.extend(b"\x02\0\0\0/\0\0\0");
        body.extend(b"\x05\0\0\0host\0\0\0\0");
        body.extend([1, 0, 0, 0]);
        body.extend(gid(2));
        body.extend([2, 0, 0, 0]);
        body.extend(gid(3));
        body.extend(gid(5));
        body
    }

    #[test]
    fn another_participant_takes_over_the_name_and_the_list() {
        let named = |name: &str| Node { namespace: "/".to_owned(), name: name.to_owned() };
        let [first, second] =
            [(1, "host"), (2, "_host_2")].map(|(number, name)| empty(name, GidSize::Short, number));
        let endpoint = |participant: u8, number: u8| {
            let mut guid = guid(participant);
            guid.0[15] = number;
            guid
        };
        for (of, number) in [(1, 7), (2, 8)] {
            first.add_writer(endpoint(of, number));
        }
        second.add_reader(endpoint(2, 9));
        second.take_over(&first);
        let listed = |graph: &Graph| {
            let listed = lock(&graph.listed);
            (listed.node.clone(), listed.readers.clone(), listed.writers.clone())
        };
        assert_eq!(
            listed(&second),
            (
                named("host"),
                BTreeSet::from([endpoint(2, 9)]),
                BTreeSet::from([endpoint(1, 7), endpoint(2, 8)]),
            )
        );
        assert_eq!(listed(&first), (named("_host_2"), BTreeSet::new(), BTreeSet::from([endpoint(1, 7)])));
    }

    #[test]
    fn the_node_and_its_endpoints_are_written_as_the_distribution_reads_them() {
        for (gid, width) in [(GidSize::Short, 16), (GidSize::Long, 24)] {
            assert_eq!(graph(gid).body(), expected(width), "{gid:?}");
        }
    }
}
