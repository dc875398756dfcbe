//! The position in a recording, and how it moves with wall time. Pure: the caller says what time it is.

use std::time::{Duration, Instant};

/// A recording that is played or paused.
#[derive(Clone, Debug)]
pub(super) struct Playback {
    /// Times of the first and last message, nanoseconds.
    times: (u64, u64),
    /// Position at `since`.
    at: u64,
    since: Instant,
    /// Recorded seconds per second.
    speed: f64,
    is_playing: bool,
    /// Counts the jumps: what clients have collected ends with each.
    jumps: u32,
}

impl Playback {
    /// Creates a paused recording at its beginning.
    pub(super) fn new(times: (u64, u64), now: Instant) -> Self {
        Playback { times, at: times.0, since: now, speed: 1.0, is_playing: false, jumps: 0 }
    }

    /// Returns the position, nanoseconds.
    pub(super) fn position(&self, now: Instant) -> u64 {
        if !self.is_playing {
            return self.at;
        }
        let moved = now.saturating_duration_since(self.since).mul_f64(self.speed);
        self.at.saturating_add(nanos(moved)).min(self.times.1)
    }

    /// Returns true if the position moves.
    pub(super) fn is_playing(&self, now: Instant) -> bool {
        self.is_playing && self.position(now) < self.times.1
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    pub(super) fn jumps(&self) -> u32 {
        self.jumps
    }

    /// Plays on; from the beginning if the position is the end.
    pub(super) fn play(&mut self, now: Instant) {
        if self.position(now) >= self.times.1 {
            self.jump(self.times.0, now);
        }
        self.settle(now);
        self.is_playing = true;
    }

    pub(super) fn pause(&mut self, now: Instant) {
        self.settle(now);
        self.is_playing = false;
    }

    /// Moves to a time within the recording.
    pub(super) fn jump(&mut self, to: u64, now: Instant) {
        self.is_playing = self.is_playing(now);
        self.at = to.clamp(self.times.0, self.times.1);
        self.since = now;
        self.jumps = self.jumps.wrapping_add(1);
    }

    /// Moves forward, as steps do. Does nothing to what clients have collected.
    pub(super) fn advance(&mut self, to: u64, now: Instant) {
        self.settle(now);
        self.at = to.clamp(self.at, self.times.1);
    }

    pub(super) fn set_speed(&mut self, speed: f64, now: Instant) {
        self.settle(now);
        self.speed = speed;
    }

    /// Makes the position of now the one that is stored.
    fn settle(&mut self, now: Instant) {
        self.at = self.position(now);
        self.is_playing &= self.at < self.times.1;
        self.since = now;
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn playback() -> (Playback, Instant) {
        let now = crate::clock::now();
        let mut playback = Playback::new((SECOND, 11 * SECOND), now);
        playback.jump(SECOND, now);
        (playback, now)
    }

    #[test]
    fn it_is_paused_at_its_beginning_at_first() {
        let now = crate::clock::now();
        let playback = Playback::new((5, 9), now);
        assert_eq!((playback.position(now), playback.is_playing(now)), (5, false));
        assert_eq!(playback.position(now + Duration::from_secs(9)), 5);
    }

    #[test]
    fn it_moves_with_its_speed_and_stops_at_the_end() {
        let (mut playback, now) = playback();
        let after = |seconds| now + Duration::from_secs(seconds);
        playback.play(now);
        assert_eq!(playback.position(after(2)), 3 * SECOND);
        playback.set_speed(2.0, after(2));
        assert_eq!(playback.position(after(4)), 7 * SECOND);
        playback.pause(after(4));
        assert_eq!(playback.position(after(9)), 7 * SECOND);
        playback.play(after(9));
        assert!(playback.is_playing(after(10)));
        assert_eq!((playback.position(after(90)), playback.is_playing(after(90))), (11 * SECOND, false));
        assert_eq!(playback.jumps(), 1, "only the one to the beginning");
    }

    #[test]
    fn playing_at_the_end_begins_again() {
        let (mut playback, now) = playback();
        playback.jump(99 * SECOND, now);
        assert_eq!((playback.position(now), playback.is_playing(now)), (11 * SECOND, false));
        playback.play(now);
        assert_eq!((playback.position(now), playback.is_playing(now)), (SECOND, true));
    }

    #[test]
    fn a_jump_leaves_it_playing_and_a_step_only_goes_forward() {
        let (mut playback, now) = playback();
        playback.play(now);
        playback.jump(4 * SECOND, now);
        assert!(playback.is_playing(now));
        playback.pause(now);
        playback.advance(3 * SECOND, now);
        assert_eq!(playback.position(now), 4 * SECOND);
        playback.advance(5 * SECOND, now);
        assert_eq!((playback.position(now), playback.jumps()), (5 * SECOND, 2));
    }
}
