//! What the guard accepts, with the reason for each number.

use std::time::Duration;

/// Largest sequence number. At a million samples per second, a writer reaches it after 285 years. Sums of larger
/// numbers overflow in `rustdds`.
pub(super) const MAX_NUMBER: i64 = 1 << 53;

/// Most samples that one HEARTBEAT announces: `rustdds` makes a list of them, two megabytes here. Longer ranges are
/// shortened; the reader gets the rest once it has the beginning.
pub(super) const MAX_ANNOUNCED: i64 = 1 << 18;

/// Most numbers by which one HEARTBEAT or GAP advances a known writer, and most entries that `rustdds` makes for one
/// GAP. Longer steps are shortened, so that a writer is reached again after some heartbeats.
pub(super) const MAX_ADVANCE: i64 = 1 << 16;

/// Numbers that a GAP may cover beyond those that the writer of a topic has announced.
pub(super) const MAX_AHEAD: i64 = 64;

/// Size of the largest sample that is received in fragments.
pub(super) const MAX_SAMPLE: u32 = 16 << 20;

/// Memory for samples of which some fragments are missing, for each participant.
pub(super) const MAX_INCOMPLETE: u64 = 64 << 20;

/// Memory that counts for each fragment, if that is more than the size of the sample: `rustdds` makes a list of all
/// missing fragments at each heartbeat. It is the size of its own fragments, and all other vendors use larger ones.
pub(super) const PER_FRAGMENT: u64 = 256;

/// Memory that counts for each incomplete sample in addition.
pub(super) const PER_SAMPLE: u64 = 1024;

/// Most incomplete samples of one writer. `rustdds` discards some on its own above 128.
pub(super) const MAX_INCOMPLETE_OF_WRITER: u16 = 100;

/// Most writers whose fragments are accepted: `rustdds` keeps an entry for each until it ends.
pub(super) const MAX_FRAGMENTING_WRITERS: usize = 1 << 16;

/// A sample without a new fragment for this time gets no more fragments. It is shorter than the ten seconds after
/// which `rustdds` may discard it.
pub(super) const STALE: Duration = Duration::from_secs(8);

/// After this time, the next fragment for the same reader makes `rustdds` discard the sample: ten seconds, and the two
/// between its checks.
pub(super) const DISCARDED: Duration = Duration::from_secs(13);

/// Highest fragment that a reader can request: the last one of a gibibyte. `rustdds` keeps a bit for each lower one.
pub(super) const MAX_REQUESTED_FRAGMENT: u32 = 1 << 22;

/// Memory of requested fragments: at once, and per second. `rustdds` answers about a hundred requests per second.
pub(super) const REQUESTS: (u32, u32) = (16 << 20, 2 << 20);

/// New participants: at once, and per second. `rustdds` keeps an entry for each address in a datagram.
pub(super) const PARTICIPANTS: (u32, u32) = (1024, 1);

/// Announcements of endpoints: at once, and per second. `rustdds` keeps each announced endpoint until it or its
/// participant is gone; its place can then be used again.
pub(super) const ANNOUNCEMENTS: (u32, u32) = (10_000, 10);

/// Participants that are remembered.
pub(super) const KNOWN_PARTICIPANTS: usize = 8192;

/// Writers whose newest number is remembered.
pub(super) const KNOWN_WRITERS: usize = 16_384;

/// Datagrams and bytes that one socket delivers before `rustdds` must process them: it collects them until the socket
/// is empty, which never happens under a flood.
pub(super) const BATCH: (u32, usize) = (16_384, 16 << 20);
