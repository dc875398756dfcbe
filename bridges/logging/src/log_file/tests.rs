//! Files: limits, full disks, existing files.

use std::path::{Path, PathBuf};

use bridgehead_plugin_api::Payload;

use super::*;
use crate::connection::Connection;
use crate::place::Origin;
use crate::test_support::{record, topic};

mod full_disk;
mod parts;

/// Creates a directory for each test.
struct Scene {
    directory: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Scene { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn connection(&self, text: &str) -> Connection {
        self.path(text).display().to_string().parse().unwrap()
    }

    fn open(&self, text: &str) -> Member {
        registry::open(&self.connection(text), &Origin::User, StepMark::default()).unwrap()
    }

    fn refusal(&self, text: &str) -> String {
        let refused = registry::open(&self.connection(text), &Origin::User, StepMark::default());
        refused.err().expect("it opened").to_string()
    }

    fn lines(&self, name: &str) -> Vec<String> {
        lines(&self.path(name))
    }
}

/// Returns topic and step of each line.
fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let line = bridgehead_plugin_api::messages::RecordLine::parse(line).unwrap();
        format!("{} {}", line.topic, line.step)
    };
    text.lines().map(line).collect()
}

#[test]
fn an_existing_file_is_replaced_only_with_overwrite() {
    let scene = Scene::new();
    std::fs::write(scene.path("run.jsonl"), "precious").unwrap();
    let error = scene.refusal("run.jsonl");
    assert!(error.contains("exists and is not replaced"), "{error}");
    assert!(error.contains(";overwrite=true") && error.starts_with("[BH-BRG-112]"), "{error}");
    assert_eq!(std::fs::read_to_string(scene.path("run.jsonl")).unwrap(), "precious");

    registry::close(&scene.open("run.jsonl;overwrite=true")).unwrap();
    assert_eq!(std::fs::read_to_string(scene.path("run.jsonl")).unwrap(), "");
}

#[test]
fn a_missing_directory_is_named() {
    let error = Scene::new().refusal("nowhere/run.jsonl");
    assert!(error.contains("nowhere/run.jsonl` cannot be opened for writing: No such file"), "{error}");
}

#[test]
fn a_worlds_log_creates_its_directory() {
    let scene = Scene::new();
    let origin = Origin::World { output_dir: scene.path("out") };
    let member = registry::open(&"logs/run.txt".parse().unwrap(), &origin, StepMark::default()).unwrap();
    registry::close(&member).unwrap();
    assert!(scene.path("out/logs/run.txt").exists());
}

#[test]
fn equal_targets_are_one_file_in_the_order_of_the_run() {
    let scene = Scene::new();
    let one = scene.open("run.jsonl");
    let two = scene.open("./run.jsonl");
    let (car1, car2) = (topic("car1"), topic("car2"));
    for step in 1..=2 {
        assert_eq!(two.take(record(&car2, 0, step)), Outcome::Accepted);
    }
    for step in 1..=2 {
        assert_eq!(one.take(record(&car1, 0, step)), Outcome::Accepted);
    }
    for member in [&one, &two] {
        member.end();
        registry::close(member).unwrap();
    }
    assert_eq!(
        scene.lines("run.jsonl"),
        ["/car1/speed 1", "/car2/speed 1", "/car1/speed 2", "/car2/speed 2"]
    );
}

#[test]
fn instances_that_share_a_file_must_agree_on_its_options() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;max_size=1K");
    let error = scene.refusal("run.jsonl");
    assert!(
        error.contains("(max_size 1024, part_size none, overwrite false, here max_size none, part_size none, overwrite false)"),
        "{error}"
    );
    registry::close(&scene.open("run.jsonl;topics=/a;max_size=1024")).unwrap();
    registry::close(&member).unwrap();
}

#[test]
fn a_second_connection_continues_in_a_new_part_whatever_overwrite_says() {
    for options in ["", ";overwrite=true"] {
        let scene = Scene::new();
        let car = topic("car1");
        std::fs::write(scene.path("run.part3.jsonl"), "precious").unwrap();
        for step in 1..=3 {
            let member = scene.open(&format!("run.jsonl{options}"));
            member.take(record(&car, 0, step));
            registry::close(&member).unwrap();
        }
        assert_eq!(scene.lines("run.jsonl"), ["/car1/speed 1"]);
        assert_eq!(scene.lines("run.part2.jsonl"), ["/car1/speed 2"]);
        let third = if options.is_empty() { "run.part4.jsonl" } else { "run.part3.jsonl" };
        assert_eq!(scene.lines(third), ["/car1/speed 3"], "a file of another process is as `overwrite` says");
    }
}

#[test]
fn a_message_of_an_earlier_step_is_moved_to_the_step_of_the_one_before() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl");
    for (epoch, step) in [(0, 5), (0, 2), (1, 1), (0, 9)] {
        member.take(record(&topic("car1"), epoch, step));
    }
    registry::close(&member).unwrap();
    assert_eq!(
        scene.lines("run.jsonl"),
        ["/car1/speed 5", "/car1/speed 5", "/car1/speed 1", "/car1/speed 1"]
    );
}

#[test]
fn messages_are_flushed_within_the_interval() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl");
    member.flush_if_due(FLUSH_INTERVAL);
    member.take(record(&topic("car1"), 0, 1));
    member.flush_if_due(FLUSH_INTERVAL * 2 - Duration::from_nanos(1));
    assert_eq!(scene.lines("run.jsonl").len(), 0);
    member.flush_if_due(FLUSH_INTERVAL * 2);
    assert_eq!(scene.lines("run.jsonl"), ["/car1/speed 1"]);
    registry::close(&member).unwrap();
}

#[test]
fn a_full_file_ends_with_a_whole_message_and_is_reported_once() {
    let scene = Scene::new();
    for name in ["run.jsonl", "run.jsonl.gz", "run.txt"] {
        let member = scene.open(&format!("{name};max_size=1000"));
        let topic = topic("car1");
        let outcomes: Vec<Outcome> = (0..400).map(|step| member.take(record(&topic, 0, step))).collect();
        let accepted = outcomes.iter().take_while(|outcome| **outcome == Outcome::Accepted).count();
        assert!(accepted > 5, "{name}: {accepted}");
        assert!(outcomes[accepted..].iter().all(|outcome| *outcome == Outcome::Refused), "{name}");

        let errors = member.take_errors();
        assert_eq!(errors.len(), 1, "{name}");
        assert_eq!(errors[0].code, "BH-BRG-115");
        assert!(errors[0].text.contains("has reached its max_size of 1000 bytes"), "{}", errors[0].text);
        assert!(!member.is_broken());
        registry::close(&member).unwrap();
        let size = std::fs::metadata(scene.path(name)).unwrap().len();
        assert!((600..=1020).contains(&size), "{name}: {size}");
    }
    assert!(scene.lines("run.jsonl").len() > 5);
}

#[test]
fn a_full_disk_ends_the_file_and_is_reported_once() {
    let scene = Scene::new();
    for name in ["run.jsonl", "run.jsonl.gz", "run.txt.gz", "run.mcap"] {
        std::os::unix::fs::symlink("/dev/full", scene.path(name)).unwrap();
        let member = scene.open(&format!("{name};overwrite=true"));
        let topic = topic("car1");
        member.take(record(&topic, 0, 1));
        member.flush_if_due(FLUSH_INTERVAL);
        assert!(member.is_broken(), "{name}");
        assert_eq!(member.take(record(&topic, 0, 2)), Outcome::Refused, "{name}");

        let errors = member.take_errors();
        assert_eq!(errors.len(), 1, "{name}");
        assert_eq!(errors[0].code, "BH-BRG-114");
        assert!(errors[0].text.contains("No space left on device"), "{}", errors[0].text);
        member.end();
        assert_eq!(member.take_errors(), []);
        registry::close(&member).unwrap();
    }
}

#[test]
fn a_full_disk_at_the_end_is_an_error_of_disconnect() {
    let scene = Scene::new();
    std::os::unix::fs::symlink("/dev/full", scene.path("run.jsonl")).unwrap();
    let member = scene.open("run.jsonl;overwrite=true");
    member.take(record(&topic("car1"), 0, 1));
    let error = registry::close(&member).unwrap_err().to_string();
    assert!(error.contains("the end of") && error.contains("No space left on device"), "{error}");
}

#[test]
fn a_message_of_another_type_is_refused_alone() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl");
    let topic = topic("car1");
    let mut wrong = record(&topic, 0, 1);
    wrong.payload = Payload::from_vec(vec![0x0a, 1, b'x']);
    assert_eq!(member.take(wrong), Outcome::Refused);
    assert_eq!(member.take(record(&topic, 0, 2)), Outcome::Accepted);
    registry::close(&member).unwrap();
    assert_eq!(scene.lines("run.jsonl"), ["/car1/speed 2"]);
}
