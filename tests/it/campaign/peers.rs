//! Files of campaigns, read by other projects' tools.

use super::stage::Stage;
use crate::support::Python;

#[test]
fn the_manifest_is_valid_for_two_versions_of_kubernetes() {
    let Some(python) = Python::with("kubernetes_validate") else { return };
    let stage = Stage::new();
    let arguments =
        ["run", "c.toml", "--engine", "k8s", "--max-parallel", "2", "--image", "i:1", "--claim", "v"];
    let manifest = stage.campaign(&arguments).expect_code(0).stdout;
    stage.write("job.yaml", &manifest);
    stage.write("wrong.yaml", &manifest.replace("completionMode", "completionMood"));
    let path = |name: &str| stage.path(name).display().to_string();
    let said = python.run("campaign/validate.py", &[&path("job.yaml"), &path("wrong.yaml")]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    for (line, expected) in lines.iter().zip(["valid", "completionMood", "valid", "completionMood"]) {
        assert!(line.contains(expected), "{said}");
    }
}
