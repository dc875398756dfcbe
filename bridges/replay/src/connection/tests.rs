//! Valid connection strings and refused ones.

use proptest::prelude::*;

use super::*;

fn refusal(text: &str) -> String {
    let error = text.parse::<Connection>().unwrap_err().to_string();
    assert!(
        error.starts_with("[BH-BRG-120]") && error.contains("such as run.mcap;topics=*cmd_vel"),
        "{error}"
    );
    error
}

#[test]
fn the_ending_of_the_path_selects_the_format() {
    let format = |text: &str| text.parse::<Connection>().unwrap().format;
    assert_eq!(format("a.jsonl"), Format::JsonLines { gzip: false });
    assert_eq!(format("a;b.jsonl.gz"), Format::JsonLines { gzip: true });
    assert_eq!(format("a.mcap;topics=/car1/*"), Format::Mcap);
    assert!(refusal("run.txt").contains("ends in .jsonl, .jsonl.gz or .mcap, found `run.txt`"));
    assert!(refusal("a.mcap;topic=/a").contains("`topic=` is not a known key"));
}

#[test]
fn topics_are_globs() {
    let topics = Connection::from_str("a.mcap;topics=/{car1,car2}/cmd_vel,/gripper").unwrap().topics;
    let played = ["/car1/cmd_vel", "/car2/cmd_vel", "/car3/cmd_vel", "/gripper"];
    assert_eq!(played.map(|topic| topics.contains(topic)), [true, true, false, true]);
    assert!(refusal("a.mcap;topics=cmd_vel").contains("found `cmd_vel`"));
    assert!(refusal("a.mcap;topics=/[").contains("found `/[`"));
}

#[test]
fn a_path_of_a_world_stays_in_its_directory() {
    let locate = |path: &str| Connection::from_str(path).unwrap().locate(Some(Path::new("/world")));
    assert_eq!(locate("runs/a.jsonl").unwrap(), Path::new("/world/runs/a.jsonl"));
    for path in ["/etc/a.jsonl", "../a.jsonl", "a/../../b.mcap"] {
        assert!(locate(path).unwrap_err().to_string().contains("outside the directory `/world`"));
    }
    assert_eq!(Connection::from_str("../a.jsonl").unwrap().locate(None).unwrap(), Path::new("../a.jsonl"));
}

proptest! {
    #[test]
    fn no_text_panics_and_a_path_is_kept(stem in "\\PC{0,30}", globs in "[a-z/*,{}\\[;]{0,20}") {
        let _ = Connection::from_str(&format!("{stem};topics={globs}"));
        // Without `=` no part of it begins an option.
        let path = format!("{}.mcap", stem.replace('=', ""));
        prop_assert_eq!(Connection::from_str(&path).unwrap().path, path);
    }
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}
