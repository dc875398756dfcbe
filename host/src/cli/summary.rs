//! The summary at the end of a run: its outcome, then a line per topic and bridge, then errors.

use bridgehead_lifecycle::Outcome;

use super::human::{bytes, figures, one_line, rate, seconds, table};
use crate::bus::TopicReport;
use crate::report::{BridgeResult, PluginResult, RunResult};
use crate::text;
use crate::text::Side;
use crate::world::names::Reason;

/// Longest connection string that is shown in full.
const CONNECTION_WIDTH: usize = 48;
/// Longest reason that is shown in full.
const REASON_WIDTH: usize = 200;

/// Returns the summary of a run, each line with its line break.
#[must_use]
pub fn summary(result: &RunResult, has_colours: bool) -> String {
    let mut lines = vec![headline(result, has_colours)];
    lines.extend(facts(result));
    lines.extend(section(topics(result)));
    lines.extend(section(bridges(result)));
    lines.extend(section(failures(result)));
    lines.extend(section(unsupported(result)));
    lines.push(String::new());
    lines.join("\n")
}

/// Appends a part of the summary after an empty line.
fn section(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() { lines } else { std::iter::once(String::new()).chain(lines).collect() }
}

fn headline(result: &RunResult, has_colours: bool) -> String {
    let world = if result.world.is_empty() { "no world" } else { &text::one_line(&result.world) };
    let outcome = match (has_colours, result.exit_code) {
        (false, _) => result.outcome.name().to_owned(),
        (true, 0) => format!("\x1b[1;32m{}\x1b[0m", result.outcome),
        (true, _) => format!("\x1b[1;31m{}\x1b[0m", result.outcome),
    };
    let code =
        if result.exit_code == 0 { String::new() } else { format!(" (exit code {})", result.exit_code) };
    match result.outcome {
        Outcome::NotStarted | Outcome::ConfigurationError | Outcome::Probed => {
            format!("{world}: {outcome}{code}")
        }
        Outcome::Success | Outcome::Stopped | Outcome::Failure | Outcome::Aborted => {
            format!("{world}: {outcome}{code} after {} of simulated time", seconds(result.time))
        }
    }
}

/// Appends the cause of the outcome and, if the run started, its statistics.
fn facts(result: &RunResult) -> Vec<String> {
    let mut lines = fact("cause", &result.cause);
    if result.total_steps > 0 {
        lines.extend(fact("steps", &pace(result)));
    }
    if let Some(cycle) = cycle(result).filter(|_| result.total_steps > 0) {
        lines.extend(fact("a step", &cycle));
        lines.extend(slowest(result).map(|slowest| fact("mostly", &slowest)).unwrap_or_default());
    }
    if result.resets > 0 {
        lines.extend(fact("resets", &format!("{}; {} steps in total", result.resets, result.total_steps)));
    }
    if result.total_steps > 0 {
        lines.extend(fact("seed", &result.seed.to_string()));
    }
    if result.state_hash != 0 {
        lines.extend(fact("state hash", &format!("{:016x}", result.state_hash)));
    }
    if !result.errors.is_empty() {
        lines.extend(fact("errors", &result.errors.len().to_string()));
    }
    lines
}

/// Appends a name and its text; further lines are indented below the first.
fn fact(name: &str, text: &str) -> Vec<String> {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    let line = |(name, text): (&str, &str)| format!("  {name:<12}{}", one_line(text.trim(), REASON_WIDTH));
    names.zip(text.lines()).map(line).collect()
}

fn pace(result: &RunResult) -> String {
    let wall = seconds(result.wall);
    let steps = if result.resets == 0 && result.total_steps != result.steps {
        format!("{}, {} of them in this run,", result.steps, result.total_steps)
    } else {
        result.steps.to_string()
    };
    if result.real_time_factor.is_finite() && result.real_time_factor > 0.0 {
        // The factor is that of the time in which the simulation ran.
        let stood_still =
            result.simulated.as_secs_f64() < 0.9 * result.real_time_factor * result.wall.as_secs_f64();
        let while_it_ran = if stood_still { " while it ran" } else { "" };
        format!("{steps} in {wall}, {} x real time{while_it_ran}", figures(result.real_time_factor))
    } else {
        format!("{steps} in {wall}")
    }
}

/// `0.12 ms, 0.40 ms at most in 99 of 100; 8.00 x real time achievable`
fn cycle(result: &RunResult) -> Option<String> {
    let statistics = &result.statistics;
    let times = Some(statistics.cycle_time).filter(|times| times.count > 0)?;
    let [median, p99] = [times.p50, times.p99].map(short);
    let achievable = figures(statistics.achievable_factor_average);
    let overruns = match statistics.overruns {
        0 => String::new(),
        count => format!("; {count} too long for the pace"),
    };
    Some(format!("{median}, p99 {p99}, {achievable} x real time achievable{overruns}"))
}

/// Part of the time of the steps from which on a plugin or a bridge is named.
const NAMED_PART: f64 = 0.5;

/// `sample` of car2/camera: 99 % of the time, 20.1 ms for each call
fn slowest(result: &RunResult) -> Option<String> {
    let cycle = result.statistics.cycle_time;
    let all = cycle.mean * cycle.count as f64;
    let of_plugin = |plugin: &PluginResult| {
        let timing = &plugin.timing;
        (timing.busy.as_secs_f64(), timing.calls, format!("`{}` of {}", timing.slowest(), plugin.label))
    };
    let of_bridge = |bridge: &BridgeResult| {
        (bridge.polling.as_secs_f64(), cycle.count, format!("`status` of {}", bridge.label))
    };
    let all_of_them = result.plugins.iter().map(of_plugin).chain(result.bridges.iter().map(of_bridge));
    let (busy, calls, who) = all_of_them.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let part = busy / all;
    let each = short(busy / calls.max(1) as f64);
    (part >= NAMED_PART).then(|| {
        format!(
            "{}: {:.0} % of the time, {each} for each call",
            text::one_line(&who),
            (part * 100.0).min(100.0)
        )
    })
}

/// Returns a duration of a step, given in seconds, in a unit with several digits.
fn short(time: f64) -> String {
    if time < 1e-4 { format!("{} µs", figures(time * 1e6)) } else { format!("{} ms", figures(time * 1e3)) }
}

fn topics(result: &RunResult) -> Vec<String> {
    if result.topics.is_empty() || result.total_steps == 0 {
        return Vec::new();
    }
    let header = ["TOPIC", "TYPE", "COUNT", "RATE", "DROPPED", "BYTES"].map(String::from);
    let row = |topic: &TopicReport| {
        [
            topic.name.clone(),
            topic.type_name.clone(),
            topic.published.to_string(),
            rate(topic.published, result.simulated),
            topic.dropped.to_string(),
            bytes(topic.bytes),
        ]
    };
    let rows: Vec<_> = std::iter::once(header).chain(result.topics.iter().map(row)).collect();
    table([Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right], &rows)
}

fn bridges(result: &RunResult) -> Vec<String> {
    if result.bridges.is_empty() {
        return Vec::new();
    }
    let header = ["BRIDGE", "CONNECTION", "DELIVERED", "DROPPED", "LOST", "MISSED"].map(String::from);
    let row = |bridge: &BridgeResult| {
        [
            bridge.label.clone(),
            one_line(&bridge.connection, CONNECTION_WIDTH),
            bridge.delivered.to_string(),
            bridge.dropped.to_string(),
            bridge.lost.to_string(),
            bridge.missed.to_string(),
        ]
    };
    let rows: Vec<_> = std::iter::once(header).chain(result.bridges.iter().map(row)).collect();
    let lines = table([Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right], &rows);
    let notes = std::iter::once(Vec::new()).chain(result.bridges.iter().map(bridge_notes));
    lines.into_iter().zip(notes).flat_map(|(line, notes)| std::iter::once(line).chain(notes)).collect()
}

/// Returns the lines below a bridge: why it is not connected, and why messages were dropped.
fn bridge_notes(bridge: &BridgeResult) -> Vec<String> {
    bridge_note(bridge).into_iter().chain(drop_note(bridge)).collect()
}

/// Returns why messages of a bridge were dropped, most first.
fn drop_note(bridge: &BridgeResult) -> Option<String> {
    let drops = bridge.drops;
    let rejected = bridge.dropped.saturating_sub(drops.full + drops.unsent);
    let mut reasons = [
        (drops.full, "the queue was full"),
        (drops.unsent, "they waited when the connection ended"),
        (rejected, "the bridge rejected them"),
    ];
    reasons.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let reasons: Vec<String> = reasons
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} because {why}"))
        .collect();
    (!reasons.is_empty()).then(|| format!("  dropped: {}", reasons.join(", ")))
}

/// Returns the line below a bridge that never connected or has failed.
fn bridge_note(bridge: &BridgeResult) -> Option<String> {
    let reason = one_line(&bridge.failure, REASON_WIDTH);
    match (bridge.was_connected, bridge.failure.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("  last failure: {reason}")),
        (false, true) => Some(String::from("  never connected")),
        (false, false) => Some(format!("  never connected: {reason}")),
    }
}

fn failures(result: &RunResult) -> Vec<String> {
    let failed = result.plugins.iter().filter(|plugin| !plugin.failure.is_empty());
    failed
        .map(|plugin| {
            let reason = one_line(&plugin.failure, REASON_WIDTH);
            let label = one_line(&plugin.label, REASON_WIDTH);
            format!("plugin {label} ({}) failed: {reason}", plugin.plugin)
        })
        .collect()
}

/// Appends a line for each unsupported name of the world.
fn unsupported(result: &RunResult) -> Vec<String> {
    let names = result.unsupported.iter();
    names
        .map(|found| {
            let what = match found.reason {
                Reason::NoCounterpart(_) => "not simulated",
                Reason::NotFound(_) => "not found",
            };
            text::one_line(&format!("{what}: {} {}, {}", found.kind, found.name, found.occurrence()))
                .into_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests;
