//! PPO of Stable-Baselines3 on an environment of the Python package, for tests that may take minutes.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::documentation::blocks::Page;
use crate::support::{Setup, host, is_long, missing, prompt, root, skipped, succeed, target};

/// Mean return from which `CartPole-v1` of Gymnasium counts as solved: `reward_threshold` in gymnasium/envs/__init__.py.
const SOLVED: f64 = 475.0;

/// Trains with environments of this process (`dummy`), or with a process for each (`subproc`).
fn learned(python: &Path, kind: &str) -> Value {
    let mut command = command(python);
    command.arg(root().join("tests/it/learning/ppo.py")).arg(root().join("worlds/cart_pole.sdf")).arg(kind);
    // Wall time: training for so long is what the test is about.
    let output = prompt("training", Duration::from_secs(600), || succeed(&mut command));
    serde_json::from_str(output.lines().last().unwrap_or_default()).expect("a line of JSON")
}

/// The environment with PPO, or none if the test is skipped.
#[track_caller]
fn python() -> Option<PathBuf> {
    if !is_long() {
        skipped("the tests with PPO run with BRIDGEHEAD_LONG=1");
        return None;
    }
    let python = target().parent().expect("target/debug is in target").join("learning/bin/python");
    if !python.is_file() {
        missing("PPO is missing (`BRIDGEHEAD_LONG=1 bash tests/run.sh` installs it)");
        return None;
    }
    Some(python)
}

/// A command with the Python package and the built program.
fn command(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.env("PYTHONPATH", root().join("host/python/src")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("BRIDGEHEAD_PROGRAM", host()).env_remove("BRIDGEHEAD_PLUGIN_PATH");
    command
}

#[test]
fn the_example_of_the_page_balances_the_pole() {
    let Some(python) = python() else { return };
    let page = Page::read("docs/reinforcement-learning.md");
    let mut blocks = page.of("python");
    let block = blocks.find(|block| block.text.contains("stable_baselines3")).expect("the example");
    let setup = Setup::new();
    let example = setup.file("example.py", &block.text);
    symlink(root().join("worlds"), setup.path("worlds")).expect("a link");
    let output = succeed(command(&python).arg(example).current_dir(setup.path("")));
    let mean = output.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).expect("a number");
    assert!(mean >= SOLVED, "{output}");
    assert!(setup.path("cart_pole.zip").is_file());
}

#[test]
fn ppo_balances_the_pole_and_the_same_seed_gives_the_same_returns() {
    let Some(python) = python() else { return };
    let [one, again, other] = ["dummy", "dummy", "subproc"].map(|kind| learned(&python, kind));
    let mean = one["mean"].as_f64().expect("a mean");
    assert!(mean >= SOLVED, "a mean return of {mean} after {} s", one["seconds"]);
    assert!(one["returns"].as_array().is_some_and(|returns| returns.len() > 300), "{one}");
    assert_eq!(one["returns"], again["returns"], "the same seed");
    assert_eq!(one["returns"], other["returns"], "environments in processes of their own");
    assert_eq!([&one["mean"], &one["mean"]], [&again["mean"], &other["mean"]]);
}
