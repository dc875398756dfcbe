//! Functions of Python tests that wait for wall time.

use std::ops::Range;

/// The wall clock.
const NOW: &str = "time.monotonic()";

/// How a loop has a deadline at which the test fails.
const DEADLINES: &[&str] = &["assert time.monotonic() < ", "asyncio.timeout("];

/// The functions that wait for wall time, with their lines. The lines before the first function and behind another one
/// count for a function of the file and for that function.
pub(super) fn waiting(source: &str) -> Vec<(&str, Range<usize>)> {
    let lines: Vec<&str> = source.lines().collect();
    let heads = lines.iter().enumerate().filter_map(|(at, line)| Some((at, name(line)?)));
    let heads: Vec<(usize, &str)> = [(0, "the file")].into_iter().chain(heads).collect();
    let ends = heads.iter().skip(1).map(|(at, _)| *at).chain([lines.len()]);
    let functions = heads.iter().zip(ends);
    let found = functions.filter(|((begin, _), end)| waits(&lines[*begin..*end]));
    found.map(|((begin, name), end)| (*name, begin + 1..end + 1)).collect()
}

/// The name of the function that begins with this line.
fn name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("def ")?.split('(').next()
}

/// Whether a function waits for wall time, other than for an event with a deadline.
fn waits(lines: &[&str]) -> bool {
    let code = || lines.iter().filter(|line| !line.trim_start().starts_with('#'));
    let has = |part: &str| code().any(|line| line.contains(part));
    let waits = has("sleep(") || code().any(|line| compares(line));
    waits && !DEADLINES.iter().any(|deadline| has(deadline))
}

/// Whether a line compares wall times or computes a difference: not `time.monotonic() + PATIENCE`.
fn compares(line: &str) -> bool {
    line.match_indices(NOW).any(|(at, _)| {
        let (before, after) = (line[..at].trim_end(), line[at + NOW.len()..].trim_start());
        before.ends_with(['<', '>', '-'])
            || before.ends_with("<=")
            || before.ends_with(">=")
            || after.starts_with(['<', '>', '-'])
    })
}
