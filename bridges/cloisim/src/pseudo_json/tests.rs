//! Requests as clients send them, and invalid texts.

use serde_json::json;

use super::*;

#[test]
fn the_request_of_a_real_client_is_parsed() {
    let read = parse("{'command':'device_list', 'filter':''}");
    assert_eq!(read, Ok(json!({ "command": "device_list", "filter": "" })));
}

#[test]
fn plain_json_is_parsed() {
    let text = r#" {"a": [1, -2.5, 1e3, true, false, null, "x\"\u00e9\n\ud83d\ude00"], "b": {"c": {}}} "#;
    assert_eq!(parse(text), Ok(serde_json::from_str(text).expect("JSON")));
}

#[test]
fn relaxed_notations_are_parsed() {
    assert_eq!(parse("{a: 'it\\'s', b_1: \"it's\",}"), Ok(json!({ "a": "it's", "b_1": "it's" })));
    assert_eq!(parse("[+1, .5, True, None,]"), Ok(json!([1, 0.5, true, null])));
}

#[test]
fn errors_give_the_position() {
    let cases = [
        ("", "ends, expected a value"),
        ("{", "ends, expected a key or `}`"),
        ("{'a' 1}", "`1` at byte 5, expected `:`"),
        ("{'a':1 'b':2}", "`'` at byte 7, expected `,` or `}`"),
        ("['a'", "`,` or `]`"),
        ("'abc", "ends within quotes"),
        ("'\\u12", "four hexadecimal digits"),
        ("1x", "`1x` at byte 0 is not a number"),
        ("NaN", "`NaN` at byte 0"),
        ("{} x", "`x` at byte 3, expected the end"),
    ];
    for (text, part) in cases {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn depth_is_limited() {
    assert!(parse(&"[".repeat(100_000)).expect_err("too deep").to_string().contains("more than 32"));
}

#[test]
fn no_text_causes_a_panic() {
    let letters = ['{', '}', '[', ']', '\'', '"', ':', ',', '\\', 'u', 'd', '8', '0', '-', 'é', ' ', 't'];
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push(letters[usize::try_from(seed >> 33).expect("a number") % letters.len()]);
        }
        let _ = parse(&text);
    }
}
