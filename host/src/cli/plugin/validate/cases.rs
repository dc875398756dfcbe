//! What is tested of a plugin, one case after the other.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::place::{self, Place, VEHICLE};
use super::report::{CaseReport, Verdict};
use super::trial::{Ran, STEPS, Trial};
use crate::bridge::NOT_CONNECTED;
use crate::clock;
use crate::model_plugin::NOT_STARTED;
use crate::plugin::probe::Outcome;
use crate::plugin::{Kind, PluginMetadata};

/// Texts that a bridge may refuse as a connection string, but must survive.
const STRINGS: [&str; 6] = ["", ":", "\u{1b}[31m\n", "äöü=;,:/", "host:99999999999999999999", "%s%n%x"];

/// Length of the longest connection string that is tried.
const LONG: usize = 100_000;

/// A plugin, and how it can be used.
pub(super) struct Subject<'a> {
    pub(super) file: &'a Path,
    pub(super) plugin: &'a PluginMetadata,
    /// A world that contains it, instead of that of the validator.
    pub(super) world: Option<&'a Path>,
    /// A connection string for a bridge.
    pub(super) connection: Option<&'a str>,
    /// Folders with other plugins that the world needs.
    pub(super) search: &'a [PathBuf],
    pub(super) timeout: Duration,
}

impl Subject<'_> {
    /// Returns the argument that attaches the bridge: to every vehicle of a world of the user. In the world of the validator,
    /// one instance is enough; two with `--isolate` could not listen on one port.
    fn attached(&self, connection: &str) -> String {
        let at = if self.world.is_some() { "*" } else { VEHICLE };
        format!("{at}={}:{connection}", self.plugin.name)
    }
}

/// A case in which the plugin runs.
type Case = (&'static str, fn(&Bench<'_>) -> io::Result<Verdict>);

const MODEL_CASES: &[Case] = &[
    ("repeat", repeat),
    ("early end", early_end),
    ("pause", pause),
    ("reset", reset),
    ("snapshot", snapshot),
    ("isolation", isolation),
];
const BRIDGE_CASES: &[Case] = &[
    ("harmless", harmless),
    ("early end", early_end),
    ("pause", pause),
    ("reset", reset),
    ("isolation", isolation),
];

/// A plugin in a place that it accepts, with the run that shows it.
struct Bench<'a> {
    subject: &'a Subject<'a>,
    /// Text of the world; `None` if it is a file of the user.
    world: Option<String>,
    /// The bridge with its connection string, for a bridge.
    bridge: Option<String>,
    first: Ran,
}

/// Runs all cases.
pub(super) fn all(subject: &Subject<'_>) -> io::Result<Vec<CaseReport>> {
    let mut reports = Vec::new();
    let cases = match subject.plugin.kind {
        Kind::Model => MODEL_CASES,
        Kind::Bridge => {
            reports.push(timed("strings", || strings(subject))?);
            BRIDGE_CASES
        }
        Kind::Unknown => return Ok(reports),
    };
    let began = clock::now();
    let (verdict, bench) = first_run(subject)?;
    reports.push(CaseReport { case: "run", verdict, seconds: began.elapsed().as_secs_f64() });
    for (case, run) in cases {
        let report = match &bench {
            Some(bench) => timed(case, || run(bench))?,
            None => CaseReport { case, verdict: Verdict::Skipped("the case `run` failed"), seconds: 0.0 },
        };
        reports.push(report);
    }
    Ok(reports)
}

fn timed(case: &'static str, run: impl FnOnce() -> io::Result<Verdict>) -> io::Result<CaseReport> {
    let began = clock::now();
    let verdict = run()?;
    Ok(CaseReport { case, verdict, seconds: began.elapsed().as_secs_f64() })
}

/// Finds a place that the plugin accepts, and runs it there.
fn first_run<'a>(subject: &'a Subject<'a>) -> io::Result<(Verdict, Option<Bench<'a>>)> {
    let bridge = (subject.plugin.kind == Kind::Bridge)
        .then(|| subject.attached(subject.connection.unwrap_or_default()));
    if subject.world.is_some() || bridge.is_some() {
        let world = subject.world.is_none().then(|| place::world(None));
        let mut ran = trial(subject, world.as_deref(), bridge.as_deref())?.logged().run_for(STEPS)?;
        advise_on_peer(&mut ran.findings, subject.connection);
        return Ok(judged(ran, |first| Bench { subject, world, bridge, first }));
    }
    let mut refused = Vec::new();
    for place in Place::ALL {
        let world = place::world(Some((&subject.plugin.name, place)));
        let ran = trial(subject, Some(&world), None)?.logged().run_for(STEPS)?;
        if ran.outcome == Outcome::Ok || !is_refused(&ran) {
            return Ok(judged(ran, |first| Bench { subject, world: Some(world), bridge: None, first }));
        }
        refused.push(format!("in {}: {}", place.name(), ran.findings.join("\n")));
    }
    refused.push(
        "try: give it a world that contains it with the parameters that it needs: `--world FILE.sdf`"
            .to_owned(),
    );
    Ok((Verdict::Failed { outcome: Outcome::Refused, findings: refused }, None))
}

/// Adds what to try to the findings of a bridge that could not connect, unless it panicked.
fn advise_on_peer(findings: &mut [String], connection: Option<&str>) {
    let advice = match connection {
        Some(_) => "start the peer of `--connection` first",
        None => "start the peer first, and name its address with `--connection`",
    };
    let code = format!("[{NOT_CONNECTED}]");
    let unconnected = findings.iter_mut().filter(|it| it.starts_with(&code) && !it.contains("panic"));
    unconnected.for_each(|finding| *finding += &format!("\n  try: {advice}"));
}

/// Returns true if the plugin did not accept its place: it failed before the first step, without a fault.
fn is_refused(ran: &Ran) -> bool {
    let is_start = |finding: &String| finding.starts_with(&format!("[{NOT_STARTED}]"));
    ran.outcome == Outcome::Refused && !ran.findings.is_empty() && ran.findings.iter().all(is_start)
}

fn judged<'a>(ran: Ran, bench: impl FnOnce(Ran) -> Bench<'a>) -> (Verdict, Option<Bench<'a>>) {
    match verdict(&ran) {
        Verdict::Passed if !ran.is_used => {
            let finding = "the run had no instance of the plugin; name a world that contains it".to_owned();
            (Verdict::Failed { outcome: Outcome::Refused, findings: vec![finding] }, None)
        }
        Verdict::Passed => (Verdict::Passed, Some(bench(ran))),
        failed => (failed, None),
    }
}

fn verdict(ran: &Ran) -> Verdict {
    match ran.outcome {
        Outcome::Ok => Verdict::Passed,
        outcome => Verdict::Failed { outcome, findings: ran.findings.clone() },
    }
}

/// Prepares a run in a world of the validator, or in that of the user.
fn trial<'a>(subject: &'a Subject<'a>, world: Option<&str>, bridge: Option<&str>) -> io::Result<Trial<'a>> {
    let world = match (world, subject.world) {
        (Some(text), _) => Err(text),
        (None, Some(file)) => Ok(file),
        (None, None) => Err(""),
    };
    let mut trial = Trial::new(subject.file, &subject.plugin.name, world, subject.timeout)?;
    for folder in subject.search {
        trial = trial.arg("--plugin-path").arg(folder);
    }
    Ok(match bridge {
        Some(bridge) => trial.arg("--bridge").arg(bridge),
        None => trial,
    })
}

impl Trial<'_> {
    fn run_for(self, steps: u32) -> io::Result<Ran> {
        self.arg("--steps").arg(steps.to_string()).run()
    }
}

impl Bench<'_> {
    fn trial(&self) -> io::Result<Trial<'_>> {
        trial(self.subject, self.world.as_deref(), self.bridge.as_deref())
    }

    /// Returns the verdict on a run whose last state must be that of the first one.
    fn compared(&self, ran: &Ran, what: &str) -> Verdict {
        match verdict(ran) {
            Verdict::Passed if ran.state_hash == self.first.state_hash => Verdict::Passed,
            Verdict::Passed => Verdict::Failed { outcome: Outcome::Refused, findings: vec![what.to_owned()] },
            failed => failed,
        }
    }
}

/// Two equal runs end in the same state and publish the same bytes.
fn repeat(bench: &Bench<'_>) -> io::Result<Verdict> {
    let ran = bench.trial()?.logged().run_for(STEPS)?;
    let same = bench.compared(
        &ran,
        "two equal runs end in different states; use the time of the step and the random numbers of the SDK",
    );
    Ok(match same {
        Verdict::Passed if ran.log != bench.first.log => Verdict::Failed {
            outcome: Outcome::Refused,
            findings: vec![
                "two equal runs publish different messages; use the time of the step and the random numbers of the SDK"
                    .to_owned(),
            ],
        },
        same => same,
    })
}

/// A run with the bridge ends in the same state as one without it.
fn harmless(bench: &Bench<'_>) -> io::Result<Verdict> {
    let ran = trial(bench.subject, bench.world.as_deref(), None)?.logged().run_for(STEPS)?;
    Ok(bench.compared(&ran, "a run without the bridge ends in another state"))
}

/// A run of one step ends in order.
fn early_end(bench: &Bench<'_>) -> io::Result<Verdict> {
    Ok(verdict(&bench.trial()?.run_for(1)?))
}

/// A pause changes nothing.
fn pause(bench: &Bench<'_>) -> io::Result<Verdict> {
    const PAUSE: &str = "[[trigger]]\nevent = \"time=0.1\"\naction = \"pause\"\n\n\
                         [[trigger]]\nevent = \"pause\"\naction = \"resume\"\nsticky = true\n";
    let ran = bench.trial()?.configured(PAUSE)?.run_for(STEPS)?;
    Ok(bench.compared(&ran, "a run that was paused ends in another state"))
}

/// A run after several resets is like the first one.
fn reset(bench: &Bench<'_>) -> io::Result<Verdict> {
    const RESETS: &str = "[[trigger]]\nevent = \"time=0.03\"\naction = \"reset\"\n\n\
                          [[trigger]]\nevent = \"time=0.06\"\naction = \"reset\"\n\n\
                          [[trigger]]\nevent = \"time=0.09\"\naction = \"reset\"\n";
    let time = format!("{STEPS}ms");
    let ran = bench.trial()?.configured(RESETS)?.arg("--duration").arg(time).run()?;
    Ok(bench.compared(
        &ran,
        "a run after a reset ends in another state; restore in `reset` everything that changes during a run",
    ))
}

/// A run that is restored from a snapshot continues as if it had not been interrupted.
fn snapshot(bench: &Bench<'_>) -> io::Result<Verdict> {
    if !matches!(bench.subject.plugin.state.as_str(), "nothing" | "saved") {
        return Ok(Verdict::Skipped("the plugin does not declare what it remembers"));
    }
    let half = bench.trial()?.with_snapshot().run_for(STEPS / 2)?;
    if half.outcome != Outcome::Ok {
        return Ok(verdict(&half));
    }
    // Steps before the snapshot count.
    let ran = bench.trial()?.arg("--restore").arg(&half.snapshot).run_for(STEPS)?;
    Ok(bench.compared(
        &ran,
        "a run that is restored from a snapshot ends in another state; save everything that changes during a run",
    ))
}

/// In a process of its own, the plugin works as in that of the host.
fn isolation(bench: &Bench<'_>) -> io::Result<Verdict> {
    let ran = bench.trial()?.arg("--isolate").arg(&bench.subject.plugin.name).run_for(STEPS)?;
    Ok(bench.compared(&ran, "with `--isolate`, the run ends in another state"))
}

/// A bridge may refuse a connection string, but neither crash nor hang.
fn strings(subject: &Subject<'_>) -> io::Result<Verdict> {
    let long = "x".repeat(LONG);
    let world = place::world(None);
    for text in STRINGS.iter().copied().chain([long.as_str()]) {
        let bridge = format!("{VEHICLE}={}:{text}", subject.plugin.name);
        let ran = trial(subject, Some(&world), Some(&bridge))?.run_for(1)?;
        // It refuses the text, or finds nobody there.
        let is_refusal = |finding: &String| {
            ["[BH-BRG-02", "[BH-BRG-03"].iter().any(|code| finding.starts_with(code))
                && !finding.contains("panic")
        };
        if ran.outcome != Outcome::Ok
            && !(ran.outcome == Outcome::Refused && ran.findings.iter().all(is_refusal))
        {
            let shown: String = text.chars().take(40).collect();
            let mut findings = vec![format!("with the connection string `{}`:", shown.escape_debug())];
            findings.extend(ran.findings);
            return Ok(Verdict::Failed { outcome: ran.outcome, findings });
        }
    }
    Ok(Verdict::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finding_of_a_bridge_without_a_peer_ends_with_what_to_try() {
        let found = ["[BH-BRG-030]: box/x: no connection to `a:1`: refused\n  try: y", "[BH-BRG-020]: bad"];
        let advised = |connection| {
            let mut findings = found.map(str::to_owned);
            advise_on_peer(&mut findings, connection);
            findings
        };
        let expected = format!("{}\n  try: start the peer of `--connection` first", found[0]);
        assert_eq!(advised(Some("a:1")), [expected.as_str(), found[1]]);
        let [first, _] = advised(None);
        assert!(first.ends_with("\n  try: start the peer first, and name its address with `--connection`"));
    }
}
