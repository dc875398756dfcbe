//! Valid connection strings, refused ones, and arbitrary bytes.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Connection {
    Connection::parse(text).unwrap()
}

fn refusal(text: &str) -> String {
    let error = Connection::parse(text).unwrap_err().to_string();
    assert!(error.contains(USAGE), "{error}");
    assert!(error.starts_with("[BH-BRG-110]"), "{error}");
    error.replace(USAGE, "…")
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
    assert_eq!(connection.options, FileOptions { max_size: Some(10 << 20), overwrite: true });
    let written = ["/car1/imu", "/car1/arm/joint_states", "/clock", "/car2/imu"];
    assert_eq!(written.map(|topic| connection.topics.contains(topic)), [true, true, true, false]);
}

#[test]
fn a_path_keeps_every_byte_that_is_not_an_option() {
    for path in ["a;b.mcap", "  x .txt", "ü:=,;;topics.jsonl", "a;max=5/b.txt.gz", "a;overwrite/.mcap"] {
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
    let size = |text| parse(&format!("-;max_size={text}")).options.max_size;
    assert_eq!([size("1"), size("3K"), size("2G")], [Some(1), Some(3072), Some(2 << 30)]);
    for text in ["", "0", "-1", "+1", "1.5M", "10m", "M", "99999999999G", "ü"] {
        assert!(refusal(&format!("-;max_size={text}")).contains("is not a size in bytes"), "{text}");
    }
}

#[test]
fn errors_name_the_wrong_part() {
    assert_eq!(refusal(""), "[BH-BRG-110] connection string: the target is ``; …");
    assert_eq!(refusal("run.bag"), "[BH-BRG-110] connection string: the target is `run.bag`; …");
    assert_eq!(refusal("a.mcap;max=5"), "[BH-BRG-110] connection string: the target is `a.mcap;max=5`; …");
    assert!(refusal("a.mcap;topics=/a;max=5").contains("`max=5` is not a known option"));
    assert!(refusal("a.mcap;topics=imu").contains("topics=`imu` matches no topic"));
    assert!(refusal("a.mcap;topics=/[").contains("topics=`/[`"));
    assert!(refusal("a.mcap;overwrite=yes").contains("overwrite=`yes` is neither true nor false"));
    assert!(refusal("a.mcap;max_size=1;max_size=2").contains("`max_size=` is given twice"));
}

proptest! {
    #[test]
    fn no_text_panics(text in "[a-z.;=,{}\\[\\]*/ü-]{0,40}(;(topics|max_size|overwrite)=[a-z0-9/*{},\\[]{0,9}){0,4}") {
        let _ = Connection::parse(&text);
    }

    #[test]
    fn the_target_is_kept_byte_for_byte(stem in "\\PC{0,30}", size in 1_u64..1_000_000) {
        prop_assume!(!KEYS.iter().any(|key| stem.contains(&format!(";{key}="))));
        let target = format!("{stem}.jsonl");
        let connection = parse(&format!("{target};max_size={size};overwrite=false"));
        prop_assert_eq!(connection.target, target);
        prop_assert_eq!(connection.options.max_size, Some(size));
    }
}
