//! Parsing and checking of metadata.

use super::*;

const GOOD: &str = r#"{"schema":1, "abi":[1,0], "sdk":"bridgehead-plugin-api 0.1.0", "abi_stable":"0.11.3",
 "panic":"unwind", "plugins":[{"id":"org.example.bridge.udp", "kind":"bridge", "name":"udp", "version":"1.0.0",
 "vendor":"Example", "license":"MIT", "requires":["bridgehead.bus/1"], "provides":["org.example.v1.Ping"]}]}"#;

fn refusal(text: &str) -> Refusal {
    Metadata::parse(text.as_bytes()).expect_err("refused")
}

#[track_caller]
fn assert_refused(from: &str, to: &str, code: Code, text: &str) {
    assert!(GOOD.contains(from));
    let refusal = refusal(&GOOD.replace(from, to));
    assert_eq!(refusal.code, code, "{refusal}");
    assert!(refusal.text.contains(text), "{refusal}");
}

#[test]
fn the_documented_example_is_read() {
    let metadata = Metadata::parse(format!("{GOOD}\0\0\0").as_bytes()).expect("good");
    assert_eq!(metadata.abi, [1, 0]);
    assert_eq!(metadata.abi_stable.as_deref(), Some("0.11.3"));
    assert_eq!(metadata.panic, PanicStrategy::Unwind);
    assert_eq!(metadata.warnings(), []);
    let plugin = &metadata.plugins[0];
    assert_eq!(
        (plugin.id.as_str(), plugin.kind, plugin.name.as_str()),
        ("org.example.bridge.udp", Kind::Bridge, "udp")
    );
    assert_eq!(plugin.requires, ["bridgehead.bus/1"]);
    assert_eq!(plugin.provides, ["org.example.v1.Ping"]);
}

#[test]
fn the_place_of_broken_json_is_reported() {
    let broken = refusal(&GOOD.replace("\"panic\":", "\"panic\""));
    assert_eq!(broken.code, Code::MetadataMalformed);
    assert!(broken.text.contains("expected `:` at line 2 column 9"), "{broken}");
    assert_eq!(refusal("").code, Code::MetadataMalformed);
    let two = refusal(&format!("{GOOD}\0{GOOD}"));
    assert_eq!(two.code, Code::MetadataMalformed, "two texts in one section");
}

#[test]
fn the_version_is_checked_before_the_rest_is_read() {
    let newer = refusal(r#"{"schema":1, "abi":[3,0], "plugins":{"new":"shape"}}"#);
    assert_eq!(newer.code, Code::AbiVersion);
    assert_eq!(newer.text, "built for plugin ABI 3.0, this host supports 1.x");
    let schema = refusal(r#"{"schema":2, "abi":[1,0]}"#);
    assert_eq!(schema.code, Code::MetadataSchema);
    assert!(schema.text.contains("schema 2, this host knows schema 1: the metadata section"), "{schema}");
    assert!(schema.text.contains("missing field"), "{schema}");
}

#[test]
fn every_minor_of_the_major_is_accepted() {
    let of = |abi: &str| Metadata::parse(GOOD.replace("[1,0]", abi).as_bytes());
    assert!(["[1,0]", "[1,1]", "[1,4294967295]"].iter().all(|abi| of(abi).is_ok()));
    for abi in ["[0,5]", "[2,0]"] {
        assert_eq!(of(abi).expect_err("refused").code, Code::AbiVersion, "{abi}");
    }
}

#[test]
fn unknown_fields_words_and_schemas_are_tolerated() {
    let read = |from: &str, to: &str| {
        assert!(GOOD.contains(from));
        Metadata::parse(GOOD.replace(from, to).as_bytes()).expect("read")
    };
    read("\"sdk\"", "\"later\":1, \"sdk\"");
    assert_eq!(read("\"schema\":1", "\"schema\":2").warnings(), []);
    assert_eq!(read("\"unwind\"", "\"return\"").panic, PanicStrategy::Unknown);
    let painter = read("\"bridge\"", "\"painter\"");
    assert_eq!(painter.plugins[0].kind, Kind::Unknown);
    let [warning] = &painter.warnings()[..] else { panic!("one warning") };
    assert_eq!(warning.code, Code::UnknownKind);
    assert!(warning.text.contains("`udp`"), "{warning}");
}

#[test]
fn invalid_ids_and_names_are_refused() {
    let id = "org.example.bridge.udp";
    for wrong in
        ["", "udp", "org..udp", "org.example.", "org.exa mple", "org.example/udp", "org.ex\\u001b[2J"]
    {
        assert_refused(id, wrong, Code::MetadataInvalid, "is not a reverse-domain id");
    }
    for wrong in ["", "u:dp", "u=dp", "-udp", "u/dp", "ü"] {
        assert_refused(
            "\"name\":\"udp\"",
            &format!("\"name\":\"{wrong}\""),
            Code::MetadataInvalid,
            "is not a plugin name",
        );
    }
    assert_refused("\"Example\"", "\"a\\nb\"", Code::MetadataInvalid, "`vendor` of `org.example.bridge.udp`");
    assert_refused(
        "\"1.0.0\"",
        "\"\"",
        Code::MetadataInvalid,
        "`version` of `org.example.bridge.udp` is empty",
    );
}

#[test]
fn plugins_of_one_library_need_distinct_ids_and_names() {
    let (head, list) = GOOD.split_once("[{").expect("a list");
    let plugin = list.strip_suffix("}]}").expect("an end");
    let twice = |second: &str| format!("{head}[{{{plugin}}},{{{second}}}]}}");
    assert_eq!(refusal(&twice(plugin)).code, Code::MetadataInvalid);
    let other_id = plugin.replace("bridge.udp", "bridge.udp2");
    assert!(refusal(&twice(&other_id)).text.contains("or the name `udp`"));
    let other_kind = other_id.replace("\"bridge\"", "\"model\"");
    assert!(Metadata::parse(twice(&other_kind).as_bytes()).is_ok(), "names are per kind");
    let none = refusal(&format!("{head}[]}}"));
    assert_eq!(none.text, "`plugins` is empty: the library contains no plugin");
}

#[test]
fn abort_on_panic_causes_a_warning() {
    let metadata = Metadata::parse(GOOD.replace("unwind", "abort").as_bytes()).expect("good");
    let codes = metadata.warnings().iter().map(|warning| warning.code).collect::<Vec<_>>();
    assert_eq!(codes, [Code::PanicAbort]);
}
