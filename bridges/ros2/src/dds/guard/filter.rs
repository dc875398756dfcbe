//! Decides what `rustdds` gets of a datagram. A function of the datagram, the earlier ones and the time: no I/O.
//!
//! A refused submessage gets a kind that receivers skip, so that the others in its datagram stay valid. Refused are
//! malformed ones too: `rustdds` discards whole datagrams for them, and the bookkeeping here would differ from its own.

use std::time::Instant;

use super::fragments::{Fragments, Refusal, Run};
use super::limits::{
    ANNOUNCEMENTS, KNOWN_PARTICIPANTS, KNOWN_WRITERS, MAX_ADVANCE, MAX_AHEAD, MAX_ANNOUNCED, MAX_NUMBER,
    MAX_REQUESTED_FRAGMENT, PARTICIPANTS, REQUESTS,
};
use super::reason::{Reason, Verdict};
use super::recent::{Bucket, Recent};
use super::wire::{Entity, HEADER, Prefix, Submessage, flag, is_chain, kind, place, sender};
use crate::dds::guid::Guid;

/// The id that stands for all readers that are matched with the writer.
const ANY_READER: Entity = [0; 4];
/// The endpoints that announce participants.
const SPDP_READER: Entity = [0, 1, 0, 0xc7];
/// The reader of signs of life.
const LIVELINESS_READER: Entity = [0, 2, 0, 0xc7];
/// Kinds of endpoints: the last bytes of their ids.
const BUILTIN_WRITER: u8 = 0xc2;
const BUILTIN_READER: u8 = 0xc7;

/// Milliseconds per count of heartbeats at least: the largest count is reached after a year.
const TICK_MS: u128 = 16;

/// The sequence number of a fragment that only makes `rustdds` discard old ones.
const SWEEP: i64 = MAX_NUMBER;

/// The newest numbers of a writer.
struct Progress {
    last: i64,
    /// Count that its newest heartbeat got.
    count: u32,
}

/// What is remembered of the peers of one participant.
pub(super) struct Filter {
    participants: Recent<Prefix, ()>,
    new_participants: Bucket,
    announcements: Bucket,
    requests: Bucket,
    writers: Recent<Guid, Progress>,
    pub(super) fragments: Fragments,
    /// The time of the first heartbeat.
    start: Option<Instant>,
}

/// One submessage with its source.
struct Part<'a> {
    message: Submessage<'a>,
    source: Prefix,
}

/// Returns the entities of the local readers that are matched with writers of this entity.
pub(super) type Matched<'a> = &'a dyn Fn(Entity) -> Vec<Entity>;

impl Filter {
    pub(super) fn new() -> Self {
        Filter {
            participants: Recent::new(KNOWN_PARTICIPANTS),
            new_participants: Bucket::new(PARTICIPANTS),
            announcements: Bucket::new(ANNOUNCEMENTS),
            requests: Bucket::new(REQUESTS),
            writers: Recent::new(KNOWN_WRITERS),
            fragments: Fragments::default(),
            start: None,
        }
    }

    /// Checks a datagram, and changes it if parts of it are refused.
    pub(super) fn check(&mut self, datagram: &mut [u8], matched: Matched<'_>, now: Instant) -> Verdict {
        let Some(mut source) = sender(datagram) else { return Verdict::Drop(Reason::NotRtps) };
        if !is_chain(datagram) {
            return Verdict::Drop(Reason::Malformed);
        }
        if !self.admits(source, now) {
            return Verdict::Drop(Reason::Participants);
        }
        let (mut verdict, mut at) = (Verdict::Pass, HEADER);
        while let Some(place) = place(datagram, at) {
            at = place.body.end;
            let Some(message) = Submessage::at(datagram, &place) else { break };
            let mut part = Part { message, source };
            if let Err(reason) = self.check_part(&mut part, matched, now) {
                verdict = Verdict::Changed(reason);
            }
            if part.message.kind() == kind::INFO_SRC {
                source = part.message.array(8).unwrap_or(source);
            }
        }
        verdict
    }

    /// Fills up the places for announced endpoints. `take` returns at most so many that others have left.
    pub(super) fn reuse_places(&mut self, take: impl FnOnce(u32) -> u32) {
        self.announcements.refill(take);
    }

    /// Returns whether a datagram of this participant was admitted lately.
    pub(super) fn knows(&mut self, participant: Prefix) -> bool {
        self.participants.get_mut(&participant).is_some()
    }

    fn admits(&mut self, participant: Prefix, now: Instant) -> bool {
        if self.participants.get_mut(&participant).is_some() {
            return true;
        }
        let is_admitted = self.new_participants.take(1, now);
        if is_admitted {
            self.participants.insert(participant, ());
        }
        is_admitted
    }

    /// Checks a submessage. A refused one is skipped by receivers; `None` of a check means that it is malformed.
    fn check_part(&mut self, part: &mut Part<'_>, matched: Matched<'_>, now: Instant) -> Result<(), Reason> {
        let found = match part.message.kind() {
            kind::HEARTBEAT => self.heartbeat(part, now),
            kind::GAP => self.gap(part),
            kind::DATA => self.data(part, now),
            kind::DATA_FRAG => self.fragment(part, matched, now),
            kind::NACK_FRAG => self.fragment_request(part, now),
            kind::ACKNACK => acknack(part),
            kind::HEARTBEAT_FRAG => part.message.array::<24>(0).map(|_| Ok(())),
            kind::INFO_DST => part.message.array::<12>(0).map(|_| Ok(())),
            kind::INFO_SRC => part.message.array::<20>(0).map(|_| Ok(())),
            kind::INFO_TS if part.message.has(flag::INVALIDATE) => Some(Ok(())),
            kind::INFO_TS => part.message.array::<8>(0).map(|_| Ok(())),
            // `rustdds` cannot read the form that others write, and would discard the datagram.
            kind::INFO_REPLY => Some(Err(Refused::Skip(Reason::Malformed))),
            _ => Some(Ok(())),
        };
        match found.unwrap_or(Err(Refused::Skip(Reason::Malformed))) {
            Ok(()) => Ok(()),
            Err(Refused::Change(reason)) => Err(reason),
            Err(Refused::Skip(reason)) => {
                part.message.skip();
                Err(reason)
            }
        }
    }

    fn heartbeat(&mut self, part: &mut Part<'_>, now: Instant) -> Option<Result<(), Refused>> {
        let writer = part.endpoint(4)?;
        let (first, last) = (part.message.number(8)?, part.message.number(16)?);
        part.message.u32(24)?;
        if !is_number(first) || !is_number(last) {
            return Some(skip(Reason::Number));
        }
        let newest =
            self.writers.get_mut(&writer).map_or(i64::MAX, |known| known.last.saturating_add(MAX_ADVANCE));
        let new_first = first.min(newest);
        let new_last = last.min(new_first.saturating_add(MAX_ANNOUNCED - 1));
        self.advance(writer, new_last.min(newest));
        part.message.set_number(8, new_first);
        part.message.set_number(16, new_last);
        // `rustdds` ignores heartbeats with lower counts than it has seen, and so all others after one with a high count.
        part.message.set_u32(24, self.count_heartbeat(writer, now));
        Some(match (new_first == first, new_last == last) {
            (true, true) => Ok(()),
            (false, _) => Err(Refused::Change(Reason::Advance)),
            (true, false) => Err(Refused::Change(Reason::Announced)),
        })
    }

    fn gap(&mut self, part: &mut Part<'_>) -> Option<Result<(), Refused>> {
        const SET: usize = 16;
        let writer = part.endpoint(4)?;
        let (start, base) = (part.message.number(8)?, part.message.number(SET)?);
        let bits = part.message.set_bits(SET + 8)?;
        if !is_number(start) || !is_number(base) {
            return Some(skip(Reason::Number));
        }
        // Before its first heartbeat, nothing is known of a writer. It sends the GAP again when a reader asks for more.
        let Some(known) = self.writers.get_mut(&writer) else {
            part.message.skip();
            return Some(Ok(()));
        };
        // Writers of topics may skip a sample that is for another reader before they announce it.
        let ahead = if is_builtin(part.message.array(4)?) { 0 } else { MAX_AHEAD };
        let end = known.last.saturating_add(1 + ahead).min(start.saturating_add(MAX_ADVANCE));
        if base.saturating_add(bits.into()) <= end {
            return Some(Ok(()));
        }
        if end <= start {
            return Some(skip(Reason::Advance));
        }
        part.message.set_number(SET, base.min(end));
        part.message.keep_bits(SET + 8, bits, u32::try_from(end - base).unwrap_or(0));
        Some(Err(Refused::Change(Reason::Advance)))
    }

    fn data(&mut self, part: &Part<'_>, now: Instant) -> Option<Result<(), Refused>> {
        const FIELDS: usize = 20;
        let payload = part.message.payload(FIELDS)?;
        let (reader, entity) = (part.message.array(4)?, part.message.array(8)?);
        let number = part.message.number(12)?;
        if !is_number(number) {
            return Some(skip(Reason::Number));
        }
        // Departures pass: `rustdds` keeps nothing for them but its usual history.
        let is_value = part.message.has(flag::VALUE);
        if let (Some(reader), true) = (builtin_reader(reader, entity)?, is_value) {
            let refused = self.announcement(reader, part.message.announced(payload), now);
            if let Err(reason) = refused {
                return Some(skip(reason));
            }
        }
        self.advance(part.endpoint(8)?, number);
        Some(Ok(()))
    }

    /// Limits the rate of what `rustdds` keeps for each announcement.
    fn announcement(
        &mut self,
        reader: Entity,
        participant: Option<Prefix>,
        now: Instant,
    ) -> Result<(), Reason> {
        match (reader, participant) {
            (LIVELINESS_READER, _) | (SPDP_READER, None) => Ok(()),
            (SPDP_READER, Some(participant)) if self.admits(participant, now) => Ok(()),
            (SPDP_READER, Some(_)) => Err(Reason::Participants),
            _ if self.announcements.take(1, now) => Ok(()),
            _ => Err(Reason::Announcements),
        }
    }

    fn fragment(
        &mut self,
        part: &mut Part<'_>,
        matched: Matched<'_>,
        now: Instant,
    ) -> Option<Result<(), Refused>> {
        let run = part.run()?;
        if !is_number(run.sequence) {
            return Some(skip(Reason::Number));
        }
        let (reader, entity) = (part.message.array(4)?, part.message.array(8)?);
        let builtin = builtin_reader(reader, entity)?;
        let readers = match reader {
            ANY_READER => matched(entity).into_iter().chain(builtin).collect(),
            _ => vec![reader],
        };
        if readers.is_empty() {
            // Not for this participant, or its match is not processed yet. Nothing is wrong with it.
            part.message.skip();
            return Some(Ok(()));
        }
        Some(match self.fragments.admit(&run, &readers, now) {
            Ok(()) => {
                self.advance(run.writer, run.sequence);
                Ok(())
            }
            Err(Refusal::Large) => skip(Reason::FragmentSize),
            Err(Refusal::Conflict) => skip(Reason::FragmentConflict),
            Err(Refusal::Full) => self.sweep(part, &run, now),
        })
    }

    /// Changes a refused fragment into one that makes `rustdds` discard old ones, if there are any.
    fn sweep(&mut self, part: &mut Part<'_>, run: &Run, now: Instant) -> Result<(), Refused> {
        let Some(reader) = self.fragments.reader_with_old(now) else { return skip(Reason::Incomplete) };
        // The assembler of this writer must exist already, and cut samples in the same way.
        if self.fragments.fragment_size(reader, run.writer).is_some_and(|size| size != run.fragment_size) {
            return skip(Reason::Incomplete);
        }
        let size = u32::from(run.count) * u32::from(run.fragment_size) + 1;
        part.message.set(4, reader);
        part.message.set_number(12, SWEEP);
        part.message.set_u32(20, 1);
        part.message.set_u32(28, size);
        self.fragments.discard_old(reader, now);
        Err(Refused::Change(Reason::Incomplete))
    }

    fn fragment_request(&mut self, part: &mut Part<'_>, now: Instant) -> Option<Result<(), Refused>> {
        const SET: usize = 16;
        let (number, base) = (part.message.number(8)?, part.message.u32(SET)?);
        let bits = part.message.set_bits(SET + 4)?;
        // The count follows the set.
        part.message.u32(SET + 8 + (bits.div_ceil(32) * 4) as usize)?;
        if !is_number(number) {
            return Some(skip(Reason::Number));
        }
        let last = base.saturating_add(bits);
        // `rustdds` keeps empty requests for ever, and then answers no others of this reader.
        let is_empty = !part.message.keep_bits(SET + 4, bits, bits);
        let is_possible = base >= 1 && last <= MAX_REQUESTED_FRAGMENT && !is_empty;
        Some(if is_possible && self.requests.take(64 + last / 8, now) {
            Ok(())
        } else {
            skip(Reason::RequestedFragment)
        })
    }

    /// Records the newest number of a writer. It advances only in steps, so that one wrong number does little harm.
    fn advance(&mut self, writer: Guid, number: i64) {
        match self.writers.get_mut(&writer) {
            Some(known) => known.last = known.last.max(number.min(known.last.saturating_add(MAX_ADVANCE))),
            None => {
                self.writers.insert(writer, Progress { last: number.max(0), count: 0 });
            }
        }
    }

    /// Returns the next count of the heartbeats of a writer. It is at least the time, so that it increases also if the
    /// writer was forgotten in between.
    fn count_heartbeat(&mut self, writer: Guid, now: Instant) -> u32 {
        let start = *self.start.get_or_insert(now);
        let ticks = now.saturating_duration_since(start).as_millis() / TICK_MS;
        let Some(known) = self.writers.get_mut(&writer) else { return 0 };
        known.count = u32::try_from(ticks).unwrap_or(0).max(known.count.saturating_add(1));
        known.count
    }
}

/// What happens with a submessage that does not pass unchanged.
enum Refused {
    Change(Reason),
    Skip(Reason),
}

fn skip(reason: Reason) -> Result<(), Refused> {
    Err(Refused::Skip(reason))
}

fn is_number(number: i64) -> bool {
    (0..MAX_NUMBER).contains(&number)
}

/// Returns the reader if it is one of discovery, and `None` for others. The outer `None` means that reader and writer do
/// not belong together: in discovery each reader has one writer, and `rustdds` accepts unmatched ones.
fn builtin_reader(reader: Entity, writer: Entity) -> Option<Option<Entity>> {
    let [a, b, c, writer_kind] = writer;
    let counterpart = (writer_kind == BUILTIN_WRITER).then_some([a, b, c, BUILTIN_READER]);
    if reader == ANY_READER || (!is_builtin(reader) && !is_builtin(writer)) {
        Some(counterpart)
    } else {
        (counterpart == Some(reader)).then_some(counterpart)
    }
}

/// Returns whether an entity belongs to the protocol and not to an application.
fn is_builtin([.., kind]: Entity) -> bool {
    kind & 0xc0 == 0xc0
}

fn acknack(part: &Part<'_>) -> Option<Result<(), Refused>> {
    let (base, bits) = (part.message.number(8)?, part.message.set_bits(16)?);
    part.message.u32(20 + (bits.div_ceil(32) * 4) as usize)?;
    Some(if is_number(base) { Ok(()) } else { skip(Reason::Number) })
}

impl Part<'_> {
    /// Returns the address of the writer whose entity is at this place.
    fn endpoint(&self, at: usize) -> Option<Guid> {
        let mut guid = [0; 16];
        let (prefix, entity) = guid.split_at_mut(12);
        prefix.copy_from_slice(&self.source);
        entity.copy_from_slice(&self.message.array::<4>(at)?);
        Some(Guid(guid))
    }

    /// Returns the fragments of a DATA_FRAG, if its fields fit each other.
    fn run(&self) -> Option<Run> {
        const FIELDS: usize = 32;
        let length = self.message.body.len().checked_sub(self.message.payload(FIELDS)?)?;
        let run = Run {
            writer: self.endpoint(8)?,
            sequence: self.message.number(12)?,
            first: self.message.u32(20)?.checked_sub(1)?,
            count: self.message.u16(24)?,
            fragment_size: self.message.u16(26)?,
            size: self.message.u32(28)?,
        };
        let (fragment, count) = (u64::from(run.fragment_size), u64::from(run.count));
        let begin = u64::from(run.first) * fragment;
        let full = count * fragment;
        let expected = u64::from(run.size).checked_sub(begin)?.min(full);
        let is_last_used = count >= 1 && fragment >= 1 && (count - 1) * fragment < expected;
        let length = u64::try_from(length).ok()?;
        let fits = fragment <= u64::from(run.size) && (expected..=full).contains(&length);
        (is_last_used && fits).then_some(run)
    }
}

#[cfg(test)]
mod tests;
