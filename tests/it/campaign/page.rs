//! The report in a browser.

use std::fs;
use std::path::Path;

use bridgehead_campaign::report::{Report, RunState, html};
use bridgehead_campaign::{
    Accept, Case, Conflict, Entry, Failure, Key, Limits, Plan, PlannedRun, Try, Verdict,
};

use crate::page::browser::{Script, pictures};

/// Two worlds with 50 values of a parameter, and 100 seeds of each.
const CASES: u32 = 100;
const SEEDS: u64 = 100;

fn key(number: u64) -> Key {
    Key::parse(&format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(4)).expect("64 digits")
}

fn plan() -> Plan {
    let run = |case: u32, seed: u64| PlannedRun { key: key(u64::from(case) * SEEDS + seed), case, seed };
    Plan {
        schema: "test".to_owned(),
        name: "braking".to_owned(),
        root: "/home/someone/campaigns".into(),
        config: Some("base.toml".into()),
        version: "0.1.0".to_owned(),
        program: key(1),
        environment: vec![("BRIDGEHEAD_RUN_SPEED".to_owned(), "unlimited".to_owned())],
        limits: Limits::default(),
        accept: Accept { pass_rate: Some(0.9), ..Accept::default() },
        files: Vec::new(),
        inputs: vec![Vec::new()],
        worlds: vec!["worlds/dry.sdf".to_owned(), "worlds/wet.sdf".to_owned()],
        bridges: vec![Default::default()],
        names: vec!["world.model[car].link[body].inertial.mass".to_owned(), "run.duration".to_owned()],
        values: vec![
            (0..CASES / 2).map(|value| format!("{}", 800 + 20 * value)).collect(),
            vec!["10s".to_owned()],
        ],
        defaults: vec![None, None],
        world_values: Vec::new(),
        cases: (0..CASES)
            .map(|case| Case {
                world: case % 2,
                bridges: 0,
                inputs: 0,
                parameters: vec![(0, case / 2), (1, 0)],
            })
            .collect(),
        runs: (0..CASES).flat_map(|case| (0..SEEDS).map(move |seed| run(case, seed))).collect(),
    }
}

fn entry(run: &PlannedRun, passes: bool, tries: usize) -> Entry {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let wall_s = 0.2 + (run.seed as f64 * 0.7).sin().abs() * 0.3 + f64::from(run.case) * 0.002;
    Entry {
        schema: Entry::schema(),
        key: run.key,
        verdict: if passes { Verdict::Passed } else { Verdict::Failed },
        exit_code: if passes { 0 } else { 9 },
        outcome: if passes { "success" } else { "failure" }.to_owned(),
        cause: "trigger `stays on the road`: the car left its lane".to_owned(),
        // Two cases without noise.
        state_hash: Some(if matches!(run.case, 96 | 98) {
            "00ff".repeat(4)
        } else {
            format!("{:016x}", run.seed)
        }),
        seed: run.seed,
        steps: 10_000,
        time_ns: if passes { 10_000_000_000 } else { 4_200_000_000 },
        real_time_factor: Some(10.0 / wall_s),
        earlier: vec![Try { end: "signal 9".to_owned(), log: String::new(), wall_s: 1.0 }; tries - 1],
        began_ms: Some(1_796_000_000_000 + 100 * run.seed + 10_000 * u64::from(run.case)),
        cores: Some(16),
        wall_s,
        machine: "node7".to_owned(),
        result: key(2),
        seal: None,
    }
}

/// In the wet world, heavier cars leave the road more often.
fn state(run: &PlannedRun) -> RunState {
    let tries = vec![Try {
        end: "exit code 16".to_owned(),
        log: "error: a step did not return".to_owned(),
        wall_s: 9.0,
    }];
    match (run.case, run.seed) {
        (7, 3) => RunState::GivenUp(Failure { key: run.key, tries, is_final: false }),
        (8, _) => RunState::Missing,
        (case, seed) => {
            let passes = case % 2 == 0 || seed >= u64::from(case / 2);
            RunState::Finished(Box::new(entry(run, passes, if seed == 50 { 2 } else { 1 })))
        }
    }
}

#[test]
fn the_report_of_ten_thousand_runs_works_in_a_browser() {
    let plan = plan();
    let run = &plan.runs[42];
    let second = Entry { state_hash: Some("1234123412341234".to_owned()), ..entry(run, true, 1) };
    let conflict = Conflict { key: run.key, first: entry(run, true, 1), second };
    let report = Report::with(&plan, plan.runs.iter().map(state).collect(), vec![conflict]);
    let folder = pictures("campaign");
    let path = folder.join("report.html");
    fs::write(&path, html(&report, Path::new("/usr/bin/bridgehead"))).expect("written");
    let Some(script) = Script::of("campaign_report.mjs") else { return };
    let script = script.args(&[&path.display().to_string(), &folder.display().to_string()]);
    let output = script.command().output().expect("node starts");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim() == "checked", "{said}");
    for picture in ["report-light.png", "report-dark.png", "report-phone.png"] {
        assert!(fs::metadata(folder.join(picture)).expect("a picture").len() > 50_000, "{picture}");
    }
}
