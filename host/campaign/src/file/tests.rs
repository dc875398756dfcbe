//! Campaign files: what is read, and the mistakes with their places.

use super::*;

fn parse(text: &str) -> Result<CampaignFile, String> {
    CampaignFile::parse(text, Path::new("dir/nightly.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_whole_file_is_read() {
    let file = parse(
        r#"
        [campaign]
        config = "base.toml"
        duration = "10s"
        [matrix]
        world = ["worlds/*.sdf", "more/a.sdf"]
        seed = [{ from = 1, count = 500 }, 7]
        bridges = [[], ["*=logging:{out}/log.jsonl"], { bridges = ["*=ros2:"], sampled = true }]
        "run.substeps" = [1, 2]
        "world.model[box].link[body].inertial.mass" = [1.0, 2.50, "3"]
        [[include]]
        world = "slow.sdf"
        seed = 3
        [[exclude]]
        world = "worlds/slow.sdf"
        "run.substeps" = 2
        [limits]
        time = "5m"
        memory = "1G"
        tries = 2
        [accept]
        pass_rate = 0.99
        confidence = 0.9
        of = "campaign"
        "#,
    )
    .expect("a campaign");
    assert_eq!(file.name, "nightly");
    assert_eq!(file.config.as_deref(), Some(Path::new("base.toml")));
    assert_eq!(
        (file.common[0].name.as_str(), file.common[0].values.as_slice()),
        ("run.duration", ["10s".to_owned()].as_slice())
    );
    let matrix = file.matrix.expect("a matrix");
    assert_eq!(matrix.worlds[1].0, "more/a.sdf");
    assert_eq!(matrix.seeds, [SeedRange { from: 1, count: 500 }, SeedRange { from: 7, count: 1 }]);
    assert_eq!(matrix.bridges.len(), 3);
    assert!(matrix.bridges[2].sampled && matrix.bridges[0].bridges.is_empty());
    let names: Vec<&str> = matrix.parameters.iter().map(|axis| axis.name.as_str()).collect();
    assert_eq!(names, ["run.substeps", "world.model[box].link[body].inertial.mass"]);
    assert_eq!(matrix.parameters[1].values, ["1.0", "2.50", "3"]);
    assert_eq!((file.includes.len(), file.excludes.len()), (1, 1));
    assert_eq!(file.limits, Limits { time_s: 300.0, memory: Some(1 << 30), tries: 2 });
    assert_eq!(file.accept, Accept { pass_rate: Some(0.99), confidence: 0.9, is_total: true });
}

#[test]
fn all_mistakes_are_reported_with_their_places() {
    let text = "[campaign]\nname = \"a/b\"\n[matrix]\nworlds = 1\nseed = \"x\"\n\"run.speed\" = [[1]]\n[limits]\ntime = \"5\"\n\
                tries = 0\nmemory = \"x\"\n[accept]\npass_rate = 1.0\n[other]\n[[matrx]]\n";
    let error = parse(text).expect_err("mistakes");
    for part in [
        "dir/nightly.toml:2:8: [BH-CAM-004] `name` is the text `a/b`",
        "dir/nightly.toml:4:1: [BH-CAM-003] unknown key `worlds`",
        "dir/nightly.toml:5:8: [BH-CAM-004] `seed` is the text `x`",
        "dir/nightly.toml:6:16: [BH-CAM-004] `run.speed` is a list",
        "`time` is the text `5`",
        "`tries` is the number `0`",
        "`memory` is the text `x`",
        "`pass_rate` is the number `1.0`",
        "unknown key `other`",
        "unknown key `matrx`",
    ] {
        assert!(error.contains(part), "{part}:\n{error}");
    }
    assert_eq!(error.lines().count(), 10, "{error}");
    assert!(parse("[matrix\n").expect_err("no TOML").contains("dir/nightly.toml:1:8: [BH-CAM-002]"));
    assert!(parse("[include]\nworld = \"a\"").expect_err("one bracket").contains("two brackets"));
}

#[test]
fn a_missing_file_is_named() {
    let error = CampaignFile::read(Path::new("/nowhere/c.toml")).expect_err("missing").to_string();
    assert!(error.starts_with("[BH-CAM-001] ") && error.contains("/nowhere/c.toml"), "{error}");
}

#[test]
fn seeds_are_consecutive() {
    let range = SeedRange { from: 5, count: 3 };
    assert_eq!(range.seeds().collect::<Vec<_>>(), [5, 6, 7]);
    assert!(range.contains(7) && !range.contains(8) && !range.contains(4));
}
