//! Reports of constructed campaigns whose numbers are known.

use std::path::Path;

use super::*;
use crate::digest::of_bytes;
use crate::file::BridgeSet;
use crate::store::Try;
use crate::{Accept, Case, Limits};

/// A plan with this many cases of one parameter, and seeds.
pub(crate) fn plan_of(cases: u32, seeds: u64, accept: Accept) -> Plan {
    let run =
        |case: u32, seed: u64| PlannedRun { key: of_bytes(format!("{case} {seed}").as_bytes()), case, seed };
    Plan {
        schema: "test".to_owned(),
        name: "camp<aign>".to_owned(),
        root: "/worlds".into(),
        config: None,
        version: "1.0".to_owned(),
        program: of_bytes(b"program"),
        environment: Vec::new(),
        limits: Limits::default(),
        accept,
        files: Vec::new(),
        inputs: vec![Vec::new()],
        worlds: vec!["a.sdf".to_owned(), "b & c.sdf".to_owned()],
        bridges: vec![BridgeSet::default()],
        names: vec!["run.substeps".to_owned()],
        values: vec![(0..cases).map(|value| value.to_string()).collect()],
        defaults: vec![Some("1".to_owned())],
        world_values: Vec::new(),
        cases: (0..cases)
            .map(|case| Case { world: case % 2, bridges: 0, inputs: 0, parameters: vec![(0, case / 2)] })
            .collect(),
        runs: (0..cases).flat_map(|case| (0..seeds).map(move |seed| run(case, seed))).collect(),
    }
}

pub(crate) fn entry(run: &PlannedRun, verdict: Verdict, tries: usize) -> Entry {
    let earlier = Try { end: "signal 9".to_owned(), log: "log".to_owned(), wall_s: 1.0 };
    Entry {
        schema: Entry::schema(),
        key: run.key,
        verdict,
        exit_code: if verdict == Verdict::Passed { 0 } else { 9 },
        outcome: if verdict == Verdict::Passed { "success" } else { "failure" }.to_owned(),
        cause: "\"hit\", a <wall>".to_owned(),
        // The seed changes the run.
        state_hash: Some(format!("{:04x}", 0x00ff + run.seed)),
        seed: run.seed,
        steps: 1500,
        time_ns: 1_500_000_000,
        real_time_factor: Some(3.0),
        earlier: vec![earlier; tries - 1],
        began_ms: Some(1_796_000_000_000),
        cores: Some(2),
        wall_s: 0.5,
        machine: "here".to_owned(),
        result: of_bytes(b""),
        seal: None,
    }
    .sealed()
}

fn program() -> &'static Path {
    Path::new("/bin/bridgehead")
}

fn passed(run: &PlannedRun) -> RunState {
    RunState::Finished(Box::new(entry(run, Verdict::Passed, 1)))
}

fn failed(run: &PlannedRun) -> RunState {
    RunState::Finished(Box::new(entry(run, Verdict::Failed, 1)))
}

fn gate(pass_rate: f64, is_total: bool) -> Accept {
    Accept { pass_rate: Some(pass_rate), is_total, ..Accept::default() }
}

#[test]
fn the_gate_is_on_the_lower_bound_of_each_case() {
    // 500 of 500 have the lower bound 0.9924, and 495 of 500 have 0.9768.
    for (failures, rate, outcome) in [
        (0, 0.99, Outcome::Accepted),
        (0, 0.9925, Outcome::Refused),
        (5, 0.976, Outcome::Accepted),
        (5, 0.978, Outcome::Refused),
    ] {
        let plan = plan_of(2, 500, gate(rate, false));
        let state =
            |run: &PlannedRun| if run.case == 1 && run.seed < failures { failed(run) } else { passed(run) };
        let report = Report::with(&plan, plan.runs.iter().map(state).collect(), Vec::new());
        assert_eq!(report.outcome(), outcome, "{failures} failures, gate {rate}");
        assert_eq!(report.cases[1].counts.failed, failures);
    }
}

#[test]
fn a_gate_of_the_campaign_counts_all_runs() {
    let plan = plan_of(2, 300, gate(0.99, true));
    let report = Report::with(&plan, plan.runs.iter().map(passed).collect(), Vec::new());
    // 600 runs show 0.99, the 300 of a case do not.
    assert_eq!((report.outcome(), report.cases[0].is_accepted), (Outcome::Accepted, false));
}

#[test]
fn without_a_gate_every_run_must_pass() {
    let plan = plan_of(1, 3, Accept::default());
    let all = |state: fn(&PlannedRun) -> RunState| plan.runs.iter().map(state).collect::<Vec<_>>();
    assert_eq!(Report::with(&plan, all(passed), Vec::new()).outcome(), Outcome::Accepted);
    let mut states = all(passed);
    states[1] = failed(&plan.runs[1]);
    assert_eq!(Report::with(&plan, states, Vec::new()).outcome(), Outcome::Refused);
}

#[test]
fn missing_given_up_changed_and_unstable_runs_have_their_outcomes() {
    let plan = plan_of(1, 4, Accept::default());
    let with = |state: RunState| {
        let mut states: Vec<RunState> = plan.runs.iter().map(passed).collect();
        states[2] = state;
        Report::with(&plan, states, Vec::new())
    };
    assert_eq!(with(RunState::Missing).outcome().exit_code(), 4);
    let tries = vec![Try { end: "exit code 16".to_owned(), log: String::new(), wall_s: 1.0 }; 3];
    let failure = Failure { key: plan.runs[2].key, tries, is_final: false };
    let given_up = with(RunState::GivenUp(failure));
    assert_eq!(given_up.outcome(), Outcome::Incomplete);
    let key = &plan.runs[2].key.to_string()[..8];
    let summary = given_up.summary(program());
    assert!(summary.contains(&format!("error[BH-CAM-034]: a.sdf: 1 of 4 runs has no result, such as seed 2 with key {key}: no result after 3 tries; the last one: exit code 16\n")), "{summary}");
    let damaged = with(RunState::Damaged("`entry.json` is damaged".to_owned()));
    assert_eq!(damaged.outcome().exit_code(), 9);
    assert!(damaged.summary(program()).contains("error[BH-CAM-023]: `entry.json` is damaged"));
    assert_eq!(with(RunState::Missing).total.counts, Counts { passed: 3, missing: 1, ..Counts::default() });
}

fn conflict(run: &PlannedRun) -> Conflict {
    let first = entry(run, Verdict::Passed, 1);
    let second = Entry { state_hash: Some("1234".to_owned()), ..first.clone() }.sealed();
    Conflict { key: run.key, first, second }
}

#[test]
fn a_conflict_fails_the_campaign_unless_the_run_is_sampled() {
    let mut plan = plan_of(1, 2, Accept::default());
    let report = |plan: &Plan| {
        let states = plan.runs.iter().map(passed).collect();
        let report = Report::with(plan, states, vec![conflict(&plan.runs[0])]);
        (report.outcome(), report.summary(program()))
    };
    let (outcome, summary) = report(&plan);
    assert_eq!(outcome, Outcome::Unstable);
    assert!(summary.contains("error[BH-CAM-024]") && summary.contains("00ff and 1234"), "{summary}");
    plan.bridges[0].sampled = true;
    assert_eq!(report(&plan).0, Outcome::Accepted);
}

#[test]
fn flaky_runs_pass_and_are_listed() {
    let plan = plan_of(1, 2, Accept::default());
    let mut states: Vec<RunState> = plan.runs.iter().map(passed).collect();
    states[1] = RunState::Finished(Box::new(entry(&plan.runs[1], Verdict::Passed, 3)));
    let report = Report::with(&plan, states, Vec::new());
    assert_eq!(report.outcome(), Outcome::Accepted);
    assert!(report.summary(program()).contains("1 runs have a result only after another try"));
    let junit = junit(&report, program());
    assert_eq!(junit.matches("<flakyFailure message=\"signal 9\"/>").count(), 2);
    assert!(junit.contains("failures=\"0\" errors=\"0\""));
    let page = html(&report, program());
    assert!(page.contains("Flaky runs: 1") && page.contains("signal 9; signal 9"));
}

#[test]
fn junit_has_a_suite_for_each_world_and_the_command_of_each_failure() {
    let plan = plan_of(4, 2, Accept::default());
    let state = |run: &PlannedRun| match (run.case, run.seed) {
        (1, 1) => failed(run),
        (2, 0) => RunState::Missing,
        _ => passed(run),
    };
    let report = Report::with(&plan, plan.runs.iter().map(state).collect(), Vec::new());
    let text = junit(&report, program());
    for part in [
        "<testsuites name=\"camp&lt;aign&gt;\" tests=\"8\" failures=\"1\" errors=\"1\" skipped=\"0\" time=\"3.500\">",
        "<testsuite name=\"a.sdf\" tests=\"4\" failures=\"0\" errors=\"1\"",
        "<testsuite name=\"b &amp; c.sdf\" tests=\"4\" failures=\"1\" errors=\"0\"",
        "<testcase classname=\"b &amp; c.sdf\" name=\"seed=1, run.substeps=0\" time=\"0.500\">",
        "<failure message=\"failure: &quot;hit&quot;, a &lt;wall&gt;\"/>",
        "BRIDGEHEAD_RUN_SUBSTEPS=0 /bin/bridgehead run 'b &amp; c.sdf' --seed=1 --http off",
        "<error message=\"it was not executed",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Names and values that a spreadsheet, a terminal or a browser would carry out.
#[test]
fn texts_of_files_are_only_texts_in_every_report() {
    let mut plan = plan_of(2, 1, Accept::default());
    let cells = ["=1+1", "+2", "@x", "-2+3+cmd|x", "\t=1", "\x1b[31mred\x07", "-1.5", "1e3", "plain"];
    for cell in cells {
        plan.worlds[0] = format!("{cell}.sdf");
        plan.values[0][0] = cell.to_owned();
        let report = Report::with(&plan, plan.runs.iter().map(passed).collect(), Vec::new());
        let table = csv(&report);
        let line = table.split("\r\n").nth(1).expect("a run");
        let found: Vec<&str> = line.split(',').collect();
        let is_number = cell.parse::<f64>().is_ok();
        for (found, given) in [(found[1], format!("{cell}.sdf")), (found[4], cell.to_owned())] {
            let begins = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!begins(found) || (is_number && found == cell), "{given:?}: {found:?}");
        }
        assert_eq!(found[4] == cell, is_number || cell == "plain", "{cell:?}: {line:?}");
        let page = html(&report, program());
        for text in [&table, &page] {
            assert!(!text.contains(['\x1b', '\x07']), "{cell:?}");
        }
    }
}

#[test]
fn the_table_has_a_line_for_each_run() {
    let plan = plan_of(2, 1, Accept::default());
    let report = Report::with(&plan, vec![failed(&plan.runs[0]), RunState::Missing], Vec::new());
    let text = csv(&report);
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(
        lines[0],
        "key,world,bridges,seed,run.substeps,state,exit_code,outcome,cause,state_hash,steps,time_s,tries,wall_s,real_time_factor,machine"
    );
    let key = plan.runs[0].key;
    assert_eq!(
        lines[1],
        format!(
            "{key},a.sdf,,0,0,failed,9,failure,\"\"\"hit\"\", a <wall>\",00ff,1500,1.5,1,0.500,3.000,here"
        )
    );
    assert!(lines[2].contains("b & c.sdf,,0,0,missing,,,\"it was not executed"), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
}

#[test]
fn the_page_is_complete_escaped_and_loads_nothing() {
    let plan = plan_of(4, 3, gate(0.4, false));
    let state = |run: &PlannedRun| if run.case == 3 { failed(run) } else { passed(run) };
    let report = Report::with(&plan, plan.runs.iter().map(state).collect(), vec![conflict(&plan.runs[0])]);
    let page = html(&report, program());
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("camp&lt;aign&gt;") && !page.contains("<aign>") && !page.contains("<wall>"));
    for outside in ["src=", "href=", "http:", "https:", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("data-case=").count(), 4, "cells");
    assert!(
        page.contains("100.0&#8239;%") && page.contains("0 of 3") && page.contains("class=\"cell refused\"")
    );
    assert!(page.contains("Unstable runs") && page.contains("Slowest runs") && page.contains("Wall time"));
    assert_eq!(page.matches("<pre class=\"command\">").count(), 1, "a command for the failing case");
    assert!(page.contains("Cases with runs that did not pass: 1") && page.contains("3 of 12 runs"));
    assert!(page.contains("3 failed: seeds 0, 1, 2"));
}

#[test]
fn seconds_have_no_useless_zeros() {
    assert_eq!([0, 1, 1_500_000_000, 2_000_000_000].map(html::seconds), ["0", "0.000000001", "1.5", "2"]);
}

/// Runs of different seeds that end in the same state, in the same way.
fn copied(state: RunState) -> RunState {
    match state {
        RunState::Finished(entry) => {
            RunState::Finished(Box::new(Entry { state_hash: Some("00ff".to_owned()), ..*entry }.sealed()))
        }
        RunState::GivenUp(_) | RunState::Missing | RunState::Damaged(_) => state,
    }
}

#[test]
fn seeds_that_change_nothing_count_once_and_are_named() {
    let plan = plan_of(4, 10, gate(0.7, false));
    let all = |is_copied: fn(&PlannedRun) -> bool| -> Vec<RunState> {
        let state = |run: &PlannedRun| if is_copied(run) { copied(passed(run)) } else { passed(run) };
        plan.runs.iter().map(state).collect()
    };
    let report = Report::with(&plan, all(|_| true), Vec::new());
    assert_eq!((report.total.counts.passed, report.total.distinct.passed), (40, 4));
    // 10 of 10 runs would show the rate, and 1 of 1 does not.
    assert_eq!(report.outcome(), Outcome::Refused);
    let summary = report.summary(program());
    assert!(summary.contains("  seeds       all 10 seeds of each case gave one run: "), "{summary}");
    assert!(summary.contains("1.0000 of 4 distinct runs, 95% interval [0.5101, 1.0000]"), "{summary}");
    let page = html(&report, program());
    assert!(page.contains("all 10 seeds of each case gave one run"));
    let cell = page.split("<td class=\"cell").nth(1).expect("a cell");
    let cell = cell.split("</td>").next().expect("its end");
    assert!(cell.contains("10 of 10") && cell.contains("one run") && !cell.contains("interval"), "{cell}");

    let report = Report::with(&plan, all(|run| run.case == 2), Vec::new());
    assert!(report.summary(program()).contains("in 1 of 4 cases, all 10 seeds gave one run"));
    assert_eq!((report.total.distinct.passed, report.cases[0].has_copies()), (31, false));
    // Two equal runs among others are two samples.
    let report = Report::with(&plan, all(|run| run.seed < 2), Vec::new());
    assert_eq!((report.copies(), report.total.distinct), (None, report.total.counts));
    let one = plan_of(1, 3, Accept::default());
    let report = Report::with(&one, one.runs.iter().map(passed).map(copied).collect(), Vec::new());
    let summary = report.summary(program());
    assert!(
        summary.contains("all 3 seeds gave one run") && summary.contains("1.0000, of 1 run\n"),
        "{summary}"
    );
}

/// The state of a world may be equal although its messages differ.
#[test]
fn runs_with_equal_states_and_different_ends_are_no_copies() {
    let plan = plan_of(1, 4, Accept::default());
    let state = |run: &PlannedRun| copied(if run.seed == 3 { failed(run) } else { passed(run) });
    let report = Report::with(&plan, plan.runs.iter().map(state).collect(), Vec::new());
    assert_eq!((report.copies(), report.total.distinct.executed()), (None, 4));
}

#[test]
fn a_failing_case_is_one_error_with_one_command() {
    let plan = plan_of(30, 10, Accept::default());
    let state = |run: &PlannedRun| if run.case < 2 { failed(run) } else { passed(run) };
    let mut states: Vec<RunState> = plan.runs.iter().map(state).collect();
    states[0] = passed(&plan.runs[0]);
    let summary = Report::with(&plan, states.clone(), Vec::new()).summary(program());
    let key = plan.runs[1].key.to_string();
    let line = format!(
        "error[BH-CAM-035]: a.sdf, substeps=0: 9 of 10 runs failed, such as seed 1 with key {}: failure: \"hit\", a <wall>\n  \
         repeat: cd /worlds && BRIDGEHEAD_RUN_SUBSTEPS=0 /bin/bridgehead run a.sdf --seed=1 --http off\n",
        &key[..8]
    );
    assert!(summary.contains(&line), "{summary}");
    assert!(summary.contains("b & c.sdf, substeps=0: all 10 runs failed, such as seed 0 "), "{summary}");
    assert_eq!((summary.matches("BH-CAM-035").count(), summary.contains(&key)), (2, false));
    // Each case is named once, and of many cases the first ones.
    let report = Report::with(&plan, plan.runs.iter().map(failed).collect(), Vec::new());
    let summary = report.summary(program());
    assert_eq!(summary.matches("BH-CAM-035").count(), 20);
    assert!(summary.contains("  and 10 more cases, in the report\n"), "{summary}");
}

#[test]
fn the_report_says_when_and_where_and_what_all_runs_have_in_common() {
    let mut plan = plan_of(2, 2, Accept::default());
    plan.names.push("world.model[car].link[body].inertial.mass".to_owned());
    plan.values.push(vec!["7.5".to_owned()]);
    plan.cases.iter_mut().for_each(|case| case.parameters.push((1, 0)));
    let report = Report::with(&plan, plan.runs.iter().map(passed).collect(), Vec::new());
    let executed = "2026-11-30 00:53 to 00:53 UTC, 0.5 s, on here (2 cores)";
    assert!(report.summary(program()).contains(&format!("  executed    {executed}, by version 1.0\n")));
    let page = html(&report, program());
    assert!(page.contains(executed));
    assert!(page.contains(
        "<td>mass</td><td>7.5 in every run</td><td><code>world.model[car].link[body].inertial.mass</code>"
    ));
    // Rows and labels have neither the constant nor a path.
    let matrix = page
        .split("id=\"matrix\"")
        .nth(1)
        .and_then(|rest| rest.split("</section>").next())
        .expect("a matrix");
    assert!(!matrix.contains("mass") && !matrix.contains("run.substeps="), "{matrix}");
}
