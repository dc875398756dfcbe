//! Parts of a size: what is in each, and what happens if the next one cannot be created.

use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::SceneAsset;
use bridgehead_plugin_api::messages::std_msgs::String as Text;

use super::*;
use crate::test_support::{record_of, topic_of, topic_with};

const LIMIT: u64 = 64 << 10;

/// A message of 10,000 bytes.
fn long() -> Text {
    Text { data: "x".repeat(10_000) }
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

#[test]
fn a_log_continues_in_parts_of_a_size_and_no_message_is_lost_or_doubled() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;part_size=64K");
    let topic = topic_of::<Text>("car1", "text");
    for step in 0..14 {
        assert_eq!(member.take(record_of(&topic, 0, step, &long())), Outcome::Accepted);
    }
    registry::close(&member).unwrap();
    let parts = ["run.jsonl", "run.part2.jsonl", "run.part3.jsonl"];
    assert!(parts.iter().all(|name| size(&scene.path(name)) <= LIMIT));
    let counts = parts.map(|name| scene.lines(name).len());
    assert_eq!((counts, scene.path("run.part4.jsonl").exists()), ([6, 6, 2], false));
    let written: Vec<String> = parts.iter().flat_map(|name| scene.lines(name)).collect();
    assert_eq!(written, (0..14).map(|step| format!("/car1/text {step}")).collect::<Vec<_>>());
    assert!(member.take_errors().is_empty());
}

/// The files of scenes are repeated too, because the scene names them.
#[test]
fn a_part_begins_with_the_latched_messages_and_the_files_of_scenes() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;part_size=64K");
    let asset = topic_of::<SceneAsset>("world", "assets");
    let latched = topic_with::<Text>("world", "scene", Durability::Latched);
    let (other, filler) = (topic_of::<Text>("world", "other"), topic_of::<Text>("car1", "text"));
    for (step, topic) in [&asset, &asset, &latched, &other, &latched].into_iter().enumerate() {
        let step = u64::try_from(step).unwrap();
        let record = match Arc::ptr_eq(topic, &asset) {
            true => {
                record_of(topic, 0, step, &SceneAsset { hash: step.to_string(), ..SceneAsset::default() })
            }
            false => record_of(topic, 0, step, &Text { data: step.to_string() }),
        };
        member.take(record);
    }
    for step in 10..24 {
        member.take(record_of(&filler, 0, step, &long()));
    }
    registry::close(&member).unwrap();
    let second = std::fs::read_to_string(scene.path("run.part2.jsonl")).unwrap();
    let begin: Vec<&str> = second.lines().take(4).collect();
    for (line, part) in begin.iter().zip(["\"hash\":\"0\"", "\"hash\":\"1\"", "\"data\":\"4\"", "/car1/text"])
    {
        // With the time at which the part begins.
        assert!(
            line.contains(part) && line.contains("\"stamp\":16000000,") && line.contains("\"step\":16,"),
            "{line}"
        );
    }
    assert_eq!(
        scene.lines("run.part3.jsonl")[..3],
        ["/world/assets 22", "/world/assets 22", "/world/scene 22"]
    );
}

#[test]
fn a_message_that_is_larger_than_a_part_is_alone_in_one() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;part_size=64K");
    let topic = topic_of::<Text>("car1", "text");
    for (step, length) in [(0, 10), (1, 100_000), (2, 100_000), (3, 10)] {
        member.take(record_of(&topic, 0, step, &Text { data: "x".repeat(length) }));
    }
    registry::close(&member).unwrap();
    for (step, name) in
        ["run.jsonl", "run.part2.jsonl", "run.part3.jsonl", "run.part4.jsonl"].iter().enumerate()
    {
        assert_eq!(scene.lines(name), [format!("/car1/text {step}")]);
    }
}

#[test]
fn all_parts_together_have_the_largest_size() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;part_size=64K;max_size=100K");
    let topic = topic_of::<Text>("car1", "text");
    let outcomes: Vec<Outcome> =
        (0..14).map(|step| member.take(record_of(&topic, 0, step, &long()))).collect();
    registry::close(&member).unwrap();
    let accepted = outcomes.iter().filter(|outcome| **outcome == Outcome::Accepted).count();
    let total = size(&scene.path("run.jsonl")) + size(&scene.path("run.part2.jsonl"));
    assert!(total <= 100 << 10, "{total}");
    assert_eq!((accepted, scene.path("run.part3.jsonl").exists()), (10, false));
    let codes: Vec<&str> = member.take_errors().iter().map(|error| error.code).collect();
    assert_eq!(codes, ["BH-BRG-115"]);
}

#[test]
fn each_part_of_an_mcap_file_is_complete() {
    let scene = Scene::new();
    let member = scene.open("run.mcap;part_size=64K");
    let topic = topic_of::<Text>("car1", "text");
    for step in 0..14 {
        member.take(record_of(&topic, 0, step, &long()));
    }
    registry::close(&member).unwrap();
    let mut steps = Vec::new();
    for name in ["run.mcap", "run.part2.mcap", "run.part3.mcap"] {
        let bytes = std::fs::read(scene.path(name)).unwrap();
        assert!(::mcap::Summary::read(&bytes).unwrap().is_some(), "{name} has an index");
        steps.extend(::mcap::MessageStream::new(&bytes).unwrap().map(|message| message.unwrap().sequence));
    }
    assert_eq!(steps, (0..14).collect::<Vec<_>>());
}

/// A part that cannot be created is an outage: the log waits with the message, and continues later.
#[test]
fn if_the_next_part_cannot_be_created_the_log_waits_for_it() {
    let scene = Scene::new();
    let member = scene.open("run.jsonl;part_size=64K;overwrite=true");
    let topic = topic_of::<Text>("car1", "text");
    std::fs::create_dir(scene.path("run.part2.jsonl")).unwrap();
    for step in 0..7 {
        assert_eq!(member.take(record_of(&topic, 0, step, &long())), Outcome::Accepted, "{step}");
    }
    assert_eq!(member.take(record_of(&topic, 0, 7, &long())), Outcome::Refused);
    std::fs::remove_dir(scene.path("run.part2.jsonl")).unwrap();
    member.flush_if_due(2 * FLUSH_INTERVAL);
    member.take(record_of(&topic, 0, 8, &long()));
    registry::close(&member).unwrap();
    assert_eq!(scene.lines("run.jsonl").len(), 6);
    assert_eq!(scene.lines("run.part2.jsonl"), ["/car1/text 6", "/car1/text 8"]);
    let codes: Vec<&str> = member.take_errors().iter().map(|error| error.code).collect();
    assert_eq!(codes, ["BH-BRG-114", "BH-BRG-117"]);
}
