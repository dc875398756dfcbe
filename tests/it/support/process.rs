//! What the process of a host uses, and whether that grows.

use std::fs;

use super::Served;

impl Served {
    /// A number of `/proc/<id>/status`, such as `Threads` or, in KiB, `VmRSS`.
    #[track_caller]
    pub(crate) fn process_status(&self, name: &str) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a process");
        number_of(&text, name)
    }

    /// The number of entries of a folder below `/proc/<id>`: `fd` for file descriptors, `task` for threads.
    #[track_caller]
    pub(crate) fn process_entries(&self, folder: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{folder}", self.id())).expect("a folder").count()
    }

    /// The memory that belongs to no file, KiB.
    #[track_caller]
    pub(crate) fn anonymous_kib(&self) -> u32 {
        let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.id())).expect("a summary");
        u32::try_from(number_of(&text, "Anonymous")).expect("less than a few terabytes")
    }
}

/// Returns the first number of the line that begins with this name and a colon.
#[track_caller]
fn number_of(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("a line");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

/// Returns the slope of a line through values at 0, 1, 2 …: the median of the slopes between all pairs (Theil and Sen),
/// which a single step, such as the growth of a heap by its next block, does not change.
pub(crate) fn slope(values: &[u32]) -> f64 {
    let points: Vec<(f64, f64)> =
        (0..).zip(values).map(|(x, y): (u32, &u32)| (x.into(), (*y).into())).collect();
    let pairs = points.iter().enumerate().flat_map(|(at, first)| {
        points.iter().skip(at + 1).map(move |second| (second.1 - first.1) / (second.0 - first.0))
    });
    let mut slopes: Vec<f64> = pairs.collect();
    slopes.sort_unstable_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).copied().unwrap_or_default()
}

#[test]
fn the_slope_is_that_of_steady_growth_and_not_of_one_step() {
    let steady: Vec<u32> = (0..120).map(|cycle| 9_000 + 3 * (cycle / 3)).collect();
    assert!((slope(&steady) - 1.0).abs() < 0.1, "{}", slope(&steady));
    let step: Vec<u32> = (0..120).map(|cycle| if cycle < 20 { 9_000 } else { 10_000 }).collect();
    assert!(slope(&step) < 0.01, "{}", slope(&step));
}
