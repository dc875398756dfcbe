//! Which local readers are matched with remote writers, by their entities, in all participants of this process.
//!
//! `rustdds` passes what is addressed to all readers of a writer to each reader that is matched with a writer of the
//! same entity, of whatever participant. Entries are not removed: too many only make the guard count too much.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex};

use super::super::Guid;
use super::super::datagram::entity;
use super::wire::Entity;
use crate::lock::lock;

static READERS: LazyLock<Mutex<HashMap<Entity, HashSet<Entity>>>> = LazyLock::new(Mutex::default);

/// Records that a local reader is matched with a remote writer.
pub(crate) fn note(local_reader: Guid, remote_writer: Guid) {
    lock(&READERS).entry(entity(remote_writer)).or_default().insert(entity(local_reader));
}

/// Returns the local readers that are matched with writers of this entity.
pub(super) fn readers(writer: Entity) -> Vec<Entity> {
    lock(&READERS).get(&writer).into_iter().flatten().copied().collect()
}
