//! Executes a row with the real program, and compares the results with the expected ones.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::row::{Act, Command, Exit, Scenario};
use crate::support::{Finished, Served, Setup, eventually, vehicle, world};

/// Executes a row.
#[track_caller]
pub(super) fn play(scenario: &Scenario) {
    let setup = prepare(scenario);
    let finished = if scenario.acts.is_empty() { setup.finish() } else { act(setup, scenario.acts) };
    compare(scenario, finished);
}

fn prepare(scenario: &Scenario) -> Setup {
    let setup = Setup::new().fixtures(&["rogue_bridge", "rogue_model", "unreliable"]);
    let setup = scenario.environment.iter().fold(setup, |setup, (name, value)| setup.env(name, value));
    let config = setup.file("config.toml", configuration(scenario));
    let sdf = sdf(scenario.models);
    let setup = match scenario.command {
        Command::Run => setup.world(&sdf).arg("--config").arg(config),
        Command::RunWithoutWorld => setup.without_world().arg("--config").arg(config),
        Command::Check => {
            let (file, plugins) = (setup.file("world.sdf", sdf), setup.plugin_folder());
            setup.arg("check").arg(config).arg(file).arg("--plugin-path").arg(plugins)
        }
    };
    let setup = scenario.bridges.iter().fold(setup, |setup, bridge| setup.bridge(bridge));
    scenario.arguments.iter().fold(setup, |setup, argument| setup.arg(argument))
}

/// A world with `car1` and its plugins, named `a`, `b` and so on.
fn sdf(models: &[&str]) -> String {
    let element = |(name, fault): (char, &&str)| {
        format!("<plugin filename=\"rogue_model\" name=\"{name}\"><fault>{fault}</fault></plugin>")
    };
    let plugins: String = ('a'..).zip(models).map(element).collect();
    world(&vehicle("car1", &plugins))
}

/// Longer than signals that come together are apart.
const LATER: Duration = Duration::from_millis(600);

fn configuration(scenario: &Scenario) -> String {
    let value = |text: &str| if text.starts_with('{') { text.to_owned() } else { format!("'{text}'") };
    let trigger = |(event, action): &(&str, &str)| {
        format!("\n[[trigger]]\nevent = {}\naction = {}\n", value(event), value(action))
    };
    let triggers: String = scenario.triggers.iter().map(trigger).collect();
    format!("{}{triggers}", scenario.toml)
}

#[track_caller]
fn act(setup: Setup, acts: &[Act]) -> Finished {
    let mut host = Served::start(setup);
    for act in acts {
        match *act {
            Act::Reaches(state) => eventually(state, || is_in(&host, state)),
            Act::Ask(service, request) => drop(host.ok(service, request_of(request))),
            Act::Refused(service, request, why) => {
                let response = host.call(service, request_of(request));
                let text = response["result"]["error_message"].as_str().unwrap_or_default();
                assert!(text.contains(why), "{service} {request}: no `{why}` in {response}");
            }
            Act::Logs(text) => drop(host.wait_for(text)),
            Act::Signal(signal) => host.signal(signal),
            // Wall time: signals that are apart are not one.
            Act::Later => thread::sleep(LATER),
        }
    }
    host.finish()
}

fn request_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_in(host: &Served, state: &str) -> bool {
    let response = host.ok("get_status", json!({}));
    let now = response["status"]["state"].as_str().expect("a state");
    now == state || state == "Step" && now.starts_with("Step")
}

#[track_caller]
fn compare(scenario: &Scenario, finished: Finished) {
    let finished = if scenario.logs.is_empty() { finished } else { finished.expect_message(scenario.logs) };
    let (code, outcome) = match scenario.exit {
        Exit::Signal(signal) => {
            assert_eq!(finished.signal(), Some(signal), "{finished}");
            return;
        }
        Exit::Code(code, outcome) => (code, outcome),
    };
    assert_eq!(finished.code(), Some(code), "exit code\n{finished}");
    if scenario.command == Command::Check {
        return;
    }
    let result = finished.result();
    assert_eq!((&result["outcome"], &result["exit_code"]), (&json!(outcome), &json!(code)), "{finished}");
    for (name, expected) in [("steps", scenario.steps), ("resets", scenario.resets)] {
        assert!(expected.is_none_or(|expected| result[name] == expected), "{name}: {result:#}\n{finished}");
    }
    let text = result.to_string();
    for part in scenario.reports {
        assert!(text.contains(part), "no `{part}` in {result:#}\n{finished}");
    }
}
