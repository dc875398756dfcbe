//! Files of campaigns, read by other projects' tools.

use super::stage::Stage;
use crate::support::Python;

#[test]
fn the_manifest_is_valid_for_two_versions_of_kubernetes() {
    let Some(python) = Python::with("kubernetes_validate") else { return };
    let stage = Stage::new();
    let common = ["run", "c.toml", "--engine", "k8s", "--max-parallel", "2", "--image", "i:1"];
    let manifest = |further: &[&str]| stage.campaign(&[&common, further].concat()).expect_code(0).stdout;
    let volume = manifest(&["--claim", "v"]);
    let bucket = manifest(&["--store-at", "s3://robots/nightly", "--secret", "credentials"]);
    let path = |name: &str| stage.path(name).display().to_string();
    for text in [volume, bucket] {
        stage.write("job.yaml", &text);
        stage.write("wrong.yaml", &text.replace("completionMode", "completionMood"));
        let said = python.run("campaign/validate.py", &[&path("job.yaml"), &path("wrong.yaml")]);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 4, "{said}");
        for (line, expected) in lines.iter().zip(["valid", "completionMood", "valid", "completionMood"]) {
            assert!(line.contains(expected), "{said}");
        }
    }
    stage.campaign(&common).expect_code(1).expect(&["BH-CAM-033", "--claim NAME"]);
}
