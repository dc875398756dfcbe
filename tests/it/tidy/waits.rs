//! Tests that wait for wall time, which are slow and fail on a busy machine.
//!
//! A test that polls until something happens, and fails at a generous deadline, is right on every machine: it calls
//! `eventually` or `wait_until`, has an `assert!(clock::now() < deadline)` in a `while` or `loop`, or expects that
//! something is received (`recv_timeout(…).expect(…)`). This is not counted.
//!
//! Every other function in the code of tests is counted that contains
//!
//! - a call of `sleep`, `sleep_until` or `park_timeout`;
//! - a reading of the wall clock to find out how much time has passed: `begin.elapsed()`, `clock::now() < end`,
//!   `clock::now() - begin`, `clock::now().duration_since(begin)`;
//! - a `recv_timeout` whose time may pass, for example to show that nothing is received.
//!
//! The same applies to Python: there the deadline of a poll is `assert time.monotonic() < deadline`. Such a function
//! says in a comment that begins with `Wall time:` why it needs that; if nothing depends on the machine, drive a clock,
//! count steps or wait for an event instead. Benchmarks and fixtures are not counted: the former measure wall times, the
//! latter are plugins that are slow on purpose.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lexer::{test_modules, tokens};
use super::{Source, assert_none, collect, sources};
use crate::support::root;

mod python;
mod rust;

/// The number of functions in the tests of a crate, or in a module of the end-to-end tests, that wait for wall time. The
/// numbers may only become smaller.
const WAITING: &[(&str, usize)] = &[
    ("bridges/cloisim", 4),
    ("bridges/ros2", 6),
    ("bridges/websocket", 2),
    ("host", 3),
    ("host/python", 4),
    ("host/run", 1),
    ("host/runtime", 8),
    ("tests/fuzz", 1),
    ("tests/it/cloisim", 12),
    ("tests/it/cloisim_peers", 9),
    ("tests/it/conformance", 2),
    ("tests/it/control_storm", 1),
    ("tests/it/ctl", 1),
    ("tests/it/endless_files", 1),
    ("tests/it/foxglove", 5),
    ("tests/it/gz", 1),
    ("tests/it/held", 2),
    ("tests/it/http", 3),
    ("tests/it/learning", 1),
    ("tests/it/pace", 1),
    ("tests/it/page", 1),
    ("tests/it/ros2", 8),
    ("tests/it/rosbridge", 1),
    ("tests/it/scenarios", 1),
    ("tests/it/signals", 1),
    ("tests/it/soak", 2),
    ("tests/it/support", 4),
    ("tests/it/suspension", 1),
    ("tests/it/websockets", 10),
    ("tests/it/zenoh", 1),
];

/// How a comment begins that explains a wait.
const MARK: &str = "Wall time: ";

/// A function that waits for wall time.
struct Waiting {
    path: String,
    line: usize,
    name: String,
    is_explained: bool,
}

impl Waiting {
    fn new(source: &Source, name: &str, lines: Range<usize>) -> Self {
        let is_mark = |line: &str| {
            let line = line.trim_start();
            let comment = line.strip_prefix("//").or(line.strip_prefix('#')).unwrap_or_default();
            comment.trim_start().starts_with(MARK)
        };
        let (line, count) = (lines.start, lines.len());
        let is_explained = source.text.lines().skip(line - 1).take(count).any(is_mark);
        Waiting { path: source.path.clone(), line, name: name.to_owned(), is_explained }
    }

    /// The crate or the module of the end-to-end tests.
    fn group(&self) -> &str {
        if let Some(inside) = self.path.strip_prefix("tests/it/") {
            let end = inside.find(['/', '.']).unwrap_or(inside.len());
            return &self.path[..self.path.len() - inside.len() + end];
        }
        let end = ["/src/", "/tests/"].iter().filter_map(|folder| self.path.find(folder)).min();
        &self.path[..end.unwrap_or(self.path.len())]
    }

    fn place(&self) -> String {
        format!("{}:{} {}", self.path, self.line, self.name)
    }
}

/// The files that are compiled only for tests because their modules are declared so, without the extension: what is in
/// folders of these names is compiled only for tests too.
fn test_files(sources: &[Source]) -> BTreeSet<String> {
    let files = sources.iter().flat_map(|source| {
        let path = source.path.trim_end_matches(".rs");
        let folder = ["/lib", "/main"].iter().find_map(|root| path.strip_suffix(root)).unwrap_or(path);
        let tokens = tokens(&source.text);
        let modules = test_modules(&tokens).into_iter().filter(|module| module.tokens.is_empty());
        modules.map(|module| format!("{folder}/{}", module.name)).collect::<Vec<_>>()
    });
    files.collect()
}

/// The functions of Rust tests that wait for wall time.
fn in_rust(sources: &[Source]) -> Vec<Waiting> {
    let files = test_files(sources);
    let is_test_file = |source: &Source| {
        let path = source.path.trim_end_matches(".rs");
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]).chain([path]);
        source.is_test() || source.path.starts_with("tests/") || folders.any(|folder| files.contains(folder))
    };
    let counted = sources
        .iter()
        .filter(|source| !source.path.contains("/benches/") && !source.path.starts_with("tests/fixtures/"));
    let waiting = counted.flat_map(|source| {
        let all = tokens(&source.text);
        let parts = if is_test_file(source) {
            vec![&all[..]]
        } else {
            test_modules(&all).into_iter().map(|module| &all[module.tokens]).collect()
        };
        let found = parts.into_iter().flat_map(rust::waiting);
        found.map(|(function, lines)| Waiting::new(source, function.name, lines)).collect::<Vec<_>>()
    });
    waiting.collect()
}

/// The functions of Python tests that wait for wall time.
fn in_python() -> Vec<Waiting> {
    let mut sources = Vec::new();
    for folder in ["host/conformance/tests", "host/python/tests", "tests/it"] {
        collect(&root().join(folder), "py", &mut sources);
    }
    assert!(sources.len() > 30, "only {} sources were found", sources.len());
    let waiting = sources.iter().flat_map(|source| {
        let found = python::waiting(&source.text).into_iter();
        found.map(|(name, lines)| Waiting::new(source, name, lines)).collect::<Vec<_>>()
    });
    waiting.collect()
}

fn all() -> Vec<Waiting> {
    let mut all = in_rust(&sources());
    all.extend(in_python());
    all
}

/// What is wrong with the functions of a group, of which `listed` may wait.
fn difference(group: &str, waiting: &[String], listed: usize) -> Option<String> {
    let count = waiting.len();
    match count.cmp(&listed) {
        Ordering::Greater => {
            Some(format!("{group}: {count} functions instead of {listed}:\n  {}", waiting.join("\n  ")))
        }
        Ordering::Equal => None,
        Ordering::Less => {
            Some(format!("{group}: only {count} functions instead of {listed}: lower the number"))
        }
    }
}

#[test]
fn no_more_tests_wait_for_wall_time_than_listed() {
    let mut groups: BTreeMap<String, (usize, Vec<String>)> =
        WAITING.iter().map(|(group, limit)| ((*group).to_owned(), (*limit, Vec::new()))).collect();
    for waiting in all() {
        groups.entry(waiting.group().to_owned()).or_default().1.push(waiting.place());
    }
    let wrong = groups.iter().filter_map(|(group, (limit, waiting))| difference(group, waiting, *limit));
    assert_none(
        &wrong.collect::<Vec<_>>(),
        "a test waits for an event with a deadline, drives a clock or counts steps; those that are listed may wait",
    );
}

#[test]
fn every_wait_for_wall_time_is_explained() {
    let unexplained = all().into_iter().filter(|waiting| !waiting.is_explained);
    let unexplained: Vec<String> = unexplained.map(|waiting| waiting.place()).collect();
    assert_none(
        &unexplained,
        "a comment `Wall time: …` says why a test cannot drive a clock or wait for an event",
    );
}

#[test]
fn a_poll_with_a_deadline_is_no_wait_for_wall_time() {
    for body in [
        "eventually(\"it runs\", || { sleep(TIME); received.recv_timeout(TIME).is_ok() });",
        "let end = clock::now() + PATIENCE; while !is_so() { assert!(clock::now() < end, \"no\"); sleep(TIME); }",
        "let begin = clock::now(); loop { match f() { A => break, _ => assert!(begin.elapsed() < TIME) } sleep(TIME) }",
        "received.recv_timeout(PATIENCE).expect(\"a message\");",
        "assert_eq!(received.recv_timeout(PATIENCE), Ok(1));",
        "assert_eq!(received.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));",
        "match received.recv_timeout(PATIENCE) { Ok(one) => one, Err(error) => panic!(\"{error}\") }",
        "let start = clock::now(); f(start + PERIOD); assert!(timeline.now() < later);",
        "wait_for_a_process().prompt(\"a text\"); // sleep(TIME)",
    ] {
        let source = format!("fn f() {{ {body} }}");
        assert!(rust::waiting(&tokens(&source)).is_empty(), "{source}");
    }
    let python = "def f():\n    end = time.monotonic() + 9\n    while g():\n        \
                  assert time.monotonic() < end\n        time.sleep(1)\n";
    assert_eq!(python::waiting(python), []);
    assert_eq!(python::waiting("begin = time.monotonic()\n# sleep(1)\n"), []);
}

#[test]
fn waits_for_wall_time_are_found_with_their_functions() {
    for body in [
        "std::thread::sleep(TIME);",
        "while !is_so() { sleep(TIME); }",
        "assert!(begin.elapsed() < TIME);",
        "while clock::now() < end {}",
        "while end >= wall_clock::now() {}",
        "let time = clock::now() - begin;",
        "clock::now().saturating_duration_since(begin)",
        "assert!(received.recv_timeout(TIME).is_err());",
        "let further = received.recv_timeout(TIME);",
        "prompt(\"the end\", TIME, || ());",
        "while f() { let begin = clock::now(); g(); assert!(begin.elapsed() < TIME); }",
        "for one in all { assert!(clock::now() < end); }",
    ] {
        let source = format!("fn f() {{\n    fn g() {{}}\n    {body}\n}}");
        let tokens = tokens(&source);
        let found: Vec<_> =
            rust::waiting(&tokens).into_iter().map(|(found, lines)| (found.name, lines)).collect();
        assert_eq!(found, [("f", 1..5)], "{source}");
    }
    let python =
        "import time\n\ndef f():\n    time.sleep(1)\n\nasync def g():\n    return time.monotonic() - begin\n";
    assert_eq!(python::waiting(python), [("f", 3..6), ("g", 6..8)]);
}

#[test]
fn a_wait_belongs_to_its_crate_and_its_comment_explains_it() {
    let waiting = |path: &str, text: &str, lines| {
        let waiting = Waiting::new(&Source { path: path.to_owned(), text: text.to_owned() }, "f", lines);
        (waiting.group().to_owned(), waiting.is_explained)
    };
    let text = "fn f() {\n    // Wall time: as long as a client waits.\n    sleep(TIME);\n}\n\nfn g() {}\n";
    assert_eq!(waiting("host/bus/src/topic/tests.rs", text, 1..5), ("host/bus".to_owned(), true));
    assert_eq!(waiting("host/tests/mutilated.rs", text, 6..7), ("host".to_owned(), false));
    assert_eq!(waiting("tests/it/http/calls.rs", text, 1..5), ("tests/it/http".to_owned(), true));
    assert_eq!(waiting("tests/it/http.rs", text, 1..5), ("tests/it/http".to_owned(), true));
    let text = "def f():\n    # Wall time: as long as a client waits.\n    sleep(1)\n";
    assert_eq!(waiting("host/python/tests/test_host.py", text, 1..4), ("host/python".to_owned(), true));
}
