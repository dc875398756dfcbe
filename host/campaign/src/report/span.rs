//! When and where the runs of a report were executed.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Entry;

/// When and where runs were executed, as their entries say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// When the first run began and when the last one ended, milliseconds since 1970; `None` if no entry has its time.
    pub times_ms: Option<(u64, u64)>,
    /// Time in which at least one run was executed: pauses between several commands do not count.
    pub busy: Duration,
    /// The machines, with their cores if known and the number of their runs.
    pub machines: BTreeMap<String, (Option<u32>, usize)>,
}

impl Span {
    /// Reads entries.
    pub fn of<'e>(entries: impl Iterator<Item = &'e Entry>) -> Self {
        let mut span = Span::default();
        let mut times = Vec::new();
        for entry in entries {
            let machine = span.machines.entry(entry.machine.clone()).or_default();
            machine.0 = machine.0.or(entry.cores);
            machine.1 += 1;
            let wall_ms = Duration::try_from_secs_f64(entry.wall_s).unwrap_or_default().as_millis();
            let wall_ms = u64::try_from(wall_ms).unwrap_or(u64::MAX);
            times.extend(entry.began_ms.map(|began| (began, began.saturating_add(wall_ms))));
        }
        times.sort_unstable();
        let mut busy_ms = 0_u64;
        for (begin, end) in times {
            let (first, last) = span.times_ms.unwrap_or((begin, begin));
            busy_ms = busy_ms.saturating_add(end.saturating_sub(begin.max(last)));
            span.times_ms = Some((first, last.max(end)));
        }
        span.busy = Duration::from_millis(busy_ms);
        span
    }

    /// Returns it as a text, such as `2026-11-29 23:01 to 23:02 UTC, 19 s, on node7 (8 cores)`; `None` without any entry.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let times = self.times_ms.map(|(begin, end)| {
            let (begin_day, begin_time) = date(begin / 1000);
            let (end_day, end_time) = date(end / 1000);
            let end = if begin_day == end_day { end_time } else { format!("{end_day} {end_time}") };
            format!("{begin_day} {begin_time} to {end} UTC, {}, ", lasting(self.busy))
        });
        Some(times.unwrap_or_default() + &self.machines()?)
    }

    fn machines(&self) -> Option<String> {
        const MAX: usize = 4;
        let one = |(name, (cores, _)): (&String, &(Option<u32>, usize))| match cores {
            Some(1) => format!("{name} (1 core)"),
            Some(cores) => format!("{name} ({cores} cores)"),
            None => name.clone(),
        };
        let named: Vec<String> = self.machines.iter().take(MAX).map(one).collect();
        let more = match self.machines.len().saturating_sub(MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!named.is_empty()).then(|| format!("on {}{more}", named.join(", ")))
    }
}

/// Returns a duration as people say it.
fn lasting(time: Duration) -> String {
    match time.as_secs() {
        0..=9 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 10..=119 => format!("{seconds} s"),
        seconds @ 120..=7199 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns the day and the time of seconds since 1970, in UTC.
fn date(since_1970_s: u64) -> (String, String) {
    let (mut day, second) = (since_1970_s / 86_400, since_1970_s % 86_400);
    let mut year = 1970_u64;
    // A forged entry may name any time.
    while year < 9999 && day >= days_of(year) {
        day -= days_of(year);
        year += 1;
    }
    let february = days_of(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    let day = format!("{year:04}-{month:02}-{:02}", day.min(30) + 1);
    (day, format!("{:02}:{:02}", second / 3600, second / 60 % 60))
}

fn days_of(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    365 + u64::from(is_leap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::report::tests::{entry, plan_of};

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day, time) in [
            (0, "1970-01-01", "00:00"),
            (951_782_400, "2000-02-29", "00:00"),
            (1_709_251_199, "2024-02-29", "23:59"),
            (1_735_689_599, "2024-12-31", "23:59"),
            (4_107_542_400, "2100-03-01", "00:00"),
        ] {
            assert_eq!(date(seconds), (day.to_owned(), time.to_owned()), "{seconds}");
        }
        assert_eq!(date(u64::MAX).0, "9999-12-31");
    }

    #[test]
    fn time_without_a_run_does_not_count() {
        let plan = plan_of(1, 1, crate::Accept::default());
        let at = |began_ms: Option<u64>, wall_s: f64, machine: &str| Entry {
            began_ms,
            wall_s,
            machine: machine.to_owned(),
            cores: Some(2),
            ..entry(&plan.runs[0], Verdict::Passed, 1)
        };
        // Two runs at the same time, one within another, and one on the next day.
        let entries = [
            at(Some(86_400_000), 10.0, "b"),
            at(Some(5_000), 10.0, "a"),
            at(Some(0), 20.0, "a"),
            at(Some(15_000), 10.0, "a"),
            at(None, 7.0, "a"),
        ];
        let span = Span::of(entries.iter());
        assert_eq!(span.busy, Duration::from_secs(35));
        assert_eq!(
            span.text().expect("entries"),
            "1970-01-01 00:00 to 1970-01-02 00:00 UTC, 35 s, on a (2 cores), b (2 cores)"
        );
        let old = Entry { cores: None, ..at(None, 7.0, "a") };
        assert_eq!(Span::of([old].iter()).text().expect("an entry"), "on a");
        assert_eq!(Span::of([].iter()).text(), None);
    }

    #[test]
    fn durations_are_said_with_what_matters() {
        let said = [4, 45, 192, 7500].map(|seconds| lasting(Duration::from_secs(seconds)));
        assert_eq!(said, ["4.0 s", "45 s", "3 min 12 s", "2 h 5 min"]);
    }
}
