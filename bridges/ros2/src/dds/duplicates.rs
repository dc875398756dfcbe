//! Which samples of each writer a reader has received: while the reader moves to another participant, each sample
//! arrives twice. Plain values.
//!
//! Samples are handed over as they arrive: one that the first endpoint lost and gets again may come after later ones that
//! only the second endpoint has.

use std::collections::HashMap;

use super::guid::{Guid, SampleId};

/// Words of a window, and bits of one of them.
const WORDS: usize = 16;
const WORD_BITS: i64 = 64;
/// How far, in samples, one endpoint of a reader may be behind the other: a second of samples at 1 kHz.
const WINDOW: i64 = 16 * WORD_BITS;

/// Number of writers above which those that are gone are forgotten.
const FEW: usize = 16;

/// The received samples of all writers of one reader.
pub(super) struct Duplicates {
    writers: HashMap<Guid, Window>,
    /// Number of writers at which those that are gone are forgotten.
    full_at: usize,
    is_moving: bool,
}

/// The received samples of one writer: which of the newest ones, and up to where all older ones.
struct Window {
    newest: i64,
    /// A bit for each of the newest samples, at its number modulo the size of the window.
    received: [u64; WORDS],
    /// Samples up to this one that are older than the window count as received.
    floor: i64,
}

impl Default for Duplicates {
    fn default() -> Self {
        Duplicates { writers: HashMap::new(), full_at: FEW, is_moving: false }
    }
}

impl Duplicates {
    /// Begins or ends a time in which the reader has two endpoints.
    pub(super) fn set_moving(&mut self, is_moving: bool) {
        self.is_moving = is_moving;
        self.writers.values_mut().for_each(|window| window.floor = window.newest);
    }

    /// Records a sample and returns whether it arrives for the first time. Writers for which `exists` returns false are
    /// forgotten from time to time.
    pub(super) fn is_new(&mut self, id: SampleId, exists: impl Fn(Guid) -> bool) -> bool {
        if let Some(window) = self.writers.get_mut(&id.guid) {
            return window.is_new(id.sequence, self.is_moving);
        }
        // An endpoint that has just been opened may not know all writers yet.
        if self.writers.len() >= self.full_at && !self.is_moving {
            self.writers.retain(|writer, _| exists(*writer));
            self.full_at = FEW.max(2 * self.writers.len());
        }
        self.writers.insert(id.guid, Window::beginning_with(id.sequence));
        true
    }
}

impl Window {
    fn beginning_with(sequence: i64) -> Self {
        let mut window = Window { newest: sequence, received: [0; WORDS], floor: i64::MIN };
        window.set(sequence);
        window
    }

    fn is_new(&mut self, sequence: i64, is_moving: bool) -> bool {
        let behind = self.newest.saturating_sub(sequence);
        if behind < 0 {
            self.advance(sequence);
        } else if behind >= WINDOW {
            return !is_moving && sequence > self.floor;
        } else if self.is_set(sequence) {
            return false;
        }
        self.set(sequence);
        true
    }

    /// Makes a sample the newest one.
    fn advance(&mut self, sequence: i64) {
        if sequence.saturating_sub(self.newest) >= WINDOW {
            self.received = [0; WORDS];
        } else {
            (self.newest + 1..sequence).for_each(|between| self.clear(between));
        }
        self.newest = sequence;
    }

    fn set(&mut self, sequence: i64) {
        let (word, bit) = place(sequence);
        if let Some(word) = self.received.get_mut(word) {
            *word |= bit;
        }
    }

    fn clear(&mut self, sequence: i64) {
        let (word, bit) = place(sequence);
        if let Some(word) = self.received.get_mut(word) {
            *word &= !bit;
        }
    }

    fn is_set(&self, sequence: i64) -> bool {
        let (word, bit) = place(sequence);
        self.received.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Returns the word and the bit of a sample.
fn place(sequence: i64) -> (usize, u64) {
    let at = sequence.rem_euclid(WINDOW);
    (usize::try_from(at / WORD_BITS).unwrap_or_default(), 1 << (at % WORD_BITS))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn sample(writer: u8, sequence: i64) -> SampleId {
        SampleId { guid: Guid([writer; 16]), sequence }
    }

    fn take(duplicates: &mut Duplicates, sequence: i64) -> bool {
        duplicates.is_new(sample(1, sequence), |_| true)
    }

    #[test]
    fn each_sample_of_two_endpoints_is_new_once() {
        // One endpoint is ahead of the other by up to the window, and each loses some samples.
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        for _ in 0..50 {
            let (mut duplicates, mut seen) = (Duplicates::default(), HashSet::new());
            let mut next = [1; 2];
            assert!(take(&mut duplicates, next[0]) && seen.insert(next[0]));
            duplicates.set_moving(true);
            for _ in 0..5000 {
                let which = usize::try_from(random(2)).expect("small");
                if next[which] - next[1 - which] >= WINDOW - 4 {
                    continue;
                }
                next[which] += i64::try_from(1 + random(3)).expect("small");
                let sequence = next[which];
                assert_eq!(take(&mut duplicates, sequence), seen.insert(sequence), "{sequence}");
            }
        }
    }

    #[test]
    fn the_history_that_the_second_endpoint_gets_again_is_not_new() {
        let mut duplicates = Duplicates::default();
        assert!((1..=5000).all(|sequence| take(&mut duplicates, sequence)));
        duplicates.set_moving(true);
        assert!(!(1..=5000).any(|sequence| take(&mut duplicates, sequence)));
        assert!(take(&mut duplicates, 5001) && !take(&mut duplicates, 5001));
        duplicates.set_moving(false);
        assert!(!take(&mut duplicates, 4000) && !take(&mut duplicates, 5001) && take(&mut duplicates, 5002));
    }

    #[test]
    fn with_one_endpoint_late_samples_are_new_however_late_they_are() {
        let mut duplicates = Duplicates::default();
        assert!(take(&mut duplicates, 5000) && take(&mut duplicates, 4999) && take(&mut duplicates, 1));
        duplicates.set_moving(true);
        assert!(!take(&mut duplicates, 1) && take(&mut duplicates, 4998), "within the window each is known");
    }

    #[test]
    fn numbers_at_the_ends_of_their_range_are_numbers_like_others() {
        let mut duplicates = Duplicates::default();
        for sequence in [i64::MIN, i64::MAX, 0, -1, i64::MAX - 1] {
            assert!(take(&mut duplicates, sequence), "{sequence}");
        }
        assert!(!take(&mut duplicates, i64::MAX));
    }

    #[test]
    fn writers_that_are_gone_are_forgotten_except_while_it_moves() {
        let mut duplicates = Duplicates::default();
        let exists = |guid: Guid| guid.0[0].is_multiple_of(50);
        for writer in 0..=255 {
            assert!(duplicates.is_new(sample(writer, 1), exists));
        }
        assert!(duplicates.writers.len() <= FEW, "{}", duplicates.writers.len());
        assert!(!duplicates.is_new(sample(50, 1), exists));
        duplicates.set_moving(true);
        for writer in 0..100 {
            duplicates.is_new(sample(writer, 1), exists);
        }
        assert!((0..100).all(|writer| !duplicates.is_new(sample(writer, 1), exists)));
    }
}
