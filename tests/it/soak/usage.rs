//! Memory, threads and file descriptors of the host in the course of the run.

use std::time::Duration;

use crate::support::{Served, slope};

/// Growth of memory that is accepted from the first sixth of the run to its end, KiB: RustDDS keeps some 2 KiB of each
/// remote endpoint until its participant is renewed, about once in a sixth of an hour.
const MAX_KB: f64 = 2048.0;
/// Growth of threads and descriptors: less than one.
const MAX: f64 = 1.0;
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
        let part = |sixths: u32| self.times.partition_point(|time| *time < duration * sixths / 6);
        let begin = part(1);
        let of_medians = |values: &[u32]| median(&values[part(5)..]) - median(&values[begin..part(2)]);
        // A slope does not show single steps.
        let settled = &self.memory[begin..];
        let memory = slope(settled) * f64::from(u32::try_from(settled.len()).expect("few"));
        let memory = memory.max(of_medians(&self.memory));
        // Threads of runtimes come and go: a slope over some that are there for a moment is no growth.
        let [threads, descriptors] = [&self.threads, &self.descriptors].map(|values| of_medians(values));
        let text = format!("growth: {memory:.0} KiB, {threads:.1} threads, {descriptors:.1} descriptors");
        if duration >= SHORTEST {
            assert!(memory < MAX_KB, "{text}: {:?}", self.memory);
            assert!(threads < MAX, "{text}: {:?}", self.threads);
            assert!(descriptors < MAX, "{text}: {:?}", self.descriptors);
        }
        text
    }
}

fn median(values: &[u32]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default().into()
}

#[test]
fn steps_and_steady_growth_are_growth_and_repetitions_are_not() {
    let growth = |memory: fn(u32) -> u32| {
        let times = (0..78).map(|number| Duration::from_secs(10 * number)).collect();
        let memory = (0..78).map(memory).collect();
        let usage = Usage { times, memory, threads: vec![1; 78], descriptors: vec![1; 78] };
        usage.expect_flat(Duration::from_secs(780))
    };
    let text = |kib: u32| format!("growth: {kib} KiB, 0.0 threads, 0.0 descriptors");
    assert_eq!(growth(|number| 9_000 + number % 2 * 500), text(0));
    assert_eq!(growth(|number| 9_000 + number * 10), text(650));
    assert_eq!(growth(|number| if number < 39 { 9_000 } else { 11_000 }), text(2000));
}

#[test]
fn threads_that_come_and_go_are_no_growth_and_one_that_stays_is() {
    let growth = |threads: fn(u32) -> u32| {
        let times = (0..78).map(|number| Duration::from_secs(10 * number)).collect();
        let usage = Usage {
            times,
            memory: vec![9_000; 78],
            threads: (0..78).map(threads).collect(),
            descriptors: vec![1; 78],
        };
        usage.expect_flat(Duration::from_secs(780))
    };
    let text = |threads: u32| format!("growth: 0 KiB, {threads}.0 threads, 0.0 descriptors");
    assert_eq!(growth(|number| if number % 5 == 4 && number > 50 { 90 } else { 80 }), text(0));
    assert_eq!(growth(|number| 80 + number / 39), text(1));
}
