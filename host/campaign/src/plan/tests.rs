//! Keys depend on exactly what they should; matrices expand to what they say.

mod equal;

use std::collections::HashMap;
use std::fs;

use tempfile::TempDir;

use super::*;
use crate::file::CampaignFile;
use crate::{Base, CampaignError, Host, Inputs, Request, verify};

/// A host whose worlds are lists of lines: `file NAME`, `plugin NAME`, and values as `path=text`.
struct FakeHost {
    folder: PathBuf,
    base: Base,
}

impl Host for FakeHost {
    fn program(&self) -> Result<PathBuf, String> {
        Ok(self.folder.join("program"))
    }

    fn version(&self) -> String {
        "1".to_owned()
    }

    fn base(&self) -> Result<Base, String> {
        Ok(self.base.clone())
    }

    fn setting(&self, key: &str, value: &str) -> Option<Result<String, String>> {
        match key {
            "run.duration" => Some(Ok(value.replace("1000ms", "1s"))),
            "run.substeps" if value == "0" => Some(Err("is 0".to_owned())),
            "run.substeps" | "run.strict" => Some(Ok(value.to_owned())),
            _ => None,
        }
    }

    fn value(&self, world: &Path, path: &str) -> Result<String, String> {
        let text = fs::read_to_string(world).map_err(|error| error.to_string())?;
        let found = text.lines().find_map(|line| line.strip_prefix(path)?.strip_prefix('='));
        found.map(str::to_owned).ok_or_else(|| format!("no `{path}`"))
    }

    fn check(&self, _: &Path, values: &[(String, String)]) -> Result<(), String> {
        let unusable = values.iter().find(|(_, value)| value.starts_with('-'));
        unusable.map_or(Ok(()), |(path, value)| Err(format!("`{path}` cannot be {value}")))
    }

    fn is_reference(&self, path: &str) -> bool {
        path.ends_with(".uri")
    }

    fn inputs(&self, request: &Request) -> Result<Inputs, String> {
        let text = fs::read_to_string(&request.world).map_err(|error| error.to_string())?;
        let named = |kind: &str| -> Vec<PathBuf> {
            let names = text.lines().filter_map(|line| line.strip_prefix(kind)).map(str::to_owned);
            names.map(|name| self.folder.join(name)).collect()
        };
        let mut files = vec![request.world.clone()];
        files.extend(named("file "));
        files.extend(request.values.iter().map(|(_, file)| self.folder.join(file)));
        let bridges = request.bridges.iter().filter_map(|bridge| bridge.split([':', '=']).nth(1));
        let mut libraries = named("plugin ");
        libraries.extend(bridges.map(|name| self.folder.join(name)));
        Ok(Inputs { files, libraries })
    }

    fn search(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A folder with two worlds that share a mesh, plugins and a program.
fn stage() -> (TempDir, FakeHost) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    for (name, text) in [
        ("program", "program"),
        ("a.sdf", "file shared.dae\nfile a.dae\nplugin lidar\nworld.mass=1\nworld.uri=a.dae\n"),
        ("b.sdf", "file shared.dae\nplugin imu\nworld.mass=2\nworld.uri=a.dae\n"),
        ("shared.dae", "shared"),
        ("a.dae", "a"),
        ("c.dae", "c"),
        ("lidar", "lidar"),
        ("imu", "imu"),
        ("logging", "logging"),
        ("commands.jsonl", "commands"),
        ("base.toml", "base"),
    ] {
        fs::write(path.join(name), text).expect("written");
    }
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let values = [pair("run.substeps", "1"), pair("run.strict", "false"), pair("run.seed", "5")];
    let base = Base { values: values.into_iter().collect(), ..Base::default() };
    (folder, FakeHost { folder: path, base })
}

fn planned(host: &FakeHost, text: &str) -> Result<(Plan, Vec<String>), CampaignError> {
    let file = CampaignFile::parse(text, &host.folder.join("c.toml")).expect("a campaign");
    plan(&file, host)
}

/// The runs in words, with their keys.
fn keys(host: &FakeHost, text: &str) -> HashMap<String, Key> {
    let (plan, _) = planned(host, text).expect("a plan");
    let shown = |run: &PlannedRun| {
        let case = plan.case(run);
        let parameters: Vec<String> =
            plan.parameters(case).map(|(name, value)| format!("{name}={value}")).collect();
        let bridges = plan.bridges(case).bridges.join("+");
        format!("{} {} {} {bridges}", plan.world(case), run.seed, parameters.join(" "))
    };
    plan.runs.iter().map(|run| (shown(run), run.key)).collect()
}

const CAMPAIGN: &str = r#"
[campaign]
config = "base.toml"
[matrix]
world = ["a.sdf", "b.sdf"]
seed = [1, 2]
"run.substeps" = [1, 2]
bridges = [[], ["*=logging:{out}/x.jsonl"], ["car=replay:commands.jsonl"]]
"#;

#[test]
fn a_changed_input_changes_exactly_the_keys_that_depend_on_it() {
    let (_folder, mut host) = stage();
    fs::write(host.folder.join("replay"), "replay").expect("written");
    let before = keys(&host, CAMPAIGN);
    assert_eq!(before.len(), 24);
    let distinct: std::collections::HashSet<&Key> = before.values().collect();
    assert_eq!(distinct.len(), 24);
    let all = |_: &str| true;
    type Depends = fn(&str) -> bool;
    let table: [(&str, Depends); 9] = [
        ("program", all),
        ("a.sdf", |run| run.starts_with("a.sdf")),
        ("b.sdf", |run| run.starts_with("b.sdf")),
        ("shared.dae", all),
        ("a.dae", |run| run.starts_with("a.sdf")),
        ("lidar", |run| run.starts_with("a.sdf")),
        ("logging", |run| run.contains("logging")),
        ("commands.jsonl", |run| run.contains("replay")),
        // A comment of the configuration changes no value.
        ("base.toml", |_| false),
    ];
    for (file, depends) in table {
        let path = host.folder.join(file);
        let mut bytes = fs::read(&path).expect("a file");
        bytes.push(b'\n');
        fs::write(&path, &bytes).expect("changed");
        let after = keys(&host, CAMPAIGN);
        for (run, key) in &before {
            assert_eq!(after[run] != *key, depends(run), "{file}: {run}");
        }
        bytes.pop();
        fs::write(&path, &bytes).expect("as before");
    }
    assert_eq!(keys(&host, CAMPAIGN), before);
    host.base.values.insert("run.strict".to_owned(), "true".to_owned());
    let after = keys(&host, CAMPAIGN);
    assert!(before.iter().all(|(run, key)| after[run] != *key), "a value of the configuration");
    host.base.values.insert("run.strict".to_owned(), "false".to_owned());
    host.base.lists = serde_json::json!({ "trigger": [{ "file": "commands.jsonl" }] });
    let listed = keys(&host, CAMPAIGN);
    fs::write(host.folder.join("commands.jsonl"), "others").expect("changed");
    let changed = keys(&host, CAMPAIGN);
    assert!(listed.iter().all(|(run, key)| changed[run] != *key && before[run] != *key), "a file of a list");
}

#[test]
fn paths_and_spellings_are_not_part_of_a_key() {
    let text = "[matrix]\nworld = \"a.sdf\"\nseed = 1\nduration = [\"1000ms\", \"1s\"]\n\"run.substeps\" = 1\n\"world.mass\" = 1\n";
    let ((_one, first), (_other, second)) = (stage(), stage());
    let keys_of = |host: &FakeHost, text: &str| {
        planned(host, text).expect("a plan").0.runs.iter().map(|run| run.key).collect::<Vec<_>>()
    };
    assert_eq!(keys_of(&first, text), keys_of(&second, text));
    assert_eq!(keys_of(&first, text).len(), 1, "two spellings of one duration");
    // A parameter with the value that it has anyway is no change.
    let plain = "[matrix]\nworld = \"a.sdf\"\nseed = 1\nduration = \"1s\"\n";
    assert_eq!(keys_of(&first, text), keys_of(&first, plain));
    let heavier = text.replace("\"world.mass\" = 1", "\"world.mass\" = 1.5");
    assert_ne!(keys_of(&first, text), keys_of(&first, &heavier));
}

/// Planning must not take the time of reading the world for each of ten thousand cases.
#[test]
fn the_first_hundred_sets_of_values_are_tried() {
    let (_folder, host) = stage();
    let outcome = |usable: u32| {
        let values: Vec<String> = (10..10 + usable).map(|value| value.to_string()).collect();
        let values = values.join(", ");
        planned(&host, &format!("[matrix]\nworld = \"a.sdf\"\nseed = 1\n\"world.mass\" = [{values}, -1]\n"))
    };
    assert_eq!(outcome(100).expect("the last one is not tried").0.runs.len(), 101);
    let text = outcome(99).expect_err("the last one is the hundredth").to_string();
    assert!(text.contains("`world.mass` cannot be -1"), "{text}");
}

#[test]
fn a_value_that_names_a_file_changes_the_inputs() {
    let (_folder, host) = stage();
    let text = "[matrix]\nworld = \"a.sdf\"\nseed = 1\n\"world.uri\" = [\"a.dae\", \"c.dae\"]\n";
    let (plan, _) = planned(&host, text).expect("a plan");
    assert_eq!((plan.runs.len(), plan.inputs.len()), (2, 2));
    let before: Vec<Key> = plan.runs.iter().map(|run| run.key).collect();
    fs::write(host.folder.join("c.dae"), "changed").expect("written");
    let after: Vec<Key> = planned(&host, text).expect("a plan").0.runs.iter().map(|run| run.key).collect();
    assert_eq!((before[0] == after[0], before[1] == after[1]), (true, false));
}

#[test]
fn includes_add_runs_and_excludes_remove_them() {
    let (_folder, host) = stage();
    let text = r#"
        [matrix]
        world = "*.sdf"
        seed = { from = 1, count = 3 }
        "run.substeps" = [1, 2]
        [[include]]
        world = "a.sdf"
        seed = 9
        "run.substeps" = [3]
        [[include]]
        "run.substeps" = 2
        [[exclude]]
        world = "b.sdf"
        "run.substeps" = 2
        [[exclude]]
        seed = 2
        world = "a.sdf"
    "#;
    let (plan, notes) = planned(&host, text).expect("a plan");
    let mut runs: Vec<String> = keys(&host, text).into_keys().collect();
    runs.sort();
    let expected = [
        "a.sdf 1 run.substeps=1 ",
        "a.sdf 1 run.substeps=2 ",
        "a.sdf 3 run.substeps=1 ",
        "a.sdf 3 run.substeps=2 ",
        "a.sdf 9 run.substeps=3 ",
        "b.sdf 1 run.substeps=1 ",
        "b.sdf 2 run.substeps=1 ",
        "b.sdf 3 run.substeps=1 ",
    ];
    assert_eq!(runs, expected);
    assert_eq!(plan.runs.len(), 8);
    assert!(notes.iter().any(|note| note.starts_with("2 runs are in the campaign twice")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("no `duration`")), "{notes:?}");
    // Without seeds, the seed is that of the configuration.
    let (plan, _) = planned(&host, "[matrix]\nworld = \"a.sdf\"\n").expect("a plan");
    assert_eq!(plan.runs[0].seed, 5);
}

#[test]
fn too_few_seeds_for_the_accepted_rate_are_noted() {
    let (_folder, host) = stage();
    let text = "[matrix]\nworld = \"a.sdf\"\nduration = \"1s\"\nseed = { count = 100 }\n[accept]\npass_rate = 0.99\n";
    let notes = planned(&host, text).expect("a plan").1;
    assert!(
        notes.iter().any(|note| note.contains("100 runs") && note.contains("381 are needed")),
        "{notes:?}"
    );
    let (_, notes) = planned(&host, &text.replace("100", "381")).expect("a plan");
    assert_eq!(notes, [""; 0]);
}

#[test]
fn nothing_and_far_too_much_are_refused_before_they_are_expanded() {
    let (_folder, host) = stage();
    let refused = |text: &str| planned(&host, text).expect_err(text).to_string();
    let nothing = refused("[matrix]\nworld = \"a.sdf\"\n\"run.substeps\" = []\n");
    assert!(nothing.contains("BH-CAM-005") && nothing.contains("0 of `run.substeps`"), "{nothing}");
    assert!(refused("[accept]\npass_rate = 0.5\n").contains("neither `[matrix]` nor `[[include]]`"));
    let excluded = refused("[matrix]\nworld = \"a.sdf\"\n[[exclude]]\nworld = \"a.sdf\"\n");
    assert!(excluded.contains("BH-CAM-005") && excluded.contains("leaves out all 1 runs"), "{excluded}");
    let many = refused("[matrix]\nworld = [\"a.sdf\", \"b.sdf\"]\nseed = { count = 500000000 }\n");
    assert!(
        many.contains("BH-CAM-006")
            && many.contains("1000000000 runs")
            && many.contains("2 worlds x 500000000 seeds"),
        "{many}"
    );
    let huge = format!(
        "[matrix]\nworld = \"a.sdf\"\nseed = [{}]\n",
        vec![format!("{{ count = {} }}", i64::MAX); 9].join(",")
    );
    assert!(refused(&huge).contains("BH-CAM-006"));
}

#[test]
fn wrong_parameters_and_missing_worlds_are_named_with_their_places() {
    let (_folder, host) = stage();
    let refused = |text: &str| planned(&host, text).expect_err(text).to_string();
    let missing = refused("[matrix]\nworld = [\"a.sdf\", \"none/*.sdf\"]\n");
    assert!(
        missing.contains("BH-CAM-007") && missing.contains("c.toml:2:19") && missing.contains("none/*.sdf"),
        "{missing}"
    );
    let unknown = refused("[matrix]\nworld = \"b.sdf\"\n\"run.substep\" = 1\n");
    assert!(
        unknown.contains("BH-CAM-008")
            && unknown.contains("c.toml:3:17")
            && unknown.contains("neither a key"),
        "{unknown}"
    );
    assert!(refused("[matrix]\nworld = \"b.sdf\"\n\"run.substeps\" = 0\n").contains("`run.substeps` is 0"));
    let gone = refused("[matrix]\nworld = \"a.sdf\"\nbridges = [[\"*=zmq:\"]]\n");
    assert!(gone.contains("BH-CAM-009") && gone.contains("zmq"), "{gone}");
    let negative = refused("[matrix]\nworld = \"b.sdf\"\n\"world.mass\" = [2, -1]\n");
    assert!(negative.contains("BH-CAM-009") && negative.contains("`world.mass` cannot be -1"), "{negative}");
}

#[test]
fn a_plan_reads_back_and_a_damaged_one_is_refused() {
    let (_folder, host) = stage();
    let (plan, _) = planned(&host, CAMPAIGN.replace("car=replay", "car=imu").as_str()).expect("a plan");
    let mut text = Vec::new();
    plan.write(&mut text).expect("written");
    assert_eq!(Plan::read(text.as_slice()), Ok(plan.clone()));
    let text = String::from_utf8(text).expect("UTF-8");
    for (from, to, part) in [
        ("plan/1", "plan/2", "plan/2"),
        (",0,1]", ",77,1]", "refers to nothing"),
        ("\"world\":0", "\"world\":9", "refers to nothing"),
        ("\"runs\":[[\"", "\"runs\":[[\"x", "cannot be read"),
    ] {
        let error = Plan::read(text.replacen(from, to, 1).as_bytes()).expect_err(from);
        assert!(error.contains(part), "{from}: {error}");
    }
    let run = &plan.runs[3];
    assert_eq!(plan.find(&run.key.to_string()), Some(run));
    assert_eq!(plan.find(&run.key.to_string()[..16]), Some(run));
    assert_eq!(plan.find(""), None);
}

#[test]
fn files_that_differ_from_the_plan_are_named_with_the_first_key() {
    let (_folder, host) = stage();
    let (plan, _) =
        planned(&host, "[matrix]\nworld = [\"a.sdf\", \"b.sdf\"]\nseed = [1, 2]\n").expect("a plan");
    let program = host.folder.join("program");
    let all = || plan.runs.iter().collect::<Vec<_>>();
    let (runs, errors) = verify(&plan, all(), &program).expect("the program is the same");
    assert_eq!((runs.len(), errors.len()), (4, 0));
    fs::remove_file(host.folder.join("a.dae")).expect("removed");
    fs::write(host.folder.join("imu"), "other").expect("written");
    let (runs, errors) = verify(&plan, all(), &program).expect("the program is the same");
    assert_eq!(runs.len(), 0);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let first = |world: &str| {
        let run = plan.runs.iter().find(|run| plan.world(plan.case(run)) == world).expect("a run");
        format!("key {} ", &run.key.to_string()[..8])
    };
    let of = |file: &str| {
        errors.iter().find(|error| error.contains(file)).unwrap_or_else(|| panic!("{file}: {errors:?}"))
    };
    assert!(
        of("a.dae").contains("cannot be read")
            && of("a.dae").contains(&first("a.sdf"))
            && of("a.dae").contains("2 runs")
    );
    assert!(of("/imu").contains("has changed") && of("/imu").contains(&first("b.sdf")));
    fs::write(&program, "new").expect("written");
    let error = verify(&plan, all(), &program).expect_err("another program").to_string();
    assert!(error.contains("BH-CAM-025") && error.contains("another program"), "{error}");
}

#[test]
fn the_shown_parameters_are_those_of_the_matrix() {
    let (_folder, host) = stage();
    let text = "[campaign]\nduration = \"1s\"\n[matrix]\nworld = \"a.sdf\"\n\"world.mass\" = [1, 3]\n\"run.substeps\" = 2\n";
    let (plan, _) = planned(&host, text).expect("a plan");
    let shown: Vec<String> = plan.cases.iter().map(|case| plan.shown_parameters(case)).collect();
    assert_eq!(
        shown,
        ["run.duration=1s, world.mass=1, run.substeps=2", "run.duration=1s, world.mass=3, run.substeps=2"]
    );
    assert_eq!(plan.defaults, [None, None, Some("1".to_owned())]);
    let default = |name: &str| plan.default_in("a.sdf", name);
    assert_eq!([default("world.mass"), default("run.substeps"), default("x")], [Some("1"), Some("1"), None]);
}

#[test]
fn further_inputs_are_part_of_every_key() {
    let (_folder, host) = stage();
    let text = "[campaign]\ninputs = [\"*.jsonl\"]\n[matrix]\nworld = [\"a.sdf\", \"b.sdf\"]\n";
    let before = keys(&host, text);
    fs::write(host.folder.join("commands.jsonl"), "others").expect("changed");
    let after = keys(&host, text);
    assert!(before.iter().all(|(run, key)| after[run] != *key));
    let missing = planned(&host, &text.replace("jsonl", "bin")).expect_err("no file").to_string();
    assert!(missing.contains("BH-CAM-007") && missing.contains("no file `*.bin`"), "{missing}");
}
