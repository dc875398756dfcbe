//! Valid connection strings and refused ones.

use proptest::prelude::*;

use super::*;

fn refusal(text: &str) -> String {
    let error = Connection::parse(text).unwrap_err().to_string();
    assert!(error.contains(USAGE) && error.starts_with("[BH-BRG-120]"), "{error}");
    error
}

#[test]
fn the_ending_of_the_path_selects_the_format() {
    let format = |text| Connection::parse(text).unwrap().format;
    assert_eq!(format("a.jsonl"), Format::JsonLines { gzip: false });
    assert_eq!(format("a;b.jsonl.gz"), Format::JsonLines { gzip: true });
    assert_eq!(format("a.mcap;topics=/car1/*"), Format::Mcap);
    assert!(refusal("run.txt").contains("the path is `run.txt`"));
    assert!(refusal("a.mcap;topic=/a").contains("the path is `a.mcap;topic=/a`"));
}

#[test]
fn topics_are_globs() {
    let topics = Connection::parse("a.mcap;topics=/{car1,car2}/cmd_vel,/gripper").unwrap().topics;
    let played = ["/car1/cmd_vel", "/car2/cmd_vel", "/car3/cmd_vel", "/gripper"];
    assert_eq!(played.map(|topic| topics.contains(topic)), [true, true, false, true]);
    assert!(refusal("a.mcap;topics=cmd_vel").contains("topics=`cmd_vel` matches no topic"));
    assert!(refusal("a.mcap;topics=/[").contains("topics=`/[`"));
}

#[test]
fn a_path_of_a_world_stays_in_its_directory() {
    let locate = |path: &str| Connection::parse(path).unwrap().locate(Some(Path::new("/world")));
    assert_eq!(locate("runs/a.jsonl").unwrap(), Path::new("/world/runs/a.jsonl"));
    for path in ["/etc/a.jsonl", "../a.jsonl", "a/../../b.mcap"] {
        assert!(locate(path).unwrap_err().to_string().contains("outside its directory `/world`"));
    }
    assert_eq!(Connection::parse("../a.jsonl").unwrap().locate(None).unwrap(), Path::new("../a.jsonl"));
}

proptest! {
    #[test]
    fn no_text_panics_and_a_path_is_kept(stem in "\\PC{0,30}", globs in "[a-z/*,{}\\[;]{0,20}") {
        let _ = Connection::parse(&format!("{stem};topics={globs}"));
        prop_assume!(!stem.contains(";topics="));
        let path = format!("{stem}.mcap");
        prop_assert_eq!(Connection::parse(&path).unwrap().path, path);
    }
}
