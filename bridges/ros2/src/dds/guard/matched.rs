//! Which local readers are matched with remote writers, in all participants of this process.
//!
//! `rustdds` passes what is addressed to all readers of a writer to each reader that is matched with a writer of the
//! same entity, of whatever participant.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{LazyLock, Mutex};

use bridgehead_ros2_node::lock::lock;

use super::wire::Entity;
use crate::dds::guid::Guid;

/// Local readers by the entities of the remote writers.
static READERS: LazyLock<Mutex<HashMap<Entity, HashSet<Guid>>>> = LazyLock::new(Mutex::default);

/// Records that a local reader is matched with a remote writer.
pub(crate) fn note(local_reader: Guid, remote_writer: Guid) {
    lock(&READERS).entry(remote_writer.entity()).or_default().insert(local_reader);
}

/// Forgets a local reader that was dropped.
pub(crate) fn forget(local_reader: Guid) {
    lock(&READERS).retain(|_, readers| {
        readers.remove(&local_reader);
        !readers.is_empty()
    });
}

/// Returns the local readers that are matched with writers of this entity, each entity once.
pub(super) fn readers(writer: Entity) -> Vec<Entity> {
    let readers = lock(&READERS);
    let entities: BTreeSet<Entity> =
        readers.get(&writer).into_iter().flatten().copied().map(Guid::entity).collect();
    entities.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_known_until_it_is_dropped_also_if_another_participant_has_the_same_entity() {
        let guid = |participant: u8, entity: Entity| {
            let mut bytes = [participant; 16];
            bytes[12..].copy_from_slice(&entity);
            Guid(bytes)
        };
        // An entity that no other test of this process uses.
        let (writer, reader) = (*b"a wr", *b"read");
        note(guid(1, reader), guid(9, writer));
        note(guid(2, reader), guid(9, writer));
        assert_eq!(readers(writer), [reader]);
        forget(guid(1, reader));
        assert_eq!(readers(writer), [reader], "the other participant has it still");
        forget(guid(2, reader));
        assert!(readers(writer).is_empty() && !lock(&READERS).contains_key(&writer));
    }
}
