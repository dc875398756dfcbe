//! The blocks of the documentation: worlds and configurations are valid, commands are understood, Rust compiles, and the
//! tutorials work from the empty folder on.
//!
//! `porting.rs` and `kit.rs` follow further pages.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{Python, Setup, root, succeed};

mod author;
/// The fenced blocks of a page.
pub(crate) mod blocks;
/// Commands, as a shell splits them.
mod commands;
/// Rust, as one crate.
mod rust;
/// Worlds and configurations.
mod settings;

use author::Author;
use blocks::pages;

/// Pages with blocks that no test runs, and their number, which may only become smaller.
const UNTESTED: &[(&str, usize)] = &[
    // The header has tests of its own; the files for CMake are tried by `kit.rs`.
    ("docs/plugin-guide-c.md", 3),
    // A part of a build script and of a source that `kit.rs` and the tutorials compile.
    ("docs/own-messages.md", 1),
    ("plugin-api/build/README.md", 1),
    // A system of Gazebo.
    ("docs/porting-from-gazebo-plugins.md", 1),
];

/// Languages that are tested on all pages.
const TESTED: &[&str] = &["console", "json", "python", "rust", "sh", "toml", "xml", "yaml"];
/// Languages of what a program prints, and of pictures.
const OUTPUT: &[&str] = &["mermaid", "text"];
/// Pages that a test follows: their blocks of other languages are tested too.
const FOLLOWED: &[&str] = &[
    "docs/first-bridge.md",
    "docs/first-sensor.md",
    "docs/own-messages.md",
    "docs/porting-from-gazebo-plugins.md",
];

#[test]
fn untested_blocks_are_counted() {
    let mut counts = BTreeMap::new();
    for page in pages() {
        for block in &page.blocks {
            let language = block.language.as_str();
            assert!(
                !language.is_empty(),
                "{}:{}: a block has a language, such as `text`",
                page.path,
                block.line
            );
            let is_tested = TESTED.contains(&language) || FOLLOWED.contains(&page.path.as_str());
            if block.is_ignored || !(is_tested || OUTPUT.contains(&language)) {
                *counts.entry(page.path.clone()).or_insert(0) += 1;
            }
        }
    }
    let expected = UNTESTED.iter().map(|(page, count)| ((*page).to_owned(), *count));
    assert_eq!(counts, expected.collect::<BTreeMap<String, usize>>());
}

#[test]
fn json_can_be_read() {
    for page in pages() {
        for block in page.of("json") {
            for value in serde_json::Deserializer::from_str(&block.text).into_iter::<serde_json::Value>() {
                value.unwrap_or_else(|error| panic!("{}:{}: {error}", page.path, block.line));
            }
        }
    }
}

#[test]
fn python_compiles() {
    let setup = Setup::new();
    let mut command = std::process::Command::new("python3");
    command.args(["-c", "import sys\nfor name in sys.argv[1:]: compile(open(name).read(), name, 'exec')"]);
    for page in pages() {
        for block in page.of("python") {
            command.arg(setup.file(&format!("{}_{}.py", page.word(), block.line), &block.text));
        }
    }
    let output = command.output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the figure of a row of `docs/benchmarks.md`.
fn measured(name: &str) -> String {
    let page = fs::read_to_string(root().join("docs/benchmarks.md")).expect("the page");
    let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {name} | ")));
    let figure = row.and_then(|row| row.split(" | ").next());
    figure.unwrap_or_else(|| panic!("docs/benchmarks.md has no row `{name}`")).to_owned()
}

#[test]
fn the_numbers_of_the_readme_are_those_of_the_benchmarks() {
    let number = |name: &str| {
        let figure = measured(name);
        figure.split(' ').next().and_then(|word| word.parse::<f64>().ok()).expect("a number")
    };
    let step = format!("| {:.0} µs |", number("1 robot: step of the host"));
    let demo = format!("| {:.1}00 steps of 1 ms per second |", number("steps of 1 ms per second") / 1000.0);
    let clouds = measured("clouds of 1 MB, 100 per second, reliable");
    let (_, share) = clouds.split_once(", 0 lost; ").expect("clouds of which none is lost");
    let readme = fs::read_to_string(root().join("README.md")).expect("the page");
    for text in [step, demo.replace('.', ","), format!("| none lost, {share} |")] {
        assert!(readme.contains(&text), "README.md does not contain `{text}`");
    }
}

#[test]
fn yaml_can_be_read() {
    let Some(python) = Python::with("yaml") else { return };
    let setup = Setup::new();
    let mut command = python.command();
    command.args(["-c", "import sys, yaml\nfor name in sys.argv[1:]: assert yaml.safe_load(open(name))"]);
    for page in pages() {
        for block in page.of("yaml") {
            command.arg(setup.file(&format!("{}_{}.yaml", page.word(), block.line), &block.text));
        }
    }
    succeed(&mut command);
}

#[test]
fn the_first_bridge_sends_messages_and_receives_commands() {
    let mut author = Author::new(&["imu", "logging", "velocity_control"]);
    author.follow("docs/first-bridge.md");
    let printed = &author.printed;
    assert!(printed.contains("8 passed, 0 failed, 0 skipped"), "{printed}");
    let commands = printed.lines().rfind(|line| line.starts_with("/box/cmd_vel")).expect("commands");
    let count: u32 =
        commands.split_whitespace().nth(2).and_then(|count| count.parse().ok()).expect("a count");
    assert!(count > 5, "{printed}");
    let arrived = author.arrived(0);
    for line in ["/box/imu b'{\"header\":", "/box/imu 500000000 b'{\"header\":"] {
        assert!(arrived.contains(line), "`{line}` in {arrived}");
    }
}

#[test]
fn the_first_sensor_publishes_a_message_of_its_own() {
    let mut author = Author::new(&["logging"]);
    author.follow("docs/first-sensor.md");
    assert!(author.printed.contains("\"speed\":5.0}"), "{}", author.printed);
    assert!(author.printed.contains("8 passed, 0 failed, 0 skipped"), "{}", author.printed);
    author.follow("docs/own-messages.md");
    assert!(author.printed.contains("\"is_saturated\":true"), "{}", author.printed);
}

#[test]
fn the_port_of_a_system_plugin_holds_its_height() {
    let mut author = Author::new(&["logging"]);
    author.follow("docs/porting-from-gazebo-plugins.md");
    assert!(
        author.printed.contains("\"step\":5000,\"epoch\":0,\"message\":{\"data\":1.5000"),
        "{}",
        author.printed
    );
    assert!(author.printed.contains("8 passed, 0 failed, 0 skipped"), "{}", author.printed);
}
