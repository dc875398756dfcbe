//! Memory, threads and file descriptors of the host in the course of the run.

use std::time::Duration;

use crate::support::{Served, slope};

/// Growth of memory that is accepted from the first sixth of the run to its end, KiB: RustDDS keeps some 2 KiB of each
/// remote endpoint until its participant is renewed, and two participants are renewed at different times.
const MOST_KB: f64 = 2048.0;
/// Growth of threads and descriptors: less than one.
const MOST: f64 = 1.0;
/// Runs that are shorter still fill caches.
const SHORTEST: Duration = Duration::from_secs(900);

/// What the host used at the ends of the cycles.
#[derive(Default)]
pub(super) struct Usage {
    times: Vec<Duration>,
    memory: Vec<u32>,
    threads: Vec<u32>,
    descriptors: Vec<u32>,
}

impl Usage {
    /// Adds the present values.
    #[track_caller]
    pub(super) fn add(&mut self, host: &Served, time: Duration) {
        let count = |folder: &str| u32::try_from(host.process_entries(folder)).expect("few");
        self.times.push(time);
        self.memory.push(host.anonymous_kib());
        self.threads.push(count("task"));
        self.descriptors.push(count("fd"));
    }

    /// Fails if something has grown after the first sixth of the run. Returns the growth as text.
    #[track_caller]
    pub(super) fn expect_flat(&self, duration: Duration) -> String {
        let begin = self.times.partition_point(|time| *time < duration / 6);
        let growth = |values: &[u32]| {
            let settled = &values[begin..];
            slope(settled) * f64::from(u32::try_from(settled.len()).expect("few"))
        };
        let [memory, threads, descriptors] =
            [&self.memory, &self.threads, &self.descriptors].map(|v| growth(v));
        let text = format!("growth: {memory:.0} KiB, {threads:.1} threads, {descriptors:.1} descriptors");
        if duration >= SHORTEST {
            assert!(memory < MOST_KB, "{text}: {:?}", self.memory);
            assert!(threads < MOST, "{text}: {:?}", self.threads);
            assert!(descriptors < MOST, "{text}: {:?}", self.descriptors);
        }
        text
    }
}
