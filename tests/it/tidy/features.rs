//! One set of features for each dependency: a build of the workspace after the demo compiles no dependency again.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::assert_none;
use crate::support::root;

/// The packages that the script of the demo builds: `package`, or `beginning-{one,two}`.
fn packages_of_the_demo() -> Vec<String> {
    let script = fs::read_to_string(root().join("worlds/demo.sh")).expect("worlds/demo.sh");
    let (_, list) = script.split_once("packages=(").expect("a list of packages");
    let (list, _) = list.split_once(')').expect("the end of the list");
    let expand = |word: &str| match word.split_once('{') {
        None => vec![word.to_owned()],
        Some((beginning, ends)) => {
            ends.trim_end_matches('}').split(',').map(|end| format!("{beginning}{end}")).collect()
        }
    };
    list.split_whitespace().flat_map(expand).collect()
}

/// Returns every package that a build of the selection compiles, with its version and features.
fn compiled(selection: &[String]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"]);
    cargo.args(["--format", "{p} [{f}]"]).args(selection).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn the_demo_and_the_workspace_compile_dependencies_with_the_same_features() {
    let packages = packages_of_the_demo();
    assert!(packages.contains(&"bridgehead-bridge-replay".to_owned()), "{packages:?}");
    let selection: Vec<String> = packages.iter().map(|package| format!("--package={package}")).collect();
    let demo = compiled(&selection);
    let workspace = compiled(&["--workspace".to_owned()]);
    assert!(demo.iter().any(|line| line.starts_with("serde v1")), "{demo:?}");
    let differing: Vec<String> = demo.difference(&workspace).cloned().collect();
    assert_none(&differing, "`host/features/Cargo.toml` turns on the features that the workspace turns on");
}
