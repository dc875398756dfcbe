//! Shows a run: a status line in a terminal, periodic lines elsewhere, the summary at the end.
//!
//! Everything goes to standard error. Simulation thread.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::{SimulationState, State};

use super::args::verbosity::Quiet;
use super::console::Console;
use super::human::figures;
use super::summary::summary;
use crate::clock;
use crate::report::{RunResult, StartProgress, Status, Watcher};

/// Interval of status lines if standard error is not a terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);
/// Time after which plugins that are still starting are reported, and the interval of these lines.
const START_INTERVAL: Duration = Duration::from_secs(1);
/// Number of late plugins that are named.
const MAX_NAMED: usize = 3;

/// The watcher of the command line.
pub(super) struct ConsoleWatcher {
    console: &'static Console,
    quiet: Quiet,
    duration: Option<Duration>,
    start_lines: Throttle,
    status_lines: Throttle,
    /// The last line outside a terminal; a repeated line is omitted.
    last_line: String,
}

impl ConsoleWatcher {
    /// Creates a watcher of a run with a simulated `duration`, if it is known.
    pub(super) fn new(console: &'static Console, quiet: Quiet, duration: Option<Duration>) -> Self {
        let now = clock::now();
        ConsoleWatcher {
            console,
            quiet,
            duration,
            start_lines: Throttle::new(START_INTERVAL, now),
            status_lines: Throttle::new(PLAIN_INTERVAL, now),
            last_line: String::new(),
        }
    }

    /// Prints the summary of a run that has ended.
    pub(super) fn finished(&self, result: &RunResult) {
        clear(self.console);
        if self.quiet != Quiet::Everything {
            self.console.tell(&format!("\n{}", summary(result, self.console.has_colours())));
        }
    }

    fn show(&mut self, text: &str, lines: fn(&mut Self) -> &mut Throttle) {
        if self.quiet != Quiet::Nothing {
            return;
        }
        if self.console.is_terminal() {
            self.console.set_live(text);
        } else if lines(self).is_due(clock::now()) && self.last_line != text {
            self.console.line(text);
            text.clone_into(&mut self.last_line);
        }
    }
}

impl Watcher for ConsoleWatcher {
    fn starting(&mut self, progress: &StartProgress) {
        self.show(&start_line(progress), |watcher| &mut watcher.start_lines);
    }

    fn status(&mut self, status: &Status) {
        let line = status_line(status, self.duration);
        self.show(&line, |watcher| &mut watcher.status_lines);
    }
}

/// Removes the status line.
pub(super) fn clear(console: &Console) {
    if console.is_terminal() {
        console.set_live("");
    }
}

/// Limits output to once per interval.
#[derive(Debug)]
struct Throttle {
    interval: Duration,
    due: Instant,
}

impl Throttle {
    fn new(interval: Duration, now: Instant) -> Self {
        Throttle { interval, due: now + interval }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = now >= self.due;
        if is_due {
            self.due = now + self.interval;
        }
        is_due
    }
}

/// `starting plugins: 3 of 5, waiting for car1/slow`
fn start_line(progress: &StartProgress) -> String {
    let count = format!("starting plugins: {} of {}", progress.started, progress.total);
    let named: Vec<&str> = progress.waiting.iter().take(MAX_NAMED).map(String::as_str).collect();
    match progress.waiting.len() {
        0 => count,
        waiting if waiting <= MAX_NAMED => format!("{count}, waiting for {}", named.join(", ")),
        waiting => format!("{count}, waiting for {} and {} more", named.join(", "), waiting - MAX_NAMED),
    }
}

/// `playing  12.3 s of 60.0 s  1.00 x real time  1234 msg/s  0 dropped`
fn status_line(status: &Status, duration: Option<Duration>) -> String {
    let state = word(status.state.simulation_state());
    if status.state == State::NoWorld {
        return state.to_owned();
    }
    let time = status.time.as_secs_f64();
    let of = duration.map(|end| format!(" of {:.1} s", end.as_secs_f64())).unwrap_or_default();
    let factor = figures(status.real_time_factor);
    let rate = status.messages_per_second;
    format!("{state}  {time:.1} s{of}  {factor} x real time  {rate:.0} msg/s  {} dropped", status.dropped)
}

fn word(state: SimulationState) -> &'static str {
    match state {
        SimulationState::Stopped => "stopped",
        SimulationState::Playing => "playing",
        SimulationState::Paused => "paused",
        SimulationState::Quitting => "quitting",
        SimulationState::NoWorld => "waiting for a world",
        SimulationState::LoadingWorld => "loading",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn late_plugins_are_named_but_not_all_of_many() {
        let line = |waiting: &[&str]| {
            let waiting: Vec<String> = waiting.iter().map(ToString::to_string).collect();
            start_line(&StartProgress { started: 7 - waiting.len(), total: 7, waiting })
        };
        assert_eq!(line(&[]), "starting plugins: 7 of 7");
        assert_eq!(line(&["car1/slow"]), "starting plugins: 6 of 7, waiting for car1/slow");
        assert_eq!(
            line(&["a", "b", "c", "d", "e"]),
            "starting plugins: 2 of 7, waiting for a, b, c and 2 more"
        );
    }

    #[test]
    fn the_status_line_is_short() {
        let status = Status {
            state: State::StepEnd,
            time: Duration::from_millis(12_345),
            real_time_factor: 0.998,
            messages_per_second: 1234.4,
            dropped: 2,
        };
        assert_eq!(
            status_line(&status, Some(Duration::from_secs(60))),
            "playing  12.3 s of 60.0 s  1.00 x real time  1234 msg/s  2 dropped"
        );
        let paused = Status { state: State::Pause, ..status };
        assert_eq!(status_line(&paused, None), "paused  12.3 s  1.00 x real time  1234 msg/s  2 dropped");
        let empty = Status { state: State::NoWorld, ..paused };
        assert_eq!(status_line(&empty, None), "waiting for a world");
    }

    #[test]
    fn lines_come_at_intervals() {
        let began = clock::now();
        let mut throttle = Throttle::new(PLAIN_INTERVAL, began);
        let seconds = |count| began + Duration::from_secs(count);
        let shown: Vec<u64> = (0..=12).filter(|count| throttle.is_due(seconds(*count))).collect();
        assert_eq!(shown, [5, 10]);
    }
}
