//! The memory that `rustdds` uses for samples of which some fragments are missing.
//!
//! `rustdds` reserves the announced size of a sample at its first fragment, for any writer, matched or not. This module
//! repeats its bookkeeping for each reader, so that the sum stays below a limit. Where the two could differ, a fragment
//! is refused: the writer of a reliable topic sends it again.

use std::collections::HashMap;
use std::time::Instant;

use super::limits::{
    DISCARDED, MAX_FRAGMENTING_WRITERS, MAX_INCOMPLETE, MAX_INCOMPLETE_OF_WRITER, MAX_SAMPLE, PER_FRAGMENT,
    PER_SAMPLE, STALE,
};
use super::wire::Entity;
use crate::dds::guid::Guid;

/// One run of fragments, whose fields are consistent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) writer: Guid,
    pub(super) sequence: i64,
    /// The first fragment, counted from 0, and their number.
    pub(super) first: u32,
    pub(super) count: u16,
    /// Size of a fragment, and of the sample.
    pub(super) fragment_size: u16,
    pub(super) size: u32,
}

/// Why a run is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The sample or the number of its fragments is too large.
    Large,
    /// It contradicts earlier fragments, or comes too late.
    Conflict,
    /// Too many samples are incomplete.
    Full,
}

/// An incomplete sample of one reader.
struct Sample {
    fragment_size: u16,
    size: u32,
    received: Vec<u64>,
    missing: u32,
    charge: u64,
    last: Instant,
}

/// What `rustdds` keeps of a writer until it ends.
struct Writer {
    /// The size that the assembler of `rustdds` takes from the first fragment, for all samples.
    fragment_size: u16,
    incomplete: u16,
}

/// The incomplete samples of a participant.
#[derive(Default)]
pub(super) struct Fragments {
    samples: HashMap<(Entity, Guid, i64), Sample>,
    writers: HashMap<(Entity, Guid), Writer>,
    charged: u64,
}

impl Run {
    /// Returns the number of fragments of the sample.
    fn total(&self) -> u32 {
        self.size.div_ceil(u32::from(self.fragment_size).max(1))
    }

    fn charge(&self) -> u64 {
        u64::from(self.size).max(u64::from(self.total()) * PER_FRAGMENT) + PER_SAMPLE
    }

    fn fragments(&self) -> std::ops::Range<u32> {
        self.first..self.first.saturating_add(self.count.into())
    }
}

impl Fragments {
    /// Decides whether `readers` get a run, and records it if they do.
    pub(super) fn admit(&mut self, run: &Run, readers: &[Entity], now: Instant) -> Result<(), Refusal> {
        let mut charge = 0;
        for reader in readers {
            charge += self.check(*reader, run, now)?;
        }
        if self.charged + charge > MAX_INCOMPLETE {
            return Err(Refusal::Full);
        }
        for reader in readers {
            self.record(*reader, run, now);
        }
        Ok(())
    }

    /// Returns the memory that a run needs in addition.
    fn check(&self, reader: Entity, run: &Run, now: Instant) -> Result<u64, Refusal> {
        if run.size > MAX_SAMPLE || run.charge() > MAX_INCOMPLETE {
            return Err(Refusal::Large);
        }
        let writer = self.writers.get(&(reader, run.writer));
        if writer.is_some_and(|writer| writer.fragment_size != run.fragment_size) {
            return Err(Refusal::Conflict);
        }
        if let Some(sample) = self.samples.get(&(reader, run.writer, run.sequence)) {
            let is_equal = (sample.fragment_size, sample.size) == (run.fragment_size, run.size);
            let is_fresh = now.saturating_duration_since(sample.last) < STALE;
            return if is_equal && is_fresh { Ok(0) } else { Err(Refusal::Conflict) };
        }
        match writer {
            None if self.writers.len() >= MAX_FRAGMENTING_WRITERS => Err(Refusal::Full),
            Some(writer) if writer.incomplete >= MAX_INCOMPLETE_OF_WRITER => Err(Refusal::Full),
            _ => Ok(run.charge()),
        }
    }

    fn record(&mut self, reader: Entity, run: &Run, now: Instant) {
        let key = (reader, run.writer, run.sequence);
        let writer = self
            .writers
            .entry((reader, run.writer))
            .or_insert(Writer { fragment_size: run.fragment_size, incomplete: 0 });
        let sample = self.samples.entry(key).or_insert_with(|| {
            writer.incomplete += 1;
            self.charged += run.charge();
            Sample::new(run, now)
        });
        sample.mark(run, now);
        if sample.missing == 0 {
            self.release(key);
        } else {
            self.discard_old(reader, now);
        }
    }

    fn release(&mut self, key: (Entity, Guid, i64)) {
        let Some(sample) = self.samples.remove(&key) else { return };
        self.charged -= sample.charge;
        if let Some(writer) = self.writers.get_mut(&(key.0, key.1)) {
            writer.incomplete -= 1;
        }
    }

    /// Releases what `rustdds` discards when this reader gets a fragment that completes no sample.
    pub(super) fn discard_old(&mut self, reader: Entity, now: Instant) {
        let is_old = |sample: &Sample| now.saturating_duration_since(sample.last) >= DISCARDED;
        let old = self.samples.iter().filter(|(key, sample)| key.0 == reader && is_old(sample));
        for key in old.map(|(key, _)| *key).collect::<Vec<_>>() {
            self.release(key);
        }
    }

    /// Returns a reader whose old samples `rustdds` discards with its next fragment.
    pub(super) fn reader_with_old(&self, now: Instant) -> Option<Entity> {
        let is_old = |sample: &Sample| now.saturating_duration_since(sample.last) >= DISCARDED;
        self.samples.iter().find(|(_, sample)| is_old(sample)).map(|(key, _)| key.0)
    }

    /// Returns the size of a writer's fragments, if the reader has received one.
    pub(super) fn fragment_size(&self, reader: Entity, writer: Guid) -> Option<u16> {
        self.writers.get(&(reader, writer)).map(|writer| writer.fragment_size)
    }

    #[cfg(any(test, fuzzing))]
    pub(super) fn charged(&self) -> u64 {
        let sum: u64 = self.samples.values().map(|sample| sample.charge).sum();
        assert_eq!(sum, self.charged);
        self.charged
    }
}

impl Sample {
    fn new(run: &Run, now: Instant) -> Self {
        let (total, charge) = (run.total(), run.charge());
        let received = vec![0; total.div_ceil(64) as usize];
        Sample {
            fragment_size: run.fragment_size,
            size: run.size,
            received,
            missing: total,
            charge,
            last: now,
        }
    }

    fn mark(&mut self, run: &Run, now: Instant) {
        self.last = now;
        for fragment in run.fragments() {
            let bit = 1 << (fragment % 64);
            if let Some(word) =
                self.received.get_mut((fragment / 64) as usize).filter(|word| **word & bit == 0)
            {
                *word |= bit;
                self.missing = self.missing.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const READER: Entity = [0, 2, 0, 0xc7];
    const OTHER: Entity = [0, 3, 0, 0xc7];

    fn run(sequence: i64, first: u32, size: u32) -> Run {
        Run { writer: Guid([7; 16]), sequence, first, count: 1, fragment_size: 1000, size }
    }

    #[test]
    fn a_complete_sample_is_released_and_repetitions_do_not_count() {
        let (mut fragments, now) = (Fragments::default(), bridgehead_ros2_node::wall_clock::now());
        let mut send = |first| {
            fragments.admit(&run(1, first, 2500), &[READER, OTHER], now).map(|()| fragments.charged())
        };
        let each = 2 * (2500 + PER_SAMPLE);
        assert_eq!([0, 0, 2, 1].map(&mut send), [Ok(each), Ok(each), Ok(each), Ok(0)]);
    }

    #[test]
    fn samples_are_limited_in_size_number_and_sum() {
        let (mut fragments, now) = (Fragments::default(), bridgehead_ros2_node::wall_clock::now());
        let large = run(1, 0, MAX_SAMPLE + 1);
        assert_eq!(fragments.admit(&large, &[READER], now), Err(Refusal::Large));
        let many = Run { fragment_size: 1, ..run(1, 0, 1 << 19) };
        assert_eq!(fragments.admit(&many, &[READER], now), Err(Refusal::Large));
        let admitted = |fragments: &mut Fragments, size| {
            (0..1000)
                .filter(|sequence| fragments.admit(&run(*sequence, 0, size), &[READER], now).is_ok())
                .count()
        };
        assert_eq!(admitted(&mut fragments, MAX_SAMPLE), 3);
        assert!(fragments.charged() <= MAX_INCOMPLETE);
        assert_eq!(admitted(&mut Fragments::default(), 2000), MAX_INCOMPLETE_OF_WRITER.into());
    }

    #[test]
    fn a_refused_run_has_no_effect_on_any_reader() {
        let (mut fragments, now) = (Fragments::default(), bridgehead_ros2_node::wall_clock::now());
        assert_eq!(fragments.admit(&run(1, 0, 2500), &[OTHER], now), Ok(()));
        let before = fragments.charged();
        let contradicting = Run { size: 2600, ..run(1, 1, 2500) };
        assert_eq!(fragments.admit(&contradicting, &[READER, OTHER], now), Err(Refusal::Conflict));
        let other_size = Run { fragment_size: 900, ..run(2, 1, 2500) };
        assert_eq!(fragments.admit(&other_size, &[READER, OTHER], now), Err(Refusal::Conflict));
        assert_eq!(fragments.charged(), before);
        assert_eq!((fragments.fragment_size(READER, Guid([7; 16])), fragments.samples.len()), (None, 1));
    }

    #[test]
    fn old_samples_are_released_with_the_next_fragment_for_their_reader() {
        let (mut fragments, now) = (Fragments::default(), bridgehead_ros2_node::wall_clock::now());
        assert_eq!(fragments.admit(&run(1, 0, 2500), &[READER], now), Ok(()));
        let late = now + STALE;
        assert_eq!(fragments.admit(&run(1, 1, 2500), &[READER], late), Err(Refusal::Conflict));
        assert_eq!(fragments.reader_with_old(late), None);
        let later = now + DISCARDED + Duration::from_secs(1);
        assert_eq!(fragments.reader_with_old(later), Some(READER));
        assert_eq!(fragments.admit(&run(2, 0, 2500), &[OTHER], later), Ok(()));
        assert_eq!(fragments.samples.len(), 2, "another reader discards nothing of this one");
        assert_eq!(fragments.admit(&run(3, 0, 2500), &[READER], later), Ok(()));
        assert_eq!((fragments.samples.len(), fragments.reader_with_old(later)), (2, None));
    }
}
