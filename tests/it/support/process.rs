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

/// Returns the slope of a line through values at 0, 1, 2 …, by least squares.
pub(crate) fn slope(values: &[u32]) -> f64 {
    let points = || (0..).zip(values).map(|(x, y): (u32, &u32)| (f64::from(x), f64::from(*y)));
    let number = f64::from(u32::try_from(values.len()).expect("few"));
    let (sum_x, sum_y) = points().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (mean_x, mean_y) = (sum_x / number, sum_y / number);
    let products: f64 = points().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let squares: f64 = points().map(|(x, _)| (x - mean_x).powi(2)).sum();
    products / squares
}
