//! The progress of a campaign on a terminal, or as a line from time to time.

use std::collections::HashSet;
use std::time::Duration;

use bridgehead_campaign::pool::{Event, Progress};
use bridgehead_campaign::shown::Shown;
use bridgehead_campaign::{Plan, PlannedRun, Verdict, report};

use crate::cli::args::verbosity::Quiet;
use crate::cli::console::Console;
use crate::cli::finding::finding;

/// Time between two lines, if standard error is not a terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows what the pool does.
pub(super) struct ConsoleProgress {
    console: &'static Console,
    quiet: Quiet,
    jobs: usize,
    last_line: Duration,
    shown: Shown,
    /// Numbers of the cases with a failed run.
    failing: HashSet<u32>,
}

impl ConsoleProgress {
    pub(super) fn new(console: &'static Console, quiet: Quiet, jobs: usize, plan: &Plan) -> Self {
        let (shown, failing) = (Shown::of(plan), HashSet::new());
        ConsoleProgress { console, quiet, jobs, last_line: Duration::ZERO, shown, failing }
    }

    pub(super) fn event(&mut self, plan: &Plan, event: &Event<'_>, counts: &Progress) {
        match event {
            Event::Finished(_, Verdict::Passed) | Event::Waiting => {}
            Event::Finished(run, Verdict::Failed) => {
                // The first failure of a case is news, and the others are in the report.
                if self.failing.insert(run.case) {
                    self.tell("note", plan, run, "failed");
                }
            }
            Event::Again(run, attempt) => {
                self.tell(
                    "warning",
                    plan,
                    run,
                    &format!("gave no result ({}) and is tried again", attempt.end),
                );
            }
            Event::GivenUp(run, attempt) => {
                let log = attempt.log.trim_end();
                let text = format!("has no result after all its tries: {}\n{log}", attempt.end);
                self.tell("error", plan, run, text.trim_end());
            }
            Event::Conflict(conflict) => {
                self.console.line(&finding("error", "", &report::conflict(conflict, &self.shown)));
            }
        }
        self.show(counts);
    }

    fn tell(&self, level: &str, plan: &Plan, run: &PlannedRun, what: &str) {
        if self.quiet != Quiet::Nothing && level == "note" {
            return;
        }
        self.console.line(&format!("{level}: {} {what}", self.shown.run(plan, run)));
    }

    fn show(&mut self, counts: &Progress) {
        if self.quiet != Quiet::Nothing {
            return;
        }
        if self.console.is_terminal() {
            return self.console.set_live(&line(counts, self.jobs, self.failing.len()));
        }
        let is_due = counts.elapsed >= self.last_line + PAUSE || counts.ended() == counts.total;
        if is_due && counts.ended() > 0 {
            self.last_line = counts.elapsed;
            self.console.line(&line(counts, self.jobs, self.failing.len()));
        }
    }
}

fn line(counts: &Progress, jobs: usize, failing: usize) -> String {
    let left = match counts.left() {
        Some(left) if counts.ended() < counts.total => format!(", about {} left", rounded(left)),
        Some(_) | None => String::new(),
    };
    let cases = match failing {
        0 => String::new(),
        1 => " in 1 case".to_owned(),
        cases => format!(" in {cases} cases"),
    };
    format!(
        "{} of {} runs, {} failed{cases}, {} without a result, {} of {jobs} running{left}",
        counts.ended(),
        counts.total,
        counts.failed,
        counts.given_up,
        counts.running
    )
}

/// Returns a duration as people say it.
fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_counts_and_the_time_that_is_left() {
        let counts = Progress {
            total: 100,
            passed: 9,
            failed: 1,
            running: 2,
            elapsed: Duration::from_secs(20),
            ..Progress::default()
        };
        assert_eq!(
            line(&counts, 4, 1),
            "10 of 100 runs, 1 failed in 1 case, 0 without a result, 2 of 4 running, about 3 min left"
        );
        let begun = Progress { total: 100, running: 4, ..Progress::default() };
        assert_eq!(line(&begun, 4, 0), "0 of 100 runs, 0 failed, 0 without a result, 4 of 4 running");
    }
}
