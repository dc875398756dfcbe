//! Valid connection strings, refused ones, and arbitrary bytes.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Connection {
    text.parse().unwrap()
}

fn refusal(text: &str) -> String {
    let error = text.parse::<Connection>().unwrap_err().to_string();
    let text = error.strip_prefix("[BH-BRG-110] connection string: ").expect("the code");
    let (what, usage) = text.split_once("; expected ").expect("the expected form");
    assert_eq!(
        usage,
        "FILE;key=value;… with the keys topics, images, part_size, max_size and overwrite, such as run.mcap;topics=/car1/*,/clock;max_size=10M;overwrite=true"
    );
    what.to_owned()
}

#[test]
fn a_bare_target_writes_every_topic() {
    let connection = parse("run.mcap");
    assert_eq!(connection.target, "run.mcap");
    assert_eq!(connection.options, FileOptions::default());
    assert!(connection.topics.contains("/car1/imu"));
}

#[test]
fn options_are_read_in_any_order() {
    let connection = parse("a.jsonl.gz;overwrite=true;max_size=10M;topics=/car1/*,/clock");
    assert_eq!(
        connection.options,
        FileOptions { limits: Limits { max_size: Some(10 << 20), part_size: None }, overwrite: true }
    );
    let written = ["/car1/imu", "/car1/arm/joint_states", "/clock", "/car2/imu"];
    assert_eq!(written.map(|topic| connection.topics.contains(topic)), [true, true, true, false]);
}

#[test]
fn a_path_keeps_every_byte_that_is_not_an_option() {
    for path in ["a;b.mcap", "  x .txt", "ü:=,;;topics.jsonl", "a;overwrite/.mcap"] {
        assert_eq!(parse(path).target, path);
        assert_eq!(parse(&format!("{path};max_size=1")).target, path);
    }
}

#[test]
fn braces_in_a_glob_may_contain_commas() {
    let connection = parse("-;topics=/car{1,2}/imu,/clock");
    let written = ["/car1/imu", "/car2/imu", "/car3/imu", "/clock"];
    assert_eq!(written.map(|topic| connection.topics.contains(topic)), [true, true, false, true]);
}

#[test]
fn sizes_are_bytes_or_powers_of_1024() {
    let size = |text| parse(&format!("-;max_size={text}")).options.limits.max_size;
    assert_eq!([size("1"), size("3K"), size("2G")], [Some(1), Some(3072), Some(2 << 30)]);
    for text in ["", "0", "-1", "+1", "1.5M", "10m", "M", "99999999999G", "ü"] {
        assert!(
            refusal(&format!("-;max_size={text}")).contains("`max_size=` must be a size in bytes, such as "),
            "{text}"
        );
    }
}

#[test]
fn patterns_after_an_exclamation_mark_leave_topics_out() {
    let written = |text: &str| {
        let connection = parse(&format!("-;topics={text}"));
        ["/car1/imu", "/car1/depth/points", "/clock"].map(|topic| connection.topics.contains(topic))
    };
    assert_eq!(written("!*/points"), [true, false, true]);
    assert_eq!(written("/car1/*,!*/points"), [true, false, false]);
    assert_eq!(written("!*/{points,imu},!/clock"), [false, false, false]);
    assert!(refusal("-;topics=!points").contains("found `!points`"));
}

#[test]
fn images_and_parts_have_their_words_and_sizes() {
    assert_eq!([parse("-").images, parse("-;images=compressed").images], [Images::All, Images::Compressed]);
    assert_eq!(refusal("-;images=raw"), "`images=` must be all or compressed, found `raw`");
    assert_eq!(parse("-;part_size=64K").options.limits.part_size, Some(64 << 10));
    assert!(refusal("-;part_size=63K").contains("at least 64K"));
}

#[test]
fn errors_name_the_wrong_part() {
    let target = "FILE must be a path that ends in .mcap, .jsonl, .jsonl.gz, .txt or .txt.gz, or - for standard output";
    assert_eq!(refusal(""), format!("{target}, found ``"));
    assert_eq!(refusal("run.bag"), format!("{target}, found `run.bag`"));
    assert_eq!(refusal("a.mcap;max=5"), "`max=` is not a known key");
    assert_eq!(refusal("a.mcap;topics=/a;max=5"), "`max=` is not a known key");
    for pattern in ["imu", "/[", "/a,b"] {
        let text = refusal(&format!("a.mcap;topics={pattern}"));
        let ending = format!("found `{pattern}`");
        assert!(
            text.starts_with("`topics=` must be patterns of topics, ") && text.ends_with(&ending),
            "{text}"
        );
    }
    assert_eq!(refusal("a.mcap;overwrite=yes"), "`overwrite=` must be true or false, found `yes`");
    assert_eq!(refusal("a.mcap;max_size=1;max_size=2"), "`max_size=` is given twice");
}

proptest! {
    #[test]
    fn no_text_panics(text in "[a-z.;=,{}\\[\\]*/ü-]{0,40}(;(topics|max_size|overwrite)=[a-z0-9/*{},\\[]{0,9}){0,4}") {
        let _ = text.parse::<Connection>();
    }

    #[test]
    fn the_target_is_kept_byte_for_byte(stem in "\\PC{0,30}", size in 1_u64..1_000_000) {
        // Without `=` no part of it begins an option.
        let target = format!("{}.jsonl", stem.replace('=', ""));
        let connection = parse(&format!("{target};max_size={size};overwrite=false"));
        prop_assert_eq!(connection.target, target);
        prop_assert_eq!(connection.options.limits.max_size, Some(size));
    }
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}
