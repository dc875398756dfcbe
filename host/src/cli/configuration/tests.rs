//! Flags over the file, and the checks of both together.

use std::fs;
use std::path::PathBuf;

use crate::clock::Speed;
use crate::config::{Code, RequestOrigin, RunConfig};
use crate::plugin::Origin;

use super::*;

/// Returns the requested run.
fn configuration(arguments: &RunArguments) -> Result<RunConfig, ConfigErrors> {
    let (layers, outcome) = layers(arguments);
    outcome.and_then(|()| layers.into_config())
}

fn file_in(folder: &tempfile::TempDir, text: &str) -> Option<PathBuf> {
    let path = folder.path().join("run.toml");
    fs::write(&path, text).expect("written");
    Some(path)
}

#[test]
fn flags_win_over_the_file_and_bridges_add_up() {
    let folder = tempfile::tempdir().expect("folder");
    let text = "plugin_path = [\"p\"]\n[run]\nseed = 1\nspeed = 2\nstrict = true\nworld = \"w.sdf\"\n[[bridge]]\n\
                attach = \"world\"\nname = \"logging\"\nconnection = \"a\"\n";
    let arguments = RunArguments {
        xacro: crate::cli::args::XacroArguments::default(),
        config: file_in(&folder, text),
        flags: [("--seed", "2")].into(),
        bridges: vec!["car1=logging:b".into()],
        values: Vec::new(),
        plugin_path: vec![PathBuf::from("q")],
        open: false,
    };
    let config = configuration(&arguments).expect("a configuration");
    assert_eq!((config.seed, config.speed, config.strict), (2, Speed::Factor(2.0), true));
    assert_eq!(config.world, Some(folder.path().join("w.sdf")));
    let bridges: Vec<_> = config.bridges.iter().map(|bridge| (&*bridge.connection, bridge.origin)).collect();
    assert_eq!(bridges, [("a", RequestOrigin::Configuration), ("b", RequestOrigin::CommandLine)]);
    let mut folders = config.search.folders();
    assert_eq!(folders.next(), Some((Origin::CommandLine, Path::new("q"))));
    assert_eq!(folders.next(), Some((Origin::Configuration, folder.path().join("p").as_path())));
}

#[test]
fn errors_of_flags_and_file_come_together() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = RunArguments {
        config: file_in(&folder, "run.seed = -1"),
        flags: [("--speed", "0")].into(),
        ..RunArguments::default()
    };
    let errors = configuration(&arguments).expect_err("refused");
    let codes: Vec<Code> = errors.0.iter().map(|error| error.code).collect();
    assert_eq!(codes, [Code::SpeedInvalid, Code::NumberInvalid]);
}

#[test]
fn files_that_could_not_be_written_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = RunArguments {
        flags: [
            ("--result", folder.path().join("absent/result.json").as_os_str()),
            ("--hash-log", folder.path().as_os_str()),
            ("--record-commands", "commands.jsonl".as_ref()),
        ]
        .into(),
        ..RunArguments::default()
    };
    let errors = configuration(&arguments).expect_err("refused");
    let found: Vec<&str> = errors.0.iter().map(|error| error.found.as_str()).collect();
    assert!(errors.0.iter().all(|error| error.code == Code::TargetInvalid), "{errors}");
    assert!(found[0].starts_with("the result cannot be written to `"), "{errors}");
    assert!(found[0].contains("there is no folder `"), "{errors}");
    assert!(found[1].ends_with("it is a folder"), "{errors}");
    assert_eq!(found.len(), 2);
}
